"""The hall's wall: what the organiser's phone chooses is on every screen at once, pages by themselves, large enough for
ten metres, and comes back by itself after any fault of the network or the server."""

import re
import time
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.depth import dear
from tests.e2e.arranger import Arranged, Arranger
from tests.e2e.browser import LAPTOP, PHONE, Faults
from tests.e2e.conftest import OpenPage, Screenshot
from tests.e2e.phones import until_page
from tests.e2e.server import Server

pytestmark = pytest.mark.browser

BUSY = 8.0  # seconds from a tap to the wall on a busy machine; one on an idle one
LEAST = 0.04  # of the screen's height: a name's letters
AWAY = 12_000  # milliseconds after which a page that hears nothing says so

SIZES: dict[str, dict[str, Any]] = {
    "wall": {"viewport": {"width": 1920, "height": 1080}},
    "projector": {"viewport": {"width": 1024, "height": 768}},
    "laptop": LAPTOP,
    "upright": {"viewport": {"width": 1080, "height": 1920}},
    "phone": PHONE,
}
LETTERS = "ABCDEFGHIJKLMNPQRSTUVWXYÖ"  # no two that read the same without accents: those get a number


@pytest.fixture(scope="module")
def crowd(arranger: Arranger) -> Arranged:
    """Heats of fifty at five tables, one played, one that calls, and a final to come."""
    names = [f"{letter}{end}" for letter in LETTERS for end in ("ino Virtanen", "lli")]
    event = arranger.event("heats", "tite-2022", tables=5, names=names, name="Suuri ilta", language="fi")
    arranger("record_heat", slug=event.slug)
    arranger("call_referee", slug=event.slug, table=event.tables[3])
    arranger("plan_stage", slug=event.slug, kind="final")
    return event


def uid_in(address: str) -> str:
    return address.rstrip("/").rpartition("/")[2]


def never_reloads(page: Page) -> None:
    page.evaluate("window.neverReloaded = true")


def staged(page: Page) -> None:
    expect(page.locator(".is-staged .scene.is-on")).to_have_count(1)


@pytest.mark.soak
def test_the_wall_follows_the_organisers_phone(
    arranger: Arranger, open_page: OpenPage, phone: Page, lastcard: Server, screenshot: Screenshot
) -> None:
    event = arranger.match(tables=2, names=[f"Player {number}" for number in range(1, 9)])
    event.organiser.sign_in(phone, lastcard)
    phone.goto(f"/en/organise/t/{event.slug}/")
    phone.locator("#board-more > summary").tap()
    phone.get_by_role("link", name="Big screens").tap()
    phone.get_by_label("Location").fill("Hall left")
    phone.get_by_role("button", name="Add screen").tap()
    expect(phone.locator(".screen-panel__now")).to_contain_text("Welcome")
    address = phone.get_by_role("link", name="View screen").get_attribute("href")
    assert address
    walls = [open_page(**SIZES[size]) for size in ("wall", "projector")]
    for wall in walls:
        wall.goto(address)
        expect(wall.locator(".scene.is-on .greeting__name")).to_have_text("An evening")
        expect(wall.locator("[data-live-state]")).to_contain_text("Live")
        never_reloads(wall)
    delays = []
    for scene, words in (
        ("Seats", "Player 8"),
        ("Standings", "Table 2"),
        ("Calls", "No table is waiting for a referee."),
    ):
        phone.get_by_role("button", name=scene, exact=True).tap()
        began = time.monotonic()
        for wall in walls:
            expect(wall.locator(".scene.is-on")).to_contain_text(words)
        delays.append(time.monotonic() - began)
        expect(phone.locator(".screen-panel__now")).to_contain_text(scene)
        expect(phone.locator('[aria-pressed="true"]')).to_have_text(scene)
    assert min(delays) < BUSY, delays
    print("from a tap to two walls:", ", ".join(f"{delay * 1000:.0f}" for delay in delays), "ms")
    assert all(wall.evaluate("window.neverReloaded") for wall in walls)
    phone.get_by_text("More settings, such as rotating views").tap()
    screenshot(phone, "screen-organiser")


def names_on(page: Page) -> list[str]:
    return page.locator(".is-on [data-name]:visible").all_inner_texts()


