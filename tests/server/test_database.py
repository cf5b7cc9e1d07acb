"""Questions to the database other than for rows: what its errors mean, one moment of it, who has written."""

import errno
import logging
import sqlite3
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import IntegrityError, InterfaceError, OperationalError, connection, transaction

from tests.support.factories import UserFactory
from tournament.models import User
from tournament.server import database


def test_new_database_is_its_owners_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "data" / "lastcard.sqlite3"
    default = {"ENGINE": "django.db.backends.sqlite3", "NAME": str(file)}
    monkeypatch.setattr(database, "settings", SimpleNamespace(DATABASES={"default": default}))
    database.keep_to_owner()
    assert file.stat().st_mode & 0o077 == 0
    file.chmod(0o640)
    database.keep_to_owner()
    assert file.stat().st_mode & 0o777 == 0o640


def caused(error: BaseException, cause: BaseException) -> BaseException:
    error.__cause__ = cause
    return error


def with_code(error: BaseException, **codes: Any) -> BaseException:
    vars(error).update(codes)
    return error


@pytest.mark.parametrize(
    ("raised", "away", "full"),
    [
        (None, False, False),
        (OperationalError("locked"), True, False),
        (caused(ValueError("x"), InterfaceError("gone")), True, False),
        (with_code(IntegrityError("twice"), sqlstate="23505"), False, False),
        (with_code(RuntimeError("stood still"), sqlstate="25P03"), True, False),
        (with_code(RuntimeError("no room"), sqlstate="53100"), True, True),
        (with_code(sqlite3.Error("no room"), sqlite_errorcode=sqlite3.SQLITE_FULL), True, True),
        (caused(RuntimeError("write"), OSError(errno.ENOSPC, "no room")), True, True),
        (OSError(errno.EACCES, "not allowed"), False, False),
    ],
    ids=["nothing", "locked", "gone", "twice", "idle", "full", "sqlite full", "disk full", "not allowed"],
)
def test_error_says_whether_the_same_may_work_in_a_moment(
    raised: BaseException | None, *, away: bool, full: bool
) -> None:
    assert (database.is_away(raised), database.is_full(raised)) == (away, full)


class Cursor:
    """A cursor of PostgreSQL's that answers as it is told, and what it was asked."""

    def __init__(self, *rows: tuple[Any, ...]) -> None:
        self.rows, self.asked, self.given = [*rows], list[str](), list[Any]()

    def __enter__(self) -> "Cursor":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def execute(self, query: str, *given: Any) -> None:
        self.asked.append(query)
        self.given += given

    def fetchall(self) -> list[tuple[Any, ...]]:
        return self.rows

    def fetchone(self) -> tuple[Any, ...]:
        return self.rows[0]


def record_of(error: Exception) -> logging.LogRecord:
    try:
        raise error
    except Exception:
        return logging.LogRecord("x", logging.ERROR, __file__, 1, "could not %s", ("save",), sys.exc_info())


def test_a_database_that_is_away_is_logged_in_one_line() -> None:
    away, broke = record_of(OperationalError("server\nclosed")), record_of(ZeroDivisionError("by zero"))
    assert all(database.AwayInOneLine().filter(record) for record in (away, broke))
    assert (away.getMessage(), away.exc_info) == ("could not save (server closed)", None)
    assert broke.getMessage() == "could not save"
    assert broke.exc_info


@pytest.mark.django_db
@pytest.mark.both
def test_command_has_written_once_it_sent_more_than_questions() -> None:
    assert not database.has_written()
    with database.command():
        assert not User.objects.filter(username="nobody").exists()
        assert not database.has_written()
        UserFactory()
        assert database.has_written()
        with database.command():
            assert not database.has_written(), "a command within another is its own"
        assert database.has_written()
    assert not database.has_written()


@pytest.mark.django_db(transaction=True)
@pytest.mark.both
def test_snapshot_reads_as_of_one_moment_and_goes_on_within_a_transaction() -> None:
    with database.snapshot():
        assert connection.in_atomic_block
        assert User.objects.count() == 0
    UserFactory()
    assert not connection.in_atomic_block
    with transaction.atomic(), database.snapshot():
        UserFactory()
    assert User.objects.count() == 2, "a writer's transaction is not read only afterwards"


@pytest.mark.parametrize("off", [[], ["fsync", "synchronous_commit"]], ids=["kept", "broken"])
def test_promises_that_postgresql_does_not_keep_are_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, off: list[str]
) -> None:
    cursor = Cursor(*((name,) for name in off))
    monkeypatch.setattr(database, "connection", SimpleNamespace(vendor="postgresql", cursor=lambda: cursor))
    assert database.broken_promises() == off
    assert cursor.given == [[[*database.PROMISES]]]
    database.warn_of_broken_promises()
    assert caplog.messages == [
        f"PostgreSQL runs with {', '.join(off)} off: a power cut can lose confirmed entries." for _ in off[:1]
    ]
    monkeypatch.setattr(database, "connection", SimpleNamespace(vendor="sqlite"))
    assert database.broken_promises() == []


def test_limits_are_set_on_connections_of_a_server_that_shares_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """With three quarters taken a visitor's connection is closed at its end, and the last are refused to visitors."""

    def opened(used: int, *, shares: bool, vendor: str = "postgresql") -> Any:
        cursor, closed = Cursor((100, used)), list[str]()
        made: Any = SimpleNamespace(
            vendor=vendor, cursor=lambda: cursor, close=lambda: closed.append("closed")
        )
        monkeypatch.setattr(database._thread, "shares", shares, raising=False)
        try:
            database._opened(made)
        except OperationalError as refused:
            closed.append(str(refused))
        return len(cursor.asked), getattr(made, "close_at", None), closed

    assert opened(10, shares=True, vendor="sqlite") == (0, None, [])
    assert opened(90, shares=False) == (1, None, [])
    assert opened(40, shares=True) == (2, None, [])
    assert opened(60, shares=True) == (2, 0.0, [])
    assert opened(90, shares=True) == (2, 0.0, [])
    token = database.can_wait.set(True)
    try:
        words = "90 of 100 connections are open; the last ones are reserved for referees"
        assert opened(90, shares=True) == (2, 0.0, ["closed", words])
    finally:
        database.can_wait.reset(token)
