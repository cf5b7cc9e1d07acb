"""Buttons, headings and statuses are short in each language (docs/words.md): read from the templates, with their
messages as the catalogues say them. A name, number or time that is put in counts as one word."""

import re
from collections.abc import Iterator
from functools import cache

import pytest
from django.utils import translation
from django.utils.text import smart_split

from tests.support.templates import named_templates
from tournament.models import Entry, Play
from tournament.templatetags.lastcard import STATES
from tournament.words import kinds

LANGUAGES = ["en", "fi", "sv"]
BUTTON, HEADING, STATUS = 4, 8, 12  # words at most
# Exceptions by their English, and why each is longer.
LONGER = {
    "tap when out": "the hint beneath a name on the clock’s tile; Swedish has no shorter one",
    "Replay table %(table)s without %(out)s": "names the table and the player",
    "Replay table %(table)s with %(enters)s instead of %(out)s": "names the table and both players",
}
# States of two kinds that share a name in the code.
APART = {
    "waiting": "a table waits for its start, a player for a free place",
    "not_played": "over, or still to come",
}
TAGS = {
    BUTTON: r'<button\b[^<]*?>(.*?)</button>|<(?:a|summary)\b[^<]*?class="button\b[^<]*?>(.*?)</(?:a|summary)>',
    HEADING: r"<h[1-4]\b[^<]*?>(.*?)</h[1-4]>",
    STATUS: r'class="(?:\w+__state|state)\b[^<]*?>(.*?)</(?:span|p|strong|dd)>',
}
MARKUP = re.compile(r"<[^>]*>")
READ_OUT = re.compile(r'<(\w+) class="visually-hidden">.*?</\1>', re.DOTALL)  # as long as it wants
MARKUP = re.compile(r"<.*?>")
WORD = re.compile(r"%\(\w+\)s|[^\W_][\w’'.-]*")
SIMPLE = re.compile(r"{%\s*translate\s+(.*?)\s*%}", re.DOTALL)
BLOCK = re.compile(r"{%\s*blocktranslate\b(.*?)%}(.*?){%\s*endblocktranslate\s*%}", re.DOTALL)
PLURAL = re.compile(r"{%\s*plural\s*%}")


def messages(source: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """List the (context, (message,) or (singular, plural)) of a part of a template."""
    for found in SIMPLE.finditer(source):
        bits = list(smart_split(found[1]))
        if bits[0][0] in "\"'":
            yield bits[2][1:-1] if bits[1:2] == ["context"] else "", (bits[0][1:-1],)
    for found in BLOCK.finditer(source):
        context = re.search(r'context "(.*?)"', found[1])
        forms = [
            re.sub(r"{{ ?(.*?) ?}}", r"%(\1)s", " ".join(form.split())) for form in PLURAL.split(found[2])
        ]
        yield context[1] if context else "", tuple(forms)


def said(context: str, forms: tuple[str, ...]) -> list[str]:
    """Give the message, of a plural both forms, in the active language."""
    if len(forms) == 1:
        return [translation.pgettext(context, forms[0]) if context else translation.gettext(forms[0])]
    one, several = forms
    if context:
        return [translation.npgettext(context, one, several, number) for number in (1, 2)]
    return [translation.ngettext(one, several, number) for number in (1, 2)]


def words(text: str) -> int:
    return len(WORD.findall(MARKUP.sub(" ", text)))


@cache
def texts(most: int) -> frozenset[tuple[str, str, tuple[str, ...]]]:
    """List what stands in the elements that may hold so many words: (template, context, forms)."""
    return frozenset(
        (name, *message)
        for name, path in named_templates()
        for found in re.finditer(TAGS[most], path.read_text(), re.DOTALL)
        for message in messages(READ_OUT.sub("", found[1] or found[found.lastindex or 0] or ""))
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("most", "known"), [(BUTTON, 250), (HEADING, 150), (STATUS, 3)], ids=["button", "heading", "status"]
)
def test_it_is_short(most: int, known: int, language: str) -> None:
    assert len(texts(most)) >= known
    with translation.override(language):
        long = {
            f"{template}: {text}"
            for template, context, forms in texts(most)
            if forms[0] not in LONGER
            for text in said(context, forms)
            if len(WORD.findall(MARKUP.sub("", text))) > most
        }
    assert sorted(long) == []


def test_each_exception_is_needed_and_has_a_reason() -> None:
    everything = {(most, forms) for most in TAGS for _template, _context, forms in texts(most)}
    needed = set()
    for language in LANGUAGES:
        with translation.override(language):
            needed |= {
                forms[0] for most, forms in everything if any(words(text) > most for text in said("", forms))
            }
    assert LONGER.keys() <= needed
    assert all(LONGER.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_status_is_said_in_one_way(language: str) -> None:
    """Models, chips and standings say one word for one state."""
    with translation.override(language):
        spellings: dict[str, set[str]] = {key: {str(state.word).casefold()} for key, state in STATES.items()}
        for choices in (*Entry.State.choices, *Play.State.choices, *kinds.STATUSES.items()):
            spellings.setdefault(str(choices[0]), set()).add(str(choices[1]).casefold())
    assert {
        key: sorted(words) for key, words in spellings.items() if len(words) > 1 and key not in APART
    } == {}
