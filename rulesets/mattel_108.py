"""Mattel's older rules, for the box of 108 cards: rounds of card points, first to 500."""

from .ruleset import CARD_POINTS, DECK_108, OWN_HAND, WINNER_TAKES, Ruleset, frozen

MATTEL_108 = Ruleset(
    id="mattel-108",
    name="Mattel UNO, 108 cards",
    revision="108",
    source="Mattel, rules in the box of 108 cards",
    kinds=("match", "heats"),
    deck=DECK_108,
    points=CARD_POINTS,
    scorings=(WINNER_TAKES, OWN_HAND),
    default_target=500,
    last_card_draws=frozen({"draw2": 2, "wild4": 4}),
)
