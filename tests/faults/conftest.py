"""`rig`: a server for tests to break, one for all tests of a process, each with events of its own; `pg`: one on a
PostgreSQL, `cluster`, which they break too."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.server import environment, manage
from tests.faults._postgres import Cluster
from tests.faults.rig import Rig


@pytest.fixture(scope="session")
def _rig(prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rig]:
    rig = Rig(shutil.copytree(prepared, tmp_path_factory.mktemp("faults"), dirs_exist_ok=True))
    yield rig
    rig.close()


@pytest.fixture
def rig(_rig: Rig) -> Iterator[Rig]:
    """A running server; anything that a test breaks is whole again after it."""
    _rig.breaks()
    _rig.log.write_text("")
    if not _rig.pid:
        _rig.start()
    yield _rig
    _rig.breaks()
    if _rig.pid:
        _rig.kill()


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    """A PostgreSQL that waits for its disk."""
    cluster = Cluster()
    yield cluster
    cluster.close()


@pytest.fixture(scope="session")
def _pg(cluster: Cluster, prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rig]:
    data = tmp_path_factory.mktemp("postgres")
    env = environment(data) | {"DATABASE_URL": cluster.url}
    manage(env, "migrate", "--verbosity", "0")
    shutil.copytree(prepared / "static", data / "static")
    rig = Rig(data, DATABASE_URL=cluster.url)
    yield rig
    rig.close()


@pytest.fixture
def pg(_pg: Rig, cluster: Cluster) -> Rig:
    """A server on PostgreSQL, both running."""
    cluster.begin()
    _pg.log.write_text("")
    if not _pg.pid:
        _pg.start()
    _pg.ask("reconnect")
    return _pg


@pytest.fixture
def few_streams(prepared: Path, tmp_path: Path) -> Iterator[Rig]:
    """A server that takes five event streams of one address."""
    shutil.copytree(prepared, tmp_path, dirs_exist_ok=True)
    rig = Rig(tmp_path, LIVE_STREAMS="10", LIVE_STREAMS_EACH="5")
    rig.start()
    yield rig
    rig.close()
