"""Players on the organiser's pages: check-in, changes, leaving."""

from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse

from tests.support.factories import Event, event, running_match
from tests.views.organiser.conftest import Browser, enter
from tournament import actions
from tournament.models import Entry, Membership, User

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", "שלום עולם", "🎉🃏", "a\u202eb", "x" * 100, 'O\'Brien "Q"']
)
def test_any_name_is_text_on_every_page(browser: Browser, planned: Event, name: str) -> None:
    enter(browser, planned.tournament, name)
    page = browser.get(reverse("organise-players", args=[planned.tournament.slug])).content.decode()
    assert "<script>alert" not in page
    assert Entry.objects.get(public_name=name.replace("\u202e", ""))  # which would turn what follows


def test_one_player_checks_in(browser: Browser, planned: Event) -> None:
    slug = planned.tournament.slug
    entry = planned.entries[2]
    page = reverse("organise-check-in", args=[slug])
    assert browser.post(page, {"command": str(uuid4()), "entry": str(entry.uid)}).status_code == 303
    assert list(Entry.objects.filter(state="checked_in")) == [entry]
    assert browser.post(page, {"command": str(uuid4()), "entry": str(uuid4())}).status_code == 422
    assert browser.post(page, {"command": "nonsense"}).status_code == 422


def test_player_is_changed(browser: Browser, planned: Event) -> None:
    entry = planned.entries[0]
    page = reverse("organise-player", args=[entry.uid])
    taken = browser.send(page, page, start_number=str(planned.entries[1].start_number))
    assert taken.status_code == 422
    assert browser.send(page, page, birth_date="31.02.1990").status_code == 422
    assert browser.send(page, page, public_name="New", birth_date="1990-01-31").status_code == 303
    entry.refresh_from_db()
    assert (entry.public_name, str(entry.player.birth_date)) == ("New", "1990-01-31")


def moved(browser: Browser, entry: Entry, what: str, **typed: str) -> Any:
    """Open the page that says what follows, and confirm."""
    page = reverse("organise-player-move", args=[entry.uid, what])
    return browser.send(page, f"/{what}/", **typed)


def test_the_page_says_that_a_minor_is_shown_as_a_number(browser: Browser, planned: Event) -> None:
    """The name comes back once the birth date says otherwise."""
    entry = planned.entries[0]
    page = reverse("organise-player", args=[entry.uid])
    name = entry.public_name
    for birth_date, shown in (("2015-01-31", f"Player {entry.start_number}"), ("1995-01-31", name)):
        answer = browser.send(page, page, birth_date=birth_date)
        said = (
            f"everyone sees “{shown}” instead of “{name}”" in browser.get(answer["Location"]).content.decode()
        )
        entry.refresh_from_db()
        assert (entry.public_name, said) == (shown, shown != name)


def test_player_leaves_and_comes_back(browser: Browser, organiser: User) -> None:
    made = running_match()
    Membership.objects.create(tournament=made.tournament, user=organiser, role="organiser")
    entry = made.entries[0]
    assert moved(browser, entry, "leave").status_code == 303
    entry.refresh_from_db()
    assert entry.state == "left"
    assert moved(browser, entry, "back").status_code == 303
    entry.refresh_from_db()
    assert entry.state == "checked_in"
    no_reason = moved(browser, entry, "remove", reason=" ")
    assert no_reason.status_code == 422
    assert "Write a reason." in no_reason.content.decode()
    assert moved(browser, entry, "remove", reason="x" * 501).status_code == 422
    assert moved(browser, entry, "remove", reason="After a warning").status_code == 303
    entry.refresh_from_db()
    assert entry.state == "disqualified"


def test_entry_by_mistake_is_taken_out(browser: Browser, planned: Event) -> None:
    assert moved(browser, planned.entries[0], "withdraw").status_code == 303
    assert Entry.objects.count() == 6
    assert (
        browser.post(reverse("organise-player-move", args=[planned.entries[1].uid, "nonsense"])).status_code
        == 404
    )


def test_details_are_changed(browser: Browser, planned: Event) -> None:
    page = reverse("organise-edit", args=[planned.tournament.slug])
    assert browser.send(page, page, slug="new-address", name="New").status_code == 303
    planned.tournament.refresh_from_db()
    assert (planned.tournament.slug, planned.tournament.name) == ("new-address", "New")
    assert browser.get(page).status_code == 404


def test_players_who_are_here_are_seated_from_their_page(browser: Browser, planned: Event) -> None:
    stage = uuid4()
    planned.act(actions.plan_stage, stage=stage, kind="match")
    page = reverse("organise-players", args=[planned.tournament.slug])
    seats = reverse("organise-seats", args=[stage])
    assert seats not in browser.get(page).content.decode()
    planned.act(actions.check_in, entries=planned.uids)
    assert seats in browser.get(page).content.decode()
    planned.act(actions.seat_table, stage=stage, table=uuid4(), number=1, entries=planned.uids[:2])
    assert seats not in browser.get(page).content.decode()


def test_a_linked_player_is_told_apart_on_their_page(browser: Browser, planned: Event) -> None:
    page = reverse("organise-player", args=[planned.uids[0]])
    assert "/another/" not in browser.get(page).content.decode()
    second = event(user=planned.user, organiser=planned.tournament.organiser.uid)
    rows = [{"entry": uuid4(), "name": "Aino", "player": planned.entries[0].player.uid}]
    second.act(actions.enter_players, players=rows)
    assert browser.send(page, "/another/").status_code == 303
    assert (
        Entry.objects.get(tournament=second.tournament).player
        != Entry.objects.get(uid=planned.uids[0]).player
    )
