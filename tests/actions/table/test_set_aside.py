"""A correction is taken in one go: what it makes impossible is set aside, and what does not count refuses nothing."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.support.asking_actions import results, standings, state_of, states, version
from tests.support.factories import Event, running_match
from tournament import actions
from tournament.models import Play
from tournament.results.faults import Refused
from tournament.words.faults import fault_text

pytestmark = pytest.mark.django_db


def arguments(made: Event, winner: int | None, *held: int, **more: Any) -> dict[str, Any]:
    """A round that the first of these players won, while each of the others held a 7."""
    hands = {str(made.uids[each]): {"7": 1} for each in held}
    return {"winner": None if winner is None else made.uids[winner], "hands": hands, **more}


def play_round(made: Event, winner: int | None, *held: int, **more: Any) -> UUID:
    play, number = uuid4(), Play.objects.count() + 1
    given = arguments(made, winner, *held, **more)
    made.act(actions.record_round, table=made.table.uid, play=play, number=number, **given)
    return play


def corrected(made: Event, play: UUID, winner: int | None, *held: int, **more: Any) -> dict[str, Any]:
    seen = {"play": play, "version": version(made, play), "reason": "misread"}
    return seen | arguments(made, winner, *held, **more)


def test_a_wrong_name_among_those_who_left_is_corrected_in_one_go() -> None:
    made = running_match(players=3)
    play_round(made, 0, 1, 2)
    second = play_round(made, 0, 1, withdrawn=[made.uids[2]])
    third = play_round(made, 0, 1)
    made.act(actions.correct_round, **corrected(made, second, 0, 2, withdrawn=[made.uids[1]]))
    assert states(made) == ["entered", "entered", "set_aside"]
    assert [state_of(uid) for uid in made.uids[1:]] == ["left", "checked_in"]
    made.act(actions.correct_round, **corrected(made, third, 0, 2))
    assert states(made) == ["entered"] * 3
    assert standings(made) == {
        "Aino": (1, "ranked", 28),
        "Cécile": (2, "ranked", 0),
        "Börje": (None, "withdrawn", 0),
    }


def test_a_walkover_is_entered_behind_a_round_that_does_not_count() -> None:
    """Cécile was out from round 3, then Aino from round 2; round 3 was played after that and cannot count."""
    made = running_match(players=3)
    play_round(made, 1, 0, 2)
    second, third, fourth = (play_round(made, 1, 0, 2) for _round in range(3))
    made.act(actions.correct_round, **corrected(made, third, 1, 0, withdrawn=[made.uids[2]]))
    assert states(made) == ["entered", "entered", "entered", "set_aside"]
    made.act(actions.correct_round, **corrected(made, second, 1, 2, withdrawn=[made.uids[0]]))
    assert states(made) == ["entered", "entered", "set_aside", "set_aside"]
    made.act(actions.correct_round, **corrected(made, fourth, None))
    assert states(made) == ["entered", "entered", "set_aside", "entered"]
    assert standings(made)["Börje"] == (1, "ranked", 21)


def text_of(made: Event, action: Any, **arguments: Any) -> str:
    """The words of the first fault with which the organiser is refused."""
    with pytest.raises(Refused) as refused:
        made.act(action, **arguments)
    fault, *_more = refused.value.faults
    return fault_text(fault, results(made).names)


def test_a_refusal_names_the_round_that_stands_in_the_way_and_the_way_out() -> None:
    made = running_match(players=3, target=100)
    first = play_round(made, 0, 1, withdrawn=[made.uids[2]])
    second = play_round(made, 0, 1)
    again = {"withdrawn": [], "removed": [made.uids[2]]}
    assert text_of(made, actions.correct_round, **corrected(made, second, 0, 1, **again)) == (
        "Cécile is already out (Round 1). Correct it there."
    )
    assert text_of(made, actions.correct_round, **corrected(made, second, 0, 1, 2)) == (
        "Cécile is already out (Round 1). Leave them out, or let them back in first."
    )
    assert text_of(made, actions.readmit_player, entry=made.uids[2]).startswith(
        "Round 1 was played without Cécile."
    )
    ends = corrected(made, first, 0, withdrawn=[made.uids[2]])
    ends["hands"] = {str(made.uids[1]): {"wild": 2}}
    made.act(actions.correct_round, **ends)
    assert states(made) == ["entered", "set_aside"]
    assert text_of(made, actions.correct_round, **corrected(made, second, 0, 1)) == (
        "The match is over (Round 1). Correct that first, or leave this round out."
    )
