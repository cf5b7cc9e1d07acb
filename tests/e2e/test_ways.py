"""Real public events (A to E of the field notes) played whole on phones: one enters, two watch, and the standings are
those worked out by hand in the test."""

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
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
BELL = "Nobody: time was up"
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


@dataclass
class Watching:
    """Two phones that keep a public page open."""

    phones: list[Spectator]

    @property
    def page(self) -> Page:
        return self.phones[0].page

    def open(self, address: str) -> None:
        for phone in self.phones:
            phone.open(address)
            assert phone.page.evaluate(SIDEWAYS) == []

    def sees(self, text: str, *, since: float) -> None:
        for phone in self.phones:
            phone.sees(text, since=since)

    def report(self, what: str) -> None:
        for phone in self.phones:
            phone.report(what)


@pytest.fixture
def spectator(open_page: OpenPage) -> Watching:
    return Watching([Spectator(open_page(**LOW)) for _ in range(2)])


def stands(spectator: Watching, *rows: tuple[str, ...], table: int = 1) -> None:
    """The public standings of the table on both phones, from the first: name and what stands behind it."""
    for phone in spectator.phones:
        lines = phone.page.locator(".standings tbody").nth(table - 1).get_by_role("row")
        expect(lines).to_have_count(len(rows))
        for line, words in zip(lines.all(), rows, strict=True):
            for word in words:
                expect(line).to_contain_text(word)


def count(evening: Evening, winner: str, *hands: list[str]) -> float:
    """Enter a game: the winner, and the others' hands in the order of their seats; gives when Save was tapped."""
    page = evening.page
    page.locator(".pad__winner").get_by_text(winner, exact=True).tap()
    for hand in hands:
        for card in hand:
            page.locator(f".pad__key[data-add='{card}']").tap()
        page.locator(".pad__key--next").tap()
    expect(page.locator("[data-read-back]")).to_contain_text("Nobody went out" if winner == BELL else winner)
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


def test_b_nine_games_in_three_groups_and_five_play_five_more(
    evening: Evening, spectator: Watching, screenshot: Screenshot
) -> None:
    names = ["Aino", "Börje", "Cilla", "Dima", "Eeva", "Fatima", "Göran", "Hilla", "Ivan"]
    rules = {"scoring": "winner_takes", "rank": "total", "min_games": "3", "max_games": "3"}
    board = evening.create("race.ten-twenty-forty", "Five best", **rules)
    evening.enter(board, names)
    evening.run_stage(board, "Race")
    page = evening.page
    evening.tap("Seat the players")
    page.get_by_label("Number of tables").fill("3")
    page.get_by_text("Minimum per table, clubs, seed").tap()
    page.get_by_label("Seed").fill("1")
    evening.tap("Seat all 3 games")
    expect(page.get_by_text("Nobody meets again")).to_be_visible()
    page.get_by_text("Seats of all 3 games").tap()
    assert page.evaluate(SIDEWAYS) == []
    screenshot(page, "all-games")
    evening.tap("Save the seats")
    evening.start("Race")
    spectator.open(evening.public_page(board))
    sums: dict[str, int] = {}
    for game, second in enumerate((["3"], ["wild", "3"], ["wild", "wild", "3"]), 1):
        for table, first in enumerate((["3"], ["skip"], ["wild"]), 1):
            evening.open_table("Race", table)
            winner = next(name for name in evening.names_at_table() if name not in sums)
            since = count(evening, winner, first, second)
            sums[winner] = sum(WORTH[card] for card in first + second)
            spectator.sees(str(sums[winner]), since=since)
        if game < 3:
            evening.run_stage(board, "Race")
            evening.tap("Draw next game’s seats")
            expect(page.get_by_text(f"Game {game + 1} of 3", exact=True)).to_be_visible()
            evening.tap("Save the seats")
            expect(page.get_by_role("link", name="Change the seats")).to_be_visible()
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


def test_d_one_table_until_the_bell(evening: Evening, spectator: Watching, screenshot: Screenshot) -> None:
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


def test_e_winners_of_the_tables_meet_in_one_hand(evening: Evening, spectator: Watching) -> None:
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
    evening: Evening, spectator: Watching, open_page: OpenPage, screenshot: Screenshot
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


CLASSES = {
    "12 and under": ["Aino", "Börje", "Cilla", "Dima", "Eeva", "Fatima", "Göran", "Hilla"],
    "13 and over": ["Ivan", "Jonas", "Kaisa", "Lotta"],
}


def set_up(evening: Evening, name: str, rank: str) -> str:
    """Save the settings of a race at each table whose page is open, and its name; gives the page's address."""
    page = evening.page
    box = page.locator("#settings")
    for field, value in {"scoring": "own_hand", "rank": rank}.items():
        box.locator(f"[name={field}]").select_option(value)
    box.locator("[name=name]").fill(name)
    box.locator("[name=max_games]").fill("2")
    evening.tap("Save the settings")
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    return page.url.split("?")[0]


