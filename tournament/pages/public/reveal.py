"""The reveal as everybody sees it: from what it has shown so far (tournament/queries/visible.py) to values for
templates/public/_reveal.html. Nothing of what is hidden is in them but its places' numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring import HeatAnswer, MatchStanding, SessionStanding
from tournament.pages.public.figures import average_text
from tournament.pages.public.standings import NO_SHOW, Person
from tournament.queries.visible import Shown, Unveiled

RANKED = "ranked"
NOBODY = Person(name="–")


@dataclass(frozen=True, slots=True, kw_only=True)
class RevealRow:
    """A player whose place is shown; `status`: a key of STATES for who has none, or who goes through. `newest`: the
    last step showed them."""

    key: str
    person: Person
    place: int | None
    value: str = ""
    status: str = ""
    newest: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RevealHeat:
    """A heat that is shown, by its table's number, in the order of going out."""

    number: int
    rows: Sequence[RevealRow]
    newest: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Reveal:
    """The reveal of one contest: places still `hidden` from the first on (of heats: their numbers), then what is shown,
    the best place first. `table` where each table is a match of its own; `unit` says what `rows` are worth."""

    table: int | None
    hidden: Sequence[int]
    unit: str = ""
    rows: Sequence[RevealRow] = ()
    heats: Sequence[RevealHeat] = ()
    is_heats: bool = False


def reveals_of(seen: Shown, everybody: Mapping[str, Person]) -> list[Reveal]:
    """What the reveal of the stage has shown, contest by contest; nothing before it begins. `everybody` by their
    entry's uid."""
    if seen.frozen is None or seen.frozen.unveiled is None:
        return []
    return [reveal_of(each, everybody) for each in seen.frozen.unveiled]


def reveal_of(unveiled: Unveiled, everybody: Mapping[str, Person]) -> Reveal:
    """The reveal of one contest."""
    newest = min((row.place for row in unveiled.standings if row.place is not None), default=None)
    return Reveal(
        table=unveiled.table_number,
        hidden=unveiled.hidden,
        unit=_("Average")
        if isinstance(next(iter(unveiled.standings), None), SessionStanding)
        else _("Points"),
        rows=[_row(row, everybody, newest) for row in unveiled.standings],
        heats=[
            _heat(number, heat, everybody, newest=at == len(unveiled.heats))
            for at, (number, heat) in enumerate(unveiled.heats, 1)
        ],
        is_heats=unveiled.of_heats,
    )


def _row(
    row: SessionStanding | MatchStanding, everybody: Mapping[str, Person], newest: int | None
) -> RevealRow:
    person = everybody.get(row.player, NOBODY)
    status = NO_SHOW if person.state == NO_SHOW else row.status
    return RevealRow(
        key=f"reveal-{row.player}",
        person=person,
        place=row.place,
        value=average_text(row.average) if isinstance(row, SessionStanding) else str(row.points),
        status="" if row.status == RANKED else status,
        newest=newest is not None and row.place == newest,
    )


def _heat(number: int, heat: HeatAnswer, everybody: Mapping[str, Person], *, newest: bool) -> RevealHeat:
    in_order = sorted(heat.results, key=lambda row: (row.place is None, row.place or 0))
    rows = [
        RevealRow(
            key=f"reveal-{row.player}",
            person=everybody.get(row.player, NOBODY),
            place=row.place,
            status="through" if row.advances else "",
        )
        for row in in_order
    ]
    return RevealHeat(number=number, rows=rows, newest=newest)
