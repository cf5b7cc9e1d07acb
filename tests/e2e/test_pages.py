"""Pages on small phones with hostile names, and readers without connection."""

import re
from urllib.parse import urljoin, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.depth import SOAK
from tests.e2e.arranger import Arranged, Arranger
from tests.e2e.browser import PHONE, SIDEWAYS, Faults
from tests.e2e.conftest import OpenPage
from tests.e2e.reach import BROKEN
from tests.e2e.server import Server

pytestmark = pytest.mark.browser

WIDTHS = [320, 390]  # CSS pixels
OTHERS = ["fi", "sv"]
MAX_LENGTH = 100
HTML = "<img src=x onerror=alert(1)><b>Bold</b> & \"quoted\" 'name'"
NAMES = [
    "Ä" * MAX_LENGTH,
    HTML,
    "👩‍👩‍👧‍👦🇫🇮 Emoji 🃏" * 4,
    "מרים בת־ים עם שם משפחה ארוך",
    " ".join(["Name", *["of many words"] * 7])[:MAX_LENGTH],
    "Ο",
]
UID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")
NOT_OURS = re.compile(
    r"/(fi|sv|admin|sign-out|static|live|api)/|[.](xlsx|zip|csv|json)|[?&](saved|undo|same)="
)
BY_KIND = re.compile(r"/(stage|table|play)/|^/en/t/|^/en/organise/t/-/[?]?$")
PENALTY = re.compile(r"/incidents/(?!dispute/|other/|ruling/|warning/)[a-z0-9_]+/")  # each has the same form


# ---- small phones and hostile names ----

# Words that do not fit into what they stand on; a name may end in an ellipsis, a key is a card with its count.
CLIPPED = """() => {
    const box = "button, .button, summary, th, legend, .status, nav a";
    const wide = (each) => each.clientWidth && each.scrollWidth > each.clientWidth + 3;
    const seen = (each) => each.checkVisibility() && !each.closest(".visually-hidden, .pad__key");
    const clipped = [...document.querySelectorAll(box)].filter((each) => wide(each) && seen(each));
    const cut = clipped.filter((each) => getComputedStyle(each).textOverflow !== "ellipsis");
    return cut.slice(0, 5).map((each) => `${each.tagName}.${each.className}: ${each.innerText}`);
}"""
MARKUP = """() => [...document.querySelectorAll("img[src=x], b")]
    .filter((each) => each.tagName === "IMG" || each.textContent === "Bold").length"""
LINKS = """() => [...document.querySelectorAll("a[href]")].map((each) => each.getAttribute("href"))"""


def kind_of_page(address: str) -> str:
    """Addresses that differ only in what they are about."""
    parts = urlsplit(address)
    path = re.sub(r"/t/[^/]+/", "/t/-/", UID.sub("-", parts.path))
    path = PENALTY.sub("/incidents/-/", path)
    return f"{path}?{UID.sub('-', parts.query)}"


class Pages:
    """Follows every link from some pages on, one page of each kind, and looks at each in every width. The names are
    hostile in every event, so a page without a stage, a table or a play is looked at in one of them."""

    def __init__(self, page: Page, known: set[str]) -> None:
        self.page = page
        self.known = known  # kinds of pages that were looked at in another event
        self.seen: set[str] = set()
        self.wrong: list[str] = []
        self.asked: list[str] = []

    def look_at_all(self, *addresses: str) -> None:
        queue = list(addresses)
        while queue:
            address = queue.pop(0)
            if not self.is_new(address):
                continue
            self.seen.add(kind_of_page(address))
            self.page.goto(address)
            self.asked.append(address)
            queue += [link for link in self.look(address) if self.is_new(link)]

    def look_in_other_languages(self) -> None:
        """Ask again for the pages on the smallest phone, in Finnish and Swedish, whose words are longer: each page in
        one of the two by turns, in both where there is time, and a third of them otherwise."""
        self.page.set_viewport_size({"width": WIDTHS[0], "height": 700})
        for number, address in enumerate(self.asked if SOAK else self.asked[::3]):
            for language in OTHERS if SOAK else OTHERS[number % 2 :][:1]:
                self.page.goto(address.replace("/en/", f"/{language}/", 1))
                wide, clipped = self.page.evaluate(f"() => [({SIDEWAYS})(), ({CLIPPED})()]")
                if wide or clipped:
                    self.wrong.append(f"{address} in {language}: {wide} {clipped}")
        self.asked = []

    def all_fit(self) -> None:
        """Check that nothing was wrong; the next test looks at other kinds of pages."""
        assert "\n".join(self.wrong) == ""
        self.known |= {each for each in self.seen if not BY_KIND.search(each)}

    def is_new(self, address: str) -> bool:
        return kind_of_page(address) not in self.seen | self.known

    def look(self, what: str) -> list[str]:
        """Note what is wrong with the page that is shown; gives where its links lead."""
        page = self.page
        height = page.viewport_size["height"] if page.viewport_size else 0
        for width in sorted(WIDTHS, key=lambda each: page.viewport_size != {"width": each, "height": height}):
            if page.viewport_size != {"width": width, "height": height}:
                page.set_viewport_size({"width": width, "height": height})
            wide, markup, found = page.evaluate(f"() => [({SIDEWAYS})(), ({MARKUP})(), ({LINKS})()]")
            if wide:
                self.wrong.append(f"{what} at {width}: {wide}")
        if markup:
            self.wrong.append(f"{what}: a name became markup")
        ours = [urljoin(page.url, link) for link in found if not NOT_OURS.search(link)]
        return [link.split("#")[0] for link in ours if urlsplit(link).path.startswith("/en/")]


