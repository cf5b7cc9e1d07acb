"""A KPGUT game on a phone whose network is gone and whose clock is wrong."""

import re
from functools import partial

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.arranger import Arranger
from tests.e2e.browser import Faults
from tests.e2e.conftest import Desk, Screenshot

pytestmark = pytest.mark.browser

# The phone's time of day is a day and some behind; its steady clock is not touched.
WRONG_DAY = "{ const now = Date.now.bind(Date); Date.now = () => now() - 90_000_000; }"
# Game clocks run so many seconds ahead: the steady clock is, as if so much of the game had passed.
AHEAD = """seconds => {
    const now = performance.now.bind(performance);
    performance.now = () => now() + 1000 * seconds;
}"""


@pytest.fixture
def desk(desk: Desk) -> Desk:
    """The same on a phone whose time of day is wrong."""
    return partial(desk, prepare=WRONG_DAY)


def part(page: Page) -> Locator:
    return page.locator("game-table > [data-part]")


def tap_out(page: Page, name: str) -> None:
    part(page).locator(".tap:enabled", has_text=name).tap()


def confirmed(page: Page) -> None:
    """Check that everything is on the server."""
    expect(page.locator("desk-outbox .outbox__part--saved")).to_be_visible()


@pytest.mark.journey
def test_whole_games_are_played_without_network_on_a_phone_with_a_wrong_clock(
    arranger: Arranger, desk: Desk, faults: Faults, screenshot: Screenshot
) -> None:
    faults.expected += ["console: htmx:"]
    event = arranger.session()
    page = desk(event)
    page.context.set_offline(True)
    part(page).get_by_role("button", name="Start game 1").tap()
    expect(page.locator("game-clock")).to_contain_text(re.compile("00:[0-5]"))
    page.evaluate(AHEAD, 754)
    places = part(page).locator(".taps__place")
    where = "all => all.map(each => [each.offsetLeft, each.offsetTop, each.offsetHeight].join())"
    before = places.evaluate_all(where)
    tap_out(page, "Çağla")
    assert places.evaluate_all(where) == before, "a name moved under the finger"
    gone = page.get_by_role("region", name="Not in the game any more")
    expect(gone).to_contain_text(re.compile(r"Çağla.*out 1[23]:\d\d, waiting"))
    screenshot(page, "offline-out")
    for panel in ["Out some minutes ago", "Gave up"]:
        part(page).get_by_text(panel, exact=True).tap()
    screenshot(page, "panels")
    part(page).get_by_text("Gave up", exact=True).tap()
    page.wait_for_timeout(800)  # what is tapped twice is tapped once
    part(page).get_by_role("button", name=re.compile("Undo.*Çağla")).tap()
    expect(gone).to_be_hidden()
    for name in ["Dima", "Börje"]:
        tap_out(page, name)
    part(page).get_by_text("Gave up", exact=True).tap()
    part(page).locator("details[open]").get_by_role("button", name="Aino").tap()

    over = page.get_by_role("region", name="This game is over")
    expect(over.get_by_role("listitem").nth(2)).to_contain_text("Çağla")
    expect(over.get_by_role("listitem").nth(2)).to_contain_text("last one left")
    screenshot(page, "offline-over")
    part(page).get_by_role("button", name="Start game 2").tap()
    expect(page.locator("game-clock")).to_contain_text("Game 2")
    for name in ["Aino", "Börje", "Çağla"]:
        tap_out(page, name)
    expect(part(page)).to_contain_text("Game 3: who plays?")

    page.context.set_offline(False)
    confirmed(page)
    games = arranger("plays", slug=event.slug)
    assert [(game["number"], game["state"]) for game in games] == [(1, "entered"), (2, "entered")]
    expect(page.get_by_role("region", name="Games", exact=True)).to_contain_text("Game 2")
    expect(over).to_be_hidden()
    assert arranger("ledger", slug=event.slug).count("record_out") == 6


