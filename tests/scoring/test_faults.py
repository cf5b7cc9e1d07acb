"""Each rule that a sheet can break: the code and the exact path, and nothing else reported beside it."""

from pathlib import Path
from typing import Any

import pytest

from scoring import ERROR_CODES
from scoring.faults import MOST_FAULTS, pointer

from .builders import ONE, errors_of, faults_of, heats, match, race, refused, session, won
from .fault_cases import GAMES, HEATS, RACES, ROUNDS, SHEETS

Json = dict[str, Any]


@pytest.mark.parametrize(("code", "path", "sheet"), [case for case in SHEETS if case[0] != "malformed"])
def test_sheet_at_fault(code: str, path: str, sheet: object) -> None:
    assert faults_of(sheet) == [(code, path)]


MESSAGES = Path(__file__).with_name("messages.txt").read_text().splitlines()


def test_every_case_is_worded_as_written_down() -> None:
    """messages.txt holds what a person reads of each case, code by code."""
    sheets = [
        *(session(part, ids="xyz") for _, _, part in GAMES),
        *(match(part, ruleset=ruleset, ids="xyz") for _, _, ruleset, part in ROUNDS),
        *(heats(part, ids="wxyz") for _, _, part in HEATS),
        *(race(*games, ids="wxyz", max_games=2) for _, _, games in RACES),
        *(sheet for _, _, sheet in SHEETS),
    ]

    assert (
        sorted({f"{error.code}: {error.message}" for sheet in sheets for error in errors_of(sheet)})
        == MESSAGES
    )


def test_refusal_names_each_code_and_place() -> None:
    assert str(refused(None)) == "malformed at /"
    assert str(refused(match(target=0, scoring="both"))) == "malformed at /settings/scoring"
    assert str(refused(match({"winner": "a", "number": 4}, ids="ab"))) == (
        "bad_number at /rounds/0/number; missing_hand at /rounds/0/hands/b"
    )


def test_every_code_has_a_case() -> None:
    cases = [*GAMES, *ROUNDS, *HEATS, *RACES, *SHEETS]

    assert {case[0] for case in cases} == ERROR_CODES


def test_several_faults_are_all_reported() -> None:
    sheet = match({"winner": "a", "hands": {"b": {"7": -1, "11": 1}}, "number": 4})

    assert faults_of(sheet) == [
        ("bad_number", "/rounds/0/number"),
        ("negative_count", "/rounds/0/hands/b/7"),
        ("unknown_card", "/rounds/0/hands/b/11"),
        ("missing_hand", "/rounds/0/hands/c"),
    ]


def test_short_sheet_cannot_make_a_long_answer() -> None:
    nobody_wrote_hands = [{"winner": "a"}] * 20

    assert len(faults_of(match(*nobody_wrote_hands, ids="abcdefgh"))) == MOST_FAULTS == 100


def test_error_as_json_has_message_and_parameters() -> None:
    assert refused(match(target=0)).as_json() == {
        "errors": [
            {
                "code": "target_out_of_range",
                "path": "/settings/target",
                "message": "The target is 0 points; it should be at least 1.",
                "parameters": {"found": 0, "expected": "at least 1", "least": 1},
            }
        ]
    }


@pytest.mark.parametrize(
    ("sheet", "parameters"),
    [
        (
            match(won("a", {"b": {"custom": 1}, "c": ONE})),
            {"card": "custom", "ruleset": "mattel-108"},
        ),
        (
            match(won("a", {"b": {"wild": 5}, "c": ONE})),
            {"card": "wild", "ruleset": "mattel-108", "count": 5, "available": 4},
        ),
        (
            match(ruleset="tite-2022", target=501),
            {"found": 501, "expected": "from 250 to 500", "least": 250, "most": 500},
        ),
    ],
    ids=["not in the deck", "more than the deck has", "target"],
)
def test_parameters_are_enough_to_word_the_fault_in_other_languages(sheet: Json, parameters: Json) -> None:
    """A card by its name in the ruleset, a target by its bounds."""
    assert [error.parameters for error in errors_of(sheet)] == [parameters]


def test_pointer_escapes() -> None:
    assert pointer(()) == ""
    assert pointer(("a/b", "~", 3, "")) == "/a~1b/~0/3/"
