"""docs/glossary.md: in three languages, as the catalogues say it, and whole for what the program words by code."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from babel.messages import Catalog
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


def lines(first: str) -> Iterator[dict[str, str]]:
    """Each row of the glossary's tables whose first column has this heading: by the heading of a column, its cell."""
    headings: list[str] = []
    for line in (ROOT / "docs" / "glossary.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if not cells or set(cells[0]) == {"-"}:
            headings = headings if cells else []
        elif not headings:
            headings = cells
        elif headings[0] == first:
            yield dict(zip(headings, cells, strict=True))


def rows() -> Iterator[dict[str, list[str]]]:
    """Each row of the glossary's terms: by the heading of the column, the terms that stand in it."""
    for line in lines("English"):
        plain = {heading: re.sub(r"\s*[(][^)]*[)]", "", cell) for heading, cell in line.items()}
        several = ", " in plain["English"]
        yield {heading: cell.split(", ") if several else [cell] for heading, cell in plain.items()}


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


@cache
def catalogue(language: str) -> Catalog:
    with (ROOT / "locale" / language / "LC_MESSAGES" / "django.po").open("rb") as file:
        return read_po(file, locale=language)


def test_the_catalogue_says_what_the_glossary_says(language: str) -> None:
    texts = [each for each in catalogue(language) if each.context in {None, "state"}]
    known = terms(language)
    found = [(str(each.id), str(each.string)) for each in texts if str(each.id).casefold() in known]
    assert len(found) > 100
    assert [
        (english, said) for english, said in found if said.casefold() not in known[english.casefold()]
    ] == []


def test_the_glossary_lists_every_card_outcome_state_and_role() -> None:
    with translation.override("en"):
        worded = {str(label).casefold() for label in BY_CODE}
    assert sorted(worded - terms("fi").keys()) == []


def test_buttons_and_chips_say_the_one_word_of_each_status(language: str) -> None:
    """The table of states: a word that the catalogue has is said so in Finnish and Swedish."""
    contexts = {None, "state", "button", "organiser"}
    known = [each for each in catalogue(language) if each.context in contexts and each.id]
    statuses = list(lines("button"))
    assert len(statuses) == 14
    heading = f"{LANGUAGES[language]}: button, chip"
    for line in statuses:
        words = [line["button"], line["chip and count"]] if line["button"] else [line["chip and count"]]
        for word, said in zip(words, line[heading].split(", "), strict=True):
            found = {str(each.string) for each in known if each.id == word}
            assert not found or said in found, (word, said, found)


def forms(text: object) -> tuple[str, ...]:
    return text if isinstance(text, tuple) else (str(text),)


def messages(language: str) -> Iterator[tuple[str, list[str]]]:
    """List each message in the language, and the files that say it."""
    for each in catalogue("fi" if language == "English" else language):
        for text in forms(each.id if language == "English" else each.string) if each.id else ():
            yield text, [name for name, _line in each.locations]


def test_no_message_says_a_word_that_the_glossary_calls_wrong() -> None:
    codes = {name: code for code, name in LANGUAGES.items()} | {"English": "English"}
    wrong = list(lines("language"))
    assert {line["language"] for line in wrong} == codes.keys()
    found = []
    for line in wrong:
        word = re.compile(rf"(?<!\w){re.escape(line['wrong'])}", re.IGNORECASE)
        here = "" if line["rules"] == "all" else f"rules/{line['rules'].casefold()}/"
        found += [
            f"{line['language']}, not “{line['wrong']}” but “{line['instead']}”: {text}"
            for text, files in messages(codes[line["language"]])
            if word.search(text) and (not here or any(here in name for name in files))
        ]
    assert found == []
