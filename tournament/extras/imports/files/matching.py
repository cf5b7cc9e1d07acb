"""Matches list rows with entries and the organiser's people; a person decides what is unclear."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from functools import partial
from uuid import UUID

from tournament.extras.imports.files.columns import (
    BIRTH_DATE,
    CLUB,
    CONTACT,
    DIVISION,
    GUARDIAN,
    NAME,
    NICKNAME,
    PAID,
    START_NUMBER,
)
from tournament.extras.imports.files.problems import Problem
from tournament.extras.imports.files.rows import ListRow
from tournament.queries.people import KnownPerson, by_name, fitting, unordered
from tournament.results import grouped
from tournament.words.text import as_read

MOST_OFFERED = 5  # people per row


@dataclass(frozen=True, slots=True)
class Entered:
    """An entry with its player's data."""

    uid: UUID
    public_name: str
    real_name: str
    club: str
    division: str
    start_number: int
    birth_date: date | None
    contact: str
    guardian: bool
    paid: bool
    state: str


class Kind(StrEnum):
    """A row's relation to the entries; NEW rows are preselected."""

    NEW = "new"
    ENTERED = "entered"
    DIFFERS = "differs"
    NAMESAKE = "namesake"
    TWICE = "twice"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Planned:
    """A classified row. `entry`: the one compared; `differences`: columns; `twin`: number of an earlier row of the same
    name; `known`: people who it may be; `same`: the one whom it fits exactly."""

    row: ListRow
    kind: Kind
    problems: tuple[Problem, ...]
    entry: Entered | None = None
    differences: tuple[str, ...] = ()
    twin: int = 0
    known: tuple[KnownPerson, ...] = ()
    same: KnownPerson | None = None

    @property
    def only(self) -> KnownPerson | None:
        """The person, if only one is offered."""
        return self.known[0] if len(self.known) == 1 else None


@dataclass(slots=True)
class _Names:
    """Entries by name; one row at most claims each."""

    by_public: dict[str, list[Entered]] = field(default_factory=lambda: defaultdict(list))
    by_real: dict[str, list[Entered]] = field(default_factory=lambda: defaultdict(list))
    claimed: set[UUID] = field(default_factory=set)

    def claim(self, found: Iterable[Entered], fits: Callable[[Entered], bool]) -> Entered | None:
        entry = next((each for each in found if each.uid not in self.claimed and fits(each)), None)
        if entry:
            self.claimed.add(entry.uid)
        return entry


def plan(rows: Sequence[ListRow], entered: Sequence[Entered], known: Iterable[KnownPerson]) -> list[Planned]:
    """Classify rows, in order; `known`: the organiser's people not entered here."""
    found = _matched(rows, entered)
    known_by_name = by_name(known)
    linked: set[UUID] = set()
    above: dict[str, int] = {}
    planned = []
    for row in rows:
        key = unordered(row.public_name)
        kind, entry, differing = found.get(row.number, (Kind.NEW, None, ()))
        twin = above.get(key, 0)
        if kind is Kind.NEW and twin:
            kind = Kind.TWICE
        may_be, same = fitting(
            known_by_name, row.name, nickname=row.nickname, club=row.club, born=row.birth_date
        )
        if kind is not Kind.NEW or (same and same.uid in linked):
            same = None
        linked |= {same.uid} if same else set()
        planned.append(
            Planned(
                row,
                kind if row.is_sound else Kind.WRONG,
                row.problems,
                entry,
                differing,
                twin if kind is Kind.TWICE else 0,
                tuple(may_be[:MOST_OFFERED]) if kind not in {Kind.ENTERED, Kind.DIFFERS} else (),
                same,
            )
        )
        if key:
            above.setdefault(key, row.number)
    return _with_numbers(planned, entered)


