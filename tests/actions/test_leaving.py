"""Who leaves after a match is over keeps place and title; who leaves before its end is out of it."""

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client

from tests.api.asking import read
from tests.support.asking_actions import results, standings
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


@pytest.mark.xfail(strict=True, reason="D2")
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
    (event,) = read(client, f"organisers/{made.tournament.organiser.uid}/tour")["results"]
    assert [champion["name"] for champion in event["champions"]] == ["Aino"]


@pytest.mark.xfail(strict=True, reason="D6")
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
    first, second, _gone = made.uids
    made.act(
        actions.record_round,
        table=made.table.uid,
        play=uuid4(),
        number=2,
        winner=first,
        hands={str(second): {"7": 1}},
    )
    assert list(standings(made).items())[-1] == ("Cécile", (None, "withdrawn", 0))
