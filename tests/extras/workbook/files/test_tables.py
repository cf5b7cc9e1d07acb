"""The tables of an event's data: what stands in them, in a workbook and as CSV."""

import csv
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from io import BytesIO, TextIOWrapper
from typing import Any
from uuid import uuid4
from zipfile import ZipFile

import pytest
from openpyxl import load_workbook

from tests.extras.workbook.files.conftest import Opened, recorded_game
from tests.support.factories import (
    add_stage,
    event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    running_session,
    started_game,
)
from tests.support.workbook_events import generated
from tests.support.workbook_sheets import MADE
from tournament import actions
from tournament.extras.workbook.files.sheets import write_csv, write_workbook
from tournament.extras.workbook.files.tables import TABLES, DataTable
from tournament.queries.incidents import Line
from tournament.words.rulings import rulings_of

Open = Callable[..., Opened]
TABLE = {table.name: table for table in TABLES}


def cells(rows: list[dict[str, Any]], *keys: str) -> list[tuple[Any, ...]]:
    return [tuple(row[key] for key in keys) for row in rows]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_a_table_has_each_heading_once_and_a_check_beside_what_it_computes(table: DataTable) -> None:
    headings = table.headings
    assert len({*headings}) == len(headings)
    computed = [key.removesuffix("_f") for key in headings if key.endswith("_f")]
    assert ("check" in headings) == bool(computed)
    assert {*computed} <= {*headings}


@pytest.mark.parametrize("seed", [13, 135])
def test_both_files_hold_the_same_values(seed: int) -> None:
    event, book, archive = generated(seed), BytesIO(), BytesIO()
    write_workbook(event, book)
    write_csv(event, archive)
    sheets, files = load_workbook(book, data_only=True), ZipFile(archive)
    assert files.namelist() == [f"{sheet.title}.csv" for sheet in sheets]
    for sheet in sheets:
        with TextIOWrapper(files.open(f"{sheet.title}.csv"), "utf-8-sig", newline="") as text:
            found = [list(map(plain, row)) for row in csv.reader(text)]
        assert found == [[plain(cell.value) for cell in row] for row in sheet.iter_rows()]


def plain(value: Any) -> Any:
    """What a reader of both takes a cell for; an apostrophe before a text is for spreadsheets alone."""
    if hasattr(value, "isoformat"):
        return value.isoformat()[:10]
    if isinstance(value, timedelta):
        return float(value.total_seconds())
    text = "" if value is None else str(value).removeprefix("'")
    try:
        return round(float(text), 9)
    except ValueError:
        return text[:10] if text.startswith("2026-05-09T") else text


@pytest.mark.django_db
def test_an_event_that_nobody_has_started_has_its_tables(opened: Open) -> None:
    book = opened(add_stage(event("tite-2022", 4), "final", start=False))
    assert book.titles == [table.name for table in TABLES if not table.private]
    assert cells(book.rows("players"), "number", "player", "state") == [
        (1, "Aino", "registered"),
        (2, "Börje", "registered"),
        (3, "Cécile", "registered"),
        (4, "Dima", "registered"),
    ]
    assert [book.rows(name) for name in ("standings", "rounds", "hands")] == [[], [], []]


@pytest.mark.django_db
def test_games_have_their_times_and_hands_card_by_card(opened: Open) -> None:
    made = running_session(players=2)
    a, b = made.uids
    play = started_game(made, elapsed_s=900)
    made.act(
        actions.end_game,
        play=play,
        version=made.play(play).version,
        ended="early",
        hands={str(a): {"7": 2}, str(b): {"draw2": 1, "0": 1, "wild": 1}},
        elapsed_s=1500,
    )
    book = opened(made)
    first, second = book.rows("games")
    assert cells([first], "stage", "table", "play", "state", "counts", "ending", "duration") == [
        (1, 1, 1, "entered", "yes", "early", timedelta(minutes=25))
    ]
    assert first["ended"] - first["started"] == timedelta(minutes=25)
    assert cells([first, second], "player", "outcome", "place", "points", "place_f", "points_f", "check") == [
        ("Aino", "remaining", 1, 65, 1, 65, "OK"),
        ("Börje", "remaining", 2, 70, 2, 70, "OK"),
    ]
    assert cells(book.rows("hands"), "7", "0", "draw2", "wild", "worth") == [
        (2, None, None, None, 14),
        (None, 1, 1, 1, 70),
    ]
    assert {row["card"]: row["points"] for row in book.rows("cards")}["draw2"] == 20


@pytest.mark.django_db
def test_rounds_that_do_not_count_say_why_and_have_no_points(opened: Open) -> None:
    made = running_match(players=2, target=100)
    a, b = made.uids
    void, first = recorded_round(made), recorded_round(made, winner=a)
    recorded_round(made, winner=b)
    made.act(actions.void_play, play=void, version=made.play(void).version, reason="wrong table")
    made.act(
        actions.correct_round,
        play=first,
        version=made.play(first).version,
        reason="counted again",
        winner=a,
        hands={str(b): {"wild": 2, "0": 1}},
        last_cards={"draw2": 1},
        drew=b,
    )
    book = opened(made)
    assert cells(
        book.rows("rounds"), "play", "state", "counts", "player", "points", "last_cards", "drew"
    ) == [
        (1, "void", "void", "Aino", None, None, None),
        (1, "void", "void", "Börje", None, None, None),
        (2, "entered", "yes", "Aino", 100, "1 × draw2", None),
        (2, "entered", "yes", "Börje", 0, None, "yes"),
        (3, "set_aside", "match_over", "Aino", None, None, None),
        (3, "set_aside", "match_over", "Börje", None, None, None),
    ]
    assert cells(book.rows("standings"), "table", "place", "player", "points", "rounds_won", "winner") == [
        (1, 1, "Aino", 100, 1, "yes"),
        (1, 2, "Börje", 0, 0, None),
    ]


