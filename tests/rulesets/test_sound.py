"""Whether a ruleset can be played: ours can, and each fault of a house's own is reported."""

from dataclasses import replace
from typing import Any

import pytest

from rulesets import RULESETS, take_in
from rulesets.penalties import KPGUT, Penalty
from rulesets.sound import faults_of

MATTEL, SESSION = RULESETS["mattel-108"], RULESETS["kpgut-2016"]


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=lambda ruleset: ruleset.id)
def test_our_own_rulesets_can_be_played(ruleset: Any) -> None:
    assert faults_of(ruleset) == []
    with pytest.raises(ValueError, match=ruleset.id):
        take_in(replace(ruleset, name="Another"))


@pytest.mark.parametrize(
    ("changes", "begins"),
    [
        ({"id": "Mattel"}, "id must be"),
        ({"name": " "}, "name must be"),
        ({"source": 7}, "source must be"),
        ({"revision": "x" * 17}, "revision must be"),
        ({"kinds": ()}, "kinds is to name some"),
        ({"kinds": ("match", "match")}, "kinds is to name some"),
        ({"kinds": ["match"]}, "kinds is to name some"),
        ({"scorings": ("both",)}, "scorings is to name"),
        ({"wording": "kpgut"}, "wording must be"),
        ({"deck": {}}, "deck is to say"),
        ({"deck": {"0": 0}}, "deck is to say"),
        ({"custom_cards": True}, "custom_cards must be"),
        ({"points": {"0": 0}}, "points is to say"),
        ({"last_card_draws": {"joker": 1}}, "last_card_draws is to say"),
        ({"forbidden_last_cards": ("joker",)}, "forbidden_last_cards is to name"),
        ({"dealt_cards": 0}, "dealt_cards must be"),
        ({"turned_up_cards": True}, "turned_up_cards must be"),
        ({"hour_s": 1800}, "hour_s must be"),
        ({"players_per_deck": 7}, "players_per_deck must be None"),
        ({"least_target": 0}, "least_target must be"),
        ({"least_target": 600, "most_target": 500}, "most_target must be"),
        ({"most_target": 400}, "default_target must be"),
        ({"names": {"fi": ""}}, "names is to say"),
        ({"card_names": {"wild4": "Draw 4"}}, "card_names is to say"),
        ({"card_names": {"fi": {"draw4": "Nosta 4"}}}, "card_names is to say"),
        ({"sheets": ("en", "de")}, "sheets must be"),
        ({"notes": {"en": "no brackets"}}, "notes is to hold"),
        ({"penalties": (Penalty("unheard_of", "none"),)}, "penalties is to hold"),
        ({"penalties": (KPGUT[0], KPGUT[0])}, "penalties is to hold"),
    ],
    ids=str,
)
def test_what_cannot_be_played_is_said_in_a_sentence(changes: dict[str, Any], begins: str) -> None:
    (said,) = faults_of(replace(MATTEL, **changes))
    assert said.startswith(begins)


def test_what_lasts_by_the_clock_has_no_rounds_and_takes_decks_by_its_players() -> None:
    (said,) = faults_of(replace(SESSION, players_per_deck=None))
    assert said.startswith("players_per_deck must be a whole number")
    assert "kinds is to name session alone: what lasts by the clock has no rounds nor heats." in faults_of(
        replace(SESSION, kinds=("session", "heats"))
    )
