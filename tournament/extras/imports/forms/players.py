"""Player lists as forms: a file or text, and the ticked rows of the preview. The rows travel in a hidden field and are
parsed again, since anyone may change them."""

import json
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any
from uuid import UUID, uuid5

from django import forms
from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy as _

from tournament.extras.imports.files.choosing import CHOICES, NAMES_APART, SAMPLES, wrong_choice
from tournament.extras.imports.files.columns import COLUMNS, NAME, with_questions
from tournament.extras.imports.files.grid import ENCODINGS, Grid, Line, Merge, read_text, text_of, words_in
from tournament.extras.imports.files.lists import NOTHING, Known, ListRead, Sheet, read_list, read_pasted
from tournament.extras.imports.files.matching import Kind, Planned
from tournament.extras.imports.files.past import RESULT_COLUMNS, result_of
from tournament.extras.imports.files.problems import (
    HEADING_ROWS,
    LAST_ROW,
    LONGEST_KEPT,
    MOST_COLUMNS,
    MOST_MERGES,
    MOST_ROWS,
    Problem,
    Refusal,
    problem_text,
)
from tournament.extras.imports.files.rows import ANSWER, MARKS, NO, YES, ListRow, read_row
from tournament.queries.registration import CHOICE, TICK, Question
from tournament.results import grouped, uuid_or_none
from tournament.server.middleware import MOST_FILE_BYTES

