"""Hands of cards: points, the order of the remaining, decks."""

import pytest

from rulesets import RULESETS
from scoring import (
    cards_available,
    cards_for_deal,
    deal_fits,
    deciding_steps,
    decks_for,
    hand_points,
    rank_remaining,
)

KPGUT, MATTEL, TITE = RULESETS["kpgut-2016"], RULESETS["mattel-112"], RULESETS["tite-2022"]


@pytest.mark.parametrize(
    ("hand", "points"),
    [
        ({}, 0),
        ({"0": 4, "9": 0}, 0),
        ({"7": 2, "draw2": 1}, 34),
        ({"skip": 1, "reverse": 1, "wild": 1, "wild4": 1, "shuffle": 1, "custom": 3}, 300),
    ],
)
def test_hand_points(hand: dict[str, int], points: int) -> None:
    assert hand_points(MATTEL, hand) == points


@pytest.mark.parametrize(
    ("first", "second", "step"),
    [
        ({"wild": 1}, {"9": 2}, "cards"),  # fewest cards
        ({"9": 1, "skip": 2}, {"9": 2, "skip": 1}, "numbers"),  # then fewest number cards
        ({"0": 1, "9": 1}, {"1": 2}, "0"),  # then most 0s
        ({"1": 1, "9": 1}, {"2": 2}, "1"),  # then most 1s
        ({"7": 1, "9": 1}, {"8": 2}, "7"),
        ({"8": 2}, {"8": 1, "9": 1}, "8"),  # ... to most 8s
    ],
)
def test_rank_remaining_decides(first: dict[str, int], second: dict[str, int], step: str) -> None:
    assert rank_remaining({"b": second, "a": first}) == {"a": 1, "b": 2}
    assert deciding_steps({"b": second, "a": first}) == {"b": step}


def test_deciding_steps_are_between_neighbours_of_the_order() -> None:
    hands = {
        "third": {"5": 1, "skip": 1},
        "first": {"9": 1},
        "second": {"wild4": 2},
        "level": {"wild": 1, "5": 1, "7": 0},
        "last": {"6": 1, "skip": 1},
    }

    assert deciding_steps(hands) == {"second": "cards", "third": "numbers", "level": "level", "last": "5"}


def test_rank_remaining_level_hands_share_the_place() -> None:
    hands = {"a": {"5": 1, "skip": 1}, "b": {"wild4": 1, "5": 1, "7": 0}, "c": {"5": 2}}

    assert rank_remaining(hands) == {"a": 1, "b": 1, "c": 3}


@pytest.mark.parametrize(("players", "decks"), [(2, 1), (7, 1), (8, 2), (14, 2), (15, 3)])
def test_decks_for_kpgut_is_one_for_each_started_seven(players: int, decks: int) -> None:
    assert decks_for(KPGUT, players) == decks


def test_decks_for_the_others_is_one() -> None:
    assert {decks_for(ruleset, 15) for ruleset in (MATTEL, TITE)} == {1}


def test_cards_available_counts_the_customizable_cards_agreed() -> None:
    assert cards_available(MATTEL, 2, custom_cards=1)["custom"] == 2
    assert cards_available(MATTEL, 1, custom_cards=0)["custom"] == 0
    assert sum(cards_available(MATTEL, 1).values()) == 112
    assert "custom" not in cards_available(TITE, 1, custom_cards=3)


def test_deal_fits_seven_each_and_one_turned_up() -> None:
    assert cards_for_deal(MATTEL, 15) == 106
    assert cards_for_deal(KPGUT, 15) == 105  # the youngest opens from the hand
    assert deal_fits(MATTEL, 15, decks=1)
    assert not deal_fits(MATTEL, 16, decks=1)
    assert not deal_fits(TITE, 15, decks=1)
    assert deal_fits(TITE, 15, decks=2)
    assert deal_fits(MATTEL, 31, decks=2, custom_cards=0)  # 218 of 218 cards
