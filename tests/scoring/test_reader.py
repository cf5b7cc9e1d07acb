"""A value of another shape than the format's is reported with its exact path, and nothing else beside it."""

import pytest

from scoring import score

from .builders import Json, faults_of, game, heat, heats, match, remaining, session, won
from .fault_cases import SHEETS


@pytest.mark.parametrize(("code", "path", "sheet"), [case for case in SHEETS if case[0] == "malformed"])
def test_sheet_of_another_shape(code: str, path: str, sheet: object) -> None:
    assert faults_of(sheet) == [(code, path)]


def test_whole_numbers_have_up_to_a_thousand_digits() -> None:
    most = 10**1000 - 1

    score(match(target=most))
    assert faults_of(match(target=-most)) == [("target_out_of_range", "/settings/target")]
    assert faults_of(match(target=-most - 1)) == [("malformed", "/settings/target")]


LEAST: dict[str, Json] = {
    "games": session(
        game("time", remaining("a", {"1": 1}), remaining("b", {"2": 1}), decks=1), min_games=1, decks=1
    ),
    "rounds": match(won("a", {"b": {"1": 1}, "c": {"1": 1}}), ruleset="mattel-112", decks=1, custom_cards=0),
    "target": match(target=1),
    "heats": heats(heat("ab", "a", advance=1), advance=1),
}


@pytest.mark.parametrize("sheet", LEAST.values(), ids=LEAST)
def test_least_that_may_stand_in_the_settings(sheet: Json) -> None:
    score(sheet)


@pytest.mark.parametrize(
    ("path", "part"),
    [
        ("/removed", {"removed": "a"}),
        ("/removed/1", {"removed": ["a", 1]}),
        ("/winner", {"winner": 1}),
        ("/last_cards/draw2", {"last_cards": {"draw2": "1"}}),
        ("/hands", {"hands": []}),
        ("/hands/b", {"hands": {"b": None}}),
    ],
)
def test_round_of_another_shape(path: str, part: Json) -> None:
    assert faults_of(match(part)) == [("malformed", f"/rounds/0{path}")]
