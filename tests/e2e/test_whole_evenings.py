"""Whole evenings as a new organiser runs them, from the first page to the podium, with every tap counted; writing a
name or a number costs one tap, into its field."""

import re
from dataclasses import dataclass
from typing import NamedTuple

import pytest
from playwright.sync_api import Page, expect

from tests.depth import dear
from tests.e2e.arranger import Arranger
from tests.e2e.browser import PHONE
from tests.e2e.conftest import OpenPage
from tests.e2e.counting import Counted
from tests.e2e.evening import PASSWORD, thumb

pytestmark = pytest.mark.browser


@dataclass
class Person:
    """Somebody with a phone."""

    counted: Counted

    @property
    def page(self) -> Page:
        return self.counted.page

    def tap(self, name: str | re.Pattern[str], *, exact: bool = True) -> None:
        """Tap the first button or link of that name that is seen on the page."""
        main = self.page.locator("main")
        named = main.get_by_role("button", name=name, exact=exact).or_(
            main.get_by_role("link", name=name, exact=exact)
        )
        target = named.filter(visible=True).first
        expect(target).to_be_visible()
        if target.get_attribute("data-save") is not None or target.evaluate(
            "e => !!e.closest('.action-bar')"
        ):
            thumb(target)
        else:
            target.tap()

    def write(self, label: str, text: str) -> None:
        """Write into a field, which takes a tap."""
        self.page.locator("main").get_by_label(re.compile(rf"^{label}(\s|$)")).first.tap()
        self.counted.names(text)

    def sees(self, text: str | re.Pattern[str]) -> None:
        expect(self.page.locator("main")).to_contain_text(text)

    def board(self, event: str) -> None:
        """Go back to the event's board."""
        self.page.get_by_role("link", name=event, exact=True).first.tap()
        expect(self.page.get_by_role("heading", level=1)).to_have_text(event)

    def more(self, name: str) -> None:
        """Open a page of the board's menu."""
        self.page.locator("summary", has_text="More").tap()
        self.tap(name)

    def enter(self, names: list[str]) -> None:
        """Paste players, look at the preview and enter them."""
        self.tap("Add players")
        self.write("Players", "\n".join(names))
        self.tap("Preview")
        self.tap("Add ticked players")
        self.sees(f"{len(names)} expected")


@pytest.fixture
def organiser(open_page: OpenPage, arranger: Arranger) -> Person:
    """A new organiser, signed in."""
    person = Person(Counted(open_page(**PHONE).context, touch=True))
    person.page.goto("/en/organise/")
    person.write("Username", arranger("organiser", name="Outi", password=PASSWORD))
    person.write("Password", PASSWORD)
    person.tap("Sign in")
    person.sees("New event")
    return person


def create(organiser: Person, template: str, name: str, target: str = "") -> None:
    organiser.tap("New event")
    if template:
        organiser.page.get_by_text(template).first.tap()
        points = organiser.page.get_by_label("Target in points")
        points.tap()
        points.fill(target)
    organiser.write("Event name", name)
    organiser.page.get_by_role("button", name="Create the event").last.tap()
    expect(organiser.page.get_by_role("heading", level=1)).to_have_text(name)


def referees(open_page: OpenPage, organiser: Person, event: str, many: int) -> list[Person]:
    """Referees who come by one code, which the organiser shows. Whoever joins taps on a phone of their own, which does
    not count."""
    organiser.more("Referees and roles")
    organiser.tap("Invite table referees")
    link = organiser.page.locator(".code__address a").get_attribute("href") or ""
    came = []
    for number in range(1, many + 1):
        who = Person(Counted(open_page(**PHONE).context, touch=True))
        who.page.goto("/i/" + link.partition("/i/")[2])
        who.write("Your name", f"Referee {number}")
        who.tap("Become a referee")
        who.sees(event)
        who.counted.clicks = 0
        came.append(who)
    organiser.sees(f"{many} referees have joined")
    return came


def count_round(page: Page, winner: str, card: str) -> None:
    """The winner, one card for each of the others, Save."""
    page.locator(".pad__winner").get_by_text(winner, exact=True).tap()
    hands = page.locator(".pad__who")
    others = page.locator(".pad__winner input").count() - 1
    for hand in range(1, others + 1):
        who = hands.inner_text()
        page.locator(f".pad__key[data-add='{card}']").tap()
        page.locator(".pad__key--next").tap()
        if hand < others:
            expect(hands).not_to_have_text(who)
    thumb(page.locator("[data-save]"))


