"""Pictures of a contest and the way to the final: legible on a phone, a laptop and a wall, in light and dark, without
scripts, and equal to the numbers beside them."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.depth import dear
from tests.e2e.arranger import Arranged, Arranger
from tests.e2e.browser import LAPTOP, PHONE, SIDEWAYS
from tests.e2e.conftest import OpenPage, Screenshot

pytestmark = pytest.mark.browser

SMALL: dict[str, Any] = {**PHONE, "viewport": {"width": 320, "height": 640}}
WALL: dict[str, Any] = {"viewport": {"width": 1920, "height": 1080}}
SIZES = {"small": SMALL, "phone": PHONE, "laptop": LAPTOP, "wall": WALL}
EACH_SIZE = ["small", "wall", *dear("phone", "laptop")]
SCHEMES = ["light", *dear("dark")]
LEAST_LETTERS = {"small": 8.5, "phone": 11, "laptop": 14, "wall": 14}  # CSS pixels
NAMES = [
    "Aino",
    "Börje",
    "Çağla",
    "Dima",
    "Eeva",
    "Fatima Al-Khalili de la Fontaine",
    "WWWWWWWWWWWWWWWWWWWW",
    "מרים בת־ים עם שם משפחה ארוך",
    "漢字名前漢字名前漢字名前",
    "Jutta",
]
WINNERS = [
    "Aino",
    "Börje",
    "Aino",
    "Eeva",
    "Fatima",
    "Aino",
    "Dima",
    "Börje",
    "Aino",
    "Eeva",
    "Çağla",
    "Aino",
]

# Faults in the drawings of a page: letters that stick out, labels on each other, letters too small to read.
WRONG = """(least) => [...document.querySelectorAll(".picture__drawing")].flatMap((drawing) => {
    const wrong = [];
    const frame = drawing.getBoundingClientRect();
    const texts = [...drawing.querySelectorAll("text")];
    const boxes = texts.map((text) => text.getBoundingClientRect());
    texts.forEach((text, at) => {
        const box = boxes[at];
        if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1) {
            wrong.push(`sticks out: ${text.textContent}`);
        }
        const size = parseFloat(getComputedStyle(text).fontSize) * frame.width / drawing.viewBox.baseVal.width;
        if (size < least) wrong.push(`too small, ${size}: ${text.textContent}`);
        boxes.slice(at + 1).forEach((other, after) => {
            const across = Math.min(box.right, other.right) - Math.max(box.left, other.left);
            const down = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
            if (across > 1 && down > box.height / 4) {
                wrong.push(`one on the other: ${text.textContent}, ${texts[at + 1 + after].textContent}`);
            }
        });
    });
    return wrong;
})"""


@pytest.fixture(scope="module")
def final(arranger: Arranger) -> Arranged:
    """A match of ten, with names that are long, wide or from right to left, after twelve rounds; Aino leads."""
    event = arranger.match(names=NAMES, settings={"target": 500, "decks": 2})
    for number, name in enumerate(WINNERS):
        winner = next(uid for full, uid in event.entries.items() if full.startswith(name))
        others = [uid for uid in event.entries.values() if uid != winner]
        hands = {uid: {str(1 + (number + at) % 9): 1} for at, uid in enumerate(others)}
        arranger("record_round", slug=event.slug, winner=winner, hands=hands)
    return event


@pytest.fixture(scope="module")
def session(arranger: Arranger) -> Arranged:
    """A session of six after five games."""
    event = arranger.session(names=NAMES[:6])
    seats = event.seats[0]
    for number in range(5):
        order = [*seats[number:], *seats[:number]] if number % 2 else seats[::-1]
        out = {uid: 300 + 420 * at + 60 * number for at, uid in enumerate(order[:-1])}
        arranger("record_game", slug=event.slug, out=out, last=order[-1])
    return event


@pytest.fixture(scope="module")
def championship(arranger: Arranger) -> Arranged:
    """Two heats of five, two of each through to a final, of which a round is played."""
    heats = arranger.event("heats", "tite-2022", names=NAMES, tables=2, settings={"advance": 2})
    for table in (0, 1):
        arranger("record_heat", slug=heats.slug, table=table)
    event = arranger.next_stage(heats, "final", target=300)
    winner, *others = event.seats[0]
    hands = {uid: {"7": 1} for uid in others}
    arranger("record_round", slug=event.slug, winner=winner, hands=hands)
    return event


def stage_of(event: Arranged) -> str:
    return f"{event.public}stage/{event.stage}/"


def legible(page: Page, size: str) -> None:
    assert page.evaluate(WRONG, LEAST_LETTERS[size]) == []
    assert page.evaluate(SIDEWAYS) == []


def numbers_of(picture: Locator) -> dict[str, list[str]]:
    """The text equivalent: each player's numbers by name."""
    rows = picture.locator(".picture__numbers tbody tr").all()
    return {row.locator("th").inner_text(): row.locator("td").all_inner_texts() for row in rows}


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("size", EACH_SIZE)
@pytest.mark.soak
def test_pictures_of_a_match_are_legible(
    open_page: OpenPage, final: Arranged, screenshot: Screenshot, size: str, scheme: str
) -> None:
    page = open_page(**SIZES[size], color_scheme=scheme)
    page.goto(stage_of(final))
    points = page.get_by_role("img", name="Points over rounds")
    points.scroll_into_view_if_needed()
    expect(points).to_be_visible()
    expect(points.locator(".picture__target")).to_have_text("Target 500")
    expect(points.locator(".picture__end")).to_have_count(8)
    expect(points.locator(".picture__run")).to_have_count(10)
    expect(page.get_by_role("img", name="Places over time")).to_be_visible()
    expect(page.get_by_text("The top 8 are named.")).to_have_count(2)
    legible(page, size)
    screenshot(page, f"pictures-match-{size}-{scheme}")


