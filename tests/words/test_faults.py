"""Words: every fault, card and action has a text, and every text can be worded with the parameters that a fault
carries."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from django.utils import translation
from hypothesis import given, strategies as st

from rulesets import CARDS, NUMBERS, RULESETS
from scoring import ERROR_CODES
from tournament.results.faults import Fault
from tournament.words import faults

SOURCES = sorted((Path(__file__).parents[2] / "tournament").rglob("*.py"))
# Functions that give the code of a fault, or "" for none.
GIVES_CODES = {"_unfit", "_unseatable", "_not_leaving"}


def texts_in(node: ast.AST) -> Iterator[str]:
    """The texts that an expression can be: itself, or either side of a choice."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from texts_in(node.body)
        yield from texts_in(node.orelse)


def codes_in(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Fault":
            yield from texts_in(node.args[0])
        elif isinstance(node, ast.FunctionDef) and node.name in GIVES_CODES:
            for inner in ast.walk(node):
                if isinstance(inner, ast.Return) and inner.value:
                    yield from (code for code in texts_in(inner.value) if code)


@cache
def codes() -> set[str]:
    """Every code that a source gives; read when a test asks, which only one of the processes does."""
    return {code for path in SOURCES for code in codes_in(ast.parse(path.read_text()))}


# Faults that Django's own fields can find (tournament/actions/event/events.py prefixes them with field_).
FIELD_CODES = {
    "required",
    "blank",
    "null",
    "invalid",
    "invalid_choice",
    "max_length",
    "min_value",
    "max_value",
} | {
    "unique",
    "unique_together",
}


def test_the_codes_are_found() -> None:
    assert {
        "unknown_table",
        "field_max_length",
        "already_out",
        "duplicate_player",
        "match_not_stopped",
    } <= codes()


def test_every_code_has_a_text() -> None:
    assert codes() | ERROR_CODES | {f"field_{code}" for code in FIELD_CODES} <= faults.FAULTS.keys()


def test_no_code_has_two_texts() -> None:
    assert faults.SHEET_FAULTS.keys() & faults.ACTION_FAULTS.keys() == set()
    assert faults.SHEET_FAULTS.keys() == ERROR_CODES


@pytest.mark.parametrize("code", sorted(faults.FAULTS))
def test_every_text_can_be_worded_without_parameters(code: str) -> None:
    said = faults.fault_text(Fault(code))
    assert said
    assert "%" not in said


ANYTHING = st.dictionaries(
    st.sampled_from(["player", "card", "least", "most", "expected", "table", "count", "limit_value", "odd"]),
    st.text() | st.integers(),
)


@given(code=st.sampled_from(sorted(faults.FAULTS)) | st.text(), path=st.text(), parameters=ANYTHING)
def test_every_text_can_be_worded_with_any_parameters(
    code: str, path: str, parameters: dict[str, str | int]
) -> None:
    assert faults.fault_text(Fault(code, path, parameters), {"p1": "Aino"})


def test_a_player_is_named_by_parameter_or_by_path() -> None:
    names = {"u1": "Aino", "u2": "100% Börje"}
    missing = faults.SHEET_FAULTS["missing_hand"]
    assert faults.fault_text(Fault("missing_hand", "/hands/u2", {"player": "u1"}), names) == missing % {
        "player": "Aino"
    }
    assert faults.fault_text(Fault("missing_hand", "/hands/u2"), names) == missing % {"player": "100% Börje"}
    assert faults.fault_text(Fault("missing_hand", "/hands"), names) == missing % {"player": "A player"}


def test_a_fault_of_no_known_code_still_says_that_something_is_wrong() -> None:
    assert faults.fault_text(Fault("never heard of")) == faults.FAULTS["malformed"]


def test_every_card_has_a_name() -> None:
    assert faults.CARDS.keys() == set(CARDS) - set(NUMBERS)
    assert [faults.card_name(card) for card in ("7", "draw2", "jack")] == ["7", "Draw 2", "jack"]


def test_every_ruleset_has_a_name() -> None:
    for ruleset, rules in RULESETS.items():
        for language in ("en", "fi", "sv"):
            with translation.override(language):
                assert faults.ruleset_name(ruleset) == rules.names.get(language, rules.name)
    assert faults.ruleset_name("kpgut-1999") == "kpgut-1999"


def test_an_action_has_the_name_that_it_declares() -> None:
    assert faults.action_name("undo") == "undid"
    assert faults.action_name("long gone") == "long gone"


@pytest.mark.parametrize(
    ("language", "said"), [("en", "All hands together"), ("fi", "Kaikkien kortit"), ("sv", "Allas kort")]
)
def test_more_cards_than_the_decks_hold_are_said_in_the_readers_language(language: str, said: str) -> None:
    fault = Fault("deck_exceeded", "/hands", {"card": "of all kinds", "count": 108, "available": 107})
    with translation.override(language):
        assert faults.fault_text(fault).startswith(f"{said}")
