"""Qualification from heats to the next stage. Reads only: results, decisions and seats.

| term | meaning |
| --- | --- |
| comes | qualifies, by the heats or by a decision |
| open place | has no available qualifier |
| steps back | qualified, declined by decision |
| leaves | seated, no longer comes |
| enters | comes, not seated |
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import pairwise
from uuid import UUID

from django.db.models import Count
from django.utils.translation import gettext, ngettext

from tournament.models import Decision, Entry, LedgerRow, Play, Seat, Stage, Tournament
from tournament.results import kind_of, stage_results
from tournament.seating import COMFORTABLE

# ---- Qualifying places from recorded heats ----

# Why a place is open.
LEFT = "left"  # qualifier out of the event
STEPS_BACK = "steps_back"  # qualifier declined by decision
NOBODY = "nobody"  # heat without a result
ONE_LEFT = "one_left"  # likewise, since one player was left
FEWER = "fewer"  # fewer finished than qualify


@dataclass(frozen=True, slots=True)
class Decided:
    """Author, time and reason of a `tournament.models.Decision`."""

    who: str
    at: datetime
    reason: str


@dataclass(frozen=True, slots=True)
class Comer:
    """A qualifier. `heat`: table number; `place`: finish from 1, or None; `decided`: by decision."""

    entry: Entry
    heat: int
    place: int | None = None
    decided: Decided | None = None

    @property
    def key(self) -> str:
        return str(self.entry.uid)


@dataclass(frozen=True, slots=True)
class OpenPlace:
    """A place without an available qualifier. `gone`: its finisher, out or stepped back.

    `candidates`: first `own` from that heat; `taken`: filled by decision.
    """

    heat: int
    place: int
    why: str
    gone: Entry | None = None
    candidates: tuple[Entry, ...] = ()
    own: int = 0
    taken: Comer | None = None

    @property
    def key(self) -> str:
        return f"{self.heat}-{self.place}"


@dataclass(frozen=True, slots=True)
class HeatsRecorded:
    """The heats as recorded. `places`: all qualifying places, with their finishers as `gone`."""

    places: tuple[OpenPlace, ...]
    heat_of: Mapping[UUID, int]
    place_of: Mapping[UUID, int]
    entries: Mapping[UUID, Entry]
    unsettled: frozenset[int]  # running heats without a result
    known: bool

    @classmethod
    def of(cls, heats: Stage, entries: Mapping[int, Entry]) -> "HeatsRecorded":
        by_uid = {entry.uid: entry for entry in entries.values()}
        results = stage_results(heats)
        if not results or not kind_of(heats.kind).one_play:
            return cls((), {}, {}, by_uid, frozenset(), known=False)
        contest = results[0].contest
        at_table: dict[int, list[Entry]] = {number: [] for number in sorted(contest.table_numbers.values())}
        still_in: dict[int, int] = dict.fromkeys(at_table, 0)
        for seat in contest.seats:
            at_table[seat.table].append(by_uid[seat.entry])
            still_in[seat.table] += not (seat.out_as or by_uid[seat.entry].is_out)
        order: dict[int, list[UUID]] = {}
        advance: dict[int, int] = {}
        usual = int(contest.settings.get("advance") or 1)
        for play in results[0].sheet.plays:
            assert play is not None
            number = contest.table_numbers[play.table]
            finished = sorted((row for row in play.results if row.finish), key=lambda row: row.finish or 0)
            order[number] = [row.entry for row in finished]
            advance[number] = play.advance or usual
        over = heats.state == Stage.State.FINISHED
        places: list[OpenPlace] = []
        for number, players in at_table.items():
            if number not in order and not over:
                continue
            nobody = ONE_LEFT if still_in[number] == 1 else NOBODY
            for place in range(1, min(advance.get(number, usual), len(players)) + 1):
                through = order.get(number, [])
                if place <= len(through):
                    places.append(OpenPlace(number, place, "", by_uid[through[place - 1]]))
                else:
                    places.append(OpenPlace(number, place, FEWER if through else nobody))
        return cls(
            places=tuple(places),
            heat_of={entry.uid: number for number, players in at_table.items() for entry in players},
            place_of={uid: place for row in order.values() for place, uid in enumerate(row, 1)},
            entries=by_uid,
            unsettled=frozenset() if over else frozenset(at_table.keys() - order.keys()),
            known=True,
        )

    def comer(self, entry: Entry, decided: Decided | None = None) -> Comer:
        """The entry with heat and finishing place."""
        return Comer(entry, self.heat_of.get(entry.uid, 0), self.place_of.get(entry.uid), decided)

    def everybody(self) -> list[Comer]:
        """All heat players by finishing place, unfinished last."""
        return sorted(
            (self.comer(self.entries[uid]) for uid in self.heat_of),
            key=lambda one: (one.place is None, one.place or 0, one.heat, one.entry.start_number),
        )


def assigned(places: Iterable[OpenPlace], comers: Iterable[Comer]) -> list[OpenPlace]:
    """Assign `comers` to the open places: same heat first, then in order."""
    left = list(comers)
    filled = []
    for place in places:
        own = next((comer for comer in left if comer.heat == place.heat), None)
        if own:
            left.remove(own)
        filled.append(replace(place, taken=own))
    return [place if place.taken or not left else replace(place, taken=left.pop(0)) for place in filled]


Kind = Decision.Kind


@dataclass(frozen=True, slots=True)
class Reserve:
    """A reserve for the stage; rank 1 comes in first."""

    entry: Entry
    rank: int
    decided: Decided | None

    @property
    def key(self) -> str:
        return str(self.entry.uid)


@dataclass(frozen=True, slots=True)
class Sitting:
    """A seat in the stage. `played`: non-void plays of its table; `out`: removed or left."""

    entry: Entry
    table: int
    position: int
    played: int
    out: bool
    heat: int = 0  # the heat they came from; 0 for none

    @property
    def begun(self) -> bool:
        return self.played > 0

    @property
    def key(self) -> str:
        return str(self.entry.uid)


@dataclass(frozen=True, slots=True)
class Level:
    """How a stage is filled from its `heats`; terms in the module docstring."""

    stage: Stage
    heats: Stage
    by_heats: tuple[Comer, ...] = ()  # per heat, in finishing order
    let_through: tuple[Comer, ...] = ()
    recorded: frozenset[int] = frozenset()  # entry keys of all qualifiers, also absent ones
    open_places: tuple[OpenPlace, ...] = ()
    steps_back: tuple[Comer, ...] = ()
    reserves: tuple[Reserve, ...] = ()
    others: tuple[Comer, ...] = ()  # present, not coming; best first
    sits: tuple[Sitting, ...] = ()
    leaves: tuple[Sitting, ...] = ()
    enters: tuple[Comer, ...] = ()
    came_from: Mapping[int, Comer] = field(default_factory=dict)  # by entry key

    def comer(self, entry: Entry) -> Comer:
        """The entry with its heat and finishing place; heat 0 if none."""
        return self.came_from.get(entry.pk, Comer(entry, 0))

    @property
    def comes(self) -> tuple[Comer, ...]:
        return (*self.by_heats, *self.let_through)

    @property
    def heats_over(self) -> bool:
        return self.heats.state == Stage.State.FINISHED

    @property
    def undecided(self) -> tuple[OpenPlace, ...]:
        """Open places not filled by decision."""
        return tuple(place for place in self.open_places if place.taken is None)

    @property
    def vacant(self) -> tuple[OpenPlace | Sitting, ...]:
        """Places a reserve could take: player out, table not begun, stage not finished."""
        if not self.sits or self.stage.state == Stage.State.FINISHED:
            return ()
        if self.stage.state == Stage.State.PLANNED:
            return tuple(place for place in self.undecided if place.why == LEFT)
        return tuple(seat for seat in self.sits if seat.out and not seat.begun)

    @property
    def pairs(self) -> tuple[tuple[Sitting | None, Comer | None], ...]:
        """Leaving seats paired with entering players, same heat first; None where one side is missing."""
        leaves, pairs = list(self.leaves), list[tuple[Sitting | None, Comer | None]]()
        alone: list[Comer] = []
        for comer in self.enters:
            seat = next((seat for seat in leaves if seat.heat == comer.heat), None)
            if seat is None:
                alone.append(comer)
            else:
                leaves.remove(seat)
                pairs.append((seat, comer))
        while leaves or alone:
            pairs.append((leaves.pop(0) if leaves else None, alone.pop(0) if alone else None))
        return tuple(pairs)

    @property
    def suggested_reserves(self) -> tuple[Entry, ...]:
        """Suggested reserves: the best non-qualifier of each heat, then the next ones."""
        return tuple(other.entry for other in self.others if other.place is not None)

    @property
    def candidates(self) -> tuple[Entry, ...]:
        """Players who could take a place: reserves, others, then present ones who stepped back."""
        reserves = [reserve.entry for reserve in self.reserves if not reserve.entry.is_out]
        known = {entry.pk for entry in reserves}
        others = [other.entry for other in self.others if other.entry.pk not in known]
        back = [one.entry for one in self.steps_back if not one.entry.is_out and one.entry.pk not in known]
        return (*reserves, *others, *back)


@dataclass(frozen=True, slots=True)
class Difference:
    """A stage whose seats differ from its qualifiers, described by translated `lines`."""

    stage: Stage
    lines: tuple[str, ...]


def usual_tables(stage: Stage, players: int) -> int:
    """Default number of tables: 1 for a final, else as planned, or the fewest that fit."""
    if kind_of(stage.kind).all_together:
        return 1
    most = int(stage.plan.get("most") or COMFORTABLE[stage.kind])
    planned = int(stage.plan.get("tables") or 0)
    few = -(-players // most)
    return max(1, min(planned if few <= planned <= players // 2 else few, players // 2))


def level_of(stage: Stage) -> Level | None:
    """Qualification from the preceding heats; None without heats."""
    heats = stage.heats if kind_of(stage.kind).filled else None
    return _level(stage, heats) if heats else None


def differences(tournament: Tournament) -> list[Difference]:
    """Stages whose seats mismatch their qualifiers or have a vacancy. Constant number of queries."""
    stages = list(Stage.objects.filter(tournament=tournament).select_related("tournament").order_by("number"))
    return [
        Difference(stage, tuple(lines))
        for heats, stage in pairwise(stages)
        if kind_of(heats.kind).one_play and kind_of(stage.kind).filled
        if (lines := difference_lines(_level(stage, heats)))
    ]


def difference_lines(level: Level) -> list[str]:
    """Translated lines: one per pair ("Final: B comes in for A.") and one for vacant seats."""
    lines = []
    for seat, comer in level.pairs:
        names = {"stage": str(level.stage)}
        if seat and comer:
            said = gettext("%(stage)s: %(enters)s comes in for %(out)s.")
            names |= {"out": seat.entry.shown_name, "enters": comer.entry.shown_name}
        elif seat:
            said = gettext("%(out)s no longer goes through to %(stage)s.")
            names |= {"out": seat.entry.shown_name}
        else:
            assert comer is not None
            said = gettext("%(enters)s also goes through to %(stage)s.")
            names |= {"enters": comer.entry.shown_name}
        begun = (
            gettext("Play at table %(number)s has begun.") % {"number": seat.table}
            if seat and seat.begun
            else ""
        )
        lines.append(f"{said % names} {begun}".strip())
    if level.vacant:
        count = len(level.vacant)
        said = ngettext("%(stage)s: a seat is free.", "%(stage)s: %(count)d seats are free.", count)
        lines.append(said % {"stage": str(level.stage), "count": count})
    return lines


def _level(stage: Stage, heats: Stage) -> Level:
    taking_part = Entry.objects.filter(tournament=stage.tournament_id).taking_part()
    entries = {entry.pk: entry for entry in taking_part}
    made = _Decisions.of(stage)
    recorded = HeatsRecorded.of(heats, entries)
    sits = _sitting(stage, entries, recorded)
    seated = {seat.entry.pk for seat in sits}
    places, by_heats, steps_back = _given(recorded, made, seated)
    known = {comer.entry.pk for comer in by_heats}
    let_through = [
        recorded.comer(entries[pk], how)
        for pk, how in made.of_kind[Kind.ADVANCE].items()
        if pk not in known and (pk in seated or not entries[pk].is_out)
    ]
    coming = known | {comer.entry.pk for comer in let_through}
    passed_over = coming | {comer.entry.pk for comer in steps_back}
    level = Level(
        stage=stage,
        heats=heats,
        by_heats=tuple(by_heats),
        let_through=tuple(let_through),
        recorded=frozenset(place.gone.pk for place in recorded.places if place.gone),
        steps_back=tuple(steps_back),
        reserves=tuple(
            Reserve(entries[pk], made.ranks[pk], how)
            for pk, how in made.of_kind[Kind.RESERVE].items()
            if pk not in coming
        ),
        others=tuple(
            other
            for other in recorded.everybody()
            if other.entry.pk not in passed_over and not other.entry.is_out
        ),
        sits=sits,
        came_from={one.entry.pk: one for one in recorded.everybody()},
        leaves=tuple(
            seat for seat in sits if seat.entry.pk not in coming and seat.heat not in recorded.unsettled
        )
        if recorded.known
        else (),
        enters=tuple(comer for comer in (*by_heats, *let_through) if comer.entry.pk not in seated)
        if seated
        else (),
    )
    places = [_asked(place, level) for place in places]
    return replace(level, open_places=tuple(assigned(places, let_through)))


def _asked(place: OpenPlace, level: Level) -> OpenPlace:
    people = [comer.entry for comer in level.let_through] + list(level.candidates)
    own = [entry for entry in people if level.comer(entry).heat == place.heat]
    return replace(place, candidates=(*own, *(entry for entry in people if entry not in own)), own=len(own))


def _given(
    recorded: HeatsRecorded, made: "_Decisions", seated: Collection[int]
) -> tuple[list[OpenPlace], list[Comer], list[Comer]]:
    places: list[OpenPlace] = []
    comes: list[Comer] = []
    steps_back: list[Comer] = []
    for place in recorded.places:
        if place.gone is None:
            places.append(place)
        elif place.gone.pk in made.of_kind[Kind.STEPS_BACK]:
            steps_back.append(recorded.comer(place.gone, made.of_kind[Kind.STEPS_BACK][place.gone.pk]))
            places.append(replace(place, why=STEPS_BACK))
        elif place.gone.is_out and place.gone.pk not in seated:
            places.append(replace(place, why=LEFT))
        else:
            comes.append(recorded.comer(place.gone))
    return places, comes, steps_back


def _sitting(stage: Stage, entries: Mapping[int, Entry], recorded: HeatsRecorded) -> tuple[Sitting, ...]:
    seats = list(
        Seat.objects.filter(table__stage=stage)
        .order_by("table__number", "position")
        .values_list("entry_id", "table_id", "table__number", "position", "out_as")
    )
    played = _played(stage) if seats else {}
    return tuple(
        Sitting(
            entry=entries[entry],
            table=number,
            position=position,
            played=played.get(table, 0),
            out=bool(out_as),
            heat=recorded.heat_of.get(entries[entry].uid, 0),
        )
        for entry, table, number, position, out_as in seats
    )


def _played(stage: Stage) -> dict[int, int]:
    plays = Play.objects.filter(table__stage=stage).exclude(state=Play.State.VOID).order_by()
    return dict(plays.values_list("table_id").annotate(count=Count("id")))


@dataclass(frozen=True, slots=True)
class _Decisions:
    of_kind: Mapping[str, Mapping[int, Decided | None]]
    ranks: Mapping[int, int]

    @classmethod
    def of(cls, stage: Stage) -> "_Decisions":
        rows = list(Decision.objects.filter(stage=stage).order_by("rank", "id"))
        decided = decided_in(stage.tournament_id, {str(row.uid) for row in rows})
        return cls(
            of_kind={
                kind: {row.entry_id: decided.get(str(row.uid)) for row in rows if row.kind == kind}
                for kind in Kind
            },
            ranks={row.entry_id: row.rank or 0 for row in rows if row.kind == Kind.RESERVE},
        )


def decided_in(tournament: int, decisions: Collection[str]) -> dict[str, Decided]:
    """Read author, time and reason of these decisions from the ledger; uids as text."""
    if not decisions:
        return {}
    rows = LedgerRow.objects.filter(tournament=tournament, payload__has_key="decision")
    found: dict[str, Decided] = {}
    for row in rows.select_related("actor", "note").order_by("sequence"):
        note = getattr(row, "note", None)
        decided = Decided(row.actor.display_name(), row.at, note.text if note else "")
        found |= {
            uid: decided for uid, facts in row.payload["decision"].items() if facts and uid in decisions
        }
    return found
