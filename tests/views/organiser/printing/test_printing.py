"""What is printed: what stands on it, who may have it, what of a frozen stage is on the wall and on certificates."""

from datetime import date
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.support.factories import (
    Event,
    add_stage,
    event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    running_session,
    started_game,
)
from tests.views.organiser.conftest import Browser
from tournament import actions
from tournament.models import Entry, Player
from tournament.views.organiser.printing import table_sheets

OF_STAGE = ["organise-seat-list", "organise-table-sheets", "organise-seats-print"]
OF_EVENT = ["organise-print", "organise-print-results", "organise-certificates"]


def address(made: Event, name: str) -> str:
    of_stage = name in {*OF_STAGE, "organise-seats", "organise-stage"}
    return reverse(name, args=[made.stage.uid if of_stage else made.tournament.slug])


def page(made: Event, name: str, query: str = "", user: Any = None) -> Any:
    client = Browser()
    client.force_login(user or made.user)
    return client.get(address(made, name) + query)


@pytest.mark.parametrize("name", OF_STAGE + OF_EVENT)
def test_head_referees_print_and_table_referees_do_not(db: None, name: str) -> None:
    made = running_match()
    answers = [
        page(made, name, user=made.referee(role)).status_code for role in ("head_referee", "table_referee")
    ]
    assert answers == [200, 403]
    assert page(made, name, user=event().user).status_code == 200  # staff may see every event
    assert Client().get(address(made, name)).status_code == 302


def test_paper_is_in_the_language_of_the_event_or_the_one_chosen_for_it(db: None) -> None:
    made = event("mattel-108", 4, language="fi")
    add_stage(made, "match")
    recorded_round(made)
    said = {
        "organise-seat-list": ("Kuka istuu missä", "Vem sitter var"),
        "organise-table-sheets": ("Tuomarille: avaa tämän pöydän", "För domaren: öppnar det här bordet"),
        "organise-seats-print": ("Tässä järjestyksessä, myötäpäivään.", "I den här ordningen, medurs."),
        "organise-print-results": ("Pöytäkirja, rivi", "Protokollet, rad"),
        "organise-certificates": ("Ensimmäinen sija", "Första plats"),
    }
    for name, (finnish, swedish) in said.items():
        for query, words, lang in (("", finnish, "fi"), ("?language=sv", swedish, "sv")):
            text = page(made, name, query).content.decode()
            assert words in text.partition(f'<div class="papers" lang="{lang}"')[2]
            assert "Print it from the browser’s menu." in text  # the page around it
    assert "Ilmoittaudu tästä" in page(made, "organise-poster").content.decode()


def test_the_page_print_leads_to_all_that_there_is(db: None) -> None:
    made = event("mattel-108", 4)
    add_stage(made, "match", start=False)
    text = page(made, "organise-print").content.decode()
    assert address(made, "organise-table-sheets") in text
    assert address(made, "organise-certificates") not in text
    assert address(made, "organise-print-results") not in text
    made.act(actions.start_stage, stage=made.stage.uid)
    text = page(made, "organise-print", "?paper=letter").content.decode()
    for name in ("organise-certificates", "organise-print-results", "organise-badges"):
        assert f"{address(made, name)}?paper=letter" in text
    assert address(made, "organise-print") in page(made, "organise-board").content.decode()


def test_heats_have_no_certificates(db: None) -> None:
    made = running_heats()
    assert address(made, "organise-certificates") not in page(made, "organise-print").content.decode()
    assert page(made, "organise-certificates").context["certificates"] == []


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
    assert [entry.public_name for entry in (*sheet.entries, sheet.oldest, sheet.youngest)] == [
        *names,
        "Aino",
        "Cécile",
    ]
    assert [place.entry.public_name for place in read("organise-seat-list")["places"]] == names
    (table,) = read("organise-seat-list", "?by=table")["tables"]
    assert [place.entry.public_name for place in table.places] == names
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


@pytest.mark.parametrize(
    "query", ["?copies=0", "?copies=-3", "?copies=x", "?copies=٣", "?table=", "?paper=a3"]
)
def test_what_an_address_cannot_mean_is_the_usual(db: None, query: str) -> None:
    made = running_session(players=3)
    context = page(made, "organise-table-sheets", query).context
    assert (len(context["sheets"]), context["paper"]) == (1, "a4")


