"""The end of a match on the phones and the wall that followed it: the winner over the whole page, once."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.arranger import Arranged, Arranger
from tests.e2e.browser import LAPTOP, PHONE, WALL
from tests.e2e.conftest import OpenPage, Screenshot

pytestmark = pytest.mark.browser

MOVES = "() => document.getAnimations().map((each) => each.animationName).filter(Boolean)"
COVERS = """(dialog) => {
    const { x, y, width, height } = dialog.getBoundingClientRect();
    const whole = dialog.scrollHeight <= dialog.clientHeight && dialog.scrollWidth <= dialog.clientWidth;
    return whole && x <= 0 && y <= 0 && width >= innerWidth && height >= innerHeight;
}"""


def won(arranger: Arranger, event: Arranged, winner: str, card: str = "9", cards: int = 2) -> None:
    uid = event.entries[winner]
    hands = {each: {card: cards} for each in event.entries.values() if each != uid}
    arranger("record_round", slug=event.slug, winner=uid, hands=hands)


def names(page: Page) -> list[str]:
    return page.locator("dialog.finale .finale__name bdi").all_inner_texts()


def test_the_end_of_a_match_is_shown_once_on_phone_page_and_wall(
    arranger: Arranger, open_page: OpenPage, screenshot: Screenshot
) -> None:
    event = arranger.match(settings={"target": 100})
    player = f"{event.public}player/{event.entries['Börje']}/"
    hall = arranger("screen", slug=event.slug, scenes=["standings", "results"])
    addresses = {"player": player, "visitor": event.public, "wall": hall}
    pages = {name: open_page(**(WALL if name == "wall" else PHONE)) for name in addresses}
    for name, page in pages.items():
        page.goto(addresses[name])
        expect(page.locator("[data-live-state='live']").first).to_be_visible()
    won(arranger, event, "Börje")
    for page in pages.values():
        expect(page.locator("body")).to_contain_text("54")
        assert names(page) == []

    won(arranger, event, "Aino", card="wild4", cards=1)

    for name, page in pages.items():
        dialog = page.locator("dialog.finale")
        expect(dialog).to_be_visible()
        assert names(page) == ["Aino"]
        assert dialog.evaluate(COVERS), name
        screenshot(page, f"finale-{name}")
    for name in ("player", "visitor"):
        page = pages[name]
        page.get_by_role("button", name="Close").tap()
        expect(page.locator("dialog")).to_have_count(0)
        page.reload()
        expect(page.locator(".winner")).to_contain_text("Aino")
        assert names(page) == []
    late = open_page(**PHONE)
    late.goto(event.public)  # whoever did not follow the match reads on the page who won it
    expect(late.locator(".winner")).to_contain_text("Aino")
    assert names(late) == []


@pytest.mark.soak
def test_without_motion_the_winner_stands_still(arranger: Arranger, open_page: OpenPage) -> None:
    event = arranger.match(settings={"target": 100})
    calm, other = (
        open_page(**PHONE, reduced_motion="reduce"),
        open_page(**PHONE, reduced_motion="no-preference"),
    )
    for page in (calm, other):
        page.goto(event.public)
        expect(page.locator("[data-live-state='live']").first).to_be_visible()
    won(arranger, event, "Aino", card="wild4", cards=1)
    for page in (calm, other):
        expect(page.locator("dialog.finale")).to_be_visible()
    assert "turned" not in calm.evaluate(MOVES)


@pytest.mark.sweep
def test_a_correction_shows_the_right_winner_and_the_podium_is_saved_as_a_picture(
    arranger: Arranger, open_page: OpenPage
) -> None:
    event = arranger.match(settings={"target": 100})
    page = open_page(**LAPTOP)
    page.goto(event.public)
    expect(page.locator("[data-live-state='live']").first).to_be_visible()
    won(arranger, event, "Aino", card="wild4", cards=1)
    expect(page.locator("dialog.finale .finale__name")).to_have_text("Aino")
    with page.expect_download() as saved:
        page.locator("dialog").get_by_role("link", name="Share the podium picture").click()
    assert saved.value.suggested_filename == "podium.png"
    assert saved.value.path().read_bytes().startswith(b"\x89PNG")
    arranger("finish", slug=event.slug)
    expect(page.locator("dialog.finale .finale__name")).to_have_text("Aino")
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    page.evaluate(f"localStorage.setItem('lastcard.finale.{event.stage}', 'somebody else')")
    page.reload()  # as after a correction: the winner that was shown is another one
    expect(page.locator("dialog.finale .finale__name")).to_have_text("Aino")
