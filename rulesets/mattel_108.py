"""Mattel's older rules, 108 cards: rounds to 500 card points."""

from .penalties import MATTEL
from .ruleset import CARD_POINTS, DECK_108, OWN_HAND, WINNER_TAKES, Ruleset, Source, frozen

RULESET = Ruleset(
    id="mattel-108",
    name="Mattel UNO, 108 cards",
    names=frozen({"fi": "Mattelin UNO, 108 korttia", "sv": "Mattels UNO, 108 kort"}),
    revision="108",
    source=Source(
        "Mattel, rules in the box of 108 cards",
        fi="Mattel, 108 kortin pakkauksen säännöt",
        sv="Mattel, reglerna i asken med 108 kort",
    ),
    kinds=("match", "heats"),
    card_names=frozen(
        {"fi": {"draw2": "Nosta 2 korttia", "wild": "Villi kortti", "wild4": "Villi nosta 4 korttia"}}
    ),
    wording="mattel-108",
    penalties=MATTEL,
    deck=DECK_108,
    points=CARD_POINTS,
    scorings=(WINNER_TAKES, OWN_HAND),
    default_target=500,
    last_card_draws=frozen({"draw2": 2, "wild4": 4}),
)
