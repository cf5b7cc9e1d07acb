"""Actions that a player takes by their own link, and that nothing else takes."""

from collections.abc import Callable
from datetime import date, timedelta
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from tests.support.arriving import by_link, opened, own, registered, token_of
from tests.support.asking_actions import state_of
from tests.support.factories import (
    Event,
    add_stage,
    event,
    recorded_round,
    running_match,
    running_session,
    started_game,
)
from tournament import actions
from tournament.actions import Receipt
from tournament.ledger.verify import verify
from tournament.links import token_for
from tournament.models import Entry, LedgerRow, Seat, User
from tournament.models.people import OWN_LINK
from tournament.results.faults import Forbidden, Refused

pytestmark = pytest.mark.django_db

State = Entry.State
HOUR = timedelta(hours=1)


def codes(call: Callable[[], Any]) -> list[str]:
    """Give the codes of the refusal; nothing was stored."""
    before = LedgerRow.objects.count()
    with pytest.raises(Refused) as refused:
        call()
    assert LedgerRow.objects.count() == before
    return [fault.code for fault in refused.value.faults]


def sound(made: Event) -> bool:
    made.tournament.refresh_from_db()
    return verify(made.tournament) == []


def window(made: Event, start: timedelta | None, end: timedelta | None) -> Event:
    now = timezone.now()
    return opened(
        made,
        check_in_from=None if start is None else now + start,
        check_in_until=None if end is None else now + end,
    )


@pytest.mark.parametrize(
    ("start", "end", "allowed"),
    [
        (None, None, False),
        (-HOUR, HOUR, True),
        (-HOUR, None, True),
        (None, HOUR, True),
        (HOUR, 2 * HOUR, False),
        (-2 * HOUR, -HOUR, False),
    ],
)
def test_players_check_themselves_in_within_the_time_that_was_set(
    start: timedelta | None, end: timedelta | None, allowed: bool
) -> None:
    made = window(event(), start, end)
    uid = registered(made, "Aino")
    if allowed:
        own(made, actions.check_in_self, uid)
        own(made, actions.check_in_self, uid)  # a second tap harms nothing
        assert state_of(uid) == State.CHECKED_IN
    else:
        assert codes(lambda: own(made, actions.check_in_self, uid)) == ["check_in_closed"]


def test_who_waits_or_asks_or_is_out_cannot_check_in() -> None:
    made = window(event(), -HOUR, HOUR)
    first = registered(made, "A")
    opened(made, most=1, check_in_from=timezone.now() - HOUR)
    waits = registered(made, "B")
    assert codes(lambda: own(made, actions.check_in_self, waits)) == ["not_expected"]
    made.act(actions.remove_player, entry=first, reason="Disturbed")
    assert codes(lambda: own(made, actions.check_in_self, first)) == ["not_expected"]


def test_who_comes_late_keeps_the_seat_and_can_check_in() -> None:
    made = running_match(players=3)
    window(made, -HOUR, HOUR)
    uid = made.uids[0]
    own(made, actions.come_late, uid)
    assert state_of(uid) == State.LATE
    assert made.at(made.table) == made.uids
    own(made, actions.check_in_self, uid)
    assert codes(lambda: own(made, actions.come_late, uid)) == ["not_expected"]
    assert sound(made)


def test_who_cancels_before_play_gives_the_drawn_seat_back() -> None:
    made = add_stage(event("kpgut-2016", 3), "session", start=False)
    uid = made.uids[1]
    own(made, actions.cancel_self, uid)
    assert state_of(uid) == State.CANCELLED
    assert uid not in made.at(made.table)
    assert codes(lambda: own(made, actions.cancel_self, uid)) == ["not_now"]
    own(made, actions.come_back_self, uid)
    assert state_of(uid) == State.APPLIED  # registration was never opened, so an organiser decides
    assert sound(made)


def test_who_was_seen_leaves_and_is_listed_as_left() -> None:
    made = opened(event(players=2), approval=True)  # who was approved before is not asked about again
    uid = made.uids[0]
    made.act(actions.check_in, entries=[uid])
    assert codes(lambda: own(made, actions.cancel_self, uid)) == ["not_now"]
    own(made, actions.leave_self, uid)
    assert state_of(uid) == State.LEFT
    own(made, actions.come_back_self, uid)
    assert state_of(uid) == State.REGISTERED
    assert sound(made)


def test_leaving_during_a_match_is_leaving_at_the_table_and_a_referee_lets_back_in() -> None:
    made = running_match(players=3)
    recorded_round(made)
    uid = made.uids[2]
    assert codes(lambda: own(made, actions.cancel_self, uid)) == ["play_has_begun"]
    own(made, actions.leave_self, uid)
    seat = Seat.objects.get(entry__uid=uid)
    assert (state_of(uid), seat.out_as, seat.out_from) == (State.LEFT, Seat.OutAs.WITHDRAWN, 2)
    assert codes(lambda: own(made, actions.come_back_self, uid)) == ["play_has_begun"]
    assert codes(lambda: own(made, actions.leave_self, uid)) == ["already_out"]
    assert sound(made)


def test_nobody_leaves_in_the_middle_of_a_game() -> None:
    made = running_session(players=3)
    started_game(made)
    assert codes(lambda: own(made, actions.leave_self, made.uids[0])) == ["in_running_game"]


