"""Events that are put away are gone from everybody's pages, and come back as they were; one in which nothing was played
can be deleted. A rehearsal is never listed."""

from datetime import date
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.asking_actions import refusal
from tests.support.factories import Event, add_stage, event, recorded_heat
from tournament import actions
from tournament.actions import Command
from tournament.ledger.verify import verify
from tournament.models import Entry, LedgerRow, Player, Tournament, User
from tournament.queries.live import read_versions
from tournament.results.faults import Forbidden, Refused
from tournament.views.desk.my_tables import tables_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def rehearsal(db: None) -> Event:
    """Heats that are rehearsed, one of them played."""
    made = event("tite-2022", players=6, name="Cup", rehearsal=True)
    add_stage(made, "heats", tables=2)
    recorded_heat(made)
    return made.refresh()


def put_away(made: Event) -> Tournament:
    made.act(actions.put_away)
    return made.refresh().tournament


def public_pages(made: Event) -> list[str]:
    slug = made.tournament.slug
    return [
        reverse("tournament", args=[slug]),
        reverse("stage", args=[slug, made.stage.uid]),
        reverse("entry", args=[slug, made.entries[0].uid]),
        reverse("workbook", args=[slug]),
    ]


@pytest.mark.beside
def test_rehearsal_is_never_listed(rehearsal: Event) -> None:
    assert (rehearsal.tournament.rehearsal, rehearsal.tournament.listed) == (True, False)
    assert rehearsal.tournament.slug == "rehearsal-cup-2026"
    details = {"name": "Cup", "starts_on": date(2026, 5, 9)}
    assert refusal(rehearsal, actions.edit_tournament, **details, listed=True) == [
        ("rehearsal_not_listed", "/listed")
    ]
    rehearsal.act(actions.edit_tournament, **details, listed=False)
    Tournament.objects.update(listed=True)  # even where something else would say so
    assert not Tournament.objects.listed().exists()


def test_put_away_hides_every_page(rehearsal: Event) -> None:
    pages = public_pages(rehearsal)
    assert {Client().get(page).status_code for page in pages} == {200}
    put_away(rehearsal)
    assert {Client().get(page).status_code for page in (*pages, *public_pages(rehearsal))} == {404}
    assert not tables_of(rehearsal.user).exists()
    table = Client()
    table.force_login(rehearsal.user)
    assert table.get(reverse("table", args=[rehearsal.table.uid])).status_code == 404
    assert table.get(reverse("organise-board", args=[rehearsal.tournament.slug])).status_code == 404
    assert table.get(reverse("organise-stage", args=[rehearsal.stage.uid])).status_code == 404
    assert verify(rehearsal.tournament) == []


def test_put_away_ends_the_live_scopes(rehearsal: Event) -> None:
    scopes = {str(rehearsal.tournament.uid), str(rehearsal.stage.uid)}
    before = read_versions()
    assert scopes <= before.keys()
    put_away(rehearsal)
    after = read_versions()
    assert not scopes & after.keys()
    assert after["site"] == before["site"] + 1


@pytest.mark.parametrize("rehearsal", [True, False])
def test_put_away_keeps_the_address(rehearsal: bool) -> None:
    made = event(players=1, rehearsal=rehearsal, slug="cup")
    made.act(actions.put_away)
    made.act(actions.bring_back)
    assert made.tournament.slug == Tournament.objects.get().slug == "cup"


def test_only_bringing_back_is_done_to_what_is_put_away(rehearsal: Event) -> None:
    put_away(rehearsal)
    for action in (actions.put_away, actions.enter_players, actions.finish_stage):
        with pytest.raises(Forbidden):
            rehearsal.act(action)
    rehearsal.act(actions.bring_back)
    assert refusal(rehearsal, actions.bring_back) == [("not_put_away", "")]


def test_put_away_sent_twice_is_answered_twice(rehearsal: Event) -> None:
    command = Command(uuid4(), rehearsal.user)
    first = actions.put_away(command, rehearsal.tournament.uid)
    again = actions.put_away(command, rehearsal.tournament.uid)
    assert (again.sequence, again.replayed) == (first.sequence, True)


def test_organisers_alone_put_away(rehearsal: Event) -> None:
    for action in (actions.put_away, actions.bring_back):
        with pytest.raises(Forbidden):
            action(Command(uuid4(), rehearsal.referee("head_referee")), rehearsal.tournament.uid)


def test_event_in_which_nothing_was_played_is_deleted_with_everything() -> None:
    made = event("tite-2022", players=6)
    add_stage(made, "heats", tables=2)
    referee = made.referee()
    for _time in range(2):
        actions.delete_event(Command(uuid4(), made.user), made.tournament)
    assert not Tournament.objects.exists()
    assert [each.objects.count() for each in (Entry, Player, LedgerRow)] == [0, 0, 0]
    assert User.objects.filter(pk__in=[made.user.pk, referee.pk]).count() == 2


def test_player_of_another_event_stays_when_one_is_deleted() -> None:
    first = event(players=2)
    second = event(user=first.user, organiser=first.tournament.organiser.uid, organiser_name="")
    player = first.entries[0].player
    second.act(actions.enter_players, players=[{"entry": uuid4(), "player": player.uid, "name": "A"}])
    actions.delete_event(Command(uuid4(), first.user), second.tournament)
    assert list(Tournament.objects.all()) == [first.tournament]
    assert Player.objects.count() == 2
    first.tournament.refresh_from_db()
    assert verify(first.tournament) == []


def test_event_that_was_played_is_not_deleted_also_if_all_is_void(rehearsal: Event) -> None:
    with pytest.raises(Refused, match="already_played"):
        actions.delete_event(Command(uuid4(), rehearsal.user), rehearsal.tournament)
    assert Tournament.objects.exists()


@pytest.mark.parametrize("role", ["head_referee", "table_referee"])
def test_organisers_alone_delete(role: str) -> None:
    made = event(players=2)
    with pytest.raises(Forbidden):
        actions.delete_event(Command(uuid4(), made.referee(role)), made.tournament)
    assert Tournament.objects.exists()
