"""The card pad never moves: from the first card to Save each key stays under the thumb, whatever the hand holds and
whatever is said."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.depth import dear
from tests.e2e.arranger import Arranger
from tests.e2e.browser import SIDEWAYS
from tests.e2e.conftest import Desk, Screenshot
from tests.e2e.evening import Evening, thumb

pytestmark = pytest.mark.browser

NAMES = ["Maximilian Wolkenstein", "Börje", "Anna-Karin Söderström-Lindqvist", "Dima", "Eeva", "Fatima"]
THIRTEEN = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "draw2", "reverse", "skip"]
SIZES = {"390x844": (390, 844), "320x640": (320, 640), "844x390": (844, 390), "640x320": (640, 320)}
LEAST_ROOM = ["320x640", "640x320"]
PADS_OF_CI = {"round", "hour"}
# Where the middle of each key is, and of Save.
PLACES = """() => Object.fromEntries([...document.querySelectorAll(".pad__key, .action-bar .button--primary")].map(
    (key) => {
        const box = key.getBoundingClientRect();
        const name = key.dataset.add ?? [...key.classList].at(-1);
        return [name, [box.x + box.width / 2, box.y + box.height / 2]];
    }))"""
# The key that a thumb hits at each of these places.
UNDER = """(places) => Object.fromEntries(Object.entries(places).map(([name, [x, y]]) => {
    const key = document.elementFromPoint(x, y)?.closest(".pad__key, .action-bar .button--primary");
    return [name, key ? (key.dataset.add ?? [...key.classList].at(-1)) : "nothing"];
}))"""


def at_a_round(page: Page) -> None:
    page.locator(".pad__winner").get_by_text("Dima", exact=True).tap()


def at_a_correction(page: Page) -> None:
    page.get_by_role("link", name="Round 1", exact=True).tap()
    page.get_by_role("link", name="Correct it", exact=True).tap()
    page.locator(".pad__chip", has_text="Eeva").tap()


def at_the_hour(page: Page) -> None:
    expect(page.get_by_role("heading", name="The hour is up: count the hands")).to_be_visible()


def _open(place: str, arranger: Arranger, desk: Desk, size: tuple[int, int]) -> Page:
    viewport = {"viewport": {"width": size[0], "height": size[1]}}
    if place == "friends":
        page = desk(arranger.match(), **viewport)
        page.goto("/en/score/?play=mattel-112.match")
        page.get_by_label("Players").fill("\n".join(NAMES))
        page.get_by_role("button", name="Start scoring").tap()
        at_a_round(page)
        return page
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


@pytest.mark.parametrize(
    ("place", "size"),
    [
        pytest.param(
            place, size, marks=[] if size in LEAST_ROOM and place in PADS_OF_CI else [pytest.mark.soak]
        )
        for place in ("round", "correction", "hour", "friends")
        for size in SIZES
    ],
)
def test_no_key_moves_while_a_hand_is_counted(
    place: str, size: str, arranger: Arranger, desk: Desk, screenshot: Screenshot
) -> None:
    page = _open(place, arranger, desk, SIZES[size])
    page.evaluate("document.querySelector('#main card-pad').reach()")
    places = page.evaluate(PLACES)
    names = {name: name for name in places}
    assert page.evaluate(UNDER, places) == names
    for kind in THIRTEEN + ["wild4"] * 5:  # the fifth of which is refused, with a reason
        page.touchscreen.tap(*places[kind])
        assert page.evaluate(UNDER, places) == names, f"after {kind}"
    expect(page.locator(".pad__note")).to_contain_text(re.compile(r"Wild[ +]Draw 4"))
    assert page.evaluate(SIDEWAYS) == []
    screenshot(page, f"pad-{place}-{size}")
    page.locator(".pad__chip", has_text="Fatima").dispatch_event("click")
    expect(page.locator(".pad__who")).to_have_text("Fatima")
    assert page.evaluate(UNDER, places) == names


# ---- who went out, the last card, Save ----


@pytest.mark.parametrize("size", ["320x640", *dear("640x320", "390x844", "844x390")])
def test_every_name_is_above_the_bar_the_first_time_too(size: str, arranger: Arranger, desk: Desk) -> None:
    width, height = SIZES[size]
    event = arranger.match(names=NAMES)
    referee = arranger.referee(event, "Rauha")
    page = desk(event, referee, viewport={"width": width, "height": height})
    page.evaluate("localStorage.setItem('lastcard.first-steps', '2')")
    page.reload()
    expect(page.get_by_role("region", name="First steps")).to_contain_text("2 of 3")
    for name in NAMES:
        assert named_at(page, name) == name


def named_at(page: Page, name: str) -> str:
    """What is seen in the middle of a name that can be tapped."""
    box = page.locator(".pad__winner").get_by_text(name, exact=True).bounding_box()
    assert box
    middle = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
    seen = "([x, y]) => document.elementFromPoint(x, y)?.closest('label')?.innerText"
    return str(page.evaluate(seen, middle))


def count(page: Page, cards: list[str]) -> None:
    """The winner is Dima; each other hand gets one of these cards, in turn, and Next leads on."""
    page.locator(".pad__winner").get_by_text("Dima", exact=True).tap()
    for number, card in enumerate(cards):
        if number:
            page.locator(".pad__key--next").tap()
        page.locator(f".pad__key[data-add='{card}']").tap()


def test_save_leads_to_the_last_card_which_is_answered_by_taps(arranger: Arranger, desk: Desk) -> None:
    event = arranger.event("match", "tite-2022", settings={"target": 300})
    page = desk(event)
    count(page, ["9", "7", "1"])
    for card in ["2", "3", "4", "5"]:  # Çağla has drawn four
        page.locator(f".pad__key[data-add='{card}']").tap()
    save = page.locator("[data-save]")
    expect(save).to_have_attribute("data-state", "lack")
    expect(save).to_contain_text("The last card played")
    thumb(save)
    expect(save).to_have_attribute("data-state", "ready")
    asked = page.locator("[data-last-card]")
    asked.get_by_text("Draw 2", exact=True).tap()
    expect(save).to_contain_text("Who drew the cards?")
    asked.get_by_text("2", exact=True).tap()
    asked.get_by_text("Çağla", exact=True).tap()
    expect(save).to_have_attribute("data-state", "ready")
    thumb(save)
    expect(save).to_contain_text("Round 1 is on")
    Evening(page).confirmed("Round 1")
    page.get_by_role("link", name="Round 1", exact=True).tap()
    page.get_by_role("link", name="Correct it", exact=True).tap()
    expect(page.locator("[name=last_count][value='2']")).to_be_checked()


HELD = """() => {
    document.querySelector(".pad__key--next").click();
    document.querySelector("[data-save]").click();
    return document.querySelector("[data-save]").innerText;
}"""


@pytest.mark.sweep
def test_a_tap_on_save_that_is_held_back_says_so(arranger: Arranger, desk: Desk) -> None:
    event = arranger.match()
    page = desk(event)
    count(page, ["9", "7", "1"])
    assert "Too fast. Tap again" in page.evaluate(HELD)
    save = page.locator("[data-save]")
    expect(save).to_contain_text("Not saved yet")
    assert arranger.states(event) == []
    thumb(save)
    Evening(page).confirmed("Round 1")
    expect(save).to_contain_text("Saved")
    assert arranger.states(event) == ["entered"]


AGAIN = """async () => {
    const save = document.querySelector("[data-save]");
    document.querySelector(".pad__key--next").click();
    save.click();
    while (save.hasAttribute("aria-disabled")) await new Promise(requestAnimationFrame);
    save.click();
}"""


@pytest.mark.sweep
def test_save_is_there_for_the_next_round_after_a_tap_that_was_held_back(
    arranger: Arranger, desk: Desk
) -> None:
    """Whoever is told to tap again does so while Save still says it."""
    event = arranger.match()
    page = desk(event)
    count(page, ["9", "7", "1"])
    page.context.set_offline(True)
    page.evaluate(AGAIN)
    expect(page.locator("[data-entry-title]")).to_contain_text("Round 2")
    expect(page.locator("[data-save]")).to_be_visible()
    expect(page.locator("[data-plays]")).to_contain_text("Round 1")
    page.context.set_offline(False)
    Evening(page).confirmed("Round 1")
    assert arranger.states(event) == ["entered"]
