"""tournament/live/poller.py and snapshot.py, on a real database with several connections."""

import asyncio
import datetime
import threading
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.db import OperationalError, connection, connections, transaction

from tests.live.driver import PATIENCE
from tournament.live import poller as module
from tournament.live.poller import Listener, Poller
from tournament.live.store import Versions
from tournament.models import Organiser, Stage, Tournament
from tournament.queries.live import read_versions
from tournament.server.database import snapshot

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]


def tournament(version: int) -> Tournament:
    uid = uuid.uuid4()
    return Tournament.objects.create(
        uid=uid,
        organiser=Organiser.objects.create(name="Kortti"),
        slug=str(uid),
        name="Torstai",
        starts_on=datetime.date(2026, 11, 19),
        ruleset="mattel-112",
        ruleset_revision="1",
        version=version,
    )


def elsewhere(work: Callable[[], Any]) -> threading.Thread:
    """Do something on a connection of another thread, as another process would."""

    def run() -> None:
        try:
            work()
        finally:
            connections.close_all()

    thread = threading.Thread(target=run)
    thread.start()
    return thread


def raise_to(event: Tournament, version: int) -> None:
    def work() -> None:
        Tournament.objects.filter(pk=event.pk).update(version=version)

    elsewhere(work).join(PATIENCE)


async def heard(versions: Versions, scope: str, version: int) -> None:
    async with asyncio.timeout(PATIENCE):
        while versions.known(scope) != version:
            await asyncio.sleep(0.001)


def test_every_version_is_read_in_two_queries(django_assert_num_queries: Any) -> None:
    first, second, hidden = tournament(3), tournament(4), tournament(5)
    Tournament.objects.filter(pk=hidden.pk).update(organiser=first.organiser, rehearsal=True, put_away=True)
    stage = Stage.objects.create(tournament=first, kind=Stage.Kind.SESSION, number=1, version=2)
    with django_assert_num_queries(2):
        read = read_versions()
    assert read == {
        str(first.uid): 3,
        str(second.uid): 4,
        str(stage.uid): 2,
        str(first.organiser.uid): 8,
        str(second.organiser.uid): 4,
        "site": 12,
    }


def test_a_change_by_another_connection_is_learnt() -> None:
    event, versions = tournament(1), Versions()

    async def run() -> None:
        poller = Poller(versions, read_versions, every=0.001)
        await poller.start()
        assert versions.known(str(event.uid)) == 1
        await asyncio.to_thread(raise_to, event, 2)
        await heard(versions, str(event.uid), 2)
        assert versions.known("site") == 2
        await poller.stop()

    asyncio.run(run())


def test_a_tournament_that_was_deleted_is_forgotten() -> None:
    event, versions = tournament(1), Versions()

    async def run() -> None:
        poller = Poller(versions, read_versions, every=0.001)
        await poller.start()
        await asyncio.to_thread(lambda: elsewhere(event.delete).join(PATIENCE))
        async with asyncio.timeout(PATIENCE):
            while versions.known(str(event.uid)) is not None:
                await asyncio.sleep(0.001)
        assert versions.known("site") == 0
        await poller.stop()

    asyncio.run(run())


def test_a_database_that_is_away_is_waited_for(caplog: Any) -> None:
    event, versions = tournament(5), Versions()
    away = threading.Event()
    away.set()
    tries = []

    def read() -> dict[str, int]:
        tries.append(1)
        if away.is_set():
            raise OperationalError("connection refused")
        return read_versions()

    async def run() -> None:
        poller = Poller(versions, read, every=0.001)
        await poller.start()
        async with asyncio.timeout(PATIENCE):
            while len(tries) < 4:
                await asyncio.sleep(0.001)
        away.clear()
        await heard(versions, str(event.uid), 5)
        async with asyncio.timeout(PATIENCE):
            while len(caplog.records) < 2:  # it is said after it is known
                await asyncio.sleep(0.001)
        await poller.stop()

    asyncio.run(run())
    words = [record.getMessage() for record in caplog.records]
    assert words == [
        "The database does not answer (connection refused); live pages wait for it.",
        "The database answers again.",
    ]


