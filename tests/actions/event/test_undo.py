"""Undo: a row of the ledger is taken back, as long as nobody built on it; nothing is lost, and the ledger agrees."""

from datetime import UTC, datetime, timedelta
from typing import Any, get_args
from uuid import uuid4

import pytest

from tests.ledger.test_purge import whole
from tests.support.asking_actions import refusal, state_of
from tests.support.factories import (
    Event,
    add_stage,
    event,
    recorded_round,
    running_match,
    running_session,
    started_game,
)
from tests.support.undoing import agrees, facts, heats_over, last_row, planned, put_into, seated, undo
from tournament import actions
from tournament.actions.kernel import put_back
from tournament.ledger.undoing import History, undoing_of
from tournament.ledger.undoing.change import Change
from tournament.models import (
    Decision,
    Draw,
    Entry,
    Invite,
    LedgerNote,
    LedgerRow,
    Membership,
    Player,
    Screen,
    Seat,
    Stage,
    Table,
    Tournament,
)
from tournament.models.base import PublicModel
from tournament.permissions import ACTIONS, Undo
from tournament.results.facts import facts_of
from tournament.results.faults import Forbidden, Refused
from tournament.words.faults import WHY_NOT

pytestmark = [pytest.mark.django_db, pytest.mark.both]

NOON = datetime(2026, 5, 9, 12, 0, tzinfo=UTC)


def fault(made: Event, row: int) -> dict[str, Any]:
    """The parameters of the one fault with which undoing the row is refused."""
    with pytest.raises(Refused) as refused:
        made.act(actions.undo, row=row)
    (only,) = refused.value.faults
    return {"code": only.code, **only.parameters}


# ---- which ----


def test_every_action_is_undone_or_says_why_not() -> None:
    assert {declared.undo for declared in ACTIONS.values()} == {"ledger", *WHY_NOT}
    assert set(get_args(Undo)) == {"ledger", *WHY_NOT}


def everything_set() -> dict[type[PublicModel], dict[str, Any]]:
    """What a row of each kind may hold beside what it must."""
    return {
        Tournament: {"rehearsal": True, "put_away": True, "decks": 4, "listed": False},
        Entry: {"guardian": True, "accepted_at": NOON, "link_number": 3},
        Membership: {"invite": Invite.objects.get(), "table": Table.objects.order_by("pk")[0]},
        Stage: {"plan": {"minutes": 30}, "first_plan": {"minutes": 20}, "second_look": True},
        Table: dict(zip(Table.ROLES, Entry.objects.order_by("-pk"), strict=False))
        | {"stopped": True, "link_number": 2},
        Seat: {"out_as": Seat.OutAs.WITHDRAWN, "out_from": 7},
        Decision: {"rank": 2},
        Draw: {"record": {"seed": "7"}},
        Invite: {"tables": [str(uuid4())], "most": 3, "revoked_at": NOON},
        Screen: {"stage": Stage.objects.order_by("-pk")[0], "seconds": 99},
    }


@pytest.mark.beside
@pytest.mark.parametrize("everything", [False, True], ids=["what it must", "everything"])
def test_a_row_of_facts_holds_what_it_held(everything: bool) -> None:
    whole()
    Draw.objects.create(stage=Stage.objects.order_by("pk")[0], number=1, record={})
    more = everything_set() if everything else {}
    for model in {*put_back.LIGHT, *put_back.STAY, Screen}:
        row = model._default_manager.order_by("pk")[0]
        for name, value in more.get(model, {}).items():
            setattr(row, name, value)
        values = put_back._values(model, facts_of(row), put_back.Find([]))
        assert values == {name: getattr(row, name) for name in values}


@pytest.mark.parametrize("state", Stage.State.values)
def test_only_a_finished_stage_stays_revealed(state: str) -> None:
    facts = {"number": 1, "kind": "heats", "settings": {}, "state": state}
    values = put_back._values(Stage, facts, put_back.Find([]))
    assert values.get("revealed", 7) == (7 if state == "finished" else None)


def test_rows_that_changes_name_are_read_in_one_query_a_model(django_assert_num_queries: Any) -> None:
    made = event(players=3)
    first, second, third = made.entries
    change = Change(None, {"entries": [str(first.uid), "no uid"], "by": {"whom": str(second.uid)}})
    find = put_back.Find([change])
    assert find(Entry, None) is None
    with django_assert_num_queries(1):
        assert [find(Entry, each.uid) for each in (first, second)] == [first, second]
    with django_assert_num_queries(1):
        assert [find(Entry, third.uid) for _time in range(2)] == [third, third]


# ---- what is deleted by it ----


def test_players_entered_by_mistake_are_gone_with_what_was_known_of_them() -> None:
    made = event(players=2)
    Player.objects.create(name="Known", organiser=made.tournament.organiser)
    before = facts(made)
    rows = [{"entry": uuid4(), "name": f"Mistake {n}", "contact": "0401"} for n in range(60)]
    made.act(actions.enter_players, players=rows)
    back = undo(made)
    assert facts(made) == before
    assert set(Player.objects.values_list("name", flat=True)) == {"Aino", "Börje", "Known"}
    assert agrees(made)
    assert fault(made, back) == {"code": "cannot_be_undone", "why": "names_gone"}


