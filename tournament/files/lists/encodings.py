"""Detects a text's encoding: BOM, UTF-8, zero bytes of UTF-16, or plausible names.

chardet needs running text, but names are short and multilingual: its candidates and ENCODINGS are ranked by how
many words look like names, with letters and neighbours of names.txt. Windows-1252 is certain if most words do and
no rival comes near; otherwise the user decides.
"""

import codecs
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path

USUAL = "cp1252"
# Encodings in which spreadsheet programs save lists: {Python's name: displayed name}.
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
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # UTF-16's BOM is its prefix
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_WORD = re.compile(rb"[A-Za-z'\x80-\xff]{1,80}")
_LOOKED_AT, _TRIED = 200_000, 500  # bytes; distinct non-ASCII words
_NO_LETTER = re.compile("[\x80-\x9f]")  # control characters of ISO encodings
SEEN, ALIKE = 3, 1  # points of a word whose marks, or only pairs of letters, occur in names.txt
_KNOWN = 0.6  # share of plausible words
# Rivals above this share of the points cause doubt; beyond _LONG lines only those with more points.
_NEAR, _LONG = 0.5, 20


def decode(data: bytes, chosen: str = "") -> tuple[str, tuple[str, ...]]:
    """Decode a text: return it and its possible encodings, the used one first, () if certain. `chosen` by the user."""
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
    found = dict.fromkeys(_WORD.findall(data[:_LOOKED_AT]))
    return [word for word in found if not word.isascii()][:_TRIED]


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
    """For each language of names.txt, the marks of its names and their pairs of letters."""
    seen = defaultdict[str, set[str]](set)
    for line in (Path(__file__).parent / "names.txt").read_text("utf-8").splitlines():
        language, _colon, names = line.partition(": ")
        seen[language] |= {mark for name in names.split() for mark in _marks(name)}
    return [(marks, {pair for mark in marks for pair in (mark[:2], mark[1:])}) for marks in seen.values()]


def _readings(data: bytes) -> dict[str, list[str]]:
    """Return {encoding: words}; of encodings with the same words only the first."""
    import chardet  # slow import, rarely needed

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
    """Whether most Windows-1252 words are plausible, and rivals have at most `near` times its points where they
    differ."""
    words = readings[USUAL]
    if sum(bool(points(word)) for word in words) < _KNOWN * len(words):
        return False
    for other in readings.values():
        apart = [(mine, its) for mine, its in zip(words, other, strict=True) if mine != its]
        mine, its = (sum(map(points, side)) for side in zip(*apart, strict=True)) if apart else (1, 0)
        if its > near * mine or not mine:
            return False
    return True