def _matched(
    rows: Sequence[ListRow], entered: Sequence[Entered]
) -> dict[int, tuple[Kind, Entered, tuple[str, ...]]]:
    names = _Names()
    for one in entered:
        names.by_public[unordered(one.public_name)].append(one)
        names.by_real[unordered(one.real_name)].append(one)
    found: dict[int, tuple[Kind, Entered, tuple[str, ...]]] = {}
    sound = [row for row in rows if row.is_sound]
    for fits in (_says_the_same, _says_no_more):
        for row in sound:
            same = names.by_public[unordered(row.public_name)]
            if row.number not in found and (entry := names.claim(same, partial(fits, row))):
                found[row.number] = (Kind.ENTERED, entry, ())
    for row in (row for row in sound if row.number not in found):
        others = names.by_public[unordered(row.public_name)]
        if entry := names.claim([*others, *names.by_real[unordered(row.name)]], partial(_may_be, row)):
            found[row.number] = (Kind.DIFFERS, entry, tuple(differences(row, entry)))
        elif others:
            found[row.number] = (Kind.NAMESAKE, others[0], tuple(differences(row, others[0])))
    return found


def differences(row: ListRow, entry: Entered) -> Iterator[str]:
    """Columns in which row and entry differ; empty cells agree."""
    if row.club and as_read(row.club) != as_read(entry.club):
        yield CLUB
    if row.division and as_read(row.division) != as_read(entry.division):
        yield DIVISION
    if row.start_number not in {None, entry.start_number}:
        yield START_NUMBER
    if row.birth_date not in {None, entry.birth_date}:
        yield BIRTH_DATE
    if row.contact and as_read(row.contact) != as_read(entry.contact):
        yield CONTACT
    if row.guardian is not None and row.guardian != entry.guardian:
        yield GUARDIAN
    if row.paid is not None and row.paid != entry.paid:
        yield PAID
    if as_read(row.public_name) != as_read(entry.public_name):
        yield NICKNAME if row.nickname else NAME
    if row.nickname and as_read(row.name) != as_read(entry.real_name):
        yield NAME


def _says_no_more(row: ListRow, entry: Entered) -> bool:
    return next(differences(row, entry), None) is None


def _says_the_same(row: ListRow, entry: Entered) -> bool:
    return (
        (bool(row.club), row.birth_date, bool(row.contact), bool(row.guardian))
        == (bool(entry.club), entry.birth_date, bool(entry.contact), entry.guardian)
        and as_read(row.name) == as_read(entry.real_name)
        and _says_no_more(row, entry)
    )


def _may_be(row: ListRow, entry: Entered) -> bool:
    """Whether birth date and real name do not differ."""
    born_apart = None not in {row.birth_date, entry.birth_date} and row.birth_date != entry.birth_date
    named_apart = (
        row.nickname
        and as_read(row.name) not in {as_read(entry.real_name), as_read(row.nickname)}
        and as_read(entry.real_name) != as_read(entry.public_name)
    )
    return not (born_apart or named_apart)


def _with_numbers(planned: list[Planned], entered: Sequence[Entered]) -> list[Planned]:
    """Duplicate start numbers make rows WRONG."""
    taken = {entry.start_number: entry for entry in entered}
    new = grouped(
        (each.row.start_number, each.row.number)
        for each in planned
        if each.row.start_number is not None and each.kind not in {Kind.ENTERED, Kind.DIFFERS}
    )
    checked = []
    for each in planned:
        number, problems = each.row.start_number, list(each.problems)
        if number is not None and each.row.number in new.get(number, ()):
            if entry := taken.get(number):
                parameters: dict[str, str | int] = {"number": number, "player": entry.public_name}
                problems.append(Problem("number_taken", each.row.number, START_NUMBER, parameters))
            elif others := [other for other in new[number] if other != each.row.number]:
                parameters = {"number": number, "other": others[0]}
                problems.append(Problem("number_twice", each.row.number, START_NUMBER, parameters))
        kind = each.kind if len(problems) == len(each.problems) else Kind.WRONG
        checked.append(replace(each, kind=kind, problems=tuple(problems)))
    return checked