class Championship(NamedTuple):
    """How many there are of what; in each round of the final the others hold this card; `most` taps may be made.
    `singly`: the players are checked in one by one at a door."""

    players: int
    late: int
    away: int
    referees: int
    tables: int
    card: str
    rounds: int
    most: int
    singly: bool = False

    @property
    def there(self) -> int:
        return self.players - self.late - self.away


OF_22 = Championship(players=22, late=1, away=1, referees=3, tables=4, card="wild4", rounds=2, most=76)
OF_42 = Championship(players=42, late=3, away=5, referees=6, tables=7, card="skip", rounds=3, most=120)
SINGLY = OF_42._replace(singly=True, most=150)


def arrive(organiser: Person, many: Championship) -> None:
    """Mark absent players, check the others in, and let a few come late."""
    if many.singly:
        for number in range(1, many.there + 1):
            organiser.tap(f"Check in Player {number:02d}")
    else:
        for number in range(1, many.late + 1):
            organiser.tap(f"Player {many.players - many.late + number}")
            organiser.tap("Late")
            organiser.sees(f"{number} late")
    organiser.tap("Mark no-shows")
    for number in range(many.there + 1, many.there + many.away + 1):
        organiser.page.get_by_text(f"Player {number}").first.tap()
    organiser.tap("Mark ticked as no-shows")
    if not many.singly:
        organiser.tap(f"Check in {many.there} expected")
    organiser.sees(f"{many.there} here")


@pytest.mark.parametrize(
    "many", dear(OF_22, OF_42, SINGLY), ids=lambda many: f"{many.players}{' one by one' * many.singly}"
)
def test_championship(
    open_page: OpenPage, organiser: Person, many: Championship, capsys: pytest.CaptureFixture[str]
) -> None:
    """Some are late, some stay away, two walk in; the referees come by one code, and one of them is moved."""
    names = [
        f"Player {number:02d}, {('Noppa', 'Ässä', 'Nelkku')[number % 3]}"
        for number in range(1, many.players + 1)
    ]
    create(organiser, "TiTe championship", "Crown", target="250")
    came = referees(open_page, organiser, "Crown", many.referees)
    organiser.tap("Referees and roles")
    organiser.board("Crown")
    organiser.enter(names)
    arrive(organiser, many)
    organiser.tap("Seat the players")
    organiser.page.get_by_text(f"expected ({many.there + many.late})").first.tap()
    organiser.tap("Draw seats")
    organiser.sees(f"{many.tables} tables of 5 or 6")
    organiser.tap("Save the seats")
    organiser.tap("Start the heats")
    organiser.sees("Not here yet")
    for number in range(many.late):
        organiser.tap(f"Check in Player {many.players - number}")
        expect(organiser.page.get_by_role("button", name="Check in Player")).to_have_count(
            many.late - number - 1
        )
    organiser.tap("Add walk-in")
    for name in ("Hanna, Nelkku", "Ilkka, Noppa"):
        organiser.write("Name", name)
        organiser.tap("Add and seat")
        organiser.sees(name.partition(",")[0])
    organiser.board("Crown")

    third = organiser.page.locator(
        ".tile", has=organiser.page.get_by_role("link", name="Table 3", exact=True)
    )
    third.get_by_role("link", name="Choose a referee").tap()
    organiser.tap("Move Referee 1 here")
    expect(third).to_contain_text("Referee 1")

    for number in range(1, many.tables + 1):
        who = came[0 if number == 3 else 1 + number % (many.referees - 1)]  # the first was moved there
        who.page.goto("/en/desk/")
        who.tap(f"Heats, table {number}", exact=False)
        first = who.page.locator(".heat__tap").first
        first.tap()
        thumb(who.page.locator("[data-save]"))
        who.sees("This heat has been entered")

    organiser.tap("Finish the stage")
    organiser.tap("Finish the heats")
    organiser.tap("Players going through")
    organiser.tap("Seat them")
    organiser.sees("Player")
    expect(organiser.page.get_by_role("link", name="Undo").first).to_be_visible()
    organiser.tap("Start the final")
    organiser.sees("Now running")
    final = came[1]
    final.page.goto("/en/desk/")
    final.tap("Final, table 1", exact=False)
    champion = final.page.locator(".pad__winner bdi").first.inner_text()
    for number in range(1, many.rounds + 1):  # 3 x 50 or 6 x 20 points each
        expect(final.page.locator("[data-entry-title]")).to_have_text(f"Round {number}")
        count_round(final.page, champion, many.card)
        final.sees(f"Round {number}")
    final.sees("The match is over")
    organiser.page.reload()
    organiser.tap("Confirm all", exact=False)
    organiser.tap("Finish the stage")
    organiser.tap("Finish the final")
    organiser.sees(champion)

    taps = organiser.counted.clicks + sum(each.counted.clicks for each in came)
    with capsys.disabled():
        print(f"championship for {many.players}: {taps} taps, {organiser.counted.clicks} the organiser's")
    assert taps <= many.most


