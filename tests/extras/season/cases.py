"""Each action of seasons with its arguments: for the API, and from rows of one event."""

from collections.abc import Callable
from datetime import date
from typing import Any
from uuid import UUID, uuid4

from tests.support.factories import Event, event
from tournament import actions
from tournament.models import Season

Case = tuple[Event, str, dict[str, Any]]  # the event, the action, its arguments


def start_season() -> Case:
    return event(), "start_season", {"season": uuid4(), "name": "The year"}


def season() -> tuple[Event, UUID]:
    made, action, arguments = start_season()
    made.act(getattr(actions, action), **arguments)
    return made, arguments["season"]


def set_season() -> Case:
    made, uid = season()
    rule = {"counts": "places", "lowest": False, "best": 8, "place_points": [12, 10], "ties": ["wins"]}
    ranked = {"least_evenings": 2, "least_games": 0, "club": "", "rulesets": ["mattel-108"]}
    days = {"starts_on": date(2026, 1, 1), "ends_on": None}
    shown = {"name": "The autumn", "public": False, "over": True, "evenings": [made.tournament.uid]}
    return made, "set_season", {"season": uid, **rule, **ranked, **days, **shown}


def remove_season() -> Case:
    made, uid = season()
    return made, "remove_season", {"season": uid}


def put_in_season() -> Case:
    made, uid = season()
    return made, "put_in_season", {"season": uid, "belongs": False}


CASES: dict[str, Callable[[], Case]] = {
    make.__name__: make for make in (start_season, set_season, remove_season, put_in_season)
}


def of(it: Any) -> UUID:
    """The season of the event's organiser."""
    row, _made = Season.objects.get_or_create(
        organiser=it.made.tournament.organiser, defaults={"name": "The year", "place_points": [1]}
    )
    return row.uid


CALLS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "start_season": lambda it: {"season": of(it), "name": "Another"},
    "set_season": lambda it: {"season": of(it), "evenings": [it.made.tournament.uid]},
    "remove_season": lambda it: {"season": of(it)},
    "put_in_season": lambda it: {"season": of(it), "belongs": False},
}