def test_a_look_that_never_ends_is_left_to_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    event, versions = tournament(1), Versions()
    ends, looks = threading.Event(), []

    def read() -> dict[str, int]:
        looks.append(1)
        if len(looks) == 2:
            ends.wait(PATIENCE)
        return read_versions()

    monkeypatch.setattr(module, "HUNG_S", 0.05)

    async def run() -> None:
        poller = Poller(versions, read, every=0.001)
        await poller.start()
        while len(looks) < 2:
            await asyncio.sleep(0.001)
        await asyncio.to_thread(raise_to, event, 9)
        await heard(versions, str(event.uid), 9)
        ends.set()
        await poller.stop()

    asyncio.run(run())


def test_a_connection_that_broke_is_opened_anew() -> None:
    event, versions = tournament(1), Versions()
    broken = threading.Event()

    def read() -> dict[str, int]:
        if not broken.is_set():
            read_versions()
            connections["default"].connection.close()  # under Django's feet, as a server does that restarts
            broken.set()
        return read_versions()

    async def run() -> None:
        poller = Poller(versions, read, every=0.001)
        await poller.start()
        assert versions.all() == {}
        await heard(versions, str(event.uid), 1)
        await poller.stop()

    asyncio.run(run())


def test_a_snapshot_is_of_one_moment() -> None:
    event = tournament(1)
    with snapshot():
        before = read_versions()

        def save() -> None:
            Tournament.objects.filter(pk=event.pk).update(version=2)

        writer = elsewhere(save)
        writer.join(0.1)  # seconds; SQLite with a rollback journal lets it wait, all else lets it through
        assert read_versions() == before
    writer.join(PATIENCE)
    assert read_versions()[str(event.uid)] == 2


def test_a_snapshot_keeps_no_writer_from_beginning() -> None:
    tournament(1)
    begun = threading.Event()

    def write() -> None:
        with transaction.atomic():
            begun.set()

    with snapshot():
        read_versions()
        writer = elsewhere(write)
        assert begun.wait(PATIENCE)
    writer.join(PATIENCE)


def test_after_a_snapshot_transactions_are_as_ever() -> None:
    usual = getattr(connection, "transaction_mode", None)
    with pytest.raises(ZeroDivisionError), snapshot():
        raise ZeroDivisionError
    assert getattr(connection, "transaction_mode", None) == usual
    event = tournament(1)
    with transaction.atomic(), snapshot():
        Tournament.objects.filter(pk=event.pk).update(version=8)
    assert read_versions()["site"] == 8


# ---- LISTEN and NOTIFY ----

on_postgresql = pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no NOTIFY")


@on_postgresql
def test_what_another_process_committed_is_heard_without_a_poll() -> None:
    event, versions = tournament(1), Versions()

    async def run() -> None:
        listener = Listener(versions)
        await listener.start()
        try:
            async with asyncio.timeout(PATIENCE):
                while versions.known(str(event.uid)) is None:  # until it listens
                    await asyncio.to_thread(raise_to, event, 2)
            await asyncio.to_thread(raise_to, event, 7)
            await heard(versions, str(event.uid), 7)
        finally:
            await listener.stop()

    asyncio.run(run())


@on_postgresql
def test_a_listener_whose_connection_was_cut_listens_again() -> None:
    event, versions = tournament(1), Versions()

    async def run() -> None:
        listener = Listener(versions)
        await listener.start()
        try:
            for version in (2, 3):
                async with asyncio.timeout(PATIENCE):
                    while versions.known(str(event.uid)) != version:
                        await asyncio.to_thread(raise_to, event, version)
                await asyncio.to_thread(elsewhere(cut_listeners).join, PATIENCE)
        finally:
            await listener.stop()

    asyncio.run(run())


def cut_listeners() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'LISTEN versions'"
            " AND datname = current_database()"
        )
