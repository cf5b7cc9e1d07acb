"""A play's preview shows the standings as they are once it is entered."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.support.asking_actions import refusal, results, version
from tests.support.factories import (
    Event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    running_session,
)
from tournament import actions
from tournament.actions.table.plays import preview_play, preview_void
from tournament.results.contests import contest_now
from tournament.results.faults import Refused
from tournament.results.given import GameEntry, HeatEntry, RoundEntry

pytestmark = pytest.mark.django_db

REASON = {"reason": "counted again"}


def becomes(made: Event, shape: Any, play: UUID, **facts: Any) -> Any:
    """The answer that the preview gives, whether it reads the contest itself or not."""
    entry, contest = shape(**facts), contest_now(made.table)
    alone = preview_play(made.table, entry, play=play, number=1).answer.as_json()
    assert preview_play(made.table, entry, play=play, number=1, contest=contest).answer.as_json() == alone
    return alone


def is_so(made: Event, shape: Any, record: Any, correct: Any, *plays: dict[str, Any]) -> None:
    """Enter these facts of one play one after the other, each previewed first."""
    play = uuid4()
    for number, facts in enumerate(plays):
        expected = becomes(made, shape, play, **facts)
        if number == 0:
            made.act(record, table=made.table.uid, play=play, number=1, **facts)
        else:
            made.act(correct, play=play, version=version(made, play), **facts, **REASON)
        assert results(made).answer.as_json() == expected
        made.act(actions.void_play, play=play, version=version(made, play), **REASON)


def is_refused_alike(made: Event, shape: Any, record: Any, **facts: Any) -> None:
    play = uuid4()
    said = refusal(made, record, table=made.table.uid, play=play, number=1, **facts)
    with pytest.raises(Refused) as refused:
        preview_play(made.table, shape(**facts), play=play, number=1)
    assert [(fault.code, fault.path) for fault in refused.value.faults] == said


def game(*outcomes: tuple[UUID, str, Any]) -> dict[str, Any]:
    rows = [{"entry": uid, "outcome": how, "elapsed_s": at} for uid, how, at in outcomes]
    return {"ended": "last", "results": rows}


def test_a_game() -> None:
    made = running_session(players=3)
    one, two, three = made.uids
    facts = game((one, "out", 60), (two, "out", 90), (three, "last", None))
    other = game((two, "out", 60), (one, "out", 90), (three, "last", None))
    held = [{"entry": one, "outcome": "remaining", "hand": {"9": 9}}]  # more than one deck has
    held += [{"entry": two, "outcome": "remaining", "hand": {"8": 1}}]
    held += [{"entry": three, "outcome": "out", "elapsed_s": 60}]
    timed = {"ended": "time", "duration_s": 3600, "decks": 2, "results": held}
    is_refused_alike(made, GameEntry, actions.record_game, **game((one, "out", 60), (two, "out", 90)))
    is_so(made, GameEntry, actions.record_game, actions.correct_game, facts, other, timed)


def test_a_heat() -> None:
    made = running_heats(players=4, tables=1)
    first, _second, third, _fourth = made.uids
    gone = {"finish_order": [first], "removed": [third]}
    is_refused_alike(made, HeatEntry, actions.record_heat, finish_order=[first], withdrawn=[first])
    is_so(
        made,
        HeatEntry,
        actions.record_heat,
        actions.correct_heat,
        gone,
        {"finish_order": [third], "removed": []},
    )


def test_a_round() -> None:
    made = running_match(players=3)
    first, second, third = made.uids
    gone = {"winner": first, "hands": {str(second): {"7": 1}}, "removed": [third]}
    all_here = {"winner": second, "hands": {str(first): {"7": 1}, str(third): {"9": 1}}, "removed": []}
    is_refused_alike(made, RoundEntry, actions.record_round, winner=first, hands={})
    is_so(made, RoundEntry, actions.record_round, actions.correct_round, gone, all_here)


def test_a_void() -> None:
    for made, recorded in (
        (running_match(players=2), recorded_round),
        (running_heats(4, tables=1), recorded_heat),
    ):
        play = recorded(made)
        contest = contest_now(made.table)
        current = contest.play(play)
        assert current
        expected = preview_void(contest, current).answer.as_json()
        made.act(actions.void_play, play=play, version=version(made, play), **REASON)
        assert results(made).answer.as_json() == expected
