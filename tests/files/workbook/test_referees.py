"""The sheets of incidents and rulings."""

from pathlib import Path

import pytest

from rulesets import RULESETS
from tournament.words.rulings import rulings_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("ruleset", RULESETS)
def test_rulings_are_said_as_the_documentation_gives_their_reasons(ruleset: str) -> None:
    """But for the quotation marks, which are typographic in words."""
    section, documented = "", {}
    for line in (Path(__file__).parents[3] / "docs" / "rulings.md").read_text().splitlines():
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
