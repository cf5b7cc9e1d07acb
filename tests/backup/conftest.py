"""Where the backups of these tests lie."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from tournament.backup import shelf


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: Settings) -> Iterator[Path]:
    """Where this test's backups lie; the timer and what comes before bulk actions are on."""
    settings.BACKUP_FOLDER, settings.BACKUP_EVERY = tmp_path / "backups", 15
    yield settings.BACKUP_FOLDER
    shelf.note_success()
