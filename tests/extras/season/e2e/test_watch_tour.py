"""The tour on a phone, a laptop and a wall: champions, a season, ratings with their bands, a player's history."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.depth import dear
from tests.e2e.arranger import Arranger
from tests.e2e.browser import LAPTOP, PHONE
from tests.e2e.conftest import OpenPage, Screenshot

pytestmark = pytest.mark.browser

WALL: dict[str, Any] = {"viewport": {"width": 1920, "height": 1080}}


@pytest.fixture(scope="module")
def club(arranger: Arranger) -> dict[str, Any]:
    """Two years of a club, its last session still played."""
    return dict(arranger("club"))


@pytest.mark.soak
@pytest.mark.parametrize("size", [PHONE, *dear(LAPTOP, WALL)], ids=["phone", "laptop", "wall"])
def test_tour_tells_who_won_who_leads_the_season_and_how_strong_everybody_is(
    open_page: OpenPage,
    club: dict[str, Any],
    shoot: Screenshot,
    size: dict[str, Any],
    request: pytest.FixtureRequest,
) -> None:
    page = open_page(**size)
    main = page.locator("#main")

    page.goto("/en/")
    main.locator(f"a[href='{club['tour']}']").first.click()
    page.wait_for_url(f"**{club['tour']}")
    hall = page.get_by_role("region", name="Hall of champions")
    expect(hall.get_by_role("region", name="2026").get_by_role("listitem")).to_have_count(4)
    expect(hall.get_by_role("region", name="2025")).to_contain_text("Aino")
    expect(hall.get_by_role("region", name="2025")).to_contain_text("Autumn session")
    shoot(page, "tour-hall")

    page.get_by_role("link", name="Season 2026").click()
    expect(page.locator(".winner")).to_contain_text("Best average")
    # Çağla: 20 + 15 + 20 + 10 minutes in four games.
    expect(page.get_by_role("row", name="Çağla")).to_contain_text("16.25")
    expect(page.get_by_role("row", name="Fatima")).to_contain_text("Too few games")
    shoot(page, "tour-season")

    page.goto(club["tour"])
    page.get_by_role("link", name="Ratings of all players").click()
    expect(main).to_contain_text("Everyone begins at 1,500")
    expect(page.get_by_role("row")).to_have_count(7)
    expect(page.get_by_role("row", name="Aino")).to_contain_text("±")
    bands = page.locator(".band__own").evaluate_all(
        "bands => bands.map((each) => each.getBoundingClientRect())"
    )
    if size is PHONE:
        assert {round(each["width"]) for each in bands} == {0}
    else:
        assert all(each["width"] > 100 for each in bands)
    shoot(page, "tour-ratings")

    page.get_by_role("row", name="Aino").get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Aino")
    expect(main.get_by_role("img", name="Rating by event")).to_be_visible()
    expect(main.locator("article")).to_have_count(5)
    championship = main.locator("article").filter(has_text="Spring championship")
    expect(championship).to_contain_text("Winner")
    expect(championship.get_by_role("listitem")).to_have_count(2)
    shoot(page, "tour-player")
    page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    shoot(page, "tour-player-end")
    championship.get_by_role("link").click()
    page.get_by_role("link", name="Events, titles and rating").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Aino")


@pytest.mark.soak
def test_tour_follows_when_a_session_ends(
    open_page: OpenPage, arranger: Arranger, club: dict[str, Any]
) -> None:
    """The page that stands open shows the new champion by itself."""
    page = open_page(**PHONE)
    page.goto(club["tour"])
    expect(page.locator("[data-live-state]").first).to_have_attribute("data-live-state", "live")
    hall = page.get_by_role("region", name="Hall of champions")
    expect(hall).not_to_contain_text("May")
    page.evaluate("window.neverReloaded = true")
    arranger("finish", slug=club["slug"])
    expect(hall.get_by_role("listitem").filter(has_text="May")).to_contain_text("Börje")
    assert page.evaluate("window.neverReloaded")
