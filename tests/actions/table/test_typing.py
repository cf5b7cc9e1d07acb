"""Notices of who is typing at a table: other devices are named for half a minute after their last sign, and kept for
an hour."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from tests.support.factories import Event, UserFactory, running_match
from tournament.actions.table import at_table as typing
from tournament.actions.table.at_table import KEEP_FOR, WARN_FOR, entering_elsewhere, say_done, say_entering
from tournament.models import Table, Typing

pytestmark = pytest.mark.django_db


class Clock:
    """The time of day, which stands still until it is moved."""

    def __init__(self) -> None:
        self.time = timezone.now()

    def now(self) -> datetime:
        return self.time


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(typing, "timezone", clock)
    return clock


@pytest.fixture
def made() -> Event:
    return running_match(players=4, tables=2)


def elsewhere(device: str, table: Table) -> list[str]:
    return [other.device for other in entering_elsewhere(device, table)]


def test_every_other_device_at_the_table_is_named_the_last_sign_first(made: Event, clock: Clock) -> None:
    here, there = made.tables
    for device in ("phone", "tablet", "laptop"):
        say_entering(made.user, device, here)
        clock.time += timedelta(seconds=1)
    say_entering(made.user, "phone", there)
    say_entering(UserFactory(first_name="Rauha"), "phone", here)
    assert elsewhere("tablet", here) == ["phone", "laptop"]
    assert entering_elsewhere("tablet", here)[0].user.first_name == "Rauha"
    assert elsewhere("phone", there) == []
    say_done("phone", here)
    assert elsewhere("tablet", here) == ["laptop"]
    assert elsewhere("tablet", there) == ["phone"]
    say_done("phone", here)
    assert Typing.objects.count() == 3


def test_a_sign_holds_for_half_a_minute_and_is_kept_for_an_hour(made: Event, clock: Clock) -> None:
    say_entering(made.user, "phone", made.table)
    clock.time += WARN_FOR
    assert elsewhere("tablet", made.table) == ["phone"]
    clock.time += timedelta(microseconds=1)
    assert elsewhere("tablet", made.table) == []
    clock.time += KEEP_FOR - WARN_FOR - timedelta(microseconds=1)
    say_entering(made.user, "tablet", made.table)
    assert Typing.objects.count() == 2
    clock.time += timedelta(microseconds=1)
    say_entering(made.user, "tablet", made.table)
    assert [row.device for row in Typing.objects.all()] == ["tablet"]
