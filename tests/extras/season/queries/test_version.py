"""The version of a tour's pages: every write at one of the organiser's events raises it, hiding one too; only deleting
a rehearsal for good lowers it, and then no page that is newer stays."""

from collections.abc import Callable, Iterator
from datetime import date
from io import StringIO
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from tests.live.conftest import forget
from tests.support.archives import archived, brought, forget as forget_event
from tests.support.factories import Event
from tests.support.tour_evenings import Club, add_game, over
from tournament import actions
from tournament.extras.archive.files.schema import People
from tournament.extras.season.actions import put_in_season, start_season
from tournament.extras.season.queries.answers import tour_of
from tournament.live.pages import store
from tournament.live.store import versions
from tournament.models import Season, Tournament
from tournament.queries.live import read_versions

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]


@pytest.fixture(autouse=True)
def _nothing_known() -> Iterator[None]:
    forget()
    yield
    forget()


def poll() -> None:
    """Read the database once, as the poller does."""
    versions.settle(versions.all(), read_versions())


def unlist(made: Event) -> None:
    made.act(actions.edit_tournament, name="Hidden", starts_on=date(2026, 5, 9), listed=False)


def finish(made: Event) -> None:
    add_game(made, [600, 900, 0])
    over(made)


def rename(made: Event) -> None:
    made.act(actions.edit_entry, entry=made.uids[0], public_name="Nine Lives", start_number=1)


@pytest.mark.parametrize("change", [finish, rename, unlist])
def test_change_at_one_event_raises_the_tours_version_and_its_pages_follow(
    change: Callable[[Event], None],
) -> None:
    club = Club()
    club.session("Aino", "Börje", "Cécile", games=[[600, 900, 0]], on=date(2025, 1, 1))
    made = club.session("Aino", "Börje", "Cécile", games=[[60, 900, 0]], finish=False)
    scope = str(club.organiser.uid)
    client = Client()
    path = f"{club.address}player/{club.player('Aino')}/"
    before = client.get(path).content
    assert store.fresh(path) is not None
    known = versions.known(scope)
    assert known is not None
    change(made)
    assert store.fresh(path) is None
    told = versions.known(scope)
    assert told is not None
    assert told > known
    assert told == read_versions()[scope]
    assert client.get(path).content != before
    assert store.fresh(path) is not None


def test_screen_with_a_season_follows_its_other_evenings_and_another_screen_does_not() -> None:
    club = Club()
    may = club.match("Aino", "Börje")
    may.act(start_season, season=uuid4(), name="The year")
    made, client = club.match("Aino", "Börje"), Client()
    made.act(put_in_season, season=Season.objects.get().uid, belongs=True)
    paths = []
    for scenes in (["season"], ["standings"]):
        made.act(actions.add_screen, screen=(screen := uuid4()), name=scenes[0])
        made.act(actions.set_screen, screen=screen, scenes=scenes)
        paths.append(reverse("screen", args=[made.tournament.slug, screen]))
    for path in paths:
        client.get(path)
    rename(may)
    assert [store.fresh(path) is None for path in paths] == [True, False]
    client.get(paths[0])
    assert store.fresh(paths[0]) is not None


def test_change_at_an_event_of_somebody_else_changes_nothing() -> None:
    club, other = Club(), Club()
    club.match("Aino", "Börje")
    Client().get(club.address)
    other.match("Aino", "Börje")
    assert store.fresh(club.address) is not None


def test_page_of_a_tour_that_lost_its_last_event_is_gone_and_comes_back() -> None:
    club = Club()
    made = club.match("Aino", "Börje")
    client = Client()
    assert client.get(club.address).status_code == 200
    unlist(made)
    assert store.fresh(club.address) is None
    assert client.get(club.address).status_code == 404
    made.act(actions.edit_tournament, listed=True)
    assert client.get(club.address).status_code == 200


def test_rehearsal_that_is_put_away_raises_it_and_one_that_is_deleted_leaves_no_newer_page() -> None:
    """After a deletion versions come again that pages were published under before: those must be gone."""
    club = Club()
    club.match("Aino", "Börje", name="Real")
    tried = club.match("Aino", "Börje", rehearsal=True)
    scope = str(club.organiser.uid)
    client = Client()
    client.get(club.address)
    before = versions.known(scope)
    tried.act(actions.put_away)
    assert before is not None
    assert versions.known(scope) == before + 1
    client.get(club.address)
    call_command("purge", stdout=StringIO())
    assert not Tournament.objects.filter(pk=tried.tournament.pk).exists()
    poll()
    known = versions.known(scope)
    assert known == Tournament.objects.get(name="Real").version
    assert store.last(club.address) is None
    client.get(club.address)
    assert store.fresh(club.address) is not None


def test_an_event_that_came_back_without_names_has_none_in_its_tour() -> None:
    club = Club()
    made = club.session("Aino", "Börje", "Cécile", games=[[600, 900, 0]], on=date(2025, 1, 1))
    before = tour_of(club.organiser.uid)
    archive = archived(made.tournament, People.ANONYMOUS)
    forget_event(made.tournament)
    brought(archive)
    after = tour_of(club.organiser.uid)
    assert before
    assert after
    assert before.version == after.version
    assert not set(before.names.values()) & set(after.names.values())
