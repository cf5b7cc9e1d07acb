"""Settings for every test: the depth of generated cases, which tests belong to which database, and a ledger that a
transactional test can empty."""

import gc
import os
import random
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from shutil import copyfile
from typing import Any

import portalocker
import pytest
from django.db import connection
from django.db.backends.base.operations import BaseDatabaseOperations
from django.utils import translation
from hypothesis import HealthCheck, Phase, settings
from pytest_django import DjangoDbBlocker

from tests.depth import FULL, MUTANTS, SHEETS, SOAK
from tests.e2e.server import prepare
from tests.no_network.sitecustomize import REFUSED
from tests.support import second_tries
from tests.support.cost import Cost, touches_database
from tests.support.migrated import migrated_database, stored
from tests.support.order import processes_of_run, shared_out

# The same cases at every run, so that a red run is about the change; `make soak` looks for new ones.
COMMON: dict[str, Any] = {
    "deadline": None,
    "suppress_health_check": [HealthCheck.too_slow],
    "database": None,
    "print_blob": True,
}
if MUTANTS:  # that an example fails is enough there
    COMMON["phases"] = [Phase.explicit, Phase.generate]
settings.register_profile("here", max_examples=SHEETS, derandomize=not SOAK, **COMMON)
settings.load_profile("here")


# By itself Python looks for garbage after each 700 new objects: a fifteenth of the tests' time. What is imported and
# collected stays to the end, so nothing is looked for until then, and not among that afterwards.
gc.disable()
gc.set_threshold(10_000, 20, 20)


COST = Cost()


def pytest_configure(config: pytest.Config) -> None:
    second_tries.note(config)
    config.pluginmanager.register(COST)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """On PostgreSQL run only the tests that touch the database, except long ones that ask no more of it than others.
    Tests marked `soak` wait for `make soak`.

    A test of a browser, or of servers that are killed, gets a second try, and the run says so: whatever else the
    machine is doing can make one in a thousand fail. In the soak none does."""
    here = [item for item in items if FULL or not item.get_closest_marker("soak")]
    if connection.vendor == "postgresql":
        here = [item for item in here if touches_database(item) and not item.get_closest_marker("sqlite")]
    if len(here) < len(items):
        kept = set(here)
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = here
    items[:] = shared_out(items, processes_of_run())
    for item in items:
        if not SOAK and (item.get_closest_marker("browser") or item.get_closest_marker("server")):
            item.add_marker(pytest.mark.flaky(reruns=1))


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None,
    django_db_blocker: DjangoDbBlocker,
    django_db_modify_db_settings: None,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[None]:
    """pytest-django's, with the migrations run once for all processes."""
    shared = tmp_path_factory.getbasetemp().parent if "PYTEST_XDIST_WORKER" in os.environ else None
    with ExitStack() as stack:
        with django_db_blocker.unblock():
            stack.enter_context(migrated_database(shared))
            COST.watch(django_db_blocker)
        yield
        COST.blocker = None
        with django_db_blocker.unblock():
            stack.close()


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with an empty database and the static files, made once for the servers of all processes."""
    here = tmp_path_factory.getbasetemp()
    shared = here.parent if "PYTEST_XDIST_WORKER" in os.environ else here
    data = shared / "prepared"
    with (shared / "prepared.lock").open("w") as lock:
        portalocker.lock(lock, portalocker.LOCK_EX)  # the first makes it, the others wait
        if not data.exists():
            making = tmp_path_factory.mktemp("preparing")
            if stored().exists():  # nothing is left to migrate
                copyfile(stored(), making / "lastcard.sqlite3")
            prepare(making)
            making.rename(data)
    return data


@pytest.fixture(autouse=True)
def _in_english() -> Iterator[None]:
    """Each test begins in English: a page that the one before asked for in Finnish leaves that language on."""
    with translation.override("en"):
        yield


@pytest.fixture(autouse=True)
def _same_chance(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test has the same uids and secrets at every run, also after a move to another file: a page with many holds
    any three digits now and then. A second try has its own, since a server of the module remembers the first's."""
    tries = getattr(request.node, "execution_count", 1)
    chance = random.Random(request.node.name if tries == 1 else f"{request.node.name} {tries}")
    monkeypatch.setattr("os.urandom", chance.randbytes)
    monkeypatch.setattr("random._urandom", chance.randbytes)


@pytest.fixture(autouse=True)
def _nothing_known() -> None:
    """Each test begins like a new process: what is known of a stage of the test before would cost a question more."""
    from tests.support import built
    from tournament.pages.public import event_cache
    from tournament.results import contests

    built.forget_events()
    contests.forget()
    event_cache.forget()


@pytest.fixture(autouse=True)
def _quick_games(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A test tells in a moment what takes an hour at a table, in a session that has just begun, except where it is
    about the bounds of moments."""
    from tests.support.moments import allow_quick_games

    if "real_moments" not in request.fixturenames:
        allow_quick_games(monkeypatch.setattr)


@pytest.fixture
def real_moments() -> None:
    """Moments of play have the bounds of the product."""


@pytest.fixture(autouse=True)
def _nobody_asked() -> None:
    """Each test begins with no requests counted against the limits of an address, and no link or token known."""
    from django.core.cache import caches

    for name in ("default", "tokens"):
        caches[name].clear()


@pytest.fixture(autouse=True, scope="session")
def _nothing_leaves_this_computer() -> Iterator[None]:
    yield
    assert REFUSED == []


@pytest.fixture(autouse=True, scope="session")
def _flush_empties_the_ledger() -> Iterator[None]:
    """Transactional tests end with a flush; the ledger's triggers refuse to delete, so they step aside for it."""
    flush = BaseDatabaseOperations.execute_sql_flush

    def flush_without_triggers(self: Any, sql_list: Sequence[str]) -> None:
        from tournament.ledger import triggers

        triggers.drop(self.connection)
        try:
            flush(self, sql_list)
        finally:
            triggers.create(self.connection)
        if self.connection.vendor == "sqlite":  # tests/support/built.py knows an empty database by the ids
            with self.connection.cursor() as cursor:
                cursor.execute("DELETE FROM sqlite_sequence")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseDatabaseOperations, "execute_sql_flush", flush_without_triggers)
        yield
