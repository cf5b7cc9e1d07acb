"""The scoreboard with which docs/api.md begins, as a page of another site."""

import re
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import expect

from tests.e2e.arranger import Arranged, Arranger
from tests.e2e.conftest import OpenPage
from tests.e2e.server import ROOT, Server

pytestmark = pytest.mark.browser


@pytest.fixture
def event(arranger: Arranger) -> Arranged:
    return arranger.match(names=["Aino", "Börje"])


@pytest.fixture
def board(tmp_path: Path, lastcard: Server, event: Arranged) -> Iterator[str]:
    """The address of the page, which is the manual's but for the names of the server and the event."""
    found = re.search(r"```html\n(.*?)```", (ROOT / "docs" / "api.md").read_text(), re.DOTALL)
    assert found
    assert len(found[1].splitlines()) <= 40
    text = found[1].replace("https://cards.example.org", lastcard.url).replace("club-night", event.slug)
    (tmp_path / "board.html").write_text(text)
    site = ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=tmp_path))
    Thread(target=site.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{site.server_port}/board.html"
    site.shutdown()
    site.server_close()


@pytest.mark.sweep
def test_page_of_another_site_shows_standings_live(
    board: str, event: Arranged, arranger: Arranger, open_page: OpenPage
) -> None:
    page = open_page()
    page.goto(board)
    expect(page.locator("#rows tr")).to_have_count(2)
    arranger("record_round", slug=event.slug, winner=event.entries["Börje"], hands={})
    expect(page.locator("#rows tr").first).to_have_text(re.compile(r"^1Börje\D*7$"))