@pytest.fixture(scope="module")
def known() -> set[str]:
    return set()


@pytest.fixture
def pages(open_page: OpenPage, known: set[str]) -> Pages:
    return Pages(open_page(viewport={"width": 390, "height": 700}, has_touch=True), known)


def hostile(arranger: Arranger, kind: str, ruleset: str, **more: object) -> Arranged:
    return arranger.event(
        kind, ruleset, names=NAMES, name=HTML + "W" * 40, place="P" * MAX_LENGTH, clubs=NAMES[0], **more
    )


def round_won_by(arranger: Arranger, event: Arranged, winner: str, entries: list[str]) -> None:
    hands = {each: {"skip": 1, "9": 1, "7": 1} for each in entries if each != winner}
    arranger("record_round", slug=event.slug, winner=winner, hands=hands)


@pytest.mark.sweep
def test_pages_of_everybody_fit(pages: Pages) -> None:
    pages.look_at_all("/en/", "/en/score/", "/en/sign-in/", "/en/t/nowhere/")
    pages.look_in_other_languages()
    assert len(pages.seen) >= 7
    pages.all_fit()


@pytest.mark.soak
def test_pages_of_a_session_fit(pages: Pages, arranger: Arranger, lastcard: Server) -> None:
    event = hostile(arranger, "session", "kpgut-2016")
    arranger("start_game", slug=event.slug, elapsed_s=600)
    event.organiser.sign_in(pages.page, lastcard)
    pages.look_at_all(event.table, f"/en/organise/t/{event.slug}/", event.public)
    pages.page.goto(event.table)
    with pages.page.expect_navigation():
        pages.page.locator("form[data-entry='out']").first.evaluate(
            "form => HTMLFormElement.prototype.submit.call(form)"
        )
    pages.look("a player out")
    pages.page.clock.install()
    pages.page.goto(event.table)
    pages.page.context.set_offline(True)  # else the server says what time it is
    pages.page.clock.fast_forward("59:00")
    expect(pages.page.get_by_role("heading", name="The hour is up: count the hands")).to_be_visible()
    pages.look("the hour")
    pages.page.context.set_offline(False)
    pages.look_in_other_languages()
    assert len(pages.seen) >= 25
    pages.all_fit()


@pytest.mark.soak
def test_pages_of_a_match_fit(pages: Pages, arranger: Arranger, lastcard: Server) -> None:
    event = hostile(arranger, "match", "mattel-112")
    entries = list(event.entries.values())
    for winner in entries[:2]:
        round_won_by(arranger, event, winner, entries)
    event.organiser.sign_in(pages.page, lastcard)
    pages.look_at_all(event.table, f"/en/organise/t/{event.slug}/", event.public)
    page = pages.page
    page.goto(event.table)
    page.locator(".pad__winner label").nth(1).tap()
    pages.look("the card pad")
    for card in ["8", "wild4", "8", "skip", "8"]:
        page.locator(f".pad__key[data-add='{card}']").tap()
        page.locator(".pad__key--next").tap()
    pages.look("the card pad, all hands in")
    expect(page.locator("[data-preview]")).to_contain_text("New standings")
    pages.look("the round read back")
    page.locator("[data-save]").evaluate("save => { save.value = 'look'; }")  # as without script
    page.get_by_role("button", name="Save").tap()
    expect(page.locator("#main")).to_contain_text("Read it back to the table")
    pages.look("looking before saving")
    pages.look_in_other_languages()
    pages.all_fit()


@pytest.mark.soak
def test_pages_of_a_championship_fit(pages: Pages, arranger: Arranger, lastcard: Server) -> None:
    heats = hostile(arranger, "heats", "tite-2022", settings={"advance": 4})
    heats.organiser.sign_in(pages.page, lastcard)
    pages.look_at_all(heats.table, f"/en/organise/stage/{heats.stage}/", heats.public)
    arranger("record_heat", slug=heats.slug)
    pages.page.goto(heats.table)
    pages.look("a heat entered")
    final = arranger.next_stage(heats, "final", target=250)
    through = list(final.entries.values())[:4]
    for _ in range(2):
        round_won_by(arranger, final, through[0], through)
    pages.seen = {each for each in pages.seen if not BY_KIND.search(each)}
    pages.look_at_all(
        final.table, f"/en/organise/stage/{final.stage}/", f"/en/t/{final.slug}/stage/{final.stage}/"
    )
    pages.look_in_other_languages()
    pages.all_fit()


