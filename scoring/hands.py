"""Hands: points, ranking, decks.

| rule | section | where |
| --- | --- | --- |
| points | Cards, points | `hand_points` |
| order of players remaining | KPGUT, special situation 6 | `rank_remaining` |
| deciding step | same | `deciding_steps` |
| a deck per started seven players | KPGUT, before the game; Mattel and TiTe: one | `decks_for` |
| Customizable cards | Mattel 112, Customizable | `cards_available` |
| seven cards each, one turned up | deal | `cards_for_deal`, `deal_fits` |
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Any, TypeVar

from rulesets import NUMBERS, Ruleset

from .faults import Faults, Path
from .sheets import Hand

# ---- Places in standard competition ranking ----

Rank = TypeVar("Rank", int, Fraction, tuple[int, ...], tuple[Fraction, ...])


def places(ranks: Sequence[Rank]) -> list[int]:
    """Places of `ranks`, where less is better: 1 plus the number strictly better, so ties share: 1, 1, 3."""
    comparable: list[Any] = list(ranks)
    if comparable and isinstance(comparable[0], Fraction):
        common = lcm(*(rank.denominator for rank in comparable))  # integers compare much faster
        comparable = [rank.numerator * (common // rank.denominator) for rank in comparable]
    first: dict[Any, int] = {}
    for place, rank in enumerate(sorted(comparable), 1):
        first.setdefault(rank, place)
    return [first[rank] for rank in comparable]


def places_of(ranks: Mapping[str, Rank]) -> dict[str, int]:
    """The place of each player."""
    return dict(zip(ranks, places(list(ranks.values())), strict=True))


def hand_points(ruleset: Ruleset, hand: Hand) -> int:
    """Sum of card points."""
    points = ruleset.points
    return sum(points[card] * count for card, count in hand.items())


def hand_size(hand: Hand) -> int:
    """Number of cards."""
    return sum(hand.values())


def rank_remaining(hands: Mapping[str, Hand]) -> dict[str, int]:
    """Ranks by special situation 6 (ties share): fewest cards, fewest number cards, most 0s, 1s ... 9s."""
    return places_of({player: _remaining_rank(hand) for player, hand in hands.items()})


STEPS = ("cards", "numbers", *NUMBERS)
LEVEL = "level"  # shared place


def deciding_steps(hands: Mapping[str, Hand]) -> dict[str, str]:
    """For each player but the first, the step that decided against them, or `level`."""
    order = sorted(hands, key=lambda player: _remaining_rank(hands[player]))
    return {behind: deciding_step(hands[ahead], hands[behind]) for ahead, behind in pairwise(order)}


def deciding_step(ahead: Hand, behind: Hand) -> str:
    """First step in which the hands differ, or `level`."""
    ranks = zip(STEPS, _remaining_rank(ahead), _remaining_rank(behind), strict=True)
    return next((step for step, mine, other in ranks if mine != other), LEVEL)


def counted_in(step: str, hand: Hand) -> int:
    """Count of cards that `step` compares."""
    return abs(_remaining_rank(hand)[STEPS.index(step)])


def _remaining_rank(hand: Hand) -> tuple[int, ...]:
    numbers = [hand.get(number, 0) for number in NUMBERS]
    return (hand_size(hand), sum(numbers), *(-count for count in numbers))


def decks_for(ruleset: Ruleset, players: int) -> int:
    """Number of decks for so many players."""
    return 1 if ruleset.players_per_deck is None else max(1, -(-players // ruleset.players_per_deck))


def cards_available(ruleset: Ruleset, decks: int, custom_cards: int = 3) -> dict[str, int]:
    """Count of each card in so many decks, with `custom_cards` Customizable cards each."""
    cards = {card: count * decks for card, count in ruleset.deck.items()}
    if "custom" in cards:
        cards["custom"] = min(custom_cards, ruleset.deck["custom"]) * decks
    return cards


def cards_for_deal(ruleset: Ruleset, players: int) -> int:
    """Number of cards dealt and turned up."""
    return ruleset.dealt_cards * players + ruleset.turned_up_cards


def deal_fits(ruleset: Ruleset, players: int, *, decks: int, custom_cards: int = 3) -> bool:
    """Whether the decks suffice for the deal; else a mere warning."""
    return cards_for_deal(ruleset, players) <= hand_size(cards_available(ruleset, decks, custom_cards))


def check_cards(hand: Hand, path: Path, ruleset: Ruleset, available: Hand, faults: Faults) -> bool:
    """Whether the cards are valid; else records `unknown_card`, `negative_count`, `card_not_in_deck`."""
    before = len(faults.errors)
    for card, count in hand.items():
        if card not in ruleset.points:
            faults.add("unknown_card", (*path, card), card=card, allowed=", ".join(ruleset.points))
        elif count < 0:
            faults.add("negative_count", (*path, card), card=card, count=count)
        elif count and not available.get(card):
            faults.add("card_not_in_deck", (*path, card), card=card, ruleset=ruleset.id)
    return len(faults.errors) == before


def check_fit(hands: list[tuple[Path, Hand]], ruleset: Ruleset, available: Hand, faults: Faults) -> None:
    """Record `deck_exceeded` per card, at the first hand over `available`."""
    held: dict[str, int] = {}
    over: dict[str, Path] = {}
    for path, hand in hands:
        for card, count in hand.items():
            held[card] = held.get(card, 0) + count
            if held[card] > available.get(card, 0) and card not in over:
                over[card] = (*path, card)
    for card, path in over.items():
        faults.add(
            "deck_exceeded",
            path,
            card=card,
            ruleset=ruleset.id,
            count=held[card],
            available=available[card],
        )
