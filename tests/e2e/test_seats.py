"""Moving people on the page of seats: two taps, a drag with mouse and finger, the keyboard; saved and undone."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Dialog, Locator, Page, expect

from tests.e2e.arranger import Arranged, Arranger
from tests.e2e.browser import LAPTOP, PHONE
from tests.e2e.conftest import OpenPage
from tests.e2e.server import Server

pytestmark = pytest.mark.browser

NAMES = ["Aino", "Börje", "Cécile", "Dima", "Eeva", "Fatima", "Göran", "Hilla"]
# Dealt round two tables in the order of the names.
FIRST, SECOND = ["Aino", "Cécile", "Eeva", "Göran"], ["Börje", "Dima", "Fatima", "Hilla"]
Open = Callable[..., Page]


@pytest.fixture
def event(arranger: Arranger) -> Arranged:
    return arranger.event("heats", "tite-2022", names=NAMES, tables=2, start=False)


@pytest.fixture
def seats(open_page: OpenPage, lastcard: Server) -> Open:
    """Open an event's page of seats as its organiser."""

    def seats(event: Arranged, **context: object) -> Page:
        page = open_page(**(context or LAPTOP))
        event.organiser.sign_in(page, lastcard)
        page.goto(f"/en/organise/stage/{event.stage}/seats/")
        expect(page.locator("seat-plan.is-live")).to_be_visible()
        return page

    return seats


def sits(page: Page, table: int, names: list[str]) -> None:
    """Wait until these sit at a table, in this order."""
    expect(page.locator(f"#table-{table} [data-name]")).to_have_text(names)


def name(page: Page, who: str) -> Locator:
    return page.locator(".sitting__tap", has_text=who)


def save(page: Page, event: Arranged) -> Page:
    """Save, and open the page again."""
    page.get_by_role("button", name="Save the seats").click()
    page.wait_for_url("**saved=**")
    page.goto(f"/en/organise/stage/{event.stage}/seats/")
    return page


def test_two_taps_swap_and_undo_takes_it_back(seats: Open, event: Arranged) -> None:
    page = seats(event, **PHONE)
    sits(page, 1, FIRST)
    name(page, "Cécile").tap()
    expect(name(page, "Cécile")).to_have_attribute("aria-pressed", "true")
    name(page, "Dima").tap()
    sits(page, 1, ["Aino", "Dima", "Eeva", "Göran"])
    sits(page, 2, ["Börje", "Cécile", "Fatima", "Hilla"])
    expect(page.get_by_role("status").filter(has_text="swapped seats")).to_be_visible()
    page.get_by_role("button", name="Undo").tap()
    sits(page, 1, FIRST)
    sits(page, 2, SECOND)
    name(page, "Aino").tap()
    name(page, "Hilla").tap()
    page.get_by_role("button", name="Save the seats").tap()
    page.wait_for_url("**saved=**")
    page.goto(f"/en/organise/stage/{event.stage}/seats/")
    sits(page, 1, ["Hilla", "Cécile", "Eeva", "Göran"])
    sits(page, 2, ["Börje", "Dima", "Fatima", "Aino"])


@pytest.mark.sweep
def test_a_tap_and_move_here_moves_to_the_table(seats: Open, event: Arranged) -> None:
    page = seats(event)
    name(page, "Aino").click()
    page.locator("#table-2").get_by_role("button", name="Move here").click()
    sits(page, 1, FIRST[1:])
    sits(page, 2, [*SECOND, "Aino"])
    expect(page.locator("#table-2 [data-line]")).to_have_text("5 players · 1 deck")
    page = save(page, event)
    sits(page, 1, FIRST[1:])
    sits(page, 2, [*SECOND, "Aino"])


@pytest.mark.sweep
def test_a_mouse_drags_a_name_onto_another_and_onto_a_table(seats: Open, event: Arranged) -> None:
    page = seats(event)
    name(page, "Göran").drag_to(name(page, "Börje"))
    sits(page, 1, [*FIRST[:3], "Börje"])
    sits(page, 2, ["Göran", *SECOND[1:]])
    name(page, "Eeva").drag_to(page.locator("#table-2 h3"))
    sits(page, 2, ["Göran", *SECOND[1:], "Eeva"])
    expect(name(page, "Eeva")).to_have_attribute("aria-pressed", "false")
    page = save(page, event)
    sits(page, 1, ["Aino", "Cécile", "Börje"])
    sits(page, 2, ["Göran", *SECOND[1:], "Eeva"])


@pytest.mark.sweep
def test_a_finger_drags_by_the_handle(seats: Open, event: Arranged) -> None:
    page = seats(event, **PHONE)
    source = page.locator("[data-entry]", has_text="Göran").locator(".sitting__grip")
    source.evaluate("grip => grip.scrollIntoView({block: 'center'})")  # not under the bar with Save
    start, goal = source.bounding_box(), name(page, "Cécile").bounding_box()
    assert start
    assert goal
    touch = page.context.new_cdp_session(page)

    def send(kind: str, x: float, y: float) -> None:
        points = [] if kind == "touchEnd" else [{"x": x, "y": y}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    x, y = start["x"] + start["width"] / 2, start["y"] + start["height"] / 2
    send("touchStart", x, y)
    for step in range(1, 9):
        send("touchMove", x, y + (goal["y"] + goal["height"] / 2 - y) * step / 8)
    send("touchEnd", x, y)
    sits(page, 1, ["Aino", "Göran", "Eeva", "Cécile"])


def test_the_keyboard_alone_swaps_moves_and_gives_up(seats: Open, event: Arranged) -> None:
    page = seats(event)
    name(page, "Aino").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(name(page, "Aino")).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # the next name
    sits(page, 1, ["Cécile", "Aino", "Eeva", "Göran"])
    expect(name(page, "Aino")).to_be_focused()
    page.keyboard.press("Space")
    page.locator("#table-2").get_by_role("button", name="Move here").focus()
    page.keyboard.press("Enter")
    sits(page, 2, [*SECOND, "Aino"])
    expect(name(page, "Aino")).to_be_focused()


@pytest.mark.sweep
def test_leaving_with_moves_that_are_not_saved_is_asked_about(seats: Open, event: Arranged) -> None:
    page = seats(event)
    asked: list[str] = []

    def answer(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", answer)
    page.reload()
    assert asked == []
    name(page, "Aino").click()
    name(page, "Börje").click()
    page.reload()
    assert asked == ["beforeunload"]


@pytest.mark.sweep
def test_a_table_that_has_begun_cannot_be_moved_from_or_to(seats: Open, arranger: Arranger) -> None:
    event = arranger.event("heats", "tite-2022", names=NAMES, tables=2)
    arranger("record_heat", slug=event.slug)
    page = seats(event)
    expect(page.locator("#table-1")).to_contain_text("Play at this table has begun, so the seats stay.")
    assert page.locator("#table-1 .sitting__tap, #table-1 .sitting__grip").count() == 0
    name(page, "Börje").click()
    assert page.locator("#table-1 .seat-card__here").count() == 0
    name(page, "Dima").drag_to(page.locator("#table-1 [data-name]").first)
    sits(page, 1, FIRST)
    sits(page, 2, SECOND)


@pytest.mark.soak
def test_another_table_is_set_up_by_moving_there(seats: Open, event: Arranged) -> None:
    page = seats(event)
    page.get_by_role("button", name="Add table").click()
    for who in ("Göran", "Hilla"):
        name(page, who).click()
        page.locator("[data-table='3']").get_by_role("button", name="Move here").click()
    page = save(page, event)
    sits(page, 3, ["Göran", "Hilla"])