def test_names_are_shown_as_text(open_page: OpenPage, arranger: Arranger, lastcard: Server) -> None:
    event = hostile(arranger, "match", "mattel-108")
    entries = list(event.entries.values())
    round_won_by(arranger, event, entries[0], entries)
    page = open_page(**PHONE)
    event.organiser.sign_in(page, lastcard)
    page.goto(event.public)
    for name in NAMES:
        expect(page.locator("#main").get_by_text(name, exact=True).first).to_be_visible()
    page.goto(event.table)
    for name in NAMES:
        expect(page.locator(".pad__winner").get_by_text(name, exact=True)).to_be_visible()
    page.locator(".pad__winner").get_by_text(NAMES[0], exact=True).tap()
    expect(page.locator(".pad__who")).to_have_text(HTML)
    expect(page.locator(".pad__chip-name").nth(1)).to_have_text("<img")


@pytest.mark.sweep
def test_a_long_name_breaks_at_a_hyphen_and_stays_the_same_text(
    open_page: OpenPage, arranger: Arranger, lastcard: Server
) -> None:
    """Also a name that comes later than the page."""
    name = "Μαρία Παπαδημητροπούλου-Kärkkäisenniemi 𝔘𝔫𝔬"
    event = arranger.event("match", "mattel-108", names=[name, "Eeva"], clubs="Kemistikerhoyhdistys")
    page = open_page(**PHONE)
    event.organiser.sign_in(page, lastcard)
    for address in (event.public, f"{event.public}players/", event.table):
        page.goto(address)
        page.set_viewport_size({"width": 320, "height": 568})
        expect(page.locator("#main bdi", has_text="Παπα").filter(visible=True).first).to_have_text(name)
        assert page.evaluate(BROKEN) == []
    page.locator("#main bdi").first.evaluate("(place, name) => { place.textContent = name; }", name)
    expect(page.locator("#main bdi").first.locator(".hyphen")).to_have_count(10)


# ---- no connection ----


@pytest.mark.sweep
def test_reader_and_referee_get_over_a_server_that_was_gone(
    open_page: OpenPage, arranger: Arranger, lastcard: Server
) -> None:
    event = arranger.session()
    game = arranger("start_game", slug=event.slug, elapsed_s=600)
    reader, referee = open_page(**PHONE), open_page(**PHONE)
    for page in (reader, referee):
        page.clock.install()
    event.organiser.sign_in(referee, lastcard)
    referee.goto(event.table)
    reader.goto(event.public)
    state = reader.locator("[data-live-state]").first
    expect(state).to_have_attribute("data-live-state", "live")
    reader.evaluate("window.neverReloaded = true")

    lastcard.stop()
    try:
        reader.clock.fast_forward(11_000)
        expect(state).to_have_attribute("data-live-state", "offline")
        expect(state).to_contain_text(re.compile("No connection. Last updated \\d"))
        referee.locator(".tap", has_text="Dima").tap()
        expect(referee.locator(".tap", has_text="Dima")).to_contain_text("waiting")
        # Meanwhile somebody enters at the server itself.
        arranger("tap_out", slug=event.slug, play=game, entry=event.entries["Aino"])
    finally:
        lastcard.start()
    referee.clock.fast_forward(11_000)
    expect(referee.get_by_role("region", name="No longer in the game")).to_contain_text("Dima")
    reader.clock.fast_forward(11_000)
    for name in ["Aino", "Dima"]:
        expect(reader.locator("#main")).to_contain_text(re.compile(rf"{name}\s*out after 1[01] min"))
    expect(state).to_have_attribute("data-live-state", "live")
    assert reader.evaluate("window.neverReloaded")


def test_page_is_polled_where_no_stream_comes_through(
    open_page: OpenPage, arranger: Arranger, faults: Faults
) -> None:
    event = arranger.match()
    page = open_page(**PHONE)
    page.route("**/live/**", lambda route: route.abort())
    page.clock.install()
    page.goto(event.public)
    page.evaluate("window.neverReloaded = true")
    entries = list(event.entries.values())
    round_won_by(arranger, event, entries[0], entries)
    page.clock.fast_forward(11_000)
    expect(page.locator("#main")).to_contain_text("108")  # three hands of 20 + 9 + 7
    assert page.evaluate("window.neverReloaded")


# ---- the rules at hand ----


KEPT = "async (part) => (await (await caches.open('lastcard')).keys()).some(({ url }) => url.includes(part))"


def test_rules_are_found_by_words_also_without_network(open_page: OpenPage) -> None:
    page = open_page(**PHONE)
    page.goto("/en/rules/kpgut-2016/")
    page.wait_for_function(KEPT, arg="orama-stemmers")  # the last part that comes
    page.goto("/en/rules/")
    page.context.set_offline(True)
    page.goto("/en/rules/kpgut-2016/")

    page.keyboard.press("/")
    page.keyboard.type("worn card")

    expect(page.locator("[data-rules-found] > li").first).to_contain_text("worn or damaged")
    page.get_by_role("searchbox").fill("castling")
    expect(page.get_by_text("Nothing found.")).to_be_visible()
    page.get_by_role("searchbox").fill("")
    expect(page.get_by_role("heading", name="§11: Conflicts")).to_be_visible()
