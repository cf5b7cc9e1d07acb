"""The sheets of an .xlsx workbook as texts.

Only what a list needs is read: the sheets' names, the shared texts, which cells are dates, and the cells with the
values that their program kept. Formulas are not computed. A sheet's claim about its own size (`dimension`) is never
trusted; a sheet that claims far more than it has was made as a trap and is refused.
"""

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import cache

from openpyxl.styles.numbers import BUILTIN_FORMATS, is_datetime
from openpyxl.utils.datetime import CALENDAR_MAC_1904, CALENDAR_WINDOWS_1900, from_excel

from tournament.files.lists.grid import Grid, Line, Merge, text_of
from tournament.files.lists.limits import LIST, MOST_COLUMNS, MOST_MERGES, MOST_SHEET_ROWS, Limits
from tournament.files.lists.package import Budget, Package, Part, attribute
from tournament.files.lists.problems import Refusal

LAST_ROW, LAST_COLUMN = 1_048_576, 16_384
DATE, HOURS, MINUTES = "date", "hours", "minutes"  # what a cell shows
HOUR, YEAR = 1 / 24, 366  # in days; a number below a year in a cell for times is no date
DAYS_OF_TIMES = 3  # a number of days below it that a cell shows as a date is a time
LONGEST_FORMAT = 255  # characters of a number format, as in Excel
_REFERENCE = re.compile(r"\$?([A-Z]{1,3})\$?([0-9]{1,7})")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_COLUMN_NAME = re.compile(r"[a-z]+_[a-z0-9_]+", re.ASCII)
_AREA = re.compile(
    r"(?:'((?:[^']|'')+)'|([^'!]+))!\$?([A-Z]{1,3})\$?[0-9]{1,7}(?::\$?([A-Z]{1,3})\$?[0-9]{1,7})?"
)


@dataclass(slots=True)
class Sheet:
    """A sheet in the workbook's list of sheets."""

    title: str
    hidden: bool
    part: str


@dataclass(frozen=True, slots=True)
class Column:
    """A column that has a name in the workbook: the title of its sheet, and its number from 1."""

    sheet: str
    number: int


class Xlsx:
    """A workbook whose sheets can be read; `columns` are those that have a name for programs, like `games_outcome`,
    wherever they were moved. Raises Refusal, when it is made of a file that is not a workbook or not safe
    to read, and when a sheet is read."""

    def __init__(self, data: bytes, limits: Limits = LIST) -> None:
        self._limits = limits
        self._package = package = Package(data, limits)
        root = _related(package, "_rels/.rels", "")
        main = next((target for _id, kind, target in root if kind == "officeDocument"), "xl/workbook.xml")
        if not package.has(main):
            raise Refusal("archive")
        self._contents = contents = _Workbook()
        package.read(main, contents)
        self.columns: Mapping[str, Column] = contents.columns
        folder, name = posixpath.split(main)
        related = _related(package, posixpath.join(folder, "_rels", f"{name}.rels"), folder)
        budget = Budget(limits.elements)
        self._strings, self._styles = _Strings(budget), _Styles(budget)
        for part, kind in ((self._strings, "sharedStrings"), (self._styles, "styles")):
            target = next((target for _id, of_kind, target in related if of_kind == kind), "")
            if target and package.has(target):
                package.read(target, part)
        targets = {uid: target for uid, kind, target in related if kind == "worksheet"}
        self._sheets = [
            Sheet(text_of(title), hidden, targets[uid])
            for title, uid, hidden in contents.sheets
            if uid in targets and package.has(targets[uid])
        ]
        if not self._sheets:
            raise Refusal("damaged")

    def sheets(self, wanted: Callable[[str], bool] = lambda _title: True) -> Iterator[tuple[Sheet, Grid]]:
        """The sheets with `wanted` titles and their cells: those that are shown first, each read when it is asked
        for."""
        seen: set[str] = set()
        for sheet in sorted(self._sheets, key=lambda sheet: sheet.hidden):
            if wanted(sheet.title) and sheet.part not in seen:  # two names for one part would be read twice
                seen.add(sheet.part)
                cells = _Worksheet(
                    self._strings.texts, self._styles.dates, self._contents.epoch, self._limits
                )
                self._package.read(sheet.part, cells)
                cells.grid.title = sheet.title
                yield sheet, cells.grid


def _related(package: Package, name: str, folder: str) -> list[tuple[str, str, str]]:
    """Relationships of a part: (id, last word of the type, part that it leads to)."""
    if not package.has(name):
        return []
    part = _Relationships()
    package.read(name, part)
    return [
        (
            uid,
            kind,
            (posixpath.normpath(target if target.startswith("/") else posixpath.join(folder, target))).lstrip(
                "/"
            ),
        )
        for uid, kind, target in part.found
    ]


