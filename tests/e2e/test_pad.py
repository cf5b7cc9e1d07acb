"""The card pad never moves: from the first card to Save each key stays under the thumb, whatever the hand holds and
whatever is said."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.arranger import Arranger
from tests.e2e.browser import SIDEWAYS
from tests.e2e.conftest import Desk, Screenshot

pytestmark = pytest.mark.browser

NAMES = ["Maximilian Wolkenstein", "Börje", "Anna-Karin Söderström-Lindqvist", "Dima", "Eeva", "Fatima"]
THIRTEEN = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "draw2", "reverse", "skip"]
SIZES = {"390x844": (390, 844), "320x640": (320, 640), "844x390": (844, 390), "640x320": (640, 320)}
# Where the middle of each key is, and of Save.
PLACES = """() => Object.fromEntries([...document.querySelectorAll(".pad__key, .action-bar .button--primary")].map(
    (key) => {
        const box = key.getBoundingClientRect();
        const name = key.dataset.add ?? [...key.classList].at(-1);
        return [name, [box.x + box.width / 2, box.y + box.height / 2]];
    }))"""
# What a thumb hits at each of these places.
UNDER = """(places) => Object.fromEntries(Object.entries(places).map(([name, [x, y]]) => {
    const key = document.elementFromPoint(x, y)?.closest(".pad__key, .action-bar .button--primary");
    return [name, key ? (key.dataset.add ?? [...key.classList].at(-1)) : "nothing"];
}))"""


def at_a_round(page: Page) -> None:
    page.locator(".pad__winner").get_by_text("Dima", exact=True).tap()


def at_a_correction(page: Page) -> None:
    page.get_by_role("link", name="Round 1", exact=True).tap()
    page.get_by_role("link", name="Correct", exact=True).tap()
    page.locator(".pad__chip", has_text="Eeva").tap()


def at_the_hour(page: Page) -> None:
    expect(page.get_by_role("heading", name="The hour is up: count the hands")).to_be_visible()


def _open(place: str, arranger: Arranger, desk: Desk, size: tuple[int, int]) -> Page:
    viewport = {"viewport": {"width": size[0], "height": size[1]}}
    if place == "hour":
        event = arranger.session(names=NAMES)
        arranger("start_game", slug=event.slug, elapsed_s=3600)
        page = desk(event, **viewport)
        at_the_hour(page)
        return page
    event = arranger.event("match", "mattel-112", names=NAMES)
    if place == "correction":
        dima = event.entries["Dima"]
        hands = {each: {"9": 1} for each in event.entries.values() if each != dima}
        arranger("record_round", slug=event.slug, winner=dima, hands=hands)
    page = desk(event, **viewport)
    (at_a_correction if place == "correction" else at_a_round)(page)
    return page


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("place", ["round", "correction", "hour"])
def test_no_key_moves_while_a_hand_is_counted(
    place: str, size: str, arranger: Arranger, desk: Desk, screenshot: Screenshot
) -> None:
    page = _open(place, arranger, desk, SIZES[size])
    page.evaluate("document.querySelector('#main card-pad').reach()")
    places = page.evaluate(PLACES)
    names = {name: name for name in places}
    assert page.evaluate(UNDER, places) == names
    for kind in [
        *THIRTEEN,
        "wild4",
        "wild4",
        "wild4",
        "wild4",
        "wild4",
    ]:  # the fifth is refused, with a reason
        page.touchscreen.tap(*places[kind])
        assert page.evaluate(UNDER, places) == names, f"after {kind}"
    expect(page.locator(".pad__note")).to_contain_text("Wild Draw 4")
    assert page.evaluate(SIDEWAYS) == []
    screenshot(page, f"pad-{place}-{size}")
    page.touchscreen.tap(*places["pad__key--next"])
    assert page.evaluate(UNDER, places) == names
