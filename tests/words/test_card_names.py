"""Cards have the names that the ruleset's own sheet gives them (fixtures/sheet_questions), wherever they are named."""

from pathlib import Path

import pytest
from django.test import Client
from django.utils.translation import override

from tournament.words.penalties import penalty_texts

SHEETS = Path("fixtures/sheet_questions")
# What each sheet calls the cards of its deck, where it has a name of its own: ruleset and language -> card -> name.
SAID = {
    ("kpgut-2016", "fi"): {
        "draw2": "Nosta 2",
        "reverse": "Suunnanvaihto",
        "skip": "Ohitus",
        "wild": "Villi",
        "wild4": "Villi+Nosta 4",
    },
    ("kpgut-2016", "en"): {
        "draw2": "Draw 2",
        "reverse": "Reverse",
        "skip": "Skip",
        "wild": "Wild",
        "wild4": "Wild+Draw 4",
    },
    ("mattel-108", "fi"): {
        "draw2": "Nosta 2 korttia",
        "reverse": "Suunnanvaihto",
        "skip": "Ohitus",
        "wild": "Villi kortti",
        "wild4": "Villi nosta 4 korttia",
    },
    ("mattel-112", "fi"): {
        "draw2": "Nosta 2",
        "reverse": "Suunnanvaihto",
        "skip": "Ohitus",
        "wild": "Jokeri",
        "wild4": "Nosta 4 -jokeri",
        "shuffle": "Sekoita kortit -jokeri",
        "custom": "Mukautettava jokeri",
    },
    ("tite-2022", "fi"): {
        "draw2": "Nosta 2",
        "reverse": "Suunnanvaihto",
        "skip": "Ohitus",
        "wild4": "Nosta 4",
    },
    ("tite-2022", "en"): {"draw2": "Draw 2", "reverse": "Reverse", "skip": "Skip", "wild4": "Draw 4"},
}
each_sheet = pytest.mark.parametrize(("ruleset", "language"), SAID)


@each_sheet
def test_the_names_are_those_of_the_sheet(ruleset: str, language: str) -> None:
    lines = (SHEETS / f"{ruleset}.{language}.names.tsv").read_text().splitlines()
    assert set(SAID[ruleset, language].values()) <= {line.partition("\t")[0] for line in lines}


@each_sheet
@pytest.mark.django_db
def test_the_rules_name_each_card(client: Client, ruleset: str, language: str) -> None:
    page = client.get(f"/{language}/rules/{ruleset}/").content.decode()
    assert [name for name in SAID[ruleset, language].values() if f">{name}<" not in page] == []


@each_sheet
def test_the_penalties_name_the_card(ruleset: str, language: str) -> None:
    with override(language):
        happened, _follows = penalty_texts(ruleset, "wild4_challenged_rightly")
    assert happened.startswith(f"{SAID[ruleset, language]['wild4']} ")
