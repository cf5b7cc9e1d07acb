"""Access tokens as the actions make, revoke and note them, by the clock of the test."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from tests.actions.kernel.test_guests import run_by_guest
from tests.support.factories import StaffFactory, UserFactory, event
from tournament.actions.people.roles import LONGEST_NAME
from tournament.extras.programs.actions import (
    MOST_DAYS,
    SEEN_EVERY,
    make_token,
    revoke_token,
    token_used,
)
from tournament.models import ApiToken, User
from tournament.models.people import NEWCOMER
from tournament.results.faults import Fault, Forbidden, Refused

pytestmark = [pytest.mark.django_db, pytest.mark.both]

NOW = datetime(2026, 5, 9, 12, 0, tzinfo=UTC)
ASKED: dict[str, Any] = {"name": "Board", "scope": "read", "tournament": None}

Clock = Callable[[datetime], None]


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Sets what time it is; at first NOW."""

    def stand(at: datetime) -> None:
        monkeypatch.setattr(timezone, "now", lambda: at)

    stand(NOW)
    return stand


def made(user: User, **more: Any) -> tuple[ApiToken, str]:
    return make_token(user, **ASKED | {"expires_at": NOW + timedelta(days=1)} | more)


def faults(action: Callable[..., Any], *asked: Any, **more: Any) -> list[Fault]:
    with pytest.raises(Refused) as refused:
        action(*asked, **more)
    return list(refused.value.faults)


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        (
            {"name": "x" * (LONGEST_NAME + 1)},
            Fault("field_max_length", "/name", {"limit_value": 60, "show_value": 61}),
        ),
        ({"expires_at": NOW}, Fault("expiry_out_of_range", "/expires_at", {"days": MOST_DAYS})),
        (
            {"expires_at": NOW + timedelta(days=MOST_DAYS, microseconds=1)},
            Fault("expiry_out_of_range", "/expires_at", {"days": MOST_DAYS}),
        ),
        ({"tournament": uuid4()}, Fault("unknown_tournament", "/tournament")),
    ],
    ids=["long name", "ends now", "ends too late", "no such event"],
)
def test_a_token_that_does_not_fit_is_refused_where_it_does_not(wrong: dict[str, Any], fault: Fault) -> None:
    event()
    assert faults(made, UserFactory(), **wrong) == [fault]
    assert not ApiToken.objects.exists()


def test_a_token_may_hold_to_the_last_moment_allowed() -> None:
    until = NOW + timedelta(days=MOST_DAYS)
    assert made(UserFactory(), expires_at=until)[0].expires_at == until


def test_a_newcomer_makes_no_token() -> None:
    with pytest.raises(Forbidden) as forbidden:
        made(UserFactory(username=f"{NEWCOMER}1"))
    assert forbidden.value.faults == (Fault("forbidden", parameters={"action": "make_token"}),)


def test_only_ones_own_tokens_that_still_hold_are_counted(
    monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    monkeypatch.setattr("tournament.extras.programs.actions.MOST_TOKENS", 1)
    user = UserFactory()
    made(UserFactory())
    made(user, token=uuid4())
    assert faults(made, user) == [Fault("too_many_tokens", parameters={"most": 1})]
    clock(NOW + timedelta(days=1))
    made(user, expires_at=NOW + timedelta(days=2))


def test_a_token_reaches_the_event_that_was_named() -> None:
    named = [event().tournament, event().tournament]
    assert [made(UserFactory(), tournament=each.uid)[0].tournament for each in named] == named


def test_the_token_that_was_named_is_revoked_and_no_other() -> None:
    user = UserFactory()
    tokens = [made(user)[0] for _ in range(3)]
    revoke_token(user, tokens[1].uid)
    assert list(ApiToken.objects.exclude(revoked_at=None)) == [tokens[1]]
    assert faults(revoke_token, UserFactory(), tokens[0].uid) == [Fault("unknown_token", "/token")]


def test_a_secret_is_of_its_own_token() -> None:
    tokens = [made(UserFactory()) for _ in range(2)]
    assert [token_used(secret) for _row, secret in tokens] == [row for row, _secret in tokens]
    assert token_used("lc_wrong") is None


def test_use_is_noted_of_this_token_and_again_when_a_minute_is_over(clock: Clock) -> None:
    (row, secret), (other, _secret) = (made(UserFactory()) for _ in range(2))
    for at, noted in (
        (NOW, NOW),
        (NOW + SEEN_EVERY - timedelta(seconds=1), NOW),
        (NOW + SEEN_EVERY, NOW + SEEN_EVERY),
    ):
        clock(at)
        assert token_used(secret) == row
        row.refresh_from_db()
        assert row.used_at == noted
    other.refresh_from_db()
    assert other.used_at is None


@pytest.mark.parametrize(
    ("wrong", "path"),
    [({"name": " "}, "/name"), ({"scope": "all"}, "/scope"), ({"hours": -1}, "/expires_at")],
    ids=["no name", "no scope", "over"],
)
def test_a_token_that_nobody_could_use_is_not_made(wrong: dict[str, Any], path: str) -> None:
    asked = {"name": "Board", "scope": "read", "tournament": None, "hours": 1} | wrong
    until = timezone.now() + timedelta(hours=asked.pop("hours"))
    with pytest.raises(Refused) as refused:
        make_token(StaffFactory(), expires_at=until, **asked)
    assert [fault.path for fault in refused.value.faults] == [path]


def test_a_token_for_an_event_that_is_none_is_not_made() -> None:
    with pytest.raises(Refused, match="unknown_tournament"):
        make_token(
            StaffFactory(),
            name="Board",
            scope="read",
            tournament=uuid4(),
            expires_at=timezone.now() + timedelta(1),
        )


def test_a_form_for_a_token_that_is_sent_twice_makes_one() -> None:
    user, uid = StaffFactory(), uuid4()
    asked: dict[str, Any] = {"name": "Board", "scope": "read", "tournament": None, "token": uid}
    asked["expires_at"] = timezone.now() + timedelta(hours=1)
    assert make_token(user, **asked)[0].uid == uid
    with pytest.raises(Refused, match="token_exists at /token"):
        make_token(user, **asked)
    assert make_token(user, **{**asked, "token": None})[0].uid != uid


def test_a_token_that_ended_ended_when_it_did() -> None:
    user = StaffFactory()
    until = timezone.now() + timedelta(hours=1)
    token, _secret = make_token(user, name="Board", scope="read", tournament=None, expires_at=until)
    revoke_token(user, token.uid)
    token.refresh_from_db()
    ended = token.revoked_at
    assert ended
    revoke_token(user, token.uid)
    token.refresh_from_db()
    assert token.revoked_at == ended


def test_a_guest_gets_no_token() -> None:
    assert faults(made, run_by_guest().user) == [Fault("account_needed")]
