"""Real public events (field notes B to E) played whole on phones: one enters, another watches, and the standings are
those worked out by hand in the test."""

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.arranger import Arranger
from tests.e2e.browser import PHONE, SIDEWAYS
from tests.e2e.conftest import OpenPage, Screenshot
from tests.e2e.evening import PASSWORD, Evening, Spectator, thumb
from tests.e2e.server import Server

pytestmark = [pytest.mark.browser, pytest.mark.sweep]

HOUSE_RULES = """
from dataclasses import replace
from rulesets.mattel_108 import RULESET as MATTEL_108
from rulesets.ruleset import CARD_POINTS, frozen

def worth(card):
    return 40 if card.startswith("wild") else 10 if card.isdigit() else 20

RULESET = replace(
    MATTEL_108, id="ten-twenty-forty", revision="2026", name="10, 20, 40", names=frozen({}),
    source="A public event", points=frozen({card: worth(card) for card in CARD_POINTS}),
)
"""
WORTH = {"3": 10, "skip": 20, "wild": 40}
LOW = PHONE | {"viewport": {"width": 390, "height": 664}}  # Safari with its bars


@pytest.fixture(scope="module")
def lastcard(prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server of these evenings' own, with the house rules of event B."""
    house = tmp_path_factory.mktemp("house")
    (house / "ten_twenty_forty.py").write_text(HOUSE_RULES)
    server = Server(prepared, HOUSE_RULES=str(house))
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


@pytest.fixture
def evening(arranger: Arranger, open_page: OpenPage) -> Evening:
    evening = Evening(open_page(**LOW))
    evening.sign_in(arranger("organiser", name="Aino", password=PASSWORD))
    return evening


@pytest.fixture
def spectator(open_page: OpenPage) -> Spectator:
    return Spectator(open_page(**LOW))


def stands(spectator: Spectator, *rows: tuple[str, str]) -> None:
    """The public standings, from the first: name and what stands behind it."""
    lines = spectator.page.locator(".standings tbody").first.get_by_role("row")
    expect(lines).to_have_count(len(rows))
    for line, (name, points) in zip(lines.all(), rows, strict=True):
        expect(line).to_contain_text(name)
        expect(line).to_contain_text(points)


def count(evening: Evening, winner: str, *hands: list[str]) -> float:
    """Enter a game: the winner, and the others' hands in the order of their seats; gives when Save was tapped."""
    page = evening.page
    page.locator(".pad__winner").get_by_text(winner, exact=True).tap()
    for hand in hands:
        for card in hand:
            page.locator(f".pad__key[data-add='{card}']").tap()
        page.locator(".pad__key--next").tap()
    expect(page.locator("[data-read-back]")).to_contain_text(winner)
    title = page.locator("[data-entry-title]").inner_text()
    since = time.monotonic()
    evening.tap("Save")
    evening.confirmed(title)
    return since


def plan_race(evening: Evening, board: str, stage: str, through: str, **settings: str) -> None:
    """Add a race of the first so many of a stage, with its settings, seat them and start it."""
    page = evening.page
    page.goto(f"{board}stages/add/")
    page.get_by_label("Race", exact=True).check()
    page.get_by_label("Players come from").select_option(label=stage)
    page.get_by_label("How many").first.fill(through)
    evening.tap("Add the stage")
    for name, value in settings.items():
        box = page.locator(f"#settings [name={name}]")
        box.select_option(value) if name in {"scoring", "rank"} else box.fill(value)
    evening.tap("Save the settings")
    evening.tap("Seat them")
    expect(page.get_by_role("button", name="Start the race")).to_be_visible()
    assert page.evaluate(SIDEWAYS) == []
    evening.tap("Start the race")
    expect(page.locator("main")).to_contain_text("Finish")


def test_b_nine_games_in_three_groups_and_five_play_five_more(evening: Evening, spectator: Spectator) -> None:
    names = ["Aino", "Börje", "Cilla", "Dima", "Eeva", "Fatima", "Göran", "Hilla", "Ivan"]
    rules = {"scoring": "winner_takes", "rank": "total", "min_games": "3", "max_games": "3"}
    board = evening.create("race.ten-twenty-forty", "Five best", **rules)
    evening.enter(board, names)
    evening.run_stage(board, "Race")
    evening.seat(tables=3)
    evening.start("Race")
    spectator.open(evening.public_page(board))
    sums = {}
    for table, first in enumerate((["3"], ["skip"], ["wild"]), 1):
        for game, second in enumerate((["3"], ["wild", "3"], ["wild", "wild", "3"])):
            evening.open_table("Race", table)
            winner = evening.names_at_table()[game]
            since = count(evening, winner, first, second)
            sums[winner] = sum(WORTH[card] for card in first + second)
            spectator.sees(str(sums[winner]), since=since)
    # Each won one game; the sums are 20, 30, 50, 60, 70, 90, 100, 110 and 130.
    best = sorted(sums, key=lambda name: -sums[name])
    evening.finish(board, "Race")
    stands(spectator, *((name, str(sums[name])) for name in best))
    again = {"scoring": "winner_takes", "rank": "total", "min_games": "5", "max_games": "5"}
    plan_race(evening, board, "Race", "5", **again)
    finals = {}
    for extra in range(5):
        evening.page.goto(f"/en/desk/?q={evening.event}")
        evening.page.get_by_role("link", name="Race, table 1").first.tap()
        expect(evening.page.locator(".pad__winner bdi")).to_have_count(5)
        winner = evening.names_at_table()[extra]
        count(evening, winner, ["3"] * (extra + 1), ["3"], ["3"], ["3"])
        finals[winner] = 40 + 10 * extra
    assert {*finals} == {*best[:5]}
    spectator.page.goto(spectator.page.url)
    stands(spectator, *((name, str(finals[name])) for name in sorted(finals, key=lambda name: -finals[name])))
    spectator.report("nine games")


def test_d_one_table_until_the_bell(evening: Evening, spectator: Spectator, screenshot: Screenshot) -> None:
    page = evening.page
    board = evening.create("match", "Ten minutes", target="250")
    evening.enter(board, ["Aino", "Börje", "Çağla"])
    evening.run_stage(board, "Match")
    evening.seat(tables=1)
    evening.start("Match")
    spectator.open(evening.public_page(board))
    page.goto(f"{board}clock/")
    page.get_by_label("Minutes", exact=True).fill("1")
    evening.tap("Start the clock")
    expect(page.get_by_role("button", name="Stop the clock")).to_be_visible()
    evening.open_table("Match")
    evening.count_round("Aino", {"Börje": ["7"], "Çağla": ["skip"]})
    since = evening.count_round("Börje", {"Çağla": ["9"], "Aino": ["wild"]})
    spectator.sees("59", since=since)
    for each in (page, spectator.page):
        expect(each.locator("hall-clock [data-says]")).to_have_text(
            "Time is up. The points stand, and the round under way does not count.", timeout=70_000
        )
    screenshot(spectator.page, "bell-public")
    screenshot(page, "bell-desk")
    page.goto(board)
    screenshot(page, "bell-board")
    evening.tap("Stop 1 match")
    expect(page.get_by_role("button", name="Stop 1 match")).to_have_count(0)
    evening.finish(board, "Match")
    # 7 + 20 = 27 and 50 + 9 = 59; nobody has 250.
    stands(spectator, ("Börje", "59"), ("Aino", "27"), ("Çağla", "0"))
    expect(spectator.page.locator(".winner")).to_contain_text("Börje")
    spectator.report("bell")


def test_e_winners_of_the_tables_meet_in_one_hand(evening: Evening, spectator: Spectator) -> None:
    board = evening.create("match", "To 251", target="251")
    evening.enter(board, ["Aino", "Börje", "Cilla", "Dima"])
    evening.run_stage(board, "Match")
    evening.seat(tables=2)
    evening.start("Match")
    spectator.open(evening.public_page(board))
    # 4 x 50 + 50 + 1 = 251 wins, 5 x 50 does not yet.
    evening.open_table("Match", 1)
    evening.count_round("Aino", {"Cilla": ["wild"] * 4 + ["wild4", "1"]})
    evening.open_table("Match", 2)
    evening.count_round("Dima", {"Börje": ["wild"] * 4 + ["wild4"]})
    since = evening.count_round("Dima", {"Börje": ["1"]})
    spectator.sees("251", since=since)
    evening.finish(board, "Match")
    plan_race(
        evening, board, "Match, of each table", "1", scoring="own_hand", rank="wins,total", max_games="1"
    )
    evening.open_table("Race", 1)
    assert sorted(evening.names_at_table()) == ["Aino", "Dima"]
    since = count(evening, "Dima", ["7"])
    spectator.sees("Dima", since=since)
    evening.finish(board, "Race")
    stands(spectator, ("Dima", "1"), ("Aino", "0"))
    expect(spectator.page.locator(".winner")).to_contain_text("Dima")
    spectator.report("one hand")


def test_c_open_tables_and_the_best_games_count(
    evening: Evening, spectator: Spectator, open_page: OpenPage, screenshot: Screenshot
) -> None:
    page, names = evening.page, ["Aino", "Börje", "Çağla", "Dima", "Eeva"]
    board = evening.create(
        "race", "Ten best", ruleset="mattel-108", scoring="winner_takes", rank="total", best="2"
    )
    evening.enter(board, names)
    evening.run_stage(board, "Race")
    page.get_by_role("heading", name="Open tables").tap()
    screenshot(page, "open-tables")
    evening.tap("Open the tables")
    stage = page.url.split("?")[0]
    page.get_by_role("heading", name="The tables are open").tap()
    evening.tap("Print the code")
    screenshot(page, "open-code")
    expect(page.locator(".table-code svg")).to_be_visible()
    page.goto(stage)
    screenshot(page, "open-start")
    evening.start("Race")
    page.goto(stage)
    page.get_by_role("heading", name="The tables are open").tap()
    sit = page.get_by_role("link", name="Seat players here").get_attribute("href")
    spectator.open(evening.public_page(board))
    player = open_page(**LOW)
    player.goto(sit or "")
    screenshot(player, "sit")
    player.context.set_offline(True)
    player.locator("#sit").get_by_text("Aino").tap()
    player.get_by_role("button", name="Start").tap()
    expect(player.get_by_role("alert")).to_be_in_viewport()
    expect(player.get_by_role("alert")).to_contain_text("Everything you typed is still here.")
    player.context.set_offline(False)
    sit_down(player, "Börje", "Çağla")
    screenshot(player, "sat")
    propose(player, "Aino", ["7"], ["skip"])
    screenshot(player, "sat-proposed")
    player.get_by_role("link", name="Play another game").tap()
    screenshot(player, "sit-again")
    player.locator("#sit").get_by_text("Börje").tap()
    player.locator("#sit").get_by_text("Çağla").tap()
    sit_down(player, "Dima")
    propose(player, "Dima", ["9"])
    accept(page)
    spectator.sees("27", since=accept(page))
    player.goto(sit or "")
    sit_down(player, "Aino", "Börje")
    propose(player, "Aino", ["5"])
    spectator.sees("32", since=accept(page))
    page.goto(board)
    screenshot(page, "open-board")
    evening.finish(board, "Race")
    # The two best of Aino's 27, 0 and 5; Eeva never sat down.
    stands(spectator, ("Aino", "32"), ("Dima", "9"), ("Börje", "0"), ("Çağla", "0"))
    screenshot(spectator.page, "open-public")
    spectator.report("open tables")


def sit_down(player: Page, *names: str) -> None:
    """Choose these names too, and start."""
    assert player.evaluate(SIDEWAYS) == []
    for name in names:
        player.locator("#sit").get_by_text(name).tap()
    player.get_by_role("button", name="Start").tap()
    expect(player.get_by_role("heading", level=1)).to_have_text(re.compile("Race, table"))


def propose(player: Page, winner: str, *hands: list[str]) -> None:
    """Propose a game of the players seated here, in the order of their names."""
    player.get_by_role("link", name="Propose a result").tap()
    player.locator(".pad__winner").get_by_text(winner, exact=True).tap()
    for hand in hands:
        for card in hand:
            player.locator(f".pad__key[data-add='{card}']").tap()
        player.locator(".pad__key--next").tap()
    thumb(player.get_by_role("button", name="Send proposal", exact=True))
    expect(player.get_by_role("heading", name=re.compile("Your proposal: "))).to_be_visible()


def accept(referee: Page) -> float:
    """Accept the oldest proposal; gives when."""
    referee.goto("/en/desk/accept/")
    since = time.monotonic()
    referee.get_by_role("button", name="Accept", exact=True).first.tap()
    referee.wait_for_url("**saved=**")
    return since
