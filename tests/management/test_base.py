"""Commands about events say which database they act on, and need one that this program knows."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from tournament.management.base import check_database, database_words


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
    assert not missing.exists()
