"""Commands about events say which database they act on, and need one that this program knows."""

import logging
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection, connections
from django.db.migrations.recorder import MigrationRecorder

from tests.live.test_probes import probed
from tournament.live import probes
from tournament.management import base
from tournament.management.base import check_database, check_place, check_whole, database_words
from tournament.server import database


@pytest.mark.django_db
def test_command_names_its_database(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("verify")
    assert capsys.readouterr().err == f"Database: {database_words()}\n"


def test_password_of_a_database_is_not_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    place = {"HOST": "db.example", "PORT": 5433, "NAME": "cards", "PASSWORD": "secret"}
    monkeypatch.setattr(connection, "vendor", "postgresql")
    monkeypatch.setattr(connection, "settings_dict", place)
    assert database_words() == "db.example:5433/cards"


@pytest.mark.django_db
def test_database_of_a_newer_program_is_left_alone() -> None:
    MigrationRecorder(connection).record_applied("tournament", "9999_of_the_future")
    with pytest.raises(CommandError, match="newer Lastcard wrote this database \\(9999_of_the_future\\)"):
        check_database()


@pytest.mark.django_db
def test_database_of_an_older_program_is_brought_up_to_date_first() -> None:
    recorder = MigrationRecorder(connection)
    newest = (
        recorder.migration_qs.filter(app="tournament").order_by("-name").values_list("name", flat=True)[0]
    )
    recorder.record_unapplied("tournament", newest)
    with pytest.raises(CommandError, match="older Lastcard wrote this database"):
        check_database()


@pytest.mark.sqlite
def test_missing_database_is_said_and_not_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = tmp_path / "none.sqlite3"
    monkeypatch.setattr(connection, "is_in_memory_db", lambda: False)
    monkeypatch.setitem(connection.settings_dict, "NAME", missing)
    with pytest.raises(CommandError, match="There is no Lastcard database yet"):
        check_database()
    with pytest.raises(CommandError, match="There is no Lastcard database yet"):
        call_command("make_demo")
    assert not missing.exists()


@pytest.mark.sqlite
@pytest.mark.django_db
@pytest.mark.parametrize("page", [2, 0], ids=["one page", "the first"])
def test_damaged_database_is_said_with_the_newest_backup_and_a_server_is_not_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: int
) -> None:
    file = tmp_path / "cards.sqlite3"
    with closing(sqlite3.connect(file)) as made:
        made.execute("CREATE TABLE cards (name TEXT)")
        made.executemany("INSERT INTO cards VALUES (?)", [("reverse" * 20,)] * 500)
        made.commit()
    here = type(connections["default"])({**connection.settings_dict, "NAME": file}, "default")
    for module in (base, database):
        monkeypatch.setattr(module, "connection", here)
    monkeypatch.setattr(settings, "BACKUP_FOLDER", tmp_path)
    check_whole()
    here.close()
    with file.open("r+b") as opened:
        opened.seek(page * 4096)
        opened.write(b"*" * 4096)
    with pytest.raises(CommandError, match=f"damaged, and there is no backup in {tmp_path}"):
        check_whole()
    backup = tmp_path / "lastcard-2026-11-29T180000-000000Z.sqlite3"
    backup.touch()
    with pytest.raises(CommandError, match=f"damaged.*: lastcard restore {backup}$"):
        check_whole()
    with pytest.raises(Exception, match=r"malformed|not a database") as raised, here.cursor() as cursor:
        cursor.execute("SELECT count(*), max(name) FROM cards")
    here.close()
    assert database.is_away(raised.value)
    monkeypatch.setattr(probes, "is_migrated", lambda: True)
    assert probed("/readyz").status == 200
    broken = (type(raised.value), raised.value, None)
    record = logging.LogRecord("tournament", logging.ERROR, "", 0, "no save", None, broken)
    try:
        assert database.AwayInOneLine().filter(record)
        assert record.exc_info is None
        assert probed("/readyz").all[::2] == (
            503,
            b"The database file is damaged. Restore the newest backup.",
        )
    finally:
        database.damaged.clear()


def test_folder_has_to_be_writable_and_is_said_to_be_open_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(settings, "DATA_DIR", tmp_path / "later")
    check_place()
    monkeypatch.setattr(settings, "DATA_DIR", tmp_path)
    for mode, said in ((0o700, ""), (0o755, f"can look into {tmp_path}: chmod 700 it.")):
        tmp_path.chmod(mode)
        check_place()
        assert said in caplog.text
        assert bool(caplog.text) == bool(said)
    monkeypatch.setattr(
        base, "os", SimpleNamespace(name="posix", W_OK=os.W_OK, access=lambda path, _: path != tmp_path)
    )
    with pytest.raises(CommandError, match=f"cannot write to {tmp_path}"):
        check_place()
