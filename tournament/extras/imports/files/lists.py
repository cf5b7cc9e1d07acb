"""Player lists from a file's cells, which package.py (safety) and xlsx.py read from a workbook, grid.py from a text.
File content never raises: it gives a `refusal`."""

import io
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from tournament.extras.imports.files.choosing import SAMPLES, Column, guesses, heading_line, repeats
from tournament.extras.imports.files.columns import (
    CLUB,
    CONTACT,
    FIRST,
    LAST,
    LEFT_OUT,
    NAME,
    NICKNAME,
    START_NUMBER,
    STATE,
    SURNAME_FIRST,
    column_of,
    folded,
    headings_in,
)
from tournament.extras.imports.files.grid import COMMA, ENCODINGS, Grid, Line, column_letters, read_text
from tournament.extras.imports.files.problems import LONGEST_KEPT, MOST_ROWS, Problem, Refusal, refuse
from tournament.extras.imports.files.rows import ADDRESS, ANSWER, ListRow, read_row
from tournament.files.results_file.facts import fees_text
from tournament.files.workbook.writer import WorkbookWriter
from tournament.models import Entry, Tournament
from tournament.queries.registration import Question, answers_of
from tournament.server.middleware import MOST_FILE_BYTES
from tournament.words.text import home_today

# ---- File kind by content ----

WORKBOOK, TEXT = "workbook", "text"

_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # .xls, or an encrypted workbook
_BEGINNINGS = {
    b"%PDF": "pdf",
    b"\x89PNG": "picture",
    b"\xff\xd8\xff": "picture",
    b"GIF8": "picture",
    b"BM": "picture",
    b"RIFF": "picture",
    b"II*\x00": "picture",
    b"MM\x00*": "picture",
    b"{\\rtf": "text_document",
    b"7z\xbc\xaf": "archive",
    b"Rar!": "archive",
    b"\x1f\x8b": "archive",
    b"BZh": "archive",
    b"\xfd7zXZ": "archive",
    b"MZ": "not_a_list",
    b"\x7fELF": "not_a_list",
}
_MARKUP = (b"<!doctype", b"<html", b"<table", b"<?xml", b"<meta", b"<head", b"<style", b"<workbook")


def kind_of_file(data: bytes) -> str:
    """WORKBOOK or TEXT. Raises Refusal naming any other kind."""
    refuse((not data.strip(b"\x00\t\r\n\x0b\x0c \xef\xbb\xbf\xff\xfe"), "empty_file"))
    if data.startswith(b"PK\x03\x04"):
        return WORKBOOK
    if data.startswith(_OLD_OFFICE):
        macros = "_VBA_PROJECT".encode("utf-16-le") in data or b"Attribut\x00e VB_" in data
        password = "EncryptedPackage".encode("utf-16-le") in data
        raise Refusal("password" if password else "old_with_macros" if macros else "old_excel")
    # BM and MZ may begin a name
    likely = {each: code for each, code in _BEGINNINGS.items() if len(each) > 2 or b"\x00" in data[:64]}
    refuse(*((data.startswith(beginning), code) for beginning, code in likely.items()))
    begins = data[:200].removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    refuse((data.startswith(b"PK\x05\x06"), "empty_file"), (begins.startswith(_MARKUP), "web_page"))
    return TEXT


_NAMES = {NAME, SURNAME_FIRST, FIRST, LAST}
# Players share neither a name nor a number.
_OWN = {*_NAMES, NICKNAME, START_NUMBER}
_MOST_NAMED = 12  # headings or sheets listed by name
_BULLET = re.compile(r"^\s*(?:\d{1,4}(?:[.)](?!\d)|\t)|[-–—•*·](?=\s))\s*")
# No first name has these endings, or a comma.
_SURNAME = re.compile(r"\S*(?:nen|sson|ström|[qk]vist|berg|gren|,)", re.IGNORECASE)
_BETWEEN = re.compile(r"[,;]|\s(?:and|ja|och)\s")
_WITH_ADDRESS = re.compile(r"([^<>@]*[^<>@\s])\s*<([^<>@\s]+@[^<>@\s]+)>")
_CANCELLED = re.compile(
    r"\b(?:cancel|refund|withdr|declin|no.?show|not taking|peru(?:n|t|ut)|palaut|ei osall|avbok|avbest|annuller|återbet"
    r"|deltar inte|inte med)",
    re.IGNORECASE,
)
_IN_BRACKETS = re.compile(r"([^()]*[^()\s])\s*\(([^()]*[^()\s][^()]*)\)")