def test_a_player_of_earlier_events_stays_known() -> None:
    made = event(players=1)
    known = Player.objects.get()
    again = event(organiser=made.tournament.organiser.uid, organiser_name="", user=made.user)
    again.act(actions.enter_players, players=[{"entry": uuid4(), "name": "Aino", "player": known.uid}])
    undo(again)
    assert Player.objects.get() == known


def test_walk_in_with_a_seat() -> None:
    made = add_stage(event("mattel-108", 4), "match", start=False)
    before = facts(made)
    made.act(actions.walk_in, entry=uuid4(), name="Late", table=made.table.uid)
    undo(made)
    assert facts(made) == before
    assert agrees(made)


# ---- refused ----


def test_there_is_no_such_row() -> None:
    made = event()
    assert refusal(made, actions.undo, row=99) == [("unknown_row", "/row")]
    assert refusal(made, actions.undo, row="1") == [("malformed", "/row")]


def test_after_a_day_it_is_too_late(monkeypatch: pytest.MonkeyPatch) -> None:
    made = event(players=2)
    row = made.act(actions.check_in, entries=made.uids).sequence
    at = LedgerRow.objects.get(tournament=made.tournament, sequence=row).at
    history = History(made.tournament)
    assert undoing_of(history, row, at + timedelta(hours=24)).fault is None
    assert undoing_of(history, row, at + timedelta(hours=24, seconds=1)).fault.code == "too_old"


def test_a_result_is_corrected_at_its_table() -> None:
    made = running_match(players=3)
    recorded_round(made)
    assert fault(made, last_row(made)) == {"code": "cannot_be_undone", "why": "at_table"}


def test_the_event_itself_is_not_undone() -> None:
    assert fault(event(), 1) == {"code": "cannot_be_undone", "why": "whole_event"}


def test_what_was_undone_is_not_undone_again() -> None:
    made = event(players=2)
    row = made.act(actions.check_in, entries=made.uids).sequence
    back = undo(made, row)
    assert fault(made, row)["code"] == "already_undone"
    assert fault(made, row)["number"] == back


def test_undone_again_after_it_was_done_again() -> None:
    made = event(players=2)
    row = made.act(actions.check_in, entries=made.uids).sequence
    undo(made, undo(made, row))
    undo(made, row)
    assert state_of(made.uids[0]) == "registered"


def test_whoever_changed_the_same_since_is_named() -> None:
    made = event(players=3)
    row = made.act(actions.check_in, entries=made.uids).sequence
    later = made.act(actions.player_leaves, entry=made.uids[1]).sequence
    said = fault(made, row)
    assert (said["code"], said["number"], said["did"]) == ("changed_since", later, "player_leaves")
    assert said["who"] == made.user.display_name()
    assert state_of(made.uids[0]) == "checked_in"


def test_another_fact_of_the_same_player_does_not_stand_in_the_way() -> None:
    made = event(players=3)
    row = made.act(actions.check_in, entries=made.uids).sequence
    made.act(actions.edit_entry, entry=made.uids[0], public_name="Ainö", start_number=77)
    undo(made, row)
    entry = Entry.objects.get(uid=made.uids[0])
    assert (entry.state, entry.public_name, entry.start_number) == ("registered", "Ainö", 77)
    assert agrees(made)


def test_what_was_undone_since_does_not_stand_in_the_way() -> None:
    made = planned()
    first = made.act(actions.seat_stage, stage=made.stage.uid, tables=seated(made)).sequence
    other = [{"number": 1, "entries": made.uids}]
    second = made.act(actions.seat_stage, stage=made.stage.uid, tables=other).sequence
    assert fault(made, first)["number"] == second
    undo(made, second)
    undo(made, first)
    assert not Table.objects.exists()


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


def test_who_may_not_do_it_may_not_undo_it() -> None:
    made = planned()
    head = made.referee("head_referee")
    row = made.act(actions.seat_stage, stage=made.stage.uid, tables=seated(made)).sequence
    checked = made.act(actions.check_in, entries=made.uids).sequence
    with pytest.raises(Forbidden):
        actions.undo(actions.Command(uuid4(), head), made.tournament.uid, row=row)
    actions.undo(actions.Command(uuid4(), head), made.tournament.uid, row=checked)
    assert state_of(made.uids[0]) == "registered"
    at_table = made.referee("table_referee", Table.objects.first())
    with pytest.raises(Forbidden):
        actions.undo(actions.Command(uuid4(), at_table), made.tournament.uid, row=row)


def test_an_undo_keeps_why() -> None:
    made = event(players=2)
    row = made.act(actions.check_in, entries=made.uids).sequence
    back = made.act(actions.undo, row=row, reason="Not here yet").sequence
    assert LedgerNote.objects.get(row__sequence=back).text == "Not here yet"


def test_an_undo_is_read_in_its_own_event_only() -> None:
    other = running_match(players=2)
    seen = other.refresh().stage.version
    made = running_match(players=2)
    made.act(actions.set_decks, decks=2)
    assert undo(made) != seen
    assert other.refresh().stage.version == seen


def test_sent_twice_it_is_undone_once() -> None:
    made = event(players=2)
    row = made.act(actions.check_in, entries=made.uids).sequence
    command = actions.Command(uuid4(), made.user)
    first = actions.undo(command, made.tournament.uid, row=row)
    second = actions.undo(command, made.tournament.uid, row=row)
    assert (second.sequence, second.replayed) == (first.sequence, True)
