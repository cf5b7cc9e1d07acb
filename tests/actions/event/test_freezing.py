"""Freezing what everybody sees, revealing it, and what must not lose or bring back a freeze."""

from collections.abc import Callable
from datetime import date
from uuid import uuid4

import pytest

from tests.support.asking_actions import agrees, refusal
from tests.support.championships import championship, started
from tests.support.factories import Event, recorded_round, running_match, running_session
from tournament import actions
from tournament.actions import Command, Receipt
from tournament.models import LedgerRow, Membership, Stage, Tournament
from tournament.queries.visible import shown
from tournament.results.answer import stage_results
from tournament.results.faults import Forbidden

pytestmark = pytest.mark.django_db

FREEZING = [actions.freeze_standings, actions.begin_reveal, actions.lift_freeze]


def state(made: Event) -> tuple[str, bool, int | None]:
    """The stage's state, whether it is frozen, how many steps were revealed; facts and ledger agree."""
    stage = made.refresh().stage
    assert agrees(made)
    return stage.state, stage.frozen_after is not None, stage.revealed


def over(players: int = 4) -> Event:
    """A match that is over and finished, each player at a place of their own."""
    made = running_match(players=players, ruleset="tite-2022", target=250)
    seated = made.at(made.table)
    for worth, winner in enumerate(seated[:-1], 1):
        recorded_round(made, winner, **{str(uid): {str(worth): 1} for uid in seated if uid != winner})
    made.act(actions.stop_match, table=made.table.uid, reason="late")
    made.act(actions.finish_stage, stage=made.stage.uid)
    return made.refresh()


def revealing(players: int = 4) -> Event:
    made = over(players)
    made.act(actions.freeze_standings, stage=made.stage.uid)
    made.act(actions.begin_reveal, stage=made.stage.uid)
    return made.refresh()


def left(made: Event) -> int:
    frozen = shown(made.refresh().stage).frozen
    assert frozen is not None
    return frozen.left


# ---- freeze, reveal, lift ----


def test_a_freeze_holds_what_was_there_with_its_own_row() -> None:
    made = running_match()
    row = made.act(actions.freeze_standings, stage=made.stage.uid)
    assert made.refresh().stage.frozen_after == row.sequence
    assert state(made) == ("running", True, None)


def test_a_stage_that_has_not_started_is_not_frozen() -> None:
    made = running_match()
    planned = uuid4()
    made.act(actions.plan_stage, stage=planned, kind="match")
    assert refusal(made, actions.freeze_standings, stage=planned) == [("illegal_move", "/stage")]


def test_opening_is_news_in_its_own_event_only() -> None:
    other, made = running_match(), running_match()
    before = other.stage.version
    made.act(actions.freeze_standings, stage=made.stage.uid)
    row = made.act(actions.lift_freeze, stage=made.stage.uid).sequence
    assert (made.refresh().stage.version, other.refresh().stage.version) == (row, before)


def test_what_is_frozen_is_not_frozen_again() -> None:
    made = running_match()
    made.act(actions.freeze_standings, stage=made.stage.uid)
    assert refusal(made, actions.freeze_standings, stage=made.stage.uid) == [("frozen_already", "/stage")]


@pytest.mark.parametrize("action", FREEZING[1:], ids=lambda action: action.__name__)
def test_what_is_not_frozen_is_neither_revealed_nor_lifted(action: Callable[..., Receipt]) -> None:
    made = over()
    assert refusal(made, action, stage=made.stage.uid) == [("not_frozen", "/stage")]
    assert refusal(made, actions.reveal_next, stage=made.stage.uid, left=5) == [("not_frozen", "/stage")]


def test_a_reveal_begins_once_the_stage_is_finished_and_once() -> None:
    made = running_match()
    made.act(actions.freeze_standings, stage=made.stage.uid)
    assert refusal(made, actions.begin_reveal, stage=made.stage.uid) == [("illegal_move", "/stage")]
    again = revealing()
    assert refusal(again, actions.begin_reveal, stage=again.stage.uid) == [("reveal_begun", "/stage")]


