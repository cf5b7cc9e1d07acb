"""Seasons: who may start and change them, what is refused, and what an event's ledger says of it."""

from collections.abc import Mapping
from datetime import date
from typing import Any
from uuid import uuid4

import pytest

from tests.support.asking_actions import refusal
from tests.support.factories import Event, UserFactory, event
from tests.support.tour_evenings import Club
from tournament import actions
from tournament.actions import Command
from tournament.extras.season.actions import put_in_season, remove_season, set_season, start_season
from tournament.ledger.verify import verify
from tournament.models import LedgerRow, Season, SeasonEvening, Tournament
from tournament.results import Forbidden, Refused

pytestmark = pytest.mark.django_db


def started(made: Event) -> Season:
    uid = uuid4()
    made.act(start_season, season=uid, name=" The year ")
    return Season.objects.get(uid=uid)


def fault(made: Event, action: Any, **arguments: Any) -> tuple[str, str]:
    with pytest.raises(Refused) as refused:
        made.act(action, **arguments)
    (only,) = refused.value.faults
    return only.code, only.path


@pytest.mark.parametrize(
    ("ruleset", "counts", "lowest", "least_games"),
    [
        ("kpgut-2016", "average", True, 3),
        ("tite-2022", "places", False, 0),
        ("mattel-108", "places", False, 0),
    ],
)
def test_season_starts_with_its_event_and_the_usual_rule_of_the_ruleset(
    ruleset: str, counts: str, lowest: bool, least_games: int
) -> None:
    made = event(ruleset, starts_on=date(2026, 5, 9))
    season = started(made)
    assert (season.name, season.counts, season.lowest, season.least_games) == (
        "The year",
        counts,
        lowest,
        least_games,
    )
    assert (season.starts_on, season.ends_on, season.rulesets) == (
        date(2026, 1, 1),
        date(2026, 12, 31),
        [ruleset],
    )
    assert list(season.evenings.all()) == [made.tournament]


@pytest.mark.both
def test_ledger_says_who_did_it_and_stays_clean_and_the_event_gets_a_new_version() -> None:
    made = event()
    version = Tournament.objects.get(pk=made.tournament.pk).version
    season = started(made)
    made.act(set_season, season=season.uid, name="Other")
    made.act(put_in_season, season=season.uid, belongs=False)
    made.act(remove_season, season=season.uid)
    rows = LedgerRow.objects.filter(tournament=made.tournament, sequence__gt=version).order_by("sequence")
    assert [(row.action, row.payload) for row in rows] == [
        ("start_season", {}),
        ("set_season", {}),
        ("put_in_season", {}),
        ("remove_season", {}),
    ]
    assert verify(Tournament.objects.get(pk=made.tournament.pk)) == []
    assert not Season.objects.exists()


@pytest.mark.both
def test_event_belongs_to_several_seasons_or_to_none() -> None:
    made = event()
    first, second = started(made), started(made)
    made.act(put_in_season, season=second.uid, belongs=True)
    assert set(made.tournament.seasons.all()) == {first, second}
    for season in (first, second, second):
        made.act(put_in_season, season=season.uid, belongs=False)
    assert not SeasonEvening.objects.exists()


def test_rule_is_changed_field_by_field() -> None:
    made = event()
    season = started(made)
    rule: Mapping[str, Any] = {
        "counts": "places",
        "place_points": [10, 8, 8],
        "best": 3,
        "least_evenings": 2,
        "ties": ["last_evening", "wins", "wins"],
        "club": " Noppa ",
        "ends_on": None,
        "public": False,
        "over": True,
    }
    made.act(set_season, season=season.uid, **rule)
    season.refresh_from_db()
    stored = {name: getattr(season, name) for name in rule}
    assert stored == {**rule, "ties": ["last_evening", "wins"], "club": "Noppa"}
    assert season.name == "The year"