@pytest.mark.sweep
@pytest.mark.parametrize("size", EACH_SIZE)
def test_pictures_of_a_session_are_legible(
    open_page: OpenPage, session: Arranged, screenshot: Screenshot, size: str
) -> None:
    page = open_page(**SIZES[size])
    page.goto(stage_of(session))
    average = page.get_by_role("img", name="Average over games")
    average.scroll_into_view_if_needed()
    expect(average.locator(".picture__end")).to_have_count(6)
    legible(page, size)
    screenshot(page, f"pictures-session-{size}")


@pytest.mark.sweep
def test_the_numbers_of_a_picture_are_those_of_the_standings_and_need_no_script(
    open_page: OpenPage, final: Arranged
) -> None:
    page = open_page(**PHONE, java_script_enabled=False)
    page.goto(stage_of(final))
    picture = page.locator(".picture").first
    expect(picture.locator(".picture__drawing")).to_be_visible()
    picture.locator("summary").click()
    table = picture.get_by_role("table", name="Points over rounds")
    expect(table).to_be_visible()
    numbers = numbers_of(picture)
    assert list(numbers) == page.locator(".standings tbody .standings__name").all_inner_texts()
    standings = page.locator(".standings tbody .standings__value").all_inner_texts()
    assert [each[-1] for each in numbers.values()] == standings
    assert {len(each) for each in numbers.values()} == {len(WINNERS)}
    ends = picture.locator(".picture__end tspan:first-child").all_text_contents()
    assert ends == standings[:8]


@pytest.mark.sweep
@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_players_page_draws_their_line_strongly(
    open_page: OpenPage, final: Arranged, screenshot: Screenshot, scheme: str
) -> None:
    page = open_page(**PHONE, color_scheme=scheme)
    page.goto(f"{final.public}player/{final.entries['Dima']}/")
    picture = page.get_by_role("img", name="Points over rounds")
    picture.scroll_into_view_if_needed()
    expect(picture.locator(".picture__line--1 .picture__end")).to_contain_text("Dima")
    expect(picture.locator(".picture__line--2 .picture__end")).to_contain_text("Aino")
    expect(picture.locator(".picture__line--0")).to_have_count(8)
    legible(page, "phone")
    screenshot(page, f"pictures-player-{scheme}")


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("size", EACH_SIZE)
@pytest.mark.soak
def test_the_way_to_the_final_fits(
    open_page: OpenPage, championship: Arranged, screenshot: Screenshot, size: str, scheme: str
) -> None:
    page = open_page(**SIZES[size], color_scheme=scheme)
    page.goto(championship.public)
    page.get_by_role("link", name="Road to the final").click()
    levels = page.locator(".bracket__level")
    expect(levels).to_have_count(2)
    heats, final = (level.bounding_box() for level in levels.all())
    assert heats is not None
    assert final is not None
    if size in {"small", "phone"}:
        assert heats["y"] + heats["height"] <= final["y"]
    else:
        assert heats["x"] + heats["width"] <= final["x"]
        assert heats["y"] + heats["height"] <= SIZES[size]["viewport"]["height"]  # the wall shows all of it
    expect(levels.first.get_by_role("heading", name="Table 2")).to_be_visible()
    through = levels.first.locator("li.goes-on .bracket__name").all_inner_texts()
    assert sorted(through) == sorted(levels.last.locator("li .bracket__name").all_inner_texts())
    expect(levels.first.locator("li").get_by_text("goes through")).to_have_count(4)
    assert page.evaluate(SIDEWAYS) == []
    screenshot(page, f"bracket-{size}-{scheme}")
