"""The ways to a section of a guide: the "?" of a page, and the search by people's own words."""

import re

import pytest
from django.test import Client

from tests.support.arriving import opened
from tests.support.factories import event
from tests.support.templates import template_files
from tournament.extras.help.pages import MOST_SECTIONS, search
from tournament.extras.help.words import GUIDES, PARTS, part

LANGUAGES = ("en", "fi", "sv")
TEMPLATES = [path.read_text() for path in template_files()]
SHOWN = {key for text in TEMPLATES for key in re.findall(r'help_(?:link |of=)"([\w-]+)"', text)}

# A question that people type, and the section that they look for.
ASKED = {
    "en": {
        "check in": "check-players-in",
        "late": "late-no-show-or-gone",
        "no-show": "late-no-show-or-gone",
        "shuffle seats": "draw-seats",
        "projector": "use-a-big-screen",
        "wifi": "enter-results-offline",
        "wrong result": "correct-a-result",
        "certificates": "print",
        "walk-in": "add-a-walk-in",
        "where do I sit": "find-your-table-and-place",
        "duplicates": "merge-duplicate-players",
        "timer": "run-the-clock",
        "warning": "note-a-penalty-or-dispute",
    },
    "fi": {
        "kirjaa paikalle": "check-players-in",
        "myöhässä": "late-no-show-or-gone",
        "paikkojen arvonta": "draw-seats",
        "projektori": "use-a-big-screen",
        "ei verkkoa": "hand-over-to-another-phone",
        "korjaus": "correct-a-result",
        "kunniakirja": "print",
        "missä istun": "find-your-table-and-place",
        "huomautus": "note-a-penalty-or-dispute",
        "jäädyttäminen": "freeze-the-standings",
    },
    "sv": {
        "incheckning": "check-players-in",
        "sen": "late-no-show-or-gone",
        "lottning": "draw-seats",
        "projektor": "use-a-big-screen",
        "utan nät": "enter-results-offline",
        "fel resultat": "correct-a-result",
        "diplom": "print",
        "var sitter jag": "find-your-table-and-place",
        "varning": "note-a-penalty-or-dispute",
        "drop-in": "add-a-walk-in",
    },
}


def test_every_question_mark_leads_to_a_section_and_every_named_page_has_one() -> None:
    assert PARTS.keys() == SHOWN
    for language in LANGUAGES:
        client = Client()
        pages = {guide: client.get(f"/{language}/help/{guide}/").content.decode() for guide in GUIDES}
        for page in PARTS:
            section = part(page, language)
            assert f'</summary><div class="help__text" id="{section.id}">' in pages[section.guide], page


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "words"), [("en", "Help: Register"), ("fi", "Ohje: Ilmoittaudu"), ("sv", "Hjälp: Anmäl dig")]
)
def test_question_mark_says_in_words_what_it_opens(language: str, words: str) -> None:
    made = opened(event())
    text = Client().get(f"/{language}/t/{made.tournament.slug}/join/").content.decode()
    assert f'href="/{language}/help/players/#register" aria-label="{words}"' in text


@pytest.mark.parametrize(
    ("language", "question", "wanted"),
    [(language, *one) for language, asked in ASKED.items() for one in asked.items()],
)
def test_search_finds_a_task_by_the_words_that_people_type(language: str, question: str, wanted: str) -> None:
    found = [section.id for section in search(question, language)]
    assert wanted in found[:3]
    assert len(found) <= MOST_SECTIONS


def test_search_of_nothing_finds_nothing() -> None:
    assert search(" ?! ", "en") == search("xyzzy", "en") == ()


def test_page_of_the_help_shows_what_was_found() -> None:
    client = Client()
    found = client.get("/fi/help/", {"q": "arvonta"}).content.decode()
    assert '<a href="/fi/help/organisers/#draw-seats">Arvo paikat</a>' in found
    nothing = client.get("/en/help/", {"q": "<xyzzy>"}).content.decode()
    assert "Nothing found. Try another word." in nothing
    assert "<xyzzy>" not in nothing


def test_words_of_one_letter_and_those_beyond_the_eighth_are_not_looked_for() -> None:
    assert search("a " * 50, "en") == ()
    words = "check check wifi projector late merge timer warning print certificates"
    assert search(words, "en") == search(" ".join([*dict.fromkeys(words.split())][:8]), "en")
