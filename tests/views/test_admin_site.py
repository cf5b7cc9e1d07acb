"""Where the admin leads: from its start page and from each row of an event to the event's pages, and what it lists."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests.support.admin_forms import address
from tests.support.factories import Event, StaffFactory, add_stage, event
from tournament import actions
from tournament.models import Entry, Player, Tournament

pytestmark = pytest.mark.django_db
EVENT_PAGES = {
    "Event board": "organise-board",
    "The event’s page": "tournament",
    "Results in Excel": "workbook",
}
LINK = re.compile(r'<a href="([^"]+)"[^>]*>([^<]+)</a>')


@pytest.fixture
def staff(db: None) -> Client:
    client = Client()
    client.force_login(StaffFactory())
    return client


@pytest.fixture
def made(db: None) -> Event:
    return add_stage(event("tite-2022", players=6), "heats", tables=2)


def links_of(browser: Client, page: str) -> dict[str, str]:
    """The address of each link of a page, by its words."""
    return {words: address for address, words in LINK.findall(browser.get(page).content.decode())}


def pages_of(tournament: Tournament) -> dict[str, str]:
    return {words: reverse(name, args=[tournament.slug]) for words, name in EVENT_PAGES.items()}


def test_start_page_leads_to_the_desk_and_to_each_event_that_is_not_over(staff: Client, made: Event) -> None:
    away = event("tite-2022", name="Tried out", rehearsal=True)
    away.act(actions.put_away)
    links = links_of(staff, reverse("admin:index"))
    assert links["referee’s desk"] == reverse("desk")
    assert pages_of(made.tournament).items() <= links.items()
    assert links[made.tournament.name] == address(Tournament, "change", made.tournament.pk)
    assert away.tournament.name not in links
    assert [staff.get(links[words]).status_code for words in EVENT_PAGES] == [200, 200, 200]


def test_start_page_asks_as_many_queries_for_three_events_as_for_one(
    staff: Client,
    made: Event,
    django_assert_num_queries: DjangoAssertNumQueries,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    assert made.tournament.state != "finished"
    with django_assert_max_num_queries(20) as first:
        staff.get(reverse("admin:index"))
    for _more in range(2):
        event("tite-2022", players=2)
    with django_assert_num_queries(len(first)):
        staff.get(reverse("admin:index"))


def test_each_row_of_an_event_leads_to_its_pages(staff: Client, made: Event) -> None:
    """A tournament, a stage, an entry; from a table also to the page where its results are entered."""
    wanted = pages_of(made.tournament) | {"Referee’s desk": reverse("desk")}
    standings = {"Standings": reverse("stage", args=[made.tournament.slug, made.stage.uid])}
    entered = {"Enter results": reverse("table", args=[made.table.uid])}
    for row, more in (
        (made.tournament, {}),
        (made.stage, standings),
        (made.table, standings | entered),
        (made.table.seats.first(), standings | entered),
        (made.entries[0], {}),
    ):
        links = links_of(staff, address(type(row), "change", row.pk))
        assert (wanted | more).items() <= links.items(), row
        assert {"Standings", "Enter results"} & links.keys() == more.keys(), row
    assert not EVENT_PAGES.keys() & links_of(staff, address(Tournament, "add")).keys()


def test_models_of_an_evening_come_first_and_the_rest_under_another_heading(
    staff: Client, made: Event
) -> None:
    for page in ("admin:index", "admin:app_list"):
        answer = staff.get(reverse(page, args=["tournament"] if page == "admin:app_list" else []))
        first, rest = answer.context["app_list"]
        assert (first["name"], rest["name"]) == ("Tournaments and results", "Records and upkeep")
        assert [row["object_name"] for row in first["models"]][:4] == [
            "Tournament",
            "Player",
            "Entry",
            "Stage",
        ]
        names = [row["name"] for row in rest["models"]]
        assert {"Ledger", "Ticks", "Webhooks"} <= set(names)
        assert names == sorted(names)


def test_players_say_where_one_is_added(staff: Client, made: Event) -> None:
    page = address(Player, "changelist")
    assert links_of(staff, page)["enter a player in an event"] == address(Entry, "add")


def test_sessions_heats_matches_and_finals_are_found_by_their_names(staff: Client, made: Event) -> None:
    """Each leads to the stages of its kind, and to a form that adds one."""
    first = staff.get(reverse("admin:index")).context["app_list"][0]
    named = {row["name"]: row for row in first["models"]}
    assert list(named)[3:9] == ["Stages", "Session", "Heats", "Match", "Final", "Tables"]
    listed = {
        name: staff.get(named[name]["admin_url"]).context["cl"].result_count
        for name in ("Stages", "Session", "Heats", "Match", "Final")
    }
    assert listed == {"Stages": 1, "Session": 0, "Heats": 1, "Match": 0, "Final": 0}
    assert staff.get(named["Final"]["add_url"]).context["adminform"].form["kind"].value() == "final"
