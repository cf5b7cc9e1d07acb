"""Rulings in words: each ruleset's own, after those of every ruleset."""

import pytest
from django.utils.translation import override

from rulesets import RULESETS
from tournament.words.rulings import RULINGS, rulings_of


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_ruleset_has_the_rulings_of_its_wording_after_those_of_all(ruleset: str) -> None:
    said = rulings_of(ruleset)
    wording = RULESETS[ruleset].wording
    assert said == [(str(question), str(ruling)) for question, ruling in RULINGS[wording]]
    assert said[: len(RULINGS[""])] == [(str(question), str(ruling)) for question, ruling in RULINGS[""]]
    assert len(said) > len(RULINGS[""])
    assert len({question for question, _ in said}) == len(said)


def test_rulings_are_in_the_readers_language() -> None:
    english = dict(rulings_of("tite-2022"))
    assert english["The final’s target"].startswith("250 to 500")
    with override("fi"):
        assert not english.keys() & dict(rulings_of("tite-2022")).keys()
