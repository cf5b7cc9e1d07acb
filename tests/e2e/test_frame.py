"""A table's page on small screens and with large text: what the moment asks for is there without scrolling.

Each state is opened afresh at each size, as by somebody who takes the phone out of a pocket. The text is twice as large
as the phone's own setting makes it, which media queries feel too.
"""

from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.depth import SOAK
from tests.e2e.arranger import Arranged, Arranger
from tests.e2e.conftest import Desk, Screenshot
from tests.e2e.reach import BROKEN

pytestmark = pytest.mark.browser

SIZES = [(320, 500), (320, 568), (360, 640), (390, 664), (390, 844), (568, 320), (664, 390), (844, 390)]
NAMES = ["Aino", "Konstantinopoulos", "Çağla", "Dima Korhonen-Virtanen", "Eeva", "Fatima"]
LARGE_PX = 32
LEAST_PX = 400  # of height: below it and with large text, a list of names may scroll by itself
# Counts the elements that match the selector, and lists the texts of those that a tap on their middle would miss.
# A list that may scroll by itself is scrolled to each element. The page is not.
OUT_OF_REACH = """([selector, scrolls]) => {
    const all = [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility());
    const hidden = all.filter((each) => {
        const list = each.closest(".taps, .choices");
        if (list && scrolls) list.scrollTop += each.getBoundingClientRect().top - list.getBoundingClientRect().top;
        const {x, y, width, height} = each.getClientRects()[0];
        return !each.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    });
    return [all.length, hidden.map((each) => each.getAttribute("aria-label") ?? each.textContent.trim())];
}"""


def heats(arranger: Arranger) -> Arranged:
    return arranger.event("heats", "tite-2022", names=NAMES, settings={"advance": 2})


def first_through(page: Page) -> None:
    page.locator(".heat__tap[aria-pressed='false']").first.dispatch_event("click")


def called(arranger: Arranger) -> Arranged:
    made = running(arranger, 600)
    arranger("call_referee", slug=made.slug, table=made.tables[0])
    return made


def match(arranger: Arranger) -> Arranged:
    return arranger.event("match", "mattel-112", names=NAMES)


def running(arranger: Arranger, elapsed_s: int) -> Arranged:
    made = arranger.session(names=NAMES)
    arranger("start_game", slug=made.slug, elapsed_s=elapsed_s)
    return made


def nothing(page: Page) -> None:
    """The page shows the state by itself."""


def gives_up(page: Page) -> None:
    page.get_by_role("link", name="Gives up").click()


def corrected(arranger: Arranger) -> Arranged:
    made = match(arranger)
    aino, *others = made.entries.values()
    arranger("record_round", slug=made.slug, winner=aino, hands={uid: {"7": 1} for uid in others})
    return made


def entered(page: Page) -> None:
    page.get_by_role("link", name="Round 1").click()


def correct(page: Page) -> None:
    entered(page)
    page.get_by_role("link", name="Correct it").click()


def winner(page: Page) -> None:
    chosen = page.locator(".pad__winner").get_by_text("Eeva", exact=True)
    if chosen.is_visible():
        chosen.click()


def timed(arranger: Arranger) -> Arranged:
    made = arranger.session(names=NAMES)
    arranger("let_players_time", slug=made.slug)
    return made


def by_code(page: Page) -> None:
    """The clock of the oldest player, by the code of the table."""
    page.get_by_role("link", name="Code for the players").click()
    address = page.locator(".code__address a").first.get_attribute("href")
    assert address
    page.goto(f"{urlsplit(address).path}clock/")
    page.locator("own-game:not([hidden])").wait_for()


def by_code_running(page: Page) -> None:
    by_code(page)
    start = page.get_by_role("button", name="Start game 1")
    if start.is_visible():
        start.click()


def by_code_stopped(page: Page) -> None:
    by_code_running(page)
    stop = page.get_by_role("button", name="Stop early")
    if stop.is_visible():
        stop.click()


