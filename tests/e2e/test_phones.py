"""Entries that wait on a phone while its browser dies, the sign-in ends, the clock is wrong, two tabs are open or
nothing can be kept; and two phones that enter the same round apart from each other."""

import os
import re
import signal
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.depth import dear
from tests.e2e.arranger import PLAYERS, Arranger
from tests.e2e.browser import ARGUMENTS, PHONE, Faults, chromium
from tests.e2e.conftest import Desk, OpenPage, PhoneAt
from tests.e2e.evening import PASSWORD
from tests.e2e.phones import Phone, until, until_page
from tests.e2e.proxy import Proxy
from tests.e2e.server import Server

pytestmark = pytest.mark.browser

AT_A_TABLE = PLAYERS[:3]
A_DAY = 86_400  # seconds
# As on plain http, where browsers have no locks: two tabs send at the same time.
WITHOUT_LOCKS = "delete Navigator.prototype.locks;"
REFUSED = "Storage.prototype.setItem = () => { throw new DOMException('refused', 'QuotaExceededError'); };"
# How many entries are in the second copy, which is written after the first.
SPARES = """() => new Promise(resolve => {
    indexedDB.open("lastcard").onsuccess = ({target: {result: database}}) => {
        const asked = database.transaction("out").objectStore("out").count();
        asked.onsuccess = () => { resolve(asked.result); database.close(); };
    };
})"""


# ---- the browser dies ----


def process_of(folder: Path) -> int:
    """The browser that has its profile in this folder."""
    for process in Path("/proc").glob("[0-9]*"):
        words: list[bytes] = []
        with suppress(OSError):  # it has ended meanwhile
            words = (process / "cmdline").read_bytes().split(b"\0")
        kinds = [word for word in words if word.startswith(b"--type=")]
        if f"--user-data-dir={folder}".encode() in words and not kinds:
            return int(process.name)
    raise AssertionError("That browser does not run")


def test_a_browser_killed_with_unsent_entries_still_has_them(
    arranger: Arranger, proxy: Proxy, browser: Browser, lastcard: Server, tmp_path: Path
) -> None:
    event = arranger.match(names=AT_A_TABLE)
    who = arranger.referee(event, "Rauha")

    def start() -> BrowserContext:
        return browser.browser_type.launch_persistent_context(
            tmp_path, executable_path=chromium(), args=ARGUMENTS, base_url=proxy.url, **PHONE
        )

    before = start()
    phone = Phone(before.pages[0], event, who, arranger)
    who.sign_in(phone.page, lastcard)
    phone.page.goto(event.table)
    phone.says("Connected")
    proxy.does("drop")
    phone.round("Aino")
    phone.round("Börje")
    until(lambda: "" if phone.page.evaluate(SPARES) == 2 else "not kept twice yet")
    kept = [entry["command"] for entry in phone.entries()]
    os.kill(process_of(tmp_path), signal.SIGKILL)
    before.close()

    after = start()
    phone.page = after.pages[0]
    who.sign_in(phone.page, lastcard)
    proxy.does("through")
    phone.page.goto("/en/desk/")
    phone.all_arrived()
    assert [entry["command"] for entry in phone.entries()] == kept
    assert arranger.states(event) == ["entered", "entered"]
    after.close()


# ---- the sign-in ends ----


def test_entries_wait_for_the_person_to_sign_in_again(
    arranger: Arranger, proxy: Proxy, phone_at: PhoneAt
) -> None:
    phone = phone_at(arranger.match(names=AT_A_TABLE))
    proxy.does("drop")
    phone.round("Aino")
    arranger("end_sign_ins", username=phone.who.username)
    proxy.does("through")
    phone.look()
    phone.says("Sign in to send 1")
    phone.round("Börje")
    phone.says("Sign in to send 2")
    expect(phone.page.locator("[data-save]")).to_contain_text("Round 2 is on this phone")
    expect(phone.page.locator("[data-save]")).not_to_contain_text("Saving")
    phone.tells_the_truth()
    assert arranger.states(phone.event) == []
    page = phone.page
    page.locator("desk-outbox").get_by_role("link").tap()
    page.get_by_label("Username").fill(phone.who.username)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").tap()
    page.locator("desk-outbox").wait_for()
    phone.all_arrived()
    assert arranger.states(phone.event) == ["entered", "entered"]


