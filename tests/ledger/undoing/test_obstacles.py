"""Obstacles to taking a row back."""

from uuid import uuid4

import pytest

from tests.support.factories import (
    event,
    recorded_round,
    running_match,
    running_session,
    started_game,
)
from tests.support.undoing import fault, heats_over, last_row, planned, put_into, seated, undo
from tournament import actions
from tournament.models import (
    Membership,
    Seat,
    Stage,
    Table,
)
from tournament.results.faults import Refused

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def test_entered_players_who_have_a_seat_are_in_use() -> None:
    made = event("tite-2022", players=8)
    entered = last_row(made)
    stage = uuid4()
    made.act(actions.plan_stage, stage=stage, kind="heats")
    row = made.act(actions.seat_stage, stage=stage, tables=seated(made)).sequence
    said = fault(made, entered)
    assert (said["code"], said["number"]) == ("in_use_since", row)


def test_who_has_played_since_is_here() -> None:
    made = running_match(players=3)
    row = made.act(actions.check_in, entries=made.uids).sequence
    recorded_round(made)
    said = fault(made, row)
    assert (said["code"], said["did"]) == ("in_use_since", "record_round")


def test_who_was_let_in_and_has_a_seat_since_stays_in() -> None:
    made = planned(players=4)
    put_into(made, "applied")
    row = made.act(actions.approve_entries, entries=made.uids).sequence
    made.act(actions.seat_stage, stage=made.stage.uid, tables=seated(made))
    said = fault(made, row)
    assert (said["code"], said["did"]) == ("in_use_since", "seat_stage")


def test_who_has_a_seat_since_does_not_stay_away_again() -> None:
    made = planned()
    away = made.act(actions.no_show, entries=made.uids[:1]).sequence
    back = undo(made, away)
    made.act(actions.seat_stage, stage=made.stage.uid, tables=seated(made))
    assert fault(made, back)["did"] == "seat_stage"


def test_seats_stay_once_the_stage_has_begun() -> None:
    made = planned()
    row = made.act(actions.seat_stage, stage=made.stage.uid, tables=seated(made)).sequence
    started = made.act(actions.start_stage, stage=made.stage.uid).sequence
    said = fault(made, row)
    assert (said["code"], said["number"]) == ("changed_since", started)


def test_a_stage_stays_started_once_anything_was_entered() -> None:
    made = running_match(players=3)
    started = last_row(made)
    recorded_round(made)
    said = fault(made, started)
    assert (said["code"], said["did"]) == ("in_use_since", "record_round")


def test_a_running_game_holds_the_seats() -> None:
    made = running_session(players=6, tables=2)
    tables = [
        {"number": 1, "entries": [made.uids[0], *made.uids[3::2]]},
        {"number": 2, "entries": [made.uids[1], *made.uids[2::2]]},
    ]
    row = made.act(actions.seat_stage, stage=made.stage.uid, tables=tables).sequence
    started_game(made.refresh())
    assert fault(made, row)["did"] == "start_game"


def test_heats_stay_finished_once_the_final_has_begun() -> None:
    made, final = heats_over()
    finished = last_row(made)
    made.act(actions.fill_stage, stage=final)
    made.act(actions.start_stage, stage=final)
    assert fault(made, finished)["code"] == "next_stage_began"


def test_a_reopened_stage_with_a_correction_is_not_closed_by_an_undo() -> None:
    made = running_match(players=3)
    play = recorded_round(made)
    made.act(actions.stop_match, table=made.table.uid)
    made.act(actions.finish_stage, stage=made.stage.uid)
    row = made.act(actions.reopen_stage, stage=made.stage.uid, reason="miscounted").sequence
    made.act(actions.void_play, play=play, version=made.play(play).version, reason="a card was missing")
    assert fault(made, row)["did"] == "void_play"


def test_a_planned_stage_with_another_after_it_stays() -> None:
    made = event("tite-2022", players=2)
    first = made.act(actions.plan_stage, stage=uuid4(), kind="heats").sequence
    second = made.act(actions.plan_stage, stage=uuid4(), kind="final").sequence
    assert fault(made, first)["number"] == second
    undo(made, second)
    undo(made, first)
    assert not Stage.objects.exists()


def test_somebody_who_sits_elsewhere_by_now_is_not_seated_twice() -> None:
    made = planned()
    made.act(actions.seat_stage, stage=made.stage.uid, tables=seated(made))
    one, two = Table.objects.filter(stage=made.stage).order_by("number")
    moves, *stay = made.at(one)
    row = made.act(actions.seat_table, stage=made.stage.uid, table=one.uid, number=1, entries=stay).sequence
    there = [*made.at(two), moves]
    made.act(actions.seat_table, stage=made.stage.uid, table=two.uid, number=2, entries=there)
    assert fault(made, row)["did"] == "seat_table"
    assert Seat.objects.filter(entry__uid=moves).count() == 1


def test_a_role_that_was_given_anew_is_not_given_twice() -> None:
    made = event()
    user = made.referee()
    membership = Membership.objects.get(user=user)
    row = made.act(actions.revoke_role, membership=membership.uid).sequence
    made.act(actions.grant_role, membership=uuid4(), user=user.uid, role="head_referee")
    assert fault(made, row)["did"] == "grant_role"


def test_the_last_organiser_stays() -> None:
    made = event()
    user = made.referee("organiser")
    granted = last_row(made)
    own = Membership.objects.get(user=made.user)
    made.act(actions.revoke_role, membership=own.uid)
    actor = actions.Command(uuid4(), user)
    with pytest.raises(Refused) as refused:
        actions.undo(actor, made.tournament.uid, row=granted)
    assert [fault.code for fault in refused.value.faults] == ["last_organiser"]
