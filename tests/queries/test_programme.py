"""The evening's programme: when its parts began and ended, how late it runs, what levels are called."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.support.factories import Event, add_stage, event, recorded_heat
from tournament import actions
from tournament.models import Stage
from tournament.queries.programme import Plan, late, level_name, outgrown, programme

pytestmark = pytest.mark.django_db

EVENING = datetime(2026, 11, 21, 16, tzinfo=UTC)


@pytest.fixture
def evening() -> Event:
    """Heats at 16:00 UTC for 40 minutes and a final 50 minutes later."""
    made = add_stage(event("tite-2022", players=6, starts_on=EVENING.date()), "heats", tables=2, start=False)
    heats = made.stage
    final = add_stage(made, "final", tables=0, start=False, target=300).stage
    plans = [
        {"stage": heats.uid, "plan": Plan(EVENING, 40, 6, 2, 6).as_json()},
        {"stage": final.uid, "plan": Plan(EVENING + timedelta(minutes=50), 30, 2, 1).as_json()},
    ]
    made.act(actions.set_programme, stages=plans)
    made.stage = heats
    return made.refresh()


def at(minutes: int) -> datetime:
    return EVENING + timedelta(minutes=minutes)


def test_when_parts_began_and_ended_follows_from_the_ledger(evening: Event) -> None:
    parts = programme(evening.tournament).parts
    assert [(part.began, part.ended) for part in parts] == [(None, None)] * 2
    evening.act(actions.start_stage, stage=evening.stage.uid)
    part = programme(evening.tournament).parts[0]
    assert part.began is not None
    assert part.ended is None
    for table in evening.refresh().tables:
        recorded_heat(evening, table)
    evening.act(actions.finish_stage, stage=evening.stage.uid)
    over = programme(evening.tournament).parts[0]
    assert over.began == part.began
    assert over.ended is not None
    evening.act(actions.reopen_stage, stage=evening.stage.uid, reason="misread")
    again = programme(evening.tournament).parts[0]
    assert (again.began, again.ended) == (part.began, None)


def moves(found: Any) -> list[tuple[int, int | None]]:
    """Each moved part: its start in minutes after 18:00, and how long it takes."""
    return [
        (int((plan.starts_at - EVENING).total_seconds()) // 60, plan.minutes) for _part, plan in found.moves
    ]


def test_a_part_that_should_have_begun_is_late(evening: Event) -> None:
    parts = programme(evening.tournament).parts
    assert late(parts, at(2)) is None
    found = late(parts, at(14))
    assert found is not None
    assert (found.why, found.minutes, moves(found)) == ("waiting", 15, [(15, 40), (65, 30)])


def test_a_part_that_began_late_moves_the_rest(evening: Event) -> None:
    evening.act(actions.start_stage, stage=evening.stage.uid)
    (heats, final) = programme(evening.tournament).parts
    parts = [type(heats)(heats.stage, heats.plan, None, began=at(16)), final]
    found = late(parts, at(20))
    assert found is not None
    assert (found.why, found.minutes, moves(found)) == ("began", 15, [(15, 40), (65, 30)])


def test_a_part_that_takes_longer_moves_the_rest(evening: Event) -> None:
    evening.act(actions.start_stage, stage=evening.stage.uid)
    (heats, final) = programme(evening.tournament).parts
    parts = [type(heats)(heats.stage, heats.plan, None, began=at(0)), final]
    assert late(parts, at(43)) is None  # the pause is there for that
    found = late(parts, at(60))
    assert found is not None
    assert (found.why, found.minutes, moves(found)) == ("longer", 20, [(0, 60), (70, 30)])


@pytest.mark.parametrize(
    ("levels", "names"),
    [
        (1, ["Final"]),
        (2, ["Heats", "Final"]),
        (3, ["Heats", "Semi-finals", "Final"]),
        (4, ["Heats", "Second heats", "Semi-finals", "Final"]),
        (
            7,
            [
                "Heats",
                "Second heats",
                "Third heats",
                "Fourth heats",
                "Heats, round 5",
                "Semi-finals",
                "Final",
            ],
        ),
    ],
)
def test_levels_have_names(levels: int, names: list[str]) -> None:
    kinds = ["heats"] * (levels - 1) + ["final"]
    assert [level_name(kind, index, levels, "en") for index, kind in enumerate(kinds)] == names


def test_a_plan_is_written_without_what_is_not_planned() -> None:
    plan = Plan(EVENING, minutes=40, most=6)
    assert plan.as_json() == {"minutes": 40, "most": 6, "starts_at": "2026-11-21T16:00:00+00:00"}
    assert Plan.of(plan.as_json()) == plan
    assert plan.ends_at == at(40)
    assert (Plan(EVENING).ends_at, Plan().as_json()) == (None, {})


@pytest.mark.parametrize(
    ("players", "said"),
    [
        (0, ""),
        (7, ""),
        (12, ""),
        (6, "The plan is for 9 players, but 6 are here."),
        (13, "The plan is for 9 players, but 13 are here."),
    ],
)
def test_a_plan_is_outgrown_where_another_number_of_heats_is_needed(players: int, said: str) -> None:
    stage = Stage(kind="heats", plan=Plan(players=9, most=6).as_json())
    assert outgrown(stage, players) == said
    assert outgrown(Stage(kind="heats"), players) == ""


def test_those_who_are_late_are_counted_and_said() -> None:
    stage = Stage(kind="heats", plan=Plan(players=42, most=6).as_json())
    assert outgrown(stage, 34, 2) == "The plan is for 42 players: 34 here, 2 late."
    assert outgrown(stage, 34, 3) == ""
