"""Every penalty has its words, and every word a penalty."""

import pytest

from rulesets.penalties import PENALTIES, penalties_of
from tournament.penalty_words import FOLLOWS, FOLLOWS_IN, HAPPENED, HAPPENED_IN, penalty_texts


@pytest.mark.parametrize("ruleset", PENALTIES)
def test_every_penalty_has_words_with_its_number_of_cards(ruleset: str) -> None:
    for penalty in penalties_of(ruleset):
        happened, follows = penalty_texts(ruleset, penalty.code)
        assert happened
        assert "%" not in follows
        if penalty.cards > 1:
            assert f"{penalty.cards} " in follows
        assert not penalty.turn_lost or "turn" in follows


def test_no_words_stand_for_nothing() -> None:
    codes = {penalty.code for rows in PENALTIES.values() for penalty in rows}
    assert set(HAPPENED) == codes == set(FOLLOWS)
    for special in (HAPPENED_IN, FOLLOWS_IN):
        for ruleset, texts in special.items():
            assert set(texts) <= {penalty.code for penalty in penalties_of(ruleset)}


def test_unknown_code_has_no_words() -> None:
    with pytest.raises(KeyError):
        penalty_texts("mattel-108", "away")
