"""Printing from the browser: pages of the right size and number, in black and white, with codes that open the table."""

import io
from collections.abc import Callable
from itertools import product
from urllib.parse import urlsplit

import pytest
import zxingcpp
from PIL import Image, ImageChops
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from tests.depth import dear
from tests.e2e.arranger import Arranged, Arranger
from tests.e2e.browser import EACH_SIZE, PHONE, SIZES
from tests.e2e.conftest import OpenPage, Screenshot
from tests.e2e.server import Server

pytestmark = pytest.mark.browser

Printed = Callable[..., Page]
Paper = dict[str, tuple[int, int]]

POINTS: Paper = {"a4": (595, 842), "letter": (612, 792)}  # width and height upright, 72 to the inch
LONG = "Wilhelmina-Alexandra " * 5  # 100 letters, with its last space cut
NAMES = [
    LONG.strip()[:100],
    "W" * 100,
    "محمد عبد الرحمن",
    "Aino",
    "Börje",
    "Çağla",
    "Dima",
    "Eeva",
    "Fatima",
    "Göran",
]


@pytest.fixture
def printed(open_page: OpenPage, lastcard: Server) -> Printed:
    """Open a printable page as the event's organiser, as paper shows it."""
    pages: list[Page] = []

    def printed(event: Arranged, path: str, *, paper: str = "a4") -> Page:
        if not pages:
            pages.append(open_page(viewport={"width": 794, "height": 1123}))
            pages[0].emulate_media(media="print")
        [page] = pages
        event.organiser.sign_in(page, lastcard)
        page.goto(f"/en/organise/{path}{'&' if '?' in path else '?'}paper={paper}")
        return page

    return printed


@pytest.fixture(scope="module")
def match(arranger: Arranger) -> Arranged:
    """A match at two tables, nothing played."""
    return arranger.event("match", "mattel-108", names=NAMES[3:], tables=2, language="fi")


def pdf_of(page: Page) -> PdfReader:
    return PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True)))


def sizes_in(pdf: PdfReader) -> set[tuple[int, int]]:
    return {(round(page.mediabox.width), round(page.mediabox.height)) for page in pdf.pages}


def picture_of(page: Page) -> Image.Image:
    return Image.open(io.BytesIO(page.screenshot(full_page=True))).convert("RGB")


def codes_in(page: Page) -> list[str]:
    """Read the codes on the page as a phone does, in the order of the paper."""
    found = zxingcpp.read_barcodes(picture_of(page))
    return [code.text for code in sorted(found, key=lambda code: code.position.top_left.y)]


def cut_off(page: Page) -> list[str]:
    """List the elements beyond the right or lower edge of a sheet, but for names, which are cut to their lines."""
    found: list[str] = page.evaluate("""
        [...document.querySelectorAll(".sheet")].flatMap((sheet) => {
          const edge = sheet.getBoundingClientRect();
          const beyond = ({ right, bottom }) => right > edge.right + 1 || bottom > edge.bottom + 1;
          return [...sheet.querySelectorAll(":not(bdi)")]
            .filter((part) => beyond(part.getBoundingClientRect()))
            .map((part) => part.outerHTML.slice(0, 80));
        })
    """)
    return found


# Words that go over two lines; names may, where they are longer than their column.
BROKEN = """() => [...document.querySelectorAll(".sheet *:not(bdi)")].flatMap((each) => [...each.childNodes])
    .filter((node) => node.nodeType === Node.TEXT_NODE)
    .flatMap((node) => [...node.textContent.matchAll(/[\\p{L}\\p{N}]+/gu)].map((found) => {
      const word = document.createRange();
      word.setStart(node, found.index);
      word.setEnd(node, found.index + found[0].length);
      return word;
    }))
    .filter((word) => new Set([...word.getClientRects()].map(({ top }) => Math.round(top))).size > 1)
    .map(String)"""


CROWD = [*NAMES, *(name[::-1].capitalize() for name in NAMES)]


def is_grey(picture: Image.Image) -> bool:
    red, green, blue = picture.split()
    return not any(ImageChops.difference(red, other).getbbox() for other in (green, blue))


