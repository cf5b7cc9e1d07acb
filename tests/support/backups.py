"""Backups for tests."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection

from tournament.backup import making, shelf
from tournament.backup.copying import Facts, facts_in


def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Copies that hold only fixed bytes: within a test's transaction there is nothing to copy."""

    def copied(file: Path, most_s: float | None = None) -> Facts:
        file.write_bytes(b"copy")
        return facts_in(connection.cursor())

    monkeypatch.setattr(making, "copy_to", copied)


def age(one: shelf.Kept, **time: float) -> None:
    """Let a backup have been made so much earlier."""
    made = (one.made - timedelta(**time)).strftime(shelf.STAMP)
    older = one.file.with_name(f"{shelf.NAME}{made}{one.file.suffix}")
    shelf.beside(one.file).rename(shelf.beside(older))
    one.file.rename(older)
