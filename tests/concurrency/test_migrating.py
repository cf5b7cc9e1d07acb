"""Two processes that bring one database up to date: the second waits, and then finds nothing to do."""

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection, connections
from django.db.models.signals import pre_migrate

from tests.support.processes import on_this_database
from tournament.backup import in_use
from tournament.management.commands import prepare

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]

LONG = 60  # seconds
WAITS = "Another process is migrating the database; waiting for it."


@pytest.fixture(autouse=True)
def _on_disk(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On SQLite the database of these tests is a file: one in memory has nobody else who could migrate it."""
    if connection.vendor == "sqlite":
        name = shutil.copy(request.getfixturevalue("prepared") / "lastcard.sqlite3", tmp_path)
        monkeypatch.setitem(connection.settings_dict, "NAME", str(name))


@contextmanager
def process(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """`manage.py ARGUMENTS` on the database of this test; nothing is left of it."""
    with subprocess.Popen(
        [sys.executable, "manage.py", *arguments],
        env=os.environ | on_this_database(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    ) as started:  # fmt: skip
        try:
            yield started
        finally:
            started.kill()


@pytest.mark.soak
@pytest.mark.server
def test_second_process_waits_for_the_one_that_migrates_and_then_finds_nothing_to_do() -> None:
    with ExitStack() as first:
        first.enter_context(in_use.migrating())
        with process("migrate") as second:
            assert second.stdout
            assert WAITS in second.stdout.readline()
            assert second.poll() is None
            first.close()
            said, _ = second.communicate(timeout=LONG)
    assert "No migrations to apply." in said
    assert second.returncode == 0


@pytest.mark.server
@pytest.mark.parametrize(
    "way", [lambda: call_command("migrate", verbosity=0), prepare.migrate], ids=["migrate", "up"]
)
def test_whoever_migrates_keeps_others_waiting_from_before_it_looks_what_is_to_do(
    way: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    free: list[bool] = []

    def ask() -> None:
        try:
            with ExitStack() as held:
                free.append(in_use._taken_to_migrate(held))
        finally:
            connections.close_all()

    def look(**_: object) -> None:
        other = threading.Thread(target=ask)
        other.start()
        other.join()

    monkeypatch.setattr(prepare, "to_migrate", look)
    pre_migrate.connect(look)
    try:
        way()
    finally:
        pre_migrate.disconnect(look)
    assert free
    assert not any(free)
    look()
    assert free[-1]
