"""kingi89 Pro Gamer Uno Tour 2016: timed games, lowest average wins."""

from .penalties import KPGUT
from .ruleset import CARD_POINTS, DECK_108, Ruleset, Source, frozen

RULESET = Ruleset(
    id="kpgut-2016",
    name="kingi89 Pro Gamer Uno Tour 2016",
    revision="2016",
    source=Source(
        "kingi89 Pro Gamer Uno Tour, rule sheets in Finnish and English, 2016",
        newest="http://kingi89.fi/kpgut",
        en="kingi89 Pro Gamer Uno Tour, rule sheets in Finnish and English, 2016, by Riku “kingi89” Eskelinen (2009), "
        "after the rules of the youth work of Orivesi parish; free to use and to copy verbatim, but not commercially",
        fi="kingi89 Pro Gamer Uno Tour, säännöt suomeksi ja englanniksi, 2016. Oriveden seurakunnan nuorisotyön "
        "säännöistä kirjasi Riku ”kingi89” Eskelinen (2009). Sääntöjä saa vapaasti käyttää, kopioida ja levittää "
        "muokkaamattomina ei-kaupallisiin tarkoituksiin",
        sv="kingi89 Pro Gamer Uno Tour, regelblad på finska och engelska, 2016, av Riku ”kingi89” Eskelinen (2009), "
        "efter reglerna i Orivesi församlings ungdomsarbete; får fritt användas, kopieras och spridas oförändrade, "
        "men inte kommersiellt",
    ),
    kinds=("session",),
    card_names=frozen({"en": {"wild4": "Wild+Draw 4"}, "fi": {"wild": "Villi", "wild4": "Villi+Nosta 4"}}),
    sheets=("en", "fi"),
    wording="kpgut",
    penalties=KPGUT,
    deck=DECK_108,  # no 40-point cards
    points=CARD_POINTS,
    players_per_deck=7,
    turned_up_cards=0,  # the youngest plays the first card
    hour_s=3600,
    remaining_base=60,
    remaining_step=5,
    give_up_extra=30,
    give_up_least=60,
)
