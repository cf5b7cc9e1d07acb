"""A guest finds themselves by name; their phone remembers who they are, and shows their row, page and what is new."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.arranger import Arranged, Arranger
from tests.e2e.browser import EACH_SIZE, PHONE, SIZES
from tests.e2e.conftest import OpenPage, Screenshot
from tests.e2e.phones import until, until_page

pytestmark = pytest.mark.browser

MANY = 130  # more than one page of standings shows
REFUSED = """
    for (const name of ["getItem", "setItem", "removeItem"]) {
        Storage.prototype[name] = () => { throw new DOMException("refused", "SecurityError"); };
    }
"""
TEN_MINUTES_AGO = """() => {
    const key = Object.keys(localStorage).find((each) => each.startsWith("lastcard.seen."));
    const kept = JSON.parse(localStorage.getItem(key));
    localStorage.setItem(key, JSON.stringify({ ...kept, at: kept.at - 600_000 }));
}"""
STORAGE_EVENTS = """() => new Promise((resolve) => {
    let count = 0;
    setTimeout(() => {
        addEventListener("storage", () => (count += 1));
        setTimeout(() => resolve(count), 500);
    }, 500);
})"""
IN_VIEW = """(part) => {
    const box = part.getBoundingClientRect();
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + 10);
    return box.top >= 0 && box.bottom <= innerHeight && part.contains(top);
}"""


@pytest.fixture(scope="module")
def match(arranger: Arranger) -> Arranged:
    """A match of four with two rounds: Aino leads."""
    event = arranger.match()
    for _ in range(2):
        won(arranger, event, "Aino")
    return event


@pytest.fixture(scope="module")
def crowd(arranger: Arranger) -> Arranged:
    """A session of many, who have all played once: the first at each table is out first."""
    names = [f"Player {number:03}" for number in range(1, MANY + 1)]
    event = arranger.session(names=names, tables=MANY // 10)
    for table, seats in enumerate(event.seats):
        arranger("record_game", slug=event.slug, table=table, out=seats[:-1], last=seats[-1])
    return event


def won(arranger: Arranger, event: Arranged, winner: str) -> None:
    uid = event.entries[winner]
    others = [each for each in event.entries.values() if each != uid]
    hands = {each: {"9" if index < 8 else "8": 1} for index, each in enumerate(others)}
    arranger("record_round", slug=event.slug, winner=uid, hands=hands)


def stage_of(event: Arranged) -> str:
    return f"{event.public}stage/{event.stage}/"


def page_of(event: Arranged, name: str) -> str:
    return f"{event.public}player/{event.entries[name]}/"


def remembers(page: Page, event: Arranged, name: str) -> None:
    """Tap “This is me” on a player's page."""
    page.goto(page_of(event, name))
    page.get_by_role("button", name="This is me").click()
    expect(page.locator("[data-me-said]")).to_have_text("This device will remember that this is you.")


def live(page: Page) -> None:
    expect(page.locator("[data-live-state='live']").first).to_be_visible()


# ---- finding myself, and being remembered ----


@pytest.mark.soak
def test_a_guest_finds_themselves_by_name_and_is_remembered(phone: Page, match: Arranged) -> None:
    phone.goto(match.public)
    expect(phone.get_by_role("navigation", name="For you")).to_be_hidden()
    phone.get_by_role("searchbox").fill("borj")
    found = phone.locator("#found li:visible")
    expect(found).to_have_count(1)
    found.get_by_role("link").tap()

    phone.get_by_role("button", name="This is me").tap()

    expect(phone.locator("[data-me-said]")).to_have_text("This device will remember that this is you.")
    phone.reload()
    expect(phone.get_by_role("button", name="Not me")).to_be_visible()
    phone.goto(match.public)
    expect(phone.get_by_role("searchbox")).to_be_hidden()
    phone.get_by_role("navigation", name="For you").get_by_role("link", name="My page").tap()
    phone.wait_for_url(f"**{page_of(match, 'Börje')}")
    assert phone.context.cookies() == []
    phone.get_by_role("button", name="Not me").tap()
    expect(phone.locator("[data-me-said]")).to_have_text("This device has forgotten who you are.")
    expect(phone.get_by_role("button", name="This is me")).to_be_visible()
    phone.goto(match.public)
    expect(phone.get_by_role("searchbox")).to_be_visible()
    expect(phone.locator(".standings__mine")).to_have_count(0)


