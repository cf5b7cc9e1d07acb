"""How far each stage is, and what the event waits for next."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.factories import (
    Event,
    add_stage,
    event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    running_session,
    started_game,
)
from tournament.models import Entry, Player, Seat
from tournament.pages.organiser.next_step import checklist_of
from tournament.pages.organiser.tiles import StageView, stage_views

pytestmark = pytest.mark.django_db


def views(made: Event) -> list[StageView]:
    made.refresh()
    return stage_views(made.tournament)


def test_a_thousand_seats_and_one_are_shown(client: Client) -> None:
    """SQLite refuses an expression of more than a thousand parts, which a prefetch through a foreign key makes."""
    made = add_stage(event("kpgut-2016", 2), "session", tables=1, start=False)
    organiser, table = made.tournament.organiser, made.table
    people = Player.objects.bulk_create(Player(organiser=organiser, name=f"P {n}") for n in range(1001))
    entries = Entry.objects.bulk_create(
        Entry(tournament=made.tournament, player=player, public_name=player.name, start_number=number)
        for number, player in enumerate(people, 1001)
    )
    Seat.objects.bulk_create(
        Seat(table=table, entry=entry, position=position) for position, entry in enumerate(entries, 101)
    )
    assert views(made)[0].seated == 1003
    assert checklist_of(made.tournament, made.tournament.stages.all())
    client.force_login(made.user)
    assert "P 1000" in client.get(reverse("desk-outbox")).content.decode()


def test_how_far_it_is() -> None:
    made = running_heats(players=9, tables=3)
    recorded_heat(made)
    assert views(made)[0].summary == ["1 of 3 heats done", "2 to go"]
    made = running_match(players=9, tables=3)
    recorded_round(made)
    assert views(made)[0].summary == ["0 of 3 matches finished", "1 running", "2 without a round yet"]
    made = running_session(players=8, tables=2)
    assert views(made)[0].summary == ["0 games played", "2 waiting for the next game"]
    started_game(made)
    assert views(made)[0].summary == ["0 games played", "1 running", "1 waiting for the next game"]
    made = add_stage(event("tite-2022", 8), "heats", tables=2, start=False)
    assert views(made)[0].summary == ["2 tables", "8 players seated"]
