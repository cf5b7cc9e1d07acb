"""How many taps an entry takes: one for each thing that happened at the table, and one to save."""

import pytest
from playwright.sync_api import expect

from tests.e2e.arranger import Arranged, Arranger
from tests.e2e.browser import PHONE
from tests.e2e.conftest import OpenPage
from tests.e2e.counting import Counted
from tests.e2e.evening import Evening, thumb
from tests.e2e.server import Server

pytestmark = pytest.mark.browser

SIX = ["Aino", "Börje", "Çağla", "Dima", "Eevi", "Fatima"]
HANDS = {
    "Dima": ["7", "7", "draw2"],
    "Eevi": ["skip"],
    "Fatima": ["wild4", "9"],
    "Aino": ["0"],
    "Börje": ["1", "2"],
}


def at_the_table(open_page: OpenPage, lastcard: Server, event: Arranged) -> Counted:
    counted = Counted(open_page(**PHONE).context, touch=True)
    event.organiser.sign_in(counted.page, lastcard)
    counted.page.goto(event.table)
    return counted


@pytest.mark.parametrize(("ruleset", "most"), [("tite-2022", 7), ("mattel-112", 5)], ids=["six", "four"])
def test_round(open_page: OpenPage, lastcard: Server, arranger: Arranger, ruleset: str, most: int) -> None:
    """The winner, each card left, each next hand, the last card, Save."""
    names = SIX[: most - 1]
    event = arranger.event("match", ruleset, names=names, settings={"target": 300})
    counted = at_the_table(open_page, lastcard, event)
    page = counted.page
    page.locator(".pad__winner").get_by_text("Çağla", exact=True).tap()
    hands = {name: cards for name, cards in HANDS.items() if name in names}
    for name, cards in hands.items():
        expect(page.locator(".pad__who")).to_have_text(name)
        for card in cards:
            page.locator(f".pad__key[data-add='{card}']").tap()
        page.locator(".pad__key--next").tap()
    expect(page.get_by_role("radio", name="Anything else")).to_be_checked()
    expect(page.locator("[data-read-back]")).to_contain_text("Çağla gets")
    thumb(page.locator("[data-save]"))
    expect(page.locator("[data-entry-title]")).to_have_text("Round 2")
    Evening(page).confirmed("Round 1")
    assert counted.all <= sum(len(hand) for hand in hands.values()) + most


def test_heat(open_page: OpenPage, lastcard: Server, arranger: Arranger) -> None:
    """The first who is out, Save."""
    event = arranger.event("heats", "tite-2022", names=SIX, settings={"advance": 1})
    counted = at_the_table(open_page, lastcard, event)
    page = counted.page
    page.locator(".heat__tap", has_text="Dima").tap()
    thumb(page.locator("[data-save]"))
    expect(page.locator("main")).to_contain_text("This heat has been entered")
    assert counted.all == 1 + 1


@pytest.mark.sweep
def test_player_out(open_page: OpenPage, lastcard: Server, arranger: Arranger) -> None:
    """The name."""
    event = arranger.session(names=SIX)
    arranger("start_game", slug=event.slug, elapsed_s=600)
    counted = at_the_table(open_page, lastcard, event)
    counted.page.locator(".tap", has_text="Dima").tap()
    expect(counted.page.get_by_role("region", name="No longer in the game")).to_contain_text("Dima")
    assert counted.all == 1


@pytest.mark.sweep
def test_player_gives_up(open_page: OpenPage, lastcard: Server, arranger: Arranger) -> None:
    """Gives up, the name: both in reach of the thumb when two are out, the last name too, and nobody scrolls."""
    event = arranger.session(names=SIX)
    play = arranger("start_game", slug=event.slug, elapsed_s=600)
    for name in ["Aino", "Börje"]:
        arranger("tap_out", slug=event.slug, play=play, entry=event.entries[name])
    counted = at_the_table(open_page, lastcard, event)
    page = counted.page
    thumb(page.locator("[data-mode]"))
    thumb(page.locator(".tap", has_text="Fatima"))
    expect(page.get_by_role("region", name="No longer in the game")).to_contain_text("Fatimagave up")
    expect(page.locator("#taps-ask")).to_have_text("Tap whoever has played their last card")
    assert counted.all == 2


@pytest.mark.sweep
def test_player_is_ejected(open_page: OpenPage, lastcard: Server, arranger: Arranger) -> None:
    """Eject, the name, a ready reason, Eject; it says who was warned."""
    event = arranger.session(names=SIX)
    arranger("start_game", slug=event.slug, elapsed_s=600)
    arranger("warn", slug=event.slug, entry=event.entries["Dima"])
    counted = at_the_table(open_page, lastcard, event)
    page = counted.page
    page.get_by_role("link", name="Eject").tap()
    expect(page.locator(".choice", has_text="Aino")).to_contain_text("not warned yet")
    chosen = page.locator(".choice", has_text="Dima")
    expect(chosen).to_contain_text("1 warning")
    chosen.tap()
    page.get_by_role("button", name="Unsportsmanlike conduct, after a warning").tap()
    page.get_by_role("button", name="Eject").tap()
    expect(page.get_by_role("region", name="No longer in the game")).to_contain_text("Dimaejected")
    assert counted.all == 4
