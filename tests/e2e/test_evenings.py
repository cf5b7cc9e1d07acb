"""The kinds of event from creation to winner, on a phone; a second phone sees each save without a reload."""

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.depth import dear
from tests.e2e.arranger import Arranger
from tests.e2e.browser import PHONE
from tests.e2e.conftest import OpenPage, Screenshot
from tests.e2e.evening import PASSWORD, Evening, Spectator
from tests.e2e.server import Server

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def lastcard(prepared: Path) -> Iterator[Server]:
    """A server of these evenings' own, as a house has one: nobody else's events are on it."""
    server = Server(prepared)
    try:
        server.start()
        yield server
        assert "Traceback" not in server.log.read_text()
    finally:
        server.close()


@pytest.fixture(scope="module")
def arranger(lastcard: Server) -> Iterator[Arranger]:
    arranger = Arranger(lastcard)
    arranger("begin")
    yield arranger
    arranger.close()


SIZES = [(390, 664), *dear((320, 568))]


@pytest.fixture(params=SIZES, ids="{0[0]}x{0[1]}".format)
def evening(request: pytest.FixtureRequest, arranger: Arranger, open_page: OpenPage) -> Evening:
    """An organiser's phone, without the height of the browser's bars."""
    width, height = request.param
    evening = Evening(open_page(**{**PHONE, "viewport": {"width": width, "height": height}}))
    evening.sign_in(arranger("organiser", name="Aino", password=PASSWORD))
    return evening


@pytest.fixture
def spectator(second_phone: Page) -> Spectator:
    return Spectator(second_phone)


@pytest.mark.journey
@pytest.mark.parametrize("ruleset", ["mattel-108", *dear("mattel-112")])
def test_a_mattel_match_from_creation_to_winner(
    ruleset: str, evening: Evening, spectator: Spectator, screenshot: Screenshot
) -> None:
    board = evening.create("match", "Five hundred", ruleset=ruleset, target="100")
    evening.enter(board, ["Aino", "Börje, Kerho", "Çağla"])
    evening.run_stage(board, "Match")
    evening.seat(tables=1)
    evening.start("Match")
    spectator.open(evening.public_page(board))
    evening.open_table("Match")

    # 50 + 20 + 7 = 77, or 40 + 20 + 17; a last Draw 2 made Börje draw two of his cards.
    black = {"mattel-108": ["wild"], "mattel-112": ["shuffle", "9", "1"]}[ruleset]
    hands = {"Börje": [*black, "draw2", "7"], "Çağla": ["0"]}
    since = evening.count_round("Aino", hands, last="Draw 2", drew="Börje")
    spectator.sees("77", since=since)
    # 9 + 9 = 18: Çağla has 18.
    since = evening.count_round("Çağla", {"Aino": ["9"], "Börje": ["9"]})
    spectator.sees("18", since=since)
    # 77 + 40 = 117, over the target.
    since = evening.count_round("Aino", {"Börje": ["skip"], "Çağla": ["reverse"]})
    spectator.sees("117", since=since)
    expect(evening.page.locator("main")).to_contain_text("The match is over")
    screenshot(evening.page, "match-over")

    evening.finish(board, "Match")
    expect(spectator.page.locator("#main")).to_contain_text("Winner")
    expect(spectator.page.locator(".winner")).to_contain_text("Aino")
    spectator.report("match")


def test_a_race_in_new_company_from_creation_to_winner(evening: Evening, spectator: Spectator) -> None:
    page, names = evening.page, ["Aino", "Börje", "Çağla", "Dima", "Eeva", "Fatima"]
    rules = {"scoring": "winner_takes", "rank": "total", "min_games": "2", "max_games": "2"}
    board = evening.create("race", "Best sums", ruleset="mattel-108", **rules)
    evening.enter(board, names)
    evening.run_stage(board, "Race")
    evening.seat(tables=2)
    evening.start("Race")
    spectator.open(evening.public_page(board))
    totals = dict.fromkeys(names, 0)
    for game, hands in enumerate(([["7"], ["skip", "2"]], [["wild"], ["9", "9"]]), 1):
        if game == 2:
            page.goto(board)
            evening.tap("Draw next game’s seats")
            evening.tap("Save the seats")
            expect(page.get_by_role("heading", level=1)).to_have_text("Race")
        evening.open_table("Race", 1)
        winner, *others = evening.names_at_table()
        since = evening.count_round(winner, dict(zip(others, hands, strict=True)))
        totals[winner] += [29, 68][game - 1]
        spectator.sees(str(totals[winner]), since=since)
        evening.open_table("Race", 2)
        # The bell rings before anyone is out: all hands are counted, and nobody takes them.
        page.locator(".pad__winner").get_by_text("Nobody: time was up").tap()
        for name in evening.names_at_table():
            expect(page.locator(".pad__tray")).to_contain_text(name)
            page.locator(".pad__key[data-add='5']").tap()
            page.locator(".pad__key--next").tap()
        expect(page.locator("[data-read-back]")).to_contain_text("Nobody went out")
        title = page.locator("[data-entry-title]").inner_text()
        evening.tap("Save")
        evening.confirmed(title)
    evening.finish(board, "Race")
    standings = spectator.page.locator(".standings tbody").first
    expect(spectator.page.locator("#main")).to_contain_text("Winner")
    for name, points in totals.items():
        expect(standings.get_by_role("row", name=name)).to_contain_text(str(points))
    best = max(totals.values())
    expect(spectator.page.locator(".winner")).to_contain_text(
        next(name for name in names if totals[name] == best)
    )
    spectator.report("race")


