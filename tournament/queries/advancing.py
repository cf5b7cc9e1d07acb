"""Who goes through to a stage, and who sits there.

| term | meaning |
| --- | --- |
| comes | qualifies, by the results or by a decision |
| open place | has no available qualifier |
| steps back | qualified, declined by decision |
| leaves | seated, no longer comes |
| enters | comes, not seated |
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from django.utils.translation import gettext, ngettext

from tournament.models import Decision, Entry, Stage, Tournament
from tournament.queries.chain import LEFT, NO_MORE, Chain, Comer, Decided, OpenPlace, Sitting, by_place
from tournament.results import kind_of
from tournament.seating import COMFORTABLE
from tournament.words.text import listed

Kind = Decision.Kind


def assigned(places: Iterable[OpenPlace], comers: Iterable[Comer]) -> list[OpenPlace]:
    """Assign `comers` to the open places: same heat first, then in order."""
    left = list(comers)
    filled = []
    for place in places:
        own = next((comer for comer in left if comer.origin == place.origin), None)
        if own:
            left.remove(own)
        filled.append(replace(place, taken=own))
    return [place if place.taken or not left else replace(place, taken=left.pop(0)) for place in filled]


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
class Level:
    """How a stage is filled from its `sources`. `follow`: later stages of an entry that leaves, by key."""

    stage: Stage
    sources: tuple[Stage, ...]
    by_heats: tuple[Comer, ...] = ()  # per table or stage, by place
    let_through: tuple[Comer, ...] = ()
    recorded: frozenset[int] = frozenset()  # entry keys of all qualifiers, also absent ones
    open_places: tuple[OpenPlace, ...] = ()
    steps_back: tuple[Comer, ...] = ()
    reserves: tuple[Reserve, ...] = ()
    others: tuple[Comer, ...] = ()  # present, not coming, best first
    sits: tuple[Sitting, ...] = ()
    leaves: tuple[Sitting, ...] = ()
    enters: tuple[Comer, ...] = ()
    came_from: Mapping[int, Comer] = field(default_factory=dict)  # by entry key
    follow: Mapping[int, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, chain: Chain, number: int) -> "Level":
        """Of the stage with this number."""
        stage, entries, made = chain.stages[number], chain.entries, chain.decisions
        came_from: dict[int, Comer] = {}
        groups = [group for each in chain.feeding(number) for group in chain.groups(each.number)]
        for one in by_place(one for group in groups for one in group.comers()):
            came_from.setdefault(one.entry.pk, one)
        sits = tuple(
            replace(seat, origin=came_from[seat.entry.pk].origin) if seat.entry.pk in came_from else seat
            for seat in chain.sits[number]
        )
        seated = chain.seated(number)
        parts = [chain.given((number, index)) for index in range(len(chain.sources[number].parts))]
        by_heats = {comer.entry.pk: comer for _places, comes, _back in parts for comer in comes}
        steps_back = [comer for _places, _comes, back in parts for comer in back]
        let_through = [
            replace(came_from.get(pk, Comer(entries[pk], 0)), decided=how)
            for pk, how in made.of(stage, Kind.ADVANCE).items()
            if pk not in by_heats and (pk in seated or not entries[pk].is_out)
        ]
        coming = by_heats.keys() | {comer.entry.pk for comer in let_through}
        passed_over = coming | {comer.entry.pk for comer in steps_back}
        open_now = {group.origin for group in groups if not chain.counts(group, number)}
        leaves = [seat for seat in sits if seat.entry.pk not in coming and seat.origin not in open_now]
        known = all(chain.groups(each.number) for each in chain.feeding(number))
        level = cls(
            stage=stage,
            sources=tuple(chain.feeding(number)),
            by_heats=tuple(by_heats.values()),
            let_through=tuple(let_through),
            recorded=chain.named(number),
            steps_back=tuple(steps_back),
            reserves=tuple(
                Reserve(entries[pk], made.ranks[stage.pk, pk], how)
                for pk, how in made.of(stage, Kind.RESERVE).items()
                if pk not in coming
            ),
            others=tuple(
                one for one in came_from.values() if one.entry.pk not in passed_over and not one.entry.is_out
            ),
            sits=sits,
            came_from=came_from,
            leaves=tuple(leaves) if known else (),
            enters=tuple(
                comer for comer in (*by_heats.values(), *let_through) if comer.entry.pk not in seated
            )
            if seated
            else (),
            follow={seat.entry.pk: chain.sits_after(number, seat.entry.pk) for seat in leaves},
        )
        places = [_asked(place, level, chain) for given, _comes, _back in parts for place in given]
        return replace(level, open_places=tuple(assigned(places, let_through)))

    def comer(self, entry: Entry) -> Comer:
        """The entry with its origin and place."""
        return self.came_from.get(entry.pk, Comer(entry, 0))

    @property
    def comes(self) -> tuple[Comer, ...]:
        return (*self.by_heats, *self.let_through)

    @property
    def from_text(self) -> str:
        return listed([str(stage) for stage in self.sources])

    @property
    def reopened(self) -> Stage | None:
        """A stage under correction, though its players sit here."""
        return next((each for each in self.sources if self.sits and each.state == Stage.State.RUNNING), None)

    @property
    def heats_over(self) -> bool:
        """Whether all who come are known."""
        return all(each.state == Stage.State.FINISHED for each in self.sources)

    @property
    def undecided(self) -> tuple[OpenPlace, ...]:
        """Open places not filled by decision."""
        return tuple(place for place in self.open_places if place.taken is None)

    @property
    def shared(self) -> bool:
        """Whether players share a place at the cut, undecided."""
        return any(place.sharing for place in self.undecided)

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
            seat = next((seat for seat in leaves if seat.origin == comer.origin), None)
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
        """The best non-qualifier of each heat, then the next ones."""
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
    """A stage whose seats differ from its qualifiers, in translated `lines`."""

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


def level_of(stage: Stage, chain: Chain | None = None) -> Level | None:
    """Who goes through to the stage from others; None for who registered."""
    chain = chain or Chain(stage.tournament)
    return Level.of(chain, stage.number) if chain.sources[stage.number].parts else None


def differences(tournament: Tournament) -> list[Difference]:
    """Stages whose seats mismatch their qualifiers or have a vacancy, with all that follows."""
    chain = Chain(tournament)
    return [
        Difference(stage, tuple(lines))
        for stage in chain.stages.values()
        if (level := level_of(stage, chain)) and (lines := difference_lines(level))
    ]


def difference_lines(level: Level) -> list[str]:
    """Translated lines: one per pair ("Final: B comes in for A."), one for vacant seats."""
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
        sentences = [said % names]
        if seat and seat.begun:
            sentences.append(gettext("Play at table %(number)s has begun.") % {"number": seat.table})
        if seat and (further := level.follow.get(seat.entry.pk)):
            also = {"out": seat.entry.shown_name, "stages": listed(further)}
            sentences.append(gettext("%(out)s also plays in %(stages)s.") % also)
        lines.append(" ".join(sentences))
    if level.vacant:
        count = len(level.vacant)
        said = ngettext("%(stage)s: a seat is free.", "%(stage)s: %(count)d seats are free.", count)
        lines.append(said % {"stage": str(level.stage), "count": count})
    return lines


def _asked(place: OpenPlace, level: Level, chain: Chain) -> OpenPlace:
    people = [comer.entry for comer in level.let_through] + list(level.candidates)
    own = [entry for entry in people if entry in place.sharing] or [
        entry for entry in people if level.comer(entry).origin == place.origin
    ]
    if place.why == NO_MORE:
        passed = chain.passed(place.origin[0], above=(level.stage.number, 0))
        own = people = [entry for entry in own if entry.pk not in passed]
    return replace(place, candidates=(*own, *(entry for entry in people if entry not in own)), own=len(own))
