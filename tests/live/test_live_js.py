"""tournament/static/lastcard/js/watch/live.js, in the system's Chromium."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, Route, expect, sync_playwright

from tests.e2e.browser import ARGUMENTS, PHONE, Faults, chromium
from tests.live.conftest import Site, serving
from tests.live.driver import PATIENCE

pytestmark = pytest.mark.browser
ROWS = [f"row-{number}" for number in range(40)]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    faults = Faults()
    context = browser.new_context(**PHONE)
    context.set_default_timeout(PATIENCE * 1000)
    page = context.new_page()
    faults.watch(page)
    yield page
    context.close()
    assert faults.unexpected() == []


@pytest.fixture
def live(site: Site) -> Site:
    site.facts.rows = ROWS
    site.save("a", 1)
    return site


def shows(page: Page, version: int) -> None:
    expect(page.locator("body")).to_have_attribute("data-version", str(version), timeout=PATIENCE * 1000)


def state(page: Page, name: str, words: str) -> None:
    place = page.locator("[data-live-state]")
    expect(place).to_have_attribute("data-live-state", name, timeout=PATIENCE * 1000)
    expect(place).to_have_text(re.compile(words), timeout=PATIENCE * 1000)


def test_a_save_is_shown_and_nothing_of_the_reader_s_is_lost(live: Site, phone: Page) -> None:
    with serving(live.app) as (_, port):
        phone.goto(f"http://127.0.0.1:{port}/en/script/a/")
        state(phone, "live", "^Live$")
        phone.evaluate(
            """() => {
                window.sameDocument = true;
                window.slid = [];
                const animate = Element.prototype.animate;
                Element.prototype.animate = function (frames, timing) {
                    window.slid.push([this.dataset.key, frames.transform[1]]);
                    return animate.call(this, frames, timing);
                };
                document.addEventListener("lastcard:swapped", () => { window.swapped = true; });
                document.getElementById("why").open = true;
                document.getElementById("search").value = "Aino";
                document.querySelector('[data-key="row-30"] a').focus();
                window.scrollTo(0, 100);
            }"""
        )
        live.facts.rows = [*ROWS[30:], *ROWS[:30]]
        live.save("a", 2)
        shows(phone, 2)
        assert phone.title() == "Version 2"
        assert phone.evaluate("[window.sameDocument, window.swapped]") == [True, True]
        assert phone.locator("tr").first.get_attribute("data-key") == "row-30"
        assert phone.locator("tr").first.get_attribute("data-moved") == "up"
        assert phone.locator("tr").last.get_attribute("data-moved") == "down"
        assert phone.evaluate("window.slid") == [[row, "none"] for row in [*ROWS[30:], *ROWS[:30]]]
        assert phone.locator("#why").get_attribute("open") is not None
        assert phone.input_value("#search") == "Aino"
        assert phone.evaluate("document.activeElement.textContent") == "row-30"
        assert phone.evaluate("window.scrollY") == 100


@pytest.mark.sweep
def test_nothing_moves_for_those_who_asked_for_less_motion(live: Site, phone: Page) -> None:
    phone.emulate_media(reduced_motion="reduce")
    with serving(live.app) as (_, port):
        phone.goto(f"http://127.0.0.1:{port}/en/script/a/")
        state(phone, "live", "Live")
        live.facts.rows = ROWS[::-1]
        live.save("a", 2)
        shows(phone, 2)
        assert phone.locator("[data-moved]").count() == 0
        assert phone.evaluate("document.getAnimations().length") == 0


def test_a_lost_server_is_told_and_what_it_missed_is_fetched(live: Site, phone: Page) -> None:
    with serving(live.app) as (_, port):
        phone.clock.install()
        phone.goto(f"http://127.0.0.1:{port}/en/script/a/")
        state(phone, "live", "Live")
    phone.clock.run_for(12_000)
    state(phone, "offline", r"^As of \d+:\d\d:\d\d")
    live.save("a", 2)
    with serving(live.app, port):
        phone.clock.run_for(12_000)
        shows(phone, 2)
        state(phone, "live", "Live")


def test_what_a_restored_backup_took_back_is_taken_back(live: Site, phone: Page) -> None:
    live.save("a", 3)
    with serving(live.app) as (_, port):
        phone.goto(f"http://127.0.0.1:{port}/en/script/a/")
        state(phone, "live", "Live")
        shows(phone, 3)
        live.facts.versions["a"] = 2
        known = live.versions.all()
        live.versions.settle(known, known | {"a": 2})  # as the poller does
        shows(phone, 2)
        state(phone, "live", "Live")
        live.save("a", 3)
        shows(phone, 3)


def test_pages_that_several_watch_change_without_asking_for_them(
    live: Site, phone: Page, browser: Browser
) -> None:
    with serving(live.app) as (_, port), browser.new_context(**PHONE) as context:
        other = context.new_page()
        address = f"http://127.0.0.1:{port}/en/script/a/"
        for page in (phone, other):
            page.goto(address)
            state(page, "live", "^Live$")
        for version in (2, 3):
            live.facts.rows = [f"row-{version}", *ROWS]
            live.save("a", version)
            for page in (phone, other):
                shows(page, version)
                assert page.locator("tr").first.get_attribute("data-key") == f"row-{version}"
        for page in (phone, other):  # what went over the network
            fetched = page.evaluate(
                "() => performance.getEntriesByType('resource')"
                ".filter(({ name, transferSize }) => name.endsWith('/en/script/a/') && transferSize > 0).length"
            )
            assert fetched == 0


def test_a_page_that_could_not_be_shown_is_asked_for_again(live: Site, phone: Page) -> None:
    with serving(live.app) as (_, port):
        phone.goto(f"http://127.0.0.1:{port}/en/script/a/")
        state(phone, "live", "^Live$")
        phone.evaluate(
            """() => {
                const rects = Element.prototype.getClientRects;
                window.failed = new Promise((resolve) => {
                    Element.prototype.getClientRects = () => {
                        Element.prototype.getClientRects = rects;
                        setTimeout(resolve, 100);
                        throw new Error("once");
                    };
                });
            }"""
        )
        live.save("a", 2)
        phone.evaluate("() => window.failed")
        phone.evaluate("document.dispatchEvent(new CustomEvent('lastcard:refresh'))")
        shows(phone, 2)


def test_without_a_stream_the_page_is_polled(live: Site, phone: Page) -> None:
    phone.add_init_script("delete window.EventSource")
    with serving(live.app) as (_, port):
        phone.clock.install()
        phone.goto(f"http://127.0.0.1:{port}/en/script/a/")
        state(phone, "connecting", "Connecting")
        live.save("a", 2)
        phone.clock.run_for(11_000)
        shows(phone, 2)
        state(phone, "live", "Live")
        assert live.hub.open == 0


def test_a_hidden_page_holds_nothing_open_and_comes_back_current(live: Site, phone: Page) -> None:
    hide = """hidden => {
        Object.defineProperty(document, "hidden", { configurable: true, value: hidden });
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    with serving(live.app) as (_, port):
        phone.goto(f"http://127.0.0.1:{port}/en/script/a/")
        state(phone, "live", "Live")
        assert live.hub.open == 1
        phone.evaluate(hide, True)
        for _ in range(int(PATIENCE * 100)):
            if live.hub.open == 0:
                break
            phone.wait_for_timeout(10)  # milliseconds
        assert live.hub.open == 0
        live.save("a", 2)
        phone.evaluate(hide, False)
        shows(phone, 2)
        state(phone, "live", "Live")
        assert live.hub.open == 1


def test_a_page_that_is_gone_says_so(live: Site, phone: Page) -> None:
    with serving(live.app) as (_, port):
        phone.goto(f"http://127.0.0.1:{port}/en/page/a/")
        phone.add_script_tag(url="/static/lastcard/js/watch/live.js", type="module")
        live.facts.versions.clear()
        live.versions.announce({"a": 2})
        expect(phone.locator("body")).not_to_have_attribute("data-live", "a", timeout=PATIENCE * 1000)


def test_a_page_that_a_form_took_away_waits_for_the_forms_answer(live: Site, phone: Page) -> None:
    with serving(live.app) as (_, port):
        phone.goto(f"http://127.0.0.1:{port}/en/page/a/")
        phone.add_script_tag(url="/static/lastcard/js/watch/live.js", type="module")
        phone.evaluate("window.sameDocument = true; window.dispatchEvent(new Event('submit'))")
        live.facts.versions.clear()
        with phone.expect_response("**/en/page/a/"):
            live.versions.announce({"a": 2})
        phone.wait_for_timeout(300)  # milliseconds
        assert phone.evaluate("window.sameDocument") is True


def test_a_page_never_goes_back_to_what_a_slower_server_has(live: Site, phone: Page) -> None:
    with serving(live.app) as (_, port):
        address = f"http://127.0.0.1:{port}/en/script/a/"
        phone.goto(address)
        old = phone.request.get(address).text()
        live.save("a", 2)
        shows(phone, 2)
        phone.evaluate(
            """() => {
                window.shown = [];
                new MutationObserver(() => window.shown.push(document.body.dataset.version))
                    .observe(document.body, { attributeFilter: ["data-version"] });
            }"""
        )
        answered: list[int] = []

        def behind(route: Route) -> None:
            if len(answered) < 2:
                answered.append(1)
                route.fulfill(body=old, headers={"ETag": '"old"'}, content_type="text/html; charset=utf-8")
            else:
                route.continue_()

        phone.route(address, behind)
        live.save("a", 3)
        shows(phone, 3)
        assert len(answered) == 2
        assert phone.evaluate("window.shown") == ["3"]