State = tuple[Callable[[Arranger], Arranged], Callable[[Page], None], str]
STATES: dict[str, State] = {
    "start": (
        lambda arranger: arranger.session(names=NAMES),
        nothing,
        "game-table [data-part] :is(.button--primary, .choice:first-child)",
    ),
    "game": (lambda arranger: running(arranger, 600), nothing, ".taps .tap"),
    "giving up": (lambda arranger: running(arranger, 600), gives_up, ".taps .tap, #taps-ask"),
    "hour": (lambda arranger: running(arranger, 3600), nothing, ".pad__key, .action-bar .button--primary"),
    "called": (called, nothing, ".taps .tap, .call__tiles :is(a, button)"),
    "heat": (heats, nothing, ".heat__tap"),
    "heat, one through": (heats, first_through, ".heat__tap"),
    "round": (match, nothing, ".pad__winner label"),
    "pad": (match, winner, ".pad__key, .action-bar .button--primary"),
    "final": (
        lambda arranger: arranger.event("final", "tite-2022", names=NAMES, settings={"target": 250}),
        winner,
        ".pad__key, .action-bar .button--primary",
    ),
    "race": (
        lambda arranger: arranger.event("race", "mattel-108", names=NAMES, settings={"scoring": "own_hand"}),
        nothing,
        ".pad__winner label",
    ),
    "players' start": (timed, by_code, ".action-bar .button--primary"),
    "players' game": (timed, by_code_running, ".taps .tap"),
    "players' hands": (timed, by_code_stopped, ".pad__key, .action-bar .button--primary"),
    "entered": (corrected, entered, ".action-bar .button--primary"),
    "correction": (corrected, correct, ".pad__key, .action-bar .button--primary"),
}


RARE = {"called", "heat", "race", "players' start", "players' hands"}


@pytest.mark.parametrize(
    "state", [pytest.param(each, marks=[pytest.mark.sweep] if each in RARE else []) for each in STATES]
)
def test_what_the_moment_asks_for_is_in_reach(
    state: str, arranger: Arranger, desk: Desk, screenshot: Screenshot
) -> None:
    out_of_reach(state, SIZES if SOAK else [(320, 500), (390, 664), (844, 390)], arranger, desk, screenshot)


@pytest.mark.sweep
@pytest.mark.parametrize("state", STATES)
def test_with_text_of_200_percent_what_the_moment_asks_for_is_in_reach(
    state: str, arranger: Arranger, desk: Desk, screenshot: Screenshot
) -> None:
    out_of_reach(state, SIZES, arranger, desk, screenshot, large=True)


def test_names_are_in_reach_again_by_the_way_back(arranger: Arranger, desk: Desk) -> None:
    """Also where the page was scrolled before it was left."""
    page = desk(running(arranger, 600), viewport={"width": 320, "height": 568})
    page.get_by_role("link", name="The clock is wrong").click()
    page.wait_for_url("**/start-time/")
    page.go_back()
    expect(page.locator(".taps .tap").first).to_be_visible()
    page.wait_for_timeout(400)
    assert page.evaluate(OUT_OF_REACH, [".taps .tap", False]) == [len(NAMES), []]


def out_of_reach(
    state: str,
    sizes: list[tuple[int, int]],
    arranger: Arranger,
    desk: Desk,
    screenshot: Screenshot,
    *,
    large: bool = False,
) -> None:
    """Open the state at each size, and fail with the names of what a tap would miss."""
    arrange, begin, asked = STATES[state]
    event = arrange(arranger)
    page = desk(event)
    if large:
        page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": LARGE_PX}})
    wrong = {}
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        page.goto("about:blank")
        page.goto(event.table)
        begin(page)
        expect(page.locator(asked).first).to_be_attached()
        page.wait_for_timeout(400)
        found, missing = page.evaluate(OUT_OF_REACH, [asked, large or height < LEAST_PX])
        screenshot(page, f"frame-{state}-{width}x{height}{'-large' if large else ''}")
        assert found
        if missing := missing + page.evaluate(BROKEN):
            wrong[f"{width}x{height}"] = missing
    assert wrong == {}
