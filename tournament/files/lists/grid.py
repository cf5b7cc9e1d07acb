"""Cells of any file as text."""

import re
import unicodedata
from dataclasses import dataclass, field

from tournament.files.lists.limits import LONGEST_KEPT

_SPACES = re.compile(r"\s+")


@dataclass(slots=True)
class Line:
    """A row. `number` as displayed in its program; non-empty `cells` and error codes `lost` by column from 1."""

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
    """The non-empty rows of a sheet or text. `more`: stopped at the row limit; `delimiter` of a text. If its encoding
    is uncertain, `encodings` lists the candidates, the used one first, and `raw` is the bytes."""

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
