"""Forms of a results workbook: the file, and the plays that return from the preview in a hidden field. Only shapes are
checked here."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from inspect import signature
from itertools import islice
from typing import Any
from uuid import UUID, uuid5

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament import actions
from tournament.extras.imports.files.problems import MOST_ENTERED, MOST_PLAYS, MOST_RESULT_BYTES, Problem
from tournament.extras.imports.files.results import ResultsRead, read_results
from tournament.extras.imports.files.results_template import refusal_text
from tournament.words.text import can_be_written

MOST_CARRIED = 1_500_000  # characters, below Django's form limit
LONGEST_LABEL = 200  # characters
TOO_LARGE = Problem("too_large", parameters={"most": MOST_RESULT_BYTES // 1024 // 1024})
ENTERING = (
    "record_game",
    "correct_game",
    "record_round",
    "correct_round",
    "record_heat",
    "correct_heat",
)
CORRECTIONS = frozenset(action for action in ENTERING if action.startswith("correct_"))
_UIDS = {"table", "play", "winner", "drew"}
_LISTS = {"removed", "withdrawn", "emptied", "finish_order"}
_WHOLE = {"number", "version", "duration_s", "decks", "advance"}


class TemplateForm(forms.Form):
    """Plays per table for which the template has room."""

    plays = forms.IntegerField(
        label=_("Games or rounds per table"), min_value=1, max_value=MOST_PLAYS, initial=10
    )


class ResultsForm(forms.Form):
    """A results file; `read` is the content of a valid form."""

    file = forms.FileField(
        label=_("File"),
        error_messages={"required": _("Choose a file first.")},
        allow_empty_file=True,  # read_results gives a better error
        widget=forms.FileInput(attrs={"accept": ".xlsx"}),
        help_text=_("A filled-in template or an Excel file exported from this event (.xlsx, at most 8 MB)."),
    )
    read: ResultsRead

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > MOST_RESULT_BYTES:  # discarded by the upload handler
            raise forms.ValidationError(refusal_text(TOO_LARGE))
        self.read = read_results(file.read(), file.name)
        if self.read.refusal:
            raise forms.ValidationError(refusal_text(self.read.refusal))
        return file


@dataclass(frozen=True, slots=True)
class Entering:
    """A play to enter: its label, the action, and the arguments without `reason`."""

    number: int
    label: str
    action: str
    arguments: Mapping[str, Any]

    @property
    def corrects(self) -> bool:
        """Whether it corrects a stored play, which needs a reason."""
        return self.action in CORRECTIONS

    def command(self, upload: UUID) -> UUID:
        """Command id by upload, play and version, so that resending is idempotent."""
        return uuid5(upload, f"{self.action} {self.arguments['play']} {self.arguments.get('version', 0)}")


def for_one_form(plays: Iterable[Entering]) -> list[Entering]:
    """The first plays, as many as one form carries."""
    found, size = [], 1  # a list of n has two brackets and n - 1 commas
    for each in islice(plays, MOST_ENTERED):
        size += len(carried([each])) - 1
        if size > MOST_CARRIED:
            break
        found.append(each)
    return found


def carried(plays: Iterable[Entering]) -> str:
    """Plays as JSON for the hidden field."""
    return json.dumps(
        [[each.number, each.label, each.action, each.arguments] for each in plays],
        ensure_ascii=False,
        separators=(",", ":"),
        default=str,
    )


def read_carried(text: str) -> list[Entering]:
    """Parse the plays of `carried`. Raises ValueError."""
    if len(text) > MOST_CARRIED:
        raise ValueError(len(text))
    try:
        rows = json.loads(text)
        if len(rows) > MOST_ENTERED or not can_be_written(rows):
            raise ValueError(len(rows))
        return [_entering(*row) for row in rows]
    except (KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(str(error)) from None


def _entering(number: int, label: str, action: str, given: Mapping[str, Any]) -> Entering:
    if type(number) is not int or not isinstance(label, str) or action not in ENTERING:
        raise ValueError(action)
    declared = signature(getattr(actions, action)).parameters.values()
    names = {each.name for each in declared if each.kind is each.KEYWORD_ONLY} - {"reason"}
    needed = {each.name for each in declared if each.name in names and each.default is each.empty}
    arguments = {name: _argument(name, value) for name, value in given.items()}
    if not needed <= arguments.keys() <= names or not isinstance(arguments["play"], UUID):
        raise ValueError(action)
    return Entering(number, label[:LONGEST_LABEL], action, arguments)


def _argument(name: str, value: Any) -> Any:
    if value is None:
        return None
    if name in _UIDS:
        return UUID(value)
    if name in _LISTS:
        return [UUID(each) for each in value]
    if name in _WHOLE and type(value) is not int:
        raise TypeError(name)
    return [{**row, "entry": UUID(row["entry"])} for row in value] if name == "results" else value