@pytest.mark.sweep
def test_enter_opens_the_only_one_that_is_found(phone: Page, match: Arranged) -> None:
    phone.goto(match.public)
    field = phone.get_by_role("searchbox")
    field.press("Enter")  # nothing is looked for
    field.fill("borj")
    expect(phone.locator("#found li:visible")).to_have_count(1)
    expect(phone).to_have_url(re.compile(f"{match.public}$"))
    field.press("Enter")
    phone.wait_for_url(f"**{page_of(match, 'Börje')}")


@pytest.mark.sweep
def test_nobody_is_found_by_a_name_that_is_not_there(phone: Page, match: Arranged) -> None:
    phone.goto(match.public)
    phone.get_by_role("searchbox").fill("Zorro")
    expect(phone.get_by_text("No player found. Try another spelling.")).to_be_visible()


@pytest.mark.sweep
def test_own_link_remembers_by_itself_and_keeps_no_token(
    phone: Page, arranger: Arranger, match: Arranged
) -> None:
    address = arranger("own_link", entry=match.entries["Dima"])
    phone.goto(address)
    expect(phone.locator("[data-me-said]")).to_have_text("This device will remember that this is you.")
    phone.goto(match.public)
    expect(phone.locator(".standings__mine")).to_contain_text("Dima")
    kept = phone.evaluate("JSON.stringify({...localStorage})")
    assert match.entries["Dima"] in kept
    assert address.split("/")[3] not in kept


@pytest.mark.sweep
def test_the_bar_says_which_page_this_is_and_does_not_lead_away_from_an_own_link(
    phone: Page, arranger: Arranger, match: Arranged
) -> None:
    address = arranger("own_link", entry=match.entries["Dima"])
    phone.goto(address)
    bar = phone.get_by_role("navigation", name="For you")
    here = bar.locator("[aria-current=page]")
    expect(here).to_have_text("My page")
    at = phone.url
    here.tap()
    phone.wait_for_url(at)
    bar.get_by_role("link", name="Standings").tap()
    phone.wait_for_url(f"**{match.public}")
    expect(here).to_have_text("Standings")
    bar.get_by_role("link", name="My page").tap()
    phone.wait_for_url(f"**{page_of(match, 'Dima')}")
    expect(here).to_have_text("My page")


def test_own_link_says_by_itself_what_has_changed(phone: Page, arranger: Arranger) -> None:
    event = arranger.match()
    phone.goto(arranger("own_link", entry=event.entries["Dima"]) + "?new=1")
    expect(phone.locator(".own")).to_contain_text("Table 1, seat 4")
    live(phone)
    won(arranger, event, "Aino")
    arranger("stop_match", slug=event.slug)
    arranger("finish", slug=event.slug)
    expect(phone.locator(".own")).not_to_contain_text("Table 1")
    expect(phone.locator("#keep")).to_have_attribute("open", "")


@pytest.mark.soak
def test_two_tabs_of_my_page_leave_each_other_in_peace(open_page: OpenPage, match: Arranged) -> None:
    page = open_page(**PHONE)
    remembers(page, match, "Börje")
    page.evaluate(TEN_MINUTES_AGO)  # so that the second tab compares with another look than the first
    other = page.context.new_page()
    other.goto(page_of(match, "Börje"))
    expect(other.get_by_role("button", name="Not me")).to_be_visible()
    assert page.evaluate(STORAGE_EVENTS) == 0
    other.get_by_role("button", name="Not me").click()
    expect(page.get_by_role("button", name="This is me")).to_be_visible()  # who I am they do tell each other


def test_storage_refused_is_said_and_survived(open_page: OpenPage, match: Arranged) -> None:
    page = open_page(**PHONE)
    page.add_init_script(REFUSED)
    page.goto(page_of(match, "Aino"))
    page.get_by_role("button", name="This is me").tap()
    expect(page.locator("[data-me-said]")).to_contain_text("Bookmark this page instead")
    page.goto(match.public)
    live(page)
    expect(page.locator(".standings__mine")).to_have_count(0)
    expect(page.get_by_role("searchbox")).to_be_visible()


