"""Preview of attendance changes, which actions/people/attendance.py applies."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from uuid import UUID

from django.db.models import Q, QuerySet

from tournament.models import Entry, Play, Result, Seat, Stage, Table, Tournament
from tournament.queries.registration import HOLDS_A_PLACE, places_left, registration_of
from tournament.results import (
    COUNTS,
    IN_PLAY,
    OUT_AS,
    Contest,
    Fault,
    PlayFacts,
    Refused,
    SeatFacts,
    Settled,
    contests_now,
    kind_of,
    settle,
    settle_back,
    sources_in,
    with_leaving,
)
from tournament.server.clock import now


class What(StrEnum):
    """A change of attendance, as in URLs."""

    LATE = "late"
    NO_SHOW = "no-show"
    LEAVE = "leave"
    REMOVE = "remove"
    BACK = "back"


class Effect(StrEnum):
    """Its effect at one table."""

    KEEPS_SEAT = "keeps_seat"
    LOSES_SEAT = "loses_seat"  # stage not begun
    STOPS = "stops"  # no more session games
    OUT_OF_MATCH = "out_of_match"  # listed last from the next round
    NOT_THROUGH = "not_through"  # heat not played yet
    RESULT_STAYS = "result_stays"  # heat, match or stage over
    IN_GAME = "in_game"  # refused: enter how they left the game
    IN_AGAIN = "in_again"  # returns to a running table
    NO_SEAT = "no_seat"  # stage not begun, others seated
    REFUSED = "refused"


STATE = {
    What.NO_SHOW: Entry.State.NO_SHOW,
    What.LEAVE: Entry.State.LEFT,
    What.REMOVE: Entry.State.DISQUALIFIED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AtTable:
    """Consequences at table `number` (0: the stage) for `who` (public names). `left`: players remaining; `played`:
    counted games, rounds or heats; `following`: number of the next; `winners`: win as last remaining; `through`: of
    `who`, qualified from a played heat."""

    stage: Stage
    effect: Effect
    who: tuple[str, ...]
    number: int = 0
    table: UUID | None = None
    left: int = 0
    played: int = 0
    following: int = 1
    winners: tuple[str, ...] = ()
    through: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()

    @property
    def too_small(self) -> bool:
        """Whether fewer than two remain while others can still be seated."""
        return self.effect in {Effect.LOSES_SEAT, Effect.NOT_THROUGH} and self.left < 2


@dataclass(frozen=True, slots=True)
class Consequences:
    """Consequences per table, in stage order, and promotions from the waiting list."""

    tables: tuple[AtTable, ...]
    moves_up: tuple[str, ...] = ()

    @property
    def possible(self) -> bool:
        return not any(line.effect in {Effect.IN_GAME, Effect.REFUSED} for line in self.tables)


def consequences(tournament: Tournament, entries: Sequence[Entry], what: What) -> Consequences:
    """Consequences for all entries together, in a constant number of queries."""
    lines = [*_ejections(entries)] if what == What.BACK else []
    names = {
        entry.uid: entry.shown_name
        for entry in entries
        if not any(entry.shown_name in line.who for line in lines)
    }
    stages = list(Stage.objects.filter(tournament=tournament).select_related("tournament").order_by("number"))
    seated = set(Seat.objects.filter(entry__in=entries).values_list("table__stage_id", flat=True))
    for stage in stages:
        if stage.pk in seated:
            for contest in contests_now(stage):
                lines += _in_contest(stage, contest, names, what)
        unseated = what == What.BACK and stage.state == Stage.State.PLANNED and stage.pk not in seated
        if (
            unseated
            and not sources_in(stages)[stage.number].parts  # else seated from results
            and Seat.objects.filter(table__stage=stage).exists()
        ):
            lines.append(AtTable(stage=stage, effect=Effect.NO_SEAT, who=tuple(names.values())))
    return Consequences(tuple(lines), _moving_up(tournament, entries, what))


def ejections_of(entries: Sequence[Entry]) -> QuerySet[Result]:
    """Ejections of these entries, also in void games, that only a correction takes back: in a running stage, after the
    event all."""
    rows = Result.objects.filter(
        Q(play__table__stage__state=Stage.State.RUNNING)
        | Q(entry__tournament__state=Tournament.State.FINISHED),
        entry__in=entries,
        outcome=Result.Outcome.EJECTED,
    )
    return rows.exclude(play__state=Play.State.SET_ASIDE).order_by("pk")


def _ejections(entries: Sequence[Entry]) -> Iterator[AtTable]:
    for row in ejections_of(entries).select_related("entry", "play__table__stage__tournament"):
        table = row.play.table
        yield AtTable(
            stage=table.stage,
            effect=Effect.REFUSED,
            who=(row.entry.shown_name,),
            number=table.number,
            table=table.uid,
            faults=(Fault("ejected_in_game", f"/plays/{row.play.uid}"),),
        )


@dataclass(frozen=True, slots=True)
class _Place:
    contest: Contest
    settled: Settled | None  # None before the stage begins
    number: int
    here: frozenset[UUID]
    plays: tuple[PlayFacts, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.contest.names[str(seat.entry)] for seat in self.seats if seat.entry in self.here)

    @property
    def seats(self) -> list[SeatFacts]:
        return [seat for seat in self.contest.seats if seat.table == self.number]

    @property
    def is_over(self) -> bool:
        if kind_of(self.contest.kind).one_play:
            return any(play.state in COUNTS for play in self.plays)
        return kind_of(self.contest.kind).to_target and (
            self.contest.stopped or (self.settled is not None and self.settled.answer.complete)
        )

    def in_play(self, line: AtTable, what: What) -> AtTable:
        if what == What.LATE:
            return replace(line, effect=Effect.KEEPS_SEAT)
        if what == What.BACK:
            return self.back(line)
        if self.settled is None:
            return replace(line, effect=Effect.LOSES_SEAT)
        running = (play for play in self.plays if play.state == Play.State.RUNNING)
        if any(play.result_of(uid) for play in running for uid in self.here):
            return replace(line, effect=Effect.IN_GAME)
        if kind_of(self.contest.kind).seats_change:
            return replace(line, effect=Effect.STOPS)
        heats = kind_of(self.contest.kind).one_play
        return replace(line, effect=Effect.NOT_THROUGH) if heats else self.out(line, what)

    def out(self, line: AtTable, what: What) -> AtTable:
        how = dict.fromkeys(self.here, str(OUT_AS[STATE[what]]))
        after = with_leaving(self.contest, Table(number=line.number), how, now())
        winners = settle(after).answer.winners  # none while the match goes on
        return replace(
            line, effect=Effect.OUT_OF_MATCH, winners=tuple(self.contest.names[uid] for uid in winners)
        )

    def back(self, line: AtTable) -> AtTable:
        """Refuse a return if play continued without the player."""
        seats = tuple(
            replace(seat, **IN_PLAY) if seat.table == line.number and seat.entry in self.here else seat
            for seat in self.contest.seats
        )
        try:
            settle_back(replace(self.contest, seats=seats), self.here)
        except Refused as refused:
            return replace(line, effect=Effect.REFUSED, faults=refused.faults)
        return replace(line, effect=Effect.IN_AGAIN)


def _in_contest(stage: Stage, contest: Contest, names: Collection[UUID], what: What) -> Iterator[AtTable]:
    settled = None if stage.state == Stage.State.PLANNED else settle(contest)
    for table, number in sorted(contest.table_numbers.items(), key=lambda item: item[1]):
        seats = [seat for seat in contest.seats if seat.table == number and seat.entry in names]
        here = frozenset(seat.entry for seat in seats if bool(seat.out_as) == (what == What.BACK))
        if not here:
            continue
        plays = tuple(play for play in contest.plays if play.table == table)
        place = _Place(contest, settled, number, here, plays)
        line = AtTable(
            stage=stage,
            effect=Effect.RESULT_STAYS,
            who=place.names,
            number=number,
            table=table,
            left=len({seat.entry for seat in place.seats if not seat.out_as} - here),
            played=sum(play.state in COUNTS for play in plays),
            following=max((play.number for play in plays), default=0) + 1,
        )
        if stage.state == Stage.State.FINISHED or place.is_over:
            through = settled.answer.finalists if what in STATE and settled else ()
            yield replace(line, through=tuple(contest.names[uid] for uid in through if UUID(uid) in here))
        else:
            yield place.in_play(line, what)


def _moving_up(tournament: Tournament, entries: Sequence[Entry], what: What) -> tuple[str, ...]:
    """Promotions from the waiting list (move_up_before_play)."""
    if what not in STATE or tournament.state != Tournament.State.PLANNED:
        return ()
    waiting = Entry.objects.filter(tournament=tournament, state=Entry.State.WAITING)
    names = [*waiting.order_by("start_number").names().values()]
    left = places_left(registration_of(tournament))
    freed = sum(entry.state in HOLDS_A_PLACE for entry in entries)
    return tuple(names if left is None else names[: left + freed])
