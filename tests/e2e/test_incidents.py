"""A call from a table to the board and back, and an incident that is typed while the network is gone."""

import time

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.arranger import Arranger
from tests.e2e.browser import LAPTOP, PHONE, Faults
from tests.e2e.conftest import OpenPage, Screenshot
from tests.e2e.server import Server

pytestmark = pytest.mark.browser

BUSY = 8.0  # seconds from a tap to the board on a busy machine; an idle one needs less than 1
# What htmx has swapped in and not yet taken over: a key pressed on it at once would load the page anew.
NOT_READY = ":is(.htmx-added, .htmx-settling, .htmx-swapping, .htmx-request)"


@pytest.mark.sweep
def test_a_call_goes_to_the_board_and_is_answered_there(
    arranger: Arranger,
    open_page: OpenPage,
    lastcard: Server,
    screenshot: Screenshot,
) -> None:
    laptop, phone, second_phone = (open_page(**device) for device in (LAPTOP, PHONE, PHONE))
    event = arranger.match(tables=2, names=[f"Player {number}" for number in range(1, 7)])
    event.organiser.sign_in(laptop, lastcard)
    laptop.goto(f"/en/organise/t/{event.slug}/")
    expect(laptop.locator("[data-live-state]")).to_contain_text("Live")
    arranger.referee(event, "Ada").sign_in(phone, lastcard)
    arranger.referee(event, "Bo").sign_in(second_phone, lastcard)
    second_phone.goto("/en/desk/")
    phone.goto(f"/en/desk/table/{event.tables[0]}/")
    phone.evaluate("window.neverReloaded = true")
    queue = laptop.locator(".calls")
    delays = []
    for _time in range(3):
        expect(queue).to_have_count(0)
        began = time.monotonic()
        expect(phone.locator(NOT_READY)).to_have_count(0)
        phone.get_by_role("button", name="Get help").press("Enter")  # a thumb is slower
        expect(queue).to_contain_text("Ada is calling the head referee")
        delays.append(time.monotonic() - began)
        expect(phone.locator("#call")).to_contain_text("waiting")
        if len(delays) < 3:
            expect(phone.locator(NOT_READY)).to_have_count(0)
            phone.get_by_role("button", name="Withdraw the call").press("Enter")
    assert min(delays) < BUSY, delays
    print("from a call to the board:", ", ".join(f"{delay * 1000:.0f}" for delay in delays), "ms")
    assert phone.evaluate("window.neverReloaded")  # what is half entered at the table stays as it is
    expect(laptop.locator(f"[data-key='{event.tables[0]}']")).to_contain_text("Calling the head referee")
    expect(second_phone.locator(".calls")).to_contain_text("Ada is calling the head referee")
    screenshot(laptop, "call-board")
    screenshot(second_phone, "call-desk")
    screenshot(phone, "call-table")
    second_phone.get_by_role("button", name="On my way").tap()
    expect(queue).to_have_count(0)
    expect(phone.locator("#call")).to_contain_text("Bo is on the way")


def test_an_incident_is_three_taps_and_nothing_typed_is_lost_without_a_network(
    arranger: Arranger, phone: Page, lastcard: Server, faults: Faults, screenshot: Screenshot
) -> None:
    faults.expected += ["console: htmx:", "net::ERR_FAILED"]  # what could not be sent
    event = arranger.session()
    arranger("start_game", slug=event.slug)
    arranger.referee(event, "Ada").sign_in(phone, lastcard)
    phone.goto(f"/en/desk/table/{event.tables[0]}/incidents/")
    screenshot(phone, "incidents")
    phone.get_by_role("link", name="“Uno” not said").tap()
    expect(phone.locator("main")).to_contain_text("draws 2 cards")
    phone.locator(".choice:visible").first.tap()
    screenshot(phone, "incident")
    phone.get_by_role("button", name="Save").tap()
    expect(phone.locator(".incident")).to_contain_text("2 cards")
    phone.locator("summary", has_text="Something else").tap()
    phone.get_by_role("link", name="Something else", exact=True).tap()
    phone.get_by_label("What happened").fill("A card fell under the table")
    phone.context.set_offline(True)
    phone.get_by_role("button", name="Save").tap()
    expect(phone.locator("#messages")).to_contain_text("Everything you typed is still here.")
    expect(phone.get_by_label("What happened")).to_have_value("A card fell under the table")
    phone.context.set_offline(False)
    phone.reload()  # or the browser was closed in the meantime
    expect(phone.get_by_label("What happened")).to_have_value("A card fell under the table")
    phone.get_by_role("button", name="Save").tap()
    expect(phone.locator(".incident")).to_have_count(2)
    withdraw = phone.locator(".incident").first.get_by_role("button", name="Withdraw")
    phone.route("**", lambda route: route.abort())  # the phone believes in a network that leads nowhere
    withdraw.tap()
    expect(phone.locator(".incident").first.get_by_role("alert")).to_contain_text("Not sent")
    screenshot(phone, "incident-not-sent")
    phone.unroute("**")
    withdraw.tap()
    expect(phone.locator(".incident").first).to_contain_text("withdrawn")
    screenshot(phone, "incidents-kept")
