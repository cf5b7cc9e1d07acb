"""The columns of the sheets with formulas."""

import pytest

from rulesets import CARDS, RULESETS, Ruleset
from tournament.files.workbook import columns
from tournament.results.kinds import kind_of

ZONE = "Europe/Helsinki"


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
def test_what_a_formula_finds_stands_beside_what_the_program_says(ruleset: Ruleset) -> None:
    sheets = [columns.games(ZONE), columns.rounds(ZONE), columns.heats(ZONE), columns.hands(ruleset)]
    for sheet in sheets:
        keys = list(sheet)
        assert keys[-1] == "id"
        assert len(set(sheet.values())) == len(sheet)
        found = [key for key in keys if key.endswith("_f")]
        assert all(
            keys.index(key.removesuffix("_f")) < keys.index(key) < keys.index("check") for key in found
        )
    assert [sum(key.endswith("_f") for key in sheet) for sheet in sheets] == [2, 1, 2, 0]


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
def test_cards_stand_in_the_order_of_the_score_sheet(ruleset: Ruleset) -> None:
    kinds = columns.kinds(ruleset)
    assert set(kinds) == set(ruleset.deck)
    assert kinds == sorted(kinds, key=list(CARDS).index)
    assert list(columns.cards(ruleset)) == ["what", *kinds]
    hands = list(columns.hands(ruleset))
    assert hands[hands.index("player") + 1 : hands.index("count")] == kinds
    ranked = any(kind_of(kind).by_average for kind in ruleset.kinds)
    assert ("order" in hands, "order_2" in hands) == (ranked, ranked)


def test_times_say_their_zone() -> None:
    sheets = (columns.games(ZONE), columns.rounds(ZONE), columns.heats(ZONE))
    assert all(ZONE in sheet["written"] for sheet in sheets)
    assert all(ZONE in columns.games(ZONE)[key] for key in ("started", "ended"))