@pytest.mark.sweep
def test_an_open_page_leaves_by_itself_at_the_sign_ins_end(arranger: Arranger, phone_at: PhoneAt) -> None:
    phone = phone_at(arranger.match(names=AT_A_TABLE))
    page = phone.page
    page.goto("/en/desk/")
    expect(page.locator("[data-live-state='live']")).to_be_visible()
    page.wait_for_timeout(2_500)  # milliseconds; until the server has looked once at who listens
    arranger("end_sign_ins", username=phone.who.username)
    expect(page).to_have_url(re.compile("/en/sign-in/"))  # within 5 s, says tests/live/test_guard.py


# ---- the clock is wrong ----


def wrong_by(phone: Phone, seconds: int) -> None:
    """Set the phone's clock so; the phone meets the server by it, and loses the network."""
    now = phone.page.evaluate("Date.now()")
    phone.page.clock.install(time=now / 1000 + seconds)
    phone.page.reload()
    phone.says("Connected")


@pytest.mark.parametrize("seconds", [A_DAY, *dear(-A_DAY)])
@pytest.mark.soak
def test_a_game_without_network_has_right_times_where_the_clock_is_wrong_by_a_day(
    arranger: Arranger, proxy: Proxy, phone_at: PhoneAt, seconds: int
) -> None:
    phone = phone_at(arranger.session(names=AT_A_TABLE))
    wrong_by(phone, seconds)
    proxy.does("drop")
    began = clock(phone)
    phone.start(1)
    begun = clock(phone)
    phone.page.wait_for_timeout(3_000)  # milliseconds
    out = clock(phone)
    phone.out("Aino")
    was_out = clock(phone)
    proxy.does("through")
    phone.all_arrived()
    game, now = arranger("games", slug=phone.event.slug)[0], clock(phone)
    assert out - begun - 2 <= game["results"]["Aino"][1] <= was_out - began + 1
    assert out - begun - 2 <= game["ago"] <= now - began + 2
    expect(phone.page.get_by_text("when did it begin?")).to_have_count(0)


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("seconds", "asks"),
    [
        (-1200, True),
        pytest.param(-A_DAY, True, marks=pytest.mark.soak),
        pytest.param(26 * 3600, False, marks=pytest.mark.soak),
    ],
)
def test_a_start_that_waits_while_the_clock_is_put_right_has_its_time_or_asks(
    arranger: Arranger, proxy: Proxy, phone_at: PhoneAt, seconds: int, asks: bool
) -> None:
    """A clock that was behind is set on, which looks like a phone that slept; one that was ahead goes back."""
    phone = phone_at(arranger.session(names=AT_A_TABLE, ago_s=3600))
    wrong_by(phone, seconds)
    proxy.does("drop")
    began = clock(phone)
    phone.start(1)
    begun = clock(phone)
    phone.page.clock.set_system_time(clock(phone) - seconds)
    phone.page.wait_for_timeout(2_500)  # milliseconds; the page looks at its clock each second
    proxy.does("through")
    phone.all_arrived()
    game, now = arranger("games", slug=phone.event.slug)[0], clock(phone) + seconds
    assert now - begun - 2 <= game["ago"] <= now - began + 2
    question = phone.page.get_by_text("when did it begin?")
    expect(question).to_have_count(int(asks))
    if asks:
        phone.page.locator("button[name=started_at]").last.tap()
        expect(question).to_have_count(0)
        assert arranger("games", slug=phone.event.slug)[0]["ago"] >= game["ago"]


