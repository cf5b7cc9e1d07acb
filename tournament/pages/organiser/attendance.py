"""Attendance rows and figures."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from uuid import UUID, uuid4

from django.utils.translation import gettext, ngettext, ngettext_lazy

from tournament.models import Entry, Seat, Stage, Tournament
from tournament.queries.people import words_of
from tournament.queries.registration import is_minor

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
FIGURE_TEXTS = {
    "here": ngettext_lazy("%(n)d here", "%(n)d here", "n"),
    "expected": ngettext_lazy("%(n)d expected", "%(n)d expected", "n"),
    "late": ngettext_lazy("%(n)d late", "%(n)d late", "n"),
    "absent": ngettext_lazy("%(n)d no-show", "%(n)d no-shows", "n"),
    "left": ngettext_lazy("%(n)d left", "%(n)d left", "n"),
    "removed": ngettext_lazy("%(n)d disqualified", "%(n)d disqualified", "n"),
    "asking": ngettext_lazy("%(n)d asking to take part", "%(n)d asking to take part", "n"),
    "waiting": ngettext_lazy("%(n)d on the waiting list", "%(n)d on the waiting list", "n"),
    "cancelled": ngettext_lazy("%(n)d not taking part", "%(n)d not taking part", "n"),
}

PAID, UNPAID = "paid", "unpaid"  # figures of any state


@dataclass(frozen=True, slots=True)
class Figure:
    """Number of players of a figure, with its words."""

    key: str
    count: int
    text: str


@dataclass(frozen=True, slots=True)
class Row:
    """Player in the list. `command`: for its buttons; `error`: their refusal; `fees`: payments are noted."""

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
        """`here`, `not_here`, a page (`back`, `arrive`), or ""."""
        state = self.entry.state
        if state in Entry.EXPECTED:
            return "here"
        if state == State.CHECKED_IN:
            return "not_here"
        if state in (State.LEFT, State.NO_SHOW):
            return "back"
        return "arrive" if state in (State.APPLIED, State.WAITING) else ""


def rows_of(entries: Iterable[Entry], *, q: str = "", figure: str = "", fees: bool = False) -> list[Row]:
    """Rows of a figure ("": any) matching `q`: each word begins a name, the real name or the club, or is the start
    number."""
    wanted, found = words_of(q), []
    for entry in entries:
        names = (entry.public_name, entry.player.name, entry.club) if wanted else ()
        words = [word for name in names for word in words_of(name)]
        if _counted(entry.state, entry.paid, figure) and all(
            each == str(entry.start_number) or any(word.startswith(each) for word in words) for each in wanted
        ):
            found.append(Row(entry, uuid4(), fees=fees))
    return found


def figures_of(found: Sequence[tuple[str, bool]], *, fees: bool) -> list[Figure]:
    """Non-zero figures of players (state, paid)."""
    counts = {key: sum(_counted(*one, key) for one in found) for key in (*FIGURES, PAID, UNPAID)}
    figures = [
        Figure(key, counts[key], str(FIGURE_TEXTS[key] % {"n": counts[key]}))
        for key in FIGURES
        if counts[key]
    ]
    if fees and (owing := counts[PAID] + counts[UNPAID]):
        words = {"paid": counts[PAID], "all": owing}
        figures.append(Figure(PAID, counts[PAID], gettext("%(paid)d of %(all)d paid") % words))
        if n := counts[UNPAID]:
            figures.append(Figure(UNPAID, n, ngettext("%(n)d unpaid", "%(n)d unpaid", n) % {"n": n}))
    return figures


def _counted(state: str, paid: bool, figure: str) -> bool:
    """Fees concern everyone in the event but no-shows."""
    if figure in (PAID, UNPAID):
        return paid is (figure == PAID) and state not in (*Entry.ASKING, State.NO_SHOW)
    return not figure or state in FIGURES[figure]


def expected(tournament: Tournament) -> list[Entry]:
    """Players expected; the late ones if no others are."""
    rows = list(
        Entry.objects.filter(tournament=tournament, state__in=Entry.EXPECTED)
        .order_by("start_number")
        .select_related("player")
    )
    return [row for row in rows if row.state == State.REGISTERED] or rows


def seats_of(entry: Entry) -> list[Seat]:
    """The player's seats in unfinished stages."""
    return list(
        Seat.objects.playing_on()
        .filter(entry=entry)
        .exclude(table__stage__state=Stage.State.FINISHED)
        .select_related("table__stage")
        .order_by("table__stage__number")
    )


def consent_missing(entry: Entry) -> bool:
    """Whether a guardian's consent is missing."""
    return not entry.guardian and is_minor(entry.player.birth_date, entry.tournament.starts_on)