@pytest.mark.soak
@pytest.mark.parametrize("by", ["by myself", "by the organiser"])
def test_a_phone_forgets_whose_data_were_erased(
    phone: Page, arranger: Arranger, screenshot: Screenshot, by: str
) -> None:
    event = arranger.match()
    won(arranger, event, "Aino")
    phone.goto(arranger("own_link", entry=event.entries["Dima"]))
    if by == "by myself":
        phone.get_by_role("link", name="My data").tap()
        phone.get_by_role("link", name="Erase my data").tap()
        phone.get_by_role("button", name="Erase my data permanently").tap()
        expect(phone.get_by_role("status").filter(has_text="has forgotten")).to_be_visible()
        screenshot(phone, "phone-10-erased")
        assert event.entries["Dima"] not in phone.evaluate("JSON.stringify({...localStorage})")
        phone.goto(event.public)
    else:
        phone.goto(event.public)
        expect(phone.locator(".standings__mine")).to_contain_text("Dima you")
        live(phone)
        arranger("erase", slug=event.slug, entry=event.entries["Dima"])  # while the page is open
    row = phone.locator(f"tr[data-key='{event.entries['Dima']}']")
    expect(row).to_contain_text("Player 4")
    expect(row).not_to_have_attribute("aria-current", "true")
    expect(phone.locator(".standings__mine, .you")).to_have_count(0)
    expect(phone.get_by_role("navigation", name="For you")).to_be_hidden()
    screenshot(phone, f"phone-11-{by.replace(' ', '-')}")
    assert event.entries["Dima"] not in phone.evaluate("JSON.stringify({...localStorage})")
    phone.goto(page_of(event, "Dima"))
    live(phone)
    expect(phone.get_by_role("button", name="This is me")).to_have_count(0)


# ---- my row ----


def test_my_row_is_first_pinned_and_marked_and_stays_so_when_the_page_changes(
    phone: Page, arranger: Arranger
) -> None:
    event = arranger.match(names=[f"Player {number}" for number in range(1, 11)])
    won(arranger, event, "Player 1")
    remembers(phone, event, "Player 10")
    phone.goto(stage_of(event))
    mine = phone.locator(".standings__mine")
    expect(mine).to_contain_text("Player 10 you")
    expect(phone.locator(".standings tbody").first).to_have_class("standings__mine")
    listed = phone.locator(f"tr[data-key='{event.entries['Player 10']}']")
    expect(listed).to_have_attribute("aria-current", "true")
    expect(listed).to_contain_text("you")

    phone.locator(f"tr[data-key='{event.entries['Player 9']}']").evaluate(
        "row => scrollTo(0, row.getBoundingClientRect().bottom + scrollY - innerHeight / 2)"
    )
    assert phone.evaluate("scrollY") > 100
    assert mine.locator("tr").evaluate(IN_VIEW)

    live(phone)
    phone.evaluate("window.neverReloaded = true")
    won(arranger, event, "Player 10")
    expect(mine).to_contain_text("up")
    expect(mine).to_have_count(1)
    expect(listed).to_contain_text("you")
    assert phone.evaluate("window.neverReloaded")


@pytest.mark.soak
def test_my_row_of_another_page_of_the_standings_is_first_here(
    phone: Page, arranger: Arranger, crowd: Arranged
) -> None:
    last = next(name for name, uid in crowd.entries.items() if uid == crowd.seats[12][9])
    remembers(phone, crowd, last)
    phone.goto(stage_of(crowd))
    mine = phone.locator(".standings__mine")
    expect(mine).to_contain_text(f"{last} you")
    expect(phone.locator("tr[data-key]")).to_have_count(100)
    phone.get_by_role("link", name="Places 101 to 130").tap()
    phone.wait_for_url("**/2/")
    expect(phone.locator("tr[data-key]")).to_have_count(30)
    expect(phone.locator(f"tr[data-key='{crowd.entries[last]}']")).to_contain_text("you")
    expect(mine).to_contain_text(last)


@pytest.mark.sweep
def test_focus_stays_on_my_row_when_the_page_changes(phone: Page, arranger: Arranger) -> None:
    event = arranger.match()
    remembers(phone, event, "Dima")
    phone.goto(event.public)
    live(phone)
    link = phone.locator(".standings__mine a")
    link.focus()
    won(arranger, event, "Aino")
    expect(phone.locator(".winner")).to_contain_text("27")
    expect(link).to_be_focused()


@pytest.mark.sweep
def test_my_heat_and_my_name_are_marked_where_there_are_no_standings(phone: Page, arranger: Arranger) -> None:
    names = [f"Player {number}" for number in range(1, 9)]
    event = arranger.event("heats", "tite-2022", names=names, tables=2)
    remembers(phone, event, "Player 7")
    for page in (stage_of(event), f"{event.public}players/"):
        phone.goto(page)
        mine = phone.locator("li[data-mine]")
        expect(mine).to_have_count(1)
        expect(mine).to_contain_text("Player 7 you")


# ---- why, and back ----


