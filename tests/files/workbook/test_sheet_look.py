"""The words of the sheets with formulas."""

from types import ModuleType

import pytest
from django.utils import translation

from tests.depth import dear
from tournament.files.workbook import games, heats, rounds
from tournament.files.workbook.sheet_look import Words, count_words, outcome_words, state_words
from tournament.files.workbook.writer import LONGEST_CHOICE

pytestmark = pytest.mark.program


@pytest.mark.parametrize("language", ["fi", *dear("en", "sv")])
@pytest.mark.parametrize("kind", [games, rounds, heats], ids=["games", "rounds", "heats"])
def test_the_words_that_formulas_compare_differ_and_can_be_chosen_from_a_list(
    kind: ModuleType, language: str
) -> None:
    """Excel takes small and capital letters as the same, a comma as the end of a word of a list, and * and ? in a count
    as any letters."""
    with translation.override(language):
        words = Words.now()
        outcomes = outcome_words(*kind.OUTCOMES)
        for each in (outcomes, words.states, count_words(), {"same": words.same, "other": words.other}):
            assert len({word.casefold() for word in each.values()}) == len(each)
        compared = [*words.states.values(), *outcomes.values(), words.yes, words.other, words.own_hand]
        assert not [word for word in compared if set(word.strip('"')) & set(',*?~"<>=')]
        assert max(len(",".join(each)) for each in (state_words(), outcomes.values())) <= LONGEST_CHOICE
