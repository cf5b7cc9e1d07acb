"""Cells as text."""

import codecs
import csv
import io
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import islice, pairwise
from pathlib import Path

from tournament.extras.imports.files.columns import column_of
from tournament.extras.imports.files.problems import (
    HEADING_ROWS,
    LONGEST_CELL,
    LONGEST_KEPT,
    MOST_COLUMNS,
    MOST_ROWS,
    MOST_SHEET_ROWS,
    Refusal,
)

_SPACES = re.compile(r"\s+")


@dataclass(slots=True)
class Line:
    """A row. `number` as displayed; non-empty `cells` and error codes `lost` by column."""

    number: int
    cells: dict[int, str] = field(default_factory=dict)
    lost: dict[int, str] = field(default_factory=dict)
    hidden: bool = False

    def __bool__(self) -> bool:
        return bool(self.cells or self.lost)


@dataclass(frozen=True, slots=True)
class Merge:
    """A merged range, bounds inclusive."""

    top: int
    left: int
    bottom: int
    right: int


@dataclass(slots=True)
class Grid:
    """The non-empty rows of a sheet or text. `more`: stopped at the row limit. If a text's encoding is uncertain,
    `encodings` lists the candidates, the used one first, and `raw` is the bytes."""

    lines: list[Line] = field(default_factory=list)
    title: str = ""
    merges: list[Merge] = field(default_factory=list)
    more: bool = False
    delimiter: str = ""
    encodings: tuple[str, ...] = ()
    raw: bytes = b""


def text_of(raw: str) -> str:
    """A cell's text on one line, without control characters, cut to LONGEST_KEPT."""
    if not (raw.isascii() and raw.isprintable()):
        raw = _SPACES.sub(" ", raw)
        raw = "".join(letter for letter in raw if unicodedata.category(letter) not in {"Cc", "Cs"})
    return raw.strip()[:LONGEST_KEPT]


def column_letters(number: int) -> str:
    """Spreadsheet name of a column: 1 is A, 27 is AA."""
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


# ---- Detects a text's encoding ----

USUAL = "cp1252"
# {Python's name: displayed name}.
ENCODINGS = {
    USUAL: "Windows-1252",
    "cp1250": "Windows-1250",
    "cp1251": "Windows-1251",
    "cp1253": "Windows-1253",
    "cp1254": "Windows-1254",
    "cp1257": "Windows-1257",
    "mac-roman": "Mac Roman",
    "mac-latin2": "Mac CE",
    "mac-cyrillic": "Mac Cyrillic",
    "cp850": "DOS 850",
    "cp437": "DOS 437",
    "cp865": "DOS 865",
    "cp852": "DOS 852",
    "cp775": "DOS 775",
    "cp866": "DOS 866",
    "iso8859-15": "ISO 8859-15",
    "iso8859-2": "ISO 8859-2",
    "iso8859-4": "ISO 8859-4",
    "iso8859-5": "ISO 8859-5",
    "iso8859-7": "ISO 8859-7",
    "iso8859-13": "ISO 8859-13",
    "koi8-r": "KOI8-R",
}
MOST_OFFERED = 8
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # UTF-16's is its prefix
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_WORD = re.compile(rb"[A-Za-z'\x80-\xff]{1,80}")
_LOOKED_AT, _TRIED = 200_000, 500  # bytes; distinct non-ASCII words
_NO_LETTER = re.compile("[\x80-\x9f]")  # control characters
SEEN, ALIKE = 3, 1  # points of a word whose marks, or only pairs of letters, occur in names.txt
_KNOWN = 0.6  # share of plausible words
# Rivals above this share of the points cause doubt.
_NEAR, _LONG = 0.5, 20


def decode(data: bytes, chosen: str = "") -> tuple[str, tuple[str, ...]]:
    """A text and its possible encodings, as `decoded`. `chosen` by the user."""
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace"), ()
    odd, even = (
        data[1:2000:2].count(0),
        data[0:2000:2].count(0),
    )  # UTF-16: one in each space and line end
    if (odd + even) * 20 > len(data[:2000]):
        return data.decode("utf-16-le" if odd > even else "utf-16-be", "replace"), ()
    with suppress(UnicodeDecodeError):
        return data.decode(), ()
    readings = _readings(data)
    offered = sorted(readings, key=lambda each: (each != chosen, -sum(map(points, readings[each]))))
    near = 1 if len(data.splitlines()) > _LONG else _NEAR
    certain = not chosen and offered[0] == USUAL and _is_certain(readings, near)
    return data.decode(offered[0]), () if certain else tuple(offered[:MOST_OFFERED])


def words_in(data: bytes, encoding: str) -> list[str]:
    """Distinct words with non-ASCII letters, decoded."""
    return [word.decode(encoding, "replace") for word in _words(data)]


def _words(data: bytes) -> list[bytes]:
    return [word for word in dict.fromkeys(_WORD.findall(data[:_LOOKED_AT])) if not word.isascii()][:_TRIED]


@lru_cache(maxsize=20_000)
def points(word: str) -> int:
    """Plausibility of a non-ASCII word as a name: SEEN, ALIKE or 0."""
    if len(word) == 1:
        return ALIKE * (word.isupper() or word in "€–")  # an initial or separator
    within = (at for before, at in pairwise(word) if before.isalpha() and not at.isascii())
    if any(map(str.isupper, within)) and not word.isupper():
        return 0
    if word.isalpha() and min(word) > "\u036f":  # Greek, Cyrillic, later scripts
        return ALIKE
    marks = _marks(word)
    pairs = {pair for mark in marks for pair in (mark[:2], mark[1:])}
    return max(SEEN * (seen >= marks) or ALIKE * (known >= pairs) for seen, known in _names())


