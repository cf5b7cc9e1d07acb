"""Columns of a list whose headings nobody knows, as those of another program's form: what each may be, what somebody
chose, and how that is remembered.

A choice is a word of CHOICES, or a question's column (`answer_column`). It is remembered by digests of the headings, so
that no word of a list is kept: the same headings in another order are the same set.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.files.lists.columns import (
    BIRTH_DATE,
    CLUB,
    CONTACT,
    FIRST,
    GUARDIAN,
    LAST,
    LEFT_OUT,
    NAME,
    NICKNAME,
    PAID,
    START_NUMBER,
    SURNAME_FIRST,
    column_of,
    folded,
)
from tournament.files.lists.grid import Line
from tournament.files.lists.limits import HEADING_ROWS
from tournament.files.lists.rows import ADDRESS, ANSWER, dates_of

CHOICES: Mapping[str, str | Promise] = {
    LEFT_OUT: _("Leave out"),
    NAME: _("Name"),
    SURNAME_FIRST: _("Name, surname first"),
    FIRST: _("First name"),
    LAST: _("Last name"),
    NICKNAME: _("Nickname"),
    CLUB: _("Club or group"),
    CONTACT: _("E-mail or phone"),
    BIRTH_DATE: _("Birth date"),
    START_NUMBER: _("Start number"),
    GUARDIAN: _("Guardian’s consent"),
    PAID: _("Fee paid"),
}
ONCE = (
    NAME,
    SURNAME_FIRST,
    FIRST,
    LAST,
    NICKNAME,
    CLUB,
    BIRTH_DATE,
    START_NUMBER,
    GUARDIAN,
    PAID,
)  # at most one column each
NAMES = {NAME, SURNAME_FIRST, FIRST, LAST, NICKNAME}
SAMPLES = 3  # values of a column that are shown

# Parts of words that say what a column may be, in the order in which they are tried.
_HINTS: Sequence[tuple[str, Sequence[str]]] = (
    (NICKNAME, ("nimimerk", "lempinim", "nickname", "smeknamn", "gamertag")),
    (FIRST, ("etunim", "firstname", "givenname", "förnamn")),
    (LAST, ("sukunim", "lastname", "surname", "familyname", "efternamn")),
    (CONTACT, ("mail", "sähköpost", "epost", "puhelin", "phone", "telefon", "mobil")),
    (BIRTH_DATE, ("synty", "birth", "född", "födel")),
    (CLUB, ("kerho", "seura", "joukkue", "club", "team", "klubb", "förening")),
    (NAME, ("nimi", "nimes", "name", "namn", "heter")),
)


@dataclass(frozen=True, slots=True)
class Column:
    """A column as somebody sees it before they choose: its number from 1, heading (or its letter), some values, and
    what it is taken for. `known`: its heading says so."""

    number: int
    heading: str
    samples: tuple[str, ...]
    choice: str
    known: bool

    @property
    def field(self) -> str:
        """The name of its field in the form."""
        return f"column-{self.number}"


def guess(heading: str, cells: Sequence[str], taken: Iterable[str]) -> str:
    """Guess what a column is by what its cells look like, and by the words in its heading; what is `taken` already, it
    is not."""
    found = _hinted(heading)
    if cells and sum(bool(ADDRESS.search(cell)) for cell in cells) * 2 > len(cells):
        found = CONTACT
    elif found == BIRTH_DATE and not any(dates_of(cell) for cell in cells):
        found = LEFT_OUT
    return LEFT_OUT if found in ONCE and found in set(taken) else found


def _hinted(heading: str) -> str:
    word = folded(heading)
    return next((column for column, hints in _HINTS if any(hint in word for hint in hints)), LEFT_OUT)


def heading_line(lines: Sequence[Line]) -> int | None:
    """The index of the line with the headings, among the first HEADING_ROWS: one that says where the names are, or two
    columns at least. A word that stands in its column again says something of a player (a ticket called "Player"), and
    so does the only known word of a line below one that may be the headings: it has as many cells, all of them words.
    """
    tried = lines[:HEADING_ROWS]
    said = [_said(line, lines) for line in tried]
    found = next(
        (at for at, columns in enumerate(said) if columns & (NAMES - {NICKNAME}) or len(columns) > 1), None
    )
    if found is not None:
        cells = len(tried[found].cells) if len(said[found]) == 1 else 1
        above = (at for at in range(found) if 1 < cells <= len(tried[at].cells) and _is_words(tried[at]))
        return next(above, found)
    used = sorted({column for line in tried for column in line.cells})
    headed = len(tried) > 1 and looks_headed(
        [[line.cells.get(column, "") for column in used] for line in tried]
    )
    return 0 if headed else None


def _said(line: Line, lines: Sequence[Line]) -> set[str]:
    """The columns that a line names, if it may be the headings."""
    if any(map(ADDRESS.search, line.cells.values())):
        return set()
    words = {
        column: word for column, text in line.cells.items() if (word := folded(text)) and column_of(text)
    }
    return {
        column_of(word)
        for column, word in words.items()
        if not any(
            folded(other.cells.get(column, "")) == word and not repeats(other, line) for other in lines
        )
    }


def _is_words(line: Line) -> bool:
    return all(
        any(map(str.isalpha, text)) and not ADDRESS.search(text) and not dates_of(text)
        for text in line.cells.values()
    )


def repeats(line: Line, headings: Line) -> bool:
    """Tell whether a line says the headings, as those of each printed page do."""
    return all(folded(text) == folded(headings.cells.get(column, "")) for column, text in line.cells.items())


def looks_headed(rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether the first of these rows, whose words nobody knows, seems to hold headings: it asks, ends with a
    colon or speaks of a name beside other columns, or a column below it holds addresses, dates or words like "Player"
    only, and it does not."""
    first, *others = rows
    if any(cell.endswith(("?", ":")) or (len(first) > 1 and _hinted(cell) in NAMES) for cell in first):
        return True
    for index, heading in enumerate(first):
        below = [row[index] for row in others if row[index]]
        for fits in (ADDRESS.search, dates_of, column_of):
            if heading and len(below) > 1 and not fits(heading) and all(map(fits, below)):
                return True
    return False


