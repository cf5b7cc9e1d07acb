"""The levels of a championship, from the number of expected players."""

import pytest
from django.utils import translation

from tournament.forms.programme import LevelsForm, lines


def form(expected: int, most: int = 6, advance: int | str = "") -> LevelsForm:
    return LevelsForm({"expected": expected, "most_at_table": most, "advance": advance})


def test_levels_follow_from_the_players() -> None:
    with translation.override("en"):
        assert lines(form(64)) == [
            ("Heats", "64 players, 11 tables of 5 or 6, 11 through"),
            ("Semi-finals", "11 players, 2 tables of 5 or 6, 4 through"),
            ("Final", "4 players at one table"),
        ]


@pytest.mark.parametrize(("expected", "tables"), [(10, "2 tables of 5"), (11, "2 tables of 5 or 6")])
def test_two_heats_with_two_through_make_a_final_of_four(expected: int, tables: str) -> None:
    with translation.override("en"):
        assert lines(form(expected)) == [
            ("Heats", f"{expected} players, {tables}, 4 through"),
            ("Final", "4 players at one table"),
        ]


def test_level_that_is_called_by_its_kind_has_no_name() -> None:
    planned = form(64)
    assert planned.is_valid()
    assert [(name, level.kind) for name, level in planned.named_levels("fi")] == [
        ("", "heats"),
        ("Välierät", "heats"),
        ("", "final"),
    ]


@pytest.mark.parametrize(
    ("typed", "wrong"),
    [(form(24, 4, 4), "advance"), (form(1), "expected"), (form(24, 30), "most_at_table")],
    ids=["nobody goes out", "nobody to play with", "too large a table"],
)
def test_numbers_from_which_no_plan_follows_are_refused_at_their_field(typed: LevelsForm, wrong: str) -> None:
    assert lines(typed) == []
    assert list(typed.errors) == [wrong]
