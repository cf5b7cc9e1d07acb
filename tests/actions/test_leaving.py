"""A player who leaves after the end of a match keeps place and title; one who leaves before it is out."""

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client

from tests.api.asking import read
from tests.support.asking_actions import refusal, results, standings
from tests.support.factories import Event, recorded_round, running_match
from tournament import actions

pytestmark = pytest.mark.django_db


def the_last_one_left() -> tuple[Event, UUID, list[UUID]]:
    """A match that is over, since all but the first player left after its first round."""
    made = running_match(players=3)
    recorded_round(made)
    first, *others = made.uids
    for uid in others:
        made.act(actions.player_leaves, entry=uid)
    return made, first, others


def leaves(made: Event, uid: UUID) -> None:
    made.act(actions.player_leaves, entry=uid)


def is_removed(made: Event, uid: UUID) -> None:
    made.act(actions.remove_player, entry=uid, reason="disturbed the prize-giving")


def is_named_in_the_walkover(made: Event, uid: UUID) -> None:
    walkover: dict[str, Any] = {"winner": None, "hands": {}}
    made.act(actions.record_round, table=made.table.uid, play=uuid4(), number=2, withdrawn=[uid], **walkover)


@pytest.mark.parametrize("noted", [leaves, is_removed, is_named_in_the_walkover])
def test_d2_champion_who_goes_home_stays_champion(
    client: Client, noted: Callable[[Event, UUID], None]
) -> None:
    made, first, _others = the_last_one_left()
    before = standings(made)
    noted(made, first)
    assert standings(made) == before
    assert results(made).answer.winners == (str(first),)
    made.act(actions.finish_stage, stage=made.stage.uid)
    (event,) = read(client, f"organisers/{made.tournament.organiser.uid}/tour")["events"]
    assert [champion["name"] for champion in event["champions"]] == ["Aino"]


def test_d6_who_left_while_the_match_was_stopped_is_out_when_it_goes_on() -> None:
    made = running_match(players=3)
    recorded_round(made)
    made.act(actions.stop_match, table=made.table.uid)
    before = standings(made)
    gone = made.uids[2]
    leaves(made, gone)
    assert standings(made) == before
    made.act(actions.resume_match, table=made.table.uid)
    assert standings(made)["Cécile"] == (None, "withdrawn", 0)
    next_round(made, 2, without=gone)
    assert list(standings(made).items())[-1] == ("Cécile", (None, "withdrawn", 0))


def next_round(made: Event, number: int, *, without: UUID | None = None) -> None:
    winner, *others = (uid for uid in made.uids if uid != without)
    made.act(
        actions.record_round,
        table=made.table.uid,
        play=uuid4(),
        number=number,
        winner=winner,
        hands={str(uid): {"7": 1} for uid in others},
    )


def test_who_left_while_stopped_keeps_the_place_when_it_is_stopped_again() -> None:
    made = running_match(players=3)
    recorded_round(made)
    made.act(actions.stop_match, table=made.table.uid)
    before = standings(made)
    leaves(made, made.uids[0])
    made.act(actions.resume_match, table=made.table.uid)
    made.act(actions.stop_match, table=made.table.uid)
    assert standings(made) == before


def test_round_that_comes_late_to_a_stopped_match_is_with_who_left_since() -> None:
    made = running_match(players=3)
    recorded_round(made)
    made.act(actions.stop_match, table=made.table.uid)
    leaves(made, made.uids[2])
    next_round(made, 2)
    assert standings(made) == {
        "Aino": (1, "ranked", 28),
        "Börje": (2, "ranked", 0),
        "Cécile": (2, "ranked", 0),
    }


def test_stopped_match_does_not_go_on_with_one_player() -> None:
    made = running_match(players=2)
    recorded_round(made)
    made.act(actions.stop_match, table=made.table.uid)
    leaves(made, made.uids[1])
    asked = {"table": made.table.uid}
    assert refusal(made, actions.resume_match, **asked) == [("nobody_to_play", "/table")]
    made.act(actions.readmit_player, entry=made.uids[1])
    made.act(actions.resume_match, **asked)


def test_who_left_after_a_stage_was_finished_is_out_when_its_match_goes_on() -> None:
    made = running_match(players=3)
    recorded_round(made)
    made.act(actions.stop_match, table=made.table.uid)
    made.act(actions.finish_stage, stage=made.stage.uid)
    before = standings(made)
    gone = made.uids[2]
    leaves(made, gone)
    made.act(actions.reopen_stage, stage=made.stage.uid, reason="one round more")
    assert standings(made) == before
    made.act(actions.resume_match, table=made.table.uid)
    next_round(made, 2, without=gone)
    assert standings(made)["Cécile"] == (None, "withdrawn", 0)


def test_champion_who_went_home_is_out_when_somebody_comes_back() -> None:
    made, first, (second, third) = the_last_one_left()
    leaves(made, first)
    made.act(actions.readmit_player, entry=second)
    assert results(made).answer.winners == (str(second),)
    made.act(actions.readmit_player, entry=third)
    next_round(made, 2, without=first)
    assert standings(made)["Aino"] == (None, "withdrawn", 14)
