"""Attendance: present, late, absent, gone and back, at every kind of table; and entries made by mistake."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.support.asking_actions import agree, agrees, refusal, standings, state_of
from tests.support.factories import (
    Event,
    add_stage,
    event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    running_session,
    started_game,
)
from tournament import actions
from tournament.models import Decision, Entry, Incident, LedgerNote, LedgerRow, Seat
from tournament.results.faults import Refused

pytestmark = pytest.mark.django_db


def test_who_leaves_before_the_start_keeps_no_role_at_the_table() -> None:
    made = add_stage(event("kpgut-2016", 3), "session", start=False)
    oldest, youngest, starter = made.uids
    made.act(actions.name_roles, table=made.table.uid, oldest=oldest, youngest=youngest, starter=starter)
    made.act(actions.player_leaves, entry=oldest)
    table = made.refresh().table
    assert table.youngest
    assert table.starter
    assert (table.oldest, table.youngest.uid, table.starter.uid) == (None, youngest, starter)
    made.act(actions.withdraw_entry, entry=oldest)
    assert not Entry.objects.filter(uid=oldest).exists()


def test_a_referee_at_a_table_speaks_for_who_sits_there() -> None:
    made = running_match(players=4, tables=2)
    there, here = made.tables
    elsewhere = made.at(there)[0]
    asked: dict[str, Any] = {"entry": elsewhere, "table": here.uid}
    for action, more in (
        (actions.remove_player, {"reason": "disturbed"}),
        (actions.player_leaves, {}),
        (actions.readmit_player, {}),
    ):
        assert refusal(made, action, **asked, **more) == [("not_seated", "/table")]
    gone = made.at(here)[0]
    made.act(actions.remove_player, entry=gone, table=here.uid, reason="disturbed")
    assert Incident.objects.get().table == here


def test_who_reads_a_stage_hears_who_left_it() -> None:
    seated = add_stage(event("tite-2022", 4), "heats", start=False)
    played = running_heats(players=4, tables=1)
    recorded_heat(played)
    for made in (seated, played):
        row = made.act(actions.player_leaves, entry=made.uids[1], reason="last bus").sequence
        assert made.refresh().stage.version == row
    assert list(LedgerNote.objects.values_list("text", flat=True)) == ["last bus"] * 2


def test_an_entry_that_a_decision_names_cannot_be_taken_out() -> None:
    made = running_heats(players=4, tables=1)
    recorded_heat(made)
    made.act(actions.finish_stage, stage=made.stage.uid)
    final = uuid4()
    made.act(actions.plan_stage, stage=final, kind="final", settings={"target": 300})
    made.act(actions.fill_stage, stage=final, decided=[made.uids[2]], reason="reserve")
    late = uuid4()
    made.act(actions.enter_players, players=[{"entry": late, "name": "Late"}])
    made.act(actions.fill_stage, stage=final, decided=[late], reason="reserve")
    made.act(actions.player_leaves, entry=late)
    with pytest.raises(Refused) as refused:
        made.act(actions.withdraw_entry, entry=late)
    assert [fault.code for fault in refused.value.faults] == ["entry_in_use"]
    assert Decision.objects.get().entry.uid == late


def states_of(made: Event) -> list[str]:
    """The state of every entry, by start number."""
    entries = Entry.objects.filter(tournament=made.tournament).order_by("start_number")
    return list(entries.values_list("state", flat=True))


def test_check_in_is_one_row_and_is_taken_back() -> None:
    made = event(players=4)
    first, second, third, _fourth = made.uids
    made.act(actions.comes_late, entry=third)
    made.act(actions.check_in, entries=[first, second, third])
    assert states_of(made) == ["checked_in"] * 3 + ["registered"]
    made.act(actions.take_back_check_in, entries=[first, second])
    assert states_of(made) == ["registered", "registered", "checked_in", "registered"]
    assert LedgerRow.objects.filter(tournament=made.tournament).count() == 5
    assert agree(made)
    assert refusal(made, actions.check_in, entries=[first, uuid4()])[0][0] == "unknown_player"


def test_check_in_stays_once_somebody_has_played() -> None:
    made = running_match(players=3)
    made.act(actions.check_in, entries=made.uids)
    recorded_round(made)
    assert [code for code, _path in refusal(made, actions.take_back_check_in, entries=made.uids[:1])] == [
        "has_played"
    ]
    late = uuid4()
    made.act(actions.enter_players, players=[{"entry": late, "name": "Late"}])
    made.act(actions.check_in, entries=[late])
    made.act(actions.take_back_check_in, entries=[late])
    assert state_of(late) == "registered"


def test_who_comes_late_keeps_the_seat() -> None:
    made = add_stage(event("tite-2022", 4), "heats", start=False)
    made.act(actions.comes_late, entry=made.uids[0])
    assert state_of(made.uids[0]) == "late"
    assert Seat.objects.filter(entry__uid=made.uids[0]).exists()
    made.act(actions.take_back_check_in, entries=made.uids[:1])
    assert state_of(made.uids[0]) == "registered"
    made.act(actions.check_in, entries=made.uids)
    assert refusal(made, actions.comes_late, entry=made.uids[0])[0][0] == "not_expected"


def test_an_ejection_in_a_game_that_was_set_aside_keeps_nobody_out() -> None:
    made = running_session(players=4)
    one, two, three, four = made.uids
    first = uuid4()

    def facts(*outcomes: tuple[UUID, str, int | None]) -> dict[str, Any]:
        rows = [{"entry": uid, "outcome": how, "elapsed_s": at} for uid, how, at in outcomes]
        return {"ended": "last", "results": rows, "duration_s": 180}

    calm = facts((one, "out", 60), (two, "out", 120), (three, "out", 180), (four, "last", None))
    made.act(actions.record_game, table=made.table.uid, play=first, number=1, **calm)
    ejected = facts((one, "out", 60), (two, "last", None), (three, "out", 180), (four, "ejected", None))
    made.act(actions.record_game, table=made.table.uid, play=uuid4(), number=2, **ejected)
    seen = {"play": first, "version": made.play(first).version, "reason": "it was in game 1"}
    before = facts((one, "out", 60), (two, "out", 180), (three, "ejected", None), (four, "last", None))
    made.act(actions.correct_game, **seen, **before)
    made.act(actions.player_leaves, entry=four)
    made.act(actions.readmit_player, entry=four)
    assert state_of(four) == "checked_in"
    assert agrees(made)


def test_no_show_frees_the_seats_of_stages_not_begun() -> None:
    made = add_stage(event("tite-2022", 6), "heats", tables=2, start=False)
    gone = made.uids[:2]
    made.act(actions.no_show, entries=gone)
    assert states_of(made) == ["no_show"] * 2 + ["registered"] * 4
    assert not Seat.objects.filter(entry__uid__in=gone).exists()
    assert Seat.objects.count() == 4
    assert agrees(made)
    assert refusal(made, actions.no_show, entries=gone)[0][0] == "not_expected"


def test_no_show_at_a_running_match_is_withdrawn_there_and_stays_a_no_show() -> None:
    """The seat says withdrawn, as for somebody who leaves; the entry says that they never came."""
    made = running_match(players=3)
    made.act(actions.no_show, entries=made.uids[:1])
    assert state_of(made.uids[0]) == "no_show"
    seat = Seat.objects.get(entry__uid=made.uids[0])
    assert (seat.out_as, seat.out_from) == ("withdrawn", 1)
    assert standings(made)["Aino"][1] == "withdrawn"
    made.act(actions.readmit_player, entry=made.uids[0])
    assert state_of(made.uids[0]) == "checked_in"
    assert standings(made)["Aino"][1] == "ranked"


def test_who_has_played_is_no_no_show() -> None:
    made = running_match(players=3)
    recorded_round(made)
    assert refusal(made, actions.no_show, entries=made.uids[:1])[0][0] == "has_played"


@pytest.mark.beside
@pytest.mark.parametrize("state", ["applied", "waiting", "cancelled"])
@pytest.mark.parametrize("action", ["player_leaves", "remove_player"])
def test_nobody_leaves_who_is_not_in_the_event(state: str, action: str) -> None:
    made = event(players=1)
    Entry.objects.update(state=state)
    codes = refusal(made, getattr(actions, action), entry=made.uids[0], reason="x")
    assert codes == [("not_in_event", f"/entries/{made.uids[0]}")]


def test_only_who_is_out_is_readmitted() -> None:
    made = event(players=1)
    here = made.uids[0]
    for act in (None, actions.check_in):
        if act:
            made.act(act, entries=[here])
        assert refusal(made, actions.readmit_player, entry=here) == [("not_out", f"/entries/{here}")]


def walked_in(made: Event, **more: object) -> UUID:
    uid = uuid4()
    made.act(actions.walk_in, entry=uid, name="Walker", **more)
    return uid


def test_walk_in_is_entered_here_and_seated_last_in_one_row() -> None:
    made = running_session(players=4, tables=2)
    started_game(made)
    rows = LedgerRow.objects.count()
    uid = walked_in(made, club="Noppa", table=made.table.uid)
    assert LedgerRow.objects.count() == rows + 1
    assert made.at(made.table)[-1] == uid
    entry = Entry.objects.get(uid=uid)
    assert (entry.state, entry.club, entry.start_number) == ("checked_in", "Noppa", 5)
    assert agrees(made)


def test_walk_in_sits_at_no_table_that_has_begun() -> None:
    made = running_heats(players=6, tables=2)
    recorded_heat(made)
    codes = refusal(made, actions.walk_in, entry=uuid4(), name="Walker", table=made.table.uid)
    assert codes == [("table_has_begun", "/tables/1")]
    assert not Entry.objects.filter(public_name="Walker").exists()
    uid = walked_in(made, table=made.tables[1].uid)
    assert made.at(made.tables[1])[-1] == uid
    assert refusal(made, actions.walk_in, entry=uuid4(), name="")[0] == ("field_blank", "/name")
    assert refusal(made, actions.walk_in, entry=uuid4(), name="X", table=uuid4())[0][0] == "unknown_table"


def test_walk_in_may_wait_for_a_seat() -> None:
    made = running_session(players=4)
    uid = walked_in(made)
    assert state_of(uid) == "checked_in"
    assert not Seat.objects.filter(entry__uid=uid).exists()


def test_walk_in_sits_behind_who_is_still_there() -> None:
    made = running_session(players=4)
    first, *others = made.uids
    made.act(actions.player_leaves, entry=first)
    uid = walked_in(made, table=made.table.uid)
    seats = Seat.objects.order_by("position").values_list("entry__uid", "out_as")
    assert list(seats) == [*((each, "") for each in others), (uid, ""), (first, "withdrawn")]
    assert agrees(made)


def test_entry_keeps_real_name_and_consent_unless_they_are_given() -> None:
    made = event(players=1)
    uid = made.uids[0]
    given = {"entry": uid, "public_name": "Ansku", "start_number": 1}
    made.act(actions.edit_entry, **given, real_name="Anna Laine", guardian=True)
    made.act(actions.edit_entry, **given)
    entry = Entry.objects.get(uid=uid)
    assert (entry.player.name, entry.guardian) == ("Anna Laine", True)
    made.act(actions.edit_entry, **given, real_name="", guardian=False)
    entry = Entry.objects.get(uid=uid)
    assert (entry.player.name, entry.guardian) == ("Ansku", False)


def test_an_empty_name_is_one_fault() -> None:
    made = event(players=1)
    assert refusal(made, actions.edit_entry, entry=made.uids[0], public_name="", real_name="") == [
        ("field_blank", "/public_name")
    ]


def test_who_paid_is_noted_and_taken_back_whatever_their_state() -> None:
    made = event(players=3)
    made.act(actions.no_show, entries=made.uids[2:])
    made.act(actions.mark_paid, entries=made.uids)
    assert set(Entry.objects.values_list("paid", flat=True)) == {True}
    made.act(actions.mark_paid, entries=made.uids[:1], paid=False)
    assert Entry.objects.get(uid=made.uids[0]).paid is False
    assert refusal(made, actions.mark_paid, entries=[]) == [("nobody_chosen", "/entries")]
    facts = LedgerRow.objects.get(
        sequence=made.act(actions.mark_paid, entries=made.uids[:1]).sequence
    ).payload
    assert facts["entry"][str(made.uids[0])]["paid"] is True