@pytest.mark.sweep
def test_a_tap_on_a_row_shows_why_and_back_leads_to_the_same_place(phone: Page, crowd: Arranged) -> None:
    name = next(name for name, uid in crowd.entries.items() if uid == crowd.seats[7][5])
    row = phone.locator(f"tr[data-key='{crowd.entries[name]}']")
    phone.goto(stage_of(crowd))
    row.scroll_into_view_if_needed()
    row.tap()
    phone.wait_for_url(f"**{page_of(crowd, name)}#why-1")
    expect(phone.locator("details.why")).to_have_attribute("open", "")
    expect(phone.locator(".plays li")).to_have_count(1)
    until_page(phone, "document.querySelector('.why__all').getBoundingClientRect().top < innerHeight")

    phone.go_back()
    expect(row).to_be_in_viewport()
    phone.go_forward()
    phone.get_by_role("link", name="Back to the standings").tap()
    expect(row).to_be_in_viewport()


# ---- what is new ----


@pytest.mark.sweep
def test_what_is_new_since_i_looked_is_said_in_words(phone: Page, arranger: Arranger) -> None:
    event = arranger.match()
    won(arranger, event, "Aino")
    remembers(phone, event, "Dima")
    news = phone.locator("[data-news]")
    expect(news).to_be_hidden()
    live(phone)
    won(arranger, event, "Dima")
    expect(news).to_contain_text("from place 2 to 1, points from 0 to 27 and 1 new round")
    expect(news).to_contain_text("Since ")
    won(arranger, event, "Dima")
    expect(news).to_contain_text("points from 0 to 54 and 2 new rounds")
    phone.reload()
    expect(news).to_contain_text("points from 0 to 54 and 2 new rounds")

    # Ten minutes elsewhere: what was new is known, and news are counted from then.
    phone.goto(event.public)
    phone.evaluate(TEN_MINUTES_AGO)
    won(arranger, event, "Aino")
    phone.goto(page_of(event, "Dima"))
    expect(news).to_contain_text("1 new round")
    expect(news).not_to_contain_text("points")


@pytest.mark.soak
def test_another_language_is_no_news(phone: Page, arranger: Arranger) -> None:
    event = arranger.session(names=["Aino", "Börje", "Dima"])
    aino, borje, dima = event.entries.values()
    arranger("record_game", slug=event.slug, out={aino: 665, borje: 700}, last=dima)
    arranger("record_game", slug=event.slug, out={aino: 725, borje: 730}, last=dima)
    remembers(phone, event, "Aino")
    expect(phone.locator("[data-state-of]")).to_have_attribute("data-value", "11.50")
    phone.goto(page_of(event, "Aino").replace("/en/", "/fi/"))
    expect(phone.locator("[data-state-of]")).to_have_attribute("data-value", "11,50")
    expect(phone.get_by_role("button", name="Tämä en ole minä")).to_be_visible()
    expect(phone.locator("[data-news]")).to_be_hidden()


@pytest.mark.soak
def test_nobody_else_s_news_are_shown(phone: Page, arranger: Arranger) -> None:
    event = arranger.match()
    remembers(phone, event, "Dima")
    phone.goto(page_of(event, "Aino"))
    live(phone)
    won(arranger, event, "Aino")
    expect(phone.locator("[data-state-of]")).to_have_attribute("data-value", "27")
    expect(phone.locator("[data-news]")).to_be_hidden()


# ---- at every size ----


@pytest.mark.sweep
@pytest.mark.parametrize("size", EACH_SIZE)
def test_my_page_and_my_row_at_every_size(
    open_page: OpenPage, match: Arranged, crowd: Arranged, size: str, screenshot: Screenshot
) -> None:
    page = open_page(**SIZES[size])
    page.goto(match.public)
    screenshot(page, f"{size}-1-event")
    page.get_by_role("searchbox").fill("a")
    expect(page.locator("#found li:visible")).not_to_have_count(0)
    screenshot(page, f"{size}-2-find")
    remembers(page, match, "Börje")
    screenshot(page, f"{size}-3-me")
    page.goto(match.public)
    screenshot(page, f"{size}-4-event-mine")
    someone = "Player 077"
    remembers(page, crowd, someone)
    page.goto(stage_of(crowd))
    page.evaluate("scrollTo(0, 900)")
    assert page.locator(".standings__mine tr").evaluate(IN_VIEW)
    screenshot(page, f"{size}-5-crowd")
    page.locator(".pages").scroll_into_view_if_needed()
    screenshot(page, f"{size}-6-pages")
    page.goto(f"{crowd.public}players/")
    screenshot(page, f"{size}-7-players")
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")


