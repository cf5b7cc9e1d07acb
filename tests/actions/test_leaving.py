"""A player who leaves after the end of a match keeps place and title; one who leaves before it is out."""

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.utils import timezone

from tests.extras.programs.api.asking import read
from tests.support.asking_actions import agrees, refusal, results, standings, state_of, states, version
from tests.support.factories import (
    Event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    running_session,
)
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


@pytest.mark.parametrize("kind", ["match", "final"])
def test_who_left_last_wins_in_whatever_order_departures_were_entered(kind: str) -> None:
    made = running_match(players=3, kind=kind)
    first, second, third = made.uids
    play = recorded_round(made, second)
    leaves(made, second)
    walkover: dict[str, Any] = {"winner": None, "hands": {}, "removed": [third]}
    made.act(actions.record_round, table=made.table.uid, play=uuid4(), number=2, **walkover)
    assert results(made).answer.winners == (str(first),)
    corrected(made, play, winner=second, hands={str(third): {"8": 1}}, withdrawn=[first])
    assert results(made).answer.winners == (str(third),)


def corrected(made: Event, play: UUID, **asked: Any) -> None:
    made.act(actions.correct_round, play=play, version=version(made, play), reason="counted", **asked)


def test_departure_stands_when_a_round_no_longer_says_that_it_was_earlier() -> None:
    made = running_match(players=4)
    play, gone = recorded_round(made), made.uids[3]
    next_round(made, 2)
    leaves(made, gone)
    next_round(made, 3, without=gone)
    before = standings(made)
    winner, *others = made.uids
    hands = {str(uid): {"7": 1} for uid in others}
    without = {str(uid): {"7": 1} for uid in others if uid != gone}
    corrected(made, play, winner=winner, hands=without, withdrawn=[gone])
    assert states(made) == ["entered", "set_aside", "entered"]
    corrected(made, play, winner=winner, hands=hands, withdrawn=[])
    assert (standings(made), state_of(gone)) == (before, "left")
    # A departure of another kind, which the round took back itself, is over.
    corrected(made, play, winner=winner, hands=without, removed=[gone], withdrawn=[])
    corrected(made, play, winner=winner, hands=hands, removed=[], withdrawn=[])
    assert state_of(gone) == "checked_in"


def test_no_shows_noted_at_once_leave_nobody_as_champion() -> None:
    made = running_match(players=3)
    made.act(actions.no_show, entries=made.uids)
    assert results(made).answer.winners == ()


def test_heat_that_is_played_again_is_without_who_left_after_it() -> None:
    made = running_heats(players=3, tables=1, advance=2)
    first, *others = made.uids
    play = recorded_heat(made)
    before = results(made).answer
    leaves(made, first)
    assert (results(made).answer, results(made).contest.out) == (before, ())
    made.act(actions.void_play, play=play, version=version(made, play), reason="cards were missing")
    heat = {"table": made.table.uid, "play": uuid4(), "number": 2}
    assert refusal(made, actions.record_heat, **heat, finish_order=made.uids[:2]) == [
        ("removed_plays", f"/finish_order/{first}")
    ]
    made.act(actions.record_heat, **heat, finish_order=others)
    assert results(made).answer.finalists == tuple(map(str, others))
    assert [seat.entry for seat in results(made).contest.out] == [first]


@pytest.mark.parametrize("late_s", [0, 60])
def test_round_entered_before_somebody_left_arrives_after_it(late_s: int) -> None:
    made = running_match(players=3)
    recorded_round(made)
    gone = made.uids[2]
    leaves(made, gone)
    winner, *others = made.uids
    played = {"winner": winner, "hands": {str(uid): {"7": 1} for uid in others}, "late_s": late_s}
    asked = {"table": made.table.uid, "play": uuid4(), "number": 2, **played}
    if not late_s:
        assert refusal(made, actions.record_round, **asked) == [("removed_plays", f"/hands/{gone}")]
        return
    made.act(actions.record_round, **asked)
    next_round(made, 3, without=gone)
    assert standings(made)["Cécile"] == (None, "withdrawn", 0)
    assert standings(made)["Aino"] == (1, "ranked", 14 + 14 + 7)


def test_heat_entered_before_somebody_left_arrives_after_it() -> None:
    made = running_heats(players=3, tables=1, advance=2)
    leaves(made, made.uids[0])
    heat = {"table": made.table.uid, "play": uuid4(), "number": 1}
    made.act(actions.record_heat, **heat, finish_order=made.uids[:2], late_s=60)
    assert results(made).answer.finalists == tuple(map(str, made.uids[:2]))


def test_round_that_comes_late_to_a_stopped_match_of_two_is_with_who_left_since() -> None:
    made = running_match(players=2)
    recorded_round(made)
    made.act(actions.stop_match, table=made.table.uid)
    leaves(made, made.uids[1])
    next_round(made, 2)
    assert standings(made) == {"Aino": (1, "ranked", 14), "Börje": (2, "ranked", 0)}


def test_player_of_a_session_is_out_from_the_first_game_that_began_after_they_left() -> None:
    made = running_session(players=3)
    before, gone = timezone.now(), made.uids[0]
    leaves(made, gone)
    last, *others = made.uids
    rows: list[dict[str, Any]] = [{"entry": last, "outcome": "last"}]
    rows += [{"entry": uid, "outcome": "out", "elapsed_s": 60} for uid in others]
    game = {"ended": "last", "results": rows}
    play = uuid4()
    made.act(actions.record_game, table=made.table.uid, play=play, number=1, started_at=before, **game)
    assert (made.table.seats.get(entry__uid=gone).out_from, state_of(gone)) == (2, "left")
    seen = {"play": play, "version": version(made, play), "reason": "by the other clock"}
    made.act(actions.correct_game, started_at=timezone.now(), **seen, **game)
    assert made.table.seats.get(entry__uid=gone).out_from == 1
    assert agrees(made)
