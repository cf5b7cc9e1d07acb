"""Text as a workbook can hold it: in its cells, in its file, in the names of its sheets."""

import re
import unicodedata
from collections.abc import Iterable

LONGEST_TEXT = 32_767  # characters that a cell holds
LONGEST_TITLE = 31  # UTF-16 units of a sheet's name

# What a spreadsheet may take for the beginning of a formula when somebody edits or pastes the cell.
_FORMULA_STARTS = ("=", "+", "-", "@")
# Excel reads _x0041_ as the character of that number; the first underscore written so keeps it as it is.
_ESCAPE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_NOT_IN_TITLES = re.compile(r"[\[\]:*?/\\\s]+")
_RESERVED_TITLES = {"history"}


def safe_text(text: str) -> str:
    """The text as XML and a spreadsheet can hold it: white space in one line, without control characters, lone
    surrogates and the code points that are no characters."""
    if text.isascii() and text.isprintable():
        return text[:LONGEST_TEXT]
    spaced = re.sub(r"[\t\n\r\x0b\x0c\x85\u2028\u2029]+", " ", text)
    kept = (letter for letter in spaced if unicodedata.category(letter) not in {"Cc", "Cs"})
    return "".join(letter for letter in kept if ord(letter) & 0xFFFE != 0xFFFE)[:LONGEST_TEXT]


def is_like_a_formula(text: str) -> bool:
    """Whether a spreadsheet may take the text for a formula when somebody edits or pastes it."""
    return text.lstrip().startswith(_FORMULA_STARTS)


def literal(text: str) -> str:
    """The text as a cell holds it, so that Excel reads no escape in it."""
    return _ESCAPE.sub("_x005F_", text) if "_x" in text else text


def escaped(text: str) -> str:
    """A safe text as it stands between two tags of the file."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


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
    """As much of the text as fits into so many UTF-16 units."""
    return text.encode("utf-16-le")[: 2 * units].decode("utf-16-le", "ignore").rstrip(" '")


def display_width(text: str) -> int:
    """How many columns of a plain digit's width the text takes: wide scripts and emoji two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(
        1 + (unicodedata.east_asian_width(letter) in {"W", "F"})
        for letter in text
        if unicodedata.category(letter) not in {"Mn", "Me", "Cf"}
    )