@pytest.mark.sweep
@pytest.mark.parametrize(
    "played",
    [("match", "mattel-108"), *dear(("session", "kpgut-2016"), ("heats", "tite-2022"))],
    ids=["match", "session", "heats"],
)
def test_each_table_has_one_sheet_with_everything_on_it_also_a_crowded_one(
    printed: Printed, arranger: Arranger, screenshot: Screenshot, played: tuple[str, str]
) -> None:
    kind, ruleset = played
    event = arranger.event(kind, ruleset, names=CROWD, tables=2)
    for paper in POINTS:
        page = printed(event, f"stage/{event.stage}/print/sheets/", paper=paper)
        screenshot(page, f"print-{kind}-{paper}")
        assert cut_off(page) == []
        pdf = pdf_of(page)
        assert len(pdf.pages) == 2
        assert sizes_in(pdf) == {POINTS[paper]}
        for number, sheet in enumerate(pdf.pages, 1):
            text = sheet.extract_text()
            assert f"Table {number}" in text
            assert "Referee" in text
    assert is_grey(picture_of(page))
    crowded = arranger.event(kind, ruleset, names=CROWD)
    page = printed(crowded, f"stage/{crowded.stage}/print/sheets/", paper="letter")
    screenshot(page, f"print-crowded-{kind}")
    assert cut_off(page) == []
    assert len(pdf_of(page).pages) == 1


@pytest.mark.sweep
def test_a_sheets_code_opens_its_table_on_the_referees_phone_in_the_events_language(
    printed: Printed, arranger: Arranger, match: Arranged, open_page: OpenPage, lastcard: Server
) -> None:
    page = printed(match, f"stage/{match.stage}/print/sheets/")
    page.goto(page.url.replace("/en/", "/fi/", 1))
    assert "Yhteensä" in page.locator(".sheet").first.inner_text()
    assert page.evaluate(BROKEN) == []
    addresses = codes_in(page)
    paths = [urlsplit(address).path for address in addresses]
    assert paths == [f"/fi/desk/table/{table}/" for table in match.tables]
    phone = open_page(**PHONE)
    phone.goto(paths[1])
    assert urlsplit(phone.url).path == "/fi/sign-in/"
    arranger.referee(match, "Rauha").sign_in(phone, lastcard)
    phone.goto(paths[1])
    assert urlsplit(phone.url).path == paths[1]
    expect(phone.get_by_role("heading", level=1)).to_contain_text("2")


@pytest.mark.soak
def test_a_session_prints_sheets_for_games_ahead(printed: Printed, arranger: Arranger) -> None:
    event = arranger.session()
    out = {event.entries[name]: 60 * minute for minute, name in enumerate(["Aino", "Börje", "Çağla"], 5)}
    arranger("record_game", slug=event.slug, out=out, last=event.entries["Dima"])
    pdf = pdf_of(printed(event, f"stage/{event.stage}/print/sheets/?copies=3"))
    assert [f"Game {number}" in page.extract_text() for number, page in enumerate(pdf.pages, 2)] == [True] * 3


@pytest.mark.soak
def test_seat_lists_go_on_over_numbered_pages(
    printed: Printed, arranger: Arranger, screenshot: Screenshot
) -> None:
    names = [*NAMES, *(f"Player {number:03}" for number in range(90))]
    event = arranger.event("heats", "tite-2022", names=names, tables=20)
    for by, paper in product(("name", "table"), POINTS):
        page = printed(event, f"stage/{event.stage}/print/seats/?by={by}", paper=paper)
        screenshot(page, f"print-seats-{by}-{paper}")
        pdf = pdf_of(page)
        count = len(pdf.pages)
        assert count > 1
        assert sizes_in(pdf) == {POINTS[paper]}
        texts = [sheet.extract_text() for sheet in pdf.pages]
        assert all(f"{number} / {count}" in text for number, text in enumerate(texts, 1))
        text = "".join(texts)
        assert all(text.count(f"Player {number:03}") == 1 for number in range(90))