def test_a_sheets_code_is_of_its_own_table(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    made = running_heats(players=6, tables=2)
    codes: list[str] = []
    monkeypatch.setattr(table_sheets, "qr_svg", lambda address: codes.append(address) or "code")
    page(made, "organise-table-sheets")
    assert codes == [f"http://testserver/en/desk/table/{table.uid}/" for table in made.tables]


def test_the_wall_shows_a_frozen_stage_as_it_was_and_certificates_as_it_is(db: None) -> None:
    made = running_match(players=3)
    recorded_round(made)
    made.act(actions.freeze_standings, stage=made.stage.uid)
    for _each in range(2):
        recorded_round(made, winner=made.uids[2], **{str(made.uids[0]): {"wild": 1}})
    wall = page(made, "organise-print-results")
    (table,) = wall.context["boards"][0].tables
    assert (table.board.table.rows[0].place, table.board.table.rows[0].name) == (1, "Aino")
    assert "The standings are frozen as of" in wall.content.decode()
    certificates = page(made, "organise-certificates", "?places=1")
    assert [each.name for each in certificates.context["certificates"]] == ["Cécile"]
    assert "which others do not see yet" in certificates.content.decode()


def test_the_wall_shows_of_a_reveal_what_was_announced(db: None) -> None:
    made = running_match(players=3)
    recorded_round(made)
    made.act(actions.freeze_standings, stage=made.stage.uid)
    recorded_round(made, winner=made.uids[2], **{str(made.uids[0]): {"wild": 1}})
    recorded_round(made, winner=made.uids[1], **{str(made.uids[0]): {"draw2": 1}})
    made.act(actions.stop_match, table=made.table.uid, reason="late")
    made.act(actions.finish_stage, stage=made.stage.uid)
    made.act(actions.begin_reveal, stage=made.stage.uid)
    made.act(actions.reveal_next, stage=made.stage.uid, left=4)
    wall = page(made, "organise-print-results")
    (board,) = wall.context["boards"]
    (reveal,) = board.reveal
    assert (list(reveal.hidden), [row.person.name for row in reveal.rows]) == ([1, 2], ["Aino"])
    text = " ".join(wall.content.decode().split())
    announced, frozen = text.split("The standings are frozen as of")
    assert "What was announced so far" in announced
    assert "Cécile" not in announced
    assert "Cécile" in frozen


def test_a_shared_place_is_said_and_has_a_page_for_each(db: None) -> None:
    made = running_match(players=3)
    recorded_round(made)
    recorded_round(made, winner=made.uids[1])
    made_ones = page(made, "organise-certificates").context["certificates"]
    assert [(each.name, each.place, each.shared) for each in made_ones] == [
        ("Aino", "First place", True),
        ("Börje", "First place", True),
        ("Cécile", "Third place", False),
    ]


def test_places_beyond_the_tenth_have_a_number(db: None) -> None:
    from tournament.views.organiser.printing.standings import place_in_words

    assert [place_in_words(place) for place in (1, 10, 11)] == ["First place", "Tenth place", "Place 11"]


def test_the_wall_names_who_is_through(db: None) -> None:
    made = running_heats(players=6, tables=2)
    recorded_heat(made)
    text = page(made, "organise-print-results").content.decode()
    assert "1 through:" in text
    assert "Heat 2" in text


def test_seat_lists_follow_the_alphabet_or_the_tables(db: None) -> None:
    made = event("tite-2022", language="fi")
    names = ["Öde", "Åke", "Eeva", "édith"]
    made.act(actions.enter_players, players=[{"entry": uuid4(), "name": name} for name in names])
    made.entries = list(Entry.objects.filter(tournament=made.tournament).order_by("start_number"))
    add_stage(made, "heats", tables=2)
    by_name = page(made, "organise-seat-list").context["places"]
    assert [(place.entry.public_name, place.table, place.seat) for place in by_name] == [
        ("édith", 2, 2),
        ("Eeva", 1, 2),
        ("Åke", 2, 1),
        ("Öde", 1, 1),
    ]
    by_table = page(made, "organise-seat-list", "?by=table").context["tables"]
    assert [(table.number, [place.entry.public_name for place in table.places]) for table in by_table] == [
        (1, ["Öde", "Eeva"]),
        (2, ["Åke", "édith"]),
    ]


@pytest.mark.parametrize("name", OF_STAGE + OF_EVENT)
def test_a_page_asks_as_often_for_many_tables_as_for_one(db: None, name: str) -> None:
    asked = []
    for tables in (1, 3):
        made = running_session(players=2 * tables, tables=tables)
        with CaptureQueriesContext(connection) as queries:
            assert page(made, name).status_code == 200
        asked.append(len(queries))
    assert asked[0] == asked[1]
