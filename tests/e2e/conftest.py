"""A server (`lastcard`) and browsers (`phone`, `second_phone`, `laptop`) for tests of the whole way.

`phone_at` gives a referee's phone in bad wifi (proxy.py).

A page's addresses are relative to the server: `phone.goto("/en/")`. A test fails when one of its pages showed a fault
(see browser.Faults) or the server logged a traceback; `faults.expected.append("...")` allows what a test provokes.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.e2e.arranger import Arranged, Arranger, Person
from tests.e2e.browser import ARGUMENTS, LAPTOP, PHONE, SIDEWAYS, Faults, chromium
from tests.e2e.phones import Phone
from tests.e2e.proxy import Proxy
from tests.e2e.server import Server

HERE = Path(__file__).parent
WAIT_MILLISECONDS = 60_000  # for anything a test waits for in a page; it decides nothing


@pytest.fixture(scope="session")
def _server(prepared: Path) -> Iterator[Server]:
    server = Server(prepared)
    try:
        server.start()
        yield server
    finally:
        server.close()


@pytest.fixture(scope="module")
def lastcard(_server: Server) -> Iterator[Server]:
    """A running server, one for all tests of this process, each with events of its own: starting one takes longer than
    most tests. A module begins with an empty log and fails when its tests left a traceback there."""
    if not _server.running:  # a test that failed before it had started it again
        _server.start()
    yield _server
    log = _server.log.read_text()
    os.truncate(_server.log, 0)
    assert "Traceback" not in log, log


@pytest.fixture(scope="session")
def _arranger(_server: Server) -> Iterator[Arranger]:
    arranger = Arranger(_server)
    yield arranger
    arranger.close()


@pytest.fixture(scope="module")
def arranger(_arranger: Arranger, lastcard: Server) -> Iterator[Arranger]:
    """Sets up events on the server; `verify` looks at those made since the module began, once more at its end."""
    _arranger("begin")
    yield _arranger
    assert _arranger("verify", again=True) == ""


@pytest.fixture(autouse=True)
def _clean(request: pytest.FixtureRequest) -> Iterator[None]:
    """Check that the test's entries agree with the ledger, and that the server had no trouble."""
    yield
    if "arranger" in request.fixturenames:
        assert request.getfixturevalue("arranger")("verify") == ""
        assert "Traceback" not in request.getfixturevalue("lastcard").log.read_text()


# One for a module, not for the run: Playwright keeps an event loop running in the thread while it is open, and in
# that time neither asyncio.run nor Django's database layer can be used there by tests of other modules.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The system's Chromium; where there is none, every browser test fails and says so."""
    executable = chromium()
    expect.set_options(timeout=WAIT_MILLISECONDS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def faults() -> Iterator[Faults]:
    """The faults seen in this test's pages; unexpected ones fail it."""
    faults = Faults()
    yield faults
    assert faults.unexpected() == []


OpenPage = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser, lastcard: Server, faults: Faults) -> Iterator[OpenPage]:
    """Open a page in a context of its own (nothing shared: cookies, storage); arguments go to the context. A service
    worker would answer behind a test's own routes, so only a test that asks for it gets one."""
    contexts = []

    def open_page(**arguments: Any) -> Page:
        context = browser.new_context(**{"base_url": lastcard.url, "service_workers": "block", **arguments})
        contexts.append(context)
        context.set_default_timeout(WAIT_MILLISECONDS)
        context.on("page", faults.watch)
        return context.new_page()

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture
def phone(open_page: OpenPage) -> Page:
    """A phone, 390 pixels wide, upright."""
    return open_page(**PHONE)


@pytest.fixture
def second_phone(open_page: OpenPage) -> Page:
    """Somebody else's phone."""
    return open_page(**PHONE)


@pytest.fixture
def laptop(open_page: OpenPage) -> Page:
    """The organiser's laptop."""
    return open_page(**LAPTOP)


Desk = Callable[..., Page]


@pytest.fixture
def desk(open_page: OpenPage, lastcard: Server) -> Desk:
    """Open the first table of an event on a phone, as its organiser or as somebody else; `prepare` is a script for its
    pages."""

    def desk(event: Arranged, who: Person | None = None, prepare: str = "", **context: Any) -> Page:
        page = open_page(**{**PHONE, **context})
        (who or event.organiser).sign_in(page, lastcard)
        page.context.add_init_script(prepare)
        page.goto(event.table)
        return page

    return desk


@pytest.fixture(scope="module")
def _proxy(lastcard: Server) -> Iterator[Proxy]:
    proxy = Proxy(lastcard.port)
    yield proxy
    proxy.close()


@pytest.fixture
def proxy(_proxy: Proxy) -> Proxy:
    """The network between the phones of `phone_at` and the server; it works to begin with."""
    _proxy.does("through")
    return _proxy


PhoneAt = Callable[..., Phone]


@pytest.fixture
def phone_at(desk: Desk, proxy: Proxy, arranger: Arranger, faults: Faults) -> PhoneAt:
    """A referee's phone, at the first table of an event, behind the proxy; `prepare` is a script for its pages."""
    # Messages that a browser logs on a bad network; a fault of our scripts still counts.
    faults.expected += [
        "console: htmx:",
        "answered 502",
        "/wifi' violates",
        "MIME type",
        "console: Access to",
    ]

    def phone_at(event: Arranged, name: str = "Rauha", prepare: str = "", **context: Any) -> Phone:
        who = arranger.referee(event, name)
        page = desk(event, who, prepare, base_url=proxy.url, **context)
        phone = Phone(page, event, who, arranger)
        phone.says("Connected")
        return phone

    return phone_at


Screenshot = Callable[[Page, str], None]


@pytest.fixture
def screenshot() -> Screenshot:
    """Store what a page shows as NAME.png in the folder that LASTCARD_SCREENSHOTS names; without it, nothing."""

    def screenshot(page: Page, name: str) -> None:
        if folder := os.environ.get("LASTCARD_SCREENSHOTS"):
            page.screenshot(path=Path(folder) / f"{name}.png")

    return screenshot


@pytest.fixture
def shoot(screenshot: Screenshot, request: pytest.FixtureRequest) -> Screenshot:
    """The same for a test of several sizes, after checking that nothing sticks out of the page."""

    def shoot(page: Page, name: str) -> None:
        assert page.evaluate(SIDEWAYS) == []
        screenshot(page, f"{name}-{request.node.callspec.id}")

    return shoot
