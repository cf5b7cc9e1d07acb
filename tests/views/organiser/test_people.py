"""People: who comes again is known, whichever way the name comes in; joined and parted on a page."""

from datetime import date
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.support.factories import Event, UserFactory, event
from tests.views.organiser.conftest import Browser, Forms, enter
from tournament import actions
from tournament.models import Entry, Invite, Membership, User

pytestmark = pytest.mark.django_db

REGULARS = "Aino Mäkelä (Ansku), Noppa\nMatti Virtanen, Noppa\nEetu"


def evening(organiser: User, before: Event | None = None, **more: Any) -> Event:
    club: dict[str, Any] = {"organiser": before.tournament.organiser.uid} if before else {}
    return event("kpgut-2016", user=organiser, **club, **more)


def address(made: Event, *more: str) -> str:
    return reverse("organise-people", args=[made.tournament.slug])


def players(made: Event) -> dict[str, Any]:
    return {entry.public_name: entry.player.uid for entry in Entry.objects.filter(tournament=made.tournament)}


@pytest.fixture
def first(browser: Browser, organiser: User) -> Event:
    made = evening(organiser, name="First", starts_on=date(2026, 5, 2))
    enter(browser, made.tournament, REGULARS)
    return made


def test_a_walk_in_who_is_known_is_linked_and_can_be_told_apart(
    browser: Browser, organiser: User, first: Event
) -> None:
    second = evening(organiser, first)
    page = reverse("organise-walk-in", args=[second.tournament.slug])
    sent = {"command": str(uuid4()), "name": "Aino Mäkelä", "table": "none"}
    for _twice in range(2):
        answer = browser.post(page, sent)
        assert answer.status_code == 303
    assert players(second) == {"Ansku": players(first)["Ansku"]}
    shown = browser.get(answer["Location"]).content.decode()
    assert "Known from" in shown
    entry = Entry.objects.get(tournament=second.tournament)
    another = reverse("organise-another-person", args=[entry.uid])
    assert another in shown
    assert browser.post(another, {"command": str(uuid4())}).status_code == 303
    assert players(second) != {"Ansku": players(first)["Ansku"]}
    assert browser.post(another, {"command": str(uuid4())}).status_code == 422


def test_registration_from_outside_is_only_proposed(browser: Browser, organiser: User, first: Event) -> None:
    from tests.support.arriving import opened, registered

    second = evening(organiser, first)
    opened(second)
    registered(second, "Matti Virtanen")
    assert players(second)["Matti Virtanen"] != players(first)["Matti Virtanen"]
    (pair,) = browser.get(reverse("organise-duplicates", args=[second.tournament.slug])).context["pairs"]
    assert pair["earlier"].uid == players(first)["Matti Virtanen"]


def test_next_evening_begins_with_who_is_here(browser: Browser, organiser: User, first: Event) -> None:
    second = evening(organiser, first)
    assert (
        address(second)
        in browser.get(reverse("organise-players", args=[second.tournament.slug])).content.decode()
    )
    people = browser.get(address(second)).context["people"]
    assert [(one.shown_name, here) for one, here in people] == [
        ("Ansku (Aino Mäkelä)", False),
        ("Eetu", False),
        ("Matti Virtanen", False),
    ]
    sent = {"command": str(uuid4()), "person": [str(one.uid) for one, _here in people[:2]], "here": "1"}
    for _twice in range(2):
        assert browser.post(address(second), sent).status_code == 303
    entries = Entry.objects.filter(tournament=second.tournament)
    assert set(entries.values_list("public_name", "club", "state")) == {
        ("Ansku", "Noppa", "checked_in"),
        ("Eetu", "", "checked_in"),
    }
    more = {"command": str(uuid4()), "person": str(people[2][0].uid), "enter": "1"}
    assert browser.post(address(second), more).status_code == 303
    assert players(second) == players(first)
    assert entries.get(public_name="Matti Virtanen").state == "registered"
    assert browser.post(address(second), {"command": str(uuid4()), "here": "1"}).status_code == 422


