"""The rulesets' content: the cards of the rule sheets, and a fingerprint that pins every revision."""

import dataclasses
from typing import Any

import pytest

from rulesets import BLACK_CARDS, CARDS, RULESETS, Ruleset

FINGERPRINTS = {
    "kpgut-2016": "d9a7ed9c5c63d4e38b6dd25f3437e664f64ab8bec92f960052e45a8381fb2169",
    "mattel-108": "2a57808eef31a7e3439e20a45798a3c43fadd48e20ed86e0e2371425c5dcf055",
    "mattel-112": "6ebce7eab9d052d32bfa1e3ee020dfef552fa28a08149ec630f96da107f1f827",
    "tite-2022": "774f4c3108c6c93c25d4d59a9c3eef85a821f45c411efdde9a4d97544a885056",
}


def test_every_ruleset_is_pinned_and_they_stand_in_the_order_of_their_files() -> None:
    assert list(RULESETS) == list(FINGERPRINTS)


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=lambda ruleset: ruleset.id)
def test_ruleset_is_what_it_was_when_it_was_played(ruleset: Ruleset) -> None:
    """A change here changes past championships: make a new revision instead."""
    assert ruleset.fingerprint() == FINGERPRINTS[ruleset.id]


@pytest.mark.parametrize(
    ("name", "cards"), [("kpgut-2016", 108), ("mattel-108", 108), ("mattel-112", 112), ("tite-2022", 104)]
)
def test_deck_has_its_number_of_cards(name: str, cards: int) -> None:
    assert sum(RULESETS[name].deck.values()) == cards


#   card        108  112  TiTe  points
CARD_TABLE = """
    0             4    4     4       0
    1             8    8     8       1
    2             8    8     8       2
    3             8    8     8       3
    4             8    8     8       4
    5             8    8     8       5
    6             8    8     8       6
    7             8    8     8       7
    8             8    8     8       8
    9             8    8     8       9
    draw2         8    8     8      20
    reverse       8    8     8      20
    skip          8    8     8      20
    wild          4    4     0      50
    wild4         4    4     4      50
    shuffle       0    1     0      40
    custom        0    3     0      40
"""


@pytest.mark.parametrize("row", CARD_TABLE.strip().splitlines())
def test_card_is_as_often_and_worth_as_much_as_the_table_says(row: str) -> None:
    card, *numbers = row.split()
    of_108, of_112, of_tite, points = map(int, numbers)
    decks = {"kpgut-2016": of_108, "mattel-108": of_108, "mattel-112": of_112, "tite-2022": of_tite}

    assert {name: RULESETS[name].deck.get(card, 0) for name in decks} == decks
    assert {RULESETS[name].points[card] for name in decks} == {points}


def test_every_card_has_points_everywhere() -> None:
    assert all(tuple(ruleset.points) == CARDS for ruleset in RULESETS.values())


def test_tite_plays_one_black_card_and_ends_on_none() -> None:
    tite = RULESETS["tite-2022"]

    assert [card for card in BLACK_CARDS if card in tite.deck] == ["wild4"]
    assert tite.forbidden_last_cards == BLACK_CARDS
    assert (tite.default_target, tite.least_target, tite.most_target) == (None, 250, 500)


def test_ruleset_cannot_be_changed() -> None:
    rulesets: Any = RULESETS
    ruleset = rulesets["mattel-108"]

    with pytest.raises(dataclasses.FrozenInstanceError):
        ruleset.default_target = 300
    with pytest.raises(TypeError):
        ruleset.deck["0"] = 5
    with pytest.raises(TypeError):
        rulesets["house"] = ruleset


def test_fingerprint_tells_any_change() -> None:
    ruleset = RULESETS["mattel-108"]

    assert dataclasses.replace(ruleset, default_target=501).fingerprint() != ruleset.fingerprint()
    assert dataclasses.replace(ruleset).fingerprint() == ruleset.fingerprint()
