"""docs/glossary.md: in three languages, as the catalogues say it, and whole for what the program words by code."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from django.utils import translation

from tournament.models import (
    Decision,
    Entry,
    Incident,
    Membership,
    Play,
    Proposal,
    Result,
    Seat,
    Stage,
    Tournament,
)
from tournament.templatetags.lastcard import STATES
from tournament.words import faults, kinds

ROOT = Path(__file__).parents[2]
LANGUAGES = {"fi": "Finnish", "sv": "Swedish"}
BY_CODE = [
    *faults.CARDS.values(),
    *kinds.STATUSES.values(),
    *kinds.OUT_KINDS.values(),
    *(state.word for state in STATES.values()),
    *(
        label
        for choices in (
            Decision.Kind,
            Entry.State,
            Incident.Kind,
            Membership.Role,
            Play.Ended,
            Play.SecondLook,
            Play.State,
            Proposal.State,
            Result.Outcome,
            Seat.OutAs,
            Stage.Kind,
            Stage.State,
            Tournament.State,
        )
        for label in choices.labels
    ),
]


def rows() -> Iterator[dict[str, list[str]]]:
    """Each row of the glossary's tables: by the heading of the column, the terms that stand in it."""
    headings: list[str] = []
    for line in (ROOT / "docs" / "glossary.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if not cells or set(cells[0]) == {"-"}:
            headings = headings if cells else []
        elif not headings:
            headings = cells
        else:
            plain = [re.sub(r"\s*[(][^)]*[)]", "", cell) for cell in cells]
            yield {heading: cell.split(", ") for heading, cell in zip(headings, plain, strict=True)}


@cache
def terms(language: str) -> dict[str, list[str]]:
    """Read the glossary's words for each English term in this language, in small letters: one word or several forms."""
    found: dict[str, list[str]] = {}
    for row in rows():
        for english, said in zip(row["English"], row[LANGUAGES[language]], strict=True):
            found.setdefault(english.casefold(), []).extend(said.casefold().split(" / "))
    return found


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_every_term_has_a_word_in_each_language(language: str) -> None:
    assert len(terms(language)) > 100
    assert [english for english, said in terms(language).items() if not all(said)] == []


def test_the_catalogue_says_what_the_glossary_says(language: str) -> None:
    with (ROOT / "locale" / language / "LC_MESSAGES" / "django.po").open("rb") as file:
        texts = [each for each in read_po(file, locale=language) if each.context in {None, "state"}]
    known = terms(language)
    found = [(each.id, str(each.string)) for each in texts if str(each.id).casefold() in known]
    assert len(found) > 100
    assert [
        (english, said) for english, said in found if said.casefold() not in known[english.casefold()]
    ] == []


def test_the_glossary_lists_every_card_outcome_state_and_role() -> None:
    with translation.override("en"):
        worded = {str(label).casefold() for label in BY_CODE}
    assert sorted(worded - terms("fi").keys()) == []