def test_a_reveal_waits_for_the_stage_before_it() -> None:
    made = started(championship(), rounds=1)
    heats = Stage.objects.get(tournament=made.tournament, number=1)
    made.act(actions.stop_match, table=made.table.uid, reason="late")
    made.act(actions.finish_stage, stage=made.stage.uid)
    made.act(actions.freeze_standings, stage=heats.uid)
    made.act(actions.freeze_standings, stage=made.stage.uid)
    assert refusal(made, actions.begin_reveal, stage=made.stage.uid) == [("frozen_by_earlier", "/stage")]
    made.act(actions.lift_freeze, stage=heats.uid)
    made.act(actions.begin_reveal, stage=made.stage.uid)
    assert state(made) == ("finished", True, 0)


def test_each_tap_reveals_one_step_and_the_last_one_lifts_the_freeze() -> None:
    made = revealing(4)
    seen = []
    while made.refresh().stage.frozen_after is not None:
        seen.append((left(made), made.stage.revealed))
        made.act(actions.reveal_next, stage=made.stage.uid, left=left(made))
    assert seen == [(5, 0), (4, 1), (3, 2), (2, 3), (1, 4)]
    assert state(made) == ("finished", False, None)


def test_two_phones_reveal_one_step() -> None:
    made = revealing()
    made.act(actions.reveal_next, stage=made.stage.uid, left=5)
    assert refusal(made, actions.reveal_next, stage=made.stage.uid, left=5) == [("revealed_already", "/left")]
    assert state(made) == ("finished", True, 1)


def test_a_tap_that_arrives_twice_reveals_one_step() -> None:
    made = revealing()
    tap = Command(uuid4(), made.user, "phone")
    first, second = (
        actions.reveal_next(tap, made.tournament.uid, stage=made.stage.uid, left=5) for _ in range(2)
    )
    assert (first.sequence, second.replayed) == (second.sequence, True)
    assert state(made) == ("finished", True, 1)


@pytest.mark.parametrize("wrong", [True, "4", 4.0, None], ids=repr)
def test_the_steps_left_are_a_whole_number(wrong: object) -> None:
    made = revealing()
    assert refusal(made, actions.reveal_next, stage=made.stage.uid, left=wrong) == [("malformed", "/left")]


def test_nothing_is_revealed_before_the_reveal_begins() -> None:
    made = over()
    made.act(actions.freeze_standings, stage=made.stage.uid)
    asked = {"stage": made.stage.uid, "left": 5}
    assert refusal(made, actions.reveal_next, **asked) == [("reveal_not_begun", "/stage")]


@pytest.mark.parametrize("begun", [False, True], ids=["frozen", "being revealed"])
def test_lifting_shows_everything_at_any_time(*, begun: bool) -> None:
    made = revealing() if begun else over()
    if not begun:
        made.act(actions.freeze_standings, stage=made.stage.uid)
    made.act(actions.lift_freeze, stage=made.stage.uid)
    assert state(made) == ("finished", False, None)
    assert shown(made.stage).frozen is None


def test_a_freeze_is_new_to_readers_of_the_stage_and_those_after_it_its_end_to_all() -> None:
    made = started(championship())
    planned = uuid4()
    made.act(actions.plan_stage, stage=planned, kind="final", settings={"target": 250})
    versions = Stage.objects.filter(tournament=made.tournament).order_by("number")
    row = made.act(actions.freeze_standings, stage=made.stage.uid)
    before, *others = versions.values_list("version", flat=True)
    assert before < row.sequence
    assert others == [row.sequence, row.sequence]
    row = made.act(actions.lift_freeze, stage=made.stage.uid)
    assert set(versions.values_list("version", flat=True)) == {row.sequence}


@pytest.mark.parametrize("action", [*FREEZING, actions.reveal_next], ids=lambda action: action.__name__)
def test_only_an_organiser_freezes(action: Callable[..., Receipt]) -> None:
    made = revealing()
    more = {"left": 4} if action is actions.reveal_next else {}
    for user in (made.referee(Membership.Role.HEAD_REFEREE), made.referee(Membership.Role.TABLE_REFEREE)):
        with pytest.raises(Forbidden):
            action(Command(uuid4(), user), made.tournament.uid, stage=made.stage.uid, **more)


