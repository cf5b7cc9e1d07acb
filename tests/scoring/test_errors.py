"""Each rule that a sheet can break: the code and the exact path, and nothing else reported beside it."""

from typing import Any

import pytest

from scoring import ERROR_CODES, SheetInvalid, score
from scoring.faults import MOST_FAULTS, pointer

from .builders import heats, match, session
from .fault_cases import GAMES, HEATS, ROUNDS, SHEETS

Json = dict[str, Any]


def faults_of(sheet: object) -> list[tuple[str, str]]:
    with pytest.raises(SheetInvalid) as refusal:
        score(sheet)
    return [(error.code, error.path) for error in refusal.value.errors]


@pytest.mark.parametrize(("code", "path", "part"), GAMES)
def test_session_game_at_fault(code: str, path: str, part: Json) -> None:
    assert faults_of(session(part, ids="xyz")) == [(code, "/games/0" + path)]


@pytest.mark.parametrize(("code", "path", "ruleset", "part"), ROUNDS)
def test_match_round_at_fault(code: str, path: str, ruleset: str, part: Json) -> None:
    assert faults_of(match(part, ruleset=ruleset, ids="xyz")) == [(code, "/rounds/0" + path)]


@pytest.mark.parametrize(("code", "path", "part"), HEATS)
def test_heat_at_fault(code: str, path: str, part: Json) -> None:
    assert faults_of(heats(part, ids="wxyz")) == [(code, "/heats/0" + path)]


@pytest.mark.parametrize(("code", "path", "sheet"), SHEETS)
def test_sheet_at_fault(code: str, path: str, sheet: object) -> None:
    assert faults_of(sheet) == [(code, path)]


def test_every_code_has_a_case() -> None:
    cases = [*GAMES, *ROUNDS, *HEATS, *SHEETS]

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
    with pytest.raises(SheetInvalid) as refusal:
        score(match(target=0))

    assert refusal.value.as_json() == {
        "errors": [
            {
                "code": "target_out_of_range",
                "path": "/settings/target",
                "message": "The target is 0 points; it should be at least 1.",
                "parameters": {"found": 0, "expected": "at least 1"},
            }
        ]
    }


def test_pointer_escapes() -> None:
    assert pointer(()) == ""
    assert pointer(("a/b", "~", 3, "")) == "/a~1b/~0/3/"