@pytest.mark.sweep
def test_session_for_19_at_three_tables(organiser: Person, capsys: pytest.CaptureFixture[str]) -> None:
    """From the list to the winner of a game in which somebody gives up and somebody is ejected."""
    create(organiser, "", "Evening")
    organiser.enter([f"Player {number:02d}" for number in range(1, 20)])
    organiser.tap("Check in 19 expected")
    organiser.sees("19 here")
    organiser.tap("Seat the players")
    organiser.write("Number of tables", "3")
    organiser.tap("Draw seats")
    organiser.sees("3 tables of 6 or 7")
    organiser.tap("Save the seats")
    organiser.tap("Start the session")
    page = organiser.page
    organiser.tap("Table 1")
    organiser.tap("Start game 1")
    out = page.get_by_role("button", name=re.compile("tap when out"))
    expect(out.first).to_be_visible()
    seated = out.count()
    thumb(page.locator("[data-mode]"))
    thumb(page.get_by_role("button", name=re.compile("gives up")).last)
    expect(out).to_have_count(seated - 1)
    organiser.tap("Eject")
    page.locator(".choice", has_text="Player").first.tap()
    organiser.tap("Unsportsmanlike conduct, after a warning")
    page.get_by_role("button", name="Eject").tap()
    page.get_by_text("They were warned, but nobody noted it").tap()
    page.get_by_role("button", name="Eject").tap()
    expect(out).to_have_count(seated - 2)
    for left in range(seated - 3, 0, -1):
        out.first.tap()
        expect(out).to_have_count(left if left > 1 else 0)
    organiser.sees("This game is over")
    with capsys.disabled():
        print(f"session for 19 at three tables: {organiser.counted.clicks} taps")
    assert organiser.counted.clicks <= 30


@pytest.mark.soak
def test_eight_and_one_phone(organiser: Person, capsys: pytest.CaptureFixture[str]) -> None:
    """The organiser is the only referee, from the list to the podium."""
    create(organiser, "Mattel match", "Eight", target="100")
    organiser.enter([f"Player {number}" for number in range(1, 9)])
    organiser.tap("Check in 8 expected")
    organiser.tap("Seat the players")
    organiser.tap("Draw seats")
    organiser.tap("Save the seats")
    organiser.tap("Start the match")
    organiser.tap("Table 1")
    winner = organiser.page.locator(".pad__winner bdi").first.inner_text()
    count_round(organiser.page, winner, "skip")
    organiser.sees("The match is over")
    organiser.page.go_back()
    organiser.tap("Finish the stage")
    organiser.tap("Finish the match")
    organiser.sees(winner)
    organiser.more("Public page")
    expect(organiser.page.locator(".winner, .podium").first).to_contain_text(winner)
    with capsys.disabled():
        print(f"eight players, one phone: {organiser.counted.clicks} taps")
    assert organiser.counted.clicks <= 50


@pytest.mark.sweep
def test_next_evening_of_a_season(organiser: Person, capsys: pytest.CaptureFixture[str]) -> None:
    """From the season to the first game, with regulars and newcomers in one pasted list."""
    names = [f"Player Number{number:02d}" for number in range(1, 16)]
    create(organiser, "", "Evening 1")
    organiser.enter(names[:12])
    organiser.board("Evening 1")
    organiser.more("Seasons")
    organiser.write("Name", "Thursdays")
    organiser.tap("Start season")
    organiser.sees("Next evening")
    organiser.counted.clicks = 0

    organiser.tap("Next evening")
    organiser.tap("Create the copy")
    organiser.sees("No players yet")
    organiser.enter(names[3:])
    for name in names[3:]:
        organiser.tap(f"Check in {name}")
    organiser.sees("12 here")
    organiser.tap("Seat the players")
    organiser.tap("Draw seats")
    organiser.tap("Save the seats")
    organiser.tap("Start the session")
    organiser.tap("Table 1")
    organiser.tap("Start game 1")
    expect(organiser.page.get_by_role("button", name=re.compile("tap when out")).first).to_be_visible()
    with capsys.disabled():
        print(
            f"next evening of a season: {organiser.counted.clicks - 12} taps, and one for each of 12 players"
        )
    assert organiser.counted.clicks - 12 <= 12
