"""Real public events (field notes A to E) played whole on phones: one enters, another watches, and the standings are
those worked out by hand in the test."""

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.arranger import Arranger
from tests.e2e.browser import PHONE, SIDEWAYS
from tests.e2e.conftest import OpenPage, Screenshot
from tests.e2e.evening import PASSWORD, Evening, Spectator, thumb
from tests.e2e.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.sweep]

LOW = PHONE | {"viewport": {"width": 390, "height": 664}}  # Safari with its bars


@pytest.fixture(scope="module")
def lastcard(prepared: Path) -> Iterator[Server]:
    """A server of these evenings' own."""
    server = Server(prepared)
    try:
        server.start()
        yield server
        assert "Traceback" not in server.log.read_text()
    finally:
        server.close()


@pytest.fixture(scope="module")
def arranger(lastcard: Server) -> Iterator[Arranger]:
    arranger = Arranger(lastcard)
    arranger("begin")
    yield arranger
    arranger.close()


@pytest.fixture
def evening(arranger: Arranger, open_page: OpenPage) -> Evening:
    evening = Evening(open_page(**LOW))
    evening.sign_in(arranger("organiser", name="Aino", password=PASSWORD))
    return evening


@pytest.fixture
def spectator(open_page: OpenPage) -> Spectator:
    return Spectator(open_page(**LOW))


def stands(spectator: Spectator, *rows: tuple[str, str]) -> None:
    """The public standings, from the first: name and what stands behind it."""
    lines = spectator.page.locator(".standings tbody").first.get_by_role("row")
    expect(lines).to_have_count(len(rows))
    for line, (name, points) in zip(lines.all(), rows, strict=True):
        expect(line).to_contain_text(name)
        expect(line).to_contain_text(points)


def test_c_open_tables_and_the_best_games_count(
    evening: Evening, spectator: Spectator, open_page: OpenPage, screenshot: Screenshot
) -> None:
    page, names = evening.page, ["Aino", "Börje", "Çağla", "Dima", "Eeva"]
    board = evening.create(
        "race", "Ten best", ruleset="mattel-108", scoring="winner_takes", rank="total", best="2"
    )
    evening.enter(board, names)
    evening.run_stage(board, "Race")
    page.get_by_role("heading", name="Open tables").tap()
    screenshot(page, "open-tables")
    evening.tap("Open the tables")
    stage = page.url.split("?")[0]
    page.get_by_role("heading", name="The tables are open").tap()
    evening.tap("Print the code")
    screenshot(page, "open-code")
    expect(page.locator(".table-code svg")).to_be_visible()
    page.goto(stage)
    screenshot(page, "open-start")
    evening.start("Race")
    page.get_by_role("heading", name="The tables are open").tap()
    sit = page.get_by_role("link", name="Seat players here").get_attribute("href")
    spectator.open(evening.public_page(board))
    player = open_page(**LOW)
    player.goto(sit or "")
    screenshot(player, "sit")
    sit_down(player, "Aino", "Börje", "Çağla")
    screenshot(player, "sat")
    propose(player, "Aino", ["7"], ["skip"])
    screenshot(player, "sat-proposed")
    player.get_by_role("link", name="Play another game").tap()
    screenshot(player, "sit-again")
    player.locator("#sit").get_by_text("Börje").tap()
    player.locator("#sit").get_by_text("Çağla").tap()
    sit_down(player, "Dima")
    propose(player, "Dima", ["9"])
    accept(page)
    spectator.sees("27", since=accept(page))
    player.goto(sit or "")
    sit_down(player, "Aino", "Börje")
    propose(player, "Aino", ["5"])
    spectator.sees("32", since=accept(page))
    page.goto(board)
    screenshot(page, "open-board")
    evening.finish(board, "Race")
    # The two best of Aino's 27, 0 and 5; Eeva never sat down.
    stands(spectator, ("Aino", "32"), ("Dima", "9"), ("Börje", "0"), ("Çağla", "0"))
    screenshot(spectator.page, "open-public")
    spectator.report("open tables")


def sit_down(player: Page, *names: str) -> None:
    """Choose these names too, and start."""
    assert player.evaluate(SIDEWAYS) == []
    for name in names:
        player.locator("#sit").get_by_text(name).tap()
    player.get_by_role("button", name="Start").tap()
    expect(player.get_by_role("heading", level=1)).to_have_text(re.compile("Race, table"))


def propose(player: Page, winner: str, *hands: list[str]) -> None:
    """Propose a game of the players seated here, in the order of their names."""
    player.get_by_role("link", name="Propose a result").tap()
    player.locator(".pad__winner").get_by_text(winner, exact=True).tap()
    for hand in hands:
        for card in hand:
            player.locator(f".pad__key[data-add='{card}']").tap()
        player.locator(".pad__key--next").tap()
    thumb(player.get_by_role("button", name="Send proposal", exact=True))
    expect(player.get_by_role("heading", name=re.compile("Your proposal: "))).to_be_visible()


def accept(referee: Page) -> float:
    """Accept the oldest proposal; gives when."""
    referee.goto("/en/desk/accept/")
    since = time.monotonic()
    referee.get_by_role("button", name="Accept", exact=True).first.tap()
    referee.wait_for_url("**saved=**")
    return since
