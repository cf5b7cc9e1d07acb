"""Where the admin leads: from its start page and from each row of an event to the event's pages, and what it lists."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from tests.support.admin_forms import address, links_of
from tests.support.factories import Event, StaffFactory, add_stage, event
from tests.support.practising import practised
from tournament import actions
from tournament.models import Tournament
from tournament.practice.events import events_of

pytestmark = pytest.mark.django_db
EVENT_PAGES = {
    "Event board": "organise-board",
    "Event page": "tournament",
    "Results in Excel": "workbook",
}


@pytest.fixture
def staff(db: None) -> Client:
    client = Client()
    client.force_login(StaffFactory())
    return client


@pytest.fixture
def made(db: None) -> Event:
    return add_stage(event("tite-2022", players=6), "heats", tables=2)


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


def test_event_page_of_the_admin_lists_every_table_at_play(staff: Client, made: Event) -> None:
    front = links_of(staff, reverse("admin:index"))["Enter results"]
    assert front == address(Tournament, "change", made.tournament.pk) + "#enter"
    links = links_of(staff, front)
    for table in made.tables:
        assert links[f"Heats, table {table.number}"].startswith(reverse("admin:enter", args=[table.uid]))


def test_models_of_an_evening_come_first_and_the_rest_is_folded_below(staff: Client, made: Event) -> None:
    for page in ("admin:index", "admin:app_list"):
        answer = staff.get(reverse(page, args=["tournament"] if page == "admin:app_list" else []))
        first, rest = answer.context["app_list"]
        assert (first["name"], rest["name"]) == ("Events and results", "The rest")
        names = [
            "Events",
            "Players",
            "Sessions",
            "Heats",
            "Matches",
            "Finals",
            "Races",
            "Races at each table",
        ]
        assert [row["name"] for row in first["models"]] == names
        names = [row["name"] for row in rest["models"]]
        assert {"Ledger", "Ticks", "Webhooks", "Stages", "Participants"} <= set(names)
        assert names == sorted(names)
    start = staff.get(reverse("admin:index")).content.decode()
    assert start.count("<details") == 1
    assert start.index("Finals") < start.index("<details") < start.index("Webhooks")


def test_accounts_come_first_among_the_rest(made: Event) -> None:
    browser = Client()
    browser.force_login(StaffFactory(is_superuser=True))
    assert browser.get(reverse("admin:index")).context["app_list"][1]["models"][0]["name"] == "Users"


def test_staff_who_organise_nothing_are_offered_to_add_an_event_alone(staff: Client, made: Event) -> None:
    offered = {
        row["name"]
        for app in staff.get(reverse("admin:index")).context["app_list"]
        for row in app["models"]
        if row["add_url"]
    }
    assert offered == {"Events"}


def test_administration_has_no_door_of_its_own(client: Client) -> None:
    answer = client.get("/en/admin/", follow=True)
    assert answer.redirect_chain[-1][0] == "/en/sign-in/?next=%2Fen%2Fadmin%2F"
    refused = client.post("/en/admin/login/", {"username": "kim", "password": "x"})
    assert refused.status_code == 302
    assert "_auth_user_id" not in client.session


def test_practice_is_not_listed_and_its_newcomer_is_sent_to_sign_in(client: Client, settings: Any) -> None:
    settings.TRY = True
    practice = practised()
    client.force_login(StaffFactory(is_superuser=True))
    listed = client.get(reverse("admin:tournament_tournament_changelist")).context["cl"].queryset
    assert not {row.slug for row in listed} & {row.slug for row in events_of(practice.newcomer)}
    client.force_login(practice.newcomer)
    assert client.get("/en/admin/").status_code == 302
