"""Typed text, cleaned for storing and for telling names apart; and numbers as people read them."""

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from django.utils.formats import get_format
from django.utils.text import get_text_list
from django.utils.translation import gettext as _, ngettext, pgettext

OF_THE_NORTH = frozenset({"fi", "sv"})  # languages whose alphabet ends with å, ä, ö
_BEHIND_Z = str.maketrans("åäæöøü", "{||}}y")
_LETTER_OF = str.maketrans("{|}", "åäö")
APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼʻ´`", "'"))  # as printed, and as typed
# Letters that Unicode does not split into a letter and an accent.
PLAIN = APOSTROPHES | str.maketrans(
    {"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ŋ": "n", "ħ": "h", "ŧ": "t"}
)  # fmt: skip
OTHER = "#"  # the initial of a name that begins with no letter

MOST_REASON = 500  # characters
BLANKS = "\u034f\u115f\u1160\u2800\u3164\uffa0"  # fillers: letters, signs and a mark that are invisible
UNSEEN = {
    *BLANKS,
    *map(chr, range(0x180B, 0x180E)),
    *map(chr, range(0xFE00, 0xFE10)),
}  # and variants
JOINERS, LAST_UNJOINED = "\u200c\u200d", "\u058f"  # scripts from Latin to Armenian join no letters
# Six digits, an address of mail or of the web.
_PRIVATE = re.compile(
    r"(?:\d[\W_]*){6}|\S@\S+\.\w|://|\bwww\.|\w\.[a-z]{2,}/|\w\.(?:com|net|org|fi|se)\b", re.IGNORECASE
)


def clean(text: str) -> str:
    """Remove control characters and lone surrogates, which neither database stores, and spaces around the text."""
    return "".join(letter for letter in text if unicodedata.category(letter) not in {"Cc", "Cs"}).strip()


def inside(label: str) -> str:
    """Give the label of a thing as it stands within a sentence: "round 4"."""
    return label[:1].lower() + label[1:]


def listed(parts: Sequence[str]) -> str:
    """Join what a sentence names: "Aino, Börje and Cécile"."""
    return get_text_list([*parts], pgettext("before the last of a list", "and"))


def can_be_written(data: object) -> bool:
    """Tell whether data read from JSON can be written again: it may be nested too deep, and a text in it may hold a
    lone surrogate, which no page can show."""
    try:
        json.dumps(data, ensure_ascii=False).encode()
    except (RecursionError, UnicodeEncodeError):
        return False
    return True


def reason_in(data: Mapping[str, Any]) -> str:
    """Read the reason that a form gives, as both databases can store it."""
    return clean(data.get("reason", ""))[:MOST_REASON]


def clean_lines(text: str) -> str:
    """Do the same as `clean` for a text of several lines."""
    return "\n".join(clean(line) for line in text.splitlines()).strip()


def public_text(text: str) -> str:
    """Clean a name that everyone sees: in one line, without invisible letters and those that turn the direction of
    writing. Joiners stay within scripts and pictures that need them."""
    text = clean(" ".join(text.split()))
    shown = (
        letter
        for before, letter, after in zip(f" {text}", text, f"{text[1:]} ", strict=False)
        if (unicodedata.category(letter) != "Cf" and letter not in BLANKS)
        or (letter in JOINERS and min(before, after) > LAST_UNJOINED)
    )
    return " ".join("".join(shown).split())


def looks_private(text: str) -> bool:
    """Tell whether a name holds what may not be meant for everyone: a telephone number or a birth date (six digits or
    more), an address, a link."""
    return bool(_PRIVATE.search(text))


@lru_cache(maxsize=10_000)
def as_read(name: str) -> str:
    """Normalise a name as people tell names apart: without regard to case, spaces, width, the sort of
    apostrophe and invisible letters."""
    seen = "".join(letter for letter in name.translate(APOSTROPHES) if unicodedata.category(letter) != "Cf")
    return " ".join(unicodedata.normalize("NFKC", seen).casefold().split())


@lru_cache(maxsize=10_000)
def alike(name: str) -> str:
    """Normalise a name as it is read in passing: as `as_read`, also without regard to accents and unseen marks."""
    return "".join(letter for letter in in_alphabet(as_read(name), None) if letter not in UNSEEN)


def is_seen(letter: str) -> bool:
    """Tell whether a letter is visible: no blank of any kind, and no mark that needs another letter."""
    return unicodedata.category(letter)[0] in "LNSP" and letter not in BLANKS


def in_alphabet(name: str, language: str | None) -> str:
    """Give the sort key of a name in this language. In Finnish and Swedish å, ä and ö are letters of their own after z
    (æ and ø sort as ä and ö), elsewhere accents are ignored. Lists of people use their event's language."""
    name = unicodedata.normalize("NFC", name).casefold()
    if language in OF_THE_NORTH:
        name = name.translate(_BEHIND_Z)
    plain = unicodedata.normalize("NFD", name.translate(PLAIN))
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


def initial(name: str, language: str | None) -> str:
    """Give the heading letter for a name in a list ordered by `in_alphabet`; OTHER for a name that begins with none."""
    return in_alphabet(name, language)[:1].translate(_LETTER_OF).upper() if name[:1].isalpha() else OTHER


def average_text(average: Fraction | None) -> str:
    """Write an average with two decimals, rounded half up, in the reader's notation; a dash if there is none."""
    if average is None:
        return "–"
    hundredths = (200 * average.numerator + average.denominator) // (2 * average.denominator)
    return f"{hundredths // 100}{get_format('DECIMAL_SEPARATOR')}{hundredths % 100:02d}"


def points_unit(points: int) -> str:
    """Name what so many points are, without their number."""
    return ngettext("point", "points", points)


def points_text(points: int) -> str:
    return ngettext("%(n)d point", "%(n)d points", points) % {"n": points}


def clock_text(seconds: int) -> str:
    """Write seconds since a game began as m:ss: in a cell whose heading says so, or beside a running clock."""
    return f"{seconds // 60}:{seconds % 60:02d}"


def elapsed_text(seconds: int) -> str:
    """Write seconds since a game began for a sentence, where m:ss would be read as a time of day: "11 min 11 s",
    "11 min" for whole minutes, "11 s" below one."""
    minutes, rest = divmod(seconds, 60)
    if not minutes:
        return _("%(n)d s") % {"n": rest}
    if not rest:
        return _("%(n)d min") % {"n": minutes}
    return _("%(minutes)d min %(seconds)d s") % {"minutes": minutes, "seconds": rest}