def _marks(word: str) -> set[str]:
    """Non-ASCII letters with both neighbours."""
    framed = f"^{word.casefold()}$"
    return {framed[at - 1 : at + 2] for at, letter in enumerate(framed) if not letter.isascii()}


@cache
def _names() -> Sequence[tuple[set[str], set[str]]]:
    """The marks and pairs of letters of each language of names.txt."""
    seen = defaultdict[str, set[str]](set)
    for line in (Path(__file__).parent / "names.txt").read_text("utf-8").splitlines():
        language, _colon, names = line.partition(": ")
        seen[language] |= {mark for name in names.split() for mark in _marks(name)}
    return [(marks, {pair for mark in marks for pair in (mark[:2], mark[1:])}) for marks in seen.values()]


def _readings(data: bytes) -> dict[str, list[str]]:
    """{encoding: words}; of the same words only the first."""
    import chardet  # slow import

    guessed = [each["encoding"] or USUAL for each in chardet.detect_all(data)]
    words, readings = _words(data), dict[str, list[str]]()
    for name in (USUAL, *guessed, *ENCODINGS):
        with suppress(UnicodeDecodeError, LookupError):  # chardet knows more encodings than Python
            data.decode(name)
            read = [word.decode(name, "replace") for word in words]
            letters = not _NO_LETTER.search("".join(read)) and b"A;1\n".decode(name) == "A;1\n"
            if letters and read not in readings.values():
                readings[codecs.lookup(name).name] = read
    return readings


def _is_certain(readings: Mapping[str, Sequence[str]], near: float) -> bool:
    """Whether most Windows-1252 words are plausible, with rivals at most `near` times its points."""
    words = readings[USUAL]
    if sum(bool(points(word)) for word in words) < _KNOWN * len(words):
        return False
    for other in readings.values():
        apart = [(mine, its) for mine, its in zip(words, other, strict=True) if mine != its]
        mine, its = (sum(map(points, side)) for side in zip(*apart, strict=True)) if apart else (1, 0)
        if its > near * mine or not mine:
            return False
    return True


# ---- Delimited texts ----

COMMA = ","
DELIMITERS = ("\t", ";", COMMA, "|")  # preferred first: clubs contain commas
TRIED, TRIED_LETTERS = 30, 100_000  # for detecting the delimiter
LINES_IN_A_CELL = 3  # more: an unclosed quotation mark
_SEPARATOR_LINE = re.compile(r"sep=(.)\r?\n", re.IGNORECASE)  # Excel's delimiter line
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x19\x1b-\x1f]")
_MOST_CONTROLS = 0.01  # of the characters


def read_text(data: bytes, encoding: str = "") -> Grid:
    """Read cells up to the row limit; `encoding` as chosen. Raises Refusal if binary or too large."""
    text, encodings = decoded(data, encoding)
    found = _SEPARATOR_LINE.match(text)
    likely = [found[1]] if found and found[1] in DELIMITERS else DELIMITERS
    delimiter = max(likely, key=lambda delimiter: _fit(text, delimiter))
    grid = Grid(delimiter=delimiter, encodings=encodings, raw=data if encodings else b"")
    try:
        for number, row in enumerate(_rows(text, delimiter), 1):
            if number == 1 and found:
                continue
            line = _line(number, row)
            if number > MOST_SHEET_ROWS or (line and len(grid.lines) >= MOST_ROWS + HEADING_ROWS):
                grid.more = True
                break
            if line:
                grid.lines.append(line)
    except csv.Error:  # field above its own limit
        raise Refusal("cell_too_long", most=LONGEST_CELL) from None
    return grid


def decoded(data: bytes, encoding: str = "") -> tuple[str, tuple[str, ...]]:
    """The text and its possible encodings, the used one first, () if certain. Raises Refusal if binary."""
    text, encodings = decode(data, encoding)
    if "\x00" in text or len(_CONTROLS.findall(text)) > _MOST_CONTROLS * len(text):
        raise Refusal("not_a_list")
    return text.removeprefix("\ufeff"), encodings


def _fit(text: str, delimiter: str) -> tuple[int, int, bool]:
    """Rank a delimiter by known headings, then rows of equal length, then presence."""
    try:
        rows = [row for row in islice(_rows(text[:TRIED_LETTERS], delimiter), TRIED) if any(row)]
    except csv.Error:
        return (0, 0, False)
    headings = (row[:MOST_COLUMNS] for row in rows[:HEADING_ROWS])
    known = max((sum(bool(column_of(cell)) for cell in row) for row in headings), default=0)
    alike = max(Counter(len(row) for row in rows if len(row) > 1).values(), default=0)
    return known, alike, delimiter in text[:TRIED_LETTERS]


def _rows(text: str, delimiter: str) -> Iterator[list[str]]:
    return csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True)


def _line(number: int, row: list[str]) -> Line:
    line = Line(number)
    if max(map(len, row), default=0) > LONGEST_CELL:
        raise Refusal("cell_too_long", most=LONGEST_CELL)
    if any(map(str.strip, row[MOST_COLUMNS:])):
        raise Refusal("too_many_columns", most=MOST_COLUMNS)
    for column, cell in enumerate(row[:MOST_COLUMNS], 1):
        if text := text_of(cell):
            line.cells[column] = text
            if cell.count("\n") > LINES_IN_A_CELL:
                line.lost[column] = "open_quote"
    return line
