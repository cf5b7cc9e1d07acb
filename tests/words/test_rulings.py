"""Rulings in words: each ruleset's own, after those of every ruleset."""

from pathlib import Path

import pytest
from django.utils.translation import override

from rulesets import RULESETS
from tournament.words.rulings import RULINGS, rulings_of


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_ruleset_has_the_rulings_of_its_wording_after_those_of_all(ruleset: str) -> None:
    said = rulings_of(ruleset)
    wording = RULESETS[ruleset].wording
    assert said == [(str(question), str(ruling)) for question, ruling, *_codes in RULINGS[wording]]
    assert said[: len(RULINGS[""])] == [
        (str(question), str(ruling)) for question, ruling, *_codes in RULINGS[""]
    ]
    assert len(said) > len(RULINGS[""])
    assert len({question for question, _ in said}) == len(said)


def test_rulings_are_in_the_readers_language() -> None:
    english = dict(rulings_of("tite-2022"))
    assert english["The final’s target"].startswith("250 to 500")
    with override("fi"):
        assert not english.keys() & dict(rulings_of("tite-2022")).keys()


@pytest.mark.parametrize("ruleset", RULESETS)
def test_rulings_are_said_as_the_documentation_gives_their_reasons(ruleset: str) -> None:
    """Quotation marks aside, which are typographic in words."""
    section, documented = "", {}
    for line in (Path(__file__).parents[2] / "docs" / "rulings.md").read_text().splitlines():
        if line.startswith("## "):
            section = line.removeprefix("## ")
        elif line.startswith("| ") and not line.startswith(("| question |", "| --- |")):
            question, ruling, _reason = line.strip("| ").split(" | ")
            wording = RULESETS[ruleset].wording
            if section == "All rulesets" or (wording and wording in section.partition(":")[0]):
                documented[question] = ruling
    plain = str.maketrans("’“”", '\'""')
    assert {
        question.translate(plain): ruling.translate(plain) for question, ruling in rulings_of(ruleset)
    } == documented
