"""The "?" of a page, and the search of the guides."""

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from itertools import takewhile
from typing import Any

from django.conf import settings
from django.utils.translation import get_language

from tournament.extras.help.words import GUIDES, Section, part, sections

LONGEST_QUERY, MOST_WORDS = 100, 8  # letters; words of two letters or more
CACHED_ANSWERS = 500  # cached answers
MOST_SECTIONS = 8  # sections shown
WEAKEST = 1 / 3  # least share of the best value
SHORTEST = 3  # letters shared by forms of a word
ALIKE = 0.6  # of the shorter one
IN_TITLE, IN_ALSO, IN_TEXT = 6, 4, 1
_WORD = re.compile(r"\w+")


def of_page(context: Mapping[str, Any]) -> dict[str, Section]:
    """The section that explains the page `help_of` of PARTS (words.py)."""
    return {"part": part(context["help_of"], get_language() or settings.LANGUAGE_CODE)}


@lru_cache(CACHED_ANSWERS)
def search(question: str, language: str) -> tuple[Section, ...]:
    """Sections matching the question, best first; title words weigh most."""
    words = (word for word in _words(question[:LONGEST_QUERY]) if len(word) > 1)
    asked = [*dict.fromkeys(words)][:MOST_WORDS]
    values = {
        section: sum(
            max(
                IN_TITLE * _likeness(word, title),
                IN_ALSO * _likeness(word, also),
                IN_TEXT * _likeness(word, text),
            )
            for word in asked
        )
        for guide in GUIDES
        for section in sections(guide, language)
        for title, also, text in [_read(section)]
    }
    best = max(values.values())
    found = [section for section, value in values.items() if value and value >= WEAKEST * best]
    return tuple(sorted(found, key=lambda section: -values[section])[:MOST_SECTIONS])


@cache
def _read(section: Section) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    title, also, text = (frozenset(_words(each)) for each in (section.title, section.also, section.text))
    return title, also, text


def _likeness(word: str, others: Iterable[str]) -> float:
    return max((_common(word, other) for other in others), default=0)


def _common(word: str, other: str) -> float:
    """Shared prefix as a share of the longer word; 0 for no form of it."""
    shared = sum(1 for _both in takewhile(lambda both: both[0] == both[1], zip(word, other, strict=False)))
    alike = word == other or (shared >= SHORTEST and shared >= ALIKE * min(len(word), len(other)))
    return shared / max(len(word), len(other)) if alike else 0


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
