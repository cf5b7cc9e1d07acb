"""TiTe tournament rules 2022: heats, then a final to the referees' target."""

from dataclasses import replace

from .mattel_108 import RULESET as MATTEL_108
from .penalties import TITE
from .ruleset import BLACK_CARDS, DECK_108, WINNER_TAKES, Source, frozen

RULESET = replace(
    MATTEL_108,
    id="tite-2022",
    name="TiTe UNO tournament 2022",
    names=frozen({"fi": "TiTen UNO-turnaus 2022", "sv": "TiTes UNO-turnering 2022"}),
    card_names=frozen(
        {
            "en": {"wild": "Joker", "wild4": "Draw 4", "shuffle": "Shuffle hands"},
            "fi": {"wild4": "Nosta 4"},
            "sv": {"wild4": "Dra 4"},
        }
    ),
    revision="2022",
    source=Source(
        "TiTe, official tournament rules in Finnish and English, 2022",
        en="TiTe, official tournament rules in Finnish and English, 2022, made by TiTe’s 30(+1) anniversary committee",
        fi="TiTe, viralliset turnaussäännöt suomeksi ja englanniksi, 2022, tekijänä TiTen 30(+1)-vuosijuhlatoimikunta",
        sv="TiTe, officiella turneringsregler på finska och engelska, 2022, av TiTes kommitté för 30(+1)-årsjubileet",
    ),
    wording="tite",
    penalties=TITE,
    deck=frozen({card: count for card, count in DECK_108.items() if card != "wild"}),
    scorings=(WINNER_TAKES,),
    races=False,
    default_target=None,
    least_target=250,
    most_target=500,
    several_last_cards=True,
    forbidden_last_cards=BLACK_CARDS,
)
