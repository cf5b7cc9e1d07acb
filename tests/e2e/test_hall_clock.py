"""The hall's clock in browsers: one tap starts it for the wall, the desks and the players' pages, which show the same
time; it goes on without network and through the server's death, and calls the last hand."""

import re
import time

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.arranger import Arranged, Arranger
from tests.e2e.browser import PHONE
from tests.e2e.conftest import OpenPage
from tests.e2e.server import Server

pytestmark = pytest.mark.browser

NAMES = [f"Player {number}" for number in range(1, 9)]
TIME = re.compile(r"\d\d:\d\d")
LEFT = re.compile(r"(\d+):(\d\d)")
SAME = 3.0  # seconds between two readings of a busy machine; benchmarks/live_pages.py measures them


@pytest.fixture
def event(arranger: Arranger) -> Arranged:
    return arranger.event("heats", "tite-2022", tables=2, names=NAMES)


@pytest.fixture
def organiser(phone: Page, event: Arranged, lastcard: Server) -> Page:
    event.organiser.sign_in(phone, lastcard)
    phone.goto(f"/en/organise/t/{event.slug}/")
    return phone


@pytest.fixture
def desk(open_page: OpenPage, event: Arranged, lastcard: Server) -> Page:
    """The first table's page on the referee's phone."""
    page = open_page(**PHONE)
    event.organiser.sign_in(page, lastcard)
    page.goto(event.table)
    return page


@pytest.fixture
def wall(open_page: OpenPage, event: Arranged, arranger: Arranger) -> Page:
    page = open_page(viewport={"width": 1920, "height": 1080})
    page.goto(arranger("screen", slug=event.slug, scenes=["clock"]))
    return page


@pytest.fixture
def player(open_page: OpenPage, event: Arranged) -> Page:
    """The page of somebody at the first table."""
    page = open_page(**PHONE)
    uid = event.seats[0][0]
    page.goto(f"{event.public}player/{uid}/")
    return page


def tap(organiser: Page, words: str | re.Pattern[str]) -> None:
    organiser.locator("#hall-clock").get_by_role("button", name=words).tap()


def left(page: Page) -> float:
    """When the clock of this page is at zero, in seconds of this computer's time."""
    face = page.locator("hall-clock [data-face]").first
    expect(face).to_have_text(TIME)
    while not (
        shown := LEFT.fullmatch(face.inner_text())
    ):  # a page that was just fetched says until when, in words
        page.wait_for_timeout(50)  # ms
    return time.time() + int(shown[1]) * 60 + int(shown[2])


def alike(*pages: Page) -> bool:
    found = [left(page) for page in pages]
    return max(found) - min(found) < SAME


@pytest.mark.sweep
def test_one_tap_starts_it_for_the_room(
    organiser: Page, desk: Page, wall: Page, player: Page, event: Arranged
) -> None:
    expect(wall.locator(".scene.is-on")).to_contain_text("No game is running.")
    tap(organiser, "Start the clock (20 min)")
    assert alike(organiser, desk, wall, player)
    assert abs(left(wall) - time.time() - 20 * 60) < 60
    # More time for one table is on its own pages, and a line on the wall.
    desk.get_by_role("link", name="More time").tap()
    desk.get_by_role("button", name="5 minutes", exact=True).tap()
    for page in (desk, player):
        expect(page.locator("hall-clock")).to_contain_text("Table 1: 5 more minutes")
    expect(wall.locator(".clocks__in")).to_contain_text("Table 1: 5 more minutes")
    assert alike(desk, player)
    assert left(desk) - left(wall) > 4 * 60
    # Paused, it stands still everywhere; stopped, it is gone everywhere.
    tap(organiser, "Pause")
    for page in (desk, wall, player):
        expect(page.locator("hall-clock").first).to_contain_text("Paused")
    tap(organiser, "Resume")
    tap(organiser, "Stop the clock")
    for page in (desk, wall, player):
        expect(page.locator("hall-clock")).to_have_count(0)


@pytest.mark.soak
def test_it_goes_on_through_the_servers_death(
    organiser: Page, desk: Page, wall: Page, player: Page, lastcard: Server
) -> None:
    tap(organiser, "Start the clock (20 min)")
    ends = left(desk)
    assert alike(organiser, desk, wall, player)
    lastcard.kill()
    desk.wait_for_timeout(1500)
    assert abs(left(desk) - ends) < SAME  # without a server it counts on
    lastcard.start()
    for page in (desk, wall, player):
        page.reload()
    assert alike(desk, wall, player)
    assert abs(left(desk) - ends) < SAME
    organiser.reload()
    tap(organiser, "Add 5 minutes")
    for page in (desk, wall, player):
        expect(page.locator("hall-clock [data-face]").first).to_have_text(re.compile(r"2[1-5]:\d\d"))


@pytest.mark.soak
def test_without_network_it_counts_on(organiser: Page, desk: Page) -> None:
    desk.clock.install()
    desk.reload()
    tap(organiser, "Start the clock (20 min)")
    ends = left(desk)
    desk.context.set_offline(True)
    desk.clock.run_for(60_000)  # milliseconds
    assert abs(left(desk) + 60 - ends) < SAME
    desk.context.set_offline(False)


def test_the_last_hand_is_called_and_the_time_is_up(
    organiser: Page, desk: Page, wall: Page, event: Arranged
) -> None:
    for page in (desk, wall):
        page.clock.install()
        page.reload()
    desk.evaluate(
        "window.rang = []; document.addEventListener('alarm:rang', (event) => rang.push(event.detail.times))"
    )
    organiser.goto(f"/en/organise/t/{event.slug}/clock/")
    organiser.get_by_label("Minutes", exact=True).fill("10")
    organiser.get_by_text("2 minutes left").tap()
    organiser.get_by_role("button", name="Start the clock", exact=True).tap()
    desk.locator("hall-clock label").tap()
    says = [page.locator("hall-clock [data-says]") for page in (desk, wall)]
    for page in (desk, wall):
        left(page)
        page.context.set_offline(True)  # the server would say that it is not that late yet
        page.clock.fast_forward(8 * 60_000 + 1000)
    for each in says:
        expect(each).to_have_text("Last hand")
    for page in (desk, wall):
        page.clock.fast_forward(2 * 60_000)
    for each in says:
        expect(each).to_have_text("Time is up")
    expect(desk.locator("hall-clock [data-face]")).to_have_text("00:00")
    assert desk.evaluate("rang") == [1, 2, 4]  # the switch itself, the last hand, the end


@pytest.mark.soak
def test_a_break_says_when_play_goes_on(organiser: Page, wall: Page, desk: Page, event: Arranged) -> None:
    organiser.goto(f"/en/organise/t/{event.slug}/clock/")
    organiser.get_by_role("button", name="Start the break").tap()
    for page in (wall, desk):
        expect(page.locator("hall-clock")).to_contain_text("Play resumes at")
        left(page)
    tap(organiser, "End the break")
    for page in (wall, desk):
        expect(page.locator("hall-clock")).to_have_count(0)