@dataclass(frozen=True, slots=True)
class ListRead:
    """A parsed file; no rows with a `refusal`. The user maps `columns` if headings are `unknown`, then `sheet` is read
    again. `heading`: its row, or 0."""

    filename: str
    rows: tuple[ListRow, ...] = ()
    problems: tuple[Problem, ...] = ()
    refusal: Problem | None = None
    columns: tuple[Column, ...] = ()
    sheet: "Sheet | None" = None
    heading: int = 0

    @property
    def unknown(self) -> bool:
        """Whether a heading is not recognised."""
        return not all(column.known for column in self.columns)


@dataclass(frozen=True, slots=True)
class Sheet:
    """The cells of one sheet. `others`: titles of the sheets not read."""

    filename: str
    grid: Grid
    others: tuple[str, ...] | None = ()


@dataclass(frozen=True, slots=True)
class Known:
    """Additional headings: `words` {folded heading: column}, the user's `places` {column number: choice}. `heading`:
    row number, 0 for none, None to detect. In `results` a number before a name is a place."""

    words: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[int, str] | None = None
    heading: int | None = None
    results: bool = False


NOTHING = Known()


def read_list(data: bytes, filename: str, *, today: date | None = None, known: Known = NOTHING) -> ListRead:
    """Parse a file by content, not `filename`: of a workbook the first sheet with headings, else with cells, hidden
    ones last. `today` bounds birth dates."""
    try:
        if len(data) > MOST_FILE_BYTES:
            raise Refusal("too_large", most=MOST_FILE_BYTES // 1024 // 1024)
        if kind_of_file(data) == WORKBOOK:
            from tournament.extras.imports.files.xlsx import Xlsx  # imports openpyxl

            grids = [grid for grid in Xlsx(data).sheets() if grid.lines] or [Grid()]
            grid = next((each for each in grids if heading_line(each.lines) is not None), grids[0])
        else:
            grids = [grid := read_text(data)]
    except Refusal as refusal:
        return ListRead(filename, refusal=refusal.problem)
    others = tuple(each.title for each in grids if each.title != grid.title)
    return read_sheet(Sheet(filename, grid, others), today=today, known=known)


def read_pasted(text: str, *, today: date | None = None, known: Known = NOTHING) -> ListRead:
    """Parse a pasted list. Bullets and numbers before names are dropped; text after the first comma is the club; a line
    of three or more ("Aino, Ville and Otso", a mail's recipients) is a name each."""
    lines = text.splitlines()
    if not known.results:
        names = [name for part in _BETWEEN.split(text) if (name := part.strip())]
        words = all(any(map(str.isalpha, name)) for name in names)
        if len(names) > 2 and words and not re.search(r'[\r\n\t"]', text.strip()):
            lines = names
        lines = [_BULLET.sub("", line) for line in lines]
    try:
        grid = read_text("\n".join(lines).encode())
    except Refusal as refusal:
        return ListRead("", refusal=refusal.problem)
    return read_sheet(Sheet("", grid, None), today=today, known=known)


def read_sheet(sheet: Sheet, *, today: date | None = None, known: Known = NOTHING) -> ListRead:
    """Parse cells with the `known` columns."""
    if not (lines := sheet.grid.lines):
        return ListRead(sheet.filename, refusal=Problem("no_rows"))
    columns = _columns(sheet.grid, pasted=sheet.others is None, known=known)
    read = ListRead(
        sheet.filename,
        columns=_headed(sheet.grid, columns),
        sheet=sheet,
        heading=0 if columns.heading is None else lines[columns.heading].number,
    )
    try:
        return _list(read, sheet, columns, today or home_today())
    except Refusal as refusal:
        return replace(read, refusal=refusal.problem)


@dataclass(slots=True)
class _Columns:
    """`places` by column number; `heading`: line index; `ignored`: column names."""

    places: dict[int, str]
    heading: int | None
    ignored: list[str]
    commas: bool = False  # without headings: "name, club"
    guessed: bool = False  # without headings
    unknown: frozenset[int] = frozenset()  # columns with unrecognised headings
    nameless: bool = False


def _guessed(grid: Grid, used: list[int], *, pasted: bool) -> dict[int, str]:
    """Columns without headings: contacts have addresses, numbers are ignored, then the name and, if one column or
    pasted with commas, the club."""
    cells = {column: [line.cells[column] for line in grid.lines if column in line.cells] for column in used}
    contacts = {
        column: CONTACT
        for column, texts in cells.items()
        if sum(bool(ADDRESS.search(text)) for text in texts) * 2 > len(texts)
    }
    numbers = {column for column, texts in cells.items() if texts and all(map(str.isdecimal, texts))}
    name, *more = [column for column in used if column not in contacts.keys() | numbers] or used[:1]
    clubs = more if len(more) == 1 or (pasted and grid.delimiter == COMMA) else []
    return contacts | {name: NAME} | dict.fromkeys(clubs, CLUB)


def _surnames_first(grid: Grid, columns: Sequence[int]) -> bool:
    """Whether the second column holds first names, not clubs: mostly distinct."""
    rows = [[line.cells.get(column, "") for column in columns] for line in grid.lines]
    words = [len(last.split()) for last, _first in rows]
    firsts = {first for _last, first in rows}
    return len(rows) > 2 and "" not in firsts and min(len(firsts), words.count(1)) * 5 >= len(rows) * 4


def _turned_columns(places: Mapping[int, str], lines: Sequence[Line]) -> frozenset[int]:
    turned = set()
    for column in (column for column, word in places.items() if word == NAME):
        names = (line.cells.get(column, "").split() for line in lines)
        surnames = [
            bool(_SURNAME.fullmatch(words[0]) and not _SURNAME.fullmatch(words[-1]))
            for words in names
            if len(words) > 1
        ]
        if sum(surnames) > 2 and sum(surnames) * 2 > len(surnames):
            turned.add(column)
    return frozenset(turned)


def _columns(grid: Grid, *, pasted: bool, known: Known) -> _Columns:
    numbers = [line.number for line in grid.lines]
    heading = heading_line(grid.lines)
    if known.heading is not None:
        heading = numbers.index(known.heading) if known.heading in numbers else None
    if known.places is not None:
        places = {column: known.places[column] for column in known.places if known.places[column] != LEFT_OUT}
        return _Columns(places, heading, [], commas=pasted and heading is None)
    if heading is None:
        used = sorted({column for line in grid.lines for column in (*line.cells, *line.lost)})
        places = _guessed(grid, used, pasted=pasted)
        ignored = [column_letters(column) for column in used if column not in places]
        if sorted(places.values()) == [CLUB, NAME] and _surnames_first(grid, sorted(places)):
            places = dict(zip(sorted(places), (LAST, FIRST), strict=True))
            return _Columns(places, None, ignored, unknown=frozenset(places))
        turned = _turned_columns(places, grid.lines)
        places |= dict.fromkeys(turned, SURNAME_FIRST)
        return _Columns(places, None, ignored, commas=pasted, guessed=True, unknown=turned)
    places, ignored = {}, []
    headings = grid.lines[heading].cells
    words = {
        column: column_of(text) or known.words.get(folded(text), "") for column, text in headings.items()
    }
    below = grid.lines[heading + 1 :]
    filled = {column for line in below for column in line.cells}
    for column, text in headings.items():
        word = words[column]
        if NAME in words.values() and word in {FIRST, LAST}:
            word = ""  # a full name exists
        if word not in {"", LEFT_OUT} and (word == CONTACT or word not in places.values()):
            places[column] = word
        else:
            ignored.append(text[:40])
    ignored += map(column_letters, sorted(filled - headings.keys()))
    turned = _turned_columns(places, below)
    return _Columns(
        places | dict.fromkeys(turned, SURNAME_FIRST),
        heading,
        ignored,
        unknown=frozenset(column for column, word in words.items() if not word and column in filled) | turned,
        nameless=not {*_NAMES, NICKNAME} & set(places.values()),
    )


def _headed(grid: Grid, columns: _Columns) -> tuple[Column, ...]:
    at = -1 if columns.heading is None else columns.heading
    headings, below = grid.lines[at].cells if at >= 0 else {}, grid.lines[at + 1 :]
    numbers = sorted({*headings, *(column for line in below for column in line.cells)})
    called = {number: headings.get(number, column_letters(number)) for number in numbers}
    cells = {number: [line.cells[number] for line in below if number in line.cells] for number in numbers}
    asked = {number: called[number] for number in columns.unknown - columns.places.keys()}
    choices = guesses(asked, cells, columns.places.values()) | columns.places
    return tuple(
        Column(
            number,
            called[number],
            tuple(dict.fromkeys(cells[number]))[:SAMPLES],
            choices.get(number, LEFT_OUT),
            number not in columns.unknown,
        )
        for number in numbers
    )


def _list(read: ListRead, sheet: Sheet, columns: _Columns, today: date) -> ListRead:
    grid, at = sheet.grid, -1 if columns.heading is None else columns.heading
    if columns.nameless:
        raise Refusal("no_name_column", found=_joined([column.heading[:40] for column in read.columns]))
    lines, headings = grid.lines[at + 1 :], grid.lines[max(at, 0)]
    filled = _filled(grid, lines, columns)
    columns.commas &= not _has_commas_beside_clubs(lines, columns.places)
    rows = []
    for line in grid.lines[: max(at, 0)]:
        row = _row(line, {}, columns, today, "above_headings")
        # A title has fewer cells, a number or an address.
        if row and row.name and not any(map(str.isdigit, row.name)) and len(row.problems) == len(row.marks):
            rows += [row] if len(line.cells) * 2 >= len(headings.cells) else []
    for line in lines:
        mark = "repeated_headings" if at >= 0 and repeats(line, headings) else ""
        rows += filter(None, [_row(line, filled, columns, today, mark)])
    refuse((not rows, "no_rows"))
    if grid.more or len(rows) > MOST_ROWS:
        raise Refusal("too_many_rows", most=MOST_ROWS)
    return replace(read, rows=tuple(rows), problems=tuple(_problems(grid, sheet.others, columns, rows)))


def _has_commas_beside_clubs(lines: Sequence[Line], places: Mapping[int, str]) -> bool:
    names, clubs = ([column for column in places if places[column] == each] for each in (NAME, CLUB))
    return any(
        any("," in line.cells.get(column, "") for column in names) and not line.cells.keys().isdisjoint(clubs)
        for line in lines
    )


def _problems(
    grid: Grid, others: Sequence[str] | None, columns: _Columns, rows: Sequence[ListRow]
) -> list[Problem]:
    problems = []
    if grid.encodings:
        called = ENCODINGS.get(grid.encodings[0], grid.encodings[0])
        problems.append(Problem("encoding_guessed", parameters={"encoding": called}))
    if others:
        problems.append(Problem("other_sheets", parameters={"sheet": grid.title, "others": _joined(others)}))
    if columns.guessed and others is not None:
        problems.append(Problem("no_headings" if columns.ignored else "no_headings_club"))
    read = {row.number for row in rows}
    unread = [line for line in grid.lines[: columns.heading or 0] if line.number not in read]
    if columns.heading and unread:
        above = _joined([" ".join(line.cells.values())[:40] for line in unread])
        row = grid.lines[columns.heading].number
        problems.append(Problem("rows_above", parameters={"heading": row, "above": above}))
    if columns.ignored:
        problems.append(Problem("ignored_columns", parameters={"columns": _joined(columns.ignored)}))
    return problems


def _filled(grid: Grid, lines: list[Line], columns: _Columns) -> dict[tuple[int, int], str]:
    numbers = [line.number for line in lines]
    filled: dict[tuple[int, int], str] = {}
    for merge in grid.merges:
        first = bisect_left(numbers, merge.top)
        top = lines[first] if first < len(lines) and numbers[first] == merge.top else None
        if top and merge.left in columns.places and (text := top.cells.get(merge.left)):
            for number in numbers[first + 1 : bisect_right(numbers, merge.bottom)]:
                filled[number, merge.left] = text
    return filled


def _row(
    line: Line, filled: dict[tuple[int, int], str], columns: _Columns, today: date, mark: str = ""
) -> ListRow | None:
    parts: dict[str, list[str]] = {}
    marks: dict[str, str] = {}
    for column, known in sorted(columns.places.items()):
        if (lost := line.lost.get(column)) and not known.startswith((ANSWER, STATE)):
            marks[NAME if known in _NAMES else known] = lost
        elif text := line.cells.get(column):
            parts.setdefault(known, []).append(text)
    if not parts.keys() - {STATE} and not marks:
        return None
    for column, known in sorted(columns.places.items()):
        text = filled.get((line.number, column), "") if known not in parts and known not in marks else ""
        if text and known.startswith((ANSWER, STATE)):
            parts[known] = [text]
        elif text and known in _OWN:
            marks[NAME if known in _NAMES else known] = "merged_name"
        elif text:
            parts[known], marks[known] = [text], "merged_filled"
    cancelled = "cancelled" if _CANCELLED.search(" ".join(parts.pop(STATE, ()))) else ""
    if mark := mark or cancelled or ("hidden_row" if line.hidden else ""):
        marks[""] = mark
    turned = filter(None, (name.replace(",", " ").split() for name in parts.pop(SURNAME_FIRST, [])))
    whole = (" ".join([*first, last]) for last, *first in turned)
    names = [*whole, *parts.pop(FIRST, []), *parts.pop(LAST, [])]
    if names and NAME not in parts:
        parts[NAME] = [" ".join(names)]
    if NAME in parts:
        _take_apart(parts, columns)
    texts = {known: ", ".join(texts)[:LONGEST_KEPT] for known, texts in parts.items()}
    return read_row(line.number, texts, marks, today)


def _take_apart(parts: dict[str, list[str]], columns: _Columns) -> None:
    """Split off what is written with a name: "Aino (Ansku)", "Aino, Noppa", "Aino <aino@a.example>"."""
    if CONTACT not in parts and (mailed := _WITH_ADDRESS.fullmatch(parts[NAME][0])):
        parts[NAME], parts[CONTACT] = [mailed[1]], [mailed[2]]
    if columns.commas and CLUB not in parts and "," in (name := parts[NAME][0]):
        parts[NAME], parts[CLUB] = ([part.strip()] for part in name.split(",", 1))
    if columns.heading is None and (found := _IN_BRACKETS.fullmatch(parts[NAME][0])):
        parts[NAME], parts[NICKNAME] = [found[1]], [found[2].strip()]


def _joined(texts: Sequence[str]) -> str:
    more = [f"+{len(texts) - _MOST_NAMED}"] if len(texts) > _MOST_NAMED else []
    return ", ".join([*texts[:_MOST_NAMED], *more])


# ---- Export of an event's players for organisers ----

TICKED = "x"  # yes in every language


def players_file(
    tournament: Tournament,
    entries: Iterable[Entry],
    questions: Sequence[Question],
    *,
    title: str,
    language: str,
    made: datetime,
) -> bytes:
    """Workbook of the entries, in the active `language`; `title` names the sheet. Event, day, fee and payments stand
    above the headings."""
    file, entries = io.BytesIO(), list(entries)
    day = date_format(tournament.starts_on, "SHORT_DATE_FORMAT")
    workbook = WorkbookWriter(
        file, title=f"{tournament.name} {day}", language=language, zone=tournament.zone, made=made
    )
    asked = [question.label for question in questions]
    headings = [*headings_in(language), *asked, *headings_in(language, [STATE])]
    above = [f"{tournament.name}, {day}", *_fees(tournament.fee, entries)]
    rows = (
        [
            entry.player.name,
            None if entry.public_name == entry.player.name else entry.public_name,
            entry.club or None,
            entry.start_number,
            entry.player.birth_date,
            entry.player.contact or None,
            TICKED if entry.guardian else None,
            TICKED if entry.paid else None,
            entry.division or None,
            *(answer or None for _question, answer in answers_of(entry, questions)),
            str(entry.get_state_display()),
        ]
        for entry in entries
    )
    workbook.add_sheet(title, headings, rows, above=above)
    workbook.finish()
    return file.getvalue()


def _fees(fee: str, entries: Iterable[Entry]) -> Iterator[str]:
    paid = [entry.paid for entry in entries if entry.is_in]
    if fee:
        yield f"{_('Fee')}: {fee}"
    in_all, words = fees_text(fee, sum(paid)), _("%(paid)d of %(all)d paid")
    yield words % {"paid": sum(paid), "all": len(paid)} + (f": {in_all}" if in_all else "")
