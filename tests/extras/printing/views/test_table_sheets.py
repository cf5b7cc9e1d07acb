"""The sheets that lie on tables: for which game, with whom, and with whose code."""

from datetime import date
from typing import Any
from uuid import uuid4

import pytest

from tests.extras.printing.views.printed import address, page
from tests.support.factories import (
    recorded_round,
    running_heats,
    running_match,
    running_session,
    started_game,
)
from tests.support.pages import ended, game, out
from tournament import actions
from tournament.extras.printing import views
from tournament.models import Player


def test_a_sheet_is_for_the_game_that_runs_else_for_the_next_one(db: None) -> None:
    made = running_session(players=4)
    (sheet,) = page(made, "organise-table-sheets").context["sheets"]
    assert list(sheet.plays) == [1]
    play = started_game(made)
    (sheet,) = page(made, "organise-table-sheets").context["sheets"]
    assert list(sheet.plays) == [1]
    made.act(actions.void_play, play=play, version=made.play(play).version, reason="cards fell")
    sheets = page(made, "organise-table-sheets", "?copies=2").context["sheets"]
    assert [list(sheet.plays) for sheet in sheets] == [[2], [3]]


def test_a_finished_stage_has_no_sheet_to_write_on(db: None) -> None:
    made = running_session(players=4)
    game(made, out(made, 0, 600), out(made, 1, 720), out(made, 2, 780), ended(made, 3, "last"))
    made.act(actions.finish_stage, stage=made.stage.uid)
    answer = page(made, "organise-table-sheets")
    assert answer.context["sheets"] == []
    assert "This stage is finished." in answer.content.decode()
    assert address(made, "organise-table-sheets") not in page(made, "organise-print").content.decode()


def test_rounds_go_on_where_the_match_is(db: None) -> None:
    made = running_match()
    recorded_round(made)
    sheets = page(made, "organise-table-sheets", "?copies=2").context["sheets"]
    assert [(sheet.plays[0], sheet.plays[-1]) for sheet in sheets] == [(2, 13), (14, 25)]


def test_a_sheet_names_the_oldest_and_the_youngest_where_it_knows_them(db: None) -> None:
    made = running_session(players=3)

    def duties() -> list[tuple[str, str]]:
        (sheet,) = page(made, "organise-table-sheets").context["sheets"]
        return [(duty.word, duty.name) for duty in sheet.duties]

    assert duties() == [("Oldest", ""), ("Youngest", "")]
    for at, entry in enumerate(made.entries):
        Player.objects.filter(pk=entry.player_id).update(birth_date=date(1990 - at, 1, 1))
    assert duties() == [("Oldest", "Cécile"), ("Youngest", "Aino")]
    assert "1990" not in page(made, "organise-table-sheets").content.decode()


def test_who_is_ejected_sits_nowhere_on_paper_nor_is_the_youngest(db: None) -> None:
    made = running_session(players=4)
    for at, entry in enumerate(made.entries):
        Player.objects.filter(pk=entry.player_id).update(birth_date=date(1990 + at, 1, 1))
    made.act(actions.name_roles, table=made.table.uid, oldest=made.uids[0], youngest=made.uids[3])
    outcomes = ["out", "out", "last", "ejected"]
    results = [
        {"entry": uid, "outcome": outcome, **({"elapsed_s": 600} if outcome == "out" else {})}
        for uid, outcome in zip(made.uids, outcomes, strict=True)
    ]
    game = {"play": uuid4(), "number": 1, "ended": "last", "duration_s": 1200, "results": results}
    made.act(actions.record_game, table=made.table.uid, **game)
    names = ["Aino", "Börje", "Cécile"]

    def read(name: str, query: str = "") -> Any:
        answer = page(made, name, query)
        assert "Dima" not in answer.content.decode()
        return answer.context

    (sheet,) = read("organise-table-sheets")["sheets"]
    assert [entry.public_name for entry in sheet.players] == names
    assert [(duty.word, duty.name) for duty in sheet.duties] == [("Oldest", "Aino"), ("Youngest", "Cécile")]
    (sheet,) = read("organise-seats-print")["sheets"]
    assert [entry.public_name for entry in (*sheet["entries"], sheet["oldest"], sheet["youngest"])] == [
        *names,
        "Aino",
        "Cécile",
    ]
    assert [place.entry.public_name for place in read("organise-seat-list")["places"]] == names
    (table,) = read("organise-seat-list", "?by=table")["tables"]
    assert [place.entry.public_name for place in table["places"]] == names
    (card,) = read("organise-seats")["cards"]
    assert (card.oldest, card.youngest) == ("Aino", "Cécile")
    (tile,) = page(made, "organise-stage").context["view"].tiles
    assert list(tile.people) == names


def test_a_sheet_says_who_starts_once_the_draw_said_so(db: None) -> None:
    made = running_match()
    made.act(actions.name_roles, table=made.table.uid, starter=made.uids[1])
    (sheet,) = page(made, "organise-table-sheets").context["sheets"]
    assert [(duty.word, duty.name) for duty in sheet.duties] == [("Starter", "Börje")]


def test_one_tables_sheet_can_be_had_alone(db: None) -> None:
    made = running_heats(players=6, tables=3)
    assert [sheet.number for sheet in page(made, "organise-table-sheets").context["sheets"]] == [1, 2, 3]
    assert [sheet.number for sheet in page(made, "organise-table-sheets", "?table=2").context["sheets"]] == [
        2
    ]


def test_a_sheets_code_is_of_its_own_table(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    made = running_heats(players=6, tables=2)
    codes: list[str] = []

    def qr_svg(address: str) -> str:
        codes.append(address)
        return "code"

    monkeypatch.setattr(views, "qr_svg", qr_svg)
    page(made, "organise-table-sheets")
    assert codes == [f"http://testserver/en/desk/table/{table.uid}/" for table in made.tables]
