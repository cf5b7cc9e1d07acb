"""A season's table: which evenings count and why others do not, what each gives, and that it follows from the facts."""

from datetime import date
from fractions import Fraction
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.support.factories import Event
from tests.support.tour_evenings import Club
from tournament import actions
from tournament.extras.season.actions import put_in_season, set_season, start_season
from tournament.extras.season.queries.seasons import SeasonTable, season_table
from tournament.models import Entry

pytestmark = pytest.mark.django_db


def season(made: Event, **rule: Any) -> UUID:
    uid = uuid4()
    made.act(start_season, season=uid, name="The year")
    made.act(set_season, season=uid, **rule)
    return uid


def put_in(uid: UUID, *events: Event) -> None:
    for made in events:
        made.act(put_in_season, season=uid, belongs=True)


def table(uid: UUID) -> SeasonTable:
    found = season_table(uid)
    assert found is not None
    return found


def lines(found: SeasonTable) -> list[tuple[str, int | None, Fraction]]:
    return [(found.names[line.player], line.place, line.value) for line in found.standings]


def out(found: SeasonTable) -> list[tuple[str, str, int]]:
    return [(each.event.name, each.reason, each.results) for each in found.left_out]


PLACES = {"counts": "places", "place_points": [10, 8, 6, 5], "rulesets": [], "least_games": 0}


def test_average_over_the_games_of_all_evenings() -> None:
    club = Club()
    may = club.session("Aino", "Börje", "Cécile", games=[[600, 900, 0], [600, 1200, 0]])
    june = club.session("Börje", "Aino", games=[[300, 0]], on=date(2026, 6, 1))
    uid = season(may)
    put_in(uid, june)
    found = table(uid)
    assert lines(found) == [
        ("Aino", 1, Fraction(25, 3)),
        ("Börje", 2, Fraction(40, 3)),
        ("Cécile", None, Fraction(35, 2)),
    ]
    assert out(found) == []
    assert [each.event.name for each in found.evenings] == [may.tournament.name, june.tournament.name]


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        ({"starts_on": date(2026, 6, 1)}, "outside_dates"),
        ({"ends_on": date(2026, 4, 1)}, "outside_dates"),
        ({"rulesets": ["kpgut-2016"]}, "other_ruleset"),
        ({"counts": "average", "lowest": True, "least_games": 0}, "other_direction"),
    ],
)
def test_evening_that_does_not_fit_is_left_out_with_the_reason(rule: dict[str, Any], reason: str) -> None:
    made = Club().match("Aino", "Börje", name="May")
    found = table(season(made, **{**PLACES, **rule}))
    assert (out(found), found.standings, found.leaders) == ([("May", reason, 0)], (), [])


def test_evening_without_finished_results_waits() -> None:
    made = Club().match("Aino", "Börje", finish=False, name="May")
    uid = season(made, **PLACES)
    assert out(table(uid)) == [("May", "not_played", 0)]
    made.act(actions.finish_stage, stage=made.stage.uid)
    assert len(table(uid).standings) == 2


def test_evening_moved_to_another_year_leaves_the_season_and_comes_back() -> None:
    made = Club().match("Aino", "Börje", name="May")
    uid = season(made, **PLACES)
    made.act(actions.edit_tournament, starts_on=date(2027, 5, 9))
    assert out(table(uid)) == [("May", "outside_dates", 0)]
    made.act(actions.edit_tournament, starts_on=date(2026, 5, 10))
    assert out(table(uid)) == []


def test_unlisted_event_counts_only_in_a_season_that_is_not_public() -> None:
    made = Club().match("Aino", "Börje", name="May", listed=False)
    uid = season(made, **PLACES)
    assert (out(table(uid)), table(uid).names) == ([("May", "not_listed", 0)], {})
    made.act(set_season, season=uid, public=False)
    assert len(table(uid).standings) == 2
    made.act(set_season, season=uid, public=True)  # the event is cached now
    assert (out(table(uid)), table(uid).names) == ([("May", "not_listed", 0)], {})


@pytest.mark.both
def test_correction_in_an_old_evening_moves_the_season_at_once_and_says_so() -> None:
    club = Club()
    may = club.session("Aino", "Börje", games=[[600, 0], [600, 0], [600, 0]])
    june = club.session("Aino", "Börje", games=[[600, 0]], on=date(2026, 6, 1))
    uid = season(may)
    put_in(uid, june)
    before = table(uid)
    assert [each.corrected_at for each in before.evenings] == [None, None]
    may.act(actions.reopen_stage, stage=may.stage.uid, reason="misread")
    play = may.table.plays.get(number=1)
    may.act(actions.void_play, play=play.uid, version=play.version, reason="misread")
    may.act(actions.finish_stage, stage=may.stage.uid)
    after = table(uid)
    assert after.version > before.version
    assert [line.games for line in after.standings] == [3, 3]
    first, second = (each.corrected_at for each in after.evenings)
    assert first is not None
    assert second is None


def test_movement_is_since_the_last_evening() -> None:
    club = Club()
    may = club.match("Aino", "Börje")
    uid = season(may, **{**PLACES, "place_points": [10, 1]})
    assert table(uid).moved == {}
    june = club.match("Börje", "Cécile", on=date(2026, 6, 1))
    put_in(uid, june)
    found = table(uid)
    assert {found.names[player]: places for player, places in found.moved.items()} == {"Aino": -1, "Börje": 1}


@pytest.mark.both
def test_merged_people_are_one_line_and_erased_ones_keep_their_results() -> None:
    club = Club()
    may = club.match("Aino", "Börje")
    june = club.match("Aino", "Börje", on=date(2026, 6, 1))
    uid = season(may, **PLACES)
    put_in(uid, june)
    assert [line.evenings for line in table(uid).standings] == [2, 2]
    assert table(uid).erased == 0
    entry = Entry.objects.get(tournament=may.tournament, public_name="Aino")
    may.act(actions.erase_person, entry=entry.uid)
    found = table(uid)
    assert found.erased == 1
    assert "Aino" not in found.names.values()
    assert len(found.standings) == 2


def test_only_members_of_the_club_are_ranked() -> None:
    club = Club()
    made = club.match("Aino", "Börje")
    made.act(actions.edit_entry, entry=made.uids[1], club="Noppa")
    found = table(season(made, **PLACES, club="noppa"))
    assert {found.names[line.player]: (line.place, line.status) for line in found.standings} == {
        "Börje": (1, "ranked"),
        "Aino": (None, "not_eligible"),
    }


def test_points_of_places_that_nobody_took_are_counted() -> None:
    made = Club().match("Aino", "Börje")
    assert table(season(made, **PLACES)).places_without_players == 2


def test_season_without_evenings_is_empty() -> None:
    made = Club().match("Aino", "Börje")
    uid = season(made, **PLACES)
    made.act(put_in_season, season=uid, belongs=False)
    found = table(uid)
    assert (found.standings, found.leaders, found.moved, found.places_without_players) == ((), [], {}, 0)
    assert season_table(uuid4()) is None


def test_costs_the_same_queries_for_three_evenings_as_for_one() -> None:
    costs = []
    for evenings in (1, 3):
        club = Club()
        made = [club.match("Aino", "Börje", on=date(2026, 1, day)) for day in range(1, evenings + 1)]
        uid = season(made[0], **PLACES)
        put_in(uid, *made)
        table(uid)
        with CaptureQueriesContext(connection) as asked:
            table(uid)
        costs.append(len(asked))
    assert costs[0] == costs[1]
