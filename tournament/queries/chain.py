"""The stages of an event as a chain: who goes from which to which, by results, decisions and seats.

| term | meaning |
| --- | --- |
| group | players ranked together: a table, or a whole stage |
| cut | the places of a group that a stage takes |
| passed | goes on from a stage, by the cut or by a decision |
| out | played in a stage and has not passed it |
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, wraps
from typing import Any, TypeVar, cast
from uuid import UUID

from django.db.models import Count
from django.utils.translation import gettext

from tournament.models import Decision, Entry, LedgerRow, Play, Seat, Stage, Tournament
from tournament.results import (
    LEVEL,
    NEXT,
    OUT,
    ContestResults,
    Part,
    kind_of,
    sources_in,
    stage_results,
    stages_before,
)

# Why a place is open.
LEFT = "left"  # qualifier out of the event
STEPS_BACK = "steps_back"  # qualifier declined by decision
NOBODY = "nobody"  # heat without a result
ONE_LEFT = "one_left"  # one player was left
FEWER = "fewer"  # fewer finished than qualify
NO_MORE = "no_more"  # other stages take all who finished
SHARED = "shared"  # the cut falls between players who share a place

Kind = Decision.Kind
T = TypeVar("T")
Of = TypeVar("Of")
At = tuple[int, int]  # a part of a source: the stage's number, the part's index


@dataclass(frozen=True, slots=True)
class Decided:
    """Author, time and reason of a `Decision`."""

    who: str
    at: datetime
    reason: str


@dataclass(frozen=True, slots=True)
class Comer:
    """A qualifier, from the table `heat` of `stage` (0: the whole stage, or none), `place` there, `decided` by
    decision."""

    entry: Entry
    heat: int
    place: int | None = None
    decided: Decided | None = None
    stage: Stage | None = None

    @property
    def key(self) -> str:
        return str(self.entry.uid)

    @property
    def origin(self) -> tuple[int, int]:
        return origin_of(self.stage, self.heat)

    @property
    def where(self) -> str:
        """Origin and place in words: "heat 3, place 2", "Round 1, place 4"; "" from nowhere."""
        if self.stage is None:
            return ""
        where = where_text(self.stage, self.heat)
        text = gettext("%(where)s, place %(place)d")
        return text % {"where": where, "place": self.place} if self.place else where


@dataclass(frozen=True, slots=True)
class OpenPlace:
    """A place without an available qualifier. `gone`: its finisher, out or stepped back; `sharing`: who share it;
    `candidates`: first `own` from that heat, or sharing the place; `taken`: filled by decision."""

    heat: int
    place: int
    why: str
    gone: Entry | None = None
    candidates: tuple[Entry, ...] = ()
    own: int = 0
    taken: Comer | None = None
    stage: Stage | None = None
    sharing: tuple[Entry, ...] = ()

    @property
    def key(self) -> str:
        return f"{self.stage.number}-{self.heat}-{self.place}" if self.stage else f"{self.heat}-{self.place}"

    @property
    def origin(self) -> tuple[int, int]:
        return origin_of(self.stage, self.heat)

    @property
    def where(self) -> str:
        return where_text(self.stage, self.heat) if self.stage else ""

    def comer(self, decided: Decided | None = None) -> Comer:
        """`gone` as a qualifier."""
        assert self.gone
        return Comer(self.gone, self.heat, self.place or None, decided, self.stage)


def origin_of(stage: Stage | None, heat: int) -> tuple[int, int]:
    """Numbers of stage and table, 0 for none."""
    return stage.number if stage else 0, heat


def where_text(stage: Stage, heat: int) -> str:
    """A table of a stage (0: all) in words: "heat 3", "Round 1, table 3", "Round 1"."""
    if kind_of(stage.kind).one_play:
        return gettext("heat %(number)d") % {"number": heat}
    return gettext("%(stage)s, table %(number)d") % {"stage": stage, "number": heat} if heat else str(stage)


@dataclass(frozen=True, slots=True)
class Sitting:
    """A seat in the stage. `played`: non-void plays of its table; `out`: removed or left; `origin`: as of a Comer."""

    entry: Entry
    table: int
    position: int
    played: int
    out: bool
    origin: tuple[int, int] = (0, 0)

    @property
    def begun(self) -> bool:
        return self.played > 0

    @property
    def key(self) -> str:
        return str(self.entry.uid)


@dataclass(frozen=True, slots=True)
class Group:
    """Players ranked together. `ranked`: place and entry, best first; `settled`: nothing more to play. Heats:
    `advance` as recorded or set; `alone`: one player was left; `further`: without players of other stages."""

    stage: Stage
    heat: int
    players: tuple[Entry, ...]
    ranked: tuple[tuple[int, Entry], ...]
    settled: bool
    advance: int | None = None
    alone: bool = False
    further: bool = False

    @property
    def origin(self) -> tuple[int, int]:
        return origin_of(self.stage, self.heat)

    def comers(self) -> Iterator[Comer]:
        places = {entry.pk: place for place, entry in self.ranked}
        for entry in self.players:
            yield Comer(entry, self.heat, places.get(entry.pk), stage=self.stage)

    def heat_places(self, count: int) -> Iterator[OpenPlace]:
        """The first `count` places, given or not."""
        for place in range(1, min(count, len(self.players)) + 1):
            if place <= len(self.ranked):
                yield OpenPlace(self.heat, place, "", self.ranked[place - 1][1], stage=self.stage)
            else:
                why = (
                    NO_MORE if self.further else FEWER if self.ranked else ONE_LEFT if self.alone else NOBODY
                )
                yield OpenPlace(self.heat, place, why, stage=self.stage)

    def shared_places(self, count: int) -> Iterator[OpenPlace]:
        """The first `count` by place; each place left among players who share it names all of them."""
        last = self.ranked[count - 1][0] if len(self.ranked) > count else 0
        shared = [entry for place, entry in self.ranked if place == last]
        above = [(place, entry) for place, entry in self.ranked[:count] if place != last]
        if len(above) + len(shared) <= count:
            above, shared = list(self.ranked[:count]), []
        for place, entry in above:
            yield OpenPlace(self.heat, place, "", entry, stage=self.stage)
        for place in range(len(above) + 1, count + 1) if shared else ():
            yield OpenPlace(self.heat, place, SHARED, stage=self.stage, sharing=tuple(shared))

    @classmethod
    def of_heats(
        cls, stage: Stage, results: ContestResults, entries: Mapping[UUID, Entry], *, over: bool
    ) -> Iterator["Group"]:
        """A group per table; `over`: nothing more is played."""
        contest = results.contest
        plays = {contest.table_numbers[play.table]: play for play in results.sheet.plays if play}
        for number in sorted(contest.table_numbers.values()):
            seats = [seat for seat in contest.seats if seat.table == number]
            play = plays.get(number)
            finished = sorted((row.finish, row.entry) for row in (play.results if play else ()) if row.finish)
            yield cls(
                stage,
                number,
                tuple(entries[seat.entry] for seat in seats),
                tuple((place, entries[entry]) for place, (_finish, entry) in enumerate(finished, 1)),
                settled=over or play is not None,
                advance=(play and play.advance) or int(contest.settings.get("advance") or 1),
                alone=sum(not (seat.out_as or entries[seat.entry].is_out) for seat in seats) == 1,
            )


def groups_of(stage: Stage, results: Sequence[ContestResults], entries: Mapping[UUID, Entry]) -> list[Group]:
    """Groups by table number; `entries` by uid."""
    over = stage.state == Stage.State.FINISHED
    if kind_of(stage.kind).one_play:
        return [group for each in results for group in Group.of_heats(stage, each, entries, over=over)]
    return [
        Group(
            stage,
            (each.table_number or 0) if len(results) > 1 else 0,
            tuple(entries[player.entry] for player in each.contest.players if player.entry in entries),
            tuple(
                (row.place, entries[UUID(row.player)])
                for row in each.answer.standings
                if row.place is not None and UUID(row.player) in entries
            ),
            settled=over or each.complete,
        )
        for each in sorted(results, key=lambda each: each.table_number or 0)
    ]


def _once(method: Callable[["Chain", Of], T]) -> Callable[["Chain", Of], T]:
    """Compute once per chain and argument."""

    @wraps(method)
    def once(chain: "Chain", of: Of) -> T:
        key = method.__name__, of
        if key not in chain.values:
            chain.values[key] = method(chain, of)
        return cast("T", chain.values[key])

    return once


class Chain:
    """Who goes from which stage to which, computed on access. `instead`: substitute results by stage number."""

    def __init__(
        self, tournament: Tournament, instead: Mapping[int, Sequence[ContestResults]] | None = None
    ) -> None:
        rows = Stage.objects.filter(tournament=tournament).select_related("tournament").order_by("number")
        self.stages = {stage.number: stage for stage in rows}
        self.sources = sources_in(self.stages.values())
        self._tournament = tournament
        self._instead = instead or {}
        self.values: dict[tuple[str, Any], Any] = {}  # of `_once`

    @cached_property
    def entries(self) -> dict[int, Entry]:
        """By key."""
        return {entry.pk: entry for entry in Entry.objects.filter(tournament=self._tournament).taking_part()}

    @cached_property
    def decisions(self) -> "Decisions":
        return Decisions.of_event(self._tournament)

    @cached_property
    def sits(self) -> dict[int, list[Sitting]]:
        """By stage number."""
        plays = Play.objects.filter(table__stage__tournament=self._tournament).exclude(state=Play.State.VOID)
        played: dict[int, int] = dict(plays.order_by().values_list("table_id").annotate(count=Count("id")))
        found: dict[int, list[Sitting]] = {number: [] for number in self.stages}
        rows = Seat.objects.filter(table__stage__tournament=self._tournament)
        for stage, entry, table, number, position, out_as in rows.order_by(
            "table__stage__number", "table__number", "position"
        ).values_list("table__stage__number", "entry_id", "table_id", "table__number", "position", "out_as"):
            if entry in self.entries:
                row = Sitting(self.entries[entry], number, position, played.get(table, 0), bool(out_as))
                found[stage].append(row)
        return found

    @_once
    def seated(self, number: int) -> frozenset[int]:
        """Keys of entries that sit in a stage."""
        return frozenset(one.entry.pk for one in self.sits[number])

    def feeding(self, number: int) -> list[Stage]:
        """Stages whose players come here."""
        numbers = dict.fromkeys(part.stage for part in self.sources[number].parts)
        return [self.stages[each] for each in numbers if each in self.stages]

    def fed(self, number: int) -> list[Stage]:
        """Stages whose players come from here."""
        return [self.stages[each] for each in dict.fromkeys(at[0] for at, _part in self._parts({number}))]

    @_once
    def groups(self, number: int) -> list[Group]:
        """Groups of a stage; none before it starts."""
        stage = self.stages.get(number)
        if stage is None:
            return []
        by_uid = {entry.uid: entry for entry in self.entries.values()}
        return groups_of(stage, self._instead.get(number) or stage_results(stage), by_uid)

    def players(self, number: int) -> set[int]:
        """Keys of entries in a stage's groups."""
        return {entry.pk for group in self.groups(number) for entry in group.players}

    def counts(self, group: Group, number: int) -> bool:
        """Whether the group's places count for stage `number`: all is played or, under correction, it has seats."""
        return group.settled or (group.advance is None and bool(self.sits[number]))

    def passed(self, number: int, above: At | None = None) -> set[int]:
        """Keys of entries that go on from a stage; `above`: to the parts before this one."""
        ways = {number} | {to for (to, _index), part in self._parts({number}) if part.take == LEVEL}
        found: set[int] = set()
        for at, part in self._parts(ways):
            if part.goes_on and (above is None or at < above):
                found |= {comer.entry.pk for comer in self.given(at)[1]}
                found |= self.decisions.of(self.stages[at[0]], Kind.ADVANCE).keys() & self.players(number)
        return found

    @_once
    def out(self, number: int) -> list[Comer]:
        """Who played in a stage and has not passed it, best first; empty where no stage takes its first."""
        parts = [(at, part) for at, part in self._parts({number}) if part.goes_on]
        stays = self.passed(number)
        for at, _part in parts:
            stays |= self._undecided(at)
        sits = any(self.sits[at[0]] for at, _part in parts)
        groups = [group for group in self.groups(number) if parts and (group.settled or sits)]
        return by_place(one for group in groups for one in group.comers() if one.entry.pk not in stays)

    @_once
    def given(self, at: At) -> tuple[list[OpenPlace], list[Comer], list[Comer]]:
        """Open places, who comes, and who steps back, by a part of a source."""
        places: list[OpenPlace] = []
        comes: list[Comer] = []
        steps_back: list[Comer] = []
        back = self.decisions.of(self.stages[at[0]], Kind.STEPS_BACK)
        # A tie-break hand decides between players who share a place.
        broken = any(
            part.take == LEVEL and part.stage == self.sources[at[0]].parts[at[1]].stage
            for stage in self.feeding(at[0])
            for part in self.sources[stage.number].parts
        )
        for place in self._cut(at):
            if place.sharing and broken:
                continue
            if place.gone is None:
                places.append(place)
            elif place.gone.pk in back:
                steps_back.append(place.comer(back[place.gone.pk]))
                places.append(replace(place, why=STEPS_BACK))
            elif place.gone.is_out and place.gone.pk not in self.seated(at[0]):
                places.append(replace(place, why=LEFT))
            else:
                comes.append(place.comer())
        return places, comes, steps_back

    def named(self, number: int) -> frozenset[int]:
        """Keys of entries with a place by the results, also absent ones."""
        parts = range(len(self.sources[number].parts))
        return frozenset(place.gone.pk for each in parts for place in self._cut((number, each)) if place.gone)

    def sits_after(self, number: int, entry: int) -> tuple[str, ...]:
        """Names of later stages where the entry sits."""
        return tuple(
            str(stage)
            for each, stage in self.stages.items()
            if number in stages_before(self.sources, each) and entry in self.seated(each)
        )

    @cached_property
    def lives(self) -> dict[int, int]:
        """Lives left by entry key, where counted."""
        players = frozenset[int]().union(*map(self.seated, self.stages))
        left = {entry: self._lives(entry, self.stages) for entry in players}
        return {entry: lives for entry, lives in left.items() if lives is not None}

    def _parts(self, stages: Collection[int]) -> list[tuple[At, Part]]:
        return [
            ((number, index), part)
            for number, source in self.sources.items()
            for index, part in enumerate(source.parts)
            if part.stage in stages
        ]

    @_once
    def _cut(self, at: At) -> list[OpenPlace]:
        """Before decisions."""
        part = self.sources[at[0]].parts[at[1]]
        places: list[OpenPlace] = []
        if part.take == OUT:
            for one in self.out(part.stage)[: part.count]:
                upto = stages_before(self.sources, part.stage) | {part.stage}
                if self._lives(one.entry.pk, upto) != 0 and self._may_come(at[0], one.entry):
                    places.append(OpenPlace(one.heat, one.place or 0, "", one.entry, stage=one.stage))
        elif part.take == LEVEL:
            stage = self.stages[part.stage]
            places = [OpenPlace(0, 0, "", each, stage=stage) for each in self._sharing(part.stage).values()]
        else:
            taken = self.passed(part.stage, above=at) if part.take == NEXT else set()
            for group in self.groups(part.stage):
                if self.counts(group, at[0]):
                    left = tuple((place, one) for place, one in group.ranked if one.pk not in taken)
                    further = len(left) < len(group.ranked)
                    places += self._first(replace(group, ranked=left, further=further), part.count, at[0])
        return places

    def _first(self, group: Group, count: int | None, number: int) -> Iterator[OpenPlace]:
        division = self.sources[number].division
        if group.advance is not None:
            ours = [(place, one) for place, one in group.ranked if division in {"", one.division}]
            yield from replace(group, ranked=tuple(ours)).heat_places(count or group.advance)
        else:
            ours = [(place, one) for place, one in group.ranked if self._may_come(number, one)]
            yield from replace(group, ranked=tuple(ours)).shared_places(count or 0)

    def _may_come(self, number: int, entry: Entry) -> bool:
        here = not entry.is_out or entry.pk in self.seated(number)
        return here and self.sources[number].division in {"", entry.division}

    def _sharing(self, number: int) -> dict[int, Entry]:
        """Who share a place at the first cut of a stage that falls between players."""
        for at, part in self._parts({number}):
            shared = {one.pk: one for place in self._cut(at) for one in place.sharing} if part.goes_on else {}
            if shared:
                return shared
        return {}

    @_once
    def _lost(self, number: int) -> frozenset[int]:
        """Keys of entries that lost a life in a stage."""
        return frozenset(one.entry.pk for one in self.out(number))

    def _undecided(self, at: At) -> set[int]:
        """Keys of entries with a shared place."""
        stage = self.stages[at[0]]
        shared = [place for place in self._cut(at) if place.sharing]
        among = {entry.pk for place in shared for entry in place.sharing}
        decided = len(self.decisions.of(stage, Kind.ADVANCE).keys() & among) >= len(shared)
        return set() if decided or stage.state != Stage.State.PLANNED else among

    def _lives(self, entry: int, upto: Collection[int]) -> int | None:
        """Lives left after these stages; None where not counted."""
        for number, source in self.sources.items():
            if source.lives and entry in self.seated(number):
                after = [each for each in upto if number in {each, *stages_before(self.sources, each)}]
                return max(0, source.lives - sum(entry in self._lost(each) for each in after))
        return None


