"""The laptop dies and its disk with it: a second one starts from the latest copy, and phones bring what they kept, at
the same address by themselves, at a new one by the address that somebody types."""

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.arranger import Arranged, Arranger, Person
from tests.e2e.browser import PHONE, Faults
from tests.e2e.conftest import OpenPage, Screenshot
from tests.e2e.server import Server
from tests.e2e.test_hand_over import line
from tests.e2e.test_outbox import enter_round, kept, numbers as numbers_there

pytestmark = pytest.mark.browser

WHILE = 15_000  # milliseconds; as long as a phone waits at most between two tries


@contextmanager
def second(prepared: Path, backup: Path, port: int = 0) -> Iterator[Server]:
    """A computer that starts from the copy, at a port of its own or at this one."""
    server = Server(prepared)
    server.port = port or server.port
    server.url = f"http://{'127.0.0.1' if port else 'localhost'}:{server.port}"
    try:
        assert "Restored." in server.manage("restore", str(backup))
        server.start()
        yield server
    finally:
        server.close()


def numbers(server: Server, event: Arranged) -> list[int]:
    """The rounds at the event's table in its database."""
    asked = (
        "SELECT play.number FROM tournament_play AS play JOIN tournament_table AS at ON at.id = play.table_id"
        " WHERE at.uid = ? ORDER BY play.number"
    )
    with closing(sqlite3.connect(server.data / "lastcard.sqlite3")) as database:
        return [number for (number,) in database.execute(asked, [UUID(event.tables[0]).hex])]


def enter(page: Page, arranger: Arranger, event: Arranged, number: int) -> None:
    """Enter this round on a phone, and see it arrive."""
    enter_round(page, event)
    expect(line(page)).to_contain_text("Saved on the server")
    assert numbers_there(arranger, event) == [*range(1, number + 1)]


@pytest.fixture(scope="module")
def _laptop(prepared: Path) -> Iterator[tuple[Server, Arranger]]:
    first = Server(prepared)
    first.start()
    arranger = Arranger(first)
    yield first, arranger
    arranger.close()
    first.close()


@pytest.fixture
def laptop(_laptop: tuple[Server, Arranger]) -> tuple[Server, Arranger]:
    """The laptop that will die, and what sets up there."""
    first, _arranger = _laptop
    if not first.running:
        first.start()
    return _laptop


def a_while(*pages: Page) -> None:
    """Put these phones' clocks forward, so that they try again."""
    for page in pages:
        page.clock.run_for(WHILE)


@pytest.fixture
def at_the_table(
    laptop: tuple[Server, Arranger], open_page: OpenPage, faults: Faults
) -> Callable[[Arranged, Person], Page]:
    """Open somebody's phone at the event's table."""
    faults.expected += ["ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE"]
    first, _arranger = laptop

    def at_the_table(event: Arranged, who: Person) -> Page:
        page = open_page(**PHONE, base_url=first.url)
        page.clock.install()
        who.sign_in(page, first)
        page.goto(event.table)
        return page

    return at_the_table


@pytest.fixture
def copied(
    laptop: tuple[Server, Arranger], tmp_path: Path, at_the_table: Callable[[Arranged, Person], Page]
) -> tuple[Page, Arranged, Path]:
    """A phone that entered three rounds, of which the copy on the stick has one."""
    _first, arranger = laptop
    event = arranger.match()
    page = at_the_table(event, event.organiser)
    backup = tmp_path / "stick.sqlite3"
    for number in (1, 2, 3):
        enter(page, arranger, event, number)
        if number == 1:
            arranger("manage", arguments=["backup", str(backup)])
    return page, event, backup


@pytest.mark.soak
def test_at_the_same_address_phones_send_again_by_themselves_and_who_joined_after_the_copy_joins_again(
    copied: tuple[Page, Arranged, Path],
    laptop: tuple[Server, Arranger],
    at_the_table: Callable[[Arranged, Person], Page],
    prepared: Path,
) -> None:
    (page, event, backup), (first, arranger) = copied, laptop
    hers = at_the_table(event, arranger.referee(event, "Berit"))
    for number in (4, 5):
        enter(hers, arranger, event, number)
    first.kill()
    a_while(page)
    expect(line(page)).to_contain_text("No connection")
    with second(prepared, backup, first.port) as server:
        assert numbers(server, event) == [1]
        a_while(page, hers)
        expect(line(page)).to_contain_text(re.compile("Connected.*Saved on the server", re.DOTALL))
        assert numbers(server, event) == [1, 2, 3]
        expect(line(hers).get_by_role("link", name="Sign in again")).to_be_visible()
        expect(line(hers)).not_to_contain_text("Saved on the server")
        hers.context.clear_cookies(name="sessionid")
        event.organiser.sign_in(hers, server)
        hers.goto("/en/desk/outbox/")
        hers.get_by_role("button", name="Send as me").tap()
        expect(hers.locator("outbox-list")).to_contain_text("Nothing is waiting on this phone")
        assert numbers(server, event) == [1, 2, 3, 4, 5]
        page.reload()
        enter_round(page, event)
        expect(line(page)).to_contain_text(re.compile("Connected.*Saved on the server", re.DOTALL))
        assert kept(page) == ["confirmed"] * 4
        assert numbers(server, event) == [1, 2, 3, 4, 5, 6]
        assert ": clean, " in server.manage("verify", event.slug)


@pytest.mark.soak
def test_at_a_new_address_a_phone_brings_what_it_kept(
    copied: tuple[Page, Arranged, Path],
    laptop: tuple[Server, Arranger],
    prepared: Path,
    screenshot: Screenshot,
) -> None:
    (page, event, backup), (first, _arranger) = copied, laptop
    first.kill()
    a_while(page)
    with second(prepared, backup) as server:
        event.organiser.sign_in(page, server)
        line(page).get_by_role("button", name="Hand over").tap()
        dialog: Any = page.get_by_role("dialog", name="Hand over")
        expect(dialog.get_by_role("button", name="Next")).to_be_hidden()  # nothing waits: there are no codes
        address = dialog.get_by_label("Has Lastcard moved to a new address?")
        address.fill("http://:::")
        dialog.get_by_role("button", name="Open it there").tap()
        expect(dialog.get_by_role("alert")).to_contain_text("Type the address")
        screenshot(page, "new-address")
        address.fill(server.url.removeprefix("http://"))
        dialog.get_by_role("button", name="Open it there").tap()
        expect(page.get_by_role("heading", name="3 entries")).to_be_visible()
        expect(page.get_by_role("heading", name="From the old address")).to_be_visible()
        assert page.url.startswith(server.url)
        assert numbers(server, event) == [1]
        screenshot(page, "take-all-over")
        page.get_by_role("button", name="Take over").tap()
        expect(page.locator("p[data-said]")).to_have_text("All entries are on the server.")
        assert numbers(server, event) == [1, 2, 3]
        assert ": clean, " in server.manage("verify", event.slug)
