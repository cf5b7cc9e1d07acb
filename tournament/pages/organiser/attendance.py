"""Attendance rows and figures."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from uuid import UUID, uuid4

from django.utils.translation import gettext, ngettext

from tournament.models import Entry, Invite, Membership, Seat, Stage, Table, Tournament, User
from tournament.pages.public.standings import isolated
from tournament.queries.duplicates import words_of
from tournament.queries.registration import is_minor
from tournament.words.faults import table_text

State = Entry.State


# States counted by each figure.
FIGURES: dict[str, tuple[State, ...]] = {
    "here": (State.CHECKED_IN,),
    "expected": (State.REGISTERED,),
    "late": (State.LATE,),
    "absent": (State.NO_SHOW,),
    "left": (State.LEFT,),
    "removed": (State.DISQUALIFIED,),
    "asking": (State.APPLIED,),
    "waiting": (State.WAITING,),
    "cancelled": (State.CANCELLED,),
}


PAID, UNPAID = "paid", "unpaid"  # fee figures, of any state


@dataclass(frozen=True, slots=True)
class Figure:
    """Number of players of a figure, with its words."""

    key: str
    count: int
    text: str


@dataclass(frozen=True, slots=True)
class Row:
    """Player in the list. `command`: for the row's buttons; `error`: their refusal; `fees`: payments are noted."""

    entry: Entry
    command: UUID
    error: str = ""
    fees: bool = False

    @property
    def real_name(self) -> str:
        """The name behind a nickname, else ""."""
        name = self.entry.player.name
        return "" if name == self.entry.public_name else name

    @property
    def button(self) -> str:
        """One-tap action: `here`, `not_here`, a page (`back`, `arrive`), or ""."""
        state = self.entry.state
        if state in Entry.EXPECTED:
            return "here"
        if state == State.CHECKED_IN:
            return "not_here"
        if state in (State.LEFT, State.NO_SHOW):
            return "back"
        return "arrive" if state in (State.APPLIED, State.WAITING) else ""


def rows_of(entries: Iterable[Entry], *, q: str = "", figure: str = "", fees: bool = False) -> list[Row]:
    """Rows of a figure ("": any) matching `q`: each word begins one of the name, real name or club, or is the start
    number."""
    wanted = words_of(q)
    return [
        Row(entry, uuid4(), fees=fees)
        for entry in entries
        if _counted(entry.state, entry.paid, figure) and _fits(entry, wanted)
    ]


def figures_of(found: Sequence[tuple[str, bool]], *, fees: bool) -> list[Figure]:
    """Non-zero figures from each player's (state, paid); `fees`: also payments."""
    counts = {key: sum(_counted(*one, key) for one in found) for key in (*FIGURES, PAID, UNPAID)}
    figures = [Figure(key, counts[key], _figure_text(key, counts[key])) for key in FIGURES if counts[key]]
    if fees and (owing := counts[PAID] + counts[UNPAID]):
        words = {"paid": counts[PAID], "all": owing}
        figures.append(Figure(PAID, counts[PAID], gettext("%(paid)d of %(all)d paid") % words))
        if n := counts[UNPAID]:
            text = ngettext("%(n)d unpaid", "%(n)d unpaid", n) % {"n": n}
            figures.append(Figure(UNPAID, n, text))
    return figures


def _counted(state: str, paid: bool, figure: str) -> bool:
    """Fees concern everyone in the event but no-shows."""
    if figure in (PAID, UNPAID):
        return paid is (figure == PAID) and state not in (*Entry.ASKING, State.NO_SHOW)
    return not figure or state in FIGURES[figure]


