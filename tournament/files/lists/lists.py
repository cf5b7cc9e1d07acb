"""A file's cells as a list of players: where the headings are, which column is what, and what every row says.

| question | module |
| --- | --- |
| what is this file, whatever its name says? | file_kinds.py |
| is this workbook safe to read? | package.py, before anything in it is trusted |
| what do its cells say? | xlsx.py, delimited.py: both give a Grid (grid.py) |
| and in which encoding is a text? | encodings.py, by what names look like |
| which column is what, and an empty list to fill in | columns.py |
| and with headings that nobody knows? | choosing.py |
| what does a row say, and is it sound? | rows.py; this module puts all together |
| who of them is entered already? | matching.py |
| what can be wrong, and how is that said? | problems.py |
| how much of an upload is taken, and where is it kept? | limits.py: in memory, never on the disk |
| the list of an event with all that its organisers know | players_file.py |
| and if it is the results of an earlier event? | past.py |
| which plays does a workbook of results hold, and what do they say? | results.py, results_said.py |
| a workbook of results to fill in | results_template.py |

Nothing in this folder writes: neither a file nor a row. Nothing raises for what a file holds: a file that cannot be
read is a `refusal` with a code, as every fault of a row is.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from tournament.files.lists.choosing import SAMPLES, Column, guess, heading_line, repeats
from tournament.files.lists.columns import (
    CLUB,
    CONTACT,
    FIRST,
    LAST,
    LEFT_OUT,
    NAME,
    NICKNAME,
    START_NUMBER,
    SURNAME_FIRST,
    column_of,
    folded,
)
from tournament.files.lists.delimited import COMMA, read_text
from tournament.files.lists.encodings import ENCODINGS
from tournament.files.lists.file_kinds import WORKBOOK, kind_of_file
from tournament.files.lists.grid import Grid, Line, column_letters
from tournament.files.lists.limits import LONGEST_KEPT, MOST_BYTES, MOST_ROWS
from tournament.files.lists.problems import Problem, Refusal
from tournament.files.lists.rows import ADDRESS, ANSWER, ListRow, read_row
from tournament.words.zones import home_today

_NAMES = {NAME, SURNAME_FIRST, FIRST, LAST}
# Columns where a merged cell is not shared: two players do not share a name or a number.
_OWN = {*_NAMES, NICKNAME, START_NUMBER}
_MOST_NAMED = 12  # headings and sheets that are named one by one
_BULLET = re.compile(r"^\s*(?:\d{1,4}(?:[.)](?!\d)|\t)|[-–—•*·](?=\s))\s*")
# Endings of surnames that no first name has, and the comma behind a surname.
_SURNAME = re.compile(r"\S*(?:nen|sson|ström|[qk]vist|berg|gren|,)", re.IGNORECASE)
_IN_BRACKETS = re.compile(r"([^()]*[^()\s])\s*\(([^()]*[^()\s][^()]*)\)")


@dataclass(frozen=True, slots=True)
class ListRead:
    """The content of a file. `problems` are about the file (row 0); those of a row are with the row. With a `refusal`
    it was not read and there are no rows. Where a heading is `unknown`, somebody is asked what its `columns` are, and
    `sheet` is read again. `heading` is the number of the row with the headings, 0 for none."""

    filename: str
    rows: tuple[ListRow, ...] = ()
    problems: tuple[Problem, ...] = ()
    refusal: Problem | None = None
    columns: tuple[Column, ...] = ()
    sheet: "Sheet | None" = None
    heading: int = 0

    @property
    def unknown(self) -> bool:
        """Tell whether there is a heading that nobody knows."""
        return not all(column.known for column in self.columns)


@dataclass(frozen=True, slots=True)
class Sheet:
    """The cells that are read; `others` are the sheets that are not, None where the list was pasted."""

    filename: str
    grid: Grid
    others: tuple[str, ...] | None = ()


@dataclass(frozen=True, slots=True)
class Known:
    """Headings known beside the usual ones: `words` for more columns, by folded heading, and the `places` that
    somebody chose, by the column's number. `heading` is the number of the headings' row, 0 for none; with None it is
    found. In `results` a number before a name is a place and not that of the line."""

    words: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[int, str] | None = None
    heading: int | None = None
    results: bool = False


NOTHING = Known()


def read_list(data: bytes, filename: str, *, today: date | None = None, known: Known = NOTHING) -> ListRead:
    """The players in a file; `filename` is only repeated, the bytes say what it is. `today` bounds birth dates.

    Nothing that a file holds is an error: it is a problem of a row, of the file, or a refusal of all of it.
    """
    try:
        if len(data) > MOST_BYTES:
            raise Refusal("too_large", most=MOST_BYTES // 1024 // 1024)
        grid, others = _sheet(data) if kind_of_file(data) == WORKBOOK else (read_text(data), [])
    except Refusal as refusal:
        return ListRead(filename, refusal=refusal.problem)
    return read_sheet(Sheet(filename, grid, tuple(others)), today=today, known=known)


def read_pasted(text: str, *, today: date | None = None, known: Known = NOTHING) -> ListRead:
    """The players in a list that was typed or pasted: like a file's, without the number or the dash before a name; the
    club is all that stands behind the first comma."""
    try:
        lines = text.splitlines() if known.results else (_BULLET.sub("", line) for line in text.splitlines())
        grid = read_text("\n".join(lines).encode())
    except Refusal as refusal:
        return ListRead("", refusal=refusal.problem)
    return read_sheet(Sheet("", grid, None), today=today, known=known)


def read_sheet(sheet: Sheet, *, today: date | None = None, known: Known = NOTHING) -> ListRead:
    """The players in these cells, by what is `known` of their columns."""
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
    """`places`: what a column is, by its number; `heading`: the index of the headings' line, or None;
    `ignored`: columns that no list has, by name."""

    places: dict[int, str]
    heading: int | None
    ignored: list[str]
    commas: bool = False  # without headings, the club may stand behind a comma in the name's cell
    unknown: frozenset[int] = frozenset()  # columns whose headings nobody knows
    nameless: bool = False


def _sheet(data: bytes) -> tuple[Grid, list[str]]:
    """The first sheet with headings, or else the first with anything in it; hidden ones come last. With the titles of
    the sheets that are not read."""
    from tournament.files.lists.xlsx import Xlsx  # and openpyxl

    titles: list[str] = []
    chosen = fallback = None
    for grid in Xlsx(data).sheets():
        if grid.lines:
            titles.append(grid.title)
            if chosen is None and heading_line(grid.lines) is not None:
                chosen = grid
            fallback = fallback or grid
    if (found := chosen or fallback) is None:
        raise Refusal("no_rows")
    return found, [title for title in titles if title != found.title]


def _guessed(grid: Grid, used: list[int], *, pasted: bool) -> dict[int, str]:
    """Tell by their cells what columns without headings are: addresses are contacts, numbers are nothing; of the others
    the first is the name, and the next the club where it is the only one, or where commas divide what was pasted."""
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
    """Tell whether what stands behind the names may be first names ("Mäkelä, Aino") and not clubs: nearly everybody has
    another one, behind a name of one word."""
    rows = [[line.cells.get(column, "") for column in columns] for line in grid.lines]
    words = [len(last.split()) for last, _first in rows]
    firsts = {first for _last, first in rows}
    return len(rows) > 2 and "" not in firsts and min(len(firsts), words.count(1)) * 5 >= len(rows) * 4


def _written_surname_first(names: Sequence[str]) -> bool:
    """Tell whether most of these names seem to begin with the surname: "Virtanen Ville", "Mäkelä, Aino"."""
    split = [words for name in names if len(words := name.split()) > 1]
    turned = [words for words in split if _SURNAME.fullmatch(words[0]) and not _SURNAME.fullmatch(words[-1])]
    return len(turned) > 2 and len(turned) * 2 > len(split)


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
        return _Columns(places, None, ignored, commas=pasted)
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
            word = ""  # the name is there already
        if word not in {"", LEFT_OUT} and (word == CONTACT or word not in places.values()):
            places[column] = word
        else:
            ignored.append(text[:40])
    ignored += map(column_letters, sorted(filled - headings.keys()))
    turned = {
        column
        for column, word in places.items()
        if word == NAME
        and _written_surname_first([line.cells[column] for line in below if column in line.cells])
    }
    return _Columns(
        places | dict.fromkeys(turned, SURNAME_FIRST),
        heading,
        ignored,
        unknown=frozenset(column for column, word in words.items() if not word and column in filled) | turned,
        nameless=not {*_NAMES, NICKNAME} & set(places.values()),
    )


def _headed(grid: Grid, columns: _Columns) -> tuple[Column, ...]:
    """The columns under their headings, or letters where there are none, as somebody can choose what they are."""
    at = -1 if columns.heading is None else columns.heading
    headings, below = grid.lines[at].cells if at >= 0 else {}, grid.lines[at + 1 :]
    found: list[Column] = []
    for number in sorted({*headings, *(column for line in below for column in line.cells)}):
        cells = [line.cells[number] for line in below if number in line.cells]
        heading = headings.get(number, column_letters(number))
        known = number not in columns.unknown
        taken = [*columns.places.values(), *(each.choice for each in found)]
        choice = columns.places.get(number, LEFT_OUT if known else guess(heading, cells, taken))
        found.append(Column(number, heading, tuple(dict.fromkeys(cells))[:SAMPLES], choice, known))
    return tuple(found)


def _list(read: ListRead, sheet: Sheet, columns: _Columns, today: date) -> ListRead:
    """Read the rows; of those above the headings the ones that may be players are asked about."""
    grid, at = sheet.grid, -1 if columns.heading is None else columns.heading
    if columns.nameless:
        raise Refusal("no_name_column", found=_joined([column.heading[:40] for column in read.columns]))
    lines, headings = grid.lines[at + 1 :], grid.lines[max(at, 0)]
    filled = _filled(grid, lines, columns)
    rows = [
        row
        for line in grid.lines[: max(at, 0)]
        if (row := _row(line, {}, columns, today, "above_headings")) and _may_be_player(row, line, headings)
    ]
    for line in lines:
        mark = "repeated_headings" if at >= 0 and repeats(line, headings) else ""
        rows += filter(None, [_row(line, filled, columns, today, mark)])
    if not rows:
        raise Refusal("no_rows")
    if grid.more or len(rows) > MOST_ROWS:
        raise Refusal("too_many_rows", most=MOST_ROWS)
    return replace(read, rows=tuple(rows), problems=tuple(_problems(grid, sheet.others, columns, rows)))


def _may_be_player(row: ListRow, line: Line, headings: Line) -> bool:
    """Tell whether a row above the headings may be a player: a title has fewer cells, a number or an address."""
    named = row.name and not any(map(str.isdigit, row.name)) and len(row.problems) == len(row.marks)
    return bool(named) and len(line.cells) * 2 >= len(headings.cells)


def _problems(
    grid: Grid, others: Sequence[str] | None, columns: _Columns, rows: Sequence[ListRow]
) -> list[Problem]:
    """List the problems of the file as a whole."""
    problems = []
    if grid.encodings:
        called = ENCODINGS.get(grid.encodings[0], grid.encodings[0])
        problems.append(Problem("encoding_guessed", parameters={"encoding": called}))
    if others:
        problems.append(Problem("other_sheets", parameters={"sheet": grid.title, "others": _joined(others)}))
    if columns.heading is None and others is not None:
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
    """The texts of cells that were merged with one above them, by row and column; a file keeps it in the topmost."""
    numbers = [line.number for line in lines]
    filled: dict[tuple[int, int], str] = {}
    for merge in grid.merges:
        first = bisect_left(numbers, merge.top)
        top = lines[first] if first < len(lines) and numbers[first] == merge.top else None
        if top and merge.left in columns.places and (text := top.cells.get(merge.left)):
            for number in numbers[first + 1 : bisect_right(numbers, merge.bottom)]:
                filled[number, merge.left] = text
    return filled


def _turned(names: Sequence[str]) -> list[str]:
    """Turn round names that are written surname first."""
    split = (name.replace(",", " ").split() for name in names)
    return [" ".join([*first, last]) for last, *first in filter(None, split)]


def _row(
    line: Line, filled: dict[tuple[int, int], str], columns: _Columns, today: date, mark: str = ""
) -> ListRow | None:
    """The row of a line, with a `mark` of its own; None where nothing stands in the columns of a list."""
    parts: dict[str, list[str]] = {}
    marks: dict[str, str] = {}
    for column, known in sorted(columns.places.items()):
        if (lost := line.lost.get(column)) and not known.startswith(ANSWER):
            marks[NAME if known in _NAMES else known] = lost
        elif text := line.cells.get(column):
            parts.setdefault(known, []).append(text)
    if not parts and not marks:
        return None
    for column, known in sorted(columns.places.items()):
        text = filled.get((line.number, column), "") if known not in parts and known not in marks else ""
        if text and known.startswith(ANSWER):
            parts[known] = [text]
        elif text and known in _OWN:
            marks[NAME if known in _NAMES else known] = "merged_name"
        elif text:
            parts[known], marks[known] = [text], "merged_filled"
    if mark or line.hidden:
        marks[""] = mark or "hidden_row"
    names = [*_turned(parts.pop(SURNAME_FIRST, [])), *parts.pop(FIRST, []), *parts.pop(LAST, [])]
    if names and NAME not in parts:
        parts[NAME] = [" ".join(names)]
    if columns.commas and CLUB not in parts and "," in (name := parts.get(NAME, [""])[0]):
        parts[NAME], parts[CLUB] = ([part.strip()] for part in name.split(",", 1))
    if columns.heading is None and (found := _IN_BRACKETS.fullmatch(parts.get(NAME, [""])[0])):
        parts[NAME], parts[NICKNAME] = [found[1]], [found[2].strip()]
    texts = {known: ", ".join(texts)[:LONGEST_KEPT] for known, texts in parts.items()}
    return read_row(line.number, texts, marks, today)


def _joined(texts: Sequence[str]) -> str:
    more = [f"+{len(texts) - _MOST_NAMED}"] if len(texts) > _MOST_NAMED else []
    return ", ".join([*texts[:_MOST_NAMED], *more])