def wrong_choice(choices: Iterable[str]) -> tuple[str, str]:
    """Say what is wrong with the chosen columns, as a code and the choice that stands twice; "" for nothing:
    `column_twice`, `no_name_chosen`."""
    counted = Counter(choices)
    twice = next(
        (each for each in counted if counted[each] > 1 and (each in ONCE or each.startswith(ANSWER))), ""
    )
    if not twice and NAME in counted and (counted[FIRST] or counted[LAST] or counted[SURNAME_FIRST]):
        twice = NAME
    if twice:
        return "column_twice", twice
    return ("", "") if NAMES & counted.keys() else ("no_name_chosen", "")


def keys_of(headings: Sequence[str]) -> list[str]:
    """The key by which each heading is remembered; the second of two that are alike has another one."""
    seen: Counter[str] = Counter()
    keys = []
    for heading in map(folded, headings):
        seen[heading] += 1
        keys.append(sha256(f"{heading} {seen[heading]}".encode()).hexdigest()[:16])
    return keys


def set_key(headings: Sequence[str]) -> str:
    """The key of the set of headings."""
    return sha256(" ".join(sorted(keys_of(headings))).encode()).hexdigest()[:32]


def remembered(sets: Iterable[Mapping[str, object]], columns: Sequence[Column]) -> dict[int, str] | None:
    """Give what was chosen for the columns of a list with the same headings; None where nobody chose."""
    headings = [column.heading for column in columns]
    key = set_key(headings)
    found = next((each["columns"] for each in sets if each["headings"] == key), None)
    if not isinstance(found, dict):
        return None
    return {
        column.number: str(found.get(one, LEFT_OUT))
        for column, one in zip(columns, keys_of(headings), strict=True)
    }
