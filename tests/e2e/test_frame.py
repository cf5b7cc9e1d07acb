"""A table's page on small screens and with large text: what the moment asks for is there without scrolling.

Each state is opened afresh at each size, as by somebody who takes the phone out of a pocket. The text is twice as large
as the phone's own setting makes it, which media queries feel too.
"""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.depth import SOAK, dear
from tests.e2e.arranger import Arranged, Arranger
from tests.e2e.conftest import Desk, Screenshot

pytestmark = pytest.mark.browser

SIZES = [(320, 500), (320, 568), (360, 640), (390, 664), (390, 844), (568, 320), (664, 390), (844, 390)]
NAMES = ["Aino", "Börje", "Çağla", "Dima Korhonen-Virtanen", "Eeva", "Fatima"]
LARGE_PX = 32
# Sizes at which the keys, or any name, still lie below the bars with such text: they are reached by scrolling.
TOO_LOW = {
    "game": {"568x320"},
    "giving up": {"320x500"},
    "hour": {"320x500", "320x568", "568x320", "664x390", "844x390"},
    "pad": {"844x390"},
}
# Counts the elements that match the selector, and lists the texts of those that a tap on their middle would miss.
# A list with its own scroll bar is scrolled to each element. The page is not.
OUT_OF_REACH = """(selector) => {
    const all = [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility());
    const hidden = all.filter((each) => {
        const list = each.closest(".taps, .choices");
        if (list) list.scrollTop = each.getBoundingClientRect().top - list.getBoundingClientRect().top + list.scrollTop;
        const {x, y, width, height} = each.getClientRects()[0];
        return !each.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    });
    return [all.length, hidden.map((each) => each.getAttribute("aria-label") ?? each.textContent.trim())];
}"""


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


def winner(page: Page) -> None:
    chosen = page.locator(".pad__winner").get_by_text("Eeva", exact=True)
    if chosen.is_visible():
        chosen.click()


State = tuple[Callable[[Arranger], Arranged], Callable[[Page], None], str]
STATES: dict[str, State] = {
    "start": (
        lambda arranger: arranger.session(names=NAMES),
        nothing,
        "game-table [data-part] .button--primary",
    ),
    "game": (lambda arranger: running(arranger, 600), nothing, ".taps .tap"),
    "giving up": (lambda arranger: running(arranger, 600), gives_up, ".taps .tap, #taps-ask"),
    "hour": (lambda arranger: running(arranger, 3600), nothing, ".pad__key, .action-bar .button--primary"),
    "heat": (
        lambda arranger: arranger.event("heats", "tite-2022", names=NAMES),
        nothing,
        ".heat__tap, .heat .tap",
    ),
    "round": (match, nothing, ".pad__winner label"),
    "pad": (match, winner, ".pad__key, .action-bar .button--primary"),
}


@pytest.mark.parametrize("large", [False, *dear(True)], ids=["usual", "large"])
@pytest.mark.parametrize("state", STATES)
def test_what_the_moment_asks_for_is_in_reach(
    state: str, large: bool, arranger: Arranger, desk: Desk, screenshot: Screenshot
) -> None:
    arrange, begin, asked = STATES[state]
    event = arrange(arranger)
    page = desk(event)
    sizes = SIZES if SOAK else [(320, 500), (390, 664), (844, 390)]
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
        found, missing = page.evaluate(OUT_OF_REACH, asked)
        screenshot(page, f"frame-{state}-{width}x{height}{'-large' if large else ''}")
        assert found
        if missing:
            wrong[f"{width}x{height}"] = missing
    assert {
        size: names for size, names in wrong.items() if not (large and size in TOO_LOW.get(state, ()))
    } == {}
