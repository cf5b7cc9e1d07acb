"""Organisers' own registration questions and answers; organisers only.

At most three, stored as `{"id", "kind", "required", "labels", "options"}`; labels and options are texts by
language, at least the event's. Answers by question id: true for a tick, else text; choices in the event's language,
unaffected by rewording.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext, gettext_lazy as _

from tournament.models import Entry, Registration, Tournament
from tournament.words.text import as_read

TICK, CHOICE, TEXT = "tick", "choice", "text"
KINDS: dict[str, str | Promise] = {TICK: _("A tick box"), CHOICE: _("A choice"), TEXT: _("A short text")}
MOST = 3  # questions
OPTIONS = (2, 10)  # least, most
LONGEST_LABEL = 150  # characters
LONGEST_OPTION = 80
LONGEST_ANSWER = 200


@dataclass(frozen=True, slots=True)
class Question:
    """One question. `language`: the event's; `labels`, `options`: texts by language."""

    id: str
    kind: str
    required: bool
    labels: Mapping[str, str]
    options: tuple[Mapping[str, str], ...]
    language: str

    @property
    def label(self) -> str:
        """Label in the current language, or the event's."""
        return self._said(self.labels)

    @property
    def choices(self) -> list[tuple[str, str]]:
        """Options as (stored, translated)."""
        return [(self._kept(option), self._said(option)) for option in self.options]

    def option(self, text: str) -> str:
        """Stored option matching `text` in any language; "" if none."""
        wanted = as_read(text)
        return next(
            (
                self._kept(each)
                for each in self.options
                if wanted in {as_read(word) for word in each.values()}
            ),
            "",
        )

    def said(self, answer: object) -> str:
        """Translated answer; "" if none."""
        if answer is True:
            return gettext("Yes")
        return dict(self.choices).get(str(answer), str(answer)) if answer else ""

    def _kept(self, texts: Mapping[str, str]) -> str:
        return texts.get(self.language) or next(iter(texts.values()))

    def _said(self, texts: Mapping[str, str]) -> str:
        return texts.get(get_language() or "") or self._kept(texts)


def questions_of(tournament: Tournament) -> list[Question]:
    """The event's questions, in order."""
    row = Registration.objects.filter(tournament=tournament).only("questions").first()
    return questions_in(row.questions if row else (), tournament.language)


def questions_in(rows: Sequence[Mapping[str, Any]], language: str) -> list[Question]:
    """Parse stored questions; `language`: the event's."""
    return [
        Question(
            row["id"], row["kind"], row["required"], row["labels"], tuple(row.get("options", ())), language
        )
        for row in rows
    ]


def as_given(row: Mapping[str, Any]) -> dict[str, Any]:
    """A stored question as action input: options as lists by language."""
    options: dict[str, list[str]] = {}
    for option in row.get("options", ()):
        for language, text in option.items():
            options.setdefault(language, []).append(text)
    return {**row, "options": options}


def answers_of(entry: Entry, questions: Sequence[Question]) -> list[tuple[Question, str]]:
    """Questions with the entry's translated answers."""
    return [(question, question.said(entry.answers.get(question.id))) for question in questions]


def answered(tournament: Tournament, ids: Sequence[str]) -> dict[str, int]:
    """Number of entries that answered, by question id."""
    rows = Entry.objects.filter(tournament=tournament).exclude(answers={}).values_list("answers", flat=True)
    given = [answers.keys() for answers in rows]
    return {each: sum(each in keys for keys in given) for each in ids}