MEASURE = """(least) => {
  const root = document.documentElement;
  const said = (element) => element.innerText;
  const frame = document.querySelector(".is-on .scene__body").getBoundingClientRect();
  const found = [...document.querySelectorAll(".is-on :is([data-name], .bracket__name)")];
  const names = found.filter((name) => name.checkVisibility());
  const size = (name) => parseFloat(getComputedStyle(name).fontSize) * name.currentCSSZoom;
  const row = (name) => name.closest("[data-rows] > *, [data-piece]") ?? name;
  const cut = names.filter((name) => {
    const box = row(name).getBoundingClientRect();
    return box.top < frame.top - 2 || box.bottom > frame.bottom + 2 || box.right > frame.right + 2;
  });
  return {
    small: names.filter((name) => size(name) < least * innerHeight).map(said),
    cut: cut.map(said),
    scrolls: [root.scrollHeight > innerHeight, root.scrollWidth > innerWidth],
  };
}"""


@pytest.mark.sweep
@pytest.mark.parametrize("size", ["wall", *dear("upright", "projector", "laptop", "phone")])
def test_every_scene_is_read_from_ten_metres_and_nothing_scrolls(
    size: str, crowd: Arranged, arranger: Arranger, open_page: OpenPage, screenshot: Screenshot
) -> None:
    silent = ["clock", "programme"]  # they have nothing to show
    scenes = ["welcome", "seats", "standings", "final", "calls", "results", "bracket"]
    page = open_page(reduced_motion="reduce", **SIZES[size])
    page.goto(arranger("screen", slug=crowd.slug, scenes=[*silent, *scenes]))
    staged(page)
    expect(page.locator(".greeting .screen__code svg")).to_be_visible()
    expect(page.locator(".screen__foot .screen__code")).to_be_hidden()
    seen: dict[str, list[str]] = {}
    for _page in range(200):
        scene = page.locator(".scene.is-on").get_attribute("data-scene") or ""
        if scene not in seen:
            screenshot(page, f"screen-{scene}-{size}")
        found = page.evaluate(MEASURE, LEAST)
        assert found == {"small": [], "cut": [], "scrolls": [False, False]}, (scene, len(seen.get(scene, [])))
        seen.setdefault(scene, []).extend(names_on(page))
        page.keyboard.press("ArrowRight")
        if list(seen) == scenes and page.locator(".scene.is-on").get_attribute("data-scene") == "welcome":
            break
    assert list(seen) == scenes
    for scene in ("seats", "standings"):  # everybody once, whatever the page
        assert sorted(seen[scene]) == sorted(crowd.entries), scene
    assert seen["calls"] == ["Table 4"]


@pytest.mark.sweep
def test_a_bracket_too_large_for_one_page_has_pages_of_each_stage(
    arranger: Arranger, open_page: OpenPage, screenshot: Screenshot
) -> None:
    names = [f"Player {number:02d} Virtanen" for number in range(1, 31)]
    event = arranger.event("heats", "tite-2022", names=names, tables=9)
    arranger("plan_stage", slug=event.slug, kind="final")
    page = open_page(reduced_motion="reduce", **SIZES["wall"])
    page.goto(arranger("screen", slug=event.slug, scenes=["bracket"]))
    staged(page)
    place = page.locator(".screen__page")
    expect(place).to_have_text(re.compile("Page 1 of [2-6]"))
    seen: list[str] = []
    for number in range(1, int(place.inner_text().split()[-1]) + 1):
        expect(place).to_have_text(re.compile(f"Page {number} of"))
        assert page.evaluate(MEASURE, LEAST) == {"small": [], "cut": [], "scrolls": [False, False]}
        seen += page.locator(".is-on .bracket__name:visible").all_inner_texts()
        screenshot(page, f"screen-bracket-page-{number}")
        page.keyboard.press("ArrowRight")
    assert sorted(seen) == names
    expect(place).to_have_text(re.compile("Page 1 of"))


def test_it_pages_by_itself_in_the_order_of_its_scenes(
    crowd: Arranged, arranger: Arranger, open_page: OpenPage
) -> None:
    page = open_page(**LAPTOP)
    page.clock.install()
    page.goto(arranger("screen", slug=crowd.slug, scenes=["seats", "calls"], seconds=30))
    staged(page)
    expect(page.locator("[data-way] svg")).to_have_count(1)
    page.clock.run_for(100)  # with the code at its foot there is less room: the pages are made again
    place = page.locator(".screen__page")
    expect(place).to_have_text(re.compile("Page 1 of [3-9]"))
    pages = int(place.inner_text().split()[-1])
    expect(page.locator(".is-on [data-range]")).to_have_text(re.compile("^A–"))
    for number in range(2, pages + 1):
        page.clock.run_for(30_100)
        expect(place).to_have_text(f"Page {number} of {pages}")
    expect(page.locator(".is-on [data-range]")).to_have_text(re.compile("–Ö$"))
    page.clock.run_for(30_100)
    expect(page.locator(".scene.is-on")).to_contain_text("Table 4 is calling a referee")
    expect(place).to_have_text("")
    width, height = LAPTOP["viewport"].values()
    for less in (200, 0):  # every scene is split again, also those that are not shown
        page.set_viewport_size({"width": width, "height": height - less})
        page.evaluate(
            "() => new Promise((drawn) => new ResizeObserver(() => drawn()).observe(document.body))"
        )
        page.clock.run_for(100)
    expect(page.locator(".scene.is-on")).to_contain_text("Table 4 is calling a referee")
    page.clock.run_for(30_100)
    expect(place).to_have_text(f"Page 1 of {pages}")


