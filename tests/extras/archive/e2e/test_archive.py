"""An organiser takes a copy of the pages, which opens from a disk; staff bring an event back."""

from pathlib import Path
from zipfile import ZipFile

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.arranger import Arranged, Arranger
from tests.e2e.browser import EACH_SIZE, SIZES
from tests.e2e.conftest import OpenPage, Screenshot
from tests.e2e.server import Server

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def played(arranger: Arranger) -> Arranged:
    """A match of three rounds."""
    event = arranger.match()
    first, *others = event.seats[0]
    for _ in range(3):
        arranger("record_round", slug=event.slug, winner=first, hands={each: {"7": 1} for each in others})
    return event


@pytest.fixture(scope="module")
def copy(arranger: Arranger, played: Arranged, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The copy of its pages in a folder of the disk."""
    folder = tmp_path_factory.mktemp("copies") / "pages"
    arranger("manage", arguments=["static_copy", played.slug, str(folder)])
    return folder


@pytest.fixture(params=EACH_SIZE)
def page(request: pytest.FixtureRequest, open_page: OpenPage) -> Page:
    """A page of each size."""
    return open_page(**SIZES[request.param])


@pytest.mark.soak
def test_copied_pages_open_from_a_disk_without_asking_anybody(
    page: Page, copy: Path, shoot: Screenshot
) -> None:
    asked: list[str] = []
    said: list[str] = []
    page.on("request", lambda each: asked.append(each.url))
    page.on("console", lambda each: said.append(each.text))
    page.goto((copy / "index.html").as_uri())
    expect(page.locator(".winner")).to_contain_text("Aino")
    shoot(page, "copy-event")
    page.locator("#main").get_by_role("link", name="Börje").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Börje")
    shoot(page, "copy-player")
    page.locator(".page-head__back").click()
    expect(page.locator(".winner")).to_contain_text("Aino")
    page.locator("#main").get_by_role("link", name="Rules").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("108")
    shoot(page, "copy-rules")
    page.locator(".wordmark").click()
    page.locator(".menu--languages summary").click()
    page.get_by_role("link", name="Suomi").click()
    expect(page.locator("html")).to_have_attribute("lang", "fi")
    drawn = page.locator(".winner").evaluate("each => getComputedStyle(each).borderRadius")
    assert drawn != "0px"  # the stylesheet is there
    assert [url for url in asked if not url.startswith(copy.as_uri())] == []
    assert said == []  # nothing that is there is forbidden


@pytest.mark.sweep
def test_organiser_takes_an_archive_and_brings_it_back(
    page: Page, lastcard: Server, played: Arranged, tmp_path: Path, shoot: Screenshot
) -> None:
    played.organiser.sign_in(page, lastcard)
    page.goto(f"/en/organise/t/{played.slug}/archive/")
    shoot(page, "archive")
    page.get_by_label("Also without public names").check()
    with page.expect_download() as taken:
        page.get_by_role("button", name="Create the archive").click()
    archive = tmp_path / taken.value.suggested_filename
    taken.value.save_as(archive)
    with page.expect_download() as taken:
        page.get_by_role("button", name="Copy the pages").click()
    taken.value.save_as(tmp_path / "pages.zip")
    with ZipFile(tmp_path / "pages.zip") as pages:
        assert {"index.html", "results.xlsx"} <= set(pages.namelist())
    expect(
        page.get_by_role("button", name="Create the archive")
    ).to_be_enabled()  # a file leaves the page as it is
    page.goto("/en/organise/")
    page.get_by_role("link", name="Restore an event").click()
    page.get_by_label("Archive").set_input_files(archive)
    # A slow answer says so, and somebody who comes back to the page finds it as it was.
    page.evaluate("window.addEventListener('submit', (event) => event.preventDefault(), { once: true })")
    page.get_by_role("button", name="Restore the event").click()
    expect(page.locator("[data-moment]")).to_have_text("One moment…")
    expect(page.get_by_role("button", name="Restore the event")).to_be_disabled()
    page.evaluate("window.dispatchEvent(new Event('pageshow'))")
    expect(page.locator("[data-moment]")).to_be_empty()
    page.get_by_role("button", name="Restore the event").click()
    expect(page.locator(".notice")).to_contain_text("The archive lacks its personal data")
    # It also goes where the form that asked was replaced before its answer came.
    page.evaluate(
        """() => {
          const xhr = new XMLHttpRequest();
          const form = document.querySelector("form[enctype]");
          const detail = { xhr, elt: form };
          form.dispatchEvent(new CustomEvent("htmx:beforeSend", { bubbles: true, detail }));
          form.remove();
          globalThis.answer = () => { xhr.open("GET", "/healthz"); xhr.send(); };
        }"""
    )
    expect(page.locator("[data-moment]")).to_have_text("One moment…")
    page.evaluate("globalThis.answer()")
    expect(page.locator("[data-moment]")).to_be_empty()
    shoot(page, "brought")


@pytest.mark.sweep
def test_a_long_workbook_downloads_by_itself_when_it_is_written(
    phone: Page, arranger: Arranger, screenshot: Screenshot
) -> None:
    event = arranger.match()
    first, *others = event.seats[0]
    for _ in range(7):
        arranger("record_round", slug=event.slug, winner=first, hands={each: {"7": 1} for each in others})
    phone.goto(f"/en/t/{event.slug}/")
    with phone.expect_download() as taken:
        phone.get_by_role("link", name="All data in Excel").click()
        expect(phone.get_by_role("progressbar")).to_be_visible()
        screenshot(phone, "workbook-waiting")
    assert taken.value.suggested_filename.endswith(".xlsx")
    assert taken.value.path().read_bytes()[:2] == b"PK"
    expect(phone.get_by_role("link", name="Download Excel file")).to_be_visible()
    screenshot(phone, "workbook-ready")
    assert phone.context.cookies() == []