def add(evening: Evening, board: str, name: str, rank: str, *sources: tuple[str, str, str]) -> str:
    """Add a race at each table for players of these stages: stage, which of them, how many; gives its page."""
    page = evening.page
    page.goto(f"{board}stages/add/")
    page.get_by_label("Race at each table", exact=True).check()
    for index, (stage, take, many) in enumerate(sources, 1):
        page.locator(f"[name=stage_{index}]").select_option(label=f"{stage}, of each table")
        page.locator(f"[name=take_{index}]").select_option(take)
        page.locator(f"[name=count_{index}]").fill(many)
    evening.tap("Add the stage")
    expect(page.get_by_role("button", name="Save the settings")).to_be_visible()
    return set_up(evening, name, rank)


def begin_class(evening: Evening, stage: str, division: str, tables: int) -> None:
    """Let those of an age class play in a stage, with two lives; seat them and start it."""
    page = evening.page
    page.goto(f"{stage}source/")
    page.get_by_label("Players come from").select_option("registered")
    page.get_by_label("Only this division").fill(division)
    page.get_by_label("Lives").fill("2")
    assert page.evaluate(SIDEWAYS) == []
    evening.tap("Save")
    evening.seat(tables=tables)
    expect(page.get_by_role("button", name=re.compile("^Start"))).to_be_visible()


def start(evening: Evening, stage: str) -> None:
    """Start the stage with this page."""
    page = evening.page
    page.goto(stage)
    evening.tap(f"Start {page.get_by_role('heading', level=1).inner_text()}")
    expect(page.locator("main")).to_contain_text("Finish")


def play(evening: Evening, stage: str, winner: str, hands: dict[str, list[str]], *, table: int = 1) -> float:
    """Enter a game at a table of a stage; gives when Save was tapped."""
    evening.open_table(stage, table)
    names = evening.names_at_table()
    after = names.index(winner) + 1 if winner in names else 0  # hands are counted clockwise from the winner
    return count(evening, winner, *(hands[name] for name in names[after:] + names[:after] if name in hands))


def seated(evening: Evening, stage: str, *through: str) -> None:
    """Seat who goes through to a stage, as its page names them, and start it."""
    page = evening.page
    page.goto(stage)
    coming = page.locator("#through > ol bdi")
    expect(coming).to_have_count(len(through))
    assert sorted(coming.all_inner_texts()) == sorted(through)
    assert page.evaluate(SIDEWAYS) == []
    evening.tap("Seat them")
    expect(page.get_by_role("button", name=re.compile("^Start"))).to_be_visible()
    start(evening, stage)


def finish(evening: Evening, *stages: str) -> None:
    page = evening.page
    for stage in stages:
        page.goto(stage)
        evening.tap(f"Finish {page.get_by_role('heading', level=1).inner_text()}")
        expect(page.locator("main")).to_contain_text("Reopen")


def ring(evening: Evening, board: str, stage: str, spectator: Watching) -> None:
    """Start the hall's clock for a stage, set to its last minute, and wait for the bell on all phones."""
    page = evening.page
    page.goto(f"{board}clock/")
    page.get_by_label("Minutes", exact=True).fill("15")
    evening.tap("Start the clock")
    for phone in spectator.phones:
        expect(phone.page.locator("hall-clock [data-face]").first).to_have_text(
            re.compile("1[45]:[0-5][0-9]")
        )
    evening.tap("Stop the clock")
    page.get_by_label("Minutes", exact=True).fill("1")
    evening.tap("Start the clock")
    expect(page.get_by_role("button", name="Stop the clock")).to_be_visible()
    page.goto(stage)
    for each in (page, *(phone.page for phone in spectator.phones)):
        expect(each.locator("hall-clock [data-says]").first).to_have_text(
            "Time is up. The game ends here. Count the cards in each hand.", timeout=70_000
        )
    evening.tap("Stop the clock")
    expect(page.get_by_role("button", name="Stop the clock")).to_have_count(0)