def _figure_text(key: str, n: int) -> str:
    return {
        "here": ngettext("%(n)d here", "%(n)d here", n),
        "expected": ngettext("%(n)d expected", "%(n)d expected", n),
        "late": ngettext("%(n)d late", "%(n)d late", n),
        "absent": ngettext("%(n)d no-show", "%(n)d no-shows", n),
        "left": ngettext("%(n)d left", "%(n)d left", n),
        "removed": ngettext("%(n)d disqualified", "%(n)d disqualified", n),
        "asking": ngettext("%(n)d asking to take part", "%(n)d asking to take part", n),
        "waiting": ngettext("%(n)d on the waiting list", "%(n)d on the waiting list", n),
        "cancelled": ngettext("%(n)d not taking part", "%(n)d not taking part", n),
    }[key] % {"n": n}


def expected(tournament: Tournament) -> list[Entry]:
    """Players still expected: not late, or if none are left, the late ones."""
    entries = Entry.objects.filter(tournament=tournament, state__in=Entry.EXPECTED).order_by("start_number")
    rows = list(entries.select_related("player"))
    return [row for row in rows if row.state == State.REGISTERED] or rows


def seats_of(entry: Entry) -> list[Seat]:
    """The player's seats in unfinished stages."""
    seats = Seat.objects.playing_on().filter(entry=entry).exclude(table__stage__state=Stage.State.FINISHED)
    return list(seats.select_related("table__stage").order_by("table__stage__number"))


def consent_missing(entry: Entry) -> bool:
    """Whether a player under 18 lacks a guardian's consent."""
    return not entry.guardian and is_minor(entry.player.birth_date, entry.tournament.starts_on)


def _fits(entry: Entry, wanted: Sequence[str]) -> bool:
    if not wanted:
        return True
    words = [*words_of(entry.public_name), *words_of(entry.player.name), *words_of(entry.club)]
    return all(
        word == str(entry.start_number) or any(known.startswith(word) for known in words) for word in wanted
    )


# ---- People with a role in an event, one line each ----

Role = Membership.Role


@dataclass(slots=True)
class Person:
    """Person with a role. `roles`: highest first, each with a command to revoke it; `tables`: uids, in unfinished
    stages."""

    user: User
    roles: list[tuple[Membership, UUID]] = field(default_factory=list)
    tables: list[UUID] = field(default_factory=list)
    command: UUID = field(default_factory=uuid4)

    @property
    def says(self) -> list[str]:
        """What they may do, in words."""
        return list(dict.fromkeys(self._says()))

    def _says(self) -> Iterator[str]:
        for role, _command in self.roles:
            yield str(Role(role.role).label)
        for role, _command in self.roles:
            if role.table and role.table.uid in self.tables:
                yield table_text(role.table.stage, role.table.number)


def people_of(tournament: Tournament) -> list[Person]:
    """Organisers, head referees, table referees, in order of joining."""
    found: dict[int, Person] = {}
    rows = Membership.objects.filter(tournament=tournament).select_related("user", "table__stage")
    order = [Role.ORGANISER, Role.HEAD_REFEREE, Role.TABLE_REFEREE]
    for row in sorted(rows, key=lambda row: (order.index(Role(row.role)), row.pk)):
        person = found.setdefault(row.user_id, Person(row.user))
        person.roles.append((row, uuid4()))
        if row.table and row.table.stage.state != Stage.State.FINISHED and row.role == Role.TABLE_REFEREE:
            person.tables.append(row.table.uid)
    return list(found.values())


def open_tables(tournament: Tournament) -> Sequence[tuple[Table, str]]:
    """Tables of unfinished stages as (table, name)."""
    tables = Table.objects.filter(stage__tournament=tournament).exclude(stage__state=Stage.State.FINISHED)
    return [
        (table, table_text(table.stage, table.number))
        for table in tables.select_related("stage").order_by("stage__number", "number")
    ]


def invite_tables(invite: Invite) -> str:
    """An invite's tables for a sentence: "Heats 2 and Heats 5"."""
    rows = Table.objects.filter(uid__in=invite.tables).select_related("stage")
    ordered = rows.order_by("stage__number", "number")
    return isolated([f"{table.stage} {table.number}" for table in ordered]) or "–"
