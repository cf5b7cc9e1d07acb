"""TiTe's official tournament rules of 2022: heats, then a final to a target that the referees choose."""

from dataclasses import replace

from .mattel_108 import MATTEL_108
from .ruleset import BLACK_CARDS, DECK_108, WINNER_TAKES, frozen

TITE_2022 = replace(
    MATTEL_108,
    id="tite-2022",
    name="TiTe UNO tournament 2022",
    revision="2022",
    source="TiTe, official tournament rules in Finnish and English, 2022",
    deck=frozen({card: count for card, count in DECK_108.items() if card != "wild"}),
    scorings=(WINNER_TAKES,),
    default_target=None,
    least_target=250,
    most_target=500,
    several_last_cards=True,
    forbidden_last_cards=BLACK_CARDS,
)
