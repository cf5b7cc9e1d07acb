"""Public reveal for templates/public/_reveal.html; of hidden places it holds only the numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from scoring import PlayAnswer, ResultAnswer, StandingAnswer
from tournament.models import Stage
from tournament.pages.components import StandingsRow
from tournament.pages.public.standings import NO_SHOW, Leader, Person, named
from tournament.queries.incidents import waiting_in
from tournament.queries.visible import Shown, Unveiled
from tournament.results import ContestResults, kind_of
from tournament.words.kinds import DECIDING, Deciding

RANKED = "ranked"
NOBODY = Person(name="–")


@dataclass(frozen=True, slots=True, kw_only=True)
class RevealRow:
    """Shown player. `status`: key of STATES if not plainly ranked; `newest`: by the last step."""

    key: str
    person: Person
    place: int | None
    value: str = ""
    status: str = ""
    newest: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RevealHeat:
    """Revealed heat by table number, in order of going out."""

    number: int
    rows: Sequence[RevealRow]
    newest: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Reveal:
    """Reveal of one contest: `hidden` places (heats: table numbers), then the shown ones, best first. `table`: of a
    match of its own."""

    table: int | None
    hidden: Sequence[int]
    unit: str = ""
    rows: Sequence[RevealRow] = ()
    heats: Sequence[RevealHeat] = ()
    is_heats: bool = False


def reveals_of(seen: Shown, everybody: Mapping[str, Person]) -> list[Reveal]:
    """Reveal so far, per contest; empty before it begins. People by entry uid."""
    if seen.frozen is None or seen.frozen.unveiled is None:
        return []
    return [reveal_of(each, everybody) for each in seen.frozen.unveiled]


def reveal_of(unveiled: Unveiled, everybody: Mapping[str, Person]) -> Reveal:
    """Reveal of one contest."""
    words = DECIDING[unveiled.decided_by]
    newest = min((row.place for row in unveiled.standings if row.place is not None), default=None)
    return Reveal(
        table=unveiled.table_number,
        hidden=unveiled.hidden,
        unit=str(words.unit),
        rows=[_row(row, words, everybody, newest) for row in unveiled.standings],
        heats=[
            _heat(number, heat, everybody, newest=at == len(unveiled.heats))
            for at, (number, heat) in enumerate(unveiled.heats, 1)
        ],
        is_heats=kind_of(unveiled.kind).one_play,
    )


def _row(
    row: StandingAnswer, words: Deciding, everybody: Mapping[str, Person], newest: int | None
) -> RevealRow:
    person = everybody.get(row.player, NOBODY)
    status = NO_SHOW if person.state == NO_SHOW else row.status
    return RevealRow(
        key=f"reveal-{row.player}",
        person=person,
        place=row.place,
        value=words.text(row.value),
        status="" if row.status == RANKED else status,
        newest=newest is not None and row.place == newest,
    )


def _heat(number: int, heat: PlayAnswer, everybody: Mapping[str, Person], *, newest: bool) -> RevealHeat:
    results: Sequence[ResultAnswer] = heat.results
    return RevealHeat(
        number=number,
        rows=[
            RevealRow(
                key=f"reveal-{row.player}",
                person=person,
                place=row.place,
                status="through" if row.advances else person.state or "not_through",
            )
            for row in sorted(results, key=lambda row: (row.place is None, row.place or 0))
            for person in [everybody.get(row.player, NOBODY)]
        ],
        newest=newest,
    )


# ---- Winners and podium of a contest, once it is over and public ----

LAST_PLACE = 3  # of a podium
MOST_ON_PODIUM = 5  # names on it


@dataclass(frozen=True, slots=True, kw_only=True)
class Finale:
    """End of a contest. `winners`: entry uids; `first`: podium, and `more`; `podium`: picture URL, "" for one of
    several tables; `key`: unique."""

    key: str
    title: str
    winners: Sequence[str]
    leader: Leader
    first: Sequence[StandingsRow]
    more: int
    podium: str


def whole_places(rows: Sequence[StandingsRow]) -> Sequence[StandingsRow]:
    """The first MOST_ON_PODIUM rows, without a shared place of which only a part fits, unless it is the first."""
    if len(rows) <= MOST_ON_PODIUM:
        return rows
    cut = rows[MOST_ON_PODIUM].place
    return [row for row in rows[:MOST_ON_PODIUM] if row.place != cut] or rows[:MOST_ON_PODIUM]


def finale_of(seen: Shown, contests: Sequence[ContestResults]) -> Finale | None:
    """Finale of a single contest (`announced`, or one table's); None unless over and won."""
    if len(contests) != 1:
        return None
    (results,) = contests
    answer, stage = results.answer, seen.stage
    over = results.complete or stage.state == Stage.State.FINISHED
    if not over or not answer.winners or not answer.rounds or waiting_in([results.contest]):
        return None
    words, alone = DECIDING[answer.decided_by], len(seen.contests) == 1
    won = next(row for row in answer.standings if row.player in answer.winners)
    rows = [
        StandingsRow(
            key=row.player, place=row.place, name=results.names[row.player], value=words.text(row.value)
        )
        for row in answer.standings
        if row.player in answer.winners or (row.place or LAST_PLACE + 1) <= LAST_PLACE
    ]
    return Finale(
        key=str(stage.uid) if alone else f"{stage.uid}-{results.table_number}",
        title=str(stage),
        winners=answer.winners,
        leader=Leader(
            label=_("Winner") if len(answer.winners) == 1 else _("Winners"),
            names=named(answer.winners, {row.key: Person(name=row.name) for row in rows}),
            value=words.text(won.value),
            unit=words.worth(won.value),
        ),
        first=(first := whole_places(rows)),
        more=len(rows) - len(first),
        podium=reverse("stage-podium", args=[stage.tournament.slug, stage.uid]) if alone else "",
    )
