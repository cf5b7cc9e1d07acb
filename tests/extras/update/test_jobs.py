"""A server asks for the newest version once a day, where it is told to, and staff read of it on the board."""

import asyncio
import json
import logging
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from tests.support.factories import running_match
from tests.support.receiver import Receiver, receiving
from tournament import __version__
from tournament.extras.update.jobs import Asker, Newest, in_order, newer, newest_in, note

NOW = datetime(2026, 5, 9, 18, tzinfo=UTC)


@pytest.fixture
def receiver(settings: Settings, tmp_path: Path) -> Iterator[Receiver]:
    with receiving() as receiver:
        settings.DATA_DIR = tmp_path
        settings.UPDATES_FROM = f"http://127.0.0.1:{receiver.port}/newest.json"
        says(receiver, {"version": "99.1.0", "notes": "https://example.org/99.1"})
        yield receiver


def says(receiver: Receiver, answer: object, status: str = "200 OK") -> None:
    body = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
    receiver.answer = b"HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n%s" % (status.encode(), len(body), body)


def look(**later: float) -> None:
    asyncio.run(Asker(now=lambda: NOW + timedelta(**later)).look())


def test_it_asks_once_a_day_and_says_nothing_of_itself(receiver: Receiver) -> None:
    look()
    look(hours=23)
    assert newer() == Newest("99.1.0", "https://example.org/99.1")
    [(path, headers, _)] = receiver.came
    assert (path, set(headers)) == ("/newest.json", {"Host", "User-Agent", "Accept-Encoding"})
    assert headers["User-Agent"] == "Lastcard"
    look(hours=24)
    assert len(receiver.came) == 2


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (b"<title>Hotel</title>", "200 OK"),
        ([], "200 OK"),
        ({"version": 3}, "200 OK"),
        ({"version": "99.2.0<b>"}, "200 OK"),
        ({"version": "99.2.0"}, "302 Found"),
    ],
)
def test_what_is_no_answer_changes_nothing(
    receiver: Receiver, caplog: pytest.LogCaptureFixture, answer: object, status: str
) -> None:
    look()
    says(receiver, answer, status)
    with caplog.at_level(logging.WARNING):
        look(days=1)
    assert "UPDATES_FROM did not name a version" in caplog.text
    assert newer() == Newest("99.1.0", "https://example.org/99.1")
    look(days=1, hours=1)
    assert len(receiver.came) == 2


def test_an_address_that_does_not_answer_is_asked_again_tomorrow(
    receiver: Receiver, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    for address in ("https://127.0.0.1:1/newest.json", f"https://127.0.0.1:{receiver.port}/", "nowhere"):
        settings.UPDATES_FROM = address
        (settings.DATA_DIR / "newest.json").unlink(missing_ok=True)
        with caplog.at_level(logging.WARNING):
            look()
        assert "UPDATES_FROM did not answer" in caplog.text
        caplog.clear()
        assert newer() is None
    look(hours=23)
    assert receiver.came == []


def test_this_version_and_an_older_one_are_no_news(receiver: Receiver, settings: Settings) -> None:
    for version, news in ((__version__, None), ("0.0.9", None), ("0.10.0", Newest("0.10.0"))):
        note(NOW, Newest(version))
        assert newer() == news
    settings.UPDATES_FROM = ""
    assert newer() is None


def test_version_in_the_making_comes_before_its_release() -> None:
    versions = ["0.10.0", "0.4.0", "0.4.0.dev0", "0.3.0", "0.2.0"]
    assert sorted(versions, key=in_order) == versions[::-1]


def test_an_address_of_notes_is_https_or_none() -> None:
    assert newest_in({"version": "1.2", "notes": "javascript:alert(1)"}) == Newest("1.2")
    assert newest_in({"version": "1.2", "notes": ["x"]}) == Newest("1.2")


@pytest.mark.django_db
def test_staff_read_of_it_at_the_boards_foot_and_nobody_else(receiver: Receiver) -> None:
    note(NOW, Newest("99.1.0", "https://example.org/99.1"))
    made = running_match()
    board = reverse("organise-board", args=[made.tournament.slug])
    for staff in (False, True):
        client = Client()
        made.user.is_staff = staff
        made.user.save()
        client.force_login(made.user)
        page = client.get(board).content.decode()
        assert (f"Lastcard 99.1.0 is out. You have {__version__}." in page) is staff
        assert ('<a href="https://example.org/99.1" rel="noreferrer">' in page) is staff
