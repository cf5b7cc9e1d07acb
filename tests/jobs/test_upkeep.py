"""What a server does for its events each minute."""

from pathlib import Path
from uuid import uuid4

import pytest
from pytest_django import Settings

from tests.support.factories import Event, recorded_round, running_match
from tournament.jobs.upkeep import Upkeep
from tournament.ledger import seen_heads
from tournament.models import LedgerCheck

pytestmark = [pytest.mark.django_db, pytest.mark.both]


@pytest.fixture(autouse=True)
def _data(tmp_path: Path, settings: Settings) -> None:
    settings.DATA_DIR = tmp_path


@pytest.fixture
def made() -> Event:
    made = running_match(players=3)
    recorded_round(made)
    recorded_round(made)
    return made.refresh()


def test_the_thread_goes_on_when_something_fails(made: Event, caplog: pytest.LogCaptureFixture) -> None:
    upkeep = Upkeep()
    seen_heads.file().mkdir()  # the disk takes no word
    upkeep.look()
    assert LedgerCheck.objects.get().rows == made.tournament.version
    assert "Where ledgers end could not be noted" in caplog.text
    seen_heads.file().rmdir()
    upkeep.look()
    assert uuid4() not in seen_heads.seen()
