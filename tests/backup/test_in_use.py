"""Locks between processes: who serves keeps a restore out, and one process migrates at a time."""

import threading
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tournament.backup import in_use
from tournament.backup.in_use import Locked, lock


class Postgresql:
    """A connection to PostgreSQL that answers every question with one value."""

    vendor = "postgresql"

    def __init__(self, *answers: Any) -> None:
        self.answers, self.asked = [*answers], list[str]()

    def cursor(self) -> "Postgresql":
        return self

    def __enter__(self) -> "Postgresql":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def execute(self, query: str, _values: object = None) -> None:
        self.asked.append(query.partition("(")[0])

    def fetchone(self) -> tuple[Any]:
        return (self.answers.pop(0),)


@pytest.fixture
def sqlite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "data" / "lastcard.sqlite3"
    settings = {"NAME": str(file)}
    monkeypatch.setattr(
        in_use,
        "connection",
        SimpleNamespace(vendor="sqlite", settings_dict=settings, is_in_memory_db=lambda: False),
    )
    return file


def test_lock_is_of_one_or_of_many_who_share_it(tmp_path: Path) -> None:
    file = tmp_path / "lock"
    with lock(file), pytest.raises(Locked, match="another process is using the database"):
        lock(file, shared=True)
    with lock(file, shared=True), lock(file, shared=True), pytest.raises(Locked):
        lock(file)
    with lock(file):
        pass


def test_servers_keep_a_restore_out_and_it_keeps_them_out(sqlite: Path) -> None:
    with in_use.serving(), in_use.serving(), pytest.raises(Locked):
        in_use.restoring()
    with in_use.restoring(), pytest.raises(Locked):
        in_use.serving()
    assert sqlite.with_name("lastcard.sqlite3-serving").exists()


def test_postgresql_says_itself_who_is_connected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_use, "connection", Postgresql(0, 2))
    with in_use.restoring(), in_use.serving():
        pass
    with pytest.raises(Locked, match="2 other programs are connected to the database"):
        in_use.restoring()


def test_second_to_migrate_waits_and_says_so_once(
    sqlite: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    waits, migrates = threading.Event(), threading.Event()

    def sleep(_seconds: float) -> None:
        waits.set()
        migrates.wait(0.01)

    monkeypatch.setattr(in_use, "time", SimpleNamespace(sleep=sleep))

    def second() -> None:
        with in_use.migrating():
            migrates.set()

    thread = threading.Thread(target=second)
    with in_use.migrating():
        thread.start()
        assert waits.wait(10)
        assert not migrates.is_set()
    thread.join(10)
    assert migrates.is_set()
    assert caplog.messages == ["Another process is migrating the database; waiting for it."]


def test_postgresqls_lock_to_migrate_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Postgresql(False, True)
    monkeypatch.setattr(in_use, "connection", made)
    monkeypatch.setattr(in_use, "AGAIN", 0)
    with in_use.migrating():
        assert made.asked == ["SELECT pg_try_advisory_lock"] * 2
    assert made.asked[2:] == ["SELECT pg_advisory_unlock"]


def test_database_in_memory_is_nobody_elses(monkeypatch: pytest.MonkeyPatch) -> None:
    own = SimpleNamespace(vendor="sqlite", settings_dict={}, is_in_memory_db=lambda: True)
    monkeypatch.setattr(in_use, "connection", own)
    with ExitStack() as held:
        assert in_use._taken_to_migrate(held)
