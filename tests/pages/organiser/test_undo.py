"""The effects of an undo, in words with counts and names."""

from uuid import uuid4

import pytest

from tests.support.factories import Event, event
from tests.support.undoing import last_row, planned, seated
from tournament import actions
from tournament.ledger.undoing import History, Undoing, undoing_of
from tournament.models import Stage
from tournament.pages.organiser.undo import consequences, names_lost

pytestmark = pytest.mark.django_db


def last(made: Event) -> Undoing:
    undoing = undoing_of(History(made.refresh().tournament), last_row(made))
    assert undoing is not None
    assert undoing.fault is None
    return undoing


def said(made: Event) -> list[tuple[str, tuple[str, ...]]]:
    return [(each.text, each.names) for each in consequences(last(made), made.tournament)]


def test_seats_and_tables_are_taken_away_again() -> None:
    made = planned()
    made.act(actions.seat_stage, stage=made.stage.uid, tables=seated(made))
    names = tuple(entry.public_name for entry in made.entries)
    assert said(made) == [
        ("8 players lose their seats (tables: 2).", names),
        ("2 tables are removed.", ()),
    ]


def test_moved_players_sit_again_where_they_sat() -> None:
    made = planned()
    tables = seated(made)
    made.act(actions.seat_stage, stage=made.stage.uid, tables=tables)
    swapped = [{"number": 1, "entries": tables[1]["entries"]}, {"number": 2, "entries": tables[0]["entries"]}]
    made.act(actions.seat_stage, stage=made.stage.uid, tables=swapped)
    ((text, names), *_rest) = said(made)
    assert (text, len(names)) == ("8 players go back to their earlier seats (tables: 2).", 8)


def test_states_go_back_by_their_names() -> None:
    made = planned(players=2)
    made.act(actions.check_in, entries=made.uids)
    ((text, names),) = said(made)
    assert text == "2 players go back from “here” to “registered”."
    assert names == ("Aino", "Börje")


def test_whoever_was_entered_is_taken_out_and_their_names_are_lost() -> None:
    made = planned(players=2)
    assert names_lost(last(made), made.tournament) == []
    made.act(actions.enter_players, players=[{"entry": uuid4(), "name": "Late"}])
    assert len(names_lost(last(made), made.tournament)) == 1
    (text, names), (warning, _none) = said(made)
    assert (text, names) == ("1 player is removed again.", ("Late",))
    assert warning.startswith("The ledger keeps no names")


def test_a_role_and_a_stage_that_are_taken_back_are_named() -> None:
    made = event("tite-2022", players=2)
    stage = uuid4()
    made.act(actions.plan_stage, stage=stage, kind="heats")
    made.stage = Stage.objects.get(uid=stage)
    assert said(made) == [(f"The stage {made.stage} is removed.", ())]
    user = made.referee()
    assert said(made) == [("These people lose their role:", (user.display_name(),))]