def test_ticked_people_who_are_entered_already_are_checked_in_with_the_others(
    browser: Browser, organiser: User, first: Event
) -> None:
    second = evening(organiser, first)
    eetu, matti = (str(players(first)[name]) for name in ("Eetu", "Matti Virtanen"))

    def send(button: str, *named: str) -> None:
        sent = {"command": str(uuid4()), "person": named, button: "1"}
        for _twice in range(2):
            assert browser.post(address(second), sent).status_code == 303

    def states() -> dict[str, str]:
        entries = Entry.objects.filter(tournament=second.tournament)
        return dict(entries.values_list("public_name", "state"))

    send("enter", eetu)
    send("here", eetu)
    assert states() == {"Eetu": "checked_in"}
    send("enter", str(players(first)["Ansku"]))
    send("here", str(players(first)["Ansku"]), matti)
    assert states() == dict.fromkeys(["Ansku", "Eetu", "Matti Virtanen"], "checked_in")


def test_people_are_joined_by_a_tap_and_parted_by_another(
    browser: Browser, organiser: User, first: Event
) -> None:
    second = evening(organiser, first)
    rows = [{"entry": uuid4(), "name": name, "club": "Noppa"} for name in ("Matti Virtanen", "Eetu Laine")]
    second.act(actions.enter_players, players=rows)
    before = players(second)
    page = browser.get(address(second))
    assert [[one.event for one in group] for group in page.context["groups"]] == [
        [second.tournament.name, "First"]
    ]
    groups = {"group": " ".join(str(one.uid) for one in page.context["groups"][0])}
    answer = browser.post(address(second), {"command": str(uuid4()), "same": "1", **groups})
    assert players(second)["Matti Virtanen"] == players(first)["Matti Virtanen"]
    form = next(
        form
        for form in Forms(browser.get(answer["Location"]).content.decode()).forms
        if "row" in form["data"]
    )
    assert browser.post(form["action"], form["data"]).status_code == 303
    assert players(second) == before
    named = [str(players(first)["Eetu"]), str(before["Eetu Laine"])]
    assert (
        browser.post(address(second), {"command": str(uuid4()), "person": named, "join": "1"}).status_code
        == 303
    )
    assert players(second)["Eetu Laine"] == players(first)["Eetu"]
    twins = [str(uid) for uid in {*players(second).values()}]
    answer = browser.post(address(second), {"command": str(uuid4()), "person": twins, "join": "1"})
    said = answer.content.decode()
    assert (answer.status_code, "so they are two people" in said, "Merge" in said) == (422, True, False)


def test_a_person_is_renamed_and_left_out(browser: Browser, organiser: User, first: Event) -> None:
    uid = players(first)["Eetu"]
    page = reverse("organise-person", args=[first.tournament.slug, uid])
    assert browser.get(page).context["form"].initial == {"name": "Eetu"}
    assert browser.post(page, {"command": str(uuid4()), "name": ""}).status_code == 422
    private = browser.post(page, {"command": str(uuid4()), "name": "eetu@example.org"})
    assert (private.status_code, "Yes, everyone may see it" in private.content.decode()) == (422, True)
    assert browser.post(page, {"command": str(uuid4()), "name": "Eetu Laine"}).status_code == 303
    assert players(first)["Eetu Laine"] == uid
    assert browser.post(page, {"command": str(uuid4()), "left_out": "1"}).status_code == 303
    context = browser.get(address(first)).context
    assert [one.uid for one in context["left_out"]] == [uid]
    assert uid not in {one.uid for one, _here in context["people"]}
    assert browser.get(reverse("organise-person", args=[first.tournament.slug, uuid4()])).status_code == 404


def test_people_are_shown_to_the_organisers_of_all_events_only(client: Any, first: Event) -> None:
    invited = UserFactory()
    until = first.tournament.ledger.latest("pk").at
    invite = Invite.objects.create(tournament=first.tournament, role="organiser", expires_at=until)
    Membership.objects.create(tournament=first.tournament, user=invited, role="organiser", invite=invite)
    client.force_login(invited)
    assert client.get(address(first)).status_code == 403
    client.force_login(first.user)
    assert address(first) in client.get(reverse("organise")).content.decode()


def test_list_asks_as_often_for_many_people_as_for_one(browser: Browser, organiser: User) -> None:
    asked = []
    for count in (1, 5):
        made = event(user=organiser, players=count)
        with CaptureQueriesContext(connection) as queries:
            assert len(browser.get(address(made)).context["people"]) == count
        asked.append(len(queries))
    assert asked[0] == asked[1] <= 12