@pytest.mark.soak
def test_results_for_the_wall_repeat_their_heading_on_each_page(
    printed: Printed, arranger: Arranger, screenshot: Screenshot
) -> None:
    names = [*NAMES, *(f"Player {number:02}" for number in range(60))]
    event = arranger.event("match", "mattel-108", names=names)
    others = [uid for name, uid in event.entries.items() if name != "Eeva"]
    hands = {uid: {str(1 + at // 8): 1} for at, uid in enumerate(others)}  # eight cards of each number
    arranger("record_round", slug=event.slug, winner=event.entries["Eeva"], hands=hands)
    page = printed(event, f"t/{event.slug}/print/results/")
    screenshot(page, "print-results")
    assert is_grey(picture_of(page))
    pdf = pdf_of(page)
    assert len(pdf.pages) > 1
    assert all("Rounds won" in sheet.extract_text() for sheet in pdf.pages)
    assert "1 Eeva 333" in " ".join(pdf.pages[0].extract_text().split())


@pytest.mark.soak
def test_certificates_are_a_page_each_for_the_places_that_were_chosen(
    printed: Printed, arranger: Arranger, screenshot: Screenshot
) -> None:
    event = arranger.event("match", "mattel-108", names=NAMES, name="The long night of cards " * 4)
    more, most = ({event.entries["Aino"]: {kind: 1}} for kind in ("draw2", "wild"))
    arranger("record_round", slug=event.slug, winner=event.entries[NAMES[0]], hands=more)
    arranger("record_round", slug=event.slug, winner=event.entries[NAMES[2]], hands=most)
    for paper, (width, height) in POINTS.items():
        page = printed(event, f"t/{event.slug}/print/certificates/?places=2", paper=paper)
        screenshot(page, f"print-certificates-{paper}")
        pdf = pdf_of(page)
        assert sizes_in(pdf) == {(height, width)}
        texts = [" ".join(sheet.extract_text().split()) for sheet in pdf.pages]
        assert ["First place" in texts[0], "Second place" in texts[1], len(texts)] == [True, True, 2]
        for certificate in page.locator(".certificate").all():
            assert certificate.evaluate("each => each.scrollHeight <= each.clientHeight")
    assert is_grey(picture_of(page))


@pytest.mark.sweep
def test_ten_badges_a_page_and_their_codes_are_read(
    printed: Printed, arranger: Arranger, screenshot: Screenshot
) -> None:
    event = arranger.event("match", "mattel-108", names=[*NAMES, "One more"])
    for paper in POINTS:
        page = printed(event, f"t/{event.slug}/badges/", paper=paper)
        screenshot(page, f"print-badges-{paper}")
        pdf = pdf_of(page)
        assert (len(pdf.pages), sizes_in(pdf)) == (2, {POINTS[paper]})
    paths = {urlsplit(address).path for address in codes_in(page)}
    assert paths == {f"/b/{entry}/" for entry in event.entries.values()}


@pytest.mark.parametrize(("what", "pages"), [("seats/print", 3), ("codes", 1)], ids=["seats", "codes"])
def test_what_was_printed_before_has_one_page_a_table(
    printed: Printed, match: Arranged, screenshot: Screenshot, what: str, pages: int
) -> None:
    page = printed(match, f"stage/{match.stage}/{what}/", paper="letter")
    screenshot(page, f"print-{what.replace('/', '-')}")
    pdf = pdf_of(page)
    assert (len(pdf.pages), sizes_in(pdf)) == (pages, {POINTS["letter"]})


@pytest.mark.sweep
@pytest.mark.parametrize("size", EACH_SIZE)
def test_the_page_print_leads_to_a_preview_with_a_button(
    open_page: OpenPage, lastcard: Server, match: Arranged, screenshot: Screenshot, size: str
) -> None:
    page = open_page(**SIZES[size])
    match.organiser.sign_in(page, lastcard)
    page.goto(f"/en/organise/t/{match.slug}/print/")
    screenshot(page, f"print-page-{size}")
    page.get_by_label("Paper").select_option("Letter")
    page.wait_for_url("**paper=letter**")
    page.get_by_role("link", name="Table sheets").click()
    expect(page.get_by_label("Paper")).to_have_value("letter")
    page.evaluate("window.print = () => { document.title = 'printed' }")
    page.get_by_role("button", name="Print").click()
    assert page.title() == "printed"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    screenshot(page, f"print-preview-{size}")


@pytest.mark.sweep
def test_without_script_the_paper_is_chosen_by_a_button(
    open_page: OpenPage, lastcard: Server, match: Arranged
) -> None:
    page = open_page(java_script_enabled=False)
    match.organiser.sign_in(page, lastcard)
    page.goto(f"/en/organise/stage/{match.stage}/print/sheets/")
    page.get_by_label("Paper").select_option("Letter")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_label("Paper")).to_have_value("letter")
    expect(page.get_by_role("button", name="Print")).to_have_count(0)
    expect(page.locator(".sheet").first).to_be_visible()


# The rules as the paper has them, all columns beside each other; the fold lies in the middle of every second gap.
COLUMNS = """() => {
  const main = document.getElementById("main");
  Object.assign(main.style, { width: "200mm", height: "285mm", columnFill: "auto" });
  const [gap, pad] = ["columnGap", "paddingLeft"].map((name) => parseFloat(getComputedStyle(main)[name]));
  const left = main.getBoundingClientRect().left + pad, column = (main.clientWidth - 2 * pad - gap) / 2;
  const texts = document.createTreeWalker(main, NodeFilter.SHOW_TEXT), said = [];
  while (texts.nextNode()) {
    const range = document.createRange(), parent = texts.currentNode.parentElement;
    range.selectNodeContents(texts.currentNode);
    if (!parent.checkVisibility() || !texts.currentNode.textContent.trim()) continue;
    for (const { x, width } of range.getClientRects())
      said.push([(x - left + 1) % (column + gap) - 1 + width - column, parseFloat(getComputedStyle(parent).fontSize)]);
  }
  return { gap, over: Math.max(...said.map(([over]) => over)), px: Math.min(...said.map(([, px]) => px)) };
}"""


REST = [
    *((language, "kpgut-2016/fi") for language in ("en", "fi", "sv")),
    *((language, "kpgut-2016/en") for language in ("fi", "sv")),
    *(("fi", ruleset) for ruleset in ("mattel-108", "mattel-112")),
]


@pytest.mark.parametrize(
    ("language", "path"),
    [
        ("en", "kpgut-2016/en"),
        ("fi", "tite-2022"),
        *(pytest.param(*each, marks=pytest.mark.soak) for each in REST),
    ],
)
@pytest.mark.soak
def test_rules_fill_both_sides_of_one_sheet_that_folds_into_the_card_case(
    open_page: OpenPage, lastcard: Server, screenshot: Screenshot, language: str, path: str
) -> None:
    page = open_page(viewport={"width": 794, "height": 1123})
    page.goto(f"/{language}/rules/{path}/")
    page.emulate_media(media="print")
    headings = page.locator("h1, #sections :is(h2, h3)").all_inner_texts()
    hidden = page.locator(
        "nav, [role=search], .rules__answers, .card, .site-header, .site-footer, button"
    ).all()
    assert [each.get_attribute("class") for each in hidden if each.is_visible()] == []

    pdf = pdf_of(page)

    assert sizes_in(pdf) == {POINTS["a4"]}
    assert len(pdf.pages) <= 2
    assert len(pdf.pages) == 2 or "kpgut" not in path
    said = " ".join(" ".join(sheet.extract_text() for sheet in pdf.pages).split())
    assert [heading for heading in headings if " ".join(heading.split()) not in said] == []
    assert len(headings) > 8
    laid = page.evaluate(COLUMNS)
    assert laid["gap"] >= 16  # px, 4 mm at least
    assert laid["over"] <= 1
    assert laid["px"] * 0.75 >= 6.5  # points
    screenshot(page, f"print-rules-{language}-{path.replace('/', '-')}")


@pytest.mark.sweep
def test_rules_have_a_button_that_prints_and_stand_among_the_events_prints(
    open_page: OpenPage, lastcard: Server, match: Arranged
) -> None:
    page = open_page(**PHONE)
    match.organiser.sign_in(page, lastcard)
    page.goto(f"/en/organise/t/{match.slug}/print/")
    page.locator("#main").get_by_role("link", name="Rules", exact=True).click()
    assert urlsplit(page.url).path == "/fi/rules/mattel-108/"
    page.evaluate("window.print = () => { document.title = 'printed' }")
    page.get_by_role("button", name="Tulosta").click()
    assert page.title() == "printed"
