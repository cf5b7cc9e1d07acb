"""tournament/live/guard.py: who signed in and lost what they had hears of it within seconds, on open streams too."""

import asyncio
from collections.abc import Callable, Collection, Mapping
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from tests.live.driver import Reader
from tests.support.factories import Event, UserFactory, event
from tournament.live import guard
from tournament.live.guard import Guard
from tournament.live.hub import Hub
from tournament.live.store import Versions
from tournament.models import Membership, User
from tournament.queries.live import Standing, standings

pytestmark = pytest.mark.both

A, B = "a" * 32, "b" * 32


def cookie(session: str) -> dict[str, str]:
    return {"cookie": f"csrftoken=x; sessionid={session}; device=y"}


async def heard(before: Mapping[str, Standing], after: Mapping[str, Standing]) -> dict[str, Any]:
    """Give what streams of A, of B and of a visitor hear, and which of them end, when standings change."""
    versions, now = Versions(), [before]
    versions.announce({"stage": 1})
    hub = Hub(versions, cap=9)
    hub.start()

    def read(sessions: Collection[str]) -> Mapping[str, Standing]:
        assert set(sessions) == {A, B}
        return now[0]

    watch = Guard(hub, read, every=1000)
    await watch.start()
    readers = {
        "a": Reader(hub, "stage", headers=cookie(A)),
        "b": Reader(hub, "stage", headers=cookie(B)),
        "visitor": Reader(hub, "stage"),
    }
    for reader in readers.values():
        assert await reader.event() == ("version", 1)
    await watch.look()
    now[0] = after
    await watch.look()
    found = {}
    for name, reader in readers.items():
        found[name] = [] if reader.quiet else [(await reader.event())[0]]
        await reader.close()
    assert not hub.sessions
    await watch.stop()
    return found


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ((1, False), (1, False), []),
        ((1, False), None, ["who"]),
        ((1, False), (1, True), ["who"]),
        (None, None, ["who"]),
    ],
    ids=["same", "lost", "more", "never-held"],
)
def test_only_streams_of_the_session_that_changed_are_told(
    before: Standing, after: Standing, told: list[str]
) -> None:
    same: Standing = (2, False)
    found = asyncio.run(heard({A: before, B: same}, {A: after, B: same}))
    assert found == {"a": told, "b": [], "visitor": []}


def test_look_is_every_two_seconds_so_that_all_is_over_within_five() -> None:
    assert guard.EVERY + 1 < 5


def session_of(client: Client) -> str:
    key = client.session.session_key
    assert key
    return key


@pytest.fixture
def refereed(db: None) -> tuple[Event, User, str]:
    """An event, a head referee of it and their session."""
    made = event()
    user: User = UserFactory()
    Membership.objects.create(user=user, tournament=made.tournament, role=Membership.Role.HEAD_REFEREE)
    client = Client()
    client.force_login(user)
    return made, user, session_of(client)


def no_role(user: User, session: str) -> None:
    Membership.objects.filter(user=user).delete()


def password(user: User, session: str) -> None:
    user.set_password("another")
    user.save()


def closed(user: User, session: str) -> None:
    User.objects.filter(pk=user.pk).update(is_active=False)


def signed_out(user: User, session: str) -> None:
    Session.objects.filter(session_key=session).delete()


def expired(user: User, session: str) -> None:
    Session.objects.filter(session_key=session).update(expire_date=timezone.now() - timedelta(seconds=1))


def staff(user: User, session: str) -> None:
    User.objects.filter(pk=user.pk).update(is_staff=True)


@pytest.mark.parametrize(
    ("change", "holds"),
    [
        (no_role, True),
        (staff, True),
        (password, False),
        (closed, False),
        (signed_out, False),
        (expired, False),
    ],
    ids=["role", "staff", "password", "closed", "signed-out", "expired"],
)
def test_standing_changes_with_whatever_gave_it(
    refereed: tuple[Event, User, str], change: Callable[[User, str], None], holds: bool
) -> None:
    _made, user, session = refereed
    other = Client()
    other.force_login(UserFactory())
    asked = [session, session_of(other), A]
    before = standings(asked)
    assert before[session] is not None
    assert before[A] is None
    change(user, session)
    after = standings(asked)
    assert after[session] != before[session]
    assert (after[session] is not None) is holds
    assert after[asked[1]] == before[asked[1]]


@pytest.mark.django_db
def test_question_is_the_same_size_for_many_sessions(django_assert_num_queries: Any) -> None:
    sessions = []
    for _ in range(3):
        client = Client()
        client.force_login(UserFactory())
        sessions.append(session_of(client))
    for asked in (sessions[:1], sessions):
        with django_assert_num_queries(3):
            standings(asked)
