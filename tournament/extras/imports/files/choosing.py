"""Lets the user map columns with unknown headings.

A choice is a key of CHOICES or a question's column, stored under digests of the headings.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.extras.imports.files.columns import (
    BIRTH_DATE,
    CLUB,
    CONTACT,
    DIVISION,
    FIRST,
    GUARDIAN,
    LAST,
    LEFT_OUT,
    NAME,
    NICKNAME,
    PAID,
    START_NUMBER,
    STATE,
    SURNAME_FIRST,
    column_of,
    folded,
)
from tournament.extras.imports.files.grid import Line
from tournament.extras.imports.files.problems import HEADING_ROWS
from tournament.extras.imports.files.rows import ADDRESS, ANSWER, dates_of

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
    DIVISION: _("Division"),
    STATE: _("Cancelled or not"),
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
    DIVISION,
    STATE,
)  # at most one column each
NAME_COLUMNS = {NAME, SURNAME_FIRST, FIRST, LAST, NICKNAME}
NAMES_APART = {SURNAME_FIRST, FIRST, LAST}  # would be a second name
SAMPLES = 3  # values shown per column

# Parts of words, in order.
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
    """A column to be mapped: `number` from 1, `heading` or letter; `known` if its heading is recognised."""

    number: int
    heading: str
    samples: tuple[str, ...]
    choice: str
    known: bool

    @property
    def field(self) -> str:
        return f"column-{self.number}"


def guesses(
    headings: Mapping[int, str], cells: Mapping[int, Sequence[str]], taken: Iterable[str]
) -> dict[int, str]:
    """Guess columns by headings and cells, besides those `taken`, without a `wrong_choice`. Of two for the same, the
    one with more different values wins ("Attendee name", not "Buyer name"). A whole name comes after its parts."""
    found: dict[int, str] = {}
    for number in sorted(
        headings, key=lambda each: (_hinted(headings[each]) == NAME, -len(set(cells[each])), each)
    ):
        used = {*taken, *found.values()}
        guessed = _hinted(headings[number])
        if cells[number] and sum(map(bool, map(ADDRESS.search, cells[number]))) * 2 > len(cells[number]):
            guessed = CONTACT
        elif guessed == BIRTH_DATE and not any(map(dates_of, cells[number])):
            guessed = LEFT_OUT
        apart = NAMES_APART if guessed == NAME else {NAME} if guessed in NAMES_APART else set()
        found[number] = LEFT_OUT if used & (apart | {guessed} & {*ONCE}) else guessed
    words = [
        each
        for each in sorted(headings)
        if found[each] == LEFT_OUT
        and sum(any(map(str.isalpha, cell)) and not dates_of(cell) for cell in cells[each]) * 2
        > len(cells[each])
    ]
    if words and not NAME_COLUMNS & {*taken, *found.values()}:
        found[max(words, key=lambda each: len(set(cells[each])))] = NAME
    return found


def _hinted(heading: str) -> str:
    word = folded(heading)
    return next((column for column, hints in _HINTS if any(hint in word for hint in hints)), LEFT_OUT)


def heading_line(lines: Sequence[Line]) -> int | None:
    """Index of the heading line among the first HEADING_ROWS, or None. It names the column of names, or two columns;
    else it is the first line, if that `looks_headed`. A word that recurs in its column is a value (a ticket called
    "Player"). With one known word only, a line of as many words above it wins."""
    tried = lines[:HEADING_ROWS]
    said = [_said(line, lines) for line in tried]
    found = next(
        (at for at, columns in enumerate(said) if columns & (NAME_COLUMNS - {NICKNAME}) or len(columns) > 1),
        None,
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
    """Columns named by a line."""
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
    """Whether a line repeats the headings, as on printed pages."""
    return all(folded(text) == folded(headings.cells.get(column, "")) for column, text in line.cells.items())


def looks_headed(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row seems to hold headings: a cell ends with "?" or ":", or, in a row of several cells,
    suggests names; or only those below it are addresses, dates or words like "Player"."""
    first, *others = rows
    if any(cell.endswith(("?", ":")) or (len(first) > 1 and _hinted(cell) in NAME_COLUMNS) for cell in first):
        return True
    for index, heading in enumerate(first):
        below = [row[index] for row in others if row[index]]
        for fits in (ADDRESS.search, dates_of, column_of):
            if heading and len(below) > 1 and not fits(heading) and all(map(fits, below)):
                return True
    return False


def wrong_choice(choices: Iterable[str]) -> tuple[str, str]:
    """(`column_twice`, that choice), (`no_name_chosen`, ""), or ("", "") if valid."""
    counted = Counter(choices)
    twice = next(
        (each for each in counted if counted[each] > 1 and (each in ONCE or each.startswith(ANSWER))), ""
    )
    if not twice and NAME in counted and counted.keys() & NAMES_APART:
        twice = NAME
    if twice:
        return "column_twice", twice
    return ("", "") if NAME_COLUMNS & counted.keys() else ("no_name_chosen", "")


def keys_of(headings: Sequence[str]) -> list[str]:
    """Digest of each heading; repeated ones differ."""
    seen: Counter[str] = Counter()
    keys = []
    for heading in map(folded, headings):
        seen[heading] += 1
        keys.append(sha256(f"{heading} {seen[heading]}".encode()).hexdigest()[:16])
    return keys


def set_key(headings: Sequence[str]) -> str:
    """Order-independent digest of headings."""
    return sha256(" ".join(sorted(keys_of(headings))).encode()).hexdigest()[:32]


def remembered(sets: Iterable[Mapping[str, object]], columns: Sequence[Column]) -> dict[int, str] | None:
    """Return {column number: choice} from the stored `sets` for the same headings, or None."""
    headings = [column.heading for column in columns]
    key = set_key(headings)
    found = next((each["columns"] for each in sets if each["headings"] == key), None)
    if not isinstance(found, dict):
        return None
    return {
        column.number: str(found.get(one, LEFT_OUT))
        for column, one in zip(columns, keys_of(headings), strict=True)
    }
