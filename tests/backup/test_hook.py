"""The command that takes backups elsewhere: given each new one, never in anybody's way, and heard of where it fails."""

import logging
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from tests.support.factories import UserFactory, recorded_round, running_match
from tournament import backup
from tournament.backup import hook, shelf
from tournament.pages.organiser.health import backups_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def ended() -> Iterator[None]:
    yield
    hook.stop()
    hook.wait()


def python(code: str) -> list[str]:
    """A hook of a line of Python; the backup is sys.argv[1]."""
    return [sys.executable, "-c", f"import shutil, sys, time; {code}"]


def test_each_backup_of_the_folder_is_handed_over_as_one_word(tmp_path: Path, settings: Settings) -> None:
    away = tmp_path / "a stick; touch x"
    away.mkdir()
    settings.BACKUP_FOLDER = tmp_path / "here $(touch y)"
    made = running_match(players=2)  # entering players makes backups of its own
    for one in shelf.kept():
        one.file.unlink()
    settings.BACKUP_HOOK = python(f"shutil.copy(sys.argv[1], {str(away)!r})")
    file = backup.make_backup()
    assert hook.wait()
    assert (away / file.name).read_bytes() == file.read_bytes()
    assert hook.stays() is False
    call_command("backup", tmp_path / "own")
    assert [each.name for each in away.iterdir()] == [file.name], "a file of somebody's own stays where it is"
    recorded_round(made)
    call_command("backup")
    assert len([*away.iterdir()]) == 2


def test_failure_is_in_the_log_and_on_the_board_until_one_is_taken(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    made = running_match(players=2)
    settings.BACKUP_HOOK = python("sys.exit('the stick is full')")
    with caplog.at_level(logging.ERROR), pytest.raises(CommandError, match="BACKUP_HOOK failed"):
        call_command("backup")
    assert "was not copied elsewhere: exit code 1: the stick is full" in caplog.text
    assert shelf.kept(), "the backup itself is there"
    assert backups_of(made.tournament).wrong == [
        "The newest backup is only on this computer. The command that copies it elsewhere failed."
    ]
    settings.BACKUP_HOOK = python("pass")
    call_command("backup")
    assert backups_of(made.tournament).wrong == []


def test_command_that_is_not_there_or_takes_too_long_fails(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    UserFactory()
    settings.BACKUP_HOOK = ["no-such-program"]
    backup.make_backup()
    assert not hook.wait()
    assert "no-such-program: No such file or directory" in caplog.text
    monkeypatch.setattr(hook, "MOST_S", 0.5)
    settings.BACKUP_HOOK = python("time.sleep(600)")
    backup.make_backup()
    assert not hook.wait()
    assert "it took more than 0.5 s" in caplog.text


def test_nobody_waits_for_it_and_it_ends_with_the_server(settings: Settings, tmp_path: Path) -> None:
    UserFactory()
    begun = tmp_path / "begun"
    settings.BACKUP_HOOK = python(f"open({str(begun)!r}, 'w'); time.sleep(600)")
    backup.make_backup()  # returns at once
    backup.make_backup()  # waits for its turn, and never has it
    until = time.monotonic() + 60
    while not begun.exists():
        assert time.monotonic() < until
        time.sleep(0.05)
    [process] = hook._running
    hook.stop()
    assert not hook.wait()
    with pytest.raises(ProcessLookupError):
        os.kill(process.pid, 0)


def test_setting_that_is_no_command_is_said_in_a_sentence() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tournament", "verify"],
            env=os.environ | {"BACKUP_HOOK": "rclone 'copy", "DJANGO_SETTINGS_MODULE": "tournament.settings"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr.strip()) == (1, "BACKUP_HOOK is no command: No closing quotation")
