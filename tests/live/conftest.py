"""A Front over Django with pages of the tests' own, and the same behind a real server."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.wsgi import get_wsgi_application
from pytest_django import Settings

from tests.live import urls
from tests.live.driver import PATIENCE
from tournament.live import hub, protocol
from tournament.live.front import Front
from tournament.live.hub import Hub
from tournament.live.pages import store
from tournament.live.pools import Pool
from tournament.live.server import Server
from tournament.live.store import versions

application = get_wsgi_application()

HERE = Path(__file__).parent


class NoDatabase:
    """In the poller's place where a test has no database."""

    async def start(self) -> None:
        pass

    async def stop(self) -> None:
        pass


class Site:
    """Everything of one process, with `save` for what an action does."""

    facts = urls.facts
    versions = versions
    store = store

    def __init__(self) -> None:
        self.usual = 0  # requests that went their usual way, where a test counts them
        self.scopes: list[dict[str, Any]] = []
        self.hub = Hub(versions, cap=5000)
        poller: Any = NoDatabase()
        django = Pool(application, 8)
        self.pool = django._asgi.executor
        self.app = Front(django, versions=versions, store=store, hub=self.hub, poller=poller)

    def save(self, scope: str, version: int) -> None:
        """Commit a version and announce it."""
        self.facts.versions[scope] = version
        versions.announce({scope: version})


@pytest.fixture
def site(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setattr(protocol, "TARPIT_S", 0)
    monkeypatch.setattr(hub, "LATER_S", 0)
    settings.ROOT_URLCONF = "tests.live.urls"
    settings.TEMPLATES = [{**settings.TEMPLATES[0], "DIRS": [HERE / "templates"], "APP_DIRS": False}]
    forget()
    yield Site()
    forget()


def forget() -> None:
    """Begin with a process that knows nothing."""
    urls.facts.clear()
    store.clear()
    versions.settle(versions.all(), {})


@contextlib.contextmanager
def serving(app: Front, port: int = 0) -> Iterator[tuple[Server, int]]:
    """Serve in a thread, on a free port unless one is named; gives the server and the port, stops at the end."""
    ready = threading.Event()
    listener = socket.create_server(("127.0.0.1", port), backlog=2048)
    server = Server(app, ready.set)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    assert ready.wait(PATIENCE)
    try:
        yield server, listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        assert not thread.is_alive(), "the server did not stop"
