"""The demo's club as a tour."""

import pytest

from tests.practice.demo.test_event import made  # noqa: F401 - a fixture
from tournament.extras.season.queries.answers import tour_of
from tournament.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("made")]


def test_demo_club_has_a_tour_with_a_champion_and_players_who_came_again() -> None:
    found = tour_of(Tournament.objects.get(slug="demo-kpgut").organiser.uid)
    assert found is not None
    assert {event.slug for event in found.events} == {
        "demo-earlier",
        "demo-kpgut",
        "demo-mattel",
        "demo-open",
    }
    ((title,),) = found.hall().values()
    assert [found.names[each] for each in title.champions] == ["Helmi Virtanen"]
    again = [player for player in found.names if len(list(found.appearances(player))) > 1]
    assert {found.names[player] for player in again} == {
        "Aino Mäkelä",
        "Eetu Korhonen",
        "Helmi Virtanen",
        "Onni Nieminen",
        "Venla Laine",
        "Leo Järvinen",
        "Väinö Heikkinen",
        "Kerttu Saarinen",
        "Elsa Lehtonen",
    }
    assert len(found.ratings()) == 6
