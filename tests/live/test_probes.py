"""tournament/live/probes.py and metrics.py: a server's answers to those who watch over it."""

import asyncio
import re
import time
from typing import Any

import pytest
from django.db import OperationalError
from django.db.migrations.executor import MigrationExecutor

from tests.live.driver import ask
from tournament.live import probes
from tournament.live.front import Front
from tournament.live.hub import Hub
from tournament.live.store import Store, Versions
from tournament.server import metrics

SAMPLE = re.compile(r'lastcard_[a-z_]+(\{([a-z_]+="[^"\\\n]*",?)+\})? -?[0-9.e+]+')


class Poller:
    """Asks no database."""

    async def start(self) -> None:
        pass

    async def stop(self) -> None:
        pass


def probed(path: str, *, silent_s: float = 0.1, address: str = "127.0.0.1", closed: bool = False) -> Any:
    """Ask a process whose parts are new."""

    async def run() -> Any:
        versions = Versions()
        versions._settled = time.monotonic() - silent_s
        hub = Hub(versions, cap=7)
        if closed:
            hub.close()
        django: Any = None
        poller: Any = Poller()
        app = Front(django, versions=versions, store=Store(versions), hub=hub, poller=poller)
        return await ask(app, path, address=address)

    return asyncio.run(run())


def test_a_process_is_healthy_while_it_runs() -> None:
    assert probed("/healthz", silent_s=1e9).all[::2] == (200, b"ok")


@pytest.fixture
def migrated(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    says = [True]
    monkeypatch.setattr(probes, "is_migrated", lambda: says[-1])
    return says


def test_a_process_is_ready_when_the_database_answers_and_is_migrated(migrated: list[bool]) -> None:
    assert probed("/readyz").all[::2] == (200, b"ready")
    migrated.append(False)
    assert probed("/readyz").all[::2] == (503, b"The database is not migrated.")


def test_a_process_that_hears_nothing_of_others_or_ends_is_not_ready(migrated: list[bool]) -> None:
    assert probed("/readyz", silent_s=probes.SILENT_S + 1).all[::2] == (503, b"The database does not answer.")
    assert probed("/readyz", closed=True).all[::2] == (503, b"It is ending.")


@pytest.mark.django_db(transaction=True)
def test_a_database_with_every_migration_is_told_from_one_without(monkeypatch: pytest.MonkeyPatch) -> None:
    def look() -> bool:
        return asyncio.run(asyncio.to_thread(probes.is_migrated))

    assert look()
    monkeypatch.setattr(MigrationExecutor, "migration_plan", lambda *_: ["one more"])
    assert not look()

    def away(_connection: object) -> None:
        raise OperationalError

    monkeypatch.setattr(probes, "MigrationExecutor", away)
    assert not look()


def test_numbers_are_for_addresses_that_are_named() -> None:
    assert probed("/metrics").status == 200
    assert probed("/metrics", address="192.0.2.1").status == 404
    assert probed("/metrics", address="").status == 404


def test_numbers_are_written_as_prometheus_reads_them() -> None:
    before = _values(probed("/metrics").body)
    metrics.saves.observe(0.3)
    metrics.saves.observe(100)
    answer = probed("/metrics")
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    lines = answer.body.decode().splitlines()
    assert [line for line in lines if not line.startswith("# ") and not SAMPLE.fullmatch(line)] == []
    values = _values(answer.body)
    assert values["lastcard_streams_most"] == 7
    more = {name: value - before[name] for name, value in values.items() if "save_seconds" in name}
    assert [
        more[f'lastcard_save_seconds_bucket{{le="{bound}"}}'] for bound in ("0.2", "0.3", "1", "20", "+Inf")
    ] == [*(0, 1, 1, 1, 2)]
    assert more["lastcard_save_seconds_count"] == 2
    named = [line.split()[2] for line in lines if line.startswith("# TYPE")]
    assert len(named) == len(set(named))


def _values(body: bytes) -> dict[str, float]:
    lines = [line.rsplit(" ", 1) for line in body.decode().splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in lines}
