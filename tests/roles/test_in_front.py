"""Answers given in front of Django: streams say versions and nothing else, and numbers are not everybody's."""

import asyncio
from typing import Any

import pytest

from tests.live.conftest import NoDatabase
from tests.live.driver import Answer, Reader, ask
from tests.roles.table import IN_FRONT
from tests.roles.world import Made, World, empty_world
from tournament.live import front, probes
from tournament.live.hub import PREFIX, Hub
from tournament.live.store import Store, Versions
from tournament.queries.live import read_versions

pytestmark = pytest.mark.django_db

ELSEWHERE = "203.0.113.7"


def front_of(read: dict[str, int]) -> front.Front:
    """The application over these versions, without a Django behind it."""
    versions, poller = Versions(), NoDatabase()
    versions.settle({}, read)
    django: Any = None
    parts: Any = {"versions": versions, "store": Store(versions), "poller": poller}
    return front.Front(django, hub=Hub(versions, cap=50), **parts)


def test_every_address_in_front_has_a_row() -> None:
    assert IN_FRONT.keys() == {PREFIX, *probes.PATHS}


def test_a_stranger_reads_no_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    async def ready(_self: probes.Probes) -> list[str]:
        return []

    monkeypatch.setattr(probes.Probes, "missing", ready)
    app = front_of({})

    async def answers() -> dict[str, int]:
        paths = [path for path in IN_FRONT if path != PREFIX]
        return {path: (await ask(app, path, address=ELSEWHERE)).status for path in paths}

    assert asyncio.run(answers()) == {path: status for path, status in IN_FRONT.items() if path != PREFIX}


def test_a_stream_says_versions_and_none_of_what_was_put_away() -> None:
    made: World = empty_world()
    read = read_versions()
    app = front_of(read)

    def scopes(each: Made) -> list[str]:
        tournament = each.event.tournament
        return [str(tournament.uid), str(each.event.stage.uid)]

    async def listen(scope: str) -> tuple[int, str]:
        reader = Reader(app, scope, address=ELSEWHERE)
        try:
            said = await reader.chunk()
        finally:
            await reader.close()
        return reader.answer.status, said.partition("event: ")[2]

    async def refused(method: str, scope: str) -> Answer:
        return await ask(app, PREFIX + scope, method=method, address=ELSEWHERE)

    async def run() -> None:
        for name in ("own", "foreign"):
            for scope in (*scopes(made.events[name]), "site"):
                assert await listen(scope) == (200, f"version\ndata: {read[scope]}\n\n")
                for method in ("POST", "PUT", "DELETE", "HEAD", "OPTIONS"):
                    assert (await refused(method, scope)).status == 405
        for scope in (*scopes(made.events["away"]), str(made.users["organiser"].uid)):
            for method in ("GET", "POST"):
                assert (await refused(method, scope)).status == 404

    asyncio.run(run())
