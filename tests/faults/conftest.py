"""`rig`: a server to be broken, one for all tests of a process, each with events of its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.server import prepare
from tests.faults.rig import Rig


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of data with an empty database and the static files."""
    data = tmp_path_factory.mktemp("faults")
    prepare(data)
    return data


@pytest.fixture(scope="session")
def _rig(empty: Path) -> Iterator[Rig]:
    rig = Rig(empty)
    yield rig
    rig.close()


@pytest.fixture
def rig(_rig: Rig) -> Iterator[Rig]:
    """A server that runs, and whatever a test broke is whole again after it."""
    _rig.breaks()
    _rig.log.write_text("")
    if not _rig.pid:
        _rig.start()
    yield _rig
    _rig.breaks()
    if _rig.pid:
        _rig.kill()
