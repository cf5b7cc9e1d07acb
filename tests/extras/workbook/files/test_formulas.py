"""The formulas of a data file as LibreOffice works them out, against scoring: as exported, sorted, and with cells
changed."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from openpyxl import Workbook, load_workbook

from rulesets import CARDS, RULESETS, put_away
from tests.depth import SOAK, dear
from tests.support.contests import impossible_plays
from tests.support.factories import Event as Played, running_match
from tests.support.recalculated import recalculated, sorted_by_every_column
from tests.support.workbook_events import changed, close_calls, generated, generated_race, of_contest
from tournament import actions
from tournament.extras.workbook.files.plays import Cells
from tournament.extras.workbook.files.sheets import write_workbook
from tournament.extras.workbook.files.tables import CHECKED, DataTable, tables_of
from tournament.files.workbook.event import Event, read_event
from tournament.files.workbook.writer import Formula
from tournament.models import Play, Table, Tournament
from tournament.server.database import snapshot

pytestmark = pytest.mark.program

CHANGES = 50
AT_ONCE = 25  # events in one start of LibreOffice
TYPED_IN = 1 if SOAK else 2  # of so many events one is changed too
MADE_UP = 4  # of so many events one is also played by a ruleset that nobody wrote
SORTED = 10  # of so many events one is sorted too
# Outside of a soak ten of the two hundred, which between them have every language, ruleset, count, outcome, ending and
# status, ties at each step, walkovers, stopped matches and plays set aside.
ALL = range(200) if SOAK else (13, 61, 67, 80, 105, 107, 116, 135, 145, 155)
SEEDS = [ALL[first : first + AT_ONCE] for first in range(0, len(ALL), AT_ONCE)]
# What somebody may type over what was entered; whether a play counts and who is ranked is said by the program.
TYPED: Mapping[str, Sequence[str]] = {
    "games": ("counts", "outcome", "out_after"),
    "rounds": ("counts", "outcome"),
    "heats": ("counts", "outcome", "finish"),
    "hands": CARDS,
    "standings": ("status",),
}


def exported(event: Event) -> bytes:
    file = BytesIO()
    write_workbook(event, file)
    return file.getvalue()


@pytest.fixture
def only_here() -> Iterator[None]:
    """Forgets the rulesets that a test takes in."""
    known = set(RULESETS)
    yield
    for ruleset in set(RULESETS) - known:
        put_away(ruleset)


@pytest.mark.parametrize("seeds", dear(*SEEDS), ids=lambda seeds: f"from-{seeds[0]}")
def test_formulas_find_what_scoring_says_also_after_changes_and_by_any_rules(
    seeds: Sequence[int], tmp_path: Path, only_here: None
) -> None:
    events = {f"{seed}": generated(seed) for seed in seeds}
    events |= {f"made-up-{seed}": generated(seed, made_up=True) for seed in seeds[::MADE_UP]}
    books = {name: exported(event) for name, event in events.items()}
    after = {f"{seed} changed": changed(events[f"{seed}"], seed, CHANGES)[0] for seed in seeds[::TYPED_IN]}
    edited = {name: typed_in(books[name.split()[0]], event) for name, event in after.items()}
    opened = recalculated(books | edited, tmp_path)
    assert faults_of({name: (book, opened[name]) for name, book in books.items()}) == {}
    assert {name: found for name, event in after.items() if (found := wrong(opened[name], event))} == {}
    assert any(not_ok(opened[name]) for name in after if name.split()[0] in books)


@pytest.mark.parametrize("first", range(0, 200 if SOAK else 10, 10))
def test_formulas_find_the_places_of_a_race_by_any_points_and_rank(first: int, tmp_path: Path) -> None:
    books = {f"race {seed}": exported(generated_race(seed)) for seed in range(first, first + 10)}
    opened = recalculated(books, tmp_path)
    assert faults_of({name: (book, opened[name]) for name, book in books.items()}) == {}


@pytest.mark.parametrize("seeds", dear(*SEEDS), ids=lambda seeds: f"from-{seeds[0]}")
def test_a_sheet_sorted_by_any_column_has_no_error_and_differs_nowhere(
    seeds: Sequence[int], tmp_path: Path
) -> None:
    books = {f"{seed}": exported(generated(seed)) for seed in [*seeds[::SORTED], 135]}
    books["close"] = exported(close_calls())
    assert sorted_by_every_column(books, tmp_path) == dict.fromkeys(books, (0, 0))


@pytest.mark.sqlite
@pytest.mark.django_db
def test_formulas_find_what_scoring_says_in_the_demo_and_where_it_is_close(
    tmp_path: Path, settings: Any
) -> None:
    settings.DATA_DIR = tmp_path
    call_command("make_demo")
    events = {"close": close_calls()}
    for tournament in Tournament.objects.exclude(state="planned"):
        with snapshot():
            events[tournament.slug] = read_event(tournament, everything=True)
    books = {slug: exported(event) for slug, event in events.items()}
    opened = recalculated(books, tmp_path)
    assert faults_of({name: (book, opened[name]) for name, book in books.items()}) == {}


@pytest.mark.sweep
def test_a_play_that_does_not_count_says_why_and_counts_in_no_formula(tmp_path: Path) -> None:
    events = {why: of_contest(contest) for why, contest in impossible_plays().items()}
    books = {why: exported(event) for why, event in events.items()}
    opened = recalculated(books, tmp_path)
    assert faults_of({name: (book, opened[name]) for name, book in books.items()}) == {}
    said = {
        why: {
            row[5].value for title in ("games", "rounds", "race") for row in book[title].iter_rows(min_row=2)
        }
        for why, book in opened.items()
    }
    assert {why: found - {"yes", None} for why, found in said.items()} == {why: {why} for why in said}


@pytest.mark.sqlite
@pytest.mark.django_db
@pytest.mark.soak
def test_d3_champion_who_left_afterwards_is_champion_by_formula_too(tmp_path: Path) -> None:
    made = left_after_the_end()
    with snapshot():
        event = read_event(made.tournament, everything=True)
    book = exported(event)
    assert faults_of({"left": (book, recalculated({"left": book}, tmp_path)["left"])}) == {}
    winners = [contest.answer.winners for read in event.stages for contest in read.results]
    assert winners == [(str(made.at(table)[2 * (table.number == 5)]),) for table in made.tables]


def left_after_the_end() -> Played:
    """Matches that end by a walkover's round, by departures alone, at the target and by being stopped; then everybody
    leaves. At table 5 a correction says that the first was out before the others."""
    made = running_match(players=15, tables=5, target=100)
    for table, hand in zip(made.tables, ({"7": 1}, {"7": 1}, {"wild": 1}, {"7": 1}, {"7": 1}), strict=True):
        first, *others = made.at(table)
        held = {str(uid): hand for uid in others}
        add_round(made, table, 1, winner=first, hands=held)
        if table.number == 5:
            second, third = others
            made.act(actions.player_leaves, entry=second)
            add_round(made, table, 2, winner=None, hands={}, removed=[third])
            play = Play.objects.get(table=table, number=1)
            more = {"winner": second, "hands": {str(third): hand}, "withdrawn": [first]}
            made.act(actions.correct_round, play=play.uid, version=play.version, reason="gone", **more)
            continue
        if table.number == 1:
            add_round(made, table, 2, winner=None, hands={}, withdrawn=others)
        elif table.number == 4:
            made.act(actions.stop_match, table=table.uid)
        for uid in (*([] if table.number == 1 else others), first):
            made.act(actions.player_leaves, entry=uid)
    return made


def add_round(made: Played, table: Table, number: int, **more: Any) -> None:
    made.act(actions.record_round, table=table.uid, play=uuid4(), number=number, **more)


# ---- what is typed into a workbook, and what it says ----


def typed_in(content: bytes, event: Event) -> bytes:
    """The workbook as somebody would type this event over what was there: outcomes, times, orders and cards."""
    book = load_workbook(BytesIO(content))
    for table in tables_of(event):
        if table.name in TYPED:
            cells = {key_of(row): row for row in table.cells(event)}
            for row in rows_in(book, table):
                values = cells.get(key_of({key: cell.value for key, cell in row.items()}), {})
                for key in TYPED[table.name] if values else ():
                    value = values.get(key)
                    days = Fraction(value.seconds, 86_400) if isinstance(value, timedelta) else None
                    row[key].value = value if days is None else float(days)
    file = BytesIO()
    book.save(file)
    return file.getvalue()


def rows_in(book: Workbook, table: DataTable) -> Iterator[dict[str, Any]]:
    for row in book[table.name].iter_rows(min_row=2):
        yield dict(zip(table.headings, row, strict=True))


def key_of(row: Cells) -> tuple[Any, ...]:
    """What tells a row from all others of its table, also after changes."""
    return row["stage"], row.get("table"), row.get("play_id"), row["entry_id"]


def faults_of(books: Mapping[str, tuple[bytes, Workbook]]) -> dict[str, Any]:
    """List by name which cells of a workbook are not what they were once it is recalculated, and how many rows do not
    agree with the program."""
    return {
        name: found
        for name, (content, opened) in books.items()
        if (found := [*other_cells(load_workbook(BytesIO(content), data_only=True), opened), *not_ok(opened)])
    }


def other_cells(stored: Workbook, opened: Workbook) -> Iterator[Any]:
    for sheet in stored:
        for row in sheet.iter_rows():
            for cell in row:
                now = opened[sheet.title][cell.coordinate].value
                if not same(cell.value, now):
                    yield sheet.title, cell.coordinate, cell.value, now


def not_ok(book: Workbook) -> list[tuple[Any, ...]]:
    """The rows of the check that do not say 0."""
    _headings, *rows = book["check"].iter_rows(values_only=True)
    assert [row[0] for row in rows] == ["all", *CHECKED]
    return [row for row in rows if row[3] != 0]


def wrong(book: Workbook, event: Event) -> list[Any]:
    """List where a workbook's formulas differ from this event, whose facts were typed into it; not in the rows of heats
    that came or went by the changes, which the other has not."""
    faults = []
    for table in tables_of(event):
        if table.name in TYPED:
            cells = {key_of(row): row for row in table.cells(event)}
            for row in rows_in(book, table):
                says = cells.get(key_of({key: cell.value for key, cell in row.items()}), {})
                faults += [
                    (table.name, row[key].coordinate, value.value, row[key].value)
                    for key, value in says.items()
                    if isinstance(value, Formula) and key != "check" and not same(value.value, row[key].value)
                ]
    return faults


def same(says: Any, finds: Any) -> bool:
    """Whether a cell shows a value; no value is an empty text, a fraction its nearest number."""
    if isinstance(says, Fraction | float) and isinstance(finds, int | float):
        return abs(Fraction(finds) - Fraction(says)) < Fraction(1, 10**9)
    return (says in (None, "") and finds in (None, "")) or says == finds


@pytest.mark.soak
def test_progress_is_told_up_to_the_last_row() -> None:
    told: list[tuple[int, int]] = []
    write_workbook(close_calls(), BytesIO(), lambda written, in_all: told.append((written, in_all)))
    assert told == sorted(told)
    assert len({in_all for _written, in_all in told}) == 1
    assert [written == in_all for written, in_all in told] == [False] * (len(told) - 1) + [True]
