"""The laptop dies and its disk with it: a second one starts from the latest copy, and phones bring what they kept, at
the same address by themselves, at a new one by the address that somebody types."""

import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.arranger import Arranged, Arranger
from tests.e2e.browser import PHONE, Faults
from tests.e2e.conftest import OpenPage, Screenshot
from tests.e2e.server import Server
from tests.e2e.test_hand_over import line
from tests.e2e.test_outbox import enter_round, kept, numbers as numbers_there

pytestmark = pytest.mark.browser


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


def numbers(server: Server) -> list[int]:
    """The rounds in its database."""
    with closing(sqlite3.connect(server.data / "lastcard.sqlite3")) as database:
        return [
            number for (number,) in database.execute("SELECT number FROM tournament_play ORDER BY number")
        ]


@pytest.fixture
def died(
    prepared: Path, tmp_path: Path, open_page: OpenPage, faults: Faults
) -> tuple[Page, Arranged, Server, Path]:
    """A phone that entered three rounds, of which the copy on the stick has one, since when the laptop died."""
    faults.expected += ["ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE"]
    first = Server(prepared)
    first.start()
    arranger = Arranger(first)
    event = arranger.match()
    page = open_page(**PHONE, base_url=first.url)
    event.organiser.sign_in(page, first)
    page.goto(event.table)
    backup = tmp_path / "stick.sqlite3"
    for number in (1, 2, 3):
        enter_round(page, event)
        expect(line(page)).to_contain_text("Saved on the server")
        assert numbers_there(arranger, event) == [*range(1, number + 1)]
        if number == 1:
            first.manage("backup", str(backup))
    first.kill()
    arranger.close()
    shutil.rmtree(first.data)
    return page, event, first, backup


def test_at_the_same_address_phones_send_again_by_themselves(
    died: tuple[Page, Arranged, Server, Path], prepared: Path
) -> None:
    page, event, first, backup = died
    expect(line(page)).to_contain_text("No connection")
    with second(prepared, backup, first.port) as server:
        assert numbers(server) == [1]
        expect(line(page)).to_contain_text(re.compile("Connected.*Saved on the server", re.DOTALL))
        enter_round(page, event)
        expect(line(page)).to_contain_text(re.compile("Connected.*Saved on the server", re.DOTALL))
        assert kept(page) == ["confirmed"] * 4
        assert numbers(server) == [1, 2, 3, 4]
        assert ": clean, " in server.manage("verify", event.slug)


def test_at_a_new_address_a_phone_brings_what_it_kept(
    died: tuple[Page, Arranged, Server, Path], prepared: Path, screenshot: Screenshot
) -> None:
    page, event, _first, backup = died
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
        assert numbers(server) == [1]
        screenshot(page, "take-all-over")
        page.get_by_role("button", name="Take over").tap()
        expect(page.locator("p[data-said]")).to_have_text("All entries are on the server.")
        assert numbers(server) == [1, 2, 3]
        assert ": clean, " in server.manage("verify", event.slug)


def test_a_referee_who_joined_after_the_copy_joins_again_and_brings_everything(
    prepared: Path, tmp_path: Path, open_page: OpenPage, faults: Faults
) -> None:
    faults.expected += ["ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET", "ERR_EMPTY_RESPONSE"]
    first, backup = Server(prepared), tmp_path / "stick.sqlite3"
    first.start()
    arranger = Arranger(first)
    event = arranger.match()
    first.manage("backup", str(backup))
    page = open_page(**PHONE, base_url=first.url)
    arranger.referee(event, "Berit").sign_in(page, first)
    page.goto(event.table)
    for number in (1, 2):
        enter_round(page, event)
        expect(line(page)).to_contain_text("Saved on the server")
        assert numbers_there(arranger, event) == [*range(1, number + 1)]
    first.kill()
    arranger.close()
    with second(prepared, backup, first.port) as server:
        expect(line(page).get_by_role("link", name="Sign in again")).to_be_visible()
        expect(line(page)).not_to_contain_text("Saved on the server")
        page.context.clear_cookies(name="sessionid")
        event.organiser.sign_in(page, server)
        page.goto("/en/desk/outbox/")
        page.get_by_role("button", name="Send as me").tap()
        expect(page.locator("outbox-list")).to_contain_text("Nothing is waiting on this phone")
        assert numbers(server) == [1, 2]
        assert ": clean, " in server.manage("verify", event.slug)