@pytest.mark.soak
def test_a_kpgut_session_from_creation_to_winner(
    evening: Evening, spectator: Spectator, screenshot: Screenshot
) -> None:
    page = evening.page
    board = evening.create("session", "An evening of games")
    evening.enter(board, ["Aino", "Börje", "Çağla", "Dima"])
    evening.run_stage(board, "Session")
    evening.seat(tables=1)
    evening.start("Session")
    spectator.open(evening.public_page(board))
    evening.open_table("Session")

    # Game 1, from paper would be possible too: here each goes out with a tap; a slip is taken back.
    evening.tap("Start game 1")
    page.get_by_role("button", name=re.compile("Çağla")).first.tap()
    page.wait_for_timeout(800)  # what is tapped twice is tapped once
    page.get_by_role("button", name=re.compile("Undo.*Çağla")).tap()
    expect(page.get_by_role("button", name=re.compile("Çağla.*tap when out"))).to_be_visible()
    for name in ["Dima", "Börje"]:
        page.get_by_role("button", name=re.compile(f"{name}.*tap when out")).tap()
        expect(page.get_by_role("button", name=re.compile(f"{name}.*tap when out"))).to_have_count(0)
    since = time.monotonic()
    page.get_by_role("button", name=re.compile("Aino.*tap when out")).tap()
    spectator.sees(re.compile("0[.]00"), since=since)
    screenshot(page, "clock-after-game")

    # Game 2 is stopped early: Aino holds one card, the others two; Börje gave up: 75 + 30.
    evening.tap("Start game 2")
    page.get_by_role("link", name="Gives up").tap()
    page.get_by_role("button", name=re.compile("Börje.*gives up")).tap()
    expect(page.locator("main")).to_contain_text("No longer in the game")
    evening.tap("Stop early")
    main = page.locator("main")
    for cards in [["1"], ["skip", "9"], ["draw2", "reverse"]]:
        for card in cards:
            main.locator(f".pad__key[data-add='{card}']").tap()
        main.locator(".pad__key--next").tap()
    since = time.monotonic()
    evening.tap("End the game")
    # Aino 65, Dima 70 (two cards, no number card among them), Çağla 75, Börje 105; half of it on average.
    spectator.sees("52.50", since=since)
    expect(spectator.page.locator(".winner")).to_contain_text("32.50")

    evening.finish(board, "Session")
    expect(spectator.page.locator("#main")).to_contain_text("Winner")
    expect(spectator.page.locator(".winner")).to_contain_text("Aino")
    expect(spectator.page.locator("#main")).to_contain_text("Loser")
    spectator.report("session")


@pytest.mark.soak
def test_a_tite_championship_from_creation_to_champion(
    evening: Evening, spectator: Spectator, screenshot: Screenshot
) -> None:
    page = evening.page
    board = evening.create("championship", "Crown of the guilds", target="250")
    evening.enter(board, ["Aino", "Börje", "Çağla", "Dima", "Eeva", "Fatima"])
    evening.run_stage(board, "Heats")
    evening.seat(tables=2)
    evening.start("Heats")
    spectator.open(evening.public_page(board))

    through = []
    for number in (1, 2):
        evening.open_table("Heats", number)
        first = page.locator("heat-order .tap__name").first.inner_text()
        page.locator("heat-order").get_by_role("button", name=re.compile(first)).tap()
        since = time.monotonic()
        evening.tap("Save the heat")
        expect(page.locator("main")).to_contain_text("This heat has been entered")
        through.append(first)
        spectator.sees(first, since=since)
    screenshot(page, "heat-entered")
    evening.finish(board, "Heats")

    evening.run_stage(board, "Final")
    evening.tap("Seat them")
    evening.start("Final")
    evening.open_table("Final")
    champion, other = through
    # Two Draw 2s at the end, and the other drew four for them: 4 x 50 + 40 + 0 = 240, not yet 250.
    cards = ["wild4"] * 4 + ["draw2"] * 2 + ["0"]
    evening.count_round(champion, {other: cards})
    since = evening.count_round(champion, {other: ["9", "1"]})
    spectator.sees("250", since=since)
    screenshot(page, "final-over")
    evening.run_stage(board, "Final")
    page.locator("#second-look > summary").tap()
    page.locator("#id_look_reason").fill("One referee tonight")
    evening.tap("Switch confirmation off")
    expect(page.locator("main")).to_contain_text("Two people confirm each result")
    evening.finish(board, "Final")
    expect(spectator.page.locator(".winner")).to_contain_text(champion)
    spectator.report("championship")
