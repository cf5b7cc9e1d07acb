"""The organisers' own questions as forms: definition and answers."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import uuid4

from django import forms
from django.utils.translation import gettext, gettext_lazy as _

from tournament.forms.fields import RIGHT
from tournament.forms.merging import MergingForm
from tournament.models import Tournament
from tournament.queries.questions import (
    CHOICE,
    KINDS,
    LONGEST_ANSWER,
    LONGEST_LABEL,
    LONGEST_OPTION,
    MOST,
    OPTIONS,
    TICK,
    Question,
    as_given,
)

NONE = ""  # kind of a question that is not asked
WORDS = ("label", "options")  # per language


class AnswersForm(forms.Form):
    """A form with a field per question. `asked`: required ones must be answered; `answers`: the stored ones, which may
    name an option that is gone."""

    def __init__(
        self,
        questions: Sequence[Question] = (),
        *args: Any,
        answers: Mapping[str, Any] | None = None,
        asked: bool = True,
        **named: Any,
    ) -> None:
        super().__init__(*args, **named)
        self.answer_fields = {question.id: f"answer-{question.id}" for question in questions}
        for question in questions:
            answer = (answers or {}).get(question.id)
            self.fields[self.answer_fields[question.id]] = _field(question, answer, asked=asked)

    @property
    def answers(self) -> list[forms.BoundField]:
        """Fields of the questions."""
        return [self[name] for name in self.answer_fields.values()]

    def arguments(self) -> dict[str, Any]:
        """Arguments of the action; `RIGHT` only if ticked, so that forms older than the tick have the same digest."""
        given = {uid: self.cleaned_data[name] for uid, name in self.answer_fields.items()}
        others = {
            name: value
            for name, value in self.cleaned_data.items()
            if name not in self.answer_fields.values() and (value or name != RIGHT)
        }
        return others | ({"answers": given} if given else {})


def _field(question: Question, answer: Any, *, asked: bool) -> forms.Field:
    needed = question.required and asked
    if question.kind == TICK:
        return forms.BooleanField(
            label=question.label,
            required=needed,
            initial=answer is True,
            error_messages={"required": _("Tick this to take part.")},
        )
    if question.kind == CHOICE:
        choices = question.choices
        if answer and answer not in dict(choices):
            choices = [*choices, (str(answer), str(answer))]
        empty = [] if needed and answer else [("", gettext("Choose one") if needed else "–")]
        return forms.ChoiceField(
            label=question.label, choices=[*empty, *choices], required=needed, initial=answer
        )
    return forms.CharField(
        label=question.label,
        required=needed,
        max_length=LONGEST_ANSWER,
        initial=answer,
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )


class QuestionsForm(MergingForm, forms.Form):
    """Up to three questions in all languages; `rows`: stored questions."""

    erase = forms.BooleanField(
        label=_("Erase answers to questions that are removed or change their answer type"),
        required=False,
    )

    def __init__(
        self,
        tournament: Tournament,
        rows: Sequence[Mapping[str, Any]],
        *args: Any,
        **named: Any,
    ) -> None:
        super().__init__(*args, **named)
        self.rows = rows
        self.languages = sorted(
            Tournament.Language.choices, key=lambda choice: choice[0] != tournament.language
        )
        for index in range(MOST):
            self._add(index, as_given(rows[index]) if index < len(rows) else {})
        self.carry()

    def _add(self, index: int, row: Mapping[str, Any]) -> None:
        self.fields[f"id_{index}"] = forms.UUIDField(
            initial=row.get("id", uuid4()), widget=forms.HiddenInput, required=False
        )
        self.fields[f"kind_{index}"] = forms.ChoiceField(
            label=_("Answer type"),
            choices=[(NONE, _("No question")), *KINDS.items()],
            required=False,
            initial=row.get("kind", NONE),
        )
        for code, name in self.languages:
            words = {"language": name}
            self.fields[f"label_{index}_{code}"] = forms.CharField(
                label=gettext("Question in %(language)s") % words,
                max_length=LONGEST_LABEL,
                required=False,
                initial=row.get("labels", {}).get(code),
                widget=forms.TextInput(attrs={"lang": code, "dir": "auto"}),
            )
            self.fields[f"options_{index}_{code}"] = forms.CharField(
                label=gettext("Options in %(language)s") % words,
                max_length=(LONGEST_OPTION + 2) * OPTIONS[1],
                required=False,
                initial="\n".join(row.get("options", {}).get(code, ())),
                help_text=gettext("Only for a choice. One option per line, at most %(most)d.")
                % {"most": OPTIONS[1]},
                widget=forms.Textarea(attrs={"rows": 4, "lang": code, "dir": "auto"}),
            )
        self.fields[f"required_{index}"] = forms.BooleanField(
            label=_("Answer required"), required=False, initial=row.get("required", False)
        )

    @property
    def blocks(self) -> list[dict[str, Any]]:
        """Fields of each question, the event's language first."""
        (own, _name), *others = self.languages
        return [
            {
                "number": index + 1,
                "id": self[f"id_{index}"],
                "kind": self[f"kind_{index}"],
                "label": self[f"label_{index}_{own}"],
                "options": self[f"options_{index}_{own}"],
                "others": (
                    fields := [self[f"{what}_{index}_{code}"] for code, _ in others for what in WORDS]
                ),
                "others_wrong": any(field.errors for field in fields),
                "required": self[f"required_{index}"],
                "asked": bool(self[f"kind_{index}"].value()),
            }
            for index in range(MOST)
        ]

    def arguments(self) -> dict[str, Any]:
        """Arguments of `set_questions`: the questions asked, in order, and `erase`."""
        asked = [index for index in range(MOST) if self.cleaned_data[f"kind_{index}"]]
        return {
            "questions": [self._given(index) for index in asked],
            "erase": self.cleaned_data["erase"],
        }

    def field_of(self, path: str) -> str:
        """The field that a fault's path is about."""
        match path.split("/"):
            case ["", "questions", index, "kind"]:
                return f"kind_{self._asked(index)}"
            case ["", "questions", index, "labels", code]:
                return f"label_{self._asked(index)}_{code}"
            case ["", "questions", index, "options", code]:
                return f"options_{self._asked(index)}_{code}"
        return path.rsplit("/", 1)[-1]

    def _asked(self, index: str) -> int:
        return [each for each in range(MOST) if self.cleaned_data[f"kind_{each}"]][int(index)]

    def _given(self, index: int) -> dict[str, Any]:
        texts = {code: self.cleaned_data[f"label_{index}_{code}"] for code, _name in self.languages}
        lines = {
            code: [line for line in self.cleaned_data[f"options_{index}_{code}"].splitlines() if line.strip()]
            for code, _name in self.languages
        }
        kind = self.cleaned_data[f"kind_{index}"]
        return {
            "id": self.rows[index]["id"]
            if index < len(self.rows)
            else str(self.cleaned_data[f"id_{index}"] or uuid4()),
            "kind": kind,
            "required": self.cleaned_data[f"required_{index}"],
            "labels": {code: text for code, text in texts.items() if text},
            "options": lines if kind == CHOICE else {},
        }
