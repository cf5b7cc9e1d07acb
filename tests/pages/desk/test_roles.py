"""The oldest and the youngest at a table: by birth dates where all are known, else by what somebody stated."""

from datetime import date

import pytest

from tests.support.factories import Event, running_session, started_game
from tournament import actions
from tournament.models import Entry, Table
from tournament.pages.desk.table import Roles, roles_at, scene_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def session() -> Event:
    return running_session(players=3)


def roles(made: Event) -> Roles:
    return roles_at(scene_of(Table.objects.get(pk=made.table.pk)))


def test_birth_dates_of_all_say_it(session: Event) -> None:
    assert roles(session) == Roles(oldest="", youngest="", ask=True)
    for number, entry in enumerate(Entry.objects.select_related("player").order_by("start_number")):
        assert roles(session).ask
        entry.player.birth_date = date(1990 + number, 1, 1)
        entry.player.save()
    assert roles(session) == Roles(oldest="Aino", youngest="Cécile", ask=False)


def test_whoever_gave_up_has_no_role_any_more(session: Event) -> None:
    first, _second, third = session.uids
    session.act(actions.name_roles, table=session.table.uid, oldest=first, youngest=third)
    assert roles(session) == Roles(oldest="Aino", youngest="Cécile", ask=False)
    play = started_game(session)
    assert roles(session) == Roles(oldest="Aino", youngest="Cécile", ask=False)
    session.act(actions.record_give_up, play=play, entry=first)
    assert roles(session) == Roles(oldest="", youngest="Cécile", ask=True)
