"""Mattel's rules, 112 cards: adds Shuffle Hands and Customizable cards."""

from dataclasses import replace

from .mattel_108 import RULESET as MATTEL_108
from .ruleset import DECK_112, Source, frozen

RULESET = replace(
    MATTEL_108,
    id="mattel-112",
    name="Mattel UNO, 112 cards",
    names=frozen({"fi": "Mattelin UNO, 112 korttia", "sv": "Mattels UNO, 112 kort"}),
    card_names=frozen({"fi": {"shuffle": "Sekoita kortit -jokeri", "custom": "Mukautettava jokeri"}}),
    revision="112",
    source=Source(
        "Mattel, rules in the box of 112 cards",
        newest="http://unorules.net/fi",
        fi="Mattel, 112 kortin pakkauksen säännöt",
        sv="Mattel, reglerna i asken med 112 kort",
    ),
    wording="mattel",
    deck=DECK_112,
    custom_cards=True,
)
