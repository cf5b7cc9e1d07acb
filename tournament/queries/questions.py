"""The organisers' own questions to whoever registers, and what players answered: known to the organisers alone.

A registration keeps at most three of them, each as `{"id", "kind", "required", "labels", "options"}`. A label is a text
in each language that the organisers wrote, at least in the event's; so is each option of a choice. An entry keeps its
answers by the question's id: true for a tick, a text for the other kinds. A chosen option is kept in the event's
language, so that a list has one word for it; an option that was reworded later leaves the answers as they were.
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
OPTIONS = (2, 10)  # of a choice: least and most
LONGEST_LABEL = 150  # characters
LONGEST_OPTION = 80
LONGEST_ANSWER = 200


@dataclass(frozen=True, slots=True)
class Question:
    """One question. `language` is the event's; `labels` and each of `options` hold texts by language."""

    id: str
    kind: str
    required: bool
    labels: Mapping[str, str]
    options: tuple[Mapping[str, str], ...]
    language: str

    @property
    def label(self) -> str:
        """The question in the reader's language, or else in the event's."""
        return self._said(self.labels)

    @property
    def choices(self) -> list[tuple[str, str]]:
        """The options, each as it is kept and in the reader's language."""
        return [(self._kept(option), self._said(option)) for option in self.options]

    def option(self, text: str) -> str:
        """The option that this text is, in whatever language and case it is written, as it is kept; "" for none."""
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
        """The answer in words, in the reader's language; "" for none."""
        if answer is True:
            return gettext("Yes")
        return dict(self.choices).get(str(answer), str(answer)) if answer else ""

    def _kept(self, texts: Mapping[str, str]) -> str:
        return texts.get(self.language) or next(iter(texts.values()))

    def _said(self, texts: Mapping[str, str]) -> str:
        return texts.get(get_language() or "") or self._kept(texts)


def questions_of(tournament: Tournament) -> list[Question]:
    """The event's questions, in their order."""
    row = Registration.objects.filter(tournament=tournament).only("questions").first()
    return questions_in(row.questions if row else (), tournament.language)


def questions_in(rows: Sequence[Mapping[str, Any]], language: str) -> list[Question]:
    """The questions that a registration keeps, in an event of this language."""
    return [
        Question(
            row["id"], row["kind"], row["required"], row["labels"], tuple(row.get("options", ())), language
        )
        for row in rows
    ]


def as_given(row: Mapping[str, Any]) -> dict[str, Any]:
    """A question that a registration keeps, as the action takes it: the options of each language in a list."""
    options: dict[str, list[str]] = {}
    for option in row.get("options", ()):
        for language, text in option.items():
            options.setdefault(language, []).append(text)
    return {**row, "options": options}


def answers_of(entry: Entry, questions: Sequence[Question]) -> list[tuple[Question, str]]:
    """Each question with this player's answer in words."""
    return [(question, question.said(entry.answers.get(question.id))) for question in questions]


def answered(tournament: Tournament, ids: Sequence[str]) -> dict[str, int]:
    """Count the players who answered each of these questions."""
    rows = Entry.objects.filter(tournament=tournament).exclude(answers={}).values_list("answers", flat=True)
    given = [answers.keys() for answers in rows]
    return {each: sum(each in keys for keys in given) for each in ids}
