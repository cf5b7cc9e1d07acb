"""Slips of a finger in a hurry, and pages that come from one another: nothing moves, nothing counts twice, and what is
shown is alive."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.arranger import Arranger
from tests.e2e.browser import Faults
from tests.e2e.conftest import Desk
from tests.e2e.phones import until_page
from tests.e2e.test_game import AHEAD

pytestmark = pytest.mark.browser

KEPT = "caches.open('lastcard').then(cache => cache.keys()).then(keys => keys.map(key => key.url))"
# Two buttons on each other: a tap on the upper one takes it away.
STACKED = """() => {
    for (const name of ["under", "over"]) {
        const button = Object.assign(document.createElement("button"), {type: "button", id: name});
        Object.assign(button.style, {position: "fixed", inset: "200px auto auto 100px", padding: "40px", zIndex: 99});
        const told = () => (name === "over" ? button.remove() : button.append("tapped "));
        button.addEventListener("click", told);
        document.body.append(button);
    }
}"""


def double_tap(page: Page, x: float, y: float) -> None:
    for _ in range(2):
        page.touchscreen.tap(x, y)


def middle(box: Any) -> tuple[float, float]:
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_double_tap_decides_nothing_about_what_comes_in_the_place(arranger: Arranger, desk: Desk) -> None:
    page = desk(arranger.session())
    page.evaluate(STACKED)
    double_tap(page, 120, 220)
    expect(page.locator("#over")).to_have_count(0)
    expect(page.locator("#under")).to_have_text("")
    page.wait_for_timeout(700)  # now it has been seen
    page.touchscreen.tap(120, 220)
    expect(page.locator("#under")).to_have_text("tapped ")
    page.touchscreen.tap(120, 220)  # what stays is tapped as often as one likes
    expect(page.locator("#under")).to_have_text("tapped tapped ")


@pytest.mark.sweep
def test_a_double_tap_on_a_name_of_a_heat_counts_once(arranger: Arranger, desk: Desk) -> None:
    page = desk(arranger.event("heats", "tite-2022", settings={"advance": 2}))
    said = page.locator("[data-says]")
    page.get_by_role("button", name="Save the heat").tap()
    expect(said).to_have_text("Tap whoever is out of cards")
    aino = page.locator(".heat__tap", has_text="Aino")
    double_tap(page, *middle(aino.bounding_box()))
    expect(aino).to_have_attribute("aria-pressed", "true")
    expect(said).to_have_text("")
    page.wait_for_timeout(500)  # a second tap that was meant
    aino.tap()
    expect(aino).to_have_attribute("aria-pressed", "false")


@pytest.mark.sweep
def test_saved_heat_stays_in_sight_until_the_servers_view_is_there(arranger: Arranger, desk: Desk) -> None:
    page = desk(arranger.event("heats", "tite-2022", settings={"advance": 1}))
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/desk/table/*/?saved=*", hold)
    page.locator(".heat__tap", has_text="Aino").tap()
    page.wait_for_timeout(700)
    page.get_by_role("button", name="Save the heat").tap()
    save = page.locator("[data-save]")
    expect(save).to_have_attribute("data-state", re.compile("saving|saved"))
    expect(page.locator(".heat__tap", has_text="Aino")).to_have_attribute("aria-pressed", "true")
    expect(save).to_contain_text("is on the server")
    expect(page.locator(".heat__tap", has_text="Aino")).to_be_visible()
    for route in held:
        route.continue_()
    page.unroute("**/desk/table/*/?saved=*")  # the browser lets go of a request that is still held
    expect(page.get_by_text("This heat has been entered")).to_be_visible()
    expect(page.locator(".heat__tap")).to_have_count(0)


@pytest.mark.sweep
def test_a_double_tap_on_who_went_out_counts_no_card(arranger: Arranger, desk: Desk) -> None:
    page = desk(arranger.match())
    where = middle(page.locator(".pad__winner").get_by_text("Aino", exact=True).bounding_box())
    page.touchscreen.tap(*where)
    page.touchscreen.tap(*where)
    expect(page.locator(".pad__who")).to_have_text("Börje")
    expect(page.locator(".pad__held")).to_have_count(0)


def test_the_table_goes_on_after_an_ejection(arranger: Arranger, desk: Desk) -> None:
    event = arranger.session()
    arranger("start_game", slug=event.slug, elapsed_s=600)
    page = desk(event)
    page.get_by_role("link", name="Eject").tap()
    page.get_by_text("Dima", exact=True).tap()
    page.get_by_label("Reason", exact=True).fill("After a warning")
    page.evaluate(AHEAD, 120)  # it took a while
    page.get_by_role("button", name="Eject").tap()
    expect(page.get_by_role("link", name="Warn them instead")).to_be_visible()
    page.get_by_text("They were warned, but nobody noted it").tap()
    page.get_by_role("button", name="Eject").tap()
    clock = page.locator("game-clock")
    expect(clock).to_contain_text(re.compile(r"10:\d\d"))
    page.locator(".tap:enabled", has_text="Aino").tap()
    expect(page.get_by_role("button", name=re.compile("^Aino"), disabled=True)).to_contain_text(
        re.compile("out.* 10:0")
    )
    expect(page.get_by_label("Sound at 50, 55 and 60 minutes")).to_be_visible()
    gone = page.get_by_role("region", name="No longer in the game").bounding_box()
    assert gone
    assert gone["height"] < 300


@pytest.mark.sweep
def test_the_line_never_goes_back_in_time(arranger: Arranger, desk: Desk) -> None:
    """An entry sent straight to the server is the last entry on the pages that follow too."""
    event = arranger.session()
    page = desk(event)
    page.goto(f"/en/desk/table/{event.tables[0]}/incidents/")
    page.locator("summary", has_text="Conduct and disputes").tap()
    page.get_by_role("link", name="Unsportsmanlike conduct", exact=True).tap()
    page.get_by_text("Dima", exact=True).tap()
    page.get_by_role("button", name="Save").tap()
    line = page.locator("desk-outbox .outbox__part--saved")
    said = line.inner_text()
    page.goto(event.table)
    expect(line).to_have_text(said)


@pytest.mark.sweep
def test_what_waits_is_listed_without_network_the_first_time_too(
    arranger: Arranger, desk: Desk, faults: Faults
) -> None:
    faults.expected += ["console: htmx:"]
    page = desk(arranger.session(), service_workers="allow")
    for kept in ["/desk/outbox/", "outbox/list", "entry_content", "open_entry"]:
        until_page(page, f"{KEPT}.then(urls => urls.some(url => url.includes('{kept}')))")
    until_page(page, "Boolean(navigator.serviceWorker.controller)")
    page.context.set_offline(True)
    page.get_by_role("button", name="Start game 1").tap()
    page.get_by_role("link", name="Saved on this phone, 1 waiting").tap()
    expect(page.locator("outbox-list")).to_contain_text("waiting to be sent")


def test_a_round_of_another_phone_is_seen_without_a_reload(arranger: Arranger, desk: Desk) -> None:
    event = arranger.match()
    page = desk(event)
    title = page.locator("[data-entry-title]")
    expect(title).to_have_text("Round 1")
    entries = [event.entries[name] for name in ["Aino", "Börje", "Çağla", "Dima"]]
    hands = {entry: {"1": 1} for entry in entries[1:]}
    arranger("record_round", slug=event.slug, winner=entries[0], hands=hands)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(title).to_have_text("Round 2")
    page.locator(".pad__winner").get_by_text("Börje", exact=True).tap()
    arranger("stop_match", slug=event.slug)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("[data-plays]")).to_contain_text("Round 1")
    expect(page.locator(".pad__chip[data-out]")).to_contain_text("Börje")  # counting goes on
