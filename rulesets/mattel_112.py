"""Mattel's rules for the box of 112 cards: one Shuffle Hands and three Customizable cards more."""

from dataclasses import replace

from .mattel_108 import MATTEL_108
from .ruleset import DECK_108, frozen

MATTEL_112 = replace(
    MATTEL_108,
    id="mattel-112",
    name="Mattel UNO, 112 cards",
    revision="112",
    source="Mattel, rules in the box of 112 cards",
    deck=frozen({**DECK_108, "shuffle": 1, "custom": 3}),
    custom_cards=True,
)
