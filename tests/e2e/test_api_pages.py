"""Access tokens and the API in a browser, on a phone, a laptop and a wall: make a token, read what programs can do."""

import json
from typing import Any
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import expect

from tests.e2e.arranger import Arranger
from tests.e2e.browser import EACH_SIZE, SIZES
from tests.e2e.conftest import OpenPage, Screenshot
from tests.e2e.server import Server

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("size", EACH_SIZE)
@pytest.mark.soak
def test_token_is_made_read_once_and_used(
    open_page: OpenPage,
    arranger: Arranger,
    lastcard: Server,
    shoot: Screenshot,
    size: str,
) -> None:
    page = open_page(**SIZES[size])
    event = arranger.match()
    who = arranger.referee(event, f"Rauha {size}")
    who.sign_in(page, lastcard)

    page.goto("/en/organise/tokens/")
    page.get_by_label("Which program is it for?").fill("Scoreboard")
    page.get_by_label("Valid").select_option("1")
    page.get_by_role("button", name="Create the token").click()
    secret = page.locator(".secret").inner_text()
    shoot(page, "api-token")

    asked = Request(f"{lastcard.url}/api/v1/me", headers={"Authorization": f"Bearer {secret}"})
    with urlopen(asked) as answer:
        me: dict[str, Any] = json.loads(answer.read())
    assert me["token"]["name"] == "Scoreboard"

    page.get_by_role("link", name="What apps can do with the API").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("What apps can do with the API")
    shoot(page, "api-docs")
    page.get_by_role("link", name="/api/v1/stages/{stage}/standings").click()
    expect(page.locator("#standings_read")).to_be_in_viewport()
    shoot(page, "api-docs-standings")

    page.goto("/api/v1/tournaments")
    page.locator(".api-json a").first.click()
    page.get_by_role("link", name="stages", exact=True).click()
    page.locator(".api-json a").first.click()
    page.get_by_role("link", name="standings", exact=True).click()
    expect(page.locator(".api-json")).to_contain_text('"answer"')
    shoot(page, "api-standings")

    page.goto("/en/organise/tokens/")
    expect(page.locator(".secret")).to_have_count(0)
    page.get_by_role("button", name="Revoke Scoreboard").click()
    expect(page.get_by_role("main")).to_contain_text("revoked")