@pytest.mark.parametrize(
    ("wrong", "code", "path"),
    [
        ({"name": " "}, "field_blank", "/name"),
        ({"counts": "luck"}, "field_invalid_choice", "/counts"),
        ({"best": 0}, "field_min_value", "/best"),
        ({"least_games": 10_000}, "field_max_value", "/least_games"),
        ({"least_evenings": True}, "malformed", "/least_evenings"),
        ({"starts_on": date(2026, 5, 1), "ends_on": date(2026, 4, 1)}, "season_dates", "/ends_on"),
        ({"starts_on": date(4, 5, 1)}, "field_invalid", "/starts_on"),
        ({"rulesets": ["chess"]}, "unknown_ruleset", "/rulesets"),
        ({"ties": ["luck"]}, "unknown_tie", "/ties"),
        ({"counts": "places", "place_points": []}, "no_place_points", "/place_points"),
        ({"counts": "places", "place_points": [0, 0]}, "no_place_points", "/place_points"),
        ({"place_points": [8, 10]}, "place_points_rise", "/place_points"),
        ({"place_points": [10_001]}, "place_points_wrong", "/place_points"),
        ({"place_points": [1] * 201}, "place_points_wrong", "/place_points"),
        ({"place_points": [-1]}, "place_points_wrong", "/place_points"),
        ({"place_points": ["ten"]}, "malformed", "/place_points"),
        ({"counts": "sum", "lowest": True, "best": None}, "season_sum_lowest", "/least_evenings"),
        (
            {"counts": "sum", "lowest": True, "best": 3, "least_evenings": 2},
            "season_sum_lowest",
            "/least_evenings",
        ),
        ({"evenings": [uuid4()]}, "unknown_tournament", "/evenings"),
    ],
)
def test_wrong_rules_are_refused_at_their_field(wrong: dict[str, Any], code: str, path: str) -> None:
    made = event()
    season = started(made)
    assert fault(made, set_season, season=season.uid, **wrong) == (code, path)


def test_sum_where_the_fewest_points_win_needs_as_many_evenings_as_count() -> None:
    made = event()
    rule: Mapping[str, Any] = {"counts": "sum", "lowest": True, "best": 3, "least_evenings": 3}
    made.act(set_season, season=started(made).uid, **rule)


def test_evenings_are_events_of_the_same_organiser_and_no_rehearsals() -> None:
    club = Club()
    first, second = club.event("mattel-108"), club.event("mattel-108")
    tried = club.event("mattel-108", rehearsal=True, listed=False)
    season = started(first)
    both = [first.tournament.uid, second.tournament.uid]
    second.act(set_season, season=season.uid, evenings=both)
    assert {each.uid for each in season.evenings.all()} == set(both)
    mixed = [*both, tried.tournament.uid]
    assert fault(first, set_season, season=season.uid, evenings=mixed) == (
        "rehearsal_in_season",
        "/evenings",
    )
    assert fault(tried, put_in_season, season=season.uid, belongs=True)[0] == "rehearsal_in_season"
    assert fault(tried, start_season, season=uuid4(), name="Tried")[0] == "rehearsal_in_season"
    foreign = [event().tournament.uid]
    assert fault(first, set_season, season=season.uid, evenings=foreign)[0] == "unknown_tournament"


def test_who_organises_one_event_by_invite_changes_no_season() -> None:
    made = event()
    season = started(made)
    guest = UserFactory()
    made.act(actions.grant_role, membership=uuid4(), user=guest.uid, role="organiser")
    made.tournament.memberships.filter(user=guest).update(
        invite=made.tournament.invites.create(role="organiser", expires_at="2030-01-01T00:00Z")
    )
    with pytest.raises(Forbidden):
        set_season(Command(uuid4(), guest), made.tournament.uid, season=season.uid, name="Mine")
    with pytest.raises(Forbidden):
        start_season(Command(uuid4(), guest), made.tournament.uid, season=uuid4(), name="Mine")


def test_organiser_has_a_limited_number_of_seasons(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournament.extras.season.actions.MOST_SEASONS", 1)
    made = event()
    started(made)
    assert fault(made, start_season, season=uuid4(), name="More") == ("too_many_seasons", "/name")


@pytest.mark.both
def test_deleted_event_leaves_its_season_and_the_last_one_takes_it_along() -> None:
    club = Club()
    first, second = club.event("mattel-108"), club.event("mattel-108")
    season = started(first)
    second.act(put_in_season, season=season.uid, belongs=True)
    actions.delete_event(Command(uuid4(), first.user), first.tournament)
    assert list(season.evenings.all()) == [second.tournament]
    actions.delete_event(Command(uuid4(), second.user), second.tournament)
    assert not Season.objects.exists()


def test_every_fault_of_a_change_is_named_at_once() -> None:
    made = event()
    asked: dict[str, Any] = {
        "name": "",
        "evenings": [uuid4()],
        "starts_on": date(2026, 2, 1),
        "ends_on": date(2026, 1, 1),
        "rulesets": ["uno"],
        "ties": ["luck"],
        "counts": "places",
        "place_points": [1, 2],
    }
    assert refusal(made, set_season, season=started(made).uid, **asked) == [
        ("field_blank", "/name"),
        ("unknown_tournament", "/evenings"),
        ("season_dates", "/ends_on"),
        ("unknown_ruleset", "/rulesets"),
        ("unknown_tie", "/ties"),
        ("place_points_rise", "/place_points"),
    ]