def test_a_start_by_mistake_is_taken_back_before_the_server_hears_of_it(
    arranger: Arranger, desk: Desk
) -> None:
    event = arranger.session()
    page = desk(event)
    page.context.set_offline(True)
    part(page).get_by_role("button", name="Start game 1").tap()
    tap_out(page, "Dima")
    part(page).locator("summary", has_text="Take the start back").tap()
    part(page).get_by_role("button", name="Take the start back").tap()
    expect(part(page)).to_contain_text("Game 1: who plays?")
    part(page).get_by_role("button", name="Start game 1").tap()
    page.context.set_offline(False)
    confirmed(page)
    expect(part(page).locator("summary", has_text="Take the start back")).to_be_hidden()
    assert len(arranger("plays", slug=event.slug)) == 1


def test_the_hands_open_at_the_hour_and_a_running_game_goes_on_without_network(
    arranger: Arranger, desk: Desk, screenshot: Screenshot
) -> None:
    event = arranger.session()
    arranger("start_game", slug=event.slug, elapsed_s=3000)
    page = desk(event)
    page.context.set_offline(True)
    tap_out(page, "Dima")
    page.evaluate(AHEAD, 600)
    expect(page.get_by_role("heading", name="The hour is up: count the hands")).to_be_visible()
    expect(page.locator(".pad__chip")).to_have_count(3)
    screenshot(page, "offline-hour")
    for card in ["1", "2", "skip"]:
        page.locator(f".pad__key[data-add='{card}']").tap()
        page.locator(".pad__key--next").tap()
    page.get_by_role("button", name="End the game and save the hands").tap()
    expect(part(page)).to_contain_text("Game 2: who plays?")
    page.context.set_offline(False)
    confirmed(page)
    result = page.get_by_role("region", name="Game 1", exact=True)
    expect(result).to_contain_text("as many cards, more number cards")
    expect(result).to_contain_text("as many number cards, fewer cards of 1")
    screenshot(page, "result")
    assert arranger.states(event) == ["entered"]


def test_roles_and_a_game_from_paper_without_network(
    arranger: Arranger, desk: Desk, screenshot: Screenshot
) -> None:
    event = arranger.session()
    page = desk(event)
    uids = event.entries
    page.context.set_offline(True)
    part(page).get_by_text("Say who is oldest and youngest").tap()
    asked = part(page).locator("[data-roles-ask]")
    asked.get_by_role("group", name="Who is the oldest?").get_by_text("Çağla").tap()
    asked.get_by_role("group", name="Who is the youngest?").get_by_text("Dima").tap()
    expect(part(page).locator(".roles-line")).to_have_text("Oldest: ÇağlaYoungest: Dima")
    expect(asked).to_be_hidden()
    page.context.set_offline(False)
    confirmed(page)

    part(page).get_by_role("link", name="From paper").tap()
    save = page.get_by_role("button", name="Save", exact=True)
    expect(save).to_be_visible()
    page.context.set_offline(True)
    page.get_by_text("The hour was up").tap()
    for name, outcome in {"Aino": "out", "Börje": "remaining", "Çağla": "remaining"}.items():
        page.locator(f"[name='outcome-{uids[name]}']").select_option(outcome)
    save.tap()
    expect(page.locator("[data-says]")).to_have_text("Missing: when Aino went out, in minutes and seconds.")
    page.locator(f"[name='time-{uids['Aino']}']").fill("12:30")
    page.locator("[data-add='7']").tap()
    save.tap()
    expect(page.locator("[data-says]")).to_contain_text("No cards yet: Çağla")
    expect(page.locator(".pad__who")).to_have_text("Çağla")
    for _card in range(2):
        page.locator("[data-add='7']").tap()
    screenshot(page, "paper-offline")
    save.tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("Game 2")
    expect(page.locator("card-pad")).to_be_hidden()
    page.context.set_offline(False)
    expect(page.get_by_role("region", name="Game 1")).to_contain_text("Behind the one before: more cards")
    (game,) = arranger("games", slug=event.slug)
    assert game["results"] == {
        "Aino": ["out", 750],
        "Börje": ["remaining", None],
        "Çağla": ["remaining", None],
    }
    assert arranger("ledger", slug=event.slug)[-2:] == ["name_roles", "record_game"]
