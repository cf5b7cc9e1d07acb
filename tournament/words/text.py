"""Cleaning and comparing typed text; numbers for readers."""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from fractions import Fraction
from functools import lru_cache
from itertools import count
from typing import Any, TypeVar
from zoneinfo import ZoneInfo, available_timezones

from django.utils import timezone
from django.utils.formats import get_format
from django.utils.text import get_text_list
from django.utils.translation import gettext as _, ngettext, pgettext

from tournament.models import Entry

OF_THE_NORTH = frozenset({"fi", "sv"})  # alphabet ends with å, ä, ö
_BEHIND_Z = str.maketrans("åäæöøü", "{||}}y")
_LETTER_OF = str.maketrans("{|}", "åäö")
APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼʻ´`", "'"))
# Letters that Unicode does not decompose
PLAIN = APOSTROPHES | str.maketrans(
    {"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ŋ": "n", "ħ": "h", "ŧ": "t"}
)  # fmt: skip
OTHER = "#"  # initial of names without a first letter

MOST_REASON = 500  # characters
BLANKS = "\u034f\u115f\u1160\u2800\u3164\uffa0"  # invisible fillers
UNSEEN = {
    *BLANKS,
    *map(chr, range(0x180B, 0x180E)),
    *map(chr, range(0xFE00, 0xFE10)),
}  # and variation selectors
JOINERS, LAST_UNJOINED = "\u200c\u200d", "\u058f"  # scripts up to Armenian join no letters
_PRIVATE = re.compile(
    r"(?:\d[\W_]*){6}|\S@\S+\.\w|://|\bwww\.|\w\.[a-z]{2,}/|\w\.(?:com|net|org|fi|se)\b", re.IGNORECASE
)


def clean(text: str) -> str:
    """Strip, and remove control characters and lone surrogates, which neither database stores."""
    return "".join(letter for letter in text if unicodedata.category(letter) not in {"Cc", "Cs"}).strip()


def inside(label: str) -> str:
    """Label within a sentence: "round 4"."""
    return label[:1].lower() + label[1:]


def numbered(name: str, ending: str = " {}") -> Iterator[str]:
    """The name, then with this ending for 2, 3 ...: "Round", "Round 2"."""
    yield name
    for number in count(2):
        yield name + ending.format(number)


def listed(parts: Sequence[str]) -> str:
    """Localised list: "Aino, Börje and Cécile"."""
    return get_text_list([*parts], pgettext("before the last of a list", "and"))


def can_be_written(data: object) -> bool:
    """Whether JSON data can be written again: not nested too deep, no lone surrogates."""
    try:
        json.dumps(data, ensure_ascii=False).encode()
    except (RecursionError, UnicodeEncodeError):
        return False
    return True


def reason_in(data: Mapping[str, Any]) -> str:
    """A form's reason, cleaned and cut to MOST_REASON."""
    return clean(data.get("reason", ""))[:MOST_REASON]


def clean_lines(text: str) -> str:
    """As `clean`, for several lines."""
    return "\n".join(clean(line) for line in text.splitlines()).strip()


def public_text(text: str) -> str:
    """Public name: one line, no invisible or direction-changing letters; joiners where a script or picture needs it."""
    text = clean(" ".join(text.split()))
    shown = (
        letter
        for before, letter, after in zip(f" {text}", text, f"{text[1:]} ", strict=False)
        if (unicodedata.category(letter) != "Cf" and letter not in BLANKS)
        or (letter in JOINERS and min(before, after) > LAST_UNJOINED)
    )
    return " ".join("".join(shown).split())


def looks_private(text: str) -> bool:
    """Whether a name may hold private data: six digits (phone, birth date), address, link."""
    return bool(_PRIVATE.search(text))


@lru_cache(maxsize=10_000)
def as_read(name: str) -> str:
    """Normalise a name for comparison: case, spaces, width, apostrophes, invisible letters."""
    seen = "".join(letter for letter in name.translate(APOSTROPHES) if unicodedata.category(letter) != "Cf")
    return " ".join(unicodedata.normalize("NFKC", seen).casefold().split())


@lru_cache(maxsize=10_000)
def alike(name: str) -> str:
    """`as_read`, also without accents and unseen marks."""
    return "".join(letter for letter in in_alphabet(as_read(name), None) if letter not in UNSEEN)


def is_seen(letter: str) -> bool:
    """Whether a letter is visible: no blank, no combining mark."""
    return unicodedata.category(letter)[0] in "LNSP" and letter not in BLANKS


def in_alphabet(name: str, language: str | None) -> str:
    """Sort key of a name. In Finnish and Swedish å, ä, ö follow z (æ, ø as ä, ö), else accents are ignored. Lists of
    people use the event's language."""
    name = unicodedata.normalize("NFC", name).casefold()
    if language in OF_THE_NORTH:
        name = name.translate(_BEHIND_Z)
    return "".join(
        letter
        for letter in unicodedata.normalize("NFD", name.translate(PLAIN))
        if not unicodedata.combining(letter)
    )


def initial(name: str, language: str | None) -> str:
    """Index letter for `in_alphabet` order; OTHER for non-letters."""
    return in_alphabet(name, language)[:1].translate(_LETTER_OF).upper() if name[:1].isalpha() else OTHER


def average_text(average: Fraction | None) -> str:
    """Average with two decimals, rounded half up; a dash for None."""
    if average is None:
        return "–"
    hundredths = (200 * average.numerator + average.denominator) // (2 * average.denominator)
    return f"{hundredths // 100}{get_format('DECIMAL_SEPARATOR')}{hundredths % 100:02d}"


def amount_text(amount: Fraction | int | None) -> str:
    """A number, whole or with two decimals; a dash for None."""
    whole = amount is not None and amount == int(amount)
    return str(amount) if whole else average_text(None if amount is None else Fraction(amount))


def points_unit(points: Fraction | int) -> str:
    """ "point" or "points"."""
    return ngettext("point", "points", int(points) if points == int(points) else 2)


def points_text(points: Fraction | int) -> str:
    """Points with unit, fractions with two decimals."""
    if points != int(points):
        return f"{amount_text(points)} {points_unit(points)}"
    return ngettext("%(n)d point", "%(n)d points", int(points)) % {"n": points}


def clock_text(seconds: int) -> str:
    """Seconds as m:ss."""
    return f"{seconds // 60}:{seconds % 60:02d}"


def elapsed_text(seconds: int) -> str:
    """Seconds for sentences: "11 min 11 s", "11 min", "11 s"."""
    minutes, rest = divmod(seconds, 60)
    if not minutes:
        return _("%(n)d s") % {"n": rest}
    if not rest:
        return _("%(n)d min") % {"n": minutes}
    return _("%(minutes)d min %(seconds)d s") % {"minutes": minutes, "seconds": rest}


# ---- Namesakes of an event, distinguished by club, else by start number ----

Key = TypeVar("Key", bound=Hashable)


def name_suffixes(people: Iterable[tuple[Key, str, str, str]]) -> dict[Key, str]:
    """`name_suffix` by key, of (key, public name, club, state): club if unique among namesakes, else start number; ""
    without namesakes. Cancelled entries make no other ambiguous."""
    read = [
        (key, alike(name), alike(club), state != Entry.State.CANCELLED) for key, name, club, state in people
    ]
    names = Counter(name for _key, name, _club, counts in read if counts)
    clubs = Counter((name, club) for _key, name, club, counts in read if counts)
    return {
        key: ""
        if names[name] == counts
        else Entry.NameSuffix.CLUB
        if club and clubs[name, club] == counts and f"{name} ({club})" not in names
        else Entry.NameSuffix.NUMBER
        for key, name, club, counts in read
    }


# ---- IANA time zones, and today's default date ----


ZONES = frozenset(available_timezones())
HOME = ZoneInfo("Europe/Helsinki")  # where KPGUT and TiTe play


def home_today() -> date:
    """Today in the home zone."""
    return timezone.localdate(timezone=HOME)