MOST_CARRIED = 1_500_000  # bytes, below Django's form limit
LONGEST_FILE_NAME = 100
TOO_LARGE = Problem("too_large", parameters={"most": MOST_FILE_BYTES // 1024 // 1024})
MAYBE = (
    Kind.DIFFERS,
    Kind.NAMESAKE,
    Kind.TWICE,
)  # entered only if confirmed to be another person


class ListForm(forms.Form):
    """A list of players; `read`: content of a valid form."""

    read: ListRead

    def __init__(self, *arguments: Any, known: Known = NOTHING, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.known = known

    def take(self, name_of_field: str, read: ListRead) -> None:
        """Store what was read, or add its refusal to the field."""
        self.read = read
        problem = None if read.unknown else read.refusal  # asked for first
        if not problem and len(carried(read.filename, read.rows).encode()) > MOST_CARRIED:
            problem = Problem("too_much_text")
        if problem:
            name = [f"{read.filename[:LONGEST_FILE_NAME]}:"] if read.filename else []
            self.add_error(name_of_field, " ".join([*name, problem_text(problem)]))


class PasteForm(ListForm):
    """A list, typed or pasted."""

    players = forms.CharField(
        label=_("Players"),
        max_length=200_000,
        widget=forms.Textarea(attrs={"rows": 8, "autocomplete": "off", "spellcheck": "false"}),
        help_text=_(
            "One name per line. Add a nickname in brackets to show it instead of the name, and a club"
            " or group after a comma: Aino Mäkelä (Ansku), Noppa. Columns copied from a spreadsheet "
            "work too."
        ),
    )

    def __init__(self, *arguments: Any, of_form: str = "", **named: Any) -> None:
        """`of_form`: id of the form, if the field stands outside."""
        super().__init__(*arguments, **named)
        if of_form:
            self.fields["players"].widget.attrs["form"] = of_form

    def clean_players(self) -> str:
        text = str(self.cleaned_data["players"])
        self.take("players", read_pasted(text, known=self.known))
        return text


def paste_form(context: Mapping[str, Any]) -> dict[str, Any]:
    """For the page of an event's players."""
    return {"paste": PasteForm(), "url": reverse("organise-import", args=[context["tournament"].slug])}


class FileForm(ListForm):
    """A list as a file."""

    file = forms.FileField(
        label=_("File"),
        error_messages={"required": _("Choose a file first.")},
        allow_empty_file=True,  # read_list gives a better error
        widget=forms.FileInput(attrs={"accept": ".xlsx,.csv,.txt,.tsv"}),
        help_text=_("An Excel file (.xlsx) or a text file (.csv), at most 2 MB and 1000 players."),
    )

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.fields["file"].widget.attrs.update(
            {"data-most": MOST_FILE_BYTES, "data-too-large": problem_text(TOO_LARGE)}
        )

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > MOST_FILE_BYTES:  # the upload handler has discarded it
            self.take("file", ListRead(file.name, refusal=TOO_LARGE))
        else:
            self.take("file", read_list(file.read(), file.name, known=self.known))
        return file


def carried(filename: str, rows: Sequence[ListRow]) -> str:
    """Rows as JSON for the hidden field."""
    return json.dumps(
        {
            "file": filename[:LONGEST_FILE_NAME],
            "rows": [[row.number, dict(row.texts), dict(row.marks)] for row in rows],
        },
        ensure_ascii=False,
        separators=(",", ":"),
    )


def read_carried(text: str, today: date) -> ListRead:
    """Parse the rows of `carried`; a refusal if invalid."""
    try:
        if len(text) > MOST_CARRIED:
            raise ValueError(len(text))
        data = json.loads(text)
        filename = text_of(str(data["file"]))[:LONGEST_FILE_NAME]
        if not 0 < len(data["rows"]) <= MOST_ROWS:
            raise ValueError(len(data["rows"]))
        rows: list[ListRow] = []
        for number, texts, marks in data["rows"]:
            if type(number) is not int or not (rows[-1].number if rows else 0) < number <= LAST_ROW:
                raise ValueError(number)
            if not all(code in MARKS and column in {"", *COLUMNS} for column, code in marks.items()):
                raise ValueError(marks)
            answers = [column for column in texts if column.startswith(ANSWER)]
            found = {column: texts[column] for column in [*COLUMNS, *answers] if column in texts}
            if not all(isinstance(text, str) and len(text) <= LONGEST_KEPT for text in found.values()):
                raise ValueError(texts)
            cleaned = {column: text for column, raw in found.items() if (text := text_of(raw))}
            rows.append(read_row(number, cleaned, dict(marks), today))
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
        return ListRead("", refusal=Problem("lost_on_the_way"))
    return ListRead(filename, tuple(rows))


@dataclass(frozen=True, slots=True)
class Ticks:
    """Ticks by row number: `enter` (new to the event), `another` (namesake), `same` (uid of the known person),
    `several` (of more than one)."""

    enter: frozenset[int] = frozenset()
    another: frozenset[int] = frozenset()
    same: Mapping[int, UUID] = field(default_factory=dict)
    several: frozenset[int] = frozenset()

    @classmethod
    def of(cls, posted: QueryDict, rows: Iterable[ListRow]) -> "Ticks":
        """The ticks of these rows in a posted form."""
        numbers = [row.number for row in rows]
        same = {number: uid for number in numbers if (uid := uuid_or_none(posted.get(f"same-{number}", "")))}
        return cls(
            enter=frozenset(number for number in numbers if f"enter-{number}" in posted),
            another=frozenset(number for number in numbers if f"another-{number}" in posted),
            same=same,
            several=frozenset(number for number in same if len(posted.getlist(f"same-{number}")) > 1),
        )

    @classmethod
    def proposed(cls, planned: Iterable[Planned]) -> "Ticks":
        """Ticks of a new preview: rows that ask nothing, linked to the person they fit exactly."""
        new = [each for each in planned if each.kind is Kind.NEW and not each.row.asks]
        return cls(
            enter=frozenset(each.row.number for each in new),
            same={each.row.number: each.same.uid for each in new if each.same},
        )

    def kept(self, before: Sequence[Planned], planned: Sequence[Planned]) -> "Ticks":
        """Proposed ticks of a preview, with the changes made to those proposed `before` for the same texts."""
        then, fresh = Ticks.proposed(before), Ticks.proposed(planned)
        numbers = grouped((frozenset(each.row.texts.items()), each.row.number) for each in before)
        was = {
            each.row.number: same_texts.pop(0)
            for each in planned
            if (same_texts := numbers.get(frozenset(each.row.texts.items())))
        }
        ticked, linked = self.enter ^ then.enter, dict(fresh.same)
        for number, old in was.items():
            if self.same.get(old) != then.same.get(old):
                linked.pop(number, None)
                linked |= {number: self.same[old]} if old in self.same else {}
        changed = {number for number, old in was.items() if old in ticked}
        return Ticks(
            enter=(fresh.enter - changed) | {number for number in changed if was[number] in self.enter},
            another=frozenset(number for number, old in was.items() if old in self.another),
            same=linked,
        )

    def all_same(self, planned: Sequence[Planned]) -> "Ticks":
        """These ticks, each open row linked to the only person offered. Rows with removed ticks or several people
        stay."""
        proposed = Ticks.proposed(planned)
        removed = (proposed.enter - self.enter) | (proposed.same.keys() - self.same.keys())
        same = dict(self.same)
        for each in planned:
            number, only = each.row.number, each.only
            is_open = each.kind is Kind.NEW and number not in removed | same.keys()
            if is_open and only and only.uid not in same.values():
                same[number] = only.uid
        return replace(self, enter=self.enter | (same.keys() - self.same.keys()), same=same)

    def chosen(self, rows: Iterable[ListRow]) -> list[ListRow]:
        """Ticked rows without faults, those with start numbers first."""
        return sorted(
            (row for row in rows if row.is_sound and row.number in self.enter | self.another),
            key=lambda row: row.start_number is None,
        )

    def problems(self, planned: Iterable[Planned]) -> list[Problem]:
        """Why ticked rows can no longer be entered: the event changed since the preview."""
        problems: list[Problem] = []
        taken: dict[UUID, int] = {}
        for each in planned:
            number = each.row.number
            if number not in self.enter | self.another:
                continue
            if each.kind is Kind.WRONG:
                problems += [problem for problem in each.problems if problem not in each.row.problems]
            elif each.kind is Kind.ENTERED or (each.kind in MAYBE and number not in self.another):
                problems.append(Problem("changed_meanwhile", number))
            elif uid := self.same.get(number):
                if number in self.several:
                    problems.append(Problem("several_persons", number))
                elif uid in taken:
                    problems.append(Problem("same_person_twice", number, parameters={"other": taken[uid]}))
                elif uid not in {one.uid for one in each.known}:
                    problems.append(Problem("unknown_person", number))
                taken.setdefault(uid, number)
        return problems


def known_of(questions: Iterable[Question]) -> Known:
    """Headings beyond the usual: questions, or result columns."""
    words = with_questions((ANSWER + each.id, each.labels.values()) for each in questions)
    return Known(words, results=questions is RESULT_COLUMNS)


def answers_in(row: ListRow, questions: Iterable[Question]) -> dict[str, object]:
    """A row's answers by question id: True (a tick), an option, or text."""
    found: dict[str, object] = {}
    for question in questions:
        text = row.answers.get(question.id, "")
        if question.kind == TICK and text.casefold() in YES | NO:
            found |= {question.id: True} if text.casefold() in YES else {}
        elif text:
            found[question.id] = (question.kind == CHOICE and question.option(text)) or text
    return found


def players_of(
    command: UUID,
    rows: Iterable[ListRow],
    ticks: Ticks,
    questions: Sequence[Question],
    planned: Iterable[Planned] = (),
) -> list[dict[str, Any]]:
    """Arguments of `enter_players`; uids derive from the command. Known people keep the public name and club that the
    list does not give."""
    known = {
        each.row.number: one
        for each in planned
        for one in each.known
        if one.uid == ticks.same.get(each.row.number)
    }
    return [
        {
            "entry": uuid5(command, str(row.number)),
            "name": person.public_name if person and not row.nickname else row.public_name,
            "real_name": row.name,
            "club": row.club or (person.club if person else ""),
            "division": row.division,
            "start_number": row.start_number,
            "birth_date": row.birth_date,
            "contact": row.contact,
            "guardian": bool(row.guardian),
            "paid": bool(row.paid),
            "player": ticks.same.get(row.number),
            **({"answers": answers} if (answers := answers_in(row, questions)) else {}),
            **({"another": True} if row.number in ticks.another else {}),
            **({"public_name_is_right": True} if row.asks or person else {}),
        }
        for row in rows
        for person in [known.get(row.number)]
    ]


def past_results_of(
    command: UUID, rows: Sequence[ListRow], ticks: Ticks, planned: Sequence[Planned]
) -> list[dict[str, Any]]:
    """Arguments of `bring_in_results`, new players first."""
    here = {
        each.row.number: each.entry.uid
        for each in planned
        if each.entry and each.kind is not Kind.NAMESAKE and each.row.number not in ticks.another
    }
    return sorted(
        (
            given | result_of(row.answers) | {"entry": here.get(row.number, given["entry"])}
            for given, row in zip(players_of(command, rows, ticks, (), planned), rows, strict=True)
        ),
        key=lambda given: given["entry"] in here.values(),
    )


# ---- A list's headings and columns ----

LONGEST_ROW = 60  # characters shown of a possible heading row


class ColumnsForm(forms.Form):
    """Choice of the heading row and each column's meaning."""

    def __init__(self, read: ListRead, questions: Sequence[Question], *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.columns = read.columns
        choices = [*CHOICES.items(), *((ANSWER + each.id, each.label) for each in questions)]
        self.fields["heading"] = forms.ChoiceField(
            label=gettext("Headings"), choices=heading_rows(read), initial=str(read.heading)
        )
        if encodings := encodings_of(read):
            self.fields["encoding"] = forms.ChoiceField(
                label=gettext("Letters"), choices=encodings, required=False, initial=encodings[0][0]
            )
        for column in self.columns:
            self.fields[column.field] = forms.ChoiceField(
                label=column.heading,
                choices=choices,
                initial=column.choice,
                help_text=" · ".join(column.samples),
            )

    def places(self) -> dict[int, str]:
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
    """Choices of the heading row: (row number, label); "0": none."""
    lines = read.sheet.grid.lines[:HEADING_ROWS] if read.sheet else []
    rows = [
        (
            str(line.number),
            gettext("Row %(number)d: %(cells)s")
            % {"number": line.number, "cells": " · ".join(line.cells.values())[:LONGEST_ROW]},
        )
        for line in lines
    ]
    return [*rows, ("0", gettext("There are no headings"))]


def encodings_of(read: ListRead) -> list[tuple[str, str]]:
    """Choices of an uncertain encoding, each with samples."""
    grid = read.sheet.grid if read.sheet else Grid()
    return [
        (each, ": ".join([ENCODINGS.get(each, each), " · ".join(words_in(grid.raw, each)[:SAMPLES])]))
        for each in grid.encodings
    ]


def carried_sheet(sheet: Sheet) -> str:
    """The cells, or bytes of uncertain encoding; "" if too large."""
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
    """Parse a `carried_sheet` in the chosen `encoding`; None if invalid."""
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
