"""The event board as it stays open: live without a reload, true minutes, stages moved on and undone from a phone."""

import re
import time

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.arranger import Arranged, Arranger
from tests.e2e.browser import save_by_key
from tests.e2e.conftest import OpenPage, Screenshot
from tests.e2e.server import Server

pytestmark = pytest.mark.browser

SOON = 1.0  # seconds from a save to the board, on an idle machine; a busy one gets more
BUSY = 8.0


def open_board(page: Page, event: Arranged, lastcard: Server) -> None:
    event.organiser.sign_in(page, lastcard)
    page.goto(f"/en/organise/t/{event.slug}/")


@pytest.mark.sweep
def test_it_shows_a_save_by_itself(
    arranger: Arranger, laptop: Page, lastcard: Server, screenshot: Screenshot
) -> None:
    event = arranger.match(tables=2, names=[f"Player {number}" for number in range(1, 7)])
    open_board(laptop, event, lastcard)
    expect(laptop.locator("[data-live-state]")).to_contain_text("Live")
    laptop.evaluate("window.neverReloaded = true")
    tile = laptop.locator(f"[data-key='{event.tables[0]}']")
    laptop.locator("#board-more > summary").click()
    delays = []
    for rounds in ("1 round", "2 rounds", "3 rounds"):
        began = time.monotonic()
        arranger("record_round", slug=event.slug, winner=event.entries["Player 1"], hands={})
        expect(tile).to_contain_text(rounds)
        delays.append(time.monotonic() - began)
    assert laptop.evaluate("window.neverReloaded")
    assert min(delays) < BUSY, delays
    print("from a save to the board:", ", ".join(f"{delay * 1000:.0f}" for delay in delays), "ms")
    expect(laptop.locator("#board-more")).to_have_attribute("open", "")
    expect(laptop.locator(".board-sum")).to_contain_text(
        "0 of 2 matches finished 1 running 1 without a round yet"
    )
    tile.get_by_role("link", name="Choose a referee").click(
        trial=True
    )  # above the title, the whole tile's link
    screenshot(laptop, "board-live")


@pytest.mark.journey
def test_it_shows_a_heat_that_a_referee_saves_on_a_phone(
    arranger: Arranger, laptop: Page, phone: Page, lastcard: Server
) -> None:
    names = [f"Player {number}" for number in range(1, 13)]
    event = arranger.event("heats", "tite-2022", tables=4, names=names)
    open_board(laptop, event, lastcard)
    expect(laptop.locator("[data-live-state]")).to_contain_text("Live")
    laptop.evaluate("window.neverReloaded = true")
    arranger.referee(event, "Ada").sign_in(phone, lastcard)
    delays = []
    for done, table in enumerate(event.tables[:3], 1):
        phone.goto(f"/en/desk/table/{table}/")
        phone.locator(".heat__tap").first.tap()
        began = time.monotonic()
        save_by_key(phone)
        expect(laptop.locator(f"[data-key='{table}']")).to_contain_text("by Ada")
        delays.append(time.monotonic() - began)
        expect(laptop.locator(".board-sum")).to_contain_text(f"{done} of 4 heats done")
        expect(phone.locator("#main")).to_contain_text("This heat has been entered")
    assert laptop.evaluate("window.neverReloaded")
    assert min(delays) < BUSY, delays
    print("from Save to the board:", ", ".join(f"{delay * 1000:.0f}" for delay in delays), "ms")


@pytest.mark.sweep
def test_minutes_go_on_and_the_hour_is_told_without_an_entry(
    arranger: Arranger, laptop: Page, lastcard: Server
) -> None:
    event = arranger.session()
    arranger("start_game", slug=event.slug, elapsed_s=58 * 60)
    laptop.clock.install()
    open_board(laptop, event, lastcard)
    minutes = laptop.locator("running-minutes")
    expect(minutes).to_have_text("58 min")
    laptop.clock.run_for(61_000)
    expect(minutes).to_have_text(
        re.compile("5[89] min")
    )  # by the page's clock, or by the server's once it was asked


def test_a_stage_is_started_and_that_is_undone_at_once(
    arranger: Arranger, phone: Page, lastcard: Server, screenshot: Screenshot
) -> None:
    event = arranger.event("heats", "tite-2022", tables=2, start=False, names=[f"P{n}" for n in range(1, 9)])
    open_board(phone, event, lastcard)
    section = phone.locator("#stage-1")
    section.get_by_text("Start", exact=True).click()
    expect(section).to_contain_text("Starting locks the settings")
    screenshot(phone, "board-start")
    section.get_by_role("button", name="Start the heats").click()
    expect(phone.locator(".receipt")).to_contain_text("Saved on the server")
    expect(section.locator(".status").first).to_have_text("Running")
    with phone.expect_response(re.compile(rf"/organise/t/{event.slug}/")):
        arranger(
            "referee", slug=event.slug, name="Ada"
        )  # an update in between does not take the receipt away
    phone.locator(".receipt__undo").click()
    expect(phone.locator("main")).to_contain_text("Stage Heats goes back from “running” to “planned”.")
    screenshot(phone, "undo-start")
    phone.get_by_role("button", name="Undo").click()
    phone.wait_for_url(re.compile(rf"/organise/t/{event.slug}/\?saved="))
    expect(section.locator(".status").first).to_have_text("Planned")
    phone.goto(f"/en/organise/t/{event.slug}/ledger/")
    expect(phone.locator(".ledger > li").first).to_contain_text("undid (row")
    phone.locator(".ledger > li").first.get_by_role("link", name="Undo row").click()
    expect(phone.locator("main")).to_contain_text("This will happen:")
    phone.get_by_role("button", name="Undo").click()
    expect(phone.locator(".ledger > li").first).to_contain_text("undid (row")
    assert arranger("ledger", slug=event.slug)[-2:] == ["undo", "undo"]


@pytest.mark.sweep
def test_it_works_before_scripts_arrive(arranger: Arranger, open_page: OpenPage, lastcard: Server) -> None:
    event = arranger.session()
    arranger("start_game", slug=event.slug, elapsed_s=725)
    page = open_page(java_script_enabled=False)
    open_board(page, event, lastcard)
    expect(page.locator("running-minutes")).to_have_text("12 min")
    expect(page.locator("[data-live-state]")).to_have_text("Last known standings")
    page.locator("#finish-1 > summary").click()
    page.get_by_role("button", name="Finish the session").click()
    expect(page.locator(".errors")).to_contain_text("A game is still running.")


@pytest.mark.sweep
def test_the_pages_of_the_event_take_one_row_of_a_phone(
    arranger: Arranger, phone: Page, lastcard: Server, screenshot: Screenshot
) -> None:
    event = arranger.match(tables=2, names=[f"Player {number}" for number in range(1, 17)])
    open_board(phone, event, lastcard)
    nav = phone.locator(".board-nav")
    buttons = nav.locator(".button:visible")
    expect(buttons).to_have_text(["16 players", "Add walk-in", "More"])
    boxes = [button.bounding_box() for button in buttons.all()]
    assert all(boxes)
    assert len({round(box["y"]) for box in boxes if box}) == 1
    screenshot(phone, "board-nav")
    nav.get_by_text("More", exact=True).tap()
    for name in ("Referees and roles", "Programme", "Big screens", "Public page"):
        expect(nav.get_by_role("link", name=name)).to_be_visible()
    screenshot(phone, "board-more")
