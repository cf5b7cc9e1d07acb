"""Typed results are read once into the shape of a play; typed again, they give the same form."""

from typing import Any

import pytest

from rulesets import RULESETS
from tournament.results.given import GameEntry, HeatEntry, RoundEntry
from tournament.results.typed import (
    RoundRules,
    Typed,
    read_game,
    read_heat,
    read_round,
    typed_game,
    typed_heat,
    typed_round,
)

MATTEL = RULESETS["mattel-108"]
KPGUT = RULESETS["kpgut-2016"]
PLAYERS = {"a": 1, "b": 2, "b-c": 3}  # an id may begin as another does


def faults(typed: Typed) -> list[tuple[str, str]]:
    return [(fault.code, fault.path) for fault in typed.faults]


def round_of(data: dict[str, str]) -> tuple[RoundEntry[int], Typed]:
    typed = Typed(data)
    return read_round(typed, PLAYERS, RoundRules.of(MATTEL, 1, {}), PLAYERS.get), typed


def test_a_round_is_read_and_typed_again() -> None:
    card = RoundRules.of(MATTEL, 1, {}).last_kinds[0]
    data = {
        "winner": "a",
        "hand-b-7": "2",
        "hand-b-c-skip": "0",
        "last": card,
        "last_count": "1",
        "drew": "b",
    }
    entry, typed = round_of(data)
    assert entry == RoundEntry(
        winner=1,
        hands={"b": {"7": 2}, "b-c": {"skip": 0}},
        drew=2,
        removed=[],
        withdrawn=[],
        emptied=[],
        last_cards={card: 1},
    )
    assert not typed.faults
    again = RoundEntry(winner="a", hands=entry.hands, drew="b", last_cards=entry.last_cards)
    assert typed_round(again) == data


def test_who_is_out_or_was_emptied_is_asked_for_no_hand() -> None:
    data = {"out-a": "removed", "out-b": "withdrawn", "emptied-b-c": "1", "emptied-a": "1"}
    entry, typed = round_of(data | {f"hand-{player}-7": "1" for player in PLAYERS})
    assert entry == RoundEntry(
        winner=None, hands={}, drew=None, removed=[1], withdrawn=[2], emptied=[3], last_cards={}
    )
    assert not typed.faults


@pytest.mark.parametrize(
    ("field", "value", "fault"),
    [
        ("winner", "d", ("malformed", "/winner")),
        ("out-a", "asleep", ("malformed", "/out/a")),
        ("last", "7", ("malformed", "/last_cards")),
        ("hand-d-7", "1", ("unknown_player", "/hands/d-7")),
        ("hand-a-11", "1", ("unknown_card", "/hands/a/11")),
        ("hand-a-7", "some", ("not_a_number", "/hands/a/7")),
        ("hand-a-7", "1000", ("number_too_large", "/hands/a/7")),
    ],
)
def test_what_a_round_does_not_offer_is_a_fault_at_its_place(
    field: str, value: str, fault: tuple[str, str]
) -> None:
    _entry, typed = round_of({field: value})
    assert faults(typed) == [fault]


def test_a_game_is_read_and_typed_again() -> None:
    data = {
        "outcome-a": "out",
        "time-a": "12:30",
        "outcome-b": "remaining",
        "hand-b-7": "2",
        "outcome-b-c": "gave_up",
        "ended": "early",
        "duration": "20:00",
        "decks": "2",
    }
    typed = Typed(data)
    entry = read_game(typed, PLAYERS, KPGUT)
    results: list[dict[str, Any]] = [
        {"entry": 1, "outcome": "out", "elapsed_s": 750},
        {"entry": 2, "outcome": "remaining", "hand": {"7": 2}},
        {"entry": 3, "outcome": "gave_up"},
    ]
    assert entry == GameEntry("early", results, 1200, 2)
    assert not typed.faults
    named = [{**row, "entry": text} for text, row in zip(PLAYERS, results, strict=True)]
    assert typed_game(GameEntry("early", named, 1200, 2)) == data


def test_what_a_game_leaves_open_is_a_fault_at_its_place() -> None:
    typed = Typed(
        {"outcome-a": "out", "outcome-b": "remaining", "outcome-b-c": "asleep", "duration": "20:00"}
    )
    assert (
        read_game(typed, PLAYERS, KPGUT).duration_s is None
    )  # asked for only where the outcomes do not say it
    assert faults(typed) == [
        ("missing_time", "/results/a/elapsed_s"),
        ("missing_hand", "/results/b/hand"),
        ("malformed", "/results/b-c"),
        ("missing_ending", "/ended"),
    ]


def test_a_heat_is_read_and_typed_again() -> None:
    data = {"order-b": "1", "order-a": "2", "out-b-c": "removed", "advance": "1"}
    assert read_heat(Typed(data), PLAYERS) == HeatEntry(
        finish_order=[2, 1], removed=[3], withdrawn=[], advance=1
    )
    assert read_heat(Typed(data), PLAYERS, usual=1).advance is None
    assert typed_heat(HeatEntry(finish_order=["b", "a"], removed=["b-c"]), 1) == data


def test_a_number_in_a_heat_is_given_once_and_to_somebody() -> None:
    typed = Typed({"order-a": "2", "order-b": "2", "order-b-c": "4", "advance": "4"})
    read_heat(typed, PLAYERS)
    assert faults(typed) == [
        ("duplicate_order", "/finish_order/b"),
        ("number_too_large", "/finish_order/b-c"),
        ("number_too_large", "/advance"),
    ]