def lives_of(tournament: Tournament, stages: Iterable[Stage]) -> dict[str, int]:
    """Lives left by entry uid as text; empty where no stage counts them."""
    if not any(stage.source.get("lives") for stage in stages):
        return {}
    chain = Chain(tournament)
    return {str(chain.entries[pk].uid): left for pk, left in chain.lives.items()}


@dataclass(frozen=True, slots=True)
class Decisions:
    """Decisions by stage key. `ranks`: of reserves, by stage and entry key."""

    made: Mapping[tuple[int, str], Mapping[int, Decided | None]]
    ranks: Mapping[tuple[int, int], int]

    @classmethod
    def of_event(cls, tournament: Tournament) -> "Decisions":
        rows = list(Decision.objects.filter(stage__tournament=tournament).order_by("rank", "id"))
        how = decided_in(tournament.pk, {str(row.uid) for row in rows})
        made: dict[tuple[int, str], dict[int, Decided | None]] = {}
        for row in rows:
            made.setdefault((row.stage_id, row.kind), {})[row.entry_id] = how.get(str(row.uid))
        return cls(made, {(row.stage_id, row.entry_id): row.rank or 0 for row in rows})

    def of(self, stage: Stage, kind: str) -> Mapping[int, Decided | None]:
        """Decisions of a kind about a stage, by entry key, in order."""
        return self.made.get((stage.pk, kind), {})


def by_place(comers: Iterable[Comer]) -> list[Comer]:
    """By place, those without one last."""
    return sorted(
        comers, key=lambda one: (one.place is None, one.place or 0, *one.origin, one.entry.start_number)
    )


def decided_in(tournament: int, decisions: Collection[str]) -> dict[str, Decided]:
    """Author, time and reason of these decisions (uids as text), from the ledger."""
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
