"""A table without a referee: its players propose a result on their own phone, and a referee accepts it on theirs."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Route, expect

from tests.e2e.arranger import Arranger
from tests.e2e.browser import PHONE, Faults
from tests.e2e.conftest import OpenPage, Screenshot
from tests.e2e.server import Server

pytestmark = pytest.mark.browser


def test_players_propose_a_round_and_a_referee_accepts_it_with_one_tap(
    arranger: Arranger,
    open_page: OpenPage,
    lastcard: Server,
    screenshot: Screenshot,
    faults: Faults,
) -> None:
    event = arranger.match(names=["Aino", "Börje", "Cécile"])
    referee, player = open_page(**PHONE), open_page(**PHONE)
    arranger.referee(event, "Rauha").sign_in(referee, lastcard)  # who sees no other event on this server
    referee.goto(event.table)
    referee.get_by_role("link", name="Code for the players").tap()
    expect(referee.locator(".code__image svg")).to_be_visible()
    screenshot(referee, "table-code")
    address = referee.locator(".code__address a").get_attribute("href")
    assert address

    player.goto(urlsplit(address).path)  # the code names the address in the network of the venue
    expect(player.locator("[data-live-state]")).to_contain_text("Live")
    player.get_by_role("link", name="Propose a result").tap()
    player.locator(".pad__winner").get_by_text("Aino", exact=True).tap()
    for card in ("7", "draw2"):
        player.locator(f".pad__key[data-add='{card}']").tap()
        player.locator(".pad__key--next").tap()
    screenshot(player, "table-propose")
    # A network that leads nowhere, though the phone believes in it: the form stays as it is.
    faults.expected.append("net::ERR_FAILED")
    player.route("**", lambda route: route.abort())
    player.get_by_role("button", name="Send proposal", exact=True).tap()
    expect(player.get_by_role("alert")).to_contain_text("Everything you typed is still here.")
    expect(player.get_by_role("alert")).to_be_in_viewport()
    player.unroute("**")
    # The question whether the server is there may be lost: it is asked again.
    lost: list[Route] = []
    player.route("**/no-network/", lambda route: route.continue_() if lost else lost.append(route))
    player.get_by_role("button", name="Send proposal", exact=True).tap()
    expect(player.get_by_role("heading", name="Your proposal: Round 1")).to_be_visible()
    screenshot(player, "table-proposed")

    referee.goto("/en/desk/")
    referee.get_by_role("link", name="1 result to confirm").tap()
    expect(referee.locator("main")).to_contain_text("27 points")
    screenshot(referee, "to-accept")
    # The answer to that question may be there before the finger is up.
    referee.get_by_role("button", name="Accept", exact=True).click(delay=300)  # milliseconds
    expect(referee.locator("main")).to_contain_text("Nothing to confirm")
    assert arranger.states(event) == ["entered"]
    expect(player.get_by_role("heading", name="Your proposal: Round 1")).to_be_hidden()


def test_the_oldest_player_runs_the_clock_and_a_second_phone_is_asked(
    arranger: Arranger, open_page: OpenPage, lastcard: Server, faults: Faults, screenshot: Screenshot
) -> None:
    """Both time the game, one of them without a network at its end; they see other losers: the later is asked."""
    faults.expected += ["net::ERR_INTERNET_DISCONNECTED"]
    event = arranger.session(names=["Aino", "Börje", "Cécile"])
    arranger("let_players_time", slug=event.slug)
    (address,) = arranger("table_links", slug=event.slug)
    first, second = open_page(**PHONE), open_page(**PHONE)
    for phone in (first, second):
        phone.goto(address)
        phone.get_by_role("link", name="Run the clock").tap()
        expect(phone.get_by_role("heading", name="Who plays game 1?")).to_be_visible()
        screenshot(phone, "clock-by-players-start")
        phone.get_by_role("button", name="Start game 1").tap()
        expect(phone.locator("game-clock")).to_contain_text("00:")
    expect(second.get_by_role("alert")).to_contain_text("Another phone is entering at this table too")
    expect(second.get_by_role("button", name="This phone goes on")).to_be_in_viewport(ratio=1)
    screenshot(second, "clock-by-players-second")
    second.get_by_role("button", name="This phone goes on").tap()

    first.context.set_offline(True)
    for phone, names in ((first, ["Börje", "Aino"]), (second, ["Aino", "Cécile"])):
        for name in names:
            phone.locator(".tap:enabled", has_text=name).tap()
        expect(phone.get_by_role("heading", name="This game is over")).to_be_visible()
        phone.wait_for_timeout(800)  # what is tapped twice is tapped once
    first.get_by_role("button", name="Send proposal", exact=True).tap()
    expect(first.get_by_text("The proposal is sent once the network is back.")).to_be_visible()
    screenshot(first, "clock-by-players-offline")
    second.get_by_role("button", name="Send proposal", exact=True).tap()
    expect(second.get_by_role("heading", name="Your proposal: Game 1")).to_be_visible()

    first.context.set_offline(False)
    expect(first.get_by_role("alert")).to_contain_text("Another phone")
    expect(first.locator(f"[name='outcome-{event.entries['Cécile']}']")).to_have_value("last")
    screenshot(first, "clock-by-players-asked")
    assert arranger("plays", slug=event.slug) == []


def test_another_phone_takes_over_the_clock_of_one_that_died(
    arranger: Arranger, open_page: OpenPage, faults: Faults, screenshot: Screenshot
) -> None:
    """With every tap that the first one had sent; when that one is there again it hears of it, and leaves the clock."""
    faults.expected += ["net::ERR_INTERNET_DISCONNECTED"]
    event = arranger.session(names=["Aino", "Börje", "Cécile"])
    arranger("let_players_time", slug=event.slug)
    (address,) = arranger("table_links", slug=event.slug)
    first, second = open_page(**PHONE), open_page(**PHONE)
    first.goto(f"{address}clock/")
    first.get_by_role("button", name="Start game 1").tap()
    with first.expect_response(lambda answer: answer.request.method == "POST"):
        first.locator(".tap:enabled", has_text="Börje").tap()
    first.context.set_offline(True)

    second.goto(f"{address}clock/")
    expect(second.get_by_text("Another phone is timing this game")).to_be_visible()
    screenshot(second, "clock-taken-over")
    with second.expect_response(lambda answer: answer.request.method == "POST"):
        second.get_by_role("button", name="Take over the clock").tap()
    expect(second.locator(".tap:disabled")).to_contain_text("Börje")
    expect(second.locator("[data-elsewhere]")).to_be_hidden()

    first.context.set_offline(False)
    first.reload()
    expect(first.get_by_role("alert")).to_contain_text("Another phone has taken over this clock")
    other = first.get_by_role("button", name="Leave the clock")
    expect(other).to_be_in_viewport(ratio=1)
    screenshot(first, "clock-lost")
    other.tap()
    expect(first.get_by_role("heading", name="Who plays game 1?")).to_be_visible()
    expect(second.get_by_role("alert")).to_have_count(0)


@pytest.mark.sweep
def test_a_phone_types_the_short_code_and_the_referee_lets_it_in_without_a_key_moving(
    arranger: Arranger,
    open_page: OpenPage,
    lastcard: Server,
    screenshot: Screenshot,
) -> None:
    event = arranger.match(names=["Aino", "Börje", "Cécile"])
    referee, player = open_page(**PHONE), open_page(**PHONE)
    event.organiser.sign_in(referee, lastcard)
    referee.goto(f"{event.table}code/")
    short = referee.locator(".code__address").last.inner_text().rpartition("/")[2]
    referee.goto(event.table)
    winner = referee.locator(".pad__winner").get_by_text("Aino", exact=True)
    place = winner.bounding_box()

    player.goto("/en/")
    player.get_by_label("Your table’s code").fill(f"{short[:4]} {short[4:]}".upper())
    player.keyboard.press("Enter")
    player.get_by_role("button", name="Ask to join").tap()
    expect(player.locator("main")).to_contain_text("Request sent")
    expect(referee.locator("[data-asks]")).to_contain_text("Someone is asking to join table 1 from a phone")
    screenshot(referee, "table-asks")
    assert winner.bounding_box() == place
    referee.get_by_role("button", name="Yes", exact=True).tap()
    expect(referee.locator("[data-asks] form")).to_have_count(0)
    assert referee.url.endswith(event.table)
    player.get_by_role("link", name="Propose a result").tap()
    expect(player.locator(".pad__winner").first).to_be_visible()
