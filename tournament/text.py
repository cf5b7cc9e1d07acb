"""What people type, as it is kept and as names are told apart."""

import unicodedata
from functools import lru_cache

_BEHIND_Z = str.maketrans("åäö", "{|}")
OTHER = "#"  # the initial of a name that begins with no letter

BLANKS = "\u115f\u1160\u2800\u3164\uffa0"  # fillers that count as letters and signs, and show nothing


def clean(text: str) -> str:
    """The text without control characters and lone surrogates, which neither database keeps, and without spaces
    around it."""
    return "".join(letter for letter in text if unicodedata.category(letter) not in {"Cc", "Cs"}).strip()


def clean_lines(text: str) -> str:
    """The same for a text of several lines."""
    return "\n".join(clean(line) for line in text.splitlines()).strip()


@lru_cache(maxsize=10_000)
def as_read(name: str) -> str:
    """The name as people tell it from others: not by case, spaces, width and invisible letters."""
    seen = "".join(letter for letter in name if unicodedata.category(letter) != "Cf")
    return " ".join(unicodedata.normalize("NFKC", seen).casefold().split())


def is_seen(letter: str) -> bool:
    """Whether a letter shows: no blank of any kind, and no mark that needs another letter."""
    return unicodedata.category(letter)[0] in "LNSP" and letter not in BLANKS


def in_alphabet(name: str) -> str:
    """What a name is sorted by in Finnish and Swedish: å, ä and ö come behind z, other accents count for nothing."""
    plain = unicodedata.normalize("NFD", name.casefold().translate(_BEHIND_Z))
    return "".join(letter for letter in plain if not unicodedata.combining(letter))


def initial(name: str) -> str:
    """The letter under which a list names somebody; OTHER for a name that begins with none."""
    first = name[:1].casefold()
    if first not in "åäö":
        first = in_alphabet(name)[:1]
    return first.upper() if first.isalpha() else OTHER