def test_who_waits_can_stop_waiting_during_play() -> None:
    made = running_match(players=2)
    opened(made, most=2)
    uid = registered(made, "Waits")
    assert codes(lambda: own(made, actions.leave_self, uid)) == ["not_now"]
    own(made, actions.cancel_self, uid)
    assert state_of(uid) == State.CANCELLED


def test_who_asks_and_cancels_gives_the_place_to_the_first_who_waits() -> None:
    made = opened(most=1, approval=True)
    asks, waits = registered(made, "Asks"), registered(made, "Waits")
    assert (state_of(asks), state_of(waits)) == (State.APPLIED, State.WAITING)
    own(made, actions.cancel_self, asks)
    assert (state_of(asks), state_of(waits)) == (State.CANCELLED, State.APPLIED)
    assert sound(made)


def test_after_the_event_nobody_leaves_or_comes_late() -> None:
    made = running_session(players=2)
    made.act(actions.finish_stage, stage=made.stage.uid)
    for action in (actions.leave_self, actions.come_late):
        assert codes(partial(own, made, action, made.uids[0])) == ["event_over"]


def test_a_removed_player_does_not_come_back_by_themselves() -> None:
    made = event(players=2)
    made.act(actions.remove_player, entry=made.uids[0], reason="Disturbed")
    assert codes(lambda: own(made, actions.come_back_self, made.uids[0])) == ["not_now"]


def test_own_data_changes_everywhere_and_the_ledger_keeps_none_of_it() -> None:
    made = opened()
    uid = registered(made, "Aino", real_name="Aino Mäkelä")
    own(
        made,
        actions.change_own_entry,
        uid,
        public_name="Äinö",
        real_name="",
        club="Korpi",
        birth_date=date(1999, 9, 9),
        contact="aino@example.org",
    )
    entry = Entry.objects.select_related("player").get(uid=uid)
    assert (entry.public_name, entry.club) == ("Äinö", "Korpi")
    assert (entry.player.name, entry.player.birth_date) == ("Äinö", date(1999, 9, 9))  # no real name any more
    payloads = str(list(LedgerRow.objects.values_list("payload", flat=True)))
    assert not any(word in payloads for word in ("Aino", "Äinö", "Korpi", "1999-09-09", "example"))
    assert sound(made)


def test_the_nickname_is_locked_once_play_began_and_the_rest_is_not() -> None:
    made = running_match(players=2)
    uid, name = made.uids[0], made.entries[0].public_name

    def change(**more: Any) -> Receipt:
        return own(made, actions.change_own_entry, uid, **{"public_name": name, **more})

    assert codes(lambda: change(public_name="Other")) == ["name_locked"]
    row = change(club="Korpi").sequence
    assert Entry.objects.get(uid=uid).club == "Korpi"
    assert made.refresh().stage.version == row


def test_namesakes_whom_an_organiser_entered_may_change_the_rest() -> None:
    made = event()
    twins = [uuid4(), uuid4()]
    made.act(actions.enter_players, players=[{"entry": uid, "name": "Kim"} for uid in twins])
    own(made, actions.change_own_entry, twins[0], public_name="Kim", club="Korpi")
    own(made, actions.change_own_entry, twins[0], public_name="Kim the first")
    assert codes(lambda: own(made, actions.change_own_entry, twins[1], public_name="kim the FIRST")) == [
        "name_taken"
    ]


def test_a_birth_date_that_makes_a_minor_needs_the_guardian() -> None:
    made = opened()
    uid = registered(made, "Aino")
    own(made, actions.change_own_entry, uid, public_name="Aino", guardian=True)
    assert not Entry.objects.get(uid=uid).guardian  # of somebody grown up
    young = {"public_name": "Aino", "birth_date": date(2015, 1, 1)}
    assert codes(lambda: own(made, actions.change_own_entry, uid, **young)) == ["guardian_missing"]
    own(made, actions.change_own_entry, uid, **young, guardian=True)
    assert Entry.objects.get(uid=uid).guardian


def test_nobody_signs_in_as_who_writes_by_own_links() -> None:
    registered(opened(), "Aino")
    assert not User.objects.get(username=OWN_LINK).has_usable_password()


def test_a_new_link_ends_the_old_ones() -> None:
    made = event(players=1)
    uid = made.uids[0]
    old = token_of(uid)
    made.act(actions.renew_link, entry=uid)
    with pytest.raises(Forbidden):
        by_link(made, actions.come_late, token=old)
    own(made, actions.come_late, uid)
    assert sound(made)


def foreign_tokens(made: Event, other: Event) -> dict[str, str]:
    uid: UUID = made.uids[0]
    return {
        "none": "",
        "not one": "x" * 43,
        "the badge's id": str(uid),
        "somebody elsewhere": token_of(other.uids[0]),
        "nobody": token_for("player", uuid4()),
        "an invite's": token_for("invite", uid),
        "another number": token_for("player", uid, 1),
    }


@pytest.mark.parametrize(
    "action",
    [
        actions.check_in_self,
        actions.come_late,
        actions.cancel_self,
        actions.leave_self,
        actions.come_back_self,
        actions.change_own_entry,
    ],
)
def test_no_other_token_does_anything(action: Callable[..., Receipt]) -> None:
    made, other = window(event(players=1), -HOUR, HOUR), event(players=1)
    more = {"public_name": "X"} if action is actions.change_own_entry else {}
    rows = LedgerRow.objects.count()
    for what, token in foreign_tokens(made, other).items():
        with pytest.raises(Forbidden):
            by_link(made, action, token=token, **more)
        assert LedgerRow.objects.count() == rows, what
