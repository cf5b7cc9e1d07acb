"""From a new account to a seated evening, with every click and key counted except those that write names."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.arranger import Arranger
from tests.e2e.browser import LAPTOP, PHONE, Faults
from tests.e2e.counting import Counted
from tests.e2e.server import Server

pytestmark = pytest.mark.browser

FEWER_THAN = 60  # clicks and keys, with ten referees
REFEREES = 10
PASSWORD = "one more card"
CLUBS = ["Noppa", "Ässä", "Nelkku"]


@dataclass
class People:
    """Everybody's browsers, and what they all clicked and typed."""

    browser: Browser
    server: Server
    username: str  # the organiser's
    faults: Faults
    counted: list[Counted]

    def device(self, kind: dict[str, Any]) -> Counted:
        """A browser of somebody's own."""
        context = self.browser.new_context(base_url=self.server.url, **kind)
        context.on("page", self.faults.watch)
        self.counted.append(Counted(context))
        return self.counted[-1]

    @property
    def all(self) -> int:
        return sum(each.all for each in self.counted)


@pytest.fixture
def people(browser: Browser, lastcard: Server, arranger: Arranger, faults: Faults) -> Iterator[People]:
    username = arranger("organiser", name="Outi", password=PASSWORD)
    people = People(browser, lastcard, username, faults, [])
    yield people
    for each in people.counted:
        each.page.context.close()


def sign_in(people: People) -> Counted:
    """The organiser's laptop, signed in; the password is typed."""
    organiser = people.device(LAPTOP)
    page = organiser.page
    page.goto("/en/organise/")
    page.get_by_label("Username").click()
    organiser.names(people.username)
    page.get_by_label("Password").click()
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    return organiser


def create(organiser: Counted, template: str) -> None:
    """An event by one of the templates."""
    page = organiser.page
    page.get_by_role("link", name="New event").first.click()
    page.get_by_label("Event name").click()
    organiser.names("Spring")
    if template != "KPGUT session":
        page.get_by_text(template).click()
        expect(page.get_by_label("Target in points")).to_be_visible()
    page.get_by_role("button", name="Create the event").last.click()


def enter_and_check_in(organiser: Counted, players: int) -> None:
    """A pasted list; all are present."""
    page = organiser.page
    page.get_by_role("link", name="Add players").click()
    page.get_by_label("Players", exact=True).click()
    organiser.names("\n".join(f"Player {number}, {CLUBS[number % 3]}" for number in range(1, players + 1)))
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Add ticked players").click()
    page.get_by_role("button", name=f"Check in {players} expected").click()
    expect(page.get_by_text(f"{players} here")).to_be_visible()
    page.get_by_role("link", name="Spring").first.click()


def invite_referees(people: People, organiser: Counted, referees: int) -> None:
    """One code for all referees, each with a phone of their own."""
    page = organiser.page
    page.get_by_role("link", name="Referees and roles").click()
    page.get_by_role("button", name="Invite table referees").click()
    link = page.locator(".code__address a").get_attribute("href") or ""
    for number in range(1, referees + 1):
        phone = people.device(PHONE)
        phone.page.goto("/i/" + link.partition("/i/")[2])
        phone.page.get_by_label("Your name").click()
        phone.names(f"Referee {number}")
        phone.page.get_by_role("button", name="Become a referee").click()
        expect(phone.page).not_to_have_url(re.compile("/i/"))
        expect(phone.page.get_by_text(f"Referee {number}").first).to_be_visible()
        phone.page.context.close()
    expect(
        page.get_by_text(f"{referees} referees have joined")
    ).to_be_visible()  # without a click: the page looks for itself
    page.get_by_role("link", name="Referees and roles").click()
    page.get_by_role("link", name="Spring").first.click()


def seat(organiser: Counted) -> None:
    """A draw, saved."""
    page = organiser.page
    page.get_by_role("link", name="Seat the players").first.click()
    page.get_by_role("button", name="Draw seats", exact=True).click()
    page.get_by_role("button", name="Save the seats").click()
    expect(page.get_by_text("Saved on the server")).to_be_visible()


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("template", "many"),
    [
        ("TiTe championship", (18, 4, 3)),
        pytest.param("TiTe championship", (60, 10, REFEREES), marks=pytest.mark.soak),
        pytest.param("KPGUT session", (24, 3, REFEREES), marks=pytest.mark.soak),
    ],
    ids=["18 players", "60 players", "24 players"],
)
def test_evening_is_seated_with_few_clicks(
    people: People, template: str, many: tuple[int, int, int], capsys: pytest.CaptureFixture[str]
) -> None:
    players, tables, referees = many
    organiser = sign_in(people)
    create(organiser, template)
    enter_and_check_in(organiser, players)
    invite_referees(people, organiser, referees)
    seat(organiser)
    with capsys.disabled():
        print(f"{template}, {players} players: {people.all} clicks and keys")
    assert people.all < FEWER_THAN - 2 * (REFEREES - referees)
    organiser.page.goto("/en/organise/")
    organiser.page.get_by_role("link", name="Spring").first.click()
    expect(organiser.page.locator(".tile")).to_have_count(tables)


@pytest.mark.sweep
def test_a_list_pasted_without_a_network_is_still_there(people: People) -> None:
    organiser = sign_in(people)
    create(organiser, "KPGUT session")
    page = organiser.page
    page.get_by_role("link", name="Add players").click()
    page.get_by_label("Players", exact=True).fill("Aino\nBörje")
    page.context.set_offline(True)
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("alert")).to_have_text(
        "Not sent, because there is no connection. Everything you typed is still here."
    )
    expect(page.get_by_label("Players", exact=True)).to_have_value("Aino\nBörje")
    page.context.set_offline(False)
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Add ticked players").click()
    expect(page.get_by_role("button", name="Check in 2 expected")).to_be_visible()


@pytest.mark.sweep
def test_a_plan_is_used_as_it_is_typed_without_leaving_the_field(people: People) -> None:
    organiser = sign_in(people)
    create(organiser, "TiTe championship")
    page = organiser.page
    page.goto(f"{page.url.partition('?')[0]}levels/")
    page.get_by_label("Players", exact=True).fill("37")
    page.get_by_role("button", name="Use this plan").click()
    expect(page.locator("main")).to_contain_text("37 players")
