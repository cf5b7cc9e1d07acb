"""The hall's clock: started, paused, prolonged and stopped; what is refused; and that the ledger agrees each time."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest

from tests.support.asking_actions import agrees, refusal
from tests.support.factories import (
    Event,
    add_stage,
    event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    running_race,
    running_session,
)
from tests.support.undoing import undo
from tournament import actions
from tournament.ledger.verify import verify
from tournament.models import HallClock
from tournament.queries.programme import Plan, clock_of, planned_minutes
from tournament.results import Forbidden, stage_results

pytestmark = pytest.mark.django_db

NOON = datetime.now(UTC).replace(microsecond=0)  # wherever it is noon: only rows of today can be undone
At = Callable[[float], None]


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> At:
    """Sets the time, in minutes after noon; it is noon at first."""

    def set_to(minutes: float) -> None:
        monkeypatch.setattr("tournament.actions.kernel.work.now", lambda: after(minutes))

    set_to(0)
    return set_to


def after(minutes: float) -> datetime:
    return NOON + timedelta(minutes=minutes)


@pytest.fixture
def made(at: At) -> Event:
    return running_heats(players=8, tables=2)


def start(made: Event, minutes: int = 20, last_hand: int = 0) -> None:
    made.act(actions.start_hall_clock, stage=made.stage.uid, minutes=minutes, last_hand=last_hand)


def seen(made: Event) -> HallClock | None:
    """The clock that everybody sees; facts and ledger agree."""
    assert agrees(made)
    return clock_of(made.refresh().tournament)


def ends(made: Event) -> float:
    """When the time is up, in minutes after noon."""
    row = seen(made)
    assert row is not None
    assert row.ends_at is not None
    return (row.ends_at - NOON) / timedelta(minutes=1)


def test_it_runs_for_a_stage_from_now_on(made: Event) -> None:
    start(made, 20, last_hand=2)
    row = seen(made)
    assert row is not None
    assert (row.stage, row.started_at, row.ends_at) == (made.stage, NOON, after(20))
    assert (row.held_at, row.goes_on_at, row.last_hand, row.extra) == (None, None, 2, {})
    assert made.refresh().stage.version == made.tournament.version  # its readers hear of it


def test_it_is_one_for_the_room(made: Event, at: At) -> None:
    start(made)
    at(19.9)
    again = {"stage": made.stage.uid, "minutes": 5}
    assert refusal(made, actions.start_hall_clock, **again) == [("clock_runs", "/stage")]
    at(20)
    made.act(actions.start_hall_clock, **again)
    assert ends(made) == 25
    assert HallClock.objects.count() == 1


def test_paused_it_keeps_what_was_left(made: Event, at: At) -> None:
    start(made, 20)
    at(5)
    made.act(actions.pause_hall_clock, goes_on_at=after(15))
    at(6)
    made.act(actions.pause_hall_clock)  # nobody knows when, after all
    row = seen(made)
    assert row is not None
    assert (row.held_at, row.goes_on_at) == (after(5), None)
    at(12)
    made.act(actions.resume_hall_clock)
    row = seen(made)
    assert row is not None
    assert (row.held_at, row.ends_at) == (None, after(27))
    assert refusal(made, actions.resume_hall_clock) == [("clock_runs", "")]


def test_a_break_is_a_clock_without_a_stage(made: Event, at: At) -> None:
    made.act(actions.pause_hall_clock, goes_on_at=after(15))
    row = seen(made)
    assert row is not None
    assert (row.stage, row.ends_at, row.held_at, row.goes_on_at) == (None, None, NOON, after(15))
    at(1)
    made.act(actions.extend_hall_clock, minutes=5)
    row = seen(made)
    assert row is not None
    assert row.goes_on_at == after(20)
    at(10)
    start(made, 30)
    assert ends(made) == 40


def test_a_break_ends_when_play_goes_on(made: Event) -> None:
    made.act(actions.pause_hall_clock)
    assert refusal(made, actions.extend_hall_clock, minutes=5) == [("no_clock", "/minutes")]
    made.act(actions.resume_hall_clock)
    assert seen(made) is None


@pytest.mark.parametrize("when", [-1, 0, 12 * 60 + 1])
def test_a_break_ends_within_twelve_hours(made: Event, when: float) -> None:
    found = refusal(made, actions.pause_hall_clock, goes_on_at=after(when))
    assert found == [("break_passed", "/goes_on_at")]


def test_all_get_more_time_from_the_end_or_from_now(made: Event, at: At) -> None:
    start(made, 20)
    at(10)
    made.act(actions.extend_hall_clock, minutes=5)
    assert ends(made) == 25
    at(30)
    made.act(actions.extend_hall_clock, minutes=5)
    assert ends(made) == 35


def test_a_table_plays_longer_than_the_room(made: Event) -> None:
    start(made, 20)
    one, other = made.tables
    for minutes in (5, 7, 7):  # in all, however often it is sent
        made.act(actions.give_table_minutes, table=one.uid, minutes=minutes)
    row = seen(made)
    assert row is not None
    assert (row.extra, row.ends_for(one.number), row.ends_for(other.number)) == (
        {str(one.number): 7},
        after(27),
        after(20),
    )
    made.act(actions.give_table_minutes, table=one.uid, minutes=0)
    row = seen(made)
    assert row is not None
    assert row.extra == {}


def test_a_table_referee_gives_time_to_their_own_table_only(made: Event) -> None:
    start(made)
    one, other = made.tables
    referee = made.referee("table_referee", one)
    mine = actions.Command(uuid4(), referee)
    actions.give_table_minutes(mine, made.tournament.uid, table=one.uid, minutes=5)
    for action, arguments in (
        (actions.give_table_minutes, {"table": other.uid, "minutes": 5}),
        (actions.extend_hall_clock, {"minutes": 5}),
        (actions.stop_hall_clock, {}),
    ):
        with pytest.raises(Forbidden):
            action(actions.Command(uuid4(), referee), made.tournament.uid, **arguments)


def finish(made: Event) -> int:
    """Play every heat and finish them, with a final to come; gives the row."""
    made.act(actions.plan_stage, stage=uuid4(), kind="final", settings={"target": 300})
    for table in made.tables:
        recorded_heat(made, table)
    return made.act(actions.finish_stage, stage=made.stage.uid).sequence


def test_it_goes_with_its_stage(made: Event) -> None:
    start(made)
    finish(made)
    assert seen(made) is None
    assert refusal(made, actions.stop_hall_clock) == [("no_clock", "")]
    made.act(actions.reopen_stage, stage=made.stage.uid, reason="a slip")
    assert seen(made) is None
    assert not HallClock.objects.exists()


def test_a_finish_that_is_undone_brings_it_back(made: Event) -> None:
    start(made)
    undo(made, finish(made))
    assert ends(made) == 20


def test_it_stands_in_no_stages_way(at: At) -> None:
    """A stage whose start was undone can be planned again, though a clock ran for it."""
    made = add_stage(event("tite-2022", 8), "heats", tables=2, start=False)
    row = made.act(actions.start_stage, stage=made.stage.uid).sequence
    start(made.refresh())
    undo(made, row)
    assert seen(made) is None
    made.act(actions.seat_stage, stage=made.stage.uid, tables=[])
    levels = [{"stage": uuid4(), "kind": "final", "settings": {"target": 300}}]
    made.act(actions.set_levels, levels=levels)
    made.tournament.refresh_from_db()
    assert verify(made.tournament) == []
    assert not HallClock.objects.exists()


def test_a_stop_is_one_tap_back(made: Event, at: At) -> None:
    start(made)
    made.act(actions.give_table_minutes, table=made.table.uid, minutes=5)
    at(3)
    row = made.act(actions.stop_hall_clock).sequence
    assert seen(made) is None
    at(4)
    undo(made, row)
    found = seen(made)
    assert found is not None
    assert (found.ends_at, found.extra) == (after(20), {str(made.table.number): 5})


@pytest.mark.parametrize(
    ("asked", "fault"),
    [
        ({"minutes": 0}, ("field_min_value", "/minutes")),
        ({"minutes": 601}, ("field_max_value", "/minutes")),
        ({"minutes": True}, ("malformed", "/minutes")),
        ({"minutes": 20, "last_hand": 20}, ("field_max_value", "/last_hand")),
        ({"minutes": 20, "last_hand": -1}, ("field_min_value", "/last_hand")),
        ({"minutes": 20, "stage": uuid4()}, ("unknown_stage", "/stage")),
    ],
)
def test_what_no_clock_can_do_is_refused(made: Event, asked: dict[str, Any], fault: tuple[str, str]) -> None:
    assert refusal(made, actions.start_hall_clock, **{"stage": made.stage.uid, **asked}) == [fault]


def test_only_a_stage_in_play_without_clocks_of_its_own_has_one(at: At) -> None:
    session = running_session()
    asked = {"stage": session.stage.uid, "minutes": 20}
    assert refusal(session, actions.start_hall_clock, **asked) == [("wrong_kind_of_stage", "/stage")]
    planned = add_stage(event("tite-2022", 8), "heats", tables=2, start=False)
    asked = {"stage": planned.stage.uid, "minutes": 20}
    assert refusal(planned, actions.start_hall_clock, **asked) == [("stage_not_running", "/stage")]


def test_without_a_clock_there_is_nothing_to_change(made: Event, at: At) -> None:
    for action, arguments in (
        (actions.resume_hall_clock, {}),
        (actions.stop_hall_clock, {}),
        (actions.extend_hall_clock, {"minutes": 5}),
    ):
        assert refusal(made, action, **arguments) == [("no_clock", "")]
    given = {"table": made.table.uid, "minutes": 5}
    assert refusal(made, actions.give_table_minutes, **given) == [("no_clock", "")]
    start(made, 20)
    at(20)
    assert refusal(made, actions.pause_hall_clock) == [("clock_over", "")]
    beyond = {"table": made.table.uid, "minutes": 121}
    assert refusal(made, actions.give_table_minutes, **beyond) == [("field_max_value", "/minutes")]


def test_it_starts_with_the_planned_minutes(made: Event) -> None:
    assert planned_minutes(made.stage) == 20
    plan = Plan(minutes=35).as_json()
    made.act(actions.set_programme, stages=[{"stage": made.stage.uid, "plan": plan}])
    assert planned_minutes(made.refresh().stage) == 35


# ---- The bell of a match ----


def test_the_bell_stops_the_matches_whose_time_is_up(at: At) -> None:
    made = running_match(players=6, tables=3, target=500)
    start(made, 20)
    played, longer, fresh = made.tables
    recorded_round(made)
    made.act(actions.give_table_minutes, table=longer.uid, minutes=5)
    made.tables = [longer]
    recorded_round(made)
    at(19.9)
    assert refusal(made, actions.stop_at_bell) == [("match_over", "")]
    at(20)
    made.act(actions.stop_at_bell)
    made.refresh()
    # A table with more time plays on; where no round is over nobody has won.
    assert [table.stopped for table in made.tables] == [True, False, False]
    at(25)
    made.act(actions.stop_at_bell)
    assert [table.stopped for table in made.refresh().tables] == [True, True, False]
    assert refusal(made, actions.stop_at_bell) == [("match_over", "")]
    recorded_round(made)  # an entry of the last minute
    (first, *_others) = stage_results(made.stage)
    assert (first.complete, [row.points for row in first.answer.standings]) == (True, [14, 0])
    assert agrees(made)
    assert {played, fresh} < set(made.tables)


def test_the_bell_stops_no_race_and_nothing_in_a_pause(at: At) -> None:
    race, match = running_race(4), running_match(players=2)
    for made in (race, match):
        start(made, 5)
        recorded_round(made)
    match.act(actions.pause_hall_clock)
    at(6)
    for made in (race, match):
        assert refusal(made, actions.stop_at_bell) == [("match_over", "")]
