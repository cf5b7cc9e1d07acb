"""Chains that are proposed for players, tables and minutes."""

import pytest
from hypothesis import given, strategies as st

from tournament.seating import Impossible, Step, chains
from tournament.seating.chains import game_minutes
from tournament.seating.heat_levels import Minutes


def shown(steps: list[Step]) -> list[tuple[object, ...]]:
    return [(step.kind, tuple(step.sizes), step.after, step.minutes.usual) for step in steps]


def test_three_hours_for_24_players_at_six_tables() -> None:
    found = chains(24, 6, 180, pause=10)
    assert {name: shown(steps) for name, steps in found.items()} == {
        "race": [("race", (4,) * 6, 0, 114), ("final", (6,), 124, 56)],
        "chances": [
            ("races", (4,) * 6, 0, 12),
            ("races", (4,) * 3, 22, 12),
            ("races", (4,) * 3, 22, 12),
            ("final", (9,), 44, 88),
        ],
        "matches": [("match", (4,) * 6, 0, 66), ("race", (6,), 76, 8)],
    }
    assert [step.source for step in found["chances"]] == [
        {},
        {"parts": [{"stage": 1, "take": "first", "count": 2}]},
        {"parts": [{"stage": 1, "take": "out"}]},
        {
            "parts": [
                {"stage": 2, "take": "first", "count": 2},
                {"stage": 3, "take": "first", "count": 1},
            ]
        },
    ]
    assert found["race"][0].settings["max_games"] == 19


def test_a_game_varies_as_its_turns_do() -> None:
    """50.7 turns with a standard deviation of 22.7 for four: nine of ten within 0.74 of the mean."""
    assert game_minutes(4, 1) == Minutes(2, 6, 10)
    assert game_minutes(4, 9) == Minutes(41, 54, 67)


def test_nothing_fits_in_no_time_and_tables_that_cannot_be_are_said() -> None:
    assert chains(24, 6, 20, pause=10) == {}
    with pytest.raises(Impossible, match="too_many_tables"):
        chains(6, 4, 180, pause=10)


@given(
    players=st.integers(2, 300),
    tables=st.integers(1, 60),
    minutes=st.integers(1, 600),
    pause=st.integers(0, 60),
)
def test_every_chain_fits(players: int, tables: int, minutes: int, pause: int) -> None:
    try:
        found = chains(players, tables, minutes, pause=pause)
    except Impossible:
        return
    for steps in found.values():
        assert max(step.after + step.minutes.usual for step in steps) <= minutes
        assert sum(steps[0].sizes) == players
        for step in steps:
            at_once = sum(len(other.sizes) for other in steps if other.after == step.after)
            assert at_once <= tables
            assert 2 <= step.sizes.smallest <= step.sizes.largest <= 10
