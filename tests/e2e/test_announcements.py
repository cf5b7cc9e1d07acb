"""An announcement reaches a spectator's phone, a referee's table and the wall by itself, touches nothing that is typed,
and goes at its end without a network."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.arranger import Arranged, Arranger
from tests.e2e.browser import PHONE, WALL
from tests.e2e.conftest import OpenPage, Screenshot
from tests.e2e.server import Server

pytestmark = pytest.mark.browser

WORDS = "Final <b>now</b> at table 1"


def shown(page: Page, words: str = WORDS) -> None:
    expect(page.locator("#said .lead:visible")).to_have_text([words])


def nothing(page: Page) -> None:
    expect(page.locator("#said .lead:visible")).to_have_count(0)


def pages_of(
    arranger: Arranger, open_page: OpenPage, lastcard: Server, event: Arranged
) -> tuple[Page, Page, Page]:
    """A spectator's phone, a referee's phone at the first table with half a hand counted, and the wall."""
    spectator, table, wall = open_page(**PHONE), open_page(**PHONE), open_page(**WALL)
    spectator.goto(f"{event.public}stage/{event.stage}/")
    wall.goto(arranger("screen", slug=event.slug, scenes=["standings"]))
    event.organiser.sign_in(table, lastcard)
    table.goto(event.table)
    pad = table.locator("card-pad")
    pad.locator(".pad__winner").get_by_text("Aino", exact=True).tap()
    pad.locator(".pad__key[data-add='7']").tap()
    for page in (spectator, table, wall):
        page.evaluate("window.neverReloaded = true")
    return spectator, table, wall


def half_typed(table: Page) -> None:
    """The pad still holds what was counted."""
    expect(table.locator("card-pad .pad__sum")).to_contain_text("7")
    assert table.evaluate("window.neverReloaded")


def test_an_announcement_is_everywhere_and_goes_with_a_tap(
    arranger: Arranger, open_page: OpenPage, phone: Page, lastcard: Server, screenshot: Screenshot
) -> None:
    event = arranger.match()
    spectator, table, wall = everybody = pages_of(arranger, open_page, lastcard, event)
    event.organiser.sign_in(phone, lastcard)
    phone.goto(f"/en/organise/t/{event.slug}/")
    phone.get_by_text("More", exact=True).tap()
    phone.get_by_role("link", name="Announce").tap()
    phone.get_by_role("button", name="Food is served").tap()
    expect(phone.get_by_label("Announcement", exact=True)).to_have_value("Food is served")
    expect(phone.get_by_label("Suomi")).to_have_value("Ruoka on tarjolla")
    phone.get_by_role("button", name="Go to your tables").tap()
    expect(phone.get_by_label("Suomi")).to_have_value("Siirtykää pöytiinne")
    phone.get_by_label("Announcement", exact=True).fill(WORDS)
    phone.get_by_role("button", name="Announce", exact=True).tap()
    for page in everybody:
        shown(page)
        assert page.evaluate("window.neverReloaded")
    half_typed(table)
    screenshot(phone, "announcements")
    for page, name in (
        (spectator, "announcement-phone"),
        (table, "announcement-table"),
        (wall, "announcement-wall"),
    ):
        screenshot(page, name)
    size, height = wall.locator("#said .lead").evaluate(
        "(e) => [parseFloat(getComputedStyle(e).fontSize), innerHeight]"
    )
    assert size / height >= 0.04  # read from ten metres
    phone.get_by_role("button", name="Take down").tap()
    for page in everybody:
        nothing(page)
    half_typed(table)


@pytest.mark.sweep
def test_it_goes_at_its_end_without_a_network_and_comes_to_who_was_away(
    arranger: Arranger, open_page: OpenPage, lastcard: Server
) -> None:
    event = arranger.match()
    spectator, away = open_page(**PHONE), open_page(**PHONE)
    for page in (spectator, away):
        page.clock.install()
        page.goto(event.public)
    away.context.set_offline(True)
    arranger("announce", slug=event.slug, words={"en": WORDS, "sv": "Final nu"}, minutes=5)
    shown(spectator)
    nothing(away)
    away.context.set_offline(False)
    shown(away)
    for page in (spectator, away):
        page.context.set_offline(True)
        page.clock.fast_forward("04:00")
        shown(page)
        page.clock.fast_forward("02:00")
        nothing(page)
    reader = open_page(**PHONE)
    reader.goto(event.public.replace("/en/", "/sv/"))
    shown(reader, "Final nu")


@pytest.mark.sweep
def test_a_wrong_clock_hides_nothing(arranger: Arranger, open_page: OpenPage) -> None:
    event = arranger.match()
    page = open_page(**PHONE)
    page.add_init_script("const real = Date.now; Date.now = () => real() + 3_600_000")
    arranger("announce", slug=event.slug, words={"en": WORDS}, minutes=5)
    page.goto(event.public)
    shown(page)


@pytest.mark.soak
def test_the_desk_hears_again_after_the_server_was_killed(
    arranger: Arranger, open_page: OpenPage, lastcard: Server
) -> None:
    event = arranger.match()
    everybody = pages_of(arranger, open_page, lastcard, event)
    arranger("announce", slug=event.slug, words={"en": WORDS})
    for page in everybody:
        shown(page)
    lastcard.kill()
    arranger("announce", slug=event.slug, words={"en": "After the night"})
    lastcard.start()
    for page in everybody:
        expect(page.locator("#said .lead:visible")).to_have_text(["After the night", WORDS])
    half_typed(everybody[1])
