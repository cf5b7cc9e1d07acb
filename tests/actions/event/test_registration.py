"""Registering: who gets a place, who waits and who asks; approving, declining, moving up; what is refused where."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import timezone
from hypothesis import given, strategies as st
from hypothesis.extra.django import TestCase

from tests.depth import examples
from tests.support.arriving import opened, own, registered
from tests.support.asking_actions import agree, agrees, refusal, state_of
from tests.support.factories import add_stage, event
from tournament import actions
from tournament.actions import Command
from tournament.actions.people.roles import own_link_user
from tournament.models import Entry, LedgerNote, LedgerRow, Player, Registration
from tournament.queries import registration
from tournament.queries.registration import is_minor
from tournament.results.faults import CommandReused, Forbidden, Refused

pytestmark = pytest.mark.django_db

State = Entry.State
NOON = datetime(2026, 5, 9, 12, tzinfo=UTC)


def faults(call: Callable[[], Any]) -> set[tuple[str, str]]:
    """Give codes and paths of the refusal; nothing was stored."""
    before = LedgerRow.objects.count(), Entry.objects.count(), Player.objects.count()
    with pytest.raises(Refused) as refused:
        call()
    assert (LedgerRow.objects.count(), Entry.objects.count(), Player.objects.count()) == before
    return {(fault.code, fault.path) for fault in refused.value.faults}


# ---- registering ----


def test_who_registers_takes_part_and_is_known_by_the_nickname() -> None:
    made = opened()
    uid = registered(
        made, " Aino ", club="Noppa", real_name="Aino M", birth_date=date(1990, 1, 2), contact="040"
    )
    entry = Entry.objects.select_related("player").get(uid=uid)
    assert (entry.state, entry.public_name, entry.club, entry.start_number) == (
        State.REGISTERED,
        "Aino",
        "Noppa",
        1,
    )
    assert (entry.player.name, entry.player.contact) == ("Aino M", "040")
    assert entry.accepted_at is not None
    assert not entry.guardian
    assert LedgerRow.objects.latest("sequence").actor == own_link_user()
    assert agree(made)


def test_the_same_command_twice_makes_one_entry() -> None:
    made = opened()
    command, uid = Command(uuid4(), own_link_user()), uuid4()
    again = [
        actions.register(command, made.tournament.uid, entry=uid, public_name="Aino", terms=True)
        for _ in range(2)
    ]
    assert [receipt.replayed for receipt in again] == [False, True]
    assert Entry.objects.count() == 1
    with pytest.raises(CommandReused):
        actions.register(command, made.tournament.uid, entry=uid, public_name="Eeva", terms=True)


def test_registration_is_closed_until_opened_past_its_time_and_when_the_event_is_over() -> None:
    closed = {("registration_closed", "")}
    made = event()
    assert faults(lambda: registered(made, "Aino")) == closed
    opened(made, closes_at=timezone.now() - timedelta(seconds=1))
    assert faults(lambda: registered(made, "Aino")) == closed
    opened(made, closes_at=timezone.now() + timedelta(minutes=1))
    registered(made, "Aino")
    made.act(actions.set_registration, opened=False)
    assert faults(lambda: registered(made, "Eeva")) == closed


def test_registration_is_closed_when_the_event_is_finished() -> None:
    made = add_stage(event("kpgut-2016", 3), "session")
    opened(made)
    registered(made, "During play")
    made.act(actions.finish_stage, stage=made.stage.uid)
    assert faults(lambda: registered(made, "After it")) == {("registration_closed", "")}


def test_everything_wrong_is_said_at_once_and_at_its_field() -> None:
    made = opened()
    wrong: dict[str, Any] = {
        "public_name": "",
        "club": "x" * 101,
        "real_name": "y" * 101,
        "birth_date": date(2090, 1, 1),
        "contact": "z" * 201,
        "minor": True,
        "terms": False,
    }
    assert faults(lambda: registered(made, name="", **wrong)) == {
        ("field_blank", "/public_name"),
        ("field_max_length", "/club"),
        ("field_max_length", "/real_name"),
        ("not_a_birth_date", "/birth_date"),
        ("field_max_length", "/contact"),
        ("guardian_missing", "/guardian"),
        ("terms_not_accepted", "/terms"),
    }


@pytest.mark.parametrize("name", ["", "  ", "\u200b", "\u00ad\u2060", "\u3164", "\u0301"])
def test_a_name_that_nobody_can_read_is_none(name: str) -> None:
    made = opened()
    assert {path for _code, path in faults(lambda: registered(made, name))} == {"/public_name"}


@pytest.mark.parametrize("name", ["aino m", "AINO  M", "Ａｉｎｏ Ｍ", "Ai\u200bno M"])
def test_a_taken_name_is_refused_however_it_is_written(name: str) -> None:
    made = opened()
    first = registered(made, "Aino M")
    assert faults(lambda: registered(made, name)) == {("name_taken", "/public_name")}
    own(made, actions.cancel_self, first)
    registered(made, name)
    assert faults(lambda: own(made, actions.come_back_self, first)) == {("name_taken", "/public_name")}


@pytest.mark.parametrize(
    ("more", "refused", "guardian"),
    [
        ({"birth_date": date(2008, 5, 10)}, True, False),  # 18 the day after the event
        ({"birth_date": date(2008, 5, 9)}, False, False),  # 18 on the day
        ({"minor": True}, True, False),
        ({"minor": True, "guardian": True}, False, True),
        ({"birth_date": date(2015, 1, 1), "guardian": True}, False, True),
        ({"guardian": True}, False, False),  # nobody asked for it, so it is not kept
        ({"birth_date": date(1899, 12, 31)}, True, False),
        ({"birth_date": date(1900, 1, 1)}, False, False),
        ({"birth_date": date(2026, 5, 9), "guardian": True}, False, True),  # born on the day of the event
    ],
)
def test_a_minor_needs_a_guardian_who_agrees(more: dict[str, Any], refused: bool, guardian: bool) -> None:
    made = opened()
    if refused:
        assert faults(lambda: registered(made, "Aino", **more))
    else:
        assert Entry.objects.get(uid=registered(made, "Aino", **more)).guardian is guardian


def test_a_minor_is_who_is_not_eighteen_on_the_day() -> None:
    assert not is_minor(None, date(2026, 5, 9))
    assert is_minor(date(2008, 3, 1), date(2026, 2, 28))
    assert not is_minor(date(2008, 2, 29), date(2026, 3, 1))


def test_a_flood_is_stopped_without_closing_registration(monkeypatch: pytest.MonkeyPatch) -> None:
    made = opened()
    monkeypatch.setattr(registration, "MOST_UNSEEN", 2)
    first = registered(made, "A")
    registered(made, "B")
    assert faults(lambda: registered(made, "C")) == {("too_many_unseen", "")}
    own(made, actions.cancel_self, first)  # who cancels at once could go on without end
    assert faults(lambda: registered(made, "C")) == {("too_many_unseen", "")}
    own(made, actions.come_back_self, first)
    made.act(actions.check_in, entries=[first])
    registered(made, "C")


# ---- places, the waiting list, approval ----


def test_with_approval_one_asks_and_an_organiser_says_yes_or_no() -> None:
    made = opened(approval=True, most=2)
    first, second, third = (registered(made, name) for name in "ABC")
    assert [state_of(uid) for uid in (first, second, third)] == ["applied", "applied", "waiting"]
    made.act(actions.approve_entries, entries=[first])
    made.act(actions.decline_entry, entry=second, reason="Known for marked cards")
    assert [state_of(uid) for uid in (first, second, third)] == ["registered", "cancelled", "applied"]
    assert LedgerNote.objects.get().text == "Known for marked cards"
    assert refusal(made, actions.approve_entries, entries=[second]) == [("not_asking", f"/entries/{second}")]
    assert refusal(made, actions.approve_entries, entries=[]) == [("nobody_chosen", "/entries")]
    assert refusal(made, actions.decline_entry, entry=first) == [("not_asking", f"/entries/{first}")]
    assert agree(made)


def test_approved_takes_part_also_beyond_a_limit_that_was_lowered() -> None:
    made = opened(approval=True)
    people = [registered(made, name) for name in "ABC"]
    opened(made, approval=True, most=1)
    waiting = registered(made, "D")
    made.act(actions.approve_entries, entries=people[:1])
    made.act(actions.approve_entries, entries=people[:0:-1])
    assert [state_of(uid) for uid in (*people, waiting)] == ["registered"] * 3 + ["waiting"]
    assert refusal(made, actions.approve_entries, entries="all") == [("malformed", "/entries")]


def test_approved_takes_part_after_somebody_from_the_waiting_list_was_let_in() -> None:
    made = opened(approval=True, most=2)
    people = [registered(made, name) for name in "ABC"]
    made.act(actions.take_from_waiting, entry=people[2])
    made.act(actions.approve_entries, entries=people[:2])
    assert [state_of(uid) for uid in people] == ["registered"] * 3


def test_an_organiser_takes_one_from_the_waiting_list_beyond_the_limit() -> None:
    made = opened(most=1)
    first, second, third = (registered(made, name) for name in "ABC")
    made.act(actions.take_from_waiting, entry=third)
    assert [state_of(uid) for uid in (first, second, third)] == ["registered", "waiting", "registered"]
    assert refusal(made, actions.take_from_waiting, entry=first) == [("not_waiting", f"/entries/{first}")]
    own(made, actions.cancel_self, first)
    assert state_of(second) == "waiting"  # two places of one are taken
    made.act(actions.take_from_waiting, entry=first)
    assert state_of(first) == "registered"


def test_an_entry_taken_out_frees_its_place() -> None:
    made = opened(most=1)
    first, second = registered(made, "A"), registered(made, "B")
    made.act(actions.withdraw_entry, entry=first)
    assert state_of(second) == "registered"
    assert agree(made)


def test_a_head_referee_approves_and_declines_nobody() -> None:
    made = opened(approval=True)
    uid = registered(made, "A")
    made.user = made.referee()
    with pytest.raises(Forbidden):
        made.act(actions.decline_entry, entry=uid)
    made.act(actions.approve_entries, entries=[uid])
    with pytest.raises(Forbidden):
        made.act(actions.set_registration, opened=False)


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ({"most": 0}, "/most"),
        ({"most": -1}, "/most"),
        ({"most": "7"}, "/most"),
        ({"most": 10_001}, "/most"),
        ({"terms": "x" * 5001}, "/terms"),
        ({"safer_space": "x" * 5001}, "/safer_space"),
        ({"contact_person": "x" * 201}, "/contact_person"),
        (
            {"check_in_from": timezone.now(), "check_in_until": timezone.now() - timedelta(1)},
            "/check_in_until",
        ),
        ({"check_in_from": NOON, "check_in_until": NOON}, "/check_in_until"),
        *(
            ({name: NOON.replace(year=3000)}, f"/{name}")
            for name in ("closes_at", "check_in_from", "check_in_until")
        ),
    ],
)
def test_what_does_not_fit_is_refused_at_its_field(arguments: dict[str, Any], path: str) -> None:
    assert [at for _code, at in refusal(event(), actions.set_registration, opened=True, **arguments)] == [
        path
    ]
    assert not Registration.objects.exists()


def test_as_many_places_and_as_long_texts_as_there_may_be() -> None:
    made = opened(most=10_000, terms="x" * 5000, safer_space="x" * 5000)
    assert Registration.objects.get().most == 10_000
    with pytest.raises(Refused) as refused:
        opened(made, most=0)
    assert refused.value.faults[0].parameters == {"least": 1, "most": 10_000}


def test_texts_keep_their_lines_and_lose_what_no_database_keeps() -> None:
    made = opened(terms=" One \r\n\x00Two\n\n", contact_person=" Outi\n040 ")
    row = Registration.objects.get()
    assert (row.terms, row.contact_person) == ("One\nTwo", "Outi040")
    assert agree(made)


class TestPlaces(TestCase):
    """In whatever order things come, no more places are given away than there are, and everybody who waits has a
    reason."""

    @examples(25)
    @given(data=st.data())
    def test_the_limit_holds_and_no_place_stays_empty_while_somebody_waits(self, data: st.DataObject) -> None:
        made = event()
        most = data.draw(st.integers(1, 4), label="most")
        opened(made, most=most, approval=data.draw(st.booleans(), label="approval"))
        people: list[UUID] = []
        for step in range(data.draw(st.integers(3, 14), label="steps")):
            move = data.draw(st.sampled_from(["register", "cancel", "back", "approve", "decline", "leave"]))
            try:
                if move == "register" or not people:
                    people.append(registered(made, f"Player {step}"))
                    continue
                uid = data.draw(st.sampled_from(people))
                if move == "approve":
                    made.act(actions.approve_entries, entries=[uid])
                elif move == "decline":
                    made.act(actions.decline_entry, entry=uid)
                elif move == "leave":
                    made.act(actions.check_in, entries=[uid])
                    own(made, actions.leave_self, uid)
                else:
                    own(made, actions.cancel_self if move == "cancel" else actions.come_back_self, uid)
            except Refused:
                pass
            taken = registration.places_taken(made.tournament)
            assert taken <= most
            assert taken == most or not Entry.objects.filter(state=State.WAITING).exists()
        assert agree(made)


def test_agreement_of_ledger_and_facts_holds_after_a_limit_in_play() -> None:
    made = add_stage(event("kpgut-2016", 3), "session")
    opened(made, most=1)
    assert agrees(made)


def test_who_cancelled_comes_back_under_a_name_that_is_free() -> None:
    made = opened()
    first = registered(made, "Aino")
    own(made, actions.cancel_self, first)
    registered(made, "aino")
    assert refusal(made, actions.take_from_waiting, entry=first) == [("name_taken", "/public_name")]