# ---- what comes in between ----


def test_a_stage_opened_again_is_frozen_and_its_reveal_begins_anew() -> None:
    made = revealing()
    made.act(actions.reveal_next, stage=made.stage.uid, left=5)
    made.act(actions.reopen_stage, stage=made.stage.uid, reason="miscounted")
    assert state(made) == ("running", True, None)
    asked = {"stage": made.stage.uid, "left": 5}
    assert refusal(made, actions.reveal_next, **asked) == [("reveal_not_begun", "/stage")]
    made.act(actions.finish_stage, stage=made.stage.uid)
    made.act(actions.begin_reveal, stage=made.stage.uid)
    assert left(made) == 5


def undo(made: Event, action: str) -> None:
    row = LedgerRow.objects.filter(tournament=made.tournament, action=action).order_by("-sequence")[0]
    made.act(actions.undo, row=row.sequence)


def test_undoing_a_finish_keeps_the_freeze_and_ends_the_reveal() -> None:
    made = revealing()
    made.act(actions.reveal_next, stage=made.stage.uid, left=5)
    undo(made, "finish_stage")
    assert state(made) == ("running", True, None)
    undo(made, "undo")
    assert state(made) == ("finished", True, None)


def test_undoing_a_finish_does_not_bring_a_lifted_freeze_back() -> None:
    made = running_match(players=3, ruleset="tite-2022", target=250)
    recorded_round(made)
    made.act(actions.stop_match, table=made.table.uid, reason="late")
    made.act(actions.freeze_standings, stage=made.stage.uid)
    made.act(actions.finish_stage, stage=made.stage.uid)
    made.act(actions.lift_freeze, stage=made.stage.uid)
    undo(made, "finish_stage")
    assert state(made) == ("running", False, None)


def test_undoing_that_a_stage_was_opened_again_does_not_go_on_with_its_reveal() -> None:
    made = revealing()
    made.act(actions.reveal_next, stage=made.stage.uid, left=5)
    made.act(actions.reopen_stage, stage=made.stage.uid, reason="miscounted")
    undo(made, "reopen_stage")
    assert state(made) == ("finished", True, None)


def test_undoing_that_a_stage_was_opened_again_does_not_bring_a_lifted_freeze_back() -> None:
    made = revealing()
    made.act(actions.reopen_stage, stage=made.stage.uid, reason="miscounted")
    made.act(actions.lift_freeze, stage=made.stage.uid)
    undo(made, "reopen_stage")
    assert state(made) == ("finished", False, None)


def test_undoing_a_start_keeps_the_freeze_which_can_be_lifted() -> None:
    made = running_session(4)
    made.act(actions.freeze_standings, stage=made.stage.uid)
    undo(made, "start_stage")
    assert state(made) == ("planned", True, None)
    made.act(actions.lift_freeze, stage=made.stage.uid)
    assert state(made) == ("planned", False, None)


def test_a_freeze_is_not_undone_from_the_ledger() -> None:
    made = running_match()
    row = made.act(actions.freeze_standings, stage=made.stage.uid)
    assert refusal(made, actions.undo, row=row.sequence) == [("cannot_be_undone", "/row")]


@pytest.mark.parametrize("rehearsal", [False, True], ids=["copy", "rehearsal"])
def test_a_copy_is_not_frozen(*, rehearsal: bool) -> None:
    made = revealing()
    copy = uuid4()
    actions.copy_event(
        Command(copy, made.user),
        made.tournament.uid,
        name="Copy",
        starts_on=date(2027, 5, 9),
        players=True,
        roles=False,
        rehearsal=rehearsal,
    )
    stages = Stage.objects.filter(tournament=Tournament.objects.get(uid=copy))
    assert list(stages.values_list("frozen_after", "revealed")) == [(None, None)]


def test_referees_read_the_truth_of_a_frozen_stage() -> None:
    made = running_match()
    made.act(actions.freeze_standings, stage=made.stage.uid)
    recorded_round(made)
    assert len(stage_results(made.refresh().stage)[0].answer.rounds) == 1
    assert shown(made.stage).results[0].answer.rounds == ()
