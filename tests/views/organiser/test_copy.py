"""Copying and rehearsing events from the organiser's pages."""

from datetime import date, timedelta
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.support.factories import Event, UserFactory, event
from tests.views.organiser.conftest import Browser, form_of, shown
from tournament import actions
from tournament.models import Table, Tournament, User

pytestmark = pytest.mark.django_db

# ---- copying


@pytest.mark.parametrize(
    ("name", "following"),
    [
        ("Cup 2026", "Cup {year}"),
        ("Evening 9", "Evening 10"),
        ("Club night", "Club night"),
        ("UNO112", "UNO112"),
    ],
)
def test_copy_offers_the_next_week(browser: Browser, organiser: User, name: str, following: str) -> None:
    made = event(name=name, starts_on=date(2026, 5, 9), user=organiser)
    offered = form_of(browser, reverse("organise-copy", args=[made.tournament.slug]))
    day = date.fromisoformat(offered["starts_on"])
    assert 0 <= (day - timezone.localdate()).days < 7
    assert (day - made.tournament.starts_on).days % 7 == 0
    assert offered["name"] == following.format(year=day.year)
    assert offered.keys() >= {"roles"}
    assert not {"players", "rehearsal"} & offered.keys()  # ticked by hand


def test_copy_of_tonight_is_in_a_week(browser: Browser, organiser: User) -> None:
    made = event(starts_on=timezone.localdate(), user=organiser)
    offered = form_of(browser, reverse("organise-copy", args=[made.tournament.slug]))
    assert date.fromisoformat(offered["starts_on"]) == timezone.localdate() + timedelta(weeks=1)


def test_copy_says_what_differs(browser: Browser, planned: Event) -> None:
    page = reverse("organise-copy", args=[planned.tournament.slug])
    assert browser.get(page).context["differs"] == []
    planned.act(actions.set_registration, opened=True)
    stage = uuid4()
    planned.act(actions.plan_stage, stage=stage, kind="match")
    planned.act(actions.seat_table, stage=stage, table=uuid4(), number=1, entries=planned.uids[:2])
    planned.referee("table_referee", Table.objects.get())
    assert browser.get(page).context["differs"] == [
        "Registration is closed until you open it.",
        "Referees of one table may enter results at all tables until you assign them again.",
    ]


def test_two_events_of_one_name_on_one_day_are_noticed(browser: Browser, planned: Event) -> None:
    page = reverse("organise-copy", args=[planned.tournament.slug])
    for name, warned in (("Night", False), ("Night", True), ("Another", False)):
        sent = form_of(browser, page) | {"name": name, "starts_on": "2027-05-08"}
        answer = browser.post(page, sent, follow=True)
        assert ("There is another event of this name on this day." in answer.content.decode()) is warned


def test_copy_is_made_once_however_often_it_is_sent(browser: Browser, planned: Event) -> None:
    page = reverse("organise-copy", args=[planned.tournament.slug])
    sent = form_of(browser, page) | {"name": "Copy", "starts_on": "2027-05-08", "players": "on"}
    for _time in range(2):
        answer = browser.post(page, sent)
        assert answer.status_code == 303
    made = Tournament.objects.get(name="Copy")
    assert answer["Location"].startswith(reverse("organise-board", args=[made.slug]))
    assert (made.entries.count(), made.rehearsal) == (7, False)


def test_copy_that_cannot_be_made_loses_nothing_typed(browser: Browser, planned: Event) -> None:
    page = reverse("organise-copy", args=[planned.tournament.slug])
    sent = form_of(browser, page) | {"name": "", "starts_on": "soon", "rehearsal": "on"}
    answer = browser.post(page, sent)
    assert answer.status_code == 422
    again = shown(answer)
    assert (again["starts_on"], again["rehearsal"], "players" in again) == ("soon", "on", False)
    assert Tournament.objects.count() == 1


def test_copy_needs_an_organiser(planned: Event) -> None:
    for user, status in ((UserFactory(), 404), (planned.referee("head_referee"), 403)):
        client = Browser()
        client.force_login(user)
        for name in ("copy", "rehearse"):
            address = reverse(f"organise-{name}", args=[planned.tournament.slug])
            assert client.post(address, {"command": str(uuid4()), "name": "Mine"}).status_code == status


# ---- rehearsing
