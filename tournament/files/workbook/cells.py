"""Cell values; types determine formats.

| type | cell | format |
| --- | --- | --- |
| str | text, even with = + - @ or like an error | |
| int | whole number | 0 |
| Fraction | nearest float | 0.00 |
| date, datetime (aware) | date, in the workbook's time zone | by language |
| timedelta | minutes and seconds | [mm]:ss |
| Formula | formula | of its value |
| None | empty | |
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from fractions import Fraction

LONGEST_TEXT = 32_767  # characters per cell
LONGEST_TITLE = 31  # UTF-16 units of a sheet name

# Text with these starts becomes a formula when edited or pasted.
FORMULA_STARTS = ("=", "+", "-", "@")

# Excel decodes _x0041_.
_ESCAPE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_NOT_IN_TITLES = re.compile(r"[\[\]:*?/\\\s]+")
_RESERVED_TITLES = {"history"}

# Excel 2019 functions by their file names. XlsxWriter scans other formulas for future functions, tripling the time; so
# formulas in every row use one.
IFS, MAXIFS = "_xlfn.IFS", "_xlfn.MAXIFS"

Plain = str | int | Fraction | date | datetime | timedelta | None


@dataclass(frozen=True, slots=True)
class Formula:
    """A formula in English Excel without =, and its cached `value`. [key]: that column's cell in the same row;
    table_key: a whole column. Survives sorting."""

    text: str
    value: Plain = None


Value = Plain | Formula
Row = Sequence[Value]


def safe_text(text: str) -> str:
    """Text valid in XML and spreadsheets: one line without control characters, surrogates, noncharacters."""
    if text.isascii() and text.isprintable():
        return text[:LONGEST_TEXT]
    return "".join(
        letter
        for letter in re.sub(r"[\t\n\r\x0b\x0c\x85\u2028\u2029]+", " ", text)
        if unicodedata.category(letter) not in {"Cc", "Cs"} and ord(letter) & 0xFFFE != 0xFFFE
    )[:LONGEST_TEXT]


def literal(text: str) -> str:
    """Escape what Excel would decode."""
    return _ESCAPE.sub("_x005F_", text) if "_x" in text else text


def sheet_title(wanted: str, taken: Iterable[str] = ()) -> str:
    """Valid sheet name, unlike those `taken`, ignoring case."""
    text = _NOT_IN_TITLES.sub(" ", _ESCAPE.sub(" ", safe_text(wanted))).strip(" '") or "-"
    others = {title.casefold() for title in taken} | _RESERVED_TITLES
    title, number = _cut(text, LONGEST_TITLE), 1
    while title.casefold() in others:
        number += 1
        ending = f" ({number})"
        title = _cut(text, LONGEST_TITLE - len(ending)) + ending
    return title


def _cut(text: str, units: int) -> str:
    """Truncate to UTF-16 units."""
    return text.encode("utf-16-le")[: 2 * units].decode("utf-16-le", "ignore").rstrip(" '")


def display_width(text: str) -> int:
    """Width in digits: wide scripts and emoji 2, combining marks 0."""
    if text.isascii():
        return len(text)
    return sum(
        1 + (unicodedata.east_asian_width(letter) in {"W", "F"})
        for letter in text
        if unicodedata.category(letter) not in {"Mn", "Me", "Cf"}
    )
