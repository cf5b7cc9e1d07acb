"""The checks that every action on a play makes first: its number, its id and its version."""

from typing import Any
from uuid import uuid4

import pytest

from tests.support.asking_actions import conflict, refusal, result_in, results, version
from tests.support.factories import (
    recorded_round,
    running_match,
    running_session,
    started_game,
)
from tests.support.paper import sound
from tournament import actions
from tournament.actions import Command
from tournament.models import LedgerRow
from tournament.results.faults import Conflict

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def test_a_number_that_was_taken_gives_both_versions() -> None:
    made = running_match(players=2)
    play = recorded_round(made)
    referee = made.referee()
    mine = sound(made, play=uuid4(), winner=made.uids[1])
    mine["hands"] = {str(made.uids[0]): {"3": 1}}
    with pytest.raises(Conflict) as conflicting:
        actions.record_round(Command(uuid4(), referee), made.tournament.uid, **mine)
    told = conflicting.value
    row = LedgerRow.objects.get(tournament=made.tournament, sequence=version(made, play))
    assert (told.current.play.uid, told.current.by, told.current.at) == (
        play,
        made.user.display_name(),
        row.at,
    )
    assert (told.offered.by, told.offered.at) == (referee.display_name(), None)
    assert [result.outcome for result in told.offered.play.results] == ["holds", "won"]
    assert told.faults[0].path == f"/plays/{play}"


def test_a_play_uid_that_was_taken_gives_both_versions() -> None:
    made = running_match(players=2)
    play = recorded_round(made)
    told = conflict(made, actions.record_round, **sound(made, 2, play=play))
    assert told.current.play.number == 1
    assert told.offered.play.number == 2


def test_a_gap_waits_for_its_predecessor() -> None:
    made = running_session(players=2)
    asked = {"table": made.table.uid, "play": uuid4()}
    assert refusal(made, actions.start_game, number=2, **asked) == [("wait_for_predecessor", "/number")]
    started_game(made)


def test_a_stale_version_gives_both_versions() -> None:
    made = running_match(players=2)
    play = recorded_round(made)
    stale = version(made, play)
    winner, other = made.uids
    asked: dict[str, Any] = {"play": play, "reason": "a slip", "version": stale}
    referee = made.referee()
    actions.correct_round(
        Command(uuid4(), referee),
        made.tournament.uid,
        winner=other,
        hands={str(winner): {"3": 1}},
        **asked,
    )
    told = conflict(made, actions.correct_round, winner=winner, hands={str(other): {"4": 1}}, **asked)
    assert told.current.by == referee.display_name()
    assert result_in(told.current, winner).hand == {"3": 1}
    assert result_in(told.offered, other).hand == {"4": 1}
    told = conflict(made, actions.void_play, play=play, version=stale, reason="wrong")
    assert told.offered.play.state == "void"
    assert results(made).answer.winners == ()
