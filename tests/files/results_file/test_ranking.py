"""Everybody once, the best first, with what else is to be known of them."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from openpyxl import Workbook

from tests.files.results_file.conftest import above, column, shades, table
from tests.support.chains import begun, chained, filled, first, named, played
from tests.support.championships import championship, heat
from tests.support.factories import add_stage, event, recorded_round, running_match
from tournament import actions
from tournament.models import Entry

pytestmark = pytest.mark.django_db

Read = Callable[..., Workbook]


def test_who_did_not_reach_the_final_stands_below_and_whoever_is_disqualified_last(results: Read) -> None:
    made = championship(players=8, tables=2, advance=1)
    first, second = heat(made, 1)[1:3]
    made.act(actions.remove_player, entry=first, reason="cheated")
    made.act(actions.player_leaves, entry=second)
    made.act(actions.walk_in, entry=uuid4(), name="Zacharias")
    made.act(actions.start_stage, stage=made.stage.uid)
    made.refresh()
    recorded_round(made)
    sheet = results(made)["Results"]
    assert "1 disqualified · 1 left early · 1 walk-in" in above(sheet)
    rows = table(sheet)
    names = {str(entry.uid): entry.public_name for entry in Entry.objects.all()}
    through = [names[str(made_at)] for made_at in made.at(made.table)]
    assert [row["Player"] for row in rows[:2]] == through
    assert [row["Place"] for row in rows] == [1, 2, *[None] * 7]
    assert [row["Stages"] for row in rows[:3]] == ["Heat 1 → Final", "Heat 2 → Final", "Heat 1"]
    assert "Final gives the places." in above(sheet)
    said = {row["Player"]: row["Note"] for row in rows}
    assert said[through[0]] is None
    assert said[names[str(second)]] == "not through, left"
    assert said["Zacharias"] == "here, walk-in"
    assert (rows[-1]["Player"], rows[-1]["Note"]) == (names[str(first)], "not through, disqualified")


def test_through_by_decision_is_said_of_whoever_came_in(results: Read) -> None:
    made = championship(players=6, tables=2)
    gone, reserve = heat(made, 1)[:2]
    made.act(actions.swap_finalist, stage=made.stage.uid, out=gone, enters=reserve, reason="ill")
    said = {row["Player"]: row["Note"] for row in table(results(made)["Results"])}
    assert said[Entry.objects.get(uid=reserve).shown_name] == "through by decision"
    assert said[Entry.objects.get(uid=gone).shown_name] == "not through by decision"


def test_who_wins_and_who_loses_a_lot_are_named_together(results: Read) -> None:
    made = begun(players=4, tables=1)
    _aino, *shared = named(made, "Aino", "Börje", "Cécile", "Dima")
    chained(played(made, level=shared), first(1, 3), kind="final")
    filled(made, decided=shared[1:], reason="highest cards")
    said = {row["Player"]: row["Note"] for row in table(results(made)["Results"])}
    lost, won = "not through by decision, level with Cécile and Dima", "through by decision, level with Börje"
    assert said == {"Aino": None, "Börje": lost, "Cécile": won, "Dima": won}
    why = f"highest cards ({made.user.display_name()})"
    lines = " ".join(above(results(made, private=True)["For organisers"]))
    assert (f"Börje: {lost}: {why}" in lines, f"Dima: {won}: {why}" in lines) == (True, True)


def test_points_of_several_stages_stand_in_columns_of_their_own(results: Read) -> None:
    made = begun(players=4, tables=1)
    chained(played(made), first(1, 2), kind="final")
    played(filled(made), finish=False)
    sheet, keys = (
        results(made)["Results"],
        ("Player", "Final: points", "Match: points", "Rounds won", "Stages"),
    )
    rule = "Final gives the places. Numbers without a stage’s name are from a player’s last stage."
    assert rule in " ".join(above(sheet))
    assert [[row[key] for key in keys] for row in table(sheet)] == [
        ["Aino", 0, 0, 1, "Match → Final"],
        ["Börje", 51, 51, 0, "Match → Final"],
        ["Cécile", None, 52, 0, "Match"],
        ["Dima", None, 53, 0, "Match"],
    ]


def test_podium_names_who_shares_a_place_and_no_place_that_was_not_played_for(results: Read) -> None:
    made = running_match(players=6)
    played = [
        "6 players · 0 rounds · 0 corrections · running",
        "0 disqualified · 0 left early · 0 walk-ins",
        "First to 500 points.",
    ]
    assert above(results(made)["Results"])[2:] == played
    recorded_round(made)
    recorded_round(made, made.at(made.table)[1])
    sheet = results(made)["Results"]
    assert above(sheet)[-1] == "The event is not over. Standings so far:"
    assert [sheet[cell].value for cell in ("A7", "B7")] == [1, "Aino and Börje – 35 points"]
    assert sheet["A8"].value is None
    assert shades(sheet) == ["FFF5D76E", "FFF5D76E", *["00000000"] * 4]


def test_names_that_read_the_same_are_told_apart(results: Read) -> None:
    made = event(players=2)
    twice: list[dict[str, Any]] = [
        {"entry": uuid4(), "name": "Aino", "club": "Noppa", "another": True},
        {"entry": uuid4(), "name": "aino", "another": True},
    ]
    made.act(actions.enter_players, players=twice)
    made.entries = list(Entry.objects.filter(tournament=made.tournament))
    add_stage(made, "match")
    assert sorted(column(results(made)["Results"], "Player")) == [
        "Aino #1",
        "Aino (Noppa)",
        "Börje",
        "aino #4",
    ]


def test_matches_at_several_tables_have_their_places_table_by_table(results: Read) -> None:
    made = running_match(players=4, tables=2)
    rows = table(results(made)["Results"])
    assert [row["Stages"] for row in rows] == ["Match, table 1"] * 2 + ["Match, table 2"] * 2