@pytest.mark.django_db
def test_averages_are_numbers_and_exact(opened: Open) -> None:
    made = running_session(players=3)
    a, b, c = made.uids
    for seconds in (610, 300):
        recorded_game(
            made,
            {"entry": a, "outcome": "out", "elapsed_s": seconds},
            {"entry": b, "outcome": "out", "elapsed_s": 725},
            {"entry": c, "outcome": "last"},
        )
    keys = ("place", "player", "points", "games", "average", "average_exact", "status", "check")
    assert cells(opened(made).rows("standings"), *keys)[0] == (1, "Aino", 15, 2, 7.5, "15/2", "ranked", "OK")


@pytest.mark.django_db
def test_who_goes_through_from_heats_also_by_decision(opened: Open) -> None:
    made = running_heats(players=6, tables=2, advance=1)
    for table in made.tables:
        recorded_heat(made, table)
    made.act(actions.finish_stage, stage=made.stage.uid)
    final = uuid4()
    made.act(actions.plan_stage, stage=final, kind="final", settings={"target": 300})
    made.act(actions.fill_stage, stage=final)
    aino, cecile = made.uids[0], made.uids[2]
    made.act(actions.swap_finalist, stage=final, out=aino, enters=cecile, reason="ill")
    book = opened(made)
    assert cells(book.rows("standings"), "table", "player", "place", "through") == [
        (1, "Aino", 1, "no_by_decision"),
        (1, "Cécile", None, "by_decision"),
        (1, "Eeva", None, None),
        (2, "Börje", 1, "yes"),
        (2, "Dima", None, None),
        (2, "Fatima", None, None),
    ]
    assert cells(book.rows("seats"), "stage", "table", "player")[6:] == [(2, 1, "Cécile"), (2, 1, "Börje")]


@pytest.mark.django_db
def test_the_ledger_says_which_play_and_whom_and_a_play_who_entered_it(opened: Open) -> None:
    made = running_match(players=4, tables=2)
    second = made.tables[1]
    play, (first, other) = uuid4(), made.at(second)
    for number, uid in enumerate((play, uuid4()), 1):
        hands = {"winner": first, "hands": {str(other): {"7": 1}}}
        made.act(actions.record_round, table=second.uid, play=uid, number=number, **hands)
    made.act(actions.void_play, play=play, version=made.play(play).version, reason="wrong table")
    made.act(actions.player_leaves, entry=made.uids[0])
    book = opened(made, made.user)
    keys = ("action", "stage", "table", "play", "player", "reason")
    assert cells(book.rows("ledger"), *keys)[-4:] == [
        ("record_round", 1, 2, 1, None, None),
        ("record_round", 1, 2, 2, None, None),
        ("void_play", 1, 2, 1, None, "wrong table"),
        ("player_leaves", 1, 1, None, "Aino", None),
    ]
    row = next(each for each in book.rows("ledger") if each["action"] == "void_play")
    assert cells(book.rows("rounds")[:1], "entered_by", "ledger_row") == [
        (made.user.display_name(), row["row"])
    ]
    assert cells(opened(made).rows("rounds")[:1], "entered_by", "ledger_row") == [(None, None)]


def test_official_results_alone_are_points() -> None:
    for seed in (61, 135):
        for row in TABLE["rounds"].cells(generated(seed)):
            assert (row["points"] is not None) == (row["counts"] == "yes")


def test_rulings_name_the_rules_that_incidents_used_and_what_the_referees_ruled() -> None:
    def line(**more: Any) -> Line:
        said: dict[str, Any] = dict.fromkeys(("rule", "text", "ruling", "answer", "player"), "") | {
            "title": "Late UNO"
        }
        where = {"uid": uuid4(), "kind": "penalty", "entry": None, "where": "Table 1", "cards": None}
        return Line(**said | where | {"at": MADE, "by": "Riina", "withdrawn": False} | more)

    event = generated(61)
    lines = (
        line(rule="4 cards"),
        line(rule="4 cards"),
        line(rule="4 cards", withdrawn=True),
        line(kind="dispute", text="Who began?", answer="Aino"),
    )
    own = len(rulings_of(event.tournament.ruleset))
    rows = list(TABLE["rulings"].cells(replace(event, incidents=lines)))[own:]
    assert [(row["question"], row["ruling"], row["incidents"]) for row in rows] == [
        ("Late UNO", "4 cards", 2),
        ("Who began?", "Aino", 1),
    ]
    assert len(list(TABLE["incidents"].cells(replace(event, incidents=lines)))) == len(lines)
    assert list(TABLE["rulings"].cells(replace(event, stages=()))) == []
