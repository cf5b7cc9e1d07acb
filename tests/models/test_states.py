"""The tables of states say what the actions do, and docs/inside.md shows them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction

from tests.support.arriving import own
from tests.support.factories import Event, event, recorded_round, running_match, running_session, started_game
from tournament import actions
from tournament.models import Entry, Play, Stage
from tournament.models.states import ENTRY, PLAY, STAGE, Moves, diagram
from tournament.results.contests import forget
from tournament.results.faults import Refused

PAGE = Path(__file__).parents[2] / "docs" / "inside.md"


@pytest.mark.parametrize(
    ("moves", "states"), [(STAGE, Stage.State), (PLAY, Play.State), (ENTRY, Entry.State)]
)
def test_the_page_shows_every_state_and_move(moves: Moves, states: Any) -> None:
    assert set(moves) == set(states)
    assert f"```mermaid\n{diagram(moves)}\n```" in PAGE.read_text()


def on_entries(action: Callable[..., Any], **more: Any) -> Callable[[Event, Entry], Any]:
    return lambda made, entry: made.act(action, entries=[entry.uid], **more)


def on_entry(action: Callable[..., Any], **more: Any) -> Callable[[Event, Entry], Any]:
    return lambda made, entry: made.act(action, entry=entry.uid, **more)


def on_own(action: Callable[..., Any]) -> Callable[[Event, Entry], Any]:
    return lambda made, entry: own(made, action, entry.uid)


OF_ENTRIES: dict[str, Callable[[Event, Entry], Any]] = {
    "approve": on_entries(actions.approve_entries),
    "decline": on_entry(actions.decline_entry),
    "give_place": on_entry(actions.take_from_waiting),
    "check_in": on_entries(actions.check_in),
    "take_back_check_in": on_entries(actions.take_back_check_in),
    "come_late": on_entry(actions.comes_late),
    "no_show": on_entries(actions.no_show),
    "leave": on_entry(actions.player_leaves),
    "remove": on_entry(actions.remove_player, reason="Threw the cards"),
    "readmit": on_entry(actions.readmit_player),
    "withdraw": on_own(actions.cancel_self),
    "cancel": on_own(actions.cancel_self),
    "come_back": on_own(actions.come_back_self),
}


@pytest.mark.django_db
@pytest.mark.parametrize("move", OF_ENTRIES)
def test_an_entry_moves_from_the_states_that_have_the_move_and_from_no_other(move: str) -> None:
    made = event(players=2)
    entry = made.entries[0]
    also = {"withdraw": "cancel", "cancel": "withdraw"}.get(
        move, move
    )  # one action: a seat may be theirs, or none
    for state in Entry.State:
        with transaction.atomic():
            Entry.objects.filter(pk=entry.pk).update(state=state)
            there = ENTRY[state].get(move, ENTRY[state].get(also, ()))
            try:
                OF_ENTRIES[move](made, Entry.objects.get(pk=entry.pk))
            except Refused:
                assert not there, state
            else:
                assert Entry.objects.get(pk=entry.pk).state in (there or (state,)), state
            transaction.set_rollback(True)


@pytest.mark.django_db
@pytest.mark.parametrize("move", ["start", "finish", "reopen"])
def test_a_stage_moves_from_the_states_that_have_the_move_and_from_no_other(move: str) -> None:
    made = running_match(players=2)
    recorded_round(made)
    made.act(actions.stop_match, table=made.table.uid)
    act: dict[str, Callable[[], Any]] = {
        "start": lambda: made.act(actions.start_stage, stage=made.stage.uid),
        "finish": lambda: made.act(actions.finish_stage, stage=made.stage.uid),
        "reopen": lambda: made.act(
            actions.reopen_stage, stage=made.stage.uid, reason="A hand was miscounted"
        ),
    }
    for state in Stage.State:
        with transaction.atomic():
            Stage.objects.filter(pk=made.stage.pk).update(state=state)
            there = STAGE[state].get(move, ())
            try:
                act[move]()
            except Refused:
                assert not there, state
            else:
                assert Stage.objects.get(pk=made.stage.pk).state in there, state
            transaction.set_rollback(True)


@pytest.mark.django_db
@pytest.mark.parametrize("move", ["go_on", "end", "void"])
def test_a_game_moves_from_the_states_that_have_the_move_and_from_no_other(move: str) -> None:
    made = running_session(players=3)
    play = started_game(made)
    act: dict[str, Callable[[], Any]] = {
        "go_on": lambda: made.act(actions.record_out, play=play, entry=made.uids[0], elapsed_s=0),
        "end": lambda: made.act(
            actions.end_game,
            play=play,
            ended="time",
            remaining=made.uids,
            hands={str(uid): {"7": 1} for uid in made.uids},
        ),
        "void": lambda: made.act(actions.void_play, play=play, version=version(play), reason="Wrong table"),
    }
    for state in Play.State:
        with transaction.atomic():
            Play.objects.filter(uid=play).update(state=state)
            forget()  # no row of the ledger says so
            there = PLAY[state].get(move, ())
            try:
                act[move]()
            except Refused:
                assert not there, state
            else:
                assert Play.objects.get(uid=play).state in there, state
            transaction.set_rollback(True)


def version(play: Any) -> int:
    return Play.objects.get(uid=play).version