@pytest.mark.soak
def test_a_hand_at_the_screen_pages_and_stops_it(
    crowd: Arranged, arranger: Arranger, open_page: OpenPage, screenshot: Screenshot
) -> None:
    page = open_page(**LAPTOP)
    page.clock.install()
    page.goto(arranger("screen", slug=crowd.slug, scenes=["seats"], seconds=30))
    staged(page)
    place = page.locator(".screen__page")
    for key, number in ((" ", 2), ("ArrowRight", 3), ("ArrowLeft", 2), ("PageUp", 1)):
        page.keyboard.press(key)
        expect(place).to_have_text(re.compile(f"Page {number} of"))
    controls = page.locator(".screen-controls")
    expect(controls).to_be_hidden()
    page.mouse.click(400, 300)
    expect(controls).to_be_visible()
    screenshot(page, "screen-controls")
    page.get_by_role("button", name="Pause").click()
    page.clock.run_for(70_000)
    expect(place).to_have_text(re.compile("Page 1 of"))
    expect(controls).to_be_hidden()
    page.mouse.click(400, 300)
    page.locator(".screen-controls summary").click()
    page.get_by_role("link", name="Suomi").click()
    expect(page).to_have_url(re.compile(r"/fi/t/"))
    staged(page)


@pytest.mark.sweep
def test_its_place_stays_when_something_is_entered(
    arranger: Arranger, open_page: OpenPage, lastcard: Server
) -> None:
    names = [f"Player {number:02d}" for number in range(1, 41)]
    event = arranger.event("heats", "tite-2022", tables=4, names=names)
    page = open_page(**LAPTOP)
    page.goto(arranger("screen", slug=event.slug, scenes=["calls", "seats"]))
    staged(page)
    never_reloads(page)
    expect(page.locator("[data-live-state]")).to_contain_text("Live")
    page.keyboard.press("ArrowRight")  # no table calls: the seats are what is shown first
    expect(page.locator(".screen__page")).to_have_text(re.compile("Page 2 of"))
    before = names_on(page)
    arranger("call_referee", slug=event.slug, table=event.tables[1])
    expect(page.locator(".scene--calls .wall__row")).to_have_count(1)
    assert names_on(page) == before
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".scene.is-on")).to_contain_text("Table 2 is calling a referee")
    assert page.evaluate("window.neverReloaded")


@pytest.mark.sweep
def test_a_clock_goes_by_the_servers_time(
    arranger: Arranger, open_page: OpenPage, screenshot: Screenshot
) -> None:
    event = arranger.session()
    arranger("start_game", slug=event.slug, elapsed_s=754)
    page = open_page(**SIZES["wall"])
    page.clock.install(time="2019-12-24T18:00:00")  # this computer's own is wrong by years
    page.goto(arranger("screen", slug=event.slug, scenes=["clock"]))
    face = page.locator(".is-on [data-face]")
    page.clock.run_for(3_000)
    expect(face).to_have_text(re.compile("^1[23]:[0-9]{2}$"))
    screenshot(page, "screen-clock-one")


def test_a_clock_stops_at_the_hour(arranger: Arranger, open_page: OpenPage) -> None:
    event = arranger.session()
    arranger("start_game", slug=event.slug, elapsed_s=3545)
    page = open_page(**SIZES["projector"])
    page.clock.install()
    page.goto(arranger("screen", slug=event.slug, scenes=["clock"]))
    face = page.locator(".is-on [data-face]")
    expect(face).to_have_text(re.compile("^59:"))
    expect(page.locator(".clocks__over")).to_be_hidden()
    page.context.set_offline(True)  # otherwise it asks the server, whose clock has not run ahead
    page.clock.run_for(60_000)
    expect(page.locator(".clocks__over")).to_be_visible()
    expect(face).to_have_text("60:00")


