"""Rare requests: two at once, from a faulty program, or in an order that nobody plans. Each is refused by name, or
done."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import OperationalError, connection
from django.utils import timezone

from tests.support.asking_actions import agrees, refusal
from tests.support.factories import (
    Event,
    StaffFactory,
    UserFactory,
    add_stage,
    event,
    recorded_round,
    running_heats,
    running_match,
    running_session,
    started_game,
)
from tournament import actions
from tournament.actions import Command
from tournament.actions.event import events
from tournament.actions.kernel import work
from tournament.actions.kernel.work import Work
from tournament.actions.people.attendance import check_in_entry
from tournament.links import token_for
from tournament.models import Call, Entry, Membership, Play, Stage
from tournament.permissions import has_role
from tournament.results.faults import Refused

pytestmark = pytest.mark.django_db


def two_contested() -> tuple[Event, Any, Any]:
    made = running_match(players=3)
    first, second = recorded_round(made), recorded_round(made)
    for play in (first, second):
        made.act(actions.ask_second_look_at, play=play)
        made.act(actions.contest_play, play=play, version=made.play(play).version)
    return made, first, second


def accepted_by_another(made: Event, play: Any) -> None:
    command = Command(uuid4(), made.referee())
    actions.accept_play(command, made.tournament.uid, play=play, version=made.play(play).version)


def test_a_call_about_a_contested_play_goes_on_while_another_is_accepted() -> None:
    made, first, second = two_contested()
    accepted_by_another(made, second)
    call = Call.objects.get()
    assert (call.play and call.play.uid, call.answered_at) == (first, None)
    assert agrees(made)


def test_a_contested_play_is_accepted_whose_call_was_answered_before() -> None:
    made, first, _second = two_contested()
    made.act(actions.answer_call, call=Call.objects.get().uid)
    accepted_by_another(made, first)
    assert made.play(first).second_look == Play.SecondLook.ACCEPTED
    assert agrees(made)


def test_a_call_about_a_contested_play_is_not_taken_back() -> None:
    made, *_ = two_contested()
    assert refusal(made, actions.take_back_call, call=Call.objects.get().uid) == [("unknown_call", "/call")]


@pytest.mark.parametrize(
    ("hands", "refused"),
    [
        ("none", [("malformed", "/hands")]),
        ({"nobody": {"0": 1}}, [("unknown_player", "/hands/nobody")]),
        ({7: {"0": 1}}, [("unknown_player", "/hands/7")]),
        ({"x" * 99: {"0": 1}}, [("unknown_player", "/hands/" + "x" * 40)]),
    ],
    ids=["no hands", "no uid", "a number", "long"],
)
def test_hands_that_are_none_are_refused(hands: Any, refused: list[tuple[str, str]]) -> None:
    made = running_match(players=3)
    asked = {"table": made.table.uid, "play": uuid4(), "number": 1, "winner": made.at(made.table)[0]}
    assert refusal(made, actions.record_round, hands=hands, **asked)[:1] == refused  # then the missing hands


def test_a_hand_that_is_none_is_refused_at_its_player() -> None:
    made = running_match(players=3)
    winner, other, _ = made.at(made.table)
    asked = {
        "table": made.table.uid,
        "play": uuid4(),
        "number": 1,
        "winner": winner,
        "hands": {str(other): 7},
    }
    assert refusal(made, actions.record_round, **asked) == [("malformed", f"/hands/{other}")]


@pytest.mark.parametrize("ids", ["everybody", [7], ["first"], (None,)], ids=repr)
def test_ids_that_are_none_are_refused(ids: Any) -> None:
    made = running_heats(players=3, tables=1)
    asked = {"table": made.table.uid, "play": uuid4(), "number": 1, "finish_order": ids}
    assert refusal(made, actions.record_heat, **asked) == [("malformed", "/finish_order")]


def result(entry: Any, outcome: Any = "out", elapsed_s: int = 60) -> dict[str, Any]:
    return {"entry": entry, "outcome": outcome, "elapsed_s": elapsed_s, "hand": {}}


def test_results_of_a_game_that_no_sheet_could_hold_are_refused() -> None:
    made = running_session(players=3)
    first, second, _ = made.at(made.table)
    asked = {"table": made.table.uid, "play": uuid4(), "number": 1, "ended": "last"}
    for none in ("all out", [7], [result(first), 7]):
        assert refusal(made, actions.record_game, results=none, **asked) == [("malformed", "/results")]
    rows = [result("first"), result(first), result(first), result(second, "flew")]
    assert refusal(made, actions.record_game, results=rows, **asked) == [
        ("malformed", "/results/0"),
        ("duplicate_player", f"/results/{first}"),
        ("malformed", f"/results/{second}"),
    ]


def test_an_ejection_names_a_penalty_of_the_rules_and_its_own_play() -> None:
    made = running_session(players=3)
    entry = made.at(made.table)[0]
    play = started_game(made)
    asked = {"play": play, "entry": entry, "elapsed_s": 60, "reason": "cards"}
    assert refusal(made, actions.eject_player, code="no-such", **asked) == [("unknown_penalty", "/code")]


def test_a_game_that_is_over_takes_nobody_in() -> None:
    made = running_session(players=3)
    play = started_game(made)
    made.act(actions.void_play, play=play, version=made.play(play).version, reason="miscounted")
    late = made.uids[0]
    assert refusal(made, actions.join_game, play=play, entry=late)[0][0] == "game_not_running"


@pytest.mark.beside
def test_a_stage_that_is_over_gets_no_referees_and_no_second_look() -> None:
    made = running_heats()
    Stage.objects.filter(pk=made.stage.pk).update(state=Stage.State.FINISHED)
    over = [("illegal_move", "/stage")]
    assert refusal(made, actions.post_referees, stage=made.stage.uid) == over
    assert refusal(made, actions.ask_second_look, stage=made.stage.uid, wanted=True) == over


def test_a_stage_without_tables_gets_no_referees() -> None:
    made = event(players=2)
    add_stage(made, "match", tables=0, start=False)
    assert refusal(made, actions.post_referees, stage=made.stage.uid) == [("no_tables", "/stage")]


def test_a_play_that_is_void_gets_no_second_look() -> None:
    made = running_match(players=3)
    play = recorded_round(made)
    made.act(actions.void_play, play=play, version=made.play(play).version, reason="miscounted")
    assert refusal(made, actions.ask_second_look_at, play=play) == [("already_void", "/play")]


def test_who_is_inactive_accepts_no_invite() -> None:
    made, uid = event(), uuid4()
    until = timezone.now() + timedelta(hours=1)
    made.act(actions.create_invite, invite=uid, role="table_referee", expires_at=until, most=2)
    gone = UserFactory(is_active=False)
    with pytest.raises(Refused, match="forbidden"):
        actions.accept_invite(uuid4(), token_for("invite", uid), name="", user=gone)
    assert not Membership.objects.filter(user=gone).exists()


def test_a_moved_play_goes_where_the_same_people_play() -> None:
    made = running_match(players=3)
    play = recorded_round(made)
    asked = {
        "to": made.table.uid,
        "new": uuid4(),
        "version": made.play(play).version,
        "reason": "wrong table",
    }
    assert refusal(made, actions.move_play, play=play, **asked) == [("other_players", "/to")]


@pytest.mark.beside
def test_who_checked_in_already_is_not_checked_in_by_an_arrival() -> None:
    made = event(players=1)
    Entry.objects.update(state=Entry.State.CANCELLED)
    row = Entry.objects.get()
    check_in_entry(Work(Command(uuid4(), made.user), "check_in", "", made.tournament), row)
    assert Entry.objects.get().state == Entry.State.CANCELLED


def test_a_stage_is_not_finished_while_a_game_runs() -> None:
    made = running_session(players=2)
    started_game(made)
    assert refusal(made, actions.finish_stage, stage=made.stage.uid) == [("game_running", "/stage")]


def test_whoever_is_slower_to_take_an_address_gets_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    made = event()
    free_slug = events.free_slug
    answers = iter([made.tournament.slug])
    monkeypatch.setattr(
        events, "free_slug", lambda *said, **more: next(answers, "") or free_slug(*said, **more)
    )
    other = event(name=made.tournament.name)
    assert other.tournament.slug not in {made.tournament.slug, ""}
    assert next(answers, None) is None


@pytest.mark.django_db(transaction=True)
def test_a_writer_who_waits_too_long_for_the_others_says_so(settings: Any) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("only SQLite has one writer")
    settings.LOCK_WAIT_S = 0.01
    with work._sqlite_writer, pytest.raises(OperationalError), work.writing():
        raise AssertionError("it wrote")
    with work.writing():
        assert work._sqlite_writer.locked()
    assert not work._sqlite_writer.locked()


@pytest.mark.django_db(transaction=True)
def test_on_sqlite_the_writers_of_a_process_queue_but_not_behind_themselves() -> None:
    one_writer = connection.vendor == "sqlite"
    with work.writing():
        assert work._sqlite_writer.locked() is one_writer
        with work.writing():
            assert connection.in_atomic_block
    assert not work._sqlite_writer.locked()


def test_a_role_does_not_come_back_to_a_user_who_is_gone() -> None:
    made = event()
    user = made.referee()
    membership = Membership.objects.get(user=user)
    gone = made.act(actions.revoke_role, membership=membership.uid).sequence
    user.delete()
    assert refusal(made, actions.undo, row=gone) == [("does_not_fit", "/row")]


def test_nobody_has_a_role() -> None:
    made = event()
    assert not has_role(None, made.tournament)
    assert not has_role(UserFactory(), made.tournament)
    assert not has_role(StaffFactory(is_active=False), made.tournament)
    assert all(has_role(user, made.tournament) for user in (StaffFactory(), made.referee()))
