"""The standings are frozen, played on and revealed: the organiser's phone, a visitor's, and the wall of the hall."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.arranger import Arranged, Arranger
from tests.e2e.browser import EACH_SIZE, PHONE, SIZES, WALL, Faults
from tests.e2e.conftest import OpenPage, Screenshot
from tests.e2e.server import Server

pytestmark = pytest.mark.browser

NAMES = ["Aino", "Börje", "Çağla", "Dima", "Eeva", "Fatima"]
# All of an element's text: a time may hold them, and a digest.
POINTS_KEPT_BACK = re.compile(r"^\s*(45|35)\s*$")
AS_WIDE = "document.scrollingElement.scrollWidth <= document.scrollingElement.clientWidth"


def won(arranger: Arranger, event: Arranged, winner: str, card: str) -> None:
    uid = event.entries[winner]
    hands = {each: {card: 1} for each in event.entries.values() if each != uid}
    arranger("record_round", slug=event.slug, winner=uid, hands=hands)


def match(arranger: Arranger) -> Arranged:
    """A match of six that Aino leads with 5 points."""
    event = arranger.match(names=NAMES)
    won(arranger, event, "Aino", "1")
    return event


def played_on(arranger: Arranger, event: Arranged) -> None:
    """Each of the others wins more than the one before: Fatima wins with 45, Aino is last with 5."""
    for name, card in zip(NAMES[1:], ["3", "5", "6", "7", "9"], strict=True):
        won(arranger, event, name, card)
    arranger("stop_match", slug=event.slug)
    arranger("finish", slug=event.slug)


def untouched(page: Page) -> Page:
    """The page with a mark that a reload would take away."""
    page.evaluate("window.neverReloaded = true")
    return page


def still_there(*pages: Page) -> None:
    for page in pages:
        assert page.evaluate("window.neverReloaded"), page.url
        assert page.evaluate(AS_WIDE), page.url


@pytest.mark.soak
def test_reveal_from_the_organisers_phone(
    arranger: Arranger, open_page: OpenPage, lastcard: Server, screenshot: Screenshot
) -> None:
    event = match(arranger)
    public, hall = (
        f"{event.public}stage/{event.stage}/",
        arranger("screen", slug=event.slug, scenes=["standings"]),
    )
    visitor, wall, organiser = open_page(**PHONE), open_page(**WALL), open_page(**PHONE)
    for page, address in ((visitor, public), (wall, hall)):
        page.goto(address)
        untouched(page)
    event.organiser.sign_in(organiser, lastcard)
    organiser.goto(f"/en/organise/stage/{event.stage}/")
    organiser.get_by_role("button", name="Freeze the standings").tap()
    expect(organiser.get_by_text("The public sees this stage and later ones as they were at")).to_be_visible()

    for page in (visitor, wall):
        expect(page.get_by_text("The standings are frozen as of")).to_be_visible()
    played_on(arranger, event)
    organiser.goto(f"/en/organise/t/{event.slug}/")
    expect(organiser.get_by_role("heading", name="public standings frozen at")).to_be_visible()
    screenshot(organiser, "reveal-board")
    for page in (visitor, wall):
        expect(page.locator("#main *", has_text=POINTS_KEPT_BACK)).to_have_count(0)
    for address in (public, hall):
        assert not re.search(r">\s*(45|35)\b", visitor.request.get(address).text())
    screenshot(visitor, "reveal-frozen-phone")
    screenshot(wall, "reveal-frozen-wall")

    organiser.get_by_role("link", name="Reveal or show everything").tap()
    organiser.get_by_role("button", name="Start the reveal").tap()
    button = organiser.locator("[data-reveal] button")
    expect(button).to_have_text("Show place 6")
    expect(organiser.locator(".reveal-next__who")).to_contain_text("Aino")
    for page in (visitor, wall):
        expect(page.locator(".reveal__card")).to_have_count(6)
    screenshot(organiser, "reveal-organiser")
    untouched(organiser)
    for place, name in enumerate(NAMES[:3]):
        button.tap()
        expect(button).to_have_text(f"Show place {5 - place}")
        for page in (visitor, wall):
            expect(page.locator(".reveal__row--newest .reveal__name")).to_have_text(name)
            expect(page.locator(".reveal__card")).to_have_count(5 - place)
            expect(page.locator(".reveal")).not_to_contain_text("Fatima")
    expect(organiser.get_by_role("heading", name="Public view")).to_be_visible()
    screenshot(organiser, "reveal-organiser-half")
    screenshot(visitor, "reveal-half-phone")
    wall.wait_for_timeout(800)  # milliseconds: the row has turned
    screenshot(wall, "reveal-half-wall")
    for place in (2, 1):
        button.tap()
        expect(button).to_have_text(f"Show place {place}")
    button.tap()
    expect(button).to_have_text("Show everything")
    for page in (visitor, wall):
        expect(page.locator(".reveal__row--newest .reveal__name")).to_have_text("Fatima")
        expect(page.locator(".reveal__card")).to_have_count(0)
        expect(page.get_by_text("All results have been announced.")).to_be_visible()
    screenshot(organiser, "reveal-organiser-all")
    screenshot(visitor, "reveal-all-phone")
    wall.wait_for_timeout(800)  # milliseconds: the row has turned
    screenshot(wall, "reveal-all-wall")
    button.tap()
    expect(organiser.get_by_text("Everyone can see everything")).to_be_visible()
    for page in (visitor, wall):
        expect(page.locator("#main *", has_text=POINTS_KEPT_BACK).first).to_be_visible()
        expect(page.get_by_text("The standings are frozen")).to_have_count(0)
    still_there(visitor, wall, organiser)
    screenshot(visitor, "reveal-done-phone")
    screenshot(wall, "reveal-done-wall")


@pytest.mark.soak
def test_reveal_goes_on_by_itself_and_through_a_bad_network(
    arranger: Arranger, open_page: OpenPage, lastcard: Server, screenshot: Screenshot, faults: Faults
) -> None:
    event = match(arranger)
    organiser = open_page(**PHONE)
    event.organiser.sign_in(organiser, lastcard)
    organiser.goto(f"/en/organise/stage/{event.stage}/")
    organiser.get_by_role("button", name="Freeze the standings").tap()
    expect(organiser.get_by_text("The public sees this stage and later ones as they were at")).to_be_visible()
    played_on(arranger, event)
    organiser.clock.install()
    organiser.goto(f"/en/organise/stage/{event.stage}/")
    organiser.get_by_role("button", name="Start the reveal").tap()
    button = organiser.locator("[data-reveal] button")
    expect(button).to_have_text("Show place 6")
    organiser.get_by_label("Seconds between places").select_option("5")
    organiser.get_by_role("button", name="Start").tap()
    expect(organiser.locator("[data-reveal-says]")).to_have_text(re.compile(r"Next place in [1-5] s"))
    screenshot(organiser, "reveal-by-itself")
    organiser.clock.run_for(5_000)  # milliseconds
    expect(button).to_have_text("Show place 5")
    organiser.get_by_role("button", name="Stop").tap()
    expect(organiser.locator("[data-reveal-says]")).to_be_empty()

    faults.expected.append("ERR_INTERNET_DISCONNECTED")
    organiser.context.set_offline(True)
    button.tap()
    expect(organiser.locator("[data-reveal-says]")).to_have_text("Not sent. Trying again…")
    organiser.context.set_offline(False)
    organiser.clock.run_for(3_000)  # milliseconds
    expect(button).to_have_text("Show place 4")


def test_two_phones_reveal_one_place(arranger: Arranger, open_page: OpenPage, lastcard: Server) -> None:
    event = match(arranger)
    phones = [open_page(**PHONE, java_script_enabled=scripts) for scripts in (True, False)]
    for phone in phones:
        event.organiser.sign_in(phone, lastcard)
    first, without_scripts = phones
    first.goto(f"/en/organise/stage/{event.stage}/")
    first.get_by_role("button", name="Freeze the standings").tap()
    expect(first.get_by_text("The public sees this stage and later ones as they were at")).to_be_visible()
    played_on(arranger, event)
    first.goto(f"/en/organise/stage/{event.stage}/")
    first.get_by_role("button", name="Start the reveal").tap()
    expect(first.locator("[data-reveal] button")).to_have_text("Show place 6")
    for phone in phones:
        phone.goto(f"/en/organise/stage/{event.stage}/reveal/")
    untouched(first)
    without_scripts.get_by_role("button", name="Show place 6").tap()
    expect(without_scripts.get_by_role("button", name="Show place 5")).to_be_visible()
    expect(first.locator("[data-reveal] button")).to_have_text("Show place 5")
    first.locator("[data-reveal] button").tap()
    expect(first.locator("[data-reveal] button")).to_have_text("Show place 4")
    without_scripts.get_by_role("button", name="Show place 5").tap()
    expect(without_scripts.get_by_text("Someone else has already revealed this. 5 to go.")).to_be_visible()
    still_there(first)


@pytest.mark.sweep
@pytest.mark.parametrize("size", EACH_SIZE)
def test_several_tables_and_heats_are_revealed(
    size: str, arranger: Arranger, open_page: OpenPage, lastcard: Server, screenshot: Screenshot
) -> None:
    event = arranger.event("heats", "tite-2022", names=[*NAMES, "Göran", "Hilla"], tables=2)
    organiser, page = open_page(**PHONE), open_page(**SIZES[size])
    event.organiser.sign_in(organiser, lastcard)
    organiser.goto(f"/en/organise/stage/{event.stage}/")
    organiser.get_by_role("button", name="Freeze the standings").tap()
    expect(organiser.get_by_text("The public sees this stage and later ones as they were at")).to_be_visible()
    for table in range(2):
        arranger("record_heat", slug=event.slug, table=table)
    arranger("finish", slug=event.slug)
    organiser.goto(f"/en/organise/stage/{event.stage}/")
    organiser.get_by_role("button", name="Start the reveal").tap()
    expect(organiser.get_by_role("button", name="Show heat 1")).to_be_visible()
    page.goto(f"{event.public}stage/{event.stage}/")
    expect(page.locator(".reveal__card")).to_have_count(2)
    organiser.get_by_role("button", name="Show heat 1").tap()
    expect(page.locator(".reveal__heat")).to_have_count(1)
    expect(page.locator(".reveal__heat .status--go")).to_have_text("Through")
    assert page.evaluate(AS_WIDE)
    page.wait_for_timeout(800)  # milliseconds: the heat has turned
    screenshot(page, f"reveal-heats-{size}")
