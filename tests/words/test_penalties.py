"""Every penalty has its words, and every word a penalty."""

import pytest

from rulesets import RULESETS, penalties_of
from rulesets.sound import CODES
from tournament.words.penalties import FOLLOWS, FOLLOWS_IN, HAPPENED, HAPPENED_IN, penalty_texts


@pytest.mark.parametrize("ruleset", RULESETS)
def test_every_penalty_has_words_with_its_number_of_cards(ruleset: str) -> None:
    for penalty in penalties_of(ruleset):
        happened, follows = penalty_texts(ruleset, penalty.code)
        assert happened
        assert "%" not in follows
        if penalty.cards > 1:
            assert f"{penalty.cards} " in follows
        assert not penalty.turn_lost or "turn" in follows


def test_no_words_stand_for_nothing() -> None:
    assert set(HAPPENED) == CODES == set(FOLLOWS)
    codes = {each.wording: {row.code for row in each.penalties} for each in RULESETS.values()}
    for special in (HAPPENED_IN, FOLLOWS_IN):
        for wording, texts in special.items():
            assert set(texts) <= codes[wording]


def test_unknown_code_has_no_words() -> None:
    with pytest.raises(KeyError):
        penalty_texts("mattel-108", "away")