class _Relationships(Part):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, str, str]] = []

    def opened(self, name: str, attributes: dict[str, str]) -> None:
        if name == "Relationship":
            uid, kind, target = (attribute(attributes, key) for key in ("Id", "Type", "Target"))
            self.found.append((uid, kind.rpartition("/")[2], target))


class _Workbook(Part):
    def __init__(self) -> None:
        super().__init__()
        self.sheets: list[tuple[str, str, bool]] = []  # title, id of the relationship, whether it is hidden
        self.epoch = CALENDAR_WINDOWS_1900
        self.columns: dict[str, Column] = {}
        self._name = ""

    def opened(self, name: str, attributes: dict[str, str]) -> None:
        if name == "sheet":
            title, uid, state = (attribute(attributes, key) for key in ("name", "id", "state"))
            self.sheets.append((title, uid, state not in {"", "visible"}))
        elif name == "workbookPr" and _is_true(attribute(attributes, "date1904")):
            self.epoch = CALENDAR_MAC_1904
        elif name == "definedName" and _COLUMN_NAME.fullmatch(attribute(attributes, "name")):
            self._name = attribute(attributes, "name")
            self.keep()

    def closed(self, name: str, text: str) -> None:
        if name == "definedName" and self._name:
            if (area := _AREA.fullmatch(text.strip())) and area[4] in {None, area[3]}:
                title = area[1].replace("''", "'") if area[1] else area[2]
                self.columns[self._name] = Column(text_of(title), column_number(area[3]))
            self._name = ""


class _Strings(Part):
    """The shared texts: the runs of each text joined, without phonetic hints of Japanese."""

    def __init__(self, budget: Budget) -> None:
        super().__init__(budget)
        self.texts: list[str] = []
        self._runs: list[str] = []
        self._aid = False

    def opened(self, name: str, attributes: dict[str, str]) -> None:
        del attributes
        if name == "si":
            self._runs = []
        elif name == "rPh":
            self._aid = True
        elif name == "t" and not self._aid:
            self.keep()

    def closed(self, name: str, text: str) -> None:
        if name == "t" and not self._aid:
            self._runs.append(text)
        elif name == "rPh":
            self._aid = False
        elif name == "si":
            self.texts.append(text_of(_unescaped("".join(self._runs))))


class _Styles(Part):
    """Which styles of a cell show a date or a time, and what of it: DATE, HOURS or MINUTES."""

    def __init__(self, budget: Budget) -> None:
        super().__init__(budget)
        self.dates: dict[int, str] = {}
        self._formats: dict[int, str] = dict(BUILTIN_FORMATS)
        self._in_cells = False
        self._count = 0

    def opened(self, name: str, attributes: dict[str, str]) -> None:
        if name == "numFmt":
            number, code = (attribute(attributes, key) for key in ("numFmtId", "formatCode"))
            self._formats[_whole(number)] = code[:LONGEST_FORMAT]
        elif name == "cellXfs":
            self._in_cells = True
        elif name == "xf" and self._in_cells:
            form = self._formats.get(_whole(attribute(attributes, "numFmtId")), "").lower()
            if kind := is_datetime(form):
                time = HOURS if "h" in form else MINUTES if "s" in form else DATE
                self.dates[self._count] = time if kind == "time" else DATE
            self._count += 1

    def closed(self, name: str, text: str) -> None:
        del text
        if name == "cellXfs":
            self._in_cells = False


