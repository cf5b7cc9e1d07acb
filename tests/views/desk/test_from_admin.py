"""From a page of the admin to the desk, and back there when the result is entered."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.admin_forms import address
from tests.support.factories import Event, StaffFactory, recorded_round, running_match
from tournament import actions
from tournament.models import Match
from tournament.views.desk._page import COOKIE, LONGEST_ADMIN_PATH

pytestmark = pytest.mark.django_db


@pytest.fixture
def made(db: None) -> Event:
    return running_match()


@pytest.fixture
def staff(db: None) -> Client:
    client = Client()
    client.force_login(StaffFactory())
    return client


def enter(browser: Client, made: Event, back: str) -> str:
    """Go to the first table by the admin's button; the table's page."""
    answer = browser.get(reverse("admin:enter", args=[made.table.uid]), {"back": back}, follow=True)
    assert answer.redirect_chain == [(reverse("table", args=[made.table.uid]), 302)]
    return answer.content.decode()


def test_table_leads_back_to_the_admin_before_and_after_a_result(staff: Client, made: Event) -> None:
    back = address(Match, "change", made.stage.pk)
    link = f'href="{back}"\n  >Administration</a>'
    assert link in enter(staff, made, back)
    recorded_round(made)
    page = reverse("table", args=[made.table.uid])
    assert link in staff.get(page).content.decode()
    assert staff.cookies[COOKIE]["httponly"]
    staff.get(reverse("desk"))
    assert link not in staff.get(page).content.decode()


def test_only_the_table_that_was_opened_leads_back(staff: Client, made: Event) -> None:
    other = running_match()
    enter(staff, made, reverse("admin:index"))
    answer = staff.get(reverse("table", args=[other.table.uid]))
    assert answer.context["admin_url"] == ""


@pytest.mark.parametrize(
    "back",
    [
        "",
        "https://a.example/",
        "//a.example/",
        "/en/desk/",
        "javascript:alert(1)",
        "x" * (LONGEST_ADMIN_PATH + 1),
    ],
)
def test_only_a_page_of_the_admin_is_led_back_to(staff: Client, made: Event, back: str) -> None:
    enter(staff, made, back)
    assert COOKIE not in staff.cookies


def test_forged_way_back_leads_nowhere(staff: Client, made: Event) -> None:
    staff.cookies[COOKIE] = "made-up"
    answer = staff.get(reverse("table", args=[made.table.uid]))
    assert (answer.status_code, answer.context["admin_url"]) == (200, "")


def test_table_of_an_event_that_was_put_away_is_gone(staff: Client, made: Event) -> None:
    made.act(actions.put_away)
    assert staff.get(reverse("admin:enter", args=[made.table.uid])).status_code == 404
