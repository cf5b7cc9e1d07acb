"""A player's chances and the reasons for their place, on a phone, a laptop and a wall, with scripts and without."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.arranger import Arranged, Arranger
from tests.e2e.browser import EACH_SIZE, SIZES
from tests.e2e.conftest import OpenPage, Screenshot

pytestmark = pytest.mark.browser

# The viewer's clock is a day and some behind: the server's counts.
WRONG_DAY = (
    "{ const now = Date.now.bind(Date); window.wrong = 90_000_000; Date.now = () => now() - window.wrong; }"
)
AS_WIDE = "document.scrollingElement.scrollWidth <= document.scrollingElement.clientWidth"
ISOLATES = re.compile("[\N{FIRST STRONG ISOLATE}\N{POP DIRECTIONAL ISOLATE}]")


def played_session(arranger: Arranger) -> Arranged:
    """Aino 30/2, Börje 27/2, Çağla and Dima 43/2."""
    event = arranger.session()
    aino, borje, cagla, dima = event.entries.values()
    for minutes in ({aino: 12, borje: 14, cagla: 20}, {borje: 13, aino: 18, cagla: 23}):
        out = {entry: 60 * at for entry, at in minutes.items()}
        arranger("record_game", slug=event.slug, out=out, last=dima)
    return event


def of_player(event: Arranged, name: str) -> str:
    return f"{event.public}player/{event.entries[name]}/"


def read(place: Locator) -> str:
    """The words as people read them, in one line."""
    return re.sub(r"\s+", " ", ISOLATES.sub("", place.inner_text())).strip()


@pytest.mark.soak
@pytest.mark.parametrize("size", EACH_SIZE)
def test_what_do_i_need(size: str, arranger: Arranger, open_page: OpenPage, screenshot: Screenshot) -> None:
    event = played_session(arranger)
    page = open_page(**SIZES[size])
    page.add_init_script(WRONG_DAY)
    page.goto(of_player(event, "Aino"))
    page.evaluate("window.neverReloaded = true")
    needs = page.locator(".needs")

    expect(needs.locator(".needs__first")).to_have_text(
        "Go out by 10:59 on the game’s clock to move into place 1 (\u2068Börje\u2069, 13.50)."
    )
    assert [read(row) for row in needs.locator("tr").all()] == [
        "Out by Average at most Place",
        "10:59 13.33 1",
        "34:59 21.33 2",
        "60:00 30.00 4",
    ]
    assert "As long as nobody else’s average changes." in read(needs)
    assert page.evaluate(AS_WIDE)
    screenshot(page, f"needs-{size}")

    play = arranger("start_game", slug=event.slug, elapsed_s=11 * 60 + 2)
    expect(needs).to_contain_text("Game 3")
    expect(needs.locator("out-now")).to_have_text(
        "Going out now (11 min) gives an average of 13.67 and place 2"
    )
    past = needs.locator("[data-past]")
    expect(past).to_contain_text(["Go out by 10:59", "10:59"])
    screenshot(page, f"needs-running-{size}")
    page.evaluate("window.wrong = 0")  # the phone wakes up with the right time
    expect(needs.locator("out-now")).to_be_visible()
    page.wait_for_timeout(2_500)  # milliseconds
    expect(needs.locator("out-now")).to_have_text(
        "Going out now (11 min) gives an average of 13.67 and place 2"
    )

    arranger("tap_out", slug=event.slug, play=play, entry=event.entries["Aino"])
    expect(needs.locator(".needs__first")).to_have_text(
        re.compile(r"Out after 11 min( \d{1,2} s)?: average 13[.]67, place 2[.]")
    )
    expect(past).to_have_count(0)
    assert page.evaluate("window.neverReloaded")


@pytest.mark.sweep
@pytest.mark.parametrize("size", EACH_SIZE)
def test_why_this_place(size: str, arranger: Arranger, open_page: OpenPage, screenshot: Screenshot) -> None:
    event = played_session(arranger)
    page = open_page(**SIZES[size])
    page.goto(f"{event.public}stage/{event.stage}/")
    page.locator("#main").get_by_role("link", name="Aino").first.click()
    page.wait_for_url("**/player/**")
    why = page.locator(".why")

    expect(why.locator("summary")).to_have_text(re.compile(r"Why place 2[?] 30 points in 2 games = 15[.]00"))
    expect(why).to_have_attribute("open", "")  # the row led to it
    assert [read(line) for line in why.locator(".why__all > p").all()] == [
        "Behind Börje (13.50) by 1.50.",
        "Ahead of Çağla and Dima (21.50) by 6.50.",
        "The lowest average takes first place.",
    ]
    assert [read(play) for play in page.locator(".plays li").all()] == [
        "Game 2 Out after 18 min: 18 points 2 18 points",
        "Game 1 Out after 12 min: 12 points 1 12 points",
    ]
    assert page.evaluate(AS_WIDE)
    why.scroll_into_view_if_needed()
    screenshot(page, f"why-{size}")


@pytest.mark.sweep
def test_both_are_read_without_scripts(arranger: Arranger, open_page: OpenPage) -> None:
    event = played_session(arranger)
    arranger("start_game", slug=event.slug, elapsed_s=60)
    page = open_page(**SIZES["phone"], java_script_enabled=False)
    page.goto(of_player(event, "Aino"))

    expect(page.locator(".needs")).to_contain_text("34:59")
    expect(page.locator("out-now")).to_be_hidden()
    page.locator(".why > summary").tap()
    expect(page.locator(".why__all")).to_contain_text("Behind \u2068Börje\u2069 (13.50) by 1.50.")


def test_what_stands_open_stays_open_when_something_new_comes(
    arranger: Arranger, phone: Page, screenshot: Screenshot
) -> None:
    event = arranger.match()
    aino, borje, cagla, dima = event.entries.values()
    hands = {borje: {"draw2": 1, "9": 1}, cagla: {"wild": 1}, dima: {"7": 1}}
    arranger("record_round", slug=event.slug, winner=aino, hands=hands)
    phone.goto(of_player(event, "Börje"))
    expect(phone.locator(".needs__first")).to_have_text("500 more points to reach 500.")
    phone.locator(".why > summary").tap()

    arranger("record_round", slug=event.slug, winner=borje, hands={aino: {"skip": 2}})

    expect(phone.locator(".needs__first")).to_have_text("446 more points to reach 500.")
    expect(phone.locator(".why")).to_have_attribute("open", "")
    assert [read(play) for play in phone.locator(".plays li").all()] == [
        "Round 2 won the round Aino: 40 (Skip, Skip) Çağla: 7 (7) Dima: 7 (7) 54 points",
        "Round 1 Aino won 86 points. Left in hand: 9, Draw 2 (29). 0 points",
    ]
    screenshot(phone, "why-match-phone")
