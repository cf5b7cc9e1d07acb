"""The cost of a watcher: nothing for the database, and a limited number of bytes for a phone's network."""

import asyncio
import gzip
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as project
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.db import connections
from django.db.backends.utils import CursorWrapper
from pytest_django import Settings

from tests.live.conftest import NoDatabase, forget
from tests.live.driver import Reader, ask
from tests.live.test_every_public_address import hang_screens, published_pages
from tests.support.factories import running_session
from tournament.live.front import Front
from tournament.live.hub import Hub
from tournament.live.pages import store
from tournament.live.pools import django_asgi
from tournament.live.store import versions
from tournament.server.static_files import strip_css, whole

application = get_wsgi_application()

pytestmark = pytest.mark.both

WATCHERS, FETCHES = 50, 100
SCRIPTS_AND_STYLES = 40_000  # bytes, compressed, of everything that a page loads before anybody taps
PARTS = re.compile(r'(?:<script\b[^>]*\bsrc|<link rel="stylesheet" href)="/static/([^"]+)"')
IMPORTS = re.compile(r'^(?:import|export)\b[^;]*?"(\.{1,2}/[^"]+)";', re.MULTILINE)


@pytest.fixture
def statements(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Every statement that any thread gives the database."""
    given: list[str] = []
    execute = CursorWrapper.execute

    def counted(self: CursorWrapper, sql: Any, params: Any = None) -> Any:
        given.append(str(sql))
        return execute(self, sql, params)

    monkeypatch.setattr(CursorWrapper, "execute", counted)
    monkeypatch.setitem(connections["default"].settings_dict, "CONN_MAX_AGE", 0)
    forget()
    yield given
    forget()


@pytest.mark.django_db(transaction=True)
def test_watchers_never_read_the_database(settings: Settings, statements: list[str]) -> None:
    """A change is read once, for the first to ask for the page; a hundred others and every stream read nothing."""
    settings.PUBLISH = True
    made = running_session(4)
    path = f"/en/t/{made.tournament.slug}/stage/{made.stage.uid}/"
    scope = str(made.stage.uid)
    hub = Hub(versions, cap=WATCHERS)
    poller: Any = NoDatabase()
    app = Front(django_asgi(application, workers=2), versions=versions, store=store, hub=hub, poller=poller)

    async def run() -> tuple[int, Counter[int]]:
        hub.start()
        first = await ask(app, path, {"accept-encoding": "gzip"})
        assert statements  # what is counted is counted
        statements.clear()
        streams = [Reader(app, scope) for _ in range(WATCHERS)]
        for stream in streams:
            await stream.event()
        tag = first.headers["etag"]
        asking = [{"accept-encoding": "gzip", "if-none-match": tag}, {"accept-encoding": "gzip"}, {}]
        found = Counter([(await ask(app, path, asking[number % 3])).status for number in range(FETCHES)])
        without_a_change = len(statements)
        known = versions.known(scope)
        assert known is not None
        versions.announce({scope: known + 1})
        for stream in streams:
            assert await stream.event() == ("version", known + 1)
            await stream.close()
        assert len(statements) == without_a_change
        return without_a_change, found

    read, found = asyncio.run(run())
    assert read == 0
    assert found == {304: 34, 200: 66}


@pytest.mark.sweep
@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(sys.platform != "linux", reason="scripts are stripped on Linux alone")
def test_scripts_and_styles_of_every_public_page_are_small(statements: list[str]) -> None:
    del statements  # here for its clean store only
    call_command("make_demo", verbosity=0)
    weights: dict[str, int] = defaultdict(int)
    for response in published_pages(*hang_screens()).values():
        if not response["Content-Type"].startswith("text/html"):
            continue
        name = response.resolver_match.view_name
        weights[name] = max(weights[name], sum(map(weight, parts(response))))
    assert len(weights) >= 10
    assert {name: size for name, size in weights.items() if size > SCRIPTS_AND_STYLES} == {}
    print(weights)
    assert min(weights.values()) > 10_000  # the style sheet at least


def parts(response: Any) -> set[Path]:
    """Every style sheet and script that a page loads, also where one script loads another."""
    folder = project.BASE_DIR / "tournament/static"
    coming = {(folder / name).resolve() for name in PARTS.findall(response.content.decode())}
    found = set[Path]()
    while coming:
        part = coming.pop()
        found.add(part)
        if part.suffix == ".js":
            coming |= {(part.parent / name).resolve() for name in IMPORTS.findall(part.read_text())} - found
    return found


@cache
def weight(part: Path) -> int:
    """Bytes as they are sent."""
    from rjsmin import jsmin  # on Linux alone

    text = part.read_text()
    sent = strip_css(whole(text)) if part.suffix == ".css" else jsmin(text)
    return len(gzip.compress(sent.encode(), 9))