def clock(phone: Phone) -> float:
    """The time by the page's clock, in seconds; it goes on while the machine does other things."""
    return float(phone.page.evaluate("Date.now()")) / 1000


# ---- two tabs ----


@pytest.mark.parametrize("prepare", ["", *dear(WITHOUT_LOCKS)])
def test_two_tabs_of_a_phone_send_everything_once(
    arranger: Arranger, proxy: Proxy, phone_at: PhoneAt, prepare: str
) -> None:
    names = [f"{name} {number}" for name in AT_A_TABLE for number in (1, 2)]
    phone = phone_at(arranger.match(names=names, tables=2), prepare=prepare)
    other = phone.page.context.new_page()
    other.goto(f"/en/desk/table/{phone.event.tables[1]}/")
    proxy.does("drop")
    for _ in range(2):
        phone.round(names[0], names=names[0::2])
        phone.round(names[1], names=names[1::2], page=other)
    for page in [phone.page, other]:
        expect(page.locator("desk-outbox")).to_contain_text("4 waiting")
    proxy.does("through")
    for page in [other, phone.page]:
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    phone.all_arrived()
    expect(other.locator("desk-outbox")).to_contain_text("Saved on the server")
    assert arranger.states(phone.event) == ["entered"] * 4


# ---- nothing can be kept ----


@pytest.mark.sweep
def test_a_browser_that_keeps_nothing_says_so_and_loses_nothing(
    arranger: Arranger, proxy: Proxy, phone_at: PhoneAt
) -> None:
    phone = phone_at(arranger.match(names=AT_A_TABLE), prepare=REFUSED)
    phone.says("This browser cannot keep entries offline")
    proxy.does("drop")
    phone.round("Aino")
    expect(phone.page.locator("#messages")).to_contain_text("Everything you typed is still here")
    expect(phone.page.locator("[data-read-back]")).to_contain_text("Aino gets 2")
    assert arranger.states(phone.event) == []
    proxy.does("portal")
    phone.page.locator("[data-save]").press("Control+Enter")
    # The press took the line of the first try away: it stands there again when this one has its answer.
    expect(phone.page.locator("#messages")).to_contain_text("Everything you typed is still here")
    assert proxy.did["portal"]
    expect(phone.page.locator("[data-read-back]")).to_contain_text("Aino gets 2")
    proxy.does("through")
    phone.page.locator("[data-save]").press("Control+Enter")
    expect(phone.page.locator("[data-plays]")).to_contain_text("Round 1")
    assert arranger.states(phone.event) == ["entered"]

    session = arranger.session(names=AT_A_TABLE)
    arranger("start_game", slug=session.slug, elapsed_s=600)
    page = phone_at(session, prepare=REFUSED).page
    proxy.does("drop")
    page.locator(".tap", has_text="Çağla").tap()
    expect(page.get_by_role("alert")).to_contain_text("Everything you typed is still here")
    proxy.does("through")
    page.locator(".tap", has_text="Çağla").tap()
    expect(page.get_by_role("region", name="No longer in the game")).to_contain_text("Çağla")


KEPT = "caches.open('lastcard').then(cache => cache.keys())"
COPIES = f"{KEPT}.then(all => all.length)"
PAGES = f"{KEPT}.then(all => all.filter(each => !each.url.includes('/static/')).length)"


