"""What stands in a cell, as a value: its type says how it is shown.

| type | cell | format |
| --- | --- | --- |
| str | text, also where it begins with = + - @ or looks like an error value | |
| int | whole number | 0 |
| Fraction | its nearest number | 0.00 |
| date, datetime (aware) | date, date and time in the workbook's time zone | as the workbook's language writes it |
| timedelta | time, minutes beyond the hour going on | [mm]:ss |
| Formula | what Excel works out, in the format of its value | |
| None | nothing | |
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from fractions import Fraction

LONGEST_TEXT = 32_767  # characters that a cell holds
LONGEST_TITLE = 31  # UTF-16 units of a sheet's name

# Characters that a spreadsheet may take for the beginning of a formula when somebody edits or pastes the cell.
FORMULA_STARTS = ("=", "+", "-", "@")

# Excel reads _x0041_ as the character of that number; the first underscore written so keeps it as it is.
_ESCAPE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_NOT_IN_TITLES = re.compile(r"[\[\]:*?/\\\s]+")
_RESERVED_TITLES = {"history"}

# Functions of Excel 2019, by the names that they have in a file. XlsxWriter searches formulas without such a name for
# thirty others, which takes twice as long as all the rest of a long file; so formulas of every row have one.
IFS, MAXIFS = "_xlfn.IFS", "_xlfn.MAXIFS"

Plain = str | int | Fraction | date | datetime | timedelta | None


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula, without its =, in the words of English Excel, and its `value`, which a reader sees that computes
    nothing. [key] is the cell of that column in the same row, table_key the whole column of a table: so a formula
    finds others by their keys, wherever sorting has put them."""

    text: str
    value: Plain = None


Value = Plain | Formula
Row = Sequence[Value]


def safe_text(text: str) -> str:
    """The text as XML and a spreadsheet can hold it: white space in one line, without control characters, lone
    surrogates and the code points that are no characters."""
    if text.isascii() and text.isprintable():
        return text[:LONGEST_TEXT]
    return "".join(
        letter
        for letter in re.sub(r"[\t\n\r\x0b\x0c\x85\u2028\u2029]+", " ", text)
        if unicodedata.category(letter) not in {"Cc", "Cs"} and ord(letter) & 0xFFFE != 0xFFFE
    )[:LONGEST_TEXT]


def literal(text: str) -> str:
    """The text as a cell holds it, so that Excel reads no escape in it."""
    return _ESCAPE.sub("_x005F_", text) if "_x" in text else text


def sheet_title(wanted: str, taken: Iterable[str] = ()) -> str:
    """A name that Excel accepts for a sheet, like the wanted one and unlike those taken (case does not tell apart)."""
    text = _NOT_IN_TITLES.sub(" ", _ESCAPE.sub(" ", safe_text(wanted))).strip(" '") or "-"
    others = {title.casefold() for title in taken} | _RESERVED_TITLES
    title, number = _cut(text, LONGEST_TITLE), 1
    while title.casefold() in others:
        number += 1
        ending = f" ({number})"
        title = _cut(text, LONGEST_TITLE - len(ending)) + ending
    return title


def _cut(text: str, units: int) -> str:
    """Cut the text to so many UTF-16 units."""
    return text.encode("utf-16-le")[: 2 * units].decode("utf-16-le", "ignore").rstrip(" '")


def display_width(text: str) -> int:
    """Count how many columns of a plain digit's width the text takes: wide scripts and emoji two, combining marks
    none."""
    if text.isascii():
        return len(text)
    return sum(
        1 + (unicodedata.east_asian_width(letter) in {"W", "F"})
        for letter in text
        if unicodedata.category(letter) not in {"Mn", "Me", "Cf"}
    )