def test_it_comes_back_after_the_network_was_cut(
    arranger: Arranger, open_page: OpenPage, faults: Faults, screenshot: Screenshot
) -> None:
    event = arranger.match()
    page = open_page(timezone_id="Asia/Tokyo", **SIZES["wall"])
    page.clock.install()
    page.goto(arranger("screen", slug=event.slug, scenes=["results"]))
    staged(page)
    never_reloads(page)
    live = page.locator("[data-live-state]")
    expect(live).to_contain_text("Live")
    page.context.set_offline(True)
    page.clock.run_for(AWAY)
    expect(live).to_have_text(re.compile(r"^Offline since (1?[0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]$"))
    hour = int(live.inner_text().split()[-1].partition(":")[0])
    assert hour != page.evaluate("new Date().getHours()")  # the event's clock, not this computer's
    screenshot(page, "screen-offline")
    arranger("record_round", slug=event.slug, winner=event.entries["Çağla"], hands={})
    page.context.set_offline(False)
    expect(page.locator(".scene.is-on")).to_contain_text("Çağla")
    expect(live).to_contain_text("Live")
    assert page.evaluate("window.neverReloaded")


@pytest.mark.soak
def test_it_comes_back_after_the_server_was_started_anew(
    arranger: Arranger, open_page: OpenPage, lastcard: Server
) -> None:
    event = arranger.match()
    page = open_page(**SIZES["wall"])
    page.clock.install()
    page.goto(arranger("screen", slug=event.slug, scenes=["results"]))
    staged(page)
    never_reloads(page)
    live = page.locator("[data-live-state]")
    expect(live).to_contain_text("Live")
    lastcard.stop()
    page.clock.run_for(AWAY)
    expect(live).to_contain_text("Offline since")
    expect(page.locator(".scene.is-on")).to_contain_text("Nothing has been played yet.")
    arranger("record_round", slug=event.slug, winner=event.entries["Dima"], hands={})
    lastcard.start()
    page.clock.run_for(AWAY)
    expect(page.locator(".scene.is-on")).to_contain_text("Dima")
    expect(live).to_contain_text("Live")
    assert page.evaluate("window.neverReloaded")


@pytest.mark.sweep
def test_a_new_version_of_the_program_is_loaded_whole(arranger: Arranger, open_page: OpenPage) -> None:
    event = arranger.match()
    page = open_page(**LAPTOP)
    address = arranger("screen", slug=event.slug, scenes=["results"])
    page.goto(address)
    staged(page)
    never_reloads(page)
    expect(page.locator("[data-live-state]")).to_contain_text("Live")

    def upgraded(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace('data-program="', 'data-program="newer '))

    page.route(f"**{address}", upgraded)
    arranger("record_round", slug=event.slug, winner=event.entries["Aino"], hands={})
    expect(page.locator("[data-program^='newer']")).to_have_count(1)
    expect(page.locator(".scene.is-on")).to_contain_text("Aino")
    until_page(page, "window.neverReloaded === undefined")
    staged(page)


@pytest.mark.soak
def test_a_screen_that_is_taken_away_says_so_and_comes_back_when_it_is_made_anew(
    arranger: Arranger, open_page: OpenPage, screenshot: Screenshot
) -> None:
    event = arranger.match()
    page = open_page(**SIZES["wall"])
    address = arranger("screen", slug=event.slug, scenes=["calls"])
    page.goto(address)
    staged(page)
    expect(page.locator("[data-live-state]")).to_contain_text("Live")
    arranger("remove_screen", slug=event.slug, uid=uid_in(address))
    expect(page.locator("h1")).to_have_text("This screen was removed")
    screenshot(page, "screen-gone")
    arranger("screen", slug=event.slug, scenes=["calls"], uid=uid_in(address))
    expect(page.locator(".scene.is-on")).to_contain_text("No table is waiting for a referee.")


@pytest.mark.soak
def test_it_is_read_before_scripts_arrive(
    crowd: Arranged, arranger: Arranger, open_page: OpenPage, screenshot: Screenshot
) -> None:
    page = open_page(java_script_enabled=False, **LAPTOP)
    page.goto(arranger("screen", slug=crowd.slug, scenes=["seats", "calls", "results"]))
    for heading in ("Seats", "Referee calls", "Latest results"):
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
    expect(page.get_by_text("Ölli")).to_be_visible()
    expect(page.get_by_role("link", name="Event page")).to_be_visible()
    page.goto(f"/t/{crowd.slug}/screen/")  # as it is typed at the projector: in the event's own language
    page.get_by_role("link", name="Hall").first.click()
    expect(page.get_by_role("heading", name="Paikat")).to_be_visible()
