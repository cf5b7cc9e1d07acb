"""A newcomer on a phone tries Lastcard without an account: as a referee and as a player, until the hour is up."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.arranger import Arranger
from tests.e2e.conftest import Screenshot
from tests.e2e.phones import until_page

pytestmark = pytest.mark.browser


@pytest.mark.soak
def test_newcomer_enters_a_round_sees_it_as_a_player_and_starts_again_when_time_is_up(
    arranger: Arranger, phone: Page, screenshot: Screenshot
) -> None:
    phone.goto("/en/")
    phone.get_by_role("link", name="Try it").tap()
    phone.get_by_role("button", name="Become a referee").tap()
    expect(phone.get_by_role("note")).to_contain_text("Nothing here counts")
    screenshot(phone, "practice-tables")

    player = phone.context.new_page()
    player.goto("/en/try/")
    player.get_by_role("button", name="My page").tap()
    expect(player.get_by_role("heading", name="Kerttu")).to_be_visible()
    expect(player.locator("#main")).to_contain_text("153 more points to reach 200.")
    expect(player.get_by_role("note")).to_contain_text("Practice")
    until_page(player, "document.querySelector('[data-live-state]').dataset.liveState === 'live'")

    phone.bring_to_front()
    phone.get_by_role("link", name="Match, table 1").tap()
    pad = phone.locator("card-pad")
    pad.locator(".pad__winner").get_by_text("Kerttu", exact=True).tap()
    for name in ("Niilo", "Aada", "Joona"):
        expect(pad.locator(".pad__who")).to_have_text(name)
        pad.locator(".pad__key[data-add='9']").tap()
        pad.locator(".pad__key--next").tap()
    phone.locator("[data-save]").press("Control+Enter")
    expect(phone.locator("[data-entry-title]")).to_have_text("Round 5")
    player.bring_to_front()
    expect(player.locator("#main")).to_contain_text("126 more points to reach 200.")
    screenshot(player, "practice-player")

    arranger("hour_is_up")
    expect(player.get_by_role("heading", name="Your practice is over")).to_be_visible()
    phone.bring_to_front()
    phone.get_by_role("link", name="My tables").first.tap()
    expect(phone.get_by_role("heading", name="Your practice is over")).to_be_visible()
    screenshot(phone, "practice-over")
    phone.get_by_role("button", name="Start again").first.tap()
    expect(phone.get_by_role("heading", name="My tables")).to_be_visible()
    expect(phone.locator("#main")).to_contain_text("3 rounds")
    arranger("hour_is_up")