@pytest.mark.soak
def test_a_phone_without_room_opens_the_desk_and_whatever_signs_in_drops_the_copies(
    arranger: Arranger, open_page: OpenPage, lastcard: Server
) -> None:
    event = arranger.match(names=AT_A_TABLE)
    page = open_page(service_workers="allow", **PHONE)
    arranger.referee(event, "Rauha").sign_in(page, lastcard)
    for door in ["i/none/", "score/", "admin/login/", "sign-out/"]:
        page.goto(event.table)
        rules = page.locator("a[data-rules-sheet]").get_attribute("href")  # kept last
        until_page(page, f"caches.match('{rules}', {{ignoreVary: true}}).then(Boolean)")
        page.evaluate("door => fetch(door, {method: 'POST'})", f"/en/{door}")
        until_page(page, f"{PAGES}.then(pages => !pages)")
    page.context.new_cdp_session(page).send(
        "Storage.overrideQuotaForOrigin", {"origin": lastcard.url, "quotaSize": 1}
    )
    page.goto(event.table)
    expect(page.locator("desk-outbox")).to_contain_text("Connected")


@pytest.mark.sweep
def test_what_a_page_showed_last_opens_without_network(arranger: Arranger, desk: Desk) -> None:
    event = arranger.session()
    page = desk(event, service_workers="allow")
    until_page(page, f"navigator.serviceWorker.controller && {COPIES}.then(copies => copies > 1)")
    arranger("start_game", slug=event.slug, elapsed_s=600)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("game-clock")).to_contain_text("Game 1")
    page.context.set_offline(True)
    page.reload()
    expect(page.locator("game-clock")).to_contain_text("Game 1")


@pytest.mark.soak
def test_a_page_that_is_not_kept_says_what_waits_and_comes_with_the_network(
    arranger: Arranger, desk: Desk, faults: Faults
) -> None:
    faults.expected.append("console: htmx:")  # what it could not ask
    event = arranger.match(names=AT_A_TABLE)
    page = desk(event, service_workers="allow")
    phone = Phone(page, event, event.organiser, arranger)
    kept = "caches.match('/en/no-network/').then(Boolean)"
    until_page(page, f"navigator.serviceWorker.controller && {kept}")
    page.context.set_offline(True)
    phone.round("Aino")
    phone.says("1 waiting")
    page.goto(event.public)
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("No connection")
    expect(page.locator("main")).to_contain_text("Saved on this phone, 1 waiting")
    page.locator("main").get_by_role("link", name="My tables").tap()
    expect(heading).to_have_text("My tables")
    page.goto(event.public)
    expect(heading).to_have_text("No connection")
    page.context.set_offline(False)
    expect(heading).to_have_text("An evening")
    page.goto(event.table)
    phone.says("Saved on the server")
    assert arranger.states(event) == ["entered"]


# ---- two phones apart from each other ----


def test_of_two_phones_with_one_round_one_stands_and_the_other_is_asked(
    arranger: Arranger, proxy: Proxy, phone_at: PhoneAt
) -> None:
    event = arranger.match(names=AT_A_TABLE)
    first, second = phone_at(event, "Rauha"), phone_at(event, "Tapio")
    proxy.does("drop")
    first.round("Aino", "1")
    second.page.context.set_offline(True)  # before it sends: nothing of it is on its way later
    second.round("Börje", "2")
    second.round("Börje", "3")
    proxy.does("through")
    first.all_arrived()
    second.page.context.set_offline(False)
    second.look()
    second.says("1 needs your decision")
    second.says_nothing_of("waiting")
    assert [entry["state"] for entry in second.entries()] == ["conflict", "confirmed"]
    second.page.locator("desk-outbox").get_by_role("link", name="1 needs your decision").tap()
    second.page.locator("main").get_by_role("button", name="Open", exact=True).tap()
    expect(second.page.get_by_role("alert")).to_contain_text("Rauha entered it before you")
    versions = second.page.get_by_role("table")
    expect(versions).to_contain_text(re.compile(r"Rauha, \d{1,2}:\d\d:\d\d"))
    expect(versions).to_contain_text("you, not saved")
    assert arranger.states(event) == ["entered", "entered"]
    second.page.get_by_role("link", name="Keep the server’s version").tap()
    second.says_nothing_of("needs your decision")
    assert [entry["state"] for entry in second.entries()] == ["confirmed"]
