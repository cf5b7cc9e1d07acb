"""The table of friends on a phone: a game by the clock, with and without a network; a match that becomes an event."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.browser import LAPTOP, PHONE, SIDEWAYS, save_by_key
from tests.e2e.conftest import OpenPage, Screenshot
from tests.e2e.server import Server
from tests.e2e.test_game import AHEAD
from tests.e2e.test_watch_my_page import REFUSED

pytestmark = pytest.mark.browser


def table(page: Page, names: str = "Aino\nBörje\nÇağla\nDima") -> Page:
    page.goto("/en/score/?play=kpgut-2016.session")
    page.get_by_label("Players").fill(names)
    page.get_by_role("button", name="Start scoring").click()
    return page


def tap(page: Page, name: str) -> None:
    page.locator(".tap:enabled", has_text=name).click()


def sheet(page: Page) -> list[dict[str, Any]]:
    games: list[dict[str, Any]] = json.loads(page.locator("input[data-friends-sheet]").input_value())["games"]
    return games


@pytest.mark.journey
def test_game_is_tapped_put_right_and_scored(open_page: OpenPage, screenshot: Screenshot) -> None:
    page = table(open_page(**PHONE))
    page.get_by_role("button", name="Start game 1").click()
    page.evaluate(AHEAD, 754)
    tap(page, "Çağla")
    gone = page.get_by_role("region", name="No longer in the game")
    expect(gone).to_contain_text(re.compile(r"Çağla\s+out 1[23]:\d\d"))
    tap(page, "Dima")
    page.wait_for_timeout(800)  # what is tapped twice is tapped once
    page.get_by_role("button", name=re.compile("^Undo.*Dima")).click()
    row = gone.locator("li:visible")
    expect(row).to_have_count(1)
    row.locator("summary").click()
    row.get_by_label("Went out when the clock showed").fill("75:00")
    row.get_by_role("button", name="Save the change").click()
    expect(row.get_by_role("alert")).to_contain_text("at most 60:00")
    row.get_by_label("Went out when the clock showed").fill("11:05")
    row.get_by_role("button", name="Save the change").click()
    expect(gone).to_contain_text("out 11:05")
    page.get_by_role("button", name="Gives up").click()
    tap(page, "Aino")
    tap(page, "Börje")
    expect(page.get_by_role("heading", name="This game is over")).to_be_visible()
    assert page.evaluate(SIDEWAYS) == []
    screenshot(page, "friends-over")
    page.wait_for_timeout(800)
    page.get_by_role("button", name="Save game 1").click()
    expect(page.get_by_role("row", name="1 Çağla")).to_contain_text("11.00")
    (game,) = sheet(page)
    assert game["ended"] == "last"
    expect(page.get_by_role("button", name="Start game 2")).to_be_visible()


def test_hour_opens_the_hands_and_a_reload_keeps_them(open_page: OpenPage, screenshot: Screenshot) -> None:
    page = table(open_page(**PHONE))
    page.get_by_role("button", name="Start game 1").click()
    tap(page, "Dima")
    page.evaluate(AHEAD, 3600)
    expect(page.get_by_role("heading", name="The hour is up: count the hands")).to_be_visible()
    expect(page.locator(".taps")).to_be_hidden()
    page.locator(".pad__key[data-add='7']").click()
    page.locator(".pad__key--next").click()
    page.reload()
    expect(page.locator(".tap:enabled").first).to_be_visible()  # the phone's time of day is what it was
    page.get_by_role("button", name="Stop early").click()
    screenshot(page, "friends-hands")
    expect(page.locator(".pad__chip", has_text="Aino")).to_contain_text("1")
    expect(page.locator(".pad__chip", has_text="Dima")).to_have_count(0)
    save_by_key(page)
    expect(page.locator("[data-game-hands] [data-says]")).to_contain_text("No cards yet: Börje and Çağla")
    for name in ["Börje", "Çağla"]:
        page.locator(".pad__chip", has_text=name).click()
        page.locator(".pad__key[data-add='9']").click()
    save_by_key(page)
    expect(page.get_by_role("button", name="Start game 2")).to_be_visible()
    (game,) = sheet(page)
    results = {each["player"]: each["outcome"] for each in game["results"]}
    assert game["ended"] == "early"
    assert results == {"p1": "remaining", "p2": "remaining", "p3": "remaining", "p4": "out"}


@pytest.mark.sweep
def test_evening_without_network_is_scored_when_it_is_back(
    open_page: OpenPage, screenshot: Screenshot
) -> None:
    """Also over a reload: the service worker keeps the page."""
    page = table(open_page(**PHONE, service_workers="allow"), "Aino\nBörje")
    page.evaluate("navigator.serviceWorker.ready")
    page.get_by_role("button", name="Players and rules").click()
    page.get_by_role("button", name="Save").click()  # a page that the worker sees
    page.wait_for_function("caches.match(location.pathname, { ignoreVary: true })")
    page.context.set_offline(True)
    page.get_by_role("button", name="Start game 1").click()
    page.reload()
    expect(page.locator("game-clock")).to_contain_text("00:")
    tap(page, "Aino")
    page.wait_for_timeout(800)
    page.evaluate(
        """() => {
            document.querySelector('[data-of="saves"]').click();
            document.querySelector('[data-of="starts"]').click(); // which is where Save was
        }"""
    )
    expect(page.get_by_text("Points and places will appear once the network is back.")).to_be_visible()
    expect(page.get_by_role("button", name="Start game 2")).to_be_visible()
    screenshot(page, "friends-offline")
    page.reload()
    page.get_by_role("button", name="Start game 2").click()
    tap(page, "Börje")
    page.wait_for_timeout(800)
    page.get_by_role("button", name="Save game 2").click()
    expect(page.get_by_role("button", name="Start game 3")).to_be_visible()
    page.context.route("**/score/", lambda route: route.abort())  # wifi that does not reach the server yet
    with page.expect_event("requestfailed"):
        page.context.set_offline(False)
    expect(page.get_by_role("button", name="Start game 3")).to_be_visible()
    page.context.unroute("**/score/")
    expect(page.get_by_role("row", name="1 Aino").first).to_be_visible()
    assert [game["number"] for game in sheet(page)] == [1, 2]


@pytest.mark.sweep
def test_game_is_typed_from_paper_and_without_scripts(open_page: OpenPage, screenshot: Screenshot) -> None:
    page = table(open_page(**LAPTOP, java_script_enabled=False), "Aino\nBörje")
    expect(page.locator("own-game")).to_be_hidden()
    page.locator("summary", has_text="Enter a game from paper").click()
    page.get_by_label("When Aino went out, minutes and seconds").fill("12:30")
    page.locator("#outcome-p2").select_option(label="last one left")
    screenshot(page, "friends-paper")
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_role("row", name="1 Aino").first).to_contain_text("12.00")


@pytest.mark.sweep
def test_one_phone_times_the_games_of_two_tables(open_page: OpenPage) -> None:
    page = table(open_page(**PHONE))
    page.get_by_role("button", name="Start game 1").click()
    table(page, "Eeva\nFatima\nGaia\nHanna")
    page.get_by_role("button", name="Start game 1").click()
    tap(page, "Gaia")
    page.goto("/en/score/")
    page.locator("form", has_text="Aino, Börje, Çağla, Dima").get_by_role(
        "button", name="Continue the game"
    ).click()
    expect(page.locator("game-clock")).to_contain_text("00:")
    page.locator("summary", has_text="Undo the start").click()
    page.get_by_role("button", name="Undo the start").click()
    expect(page.get_by_role("button", name="Start game 1")).to_be_visible()
    page.goto("/en/score/")
    page.locator("form", has_text="Eeva, Fatima, Gaia, Hanna").get_by_role(
        "button", name="Continue the game"
    ).click()
    expect(page.get_by_role("region", name="No longer in the game")).to_contain_text("Gaia")


@pytest.mark.soak
def test_browser_that_keeps_nothing_says_so(open_page: OpenPage) -> None:
    says = "This browser does not save anything."
    page = table(open_page(**PHONE))
    expect(page.get_by_text(says)).to_be_hidden()
    page = open_page(**PHONE)
    page.add_init_script(REFUSED)
    expect(table(page).get_by_text(says)).to_be_visible()
    page.get_by_role("button", name="Start game 1").click()
    tap(page, "Çağla")
    expect(page.get_by_role("region", name="No longer in the game")).to_contain_text("Çağla")


def add_round(page: Page, winner: str, hands: dict[str, list[str]]) -> None:
    page.locator(".pad__winner").get_by_text(winner, exact=True).tap()
    for name, cards in hands.items():
        expect(page.locator(".pad__who")).to_have_text(name)
        for card in cards:
            page.locator(f".pad__key[data-add='{card}']").tap()
        page.locator(".pad__key--next").tap()
    save_by_key(page)


@pytest.mark.sweep
def test_another_game_of_friends_does_not_throw_away_the_one_before(open_page: OpenPage) -> None:
    page = open_page(**PHONE)

    def start(names: str) -> None:
        page.goto("/en/score/?play=mattel-108.match")
        page.get_by_label("Players").fill(names)
        page.get_by_role("button", name="Start scoring").tap()
        expect(page.get_by_role("heading", name="Round 1")).to_be_visible()

    start("Aino\nBörje")
    add_round(page, "Aino", {"Börje": ["wild"]})
    expect(page.get_by_role("row", name="1 Aino")).to_contain_text("50")
    start("Çağla\nDima")
    page.goto("/en/score/")
    games = page.locator("form", has_text="A game is saved on this device")
    expect(games.locator("[data-names]:visible")).to_have_text(["Çağla, Dima", "Aino, Börje"])
    games.first.locator("summary").tap()  # by one tap nothing is gone
    games.first.get_by_role("button", name="Delete the game").tap()
    expect(games.locator("[data-names]:visible")).to_have_text(["Aino, Börje"])
    page.reload()
    expect(games.locator("[data-names]:visible")).to_have_text(["Aino, Börje"])
    games.last.get_by_role("button", name="Continue the game").tap()
    expect(page.get_by_role("row", name="1 Aino")).to_contain_text("50")


@pytest.mark.sweep
def test_friends_score_a_match_and_make_it_an_event(open_page: OpenPage, lastcard: Server) -> None:
    page = open_page(**PHONE)
    page.goto("/en/score/")
    page.get_by_role("link", name=re.compile("Mattel.*108|108.*Mattel|108")).first.tap()
    page.get_by_label("Players").fill("Aino\nBörje\n<b>Çağla</b>")
    page.get_by_role("button", name="Start scoring").tap()
    add_round(page, "Aino", {"Börje": ["7", "draw2"], "<b>Çağla</b>": ["wild"]})
    expect(page.locator("#main")).to_contain_text("77")

    # The page was closed: the game is still on this device.
    page.goto("/en/score/")
    expect(page.locator("#friends-continue")).to_contain_text("Aino, Börje, <b>Çağla</b>")
    page.get_by_role("button", name="Continue the game").tap()
    add_round(page, "Börje", {"<b>Çağla</b>": ["9"], "Aino": ["9", "1"]})
    expect(page.locator("#main")).to_contain_text("77")
    expect(page.locator("#main")).to_contain_text("19")
    page.reload()
    expect(page.get_by_role("row", name="1 Aino")).to_contain_text("77")
    expect(page.get_by_role("row", name="2 Börje")).to_contain_text("19")

    page.locator("#event > summary").tap()
    page.get_by_label("Event name").fill("Friday at Aino’s")
    page.get_by_role("button", name="Make this an event").tap()
    page.wait_for_url("**/share/")
    expect(page.locator("body")).to_contain_text("There is no password, so do not sign out.")
    expect(page.locator(".code__address")).to_contain_text("/t/guest-")
    page.get_by_role("link", name="Continue at the table").tap()
    expect(page.locator("#main")).to_contain_text("Round 3")
    expect(page.get_by_role("row", name="1 Aino")).to_contain_text("77")
    page.get_by_role("link", name="Public page").tap()
    expect(page.locator("#main")).to_contain_text("77")
    friend = open_page(**PHONE)
    friend.goto("/en/")
    expect(friend.locator("#main")).not_to_contain_text("Friday at Aino’s")
    friend.goto(page.url)
    expect(friend.locator("#main")).to_contain_text("Friday at Aino’s")
