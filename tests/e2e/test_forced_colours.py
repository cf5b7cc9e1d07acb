"""Pages in the system's few forced colours: every word is still readable, the focus and what is chosen are visible, and
the cards can be told apart."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.arranger import Arranged, Arranger
from tests.e2e.axe import Axe
from tests.e2e.browser import LAPTOP, PHONE, WALL
from tests.e2e.conftest import OpenPage
from tests.e2e.server import Server
from tests.e2e.strain import FOCUS

pytestmark = pytest.mark.browser

Open = Callable[..., Page]

# Elements that have a state and look the same without it; opacity does not count, since all is the system's colour.
UNTOLD = r"""(states) => {
    const own = ["color", "backgroundColor", "borderStyle", "borderWidth", "borderColor", "outlineStyle",
        "outlineColor", "fontWeight", "textDecorationLine", "content", "display"];
    const looks = (one) => JSON.stringify([one, ...one.querySelectorAll("*")].map((each) =>
        [null, "::before", "::after"].map((part) => own.map((name) => getComputedStyle(each, part)[name]))))
        .replaceAll(/rgba\(([\d, ]+), [\d.]+\)/g, "rgb($1)");
    const wrong = [];
    for (const state of states) {
        for (const each of document.querySelectorAll(`[${state}]:not([${state}=false])`)) {
            const value = each.getAttribute(state);
            const on = looks(each);
            if (state === "aria-pressed") each.setAttribute(state, "false");
            else each.removeAttribute(state);
            if (each.checkVisibility() && looks(each) === on) {
                wrong.push(`${state} is not seen: ${each.outerHTML.slice(0, 120)}`);
            }
            each.setAttribute(state, value);
        }
    }
    return wrong;
}"""
STATES = ["aria-current", "aria-invalid", "aria-pressed", "data-mine", "data-wrong"]
# Elements that keep colours of our own must have an outline that is visible on the system's background.
FAINT = """() => {
    const light = (colour) => {
        const [red, green, blue] = colour.match(/[\\d.]+/g).map((each) => (each / 255) ** 2.2);
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
    };
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.color = "Canvas";
    const canvas = light(getComputedStyle(probe).color);
    probe.remove();
    const wrong = [];
    for (const each of document.querySelectorAll("a[href], button, input, select, textarea, summary")) {
        if (each.disabled || !each.checkVisibility()) continue;
        each.focus({preventScroll: true});
        const shown = each.closest(".choice") ?? each;
        const {outlineColor, outlineStyle} = getComputedStyle(shown);
        const colour = light(outlineColor);
        const ratio = Math.max(colour, canvas) / Math.min(colour, canvas);
        if (outlineStyle !== "none" && ratio < 3) wrong.push(`focus is faint: ${each.outerHTML.slice(0, 120)}`);
    }
    return wrong;
}"""
CARDS = """() => [...document.querySelectorAll(".card")].filter((each) => each.checkVisibility()).map((each) =>
    getComputedStyle(each).forcedColorAdjust)"""


# Axe reads the colour that text is filled with, which Chromium tells as it would be without the system's.
AS_SEEN = """() => {
    for (const each of document.body.querySelectorAll("*")) {
        each.style.webkitTextFillColor = getComputedStyle(each).color;
    }
}"""


@pytest.fixture
def see(open_page: OpenPage, lastcard: Server) -> Open:
    """Opens a page of an event as its organiser, in the system's colours."""

    def see(event: Arranged, address: str, **context: object) -> Page:
        page = open_page(**(context or PHONE), forced_colors="active", reduced_motion="reduce")
        Axe().brought_into(page)
        event.organiser.sign_in(page, lastcard)
        page.goto(address)
        return page

    return see


def told(page: Page) -> None:
    """Every word can be read, every control shows its focus, every state is seen, every card keeps its colours."""
    wrong = []
    page.keyboard.press("Tab")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.evaluate(AS_SEEN)
        found = [f"{each['html']} {each['why']}" for each in Axe.colours(page)]
        found += [each for look in (FOCUS, FAINT) for each in page.evaluate(look)]
        wrong += [f"{scheme}: {each}" for each in [*found, *page.evaluate(UNTOLD, STATES)]]
    assert not wrong, "\n".join(wrong)
    assert {*page.evaluate(CARDS)} <= {"none"}


@pytest.mark.soak
def test_the_card_pad(arranger: Arranger, see: Open) -> None:
    event = arranger.match()
    page = see(event, event.table)
    page.locator(".pad__winner label").nth(1).tap()
    for card in ["8", "wild4"]:
        page.locator(f".pad__key[data-add='{card}']").tap()
    expect(page.locator(".pad__chip[aria-pressed=true]")).to_have_count(1)
    assert page.locator(".card").count() > 10
    told(page)


@pytest.mark.soak
def test_a_game_with_somebody_out(arranger: Arranger, see: Open) -> None:
    event = arranger.session()
    play = arranger("start_game", slug=event.slug, elapsed_s=600)
    arranger("tap_out", slug=event.slug, play=play, entry=event.entries["Aino"])
    told(see(event, event.table))


@pytest.mark.soak
def test_a_heat_half_tapped(arranger: Arranger, see: Open) -> None:
    event = arranger.event("heats", "tite-2022", settings={"advance": 2})
    page = see(event, event.table)
    page.locator(".heat__tap").first.tap()
    expect(page.locator(".heat__tap[aria-pressed=true]")).to_have_count(1)
    told(page)


@pytest.mark.soak
def test_somebody_picked_to_be_moved(arranger: Arranger, see: Open) -> None:
    event = arranger.event("heats", "tite-2022", tables=2, start=False)
    page = see(event, f"/en/organise/stage/{event.stage}/seats/")
    page.locator(".sitting__tap").first.tap()
    expect(page.locator(".sitting__tap[aria-pressed=true]")).to_have_count(1)
    told(page)


@pytest.mark.soak
def test_my_row_of_the_standings_and_where_i_am(arranger: Arranger, see: Open) -> None:
    event = arranger.match()
    winner, *others = event.entries.values()
    arranger("record_round", slug=event.slug, winner=winner, hands={each: {"9": 1} for each in others})
    page = see(event, f"{event.public}stage/{event.stage}/")
    page.locator(".standings__row").first.evaluate("(each) => each.setAttribute('aria-current', 'true')")
    told(page)
    for context in (PHONE, LAPTOP):
        told(see(event, "/en/desk/", **context))


@pytest.mark.soak
def test_the_wall(arranger: Arranger, see: Open) -> None:
    event = arranger.match()
    winner, *others = event.entries.values()
    arranger("record_round", slug=event.slug, winner=winner, hands={each: {"9": 1} for each in others})
    address = arranger("screen", slug=event.slug, scenes=["standings"])
    page = see(event, address, **WALL)
    expect(page.locator(".wall__row").first).to_be_visible()
    told(page)
