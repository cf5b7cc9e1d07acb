"""The cells of a file as texts, whatever kind of file it was."""

import re
import unicodedata
from dataclasses import dataclass, field

from tournament.files.lists.limits import LONGEST_KEPT

_SPACES = re.compile(r"\s+")


@dataclass(slots=True)
class Line:
    """One row: `number` as the file's own program shows it; `cells` by column from 1, those with something in them;
    `lost` the code of what could not be read, by column."""

    number: int
    cells: dict[int, str] = field(default_factory=dict)
    lost: dict[int, str] = field(default_factory=dict)
    hidden: bool = False

    def __bool__(self) -> bool:
        return bool(self.cells or self.lost)


@dataclass(frozen=True, slots=True)
class Merge:
    """Cells that were merged into one, from `top` to `bottom` and from `left` to `right`, these included."""

    top: int
    left: int
    bottom: int
    right: int


@dataclass(slots=True)
class Grid:
    """The rows with something in them, in order. `more`: reading stopped, since there are too many rows; `delimiter`
    stands between a text's cells. Where its encoding is in doubt, `encodings` are those that it may be in, the one that
    was taken first, and `raw` its bytes."""

    lines: list[Line] = field(default_factory=list)
    title: str = ""
    merges: list[Merge] = field(default_factory=list)
    more: bool = False
    delimiter: str = ""
    encodings: tuple[str, ...] = ()
    raw: bytes = b""


def text_of(raw: str) -> str:
    """A cell's text in one line, without control characters, and no longer than is shown."""
    if not (raw.isascii() and raw.isprintable()):
        raw = _SPACES.sub(" ", raw)
        raw = "".join(letter for letter in raw if unicodedata.category(letter) not in {"Cc", "Cs"})
    return raw.strip()[:LONGEST_KEPT]


def column_letters(number: int) -> str:
    """The name that spreadsheet programs give a column: 1 is A, 27 is AA."""
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