# ---- being told ----

RECORDED = """
    if (location.protocol === "http:") {
        window.told = [];
        const tell = (title, { body, tag, data }) => told.push({ title, body, tag, url: data.url });
        class Recorded {
            static permission = "default";
            static requestPermission() { Recorded.permission = "granted"; return Promise.resolve("granted"); }
            constructor(title, options) {
                if (window.likeAPhone) throw new TypeError("Illegal constructor");
                tell(title, options);
            }
            close() {}
        }
        if (localStorage.granted) Recorded.permission = "granted";
        window.Notification = Recorded;
        ServiceWorkerRegistration.prototype.showNotification = tell;
    }
"""
LOOKS = """(looks) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => !looks });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def told(*pages: Page) -> list[dict[str, str]]:
    """List what the browser's notifications said, in any of these tabs."""
    return [each for page in pages for each in page.evaluate("told")]


@pytest.mark.soak
def test_who_does_not_look_is_told_of_a_seat_a_call_and_the_final_place_once(
    open_page: OpenPage, arranger: Arranger, screenshot: Screenshot
) -> None:
    names = [f"Player {number}" for number in range(1, 9)]
    event = arranger.event("heats", "tite-2022", names=names, tables=2)
    for table in (0, 1):
        arranger("record_heat", slug=event.slug, table=table)
    me = next(name for name, uid in event.entries.items() if uid == event.seats[0][0])
    page = open_page(**PHONE, permissions=["notifications"], service_workers="allow")
    page.context.add_init_script(RECORDED)
    tell_me = page.get_by_role("button", name="Turn on notifications")
    page.goto(page_of(event, me))
    expect(tell_me).to_be_hidden()  # this is somebody's page
    remembers(page, event, me)
    screenshot(page, "phone-8-tell-me")
    tell_me.tap()
    expect(page.get_by_role("button", name="Turn off notifications")).to_be_focused()
    screenshot(page, "phone-9-told")
    page.evaluate("localStorage.granted = 1")
    other = page.context.new_page()
    other.goto(page_of(event, me))
    live(page)
    live(other)
    page.evaluate(LOOKS, False)

    # the other tab is looked at: a line in it says it, nothing else does
    final = arranger.next_stage(event, "final", target=300)
    seat = final.seats[0].index(event.entries[me]) + 1
    expect(other.locator("#messages")).to_contain_text(
        f"Play begins. Table 1, seat {seat}. Final, An evening"
    )
    expect(page.locator("[data-tell-of^=seat]")).to_have_count(1)
    assert told(page, other) == []

    # nobody looks: one of the two tells, once
    other.evaluate(LOOKS, False)
    arranger("call_referee", slug=event.slug, table=final.tables[0])
    for each in (page, other):
        expect(each.locator("[data-tell-of^=call]")).to_have_count(1)
    until(lambda: "" if told(page, other) else "nobody was told")
    page.wait_for_timeout(1_000)  # milliseconds, for a second one that may not come
    (call,) = told(page, other)
    assert (call["title"], call["body"]) == ("Table 1 has called a referee", "Final, An evening")
    assert call["url"] == page_of(event, me)

    # where a page may not show one, as on a phone, a service worker does
    for each in (page, other):
        each.evaluate("window.told = []; window.likeAPhone = true")
    arranger("record_round", slug=event.slug, winner=event.entries[me], hands={})
    arranger("stop_match", slug=event.slug)
    arranger("finish", slug=event.slug)
    for each in (page, other):
        expect(each.locator("[data-tell-of^=over]")).to_have_count(2)
    until(lambda: "" if told(page, other) else "nobody was told")
    page.wait_for_timeout(1_000)  # milliseconds, for a second one that may not come
    assert [each["title"] for each in told(page, other)] == ["Final place: 1"]

    page.evaluate(LOOKS, True)
    page.reload()
    page.get_by_role("button", name="Turn off notifications").tap()
    expect(tell_me).to_be_focused()
    expect(page.locator("body")).not_to_have_attribute("data-watch", "")


@pytest.mark.soak
def test_where_the_browser_tells_nobody_there_is_no_button(open_page: OpenPage, match: Arranged) -> None:
    page = open_page(**PHONE)
    page.add_init_script("Object.defineProperty(window, 'isSecureContext', { get: () => false });")
    remembers(page, match, "Aino")
    expect(page.get_by_text("Turn on notifications")).to_be_hidden()
