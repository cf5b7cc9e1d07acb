"""An event's face in a browser: typed once, then seen by everybody, under the strict policy."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.arranger import Arranger
from tests.e2e.browser import PHONE
from tests.e2e.conftest import OpenPage
from tests.e2e.server import Server
from tests.extras.printing.e2e.test_print import pdf_of, sizes_in
from tests.support.pictures import picture

pytestmark = pytest.mark.browser

WIDTH = "(picture) => picture.naturalWidth"
LIGHT = "rgb(138, 28, 74)"


def colour_of_the_link(page: Page) -> str:
    return str(page.locator(".page-head__back").evaluate("(link) => getComputedStyle(link).color"))


@pytest.mark.soak
def test_logo_and_colour_are_typed_once_and_seen_everywhere(
    open_page: OpenPage, arranger: Arranger, lastcard: Server
) -> None:
    event = arranger.event("match", "mattel-108", names=["Aino", "Börje"], tables=1)
    slug = event.slug
    page = open_page(**PHONE)
    event.organiser.sign_in(page, lastcard)
    page.goto(f"/en/organise/t/{slug}/edit/")
    page.locator("input[name=logo]").set_input_files(
        {"name": "logo.png", "mimeType": "image/png", "buffer": picture(size=(900, 300))}
    )
    page.locator("input[name=colour]").fill("#8a1c4a")
    page.get_by_label("Starts at").fill("18:00")
    page.get_by_role("button", name="Save").click()
    page.wait_for_url(f"**/organise/t/{slug}/?saved=*")

    visitor = open_page(**PHONE)
    visitor.emulate_media(color_scheme="light")
    visitor.goto(f"/en/t/{slug}/")
    expect(visitor.get_by_text("Start 18:00")).to_be_visible()
    assert visitor.locator(".logo").evaluate(WIDTH) == 480
    assert colour_of_the_link(visitor) == LIGHT
    visitor.emulate_media(color_scheme="dark")
    assert colour_of_the_link(visitor) not in {LIGHT, "rgb(127, 210, 167)"}

    for paper, size in (("a4", (595, 842)), ("letter", (612, 792))):
        page.goto(f"/en/organise/t/{slug}/registration/poster/?paper={paper}")
        poster = pdf_of(page)
        assert (sizes_in(poster), len(poster.pages)) == ({size}, 1)
