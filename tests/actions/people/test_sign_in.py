"""The rate limit of signing in: how long a try waits, and for whose tries."""

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from tests.support.sign_in import ELSEWHERE, HALL, tries_at
from tournament.actions.people import sign_in as rate_limit
from tournament.actions.people.sign_in import begin_try, own_place, wait_after, was_right
from tournament.models import WrongTries

pytestmark = pytest.mark.django_db


def test_the_tenth_wrong_password_in_a_row_lets_the_next_wait() -> None:
    assert [begin_try("aino", "192.0.2.7") for _ in range(11)] == [0] * 10 + [5]
    assert begin_try("aino", "192.0.2.8") == 0


def test_waits_double_up_to_a_quarter_of_an_hour() -> None:
    assert [wait_after(tries) for tries in (1, 9, 10, 11, 12, 17, 18, 10**9)] == [
        0,
        0,
        5,
        10,
        20,
        640,
        900,
        900,
    ]


@pytest.fixture
def clock(db: None, monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Stop the time, and give a function that moves it on, in seconds."""
    now = timezone.now()

    def put_on(seconds: float) -> None:
        nonlocal now
        now += timedelta(seconds=seconds)

    monkeypatch.setattr(timezone, "now", lambda: now)
    return put_on


def test_every_part_of_a_second_is_waited_for_and_a_try_at_its_end_counts(
    clock: Callable[[float], None],
) -> None:
    assert [begin_try("kim", HALL) for _ in range(11)] == [0] * 10 + [5]
    clock(4.5)
    assert begin_try("kim", HALL) == 1
    clock(0.5)
    assert begin_try("kim", HALL) == 0
    assert tries_at("kim").tries == 11


def test_longest_wait_is_waited_for_and_an_hour_to_the_second_forgets_nothing(
    clock: Callable[[float], None],
) -> None:
    begin_try("kim", HALL)
    WrongTries.objects.filter(digest=tries_at("kim").digest).update(tries=20)
    clock(3600)
    assert [begin_try("kim", HALL), begin_try("kim", HALL)] == [0, 900]
    assert tries_at("kim").tries == 21


def test_from_the_51st_account_in_vain_on_the_second_try_waits(clock: Callable[[float], None]) -> None:
    for number in range(51):
        assert begin_try(f"referee-{number}", HALL) == 0
        clock(1)
    assert [begin_try("referee-49", HALL), begin_try("referee-50", HALL)] == [0, 59]


def test_accounts_of_a_device_are_not_counted_and_a_right_try_forgets_one_of_its_address(
    clock: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limit, "MANY_FAILED_ACCOUNTS", 1)
    device = own_place("device", "7")
    for name in ("kim", "robin"):
        assert [begin_try(name, device), begin_try(name, device)] == [0, 0]
    for place in (HALL, ELSEWHERE):
        begin_try("kim", place)
        begin_try("robin", place)
    counts = []
    for name in ("kim", "kim", "nobody", "robin"):
        was_right(name, HALL)
        counts.append(
            [WrongTries.objects.get(digest=rate_limit._digest_of(each)).tries for each in (HALL, ELSEWHERE)]
        )
    assert counts == [[1, 2], [1, 2], [1, 2], [0, 2]]


@pytest.mark.django_db(transaction=True)
def test_many_tries_at_once_are_ten() -> None:
    """A try counts before the password is looked at, in the database that all server processes share."""
    from django.db import connection

    made: list[int] = []

    def tries() -> None:
        try:
            made.extend(begin_try("kim", HALL) for _ in range(3))
        finally:
            connection.close()

    threads = [threading.Thread(target=tries) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made.count(0) == rate_limit.FREE
    was_right("kim", HALL)
    assert begin_try("kim", HALL) == 0