class _Worksheet(Part):
    """The cells of one sheet; reading is over once there are more rows than a list may have."""

    def __init__(self, strings: list[str], dates: dict[int, str], epoch: datetime, limits: Limits) -> None:
        super().__init__(Budget(limits.elements))
        self.grid, self._most = Grid(), limits.rows
        self._strings, self._dates, self._epoch = strings, dates, epoch
        self._row = self._column = self._widest = 0
        self._claimed, self._line = Merge(0, 0, 0, 0), Line(0)
        self._type, self._style, self._formula = "", 0, False
        self._value: str | None = None
        self._runs: list[str] = []

    def opened(self, name: str, attributes: dict[str, str]) -> None:
        match name:
            case "c":
                self._open_cell(attributes)
            case "v" | "t":
                self.keep()
            case "f":
                self._formula = True
            case "row":
                number = _whole(attributes["r"]) if "r" in attributes else self._row + 1
                if not self._row < number <= LAST_ROW:
                    raise Refusal("damaged")
                self._row, self._column = number, 0
                self._line = Line(number, hidden=_is_true(attributes.get("hidden", "")))
            case "mergeCell" if len(self.grid.merges) < MOST_MERGES:
                if merge := _range(attributes.get("ref", "")):
                    self.grid.merges.append(merge)
            case "dimension":
                self._claimed = _range(attributes.get("ref", "")) or self._claimed

    def closed(self, name: str, text: str) -> None:
        match name:
            case "v":
                self._value = text
            case "t":
                self._runs.append(text)
            case "c":
                self._close_cell()
            case "row" if self._line and not self.grid.more:
                self.grid.more = len(self.grid.lines) >= self._most
                if not self.grid.more:
                    self.grid.lines.append(self._line)

    def _open_cell(self, attributes: dict[str, str]) -> None:
        if found := _REFERENCE.fullmatch(attributes.get("r", "")):
            self._column = column_number(found[1])
        elif "r" in attributes:
            raise Refusal("damaged")
        else:
            self._column += 1
        if not self._row or self._column > LAST_COLUMN:
            raise Refusal("damaged")
        self._widest = max(self._widest, self._column)
        self._type, self._style = attributes.get("t", "n"), _whole(attributes.get("s", "0"))
        self._value, self._runs, self._formula = None, [], False

    def _close_cell(self) -> None:
        if self.grid.more:
            return
        if self._type == "e":
            self._line.lost[self._column] = "formula_error"
        elif self._formula and not self._value and self._type != "str":  # a formula may give an empty text
            self._line.lost[self._column] = "formula_without_value"
        elif text := self._text():
            if self._column > MOST_COLUMNS:
                raise Refusal("too_many_columns", most=MOST_COLUMNS)
            self._line.cells[self._column] = text

    def _text(self) -> str:
        value = (self._value or "").strip()
        match self._type:
            case "inlineStr":
                return text_of(_unescaped("".join(self._runs)))
            case "str":
                return text_of(_unescaped(self._value or ""))
            case "s":
                index = _whole(value) if value else 0
                if value and index >= len(self._strings):
                    raise Refusal("damaged")
                return self._strings[index] if value else ""
            case "b":
                return "" if not value else "yes" if _is_true(value) else "no"
            case "d":
                return text_of(value.removesuffix("Z").removesuffix("T00:00:00"))
        return _number_text(value, self._epoch, self._dates.get(self._style, ""))

    def close(self) -> None:
        rows, columns = self._claimed.bottom, self._claimed.right
        if (rows > MOST_SHEET_ROWS and rows > self._row) or (
            columns > MOST_COLUMNS and columns > self._widest
        ):
            raise Refusal("false_dimensions", rows=rows, columns=columns)


def _range(reference: str) -> Merge | None:
    """The cells of a reference such as B3:B7; None for anything else."""
    first, _sign, last = reference.partition(":")
    begin, end = _REFERENCE.fullmatch(first), _REFERENCE.fullmatch(last)
    if not (begin and end):
        return None
    return Merge(int(begin[2]), column_number(begin[1]), int(end[2]), column_number(end[1]))


def column_number(letters: str) -> int:
    """A is 1, AA is 27."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


@cache
def _number_text(value: str, epoch: datetime, shows: str) -> str:
    """A number as people write it; where the cell `shows` a date, 2001-02-03 (`epoch`: the book's day 0); a time as it
    was typed."""
    try:
        number = float(value)
        if shows and 0 <= number < (DAYS_OF_TIMES if shows == DATE else YEAR):
            return _time_text(number, shows)
        if shows:
            return _date_text(from_excel(number, epoch))
    except (OverflowError, ValueError):
        return text_of(value)
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else text_of(value)


def _time_text(days: float, shows: str) -> str:
    """A time as a spreadsheet keeps it, in days, as it was typed: 34:12 for minutes and seconds is 34 hours to it, and
    0:45 is 45 minutes. Only a cell for MINUTES within the hour holds them as such."""
    minutes, rest = divmod(round(days * 24 * 3600), 60)
    if shows == MINUTES and days <= HOUR:
        return f"{minutes}:{rest:02d}"
    return f"{minutes // 60}:{minutes % 60:02d}" + (f":{rest:02d}" if rest or shows == MINUTES else "")


def _date_text(moment: datetime | date | time | timedelta | None) -> str:
    if isinstance(moment, datetime):
        return moment.date().isoformat() if moment.time() == time() else moment.isoformat(" ", "minutes")
    return str(moment) if moment is not None else ""


def _unescaped(text: str) -> str:
    """Excel writes a letter that XML cannot hold as _x0041_, by its number."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text) if "_x" in text else text


def _whole(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) <= 9:
        return int(text)
    raise Refusal("damaged")


def _is_true(text: str) -> bool:
    return text.strip() in {"1", "true"}