def test_a_two_lives_in_both_age_classes_by_the_bell(
    evening: Evening, spectator: Watching, screenshot: Screenshot
) -> None:
    """Fours, of which two go on; who is out twice is out. By wins, cards and points, or by wins and points."""
    page = evening.page
    young, older = "wins,cards,total", "wins,total"
    board = evening.create("race", "Two lives", shape="races", scoring="own_hand", rank=young, max_games="2")
    listed = [f"{name}\t{division}" for division, names in CLASSES.items() for name in names]
    evening.enter(board, ["Name\tDivision", *listed])
    evening.run_stage(board, "Race at each table")
    first = set_up(evening, "Young 1", young)
    begin_class(evening, first, "12 and under", tables=2)
    second = add(evening, board, "Young 2", young, ("Young 1", "first", "2"))
    chance = add(evening, board, "Young chance", young, ("Young 1", "out", ""))
    last = add(evening, board, "Young last", young, ("Young chance", "first", "2"), ("Young 2", "out", ""))
    final = add(evening, board, "Young final", young, ("Young 2", "first", "2"), ("Young last", "first", "2"))
    start(evening, first)
    spectator.open(f"{evening.public_page(board)}stage/{first.rsplit('/', 2)[1]}/")
    # Table 1: Aino, Cilla, Eeva, Göran; table 2: Börje, Dima, Fatima, Hilla.
    play(evening, "Young 1", "Aino", {"Cilla": ["7"], "Eeva": ["1", "2"], "Göran": ["skip"]})
    play(evening, "Young 1", "Dima", {"Börje": ["2"], "Fatima": ["4", "4"], "Hilla": ["skip"]}, table=2)
    ring(evening, board, first, spectator)
    screenshot(spectator.page, "lives-bell")
    held = {"Aino": ["9"], "Cilla": ["wild"], "Eeva": ["1", "2"], "Göran": ["5"]}
    since = play(evening, "Young 1", BELL, held)
    spectator.sees("57", since=since)
    since = play(evening, "Young 1", "Dima", {"Börje": ["skip"], "Fatima": ["1"], "Hilla": ["9"]}, table=2)
    spectator.sees("29", since=since)
    # Göran and Cilla hold two cards with 25 and 57 points, Eeva four with 6; Börje and Hilla two with 22 and 29.
    stands(spectator, ("Aino", "9"), ("Göran", "25"), ("Cilla", "57"), ("Eeva", "6"))
    stands(spectator, ("Dima", "0"), ("Börje", "22"), ("Hilla", "29"), ("Fatima", "9"), table=2)
    screenshot(spectator.page, "lives-first")
    finish(evening, first)
    seated(evening, second, "Aino", "Göran", "Dima", "Börje")
    seated(evening, chance, "Cilla", "Eeva", "Fatima", "Hilla")
    screenshot(page, "lives-chance")
    play(evening, "Young 2", "Aino", {"Göran": ["5"], "Dima": ["1", "1"], "Börje": ["skip", "skip"]})
    play(evening, "Young chance", "Eeva", {"Cilla": ["1"], "Fatima": ["2"], "Hilla": ["1", "skip"]})
    finish(evening, second, chance)
    seated(evening, last, "Eeva", "Cilla", "Dima", "Börje")
    play(evening, "Young last", "Dima", {"Eeva": ["3"], "Cilla": ["4"], "Börje": ["5", "5"]})
    finish(evening, last)
    seated(evening, final, "Aino", "Göran", "Dima", "Eeva")
    spectator.open(f"{evening.public_page(board)}stage/{final.rsplit('/', 2)[1]}/")
    for phone in spectator.phones:
        expect(phone.page.get_by_text("2 lives left")).to_have_count(2)  # Aino, Göran
        expect(phone.page.get_by_text("1 life left")).to_have_count(2)
    play(evening, "Young final", "Göran", {"Aino": ["2", "2"], "Dima": ["1"], "Eeva": ["skip"]})
    since = play(evening, "Young final", "Aino", {"Göran": ["9"], "Dima": ["1"], "Eeva": ["2"]})
    spectator.sees("22", since=since)
    # A win and one card of 9 points before a win and two cards of 4.
    stands(spectator, ("Göran", "9"), ("Aino", "4"), ("Dima", "2"), ("Eeva", "22"))
    # The older ones, on the same evening.
    first = add(evening, board, "Older 1", older)
    begin_class(evening, first, "13 and over", tables=1)
    chance = add(evening, board, "Older chance", older, ("Older 1", "out", ""))
    final = add(
        evening, board, "Older final", older, ("Older 1", "first", "2"), ("Older chance", "first", "1")
    )
    start(evening, first)
    spectator.open(f"{evening.public_page(board)}stage/{first.rsplit('/', 2)[1]}/")
    play(evening, "Older 1", "Ivan", {"Jonas": ["skip"], "Kaisa": ["1", "2"], "Lotta": ["9"]})
    since = play(evening, "Older 1", "Kaisa", {"Ivan": ["1", "1"], "Jonas": ["2"], "Lotta": ["4", "3"]})
    spectator.sees("22", since=since)
    # Lotta has more cards than Jonas, but fewer points.
    stands(spectator, ("Ivan", "2"), ("Kaisa", "3"), ("Lotta", "16"), ("Jonas", "22"))
    finish(evening, first)
    seated(evening, chance, "Jonas", "Lotta")
    play(evening, "Older chance", "Jonas", {"Lotta": ["5"]})
    finish(evening, chance)
    seated(evening, final, "Ivan", "Kaisa", "Jonas")
    spectator.open(f"{evening.public_page(board)}stage/{final.rsplit('/', 2)[1]}/")
    since = play(evening, "Older final", "Jonas", {"Ivan": ["3"], "Kaisa": ["4"]})
    spectator.sees("4", since=since)
    stands(spectator, ("Jonas", "0"), ("Ivan", "3"), ("Kaisa", "4"))
    screenshot(spectator.page, "lives-final")
    finish(evening, final)
    spectator.report("two lives")
