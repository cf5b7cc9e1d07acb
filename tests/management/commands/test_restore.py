"""`manage.py restore`: what it prints for each tournament, and when it ends with 1."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from tournament.backup.copying import BackupFailed, Head
from tournament.backup.in_use import Locked
from tournament.backup.making import key_mark
from tournament.backup.restoring import Came, Whole
from tournament.ledger.verify import Finding
from tournament.management.commands import restore

BACKUP = Path("copy")
CLEAN = Came("cup", 5, "ab12", same=True, findings=[])


@pytest.fixture
def came(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The tournaments that a whole backup gives back; an error in their place is raised."""
    came: list[Any] = []

    def restored(backup: Whole, *, while_used: bool, say: Any) -> list[Came]:
        say(f"kept, while used: {while_used}")
        if isinstance(came[0], Exception):
            raise came[0]
        assert backup.file == BACKUP
        return came

    ledgers: dict[str, Head] = {"a": {"slug": "cup", "rows": 5, "head": "ab12"}}
    found = Whole(BACKUP, "2026-06-06", ledgers, key_mark(settings.SECRET_KEY))
    monkeypatch.setattr(restore, "whole", lambda _: found)
    monkeypatch.setattr(restore, "restore", restored)
    return came


def run(*options: str) -> str:
    out = StringIO()
    try:
        call_command("restore", BACKUP, *options, stdout=out)
    except CommandError as error:
        out.write(f"{error.returncode}: {error}")
    return out.getvalue()


def test_a_check_restores_nothing(came: list[Any]) -> None:
    assert run("--check") == "The backup is complete, made 2026-06-06, 1 event.\n"


def test_backup_that_does_not_say_what_it_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(restore, "whole", lambda _: Whole(BACKUP, "", None))
    said = run("--check")
    assert said.startswith("The backup can be read. ")
    assert f"{BACKUP.name}.json is missing" in said


def test_each_tournament_is_a_line(came: list[Any]) -> None:
    came += [CLEAN, Came("old", 3, "cd34", same=None, findings=[])]
    assert run("--while-used").splitlines()[1:] == [
        "kept, while used: True",
        "cup: clean, 5 ledger rows, ab12, as in the backup",
        "old: clean, 3 ledger rows, cd34, not compared",
        "Restored.",
    ]


def test_it_ends_with_1_for_what_differs_or_does_not_verify(came: list[Any]) -> None:
    finding = Finding(code="row_altered", where="seat", expected="1", found="2")
    came += [CLEAN, Came("lost", 0, "", same=False, findings=[]), Came("bent", 4, "ef", True, [finding])]
    lines = run().splitlines()
    assert lines[3:] == [
        "lost: clean, 0 ledger rows, , NOT AS IN THE BACKUP",
        f"bent: {finding}",
        "bent: does not verify, 4 ledger rows, ef, as in the backup",
        "1: 2 events differ from the backup, or cannot be verified.",
    ]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (Locked("2 others"), "Stop Lastcard first: 2 others. Nothing was changed."),
        (BackupFailed("the disk is too full"), "Not restored: the disk is too full"),
        (OSError(13, "Permission denied", "x"), "Not restored: Permission denied: x"),
    ],
    ids=["used", "failed", "disk"],
)
def test_what_stops_a_restore_is_said(came: list[Any], error: Exception, said: str) -> None:
    came.append(error)
    assert run().endswith(said)


def test_key_of_another_folder_comes_along_if_asked(
    came: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without it, what it signed is said to be void; with a wrong one, nothing is restored."""
    monkeypatch.setattr(settings, "DATA_DIR", tmp_path)
    monkeypatch.delenv("SECRET_KEY", raising=False)
    own, old, wrong = (tmp_path / name for name in ("secret-key", "old", "wrong"))
    for file in (own, old, wrong):
        file.write_text(f"{file.name}\n")
    monkeypatch.setattr(restore, "whole", lambda _: Whole(BACKUP, "", {}, key_mark("old")))
    came.append(CLEAN)
    assert run().endswith(f"Restored. {restore.VOID}\n")
    assert "wrong is not the key of this backup. Nothing was changed." in run("--key", str(wrong))
    assert own.read_text() == "secret-key\n"
    assert run("--key", str(old)).endswith("Restored.\n")
    assert (own.read_text(), own.stat().st_mode & 0o077) == ("old", 0)
    monkeypatch.setenv("SECRET_KEY", "another")
    assert "SECRET_KEY is a setting here" in run("--key", str(old))
