"""Form for a list's headings and columns, and its cells in a hidden field."""

import json
from base64 import b64decode, b64encode
from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from tournament.files.lists.choosing import CHOICES, SAMPLES, wrong_choice
from tournament.files.lists.columns import FIRST, LAST, NAME, SURNAME_FIRST
from tournament.files.lists.delimited import read_text
from tournament.files.lists.encodings import ENCODINGS, words_in
from tournament.files.lists.grid import Grid, Line, Merge, text_of
from tournament.files.lists.limits import HEADING_ROWS, LAST_ROW, MOST_COLUMNS, MOST_MERGES, MOST_ROWS
from tournament.files.lists.lists import ListRead, Sheet
from tournament.files.lists.problems import Problem, Refusal, problem_text
from tournament.files.lists.rows import ANSWER, MARKS
from tournament.forms.imports import LONGEST_FILE_NAME, MOST_CARRIED
from tournament.queries.questions import Question

LONGEST_ROW = 60  # characters shown of a possible heading row
NAMES_APART = {FIRST, LAST, SURNAME_FIRST}  # with a whole-name column, each would be a second name


class ColumnsForm(forms.Form):
    """Choice of a list's heading row and the meaning of each column, from `files.lists.choosing` and `questions`."""

    def __init__(self, read: ListRead, questions: Sequence[Question], *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.columns = read.columns
        choices = [*CHOICES.items(), *((ANSWER + each.id, each.label) for each in questions)]
        self.fields["heading"] = forms.ChoiceField(
            label=_("Headings"), choices=heading_rows(read), initial=str(read.heading)
        )
        if encodings := encodings_of(read):
            self.fields["encoding"] = forms.ChoiceField(
                label=_("Letters"), choices=encodings, required=False, initial=encodings[0][0]
            )
        for column in self.columns:
            self.fields[column.field] = forms.ChoiceField(
                label=column.heading,
                choices=choices,
                initial=column.choice,
                help_text=" · ".join(column.samples),
            )

    def places(self) -> dict[int, str]:
        """Meaning of each column by its number."""
        return {column.number: self.cleaned_data[column.field] for column in self.columns}

    def clean(self) -> dict[str, Any]:
        if self.errors:
            return self.cleaned_data
        places = self.places()
        code, choice = wrong_choice(places.values())
        if code == "column_twice":
            for column in self.columns:
                if places[column.number] == choice or (
                    choice == NAME and places[column.number] in NAMES_APART
                ):
                    self.add_error(column.field, problem_text(Problem(code)))
        elif code:
            self.add_error(self.columns[0].field, problem_text(Problem(code)))
        return self.cleaned_data


def heading_rows(read: ListRead) -> list[tuple[str, str]]:
    """Choices of the heading row, as (row number, label); "0" for none."""
    lines = read.sheet.grid.lines[:HEADING_ROWS] if read.sheet else []
    rows = [
        (
            str(line.number),
            _("Row %(number)d: %(cells)s")
            % {"number": line.number, "cells": " · ".join(line.cells.values())[:LONGEST_ROW]},
        )
        for line in lines
    ]
    return [*rows, ("0", _("There are no headings"))]


def encodings_of(read: ListRead) -> list[tuple[str, str]]:
    """Choices of the text's encoding, each with samples; empty if it is certain."""
    grid = read.sheet.grid if read.sheet else Grid()
    return [
        (each, ": ".join([ENCODINGS.get(each, each), " · ".join(words_in(grid.raw, each)[:SAMPLES])]))
        for each in grid.encodings
    ]


def carried_sheet(sheet: Sheet) -> str:
    """Serialise the cells for the form, or a text of uncertain encoding as its bytes; "" if too large."""
    grid = sheet.grid
    lines = [] if grid.raw else [[line.number, line.cells, line.lost, line.hidden] for line in grid.lines]
    text = json.dumps(
        {
            "file": sheet.filename[:LONGEST_FILE_NAME],
            "others": sheet.others,
            "title": grid.title,
            "delimiter": grid.delimiter,
            "more": grid.more,
            "lines": lines,
            "merges": [[merge.top, merge.left, merge.bottom, merge.right] for merge in grid.merges],
            "encoding": "".join(grid.encodings[:1]),
            "raw": b64encode(grid.raw).decode(),
        },
        ensure_ascii=False,
        separators=(",", ":"),
    )
    return text if len(text.encode()) <= MOST_CARRIED else ""


def read_carried_sheet(text: str, encoding: str = "") -> Sheet | None:
    """Parse what `carried_sheet` returned, in the chosen `encoding`; None if invalid."""
    try:
        if len(text) > MOST_CARRIED:
            return None
        data = json.loads(text)
        others = data["others"]
        return Sheet(
            _cell(data["file"])[:LONGEST_FILE_NAME],
            read_text(b64decode(raw), encoding or _cell(data["encoding"]))
            if (raw := data["raw"])
            else _grid(data),
            None if others is None else tuple(_cell(each) for each in others),
        )
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError, Refusal):
        return None


def _grid(data: Any) -> Grid:
    lines = [
        Line(
            _whole(number, LAST_ROW),
            {_whole(int(column), MOST_COLUMNS): _cell(cell) for column, cell in cells.items()},
            {_whole(int(column), MOST_COLUMNS): code for column, code in lost.items() if code in MARKS},
            bool(hidden),
        )
        for number, cells, lost, hidden in data["lines"][: MOST_ROWS + HEADING_ROWS]
    ]
    merges = [Merge(*(_whole(each, LAST_ROW) for each in merge)) for merge in data["merges"][:MOST_MERGES]]
    return Grid(lines, _cell(data["title"]), merges, bool(data["more"]), _cell(data["delimiter"]))


def _whole(number: Any, most: int) -> int:
    if type(number) is not int or not 0 < number <= most:
        raise ValueError(number)
    return number


def _cell(text: Any) -> str:
    if not isinstance(text, str):
        raise TypeError(text)
    return text if text == "\t" else text_of(text)
