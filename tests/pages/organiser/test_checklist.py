"""The points of the checklist: what the facts say."""

import pytest

from tests.support.factories import Event, add_stage, event
from tournament import actions
from tournament.models import Tournament
from tournament.pages.organiser.next_step import Checklist, checklist_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def evening(db: None) -> Event:
    """A KPGUT session of two tables of eight, seated, not started; nobody is checked in."""
    return add_stage(event("kpgut-2016", players=16), "session", tables=2, start=False)


def listed(made: Event) -> Checklist:
    stored = Tournament.objects.get(pk=made.tournament.pk)
    found = checklist_of(stored, stored.stages.all())
    assert found
    return found


def point(made: Event, item: str) -> tuple[bool, str]:
    """Tell whether the facts say that a point is done, with their words."""
    found = next(point for point in listed(made).points if point.item == item)
    return found.done, found.text


def test_players_are_done_when_nobody_is_expected_any_more(evening: Event) -> None:
    assert point(evening, "players") == (False, "0 here, 16 expected.")
    evening.act(actions.check_in, entries=evening.uids[:15])
    assert point(evening, "players") == (False, "15 here, 1 expected.")
    evening.act(actions.no_show, entries=evening.uids[15:])
    assert point(evening, "players") == (True, "15 here.")


def test_referees_are_done_when_each_table_has_one_or_enough_are_for_all(evening: Event) -> None:
    assert point(evening, "referees") == (
        False,
        "Tables without a referee of their own: 2. Referees for all tables: 0.",
    )
    evening.referee("table_referee", evening.tables[0])
    assert not point(evening, "referees")[0]
    evening.referee("table_referee")
    assert point(evening, "referees") == (True, "Referees: 1. Tables to cover: 1.")
    evening.referee("table_referee", evening.tables[1])
    assert point(evening, "referees") == (True, "Each table has its own referee.")
