"""What an event counts for in a season: places of the whole event, and what results from a file hold."""

from fractions import Fraction
from typing import Any

import pytest

from tests.extras.season.queries.test_seasons import PLACES, lines, out, season, table
from tests.support.tour_evenings import Club, final
from tournament import actions

pytestmark = pytest.mark.django_db


def test_places_of_a_championship_are_those_of_the_final_and_who_was_out_before_shares_the_next() -> None:
    club = Club()
    made = final(club.heats("Dima", "Aino", "Börje", "Cécile", tables=2))
    uid = season(made, **PLACES)
    found = table(uid)
    assert [(line.place, int(line.value)) for line in found.standings] == [(1, 10), (2, 8), (3, 6), (3, 6)]
    through = set(made.table.seats.values_list("entry__public_name", flat=True))
    assert {name for name, place, _value in lines(found) if place in {1, 2}} == through


def test_disqualified_player_has_no_place() -> None:
    club = Club()
    made = club.match("Aino", "Börje", "Cécile", finish=False)
    made.act(actions.remove_player, entry=made.uids[0], reason="shouted")
    made.act(actions.finish_stage, stage=made.stage.uid)
    found = table(season(made, **PLACES))
    assert ("Aino", Fraction(0)) in [(name, value) for name, _place, value in lines(found)]


@pytest.mark.parametrize(
    ("rule", "counted", "lacking"),
    [
        ({"counts": "average", "lowest": True, "least_games": 0}, {"Aino": Fraction(37, 3)}, "no_games"),
        ({"counts": "places", "place_points": [10, 8]}, {"Aino": 10, "Börje": 8}, "no_places"),
        ({"counts": "sum", "best": 1, "least_games": 0}, {"Aino": 37, "Börje": 60}, "no_points"),
    ],
)
def test_old_results_count_by_what_they_hold_and_the_rest_is_said(
    rule: dict[str, Any], counted: dict[str, Any], lacking: str
) -> None:
    club = Club()
    old = club.event("kpgut-2016", "Aino", "Börje", "Cécile", name="Old")
    said: list[dict[str, Any]] = [
        {"place": 1, "average": "12.333", "games": 3},
        {"place": 2, "points": "60"},
        {"note": "hyl.", "average": "20"},
    ]
    rows = [{"entry": uid, **more} for uid, more in zip(old.uids, said, strict=True)]
    old.act(actions.bring_in_results, players=rows)
    found = table(season(old, **rule))
    assert {name: value for name, _place, value in lines(found)} == counted
    assert out(found) == [("Old", lacking, 3 - len(counted))]
