"""Guests: how much people without an account may do in events that nobody with a password runs."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import caches

from tests.support.factories import (
    Event,
    UserFactory,
    recorded_round,
    running_match,
)
from tournament import actions
from tournament.actions import Command
from tournament.actions.kernel import work as guests
from tournament.models import Entry, LedgerRow, Membership, Play, User
from tournament.results import Refused
from tournament.server.rate_limits import GuestThrottle

pytestmark = [pytest.mark.django_db, pytest.mark.both]

Role = Membership.Role


@pytest.fixture(autouse=True)
def _nothing_counted() -> None:
    caches["links"].clear()


def run_by_guest(players: int = 3) -> Event:
    """A running match whose organiser is a guest from now on."""
    made = running_match(players=players)
    as_guest(made.user)
    return made


def as_guest(user: User) -> None:
    """Take the account away: users are no facts of an event."""
    user.username, user.is_staff = f"guest-{user.pk}", False
    user.set_unusable_password()
    user.save()


def limited(
    monkeypatch: pytest.MonkeyPatch,
    players: int = 60,
    plays: int = 100,
    rows: int = 3000,
    writes: str = "120/min",
) -> None:
    monkeypatch.setattr(guests, "GUEST_MAXIMA", {"guest_players": players, "guest_plays": plays})
    monkeypatch.setattr(guests, "MOST_ROWS", rows)
    monkeypatch.setattr(GuestThrottle, "rate", writes)


def enter(made: Event, *names: str) -> None:
    made.act(actions.enter_players, players=[{"entry": uuid4(), "name": name} for name in names])


def refusal(call: Callable[[], Any]) -> tuple[str, str]:
    with pytest.raises(Refused) as refused:
        call()
    (fault,) = refused.value.faults
    return fault.code, fault.path


def test_guests_enter_so_many_players_at_once_or_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    made = run_by_guest(players=3)
    limited(monkeypatch, players=5)
    assert refusal(lambda: enter(made, "Ylva", "Zoë", "Åke")) == ("guest_players", "")
    enter(made, "Ylva")
    made.act(actions.walk_in, entry=uuid4(), name="Zoë")
    assert refusal(lambda: made.act(actions.walk_in, entry=uuid4(), name="Åke")) == ("guest_players", "")
    assert Entry.objects.filter(tournament=made.tournament).count() == 5


def test_five_thousand_names_are_refused_before_the_first_is_entered(monkeypatch: pytest.MonkeyPatch) -> None:
    made = run_by_guest()
    monkeypatch.setattr(actions.enter_players, "__wrapped__", None)
    players = [{"entry": uuid4(), "name": f"Player {number}"} for number in range(5000)]
    wrote = LedgerRow.objects.count()

    def enter() -> None:
        actions.enter_players(Command(uuid4(), made.user), made.tournament.uid, players=players)

    assert refusal(enter) == ("guest_players", "")
    assert LedgerRow.objects.count() == wrote


def test_a_table_has_so_many_rounds_and_an_event_so_many_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    made = run_by_guest()
    limited(monkeypatch, plays=2)
    recorded_round(made)
    recorded_round(made)
    assert refusal(lambda: recorded_round(made)) == ("guest_plays", "")
    assert Play.objects.count() == 2
    limited(monkeypatch, rows=made.refresh().tournament.version)
    assert refusal(lambda: made.act(actions.set_decks, decks=2)) == ("guest_rows", "")
    made.act(actions.erase_person, entry=made.entries[0].uid)


def test_an_event_from_before_goes_on_with_as_many_as_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    made = run_by_guest()
    recorded_round(made)
    limited(monkeypatch, players=2, plays=0)
    made.act(actions.check_in, entries=[made.entries[0].uid])
    made.act(
        actions.void_play,
        play=Play.objects.get().uid,
        version=Play.objects.get().version,
        reason="Miscounted",
    )
    assert refusal(lambda: enter(made, "Ylva")) == ("guest_players", "")


def test_a_guest_writes_so_often_and_may_send_the_same_again(monkeypatch: pytest.MonkeyPatch) -> None:
    made = run_by_guest()
    limited(monkeypatch, writes="2/min")
    made.act(actions.set_decks, decks=2)
    made.act(actions.set_decks, decks=3)
    command = Command(uuid4(), made.user)
    with pytest.raises(Refused) as refused:
        actions.set_decks(command, made.tournament.uid, decks=4)
    assert refused.value.faults[0].code == "guest_writes"
    assert 0 < refused.value.wait <= 60
    caches["links"].clear()  # a minute later
    actions.set_decks(command, made.tournament.uid, decks=4)
    assert actions.set_decks(command, made.tournament.uid, decks=4).replayed
    assert made.refresh().tournament.decks == 4


def test_a_person_who_enters_everything_of_a_table_of_eight_meets_no_limit() -> None:
    """The taps of a game of eight, one a second for a minute."""
    assert [GuestThrottle("somebody").allows() for _second in range(60)] == [True] * 60


def test_a_role_by_name_needs_an_account() -> None:
    made = run_by_guest()
    role = {"membership": uuid4(), "user": UserFactory().uid, "role": Role.ORGANISER}
    assert refusal(lambda: made.act(actions.grant_role, **role)) == ("account_needed", "")
