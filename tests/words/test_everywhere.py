"""No text of a page escapes the catalogues: none stands bare in a template, none is the same in two languages."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.test import Client

from tests.support.arriving import opened
from tests.support.crawler import guesses
from tests.support.factories import UserFactory, recorded_heat, running_heats, running_session, started_game
from tests.support.templates import named_templates
from tournament import actions

SCRIPTS = sorted((Path(__file__).parents[2] / "tournament" / "static" / "lastcard" / "js").rglob("*.js"))
# Pages for those who build programs or pages, in English alone.
ENGLISH = ("api/",)
ATTRIBUTES = "desk/_swap.html"  # holds no element, but what several share
# Texts that are no word of a language: names, keys, commands.
NAMES = {"Lastcard", "API", "Enter", "Ctrl", "https://"}
BLOCK_OF_CLASSES = r"{%\s*block \w*class\s*%}.*?{%\s*endblock\s*%}"
SAID = re.compile(
    rf"{BLOCK_OF_CLASSES}|{{%\s*blocktrans(?:late)?\b.*?{{%\s*endblocktrans(?:late)?\s*%}}"
    r"|{#.*?#}|<!--.*?-->|{%.*?%}|{{.*?}}|<(script|style)\b.*?</\1>",
    re.DOTALL,
)
MARK = "\ue000"  # stands for what a template puts in; no letter, and no end of a tag's name
READ_OUT = {"alt", "aria-description", "aria-label", "aria-roledescription", "label", "placeholder", "title"}
WORD = re.compile(r"[^\W\d_]{2,}")
WORDS = re.compile(r"[^\W\d_]{2,}\W+[^\W\d_]{2,}")


class Texts(HTMLParser):
    """The texts of a page: what stands between tags, and what is read out of them. Not what people or programs
    named (<bdi>, <code>, <kbd>) and what says itself which language it is in."""

    OTHERS = frozenset({"bdi", "code", "kbd", "pre", "script", "style", "textarea"})

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.within: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        tag = tag.strip(MARK)
        if self.within:
            self.within += [tag] * (tag == self.within[0])
        elif tag in self.OTHERS or (tag != "html" and "lang" in dict(attributes)):
            self.within = [tag]
        else:
            texts = [text for name, text in attributes if name in READ_OUT or name.startswith("data-word-")]
            self.found |= {" ".join(text.split()) for text in texts if text}

    def handle_endtag(self, tag: str) -> None:
        if self.within and tag == self.within[0]:
            self.within.pop()

    def handle_data(self, data: str) -> None:
        if not self.within:
            self.found.add(" ".join(data.split()))


def bare_texts(source: str) -> Iterator[str]:
    """List a template's texts that are not marked for translation. A translated text leaves a mark, so that the markup
    around it is still markup."""
    for text in Texts(SAID.sub(MARK, source)).found:
        for piece in re.sub(r"&\w+;", "", text).split(MARK):
            if WORD.search(piece) and piece.strip(" ·:") not in NAMES:
                yield piece.strip()


@pytest.mark.parametrize(
    ("source", "bare"),
    [
        ('<p class="note" title="A title">Words <b>{{ n }}</b></p>', {"A title", "Words"}),
        ("{% translate 'Words' %}{# note #}<bdi>Aino</bdi> {{ n }} · Lastcard", set()),
        ('<option value="look" aria-label="{{ n }} cards">', {"cards"}),
        ("{% blocktranslate %}Words{% endblocktranslate %}{% block main_class %}wide{% endblock %}", set()),
    ],
    ids=["bare", "asked", "read out", "blocks"],
)
def test_a_bare_text_is_seen(source: str, bare: set[str]) -> None:
    assert set(bare_texts(source)) == bare


def test_no_template_holds_a_bare_text() -> None:
    found = {
        f"{name}: {text}"
        for name, path in named_templates()
        if not name.startswith(ENGLISH) and name != ATTRIBUTES
        for text in bare_texts(path.read_text())
    }
    assert found == set()


SET_IN_SCRIPT = re.compile(
    r"""\b(?:textContent|innerText|innerHTML|ariaLabel|title|placeholder)\s*[+]?=\s*["'`][^"'`$]*[A-Za-z]{2}"""
    r"""|\b(?:alert|confirm|prompt)[(]["'`]"""
)


def test_no_script_holds_a_bare_text() -> None:
    """Scripts say what their page's data attributes say (`data_words`)."""
    found = {
        f"{path.name}: {said[0]}" for path in SCRIPTS for said in SET_IN_SCRIPT.finditer(path.read_text())
    }
    assert found == set()
    assert SET_IN_SCRIPT.search("line.textContent = 'Saved on this phone';")


# ---- pages ----

PROPER = re.compile(
    r"https?://\S+|[A-Z][a-z]+(?:/[\w -]+)+|kingi89 Pro Gamer Uno Tour(?: 2016)?|Mattel, Inc|Content-Type"
    r"|Person \d+|Club \d+|English|Suomi|Svenska|Lastcard|UNO|Uno|KPGUT|TiTe|Mattel|Aino|Börje|Cécile|Dima|Hall"
)
NO_PAGE = re.compile(r"[.]\w+$|/(?:help|sign-out)/")  # help is a text of its own in each language


def addresses() -> list[str]:
    """Pages of everybody, of the desk and of the organiser, for a session that is played and for heats."""
    session, heats = running_session(), opened(running_heats())
    game = started_game(session, elapsed_s=300)
    session.act(actions.record_out, play=game, entry=session.uids[0], elapsed_s=200)
    recorded_heat(heats)
    heats.act(actions.call_referee, table=heats.tables[1].uid)
    screen = uuid4()
    heats.act(actions.add_screen, screen=screen, name="Hall")
    heats.act(actions.set_screen, screen=screen, scenes=["welcome", "seats", "results"], seconds=5)
    found: dict[str, None] = {}
    for made, pages in ((session, "/en/"), (heats, ("/en/t/", "/en/desk/table/"))):
        known: dict[str, list[object]] = {
            "slug": [made.tournament.slug],
            "stage": [made.stage.uid],
            "table": [made.table.uid],
            "play": [made.table.plays.get().uid],
            "entry": [made.uids[0]],
            "screen": [screen],
            "organiser": [made.tournament.organiser.uid],
            "ruleset": [made.tournament.ruleset],
        }
        found |= dict.fromkeys(each for each in guesses(["en"], **known) if each.startswith(pages))
    return [each for each in found if not NO_PAGE.search(each)]


def said(client: Client, address: str) -> set[str]:
    """The texts of two words or more of a page; of none where it is no page."""
    cache.clear()
    answer = client.get(address)
    if not answer.headers.get("Content-Type", "").startswith("text/html"):
        return set()
    texts = Texts(answer.content.decode()).found
    return {text for text in texts if WORDS.search(PROPER.sub("", text))}


@pytest.mark.sweep
@pytest.mark.django_db
def test_no_page_says_a_sentence_in_english_to_who_reads_finnish() -> None:
    reader = Client()
    reader.force_login(UserFactory(is_staff=True, is_superuser=True))
    asked = addresses()
    english = [(address, said(reader, address)) for address in asked]
    assert sum(bool(texts) for _address, texts in english) > 90
    same = {
        text: address
        for address, texts in english
        for text in texts & said(reader, address.replace("/en/", "/fi/", 1))
    }
    assert same == {}
