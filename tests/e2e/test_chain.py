"""A chain on the organiser's phone: a match at one table, whose first two play on; three share the second place."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.arranger import Arranger
from tests.e2e.browser import SIDEWAYS
from tests.e2e.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.sweep]

LEVEL = {"wild": 1, "1": 1}  # ends the match


def test_first_two_play_on_and_a_shared_place_is_decided(
    phone: Page, second_phone: Page, arranger: Arranger, lastcard: Server
) -> None:
    event = arranger.match(settings={"scoring": "own_hand", "target": 50})
    aino, *others = event.seats[0]
    arranger("record_round", slug=event.slug, winner=aino, hands=dict.fromkeys(others, LEVEL))
    event.organiser.sign_in(phone, lastcard)
    phone.goto(f"/en/organise/stage/{event.stage}/")
    with phone.expect_navigation():  # else the next page could cut it off
        phone.get_by_role("button", name="Finish").click()
    phone.goto(f"/en/organise/t/{event.slug}/")
    phone.get_by_text("More", exact=True).click()
    phone.get_by_role("link", name="Add a stage").click()
    phone.get_by_label("Final", exact=True).check()
    phone.get_by_label("Players come from").select_option(label="Match, of each table")
    phone.get_by_label("How many").first.fill("2")
    assert phone.evaluate(SIDEWAYS) == []
    phone.get_by_role("button", name="Add the stage").click()
    expect(phone.get_by_text("Players: the first 2 of each table of Match")).to_be_visible()
    final = phone.url.rsplit("/", 2)[1]
    phone.get_by_label("place 2: Börje, Çağla, Dima are level. Who goes through?").select_option("Çağla")
    phone.get_by_label("Reason").first.fill("drew the highest card")
    assert phone.evaluate(SIDEWAYS) == []
    phone.get_by_role("button", name="Seat them").click()
    expect(phone.get_by_text("drew the highest card").first).to_be_visible()
    second_phone.goto(f"{event.public}stage/{final}/")
    seats = second_phone.locator(".seats").get_by_role("link")
    expect(seats).to_have_count(2)
    assert sorted(seats.all_inner_texts()) == ["Aino", "Çağla"]  # in the order of the draw
