"""Each row leads to its event's pages, to the tables where results are entered, and to the page where it is changed."""

import re
from typing import Any

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from tests.extras.administration.admin.conftest import models_of_tournaments
from tests.support.admin_forms import address, links_of
from tests.support.factories import Event, StaffFactory
from tournament import actions
from tournament.extras.administration.admin.base import ActionAdmin
from tournament.extras.administration.admin.links import CHANGED_ON
from tournament.models import ApiToken, Entry, Final, Heats, Organiser, Player, Stage, Tournament

pytestmark = pytest.mark.django_db
HERE = "Change this on the event’s own pages"
OTHERS = "The event’s organisers change this"
EVENT_PAGES = {
    "Referee’s desk": ("desk", False),
    "Event board": ("organise-board", True),
    "Event page": ("tournament", True),
    "Results in Excel": ("workbook", True),
}


@pytest.fixture
def staff(db: None) -> Client:
    client = Client()
    client.force_login(StaffFactory())
    return client


def pages_of(tournament: Tournament) -> dict[str, str]:
    return {
        words: reverse(name, args=[tournament.slug] if named else [])
        for words, (name, named) in EVENT_PAGES.items()
    }


def test_each_row_of_an_event_leads_to_its_pages(staff: Client, championship: Event) -> None:
    """A tournament, a stage under either name, an entry; a table, a seat and a play also to where results are
    entered."""
    made = championship
    wanted = pages_of(made.tournament)
    standings = {"Standings": reverse("stage", args=[made.tournament.slug, made.stage.uid])}
    enter = reverse("admin:enter", args=[made.table.uid])
    for row, more, enters in (
        (made.tournament, {}, True),
        (made.stage, standings, True),
        (Final.objects.get(pk=made.stage.pk), standings, True),
        (made.table, standings, True),
        (made.table.seats.all()[0], standings, True),
        (made.table.plays.all()[0], standings, True),
        (made.entries[0], {}, True),
    ):
        page = address(type(row), "change", row.pk)
        links = links_of(staff, page)
        assert (wanted | more).items() <= links.items(), row
        assert ("Standings" in links) is bool(more), row
        assert (links.get("Final, table 1") == f"{enter}?back={page.replace('/', '%2F')}") is enters, row
    assert not EVENT_PAGES.keys() & links_of(staff, address(Tournament, "add")).keys()


def test_finished_stage_offers_no_table(staff: Client, championship: Event) -> None:
    heats = Heats.objects.get(tournament=championship.tournament)
    assert "Heats, table 1" not in links_of(staff, address(Heats, "change", heats.pk))


def test_planned_stage_says_that_it_has_to_start(staff: Client, championship: Event) -> None:
    row = championship.tables[0].stage
    Stage.objects.filter(pk=row.pk).update(state="planned")
    links = links_of(staff, address(Stage, "change", row.pk))
    assert links["Start the stage"] == reverse("organise-stage", args=[row.uid])


@pytest.mark.parametrize("model", models_of_tournaments(), ids=lambda model: model.__name__)
@pytest.mark.sweep
def test_page_of_what_cannot_be_changed_says_where_it_can(
    model: Any, browser: Client, staff: Client, championship: Event
) -> None:
    """To an organiser the page itself, which opens; to others the board of those who organise."""
    row = model._default_manager.last()
    page = address(model, "change", row.pk)
    shown: Any = admin.site._registry[model]
    changed_here = isinstance(shown, ActionAdmin) and bool(shown.change_action)
    text = browser.get(page).content.decode()
    if model is Organiser:
        assert "keeps the name given with their first event" in text
    elif changed_here:
        assert HERE not in text
    elif "ledger" in model.__name__.lower():
        assert "Rows of the ledger cannot be changed" in text
        assert browser.get(links_of(browser, page)["ledger"]).status_code == 200
    else:
        (link,) = re.findall(rf'{HERE}\. <a href="([^"]+)"', text)
        assert browser.get(link).status_code == 200
        assert model is ApiToken or model in CHANGED_ON
    if not shown.organised_by and model not in {Organiser, ApiToken}:  # those others do not see
        seen = staff.get(page).content.decode()
        assert HERE in seen or OTHERS in seen or "Rows of the ledger cannot be changed" in seen


def test_event_that_was_put_away_leads_to_where_it_is_brought_back(
    browser: Client, championship: Event
) -> None:
    championship.act(actions.put_away)
    for row in (championship.tournament, championship.stage, championship.entries[0]):
        links = links_of(browser, address(type(row), "change", row.pk))
        assert links["My events"] == reverse("organise")
        assert not {"Event board", "Final, table 1", "Results in Excel"} & links.keys()


def test_player_leads_to_the_event_they_entered_last(browser: Client, championship: Event) -> None:
    entry = championship.entries[0]
    links = links_of(browser, address(Player, "change", entry.player.pk))
    assert pages_of(championship.tournament).items() <= links.items()
    assert reverse("organise-player", args=[entry.uid]) in links.values()
    Entry.objects.filter(player__name="Seatless").delete()
    lonely = Player.objects.get(name="Seatless")
    assert browser.get(address(Player, "change", lonely.pk)).status_code == 200
