"""Results from a file in a browser: the template that was filled in is looked at, mended and entered."""

from io import BytesIO

import pytest
from openpyxl import Workbook, load_workbook
from playwright.sync_api import Page, expect

from tests.e2e.arranger import Arranger
from tests.e2e.browser import EACH_SIZE, SIZES
from tests.e2e.conftest import OpenPage, Screenshot
from tests.e2e.server import Server

pytestmark = pytest.mark.browser

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def put(book: Workbook, name: str, row: int, value: str | int) -> None:
    sheet, _, cells = book.defined_names[name].attr_text.rpartition("!")
    book[sheet.strip("'")][f"{cells.split('$')[1]}{row}"] = value


def choose(page: Page, book: Workbook) -> None:
    file = BytesIO()
    book.save(file)
    page.get_by_label("File", exact=True).set_input_files(
        {"name": "results.xlsx", "mimeType": XLSX, "buffer": file.getvalue()}
    )
    page.get_by_role("button", name="Preview").click()


@pytest.mark.soak
@pytest.mark.parametrize("size", EACH_SIZE)
def test_template_is_filled_in_looked_at_and_entered(
    open_page: OpenPage,
    arranger: Arranger,
    lastcard: Server,
    shoot: Screenshot,
    size: str,
) -> None:
    page = open_page(**SIZES[size])
    event = arranger.match()
    event.organiser.sign_in(page, lastcard)

    template = page.request.get(f"/en/organise/t/{event.slug}/results-template.xlsx?plays=2")
    book = load_workbook(BytesIO(template.body()))
    arranger(
        "record_round",
        slug=event.slug,
        winner=event.seats[0][1],
        hands={entry: {"7": 1} for entry in event.seats[0] if entry != event.seats[0][1]},
    )
    put(book, "rounds_outcome", 2, "won")
    for row, card in ((3, "7"), (4, "wild4"), (5, "draw2")):
        put(book, f"rounds_{card}", row, 1)
    put(book, "rounds_outcome", 6, "won")
    put(book, "rounds_7", 7, "seven")

    page.goto(f"/en/organise/t/{event.slug}/results-import/")
    shoot(page, "results-import-choose")
    choose(page, book)
    expect(page.get_by_text("“seven” is not a whole number.")).to_be_visible()
    expect(page.locator("#corrected .change")).to_be_visible()
    shoot(page, "results-import-preview")
    expect(page.locator("#corrected")).to_contain_text("Recorded after this file was created")
    page.locator("#corrected").get_by_role("checkbox").check()
    page.get_by_label("Reason").fill("from paper")
    page.get_by_role("button", name="Enter ticked results").click()
    expect(page.get_by_role("heading", name="1 result entered")).to_be_visible()
    shoot(page, "results-import-done")

    for row in (7, 8, 9):
        put(book, "rounds_7", row, 2)
    page.get_by_role("link", name="Choose another file").click()
    choose(page, book)
    expect(page.locator("#new")).to_contain_text("Table 1, round 2")
    shoot(page, "results-import-new")
    page.get_by_role("button", name="Enter ticked results").click()
    expect(page.get_by_text("1 result entered")).to_be_visible()
