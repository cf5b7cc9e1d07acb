"""How a newcomer's practice begins and ends."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from tests.ledger.test_purge import everything
from tests.support.factories import event
from tests.support.practising import TRY, Practice, newcomer, practised
from tests.support.shared import shared_rows
from tournament import actions
from tournament.actions import Command, upkeep
from tournament.actions.kernel.work import writing
from tournament.actions.upkeep import PracticeFull, begin_practice
from tournament.jobs.upkeep import delete_practice_of, end_practice
from tournament.models import Tournament, User
from tournament.models.people import LASTS, NEWCOMER, PRACTICE_MAX_USERS
from tournament.practice import events
from tournament.practice.events import events_of, until

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def practice(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Practice]:
    with shared_rows(django_db_blocker, practised) as made:
        yield made


@pytest.fixture(autouse=True)
def _shared(practice: Practice, db: None, settings: Any) -> None:
    """Every test here sees the shared rows, on a server that offers practice."""
    settings.TRY = True


def test_events_are_made_without_a_transaction_around_their_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody's entry waits until all of them are there; what is interrupted is deleted in its time."""
    said: list[str] = []

    @contextmanager
    def told() -> Iterator[None]:
        said.append("begin")
        with writing():
            yield
        said.append("end")

    def make(visit: UUID, host: User) -> Iterator[UUID]:
        yield next(iter(events.make(visit, host)))
        said.append("second event")
        raise InterruptedError

    monkeypatch.setattr(upkeep, "writing", told)
    before = set(Tournament.objects.values_list("uid", flat=True))
    with pytest.raises(InterruptedError):
        begin_practice(visit := uuid4(), make)
    assert said == ["begin", "end", "second event"]
    assert not User.objects.filter(uid=visit).exists()
    made = Tournament.objects.exclude(uid__in=before)
    assert made.count() == 1
    end_practice(timezone.now() + LASTS)
    assert not made.exists()


def test_two_servers_end_it_at_once(practice: Practice, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second server puts away and deletes the events that the first has read, before the first gets to them."""
    events = events_of(practice.newcomer)
    put_away = actions.put_away
    others: Iterator[Callable[..., object]] = iter([put_away, lambda *_: delete_practice_of(events)])

    def late(command: Command, tournament: UUID) -> None:
        next(others, put_away)(command, tournament)
        put_away(command, tournament)

    monkeypatch.setattr(upkeep, "put_away", late)
    delete_practice_of(events)
    assert everything() == practice.before


def test_what_is_no_practice_never_ends(practice: Practice) -> None:
    rehearsal = event("tite-2022", players=3, rehearsal=True)
    rehearsal.act(
        actions.edit_tournament, name="Practice", starts_on=rehearsal.tournament.starts_on, listed=False,
        slug="practice-0123456789ab",
    )  # fmt: skip
    others = set(Tournament.objects.without_practice())
    end_practice(timezone.now() + timedelta(days=9))
    assert set(Tournament.objects.all()) == others
    assert until(rehearsal.tournament) is None


def test_as_many_as_there_may_be(client: Client, practice: Practice) -> None:
    newcomers = [
        User(username=f"guest-newcomer-{number}", date_joined=practice.newcomer.date_joined)
        for number in range(PRACTICE_MAX_USERS - 1)
    ]
    User.objects.bulk_create(newcomers)
    with pytest.raises(PracticeFull) as full:
        newcomer()
    assert 0 < full.value.seconds <= LASTS.total_seconds()
    answer = client.post(TRY, {"as": "player"})
    assert answer.status_code == 429
    assert 0 < int(answer.headers["Retry-After"]) <= full.value.seconds  # the clock goes on between the two
    assert "In the meantime, you can follow an event" in answer.content.decode()


def test_who_does_not_practise_now_takes_no_place(practice: Practice) -> None:
    over = practice.newcomer.date_joined - LASTS
    people = [User(username=f"{NEWCOMER}{uuid4()}", date_joined=over) for _ in range(PRACTICE_MAX_USERS)]
    people += [User(username=f"person-of-today-{number}") for number in range(PRACTICE_MAX_USERS)]
    User.objects.bulk_create(people)
    assert newcomer().is_newcomer


def test_what_is_full_makes_no_events_and_says_when_the_first_ends(practice: Practice) -> None:
    began = timezone.now()
    there = User.objects.filter(username__startswith=NEWCOMER)
    times = [began - timedelta(minutes=30), *[began] * (PRACTICE_MAX_USERS - 1 - there.count())]

    def join() -> None:
        newcomers = [User(username=f"{NEWCOMER}{uuid4()}", date_joined=time) for time in times]
        User.objects.bulk_create(newcomers)

    def meanwhile(_visit: UUID, _host: User) -> list[UUID]:
        join()
        return []

    there.update(date_joined=began)
    for make in (meanwhile, events.make):  # others were quicker; they were here before
        tournaments = Tournament.objects.count()
        with pytest.raises(PracticeFull) as full:
            begin_practice(uuid4(), make)
        assert full.value.seconds <= LASTS.total_seconds() - 30 * 60
        assert Tournament.objects.count() == tournaments


def test_newcomer_is_a_guest_from_the_moment_they_came(monkeypatch: pytest.MonkeyPatch) -> None:
    came = timezone.now() - timedelta(minutes=5)
    monkeypatch.setattr("django.utils.timezone.now", lambda: came)
    who = User.objects.get(pk=newcomer().pk)
    assert (who.first_name, who.date_joined, who.has_usable_password()) == ("Guest", came, False)


def test_host_is_lastcard_and_nobody_signs_in_as_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upkeep, "HOST", uid := uuid4())

    def make(_visit: UUID, _host: User) -> list[UUID]:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        begin_practice(uuid4(), make)
    host = User.objects.get(uid=uid)
    assert (host.first_name, host.has_usable_password()) == ("Lastcard", False)


def test_sessions_that_are_over_go_and_others_stay() -> None:
    now = timezone.now()
    for key, ends in (("over", now), ("holds", now + timedelta(minutes=1))):
        Session.objects.create(session_key=key, expire_date=ends)
    upkeep.sessions_over()
    assert list(Session.objects.values_list("session_key", flat=True)) == ["holds"]
