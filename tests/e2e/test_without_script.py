"""Pages without scripts, which did not arrive or are not wanted: players and referees get in, enter, read and change
the language. More of the desk without script is in test_desk.py."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.arranger import Arranged, Arranger
from tests.e2e.browser import PHONE
from tests.e2e.conftest import OpenPage
from tests.e2e.evening import PASSWORD

pytestmark = pytest.mark.browser


@pytest.fixture
def plain(open_page: OpenPage) -> Page:
    """A phone that runs no scripts."""
    return open_page(**PHONE, java_script_enabled=False)


def get_in(page: Page, arranger: Arranger, event: Arranged) -> None:
    """Sign in by the form as the referee of the table, and go there by links."""
    page.goto("/en/desk/")
    page.get_by_label("Username").fill(arranger.referee(event, "Rauha").username)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").tap()
    page.locator("#main a.tile__title").tap()


@pytest.mark.soak
def test_a_referee_signs_in_and_enters_a_round_that_a_visitor_reads_in_another_language(
    arranger: Arranger, plain: Page, open_page: OpenPage
) -> None:
    event = arranger.match()
    get_in(plain, arranger, event)
    plain.get_by_role("radio", name="Aino", exact=True).first.check()
    for name, card, number in [("Börje", "7", "2"), ("Çağla", "0", "1"), ("Dima", "skip", "1")]:
        plain.locator(f"[name='hand-{event.entries[name]}-{card}']").fill(number)
    plain.get_by_role("button", name="Check before saving").tap()
    expect(plain.locator("#main")).to_contain_text("34 points")
    plain.get_by_role("button", name="Save").tap()
    expect(plain.locator("#main")).to_contain_text("Saved on the server")

    visitor = open_page(**PHONE, java_script_enabled=False)
    visitor.goto("/en/")
    visitor.goto(event.public)
    expect(visitor.locator(".standings__row").first).to_have_text(re.compile(r"1\s+Aino.*34", re.DOTALL))
    visitor.locator(".menu--languages > summary").tap()
    visitor.get_by_role("link", name="Svenska").tap()
    expect(visitor.locator("html")).to_have_attribute("lang", "sv")
    expect(visitor.locator(".standings__row").first).to_have_text(re.compile(r"1\s+Aino.*34", re.DOTALL))
    visitor.get_by_role("link", name="Aino").first.tap()
    expect(visitor.locator("#main")).to_contain_text("34")


@pytest.mark.soak
def test_a_referee_enters_a_game_that_a_visitor_reads(
    arranger: Arranger, plain: Page, open_page: OpenPage
) -> None:
    event = arranger.session()
    get_in(plain, arranger, event)
    plain.get_by_role("button", name="Start game 1").tap()
    for name in ["Dima", "Çağla"]:
        plain.locator(".tap", has_text=name).tap()
        expect(plain.get_by_role("region", name="No longer in the game")).to_contain_text(name)
    plain.locator(".tap", has_text="Börje").tap()  # and Aino is the last
    expect(plain.get_by_role("region", name="Games")).to_contain_text("Game 1")

    visitor = open_page(**PHONE, java_script_enabled=False)
    visitor.goto(event.public)
    visitor.get_by_role("link", name="Dima").first.tap()
    expect(visitor.locator("#main")).to_contain_text("Game 1")
