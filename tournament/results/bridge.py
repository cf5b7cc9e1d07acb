"""The only module that knows both rows and score sheets.

A `Contest` holds a sheet's facts, from rows or the ledger. `sheet_of` writes counting
plays, renumbered. `fault_at` maps sheet errors back.
"""

from bisect import bisect_left, insort_right
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import accumulate
from typing import Any, TypeVar, cast
from uuid import UUID

from django.db.models import QuerySet

from rulesets import ByKind
from scoring import Roster, Row, SheetError, same_start
from tournament.models import Entry, Play, Result, Seat, Stage, Table, shown_name
from tournament.results.facts import (
    PlayFacts,
    SeatFacts,
    grouped,
    in_order,
    order_of_leaving,
    plays_in,
    sheet_order,
)
from tournament.results.faults import Fault
from tournament.results.kinds import KINDS, kind_of

Of = TypeVar("Of")
T = TypeVar("T")
State = Play.State
Outcome = Result.Outcome
COUNTS = frozenset({State.ENTERED, State.OFFICIAL})
SHEET_KINDS = {kind: each.sheet for kind, each in KINDS.items()}
ROWS = {each.sheet: each.rows for each in KINDS.values()}
NAMED = ("uid", "pk", "public_name", "name_suffix", "club", "start_number")


@dataclass(frozen=True, slots=True)
class PlayerFacts:
    """A player; `name` as displayed, `start_number` orders players without seat order, `key` is the entry's."""

    entry: UUID
    name: str
    start_number: int
    key: int = 0


def _roster(players: Iterable[PlayerFacts]) -> Roster:
    return Roster({"id": str(player.entry), "name": player.name} for player in players)


def _names(players: Iterable[PlayerFacts]) -> dict[str, str]:
    return {str(player.entry): player.name for player in players}


def _seated(seats: Iterable[SeatFacts]) -> frozenset[UUID]:
    return frozenset(seat.entry for seat in seats)


@dataclass(frozen=True)
class Contest:
    """Facts of one score sheet.

    `table`: None if it covers the stage; `others`: former seat holders from voided plays. Immutable, so derived
    values are cached on it. Changed copies share what is `carried` over.
    """

    stage: UUID
    table: UUID | None
    kind: str
    ruleset: str
    settings: Mapping[str, Any]
    stopped: bool
    players: tuple[PlayerFacts, ...]
    seats: tuple[SeatFacts, ...]
    plays: tuple[PlayFacts, ...]
    table_numbers: Mapping[UUID, int]
    others: tuple[PlayerFacts, ...] = ()
    kept: dict[object, Any] = field(default_factory=dict, init=False, compare=False, repr=False)
    carried: dict[object, Any] = field(default_factory=dict, compare=False, repr=False)

    def with_play(self, play: PlayFacts) -> "Contest":
        """The contest with this play added or replaced."""
        return self.with_plays({play.uid}, [play])

    def with_plays(self, gone: Collection[UUID], come: Collection[PlayFacts]) -> "Contest":
        """The contest, in sheet order, with plays removed and then added."""
        plays, by_uid = list(self.in_order), dict(self._by_uid)
        order = partial(sheet_order, self.table_numbers)
        for play in [by_uid.pop(uid) for uid in gone if uid in by_uid]:
            del plays[plays.index(play, bisect_left(plays, order(play), key=order))]
        for play in come:
            insort_right(plays, play, key=order)
            by_uid[play.uid] = play
        changed = replace(self, plays=tuple(plays))
        ejecting = (play for play in (*self.ejecting, *come) if play.ejected and by_uid.get(play.uid) is play)
        known = vars(changed)
        known |= {"in_order": changed.plays, "_by_uid": by_uid, "ejecting": tuple(ejecting)}
        return changed

    def at(self, table: UUID) -> list[PlayFacts]:
        """Plays at a table."""
        return [play for play in self.plays if play.table.int == table.int]  # faster than comparing UUIDs

    @cached_property
    def ejecting(self) -> tuple[PlayFacts, ...]:
        """Plays that eject players, in whatever state."""
        return tuple(play for play in self.plays if play.ejected)

    @cached_property
    def _by_uid(self) -> dict[UUID, PlayFacts]:
        return {play.uid: play for play in self.plays}

    def _carry(self, of: Of, make: Callable[[Of], T]) -> T:
        """Return `make(of)` of one of its fields, made once for all copies in which this is the same object."""
        known, made = self.carried.get(make, (None, None))
        if known is not of:
            self.carried[make] = of, (made := make(of))
        return cast("T", made)

    @property
    def roster(self) -> Roster:
        """Players as a sheet lists them."""
        return self._carry(self.players, _roster)

    @property
    def seated(self) -> frozenset[UUID]:
        """Entries with a seat."""
        return self._carry(self.seats, _seated)

    @cached_property
    def names(self) -> dict[str, str]:
        """Displayed names by entry uid as text."""
        return self._carry(self.players, _names) | _names(self.others)

    def play(self, uid: UUID) -> PlayFacts | None:
        return self._by_uid.get(uid)

    @cached_property
    def in_order(self) -> tuple[PlayFacts, ...]:
        """All plays in sheet order."""
        return in_order(self.plays, self.table_numbers)

    @cached_property
    def out(self) -> tuple[SeatFacts, ...]:
        """Seats of players out; heats ignore later departures."""
        heats = [play for play in self.plays if kind_of(self.kind).one_play and play.state in COUNTS]
        last = {self.table_numbers[play.table]: play.number for play in heats}
        return tuple(
            seat
            for seat in self.seats
            if seat.out_from is not None and seat.out_from <= last.get(seat.table, seat.out_from)
        )

    @cached_property
    def _named_out(self) -> dict[tuple[int, int | None], list[SeatFacts]]:
        """Seats by the play that put their players out, unlike departures that were recorded separately."""
        named = (seat for seat in self.seats if seat.left_at is None or seat.left_from != seat.out_from)
        return grouped(((seat.table, seat.out_from), seat) for seat in named)

    def named_out(self, play: PlayFacts) -> Sequence[SeatFacts]:
        """Seats of players whom this play put out."""
        return self._named_out.get((self.table_numbers[play.table], play.number), ())

    @cached_property
    def order_of_leaving(self) -> dict[UUID, int]:
        """See `facts.order_of_leaving`."""
        return order_of_leaving(self.seats, following_number(self.plays), stopped=self.stopped)

    @cached_property
    def steps(self) -> dict[UUID, int]:
        """Highest play number up to each play, by its uid, in sheet order."""
        numbers = accumulate((play.number for play in self.in_order), max)
        return {play.uid: number for play, number in zip(self.in_order, numbers, strict=True)}


@dataclass(frozen=True, slots=True)
class Sheet:
    """A score sheet and the play behind each row (None: walkover)."""

    data: dict[str, Any]
    plays: tuple[PlayFacts | None, ...]


def sheet_of(contest: Contest) -> Sheet:
    """Score sheet of a contest (docs/score-sheet.md)."""
    data: dict[str, Any] = {
        "sheet": 1,
        "kind": contest.kind,
        "ruleset": contest.ruleset,
        "settings": dict(contest.settings),
        "players": contest.roster,
    }
    return Sheet(data, tuple(WRITERS[contest.kind](contest, data)))


def _write_session(contest: Contest, data: dict[str, Any]) -> Sequence[PlayFacts | None]:
    counting = [
        play
        for play in contest.in_order
        if play.state in COUNTS or (play.state == State.VOID and play.ejected)
    ]
    known, rows = contest.carried.get("games", ((), ()))
    same = same_start(known, counting)
    added = enumerate(counting[same:], same + 1)
    data["games"] = [*rows[:same], *(_row("game", number, play, _game) for number, play in added)]
    contest.carried["games"] = counting, data["games"]
    removed = [seat for seat in contest.seats if seat.out_as and seat.out_as == Seat.OutAs.REMOVED]
    removed.sort(key=lambda seat: (seat.table, seat.position))
    ejected = {entry for play in counting for entry in play.ejected} if removed else ()
    out = dict.fromkeys(str(seat.entry) for seat in removed if seat.entry not in ejected)
    if out:
        data["removed"] = list(out)
    return counting


def _row(
    kind: object, number: int, play: PlayFacts, write: Callable[[int, PlayFacts], dict[str, Any]]
) -> Row:
    row: Row | None = play.kept.get(kind)
    row = Row(write(number, play)) if row is None else row.numbered(number)
    play.kept[kind] = row
    return row


def _game(number: int, play: PlayFacts) -> dict[str, Any]:
    void = play.state == State.VOID
    game: dict[str, Any] = {"number": number, "ended": "void" if void else str(play.ended)}
    if play.duration_s is not None and not void:
        game["duration_s"] = play.duration_s
    if play.decks is not None:
        game["decks"] = play.decks
    game["results"] = []
    for row in play.results:
        outcome = Outcome.REMAINING if void and row.outcome != Outcome.EJECTED else row.outcome
        result: dict[str, Any] = {"player": str(row.entry), "outcome": str(outcome)}
        if outcome == Outcome.OUT:
            result["elapsed_s"] = row.elapsed_s
        if outcome == Outcome.REMAINING and not void:
            result["hand"] = dict(row.hand)
        game["results"].append(result)
    return game


def _write_match(contest: Contest, data: dict[str, Any]) -> Sequence[PlayFacts | None]:
    plays: list[PlayFacts | None] = []
    rounds: list[dict[str, Any]] = []
    leaving, late = _by_the_end(contest)
    for play in contest.in_order:
        if play.state in COUNTS:
            gone = [seat for seat in leaving if (seat.out_from or 0) <= play.number]
            leaving = leaving[len(gone) :]
            row = _row("round", len(rounds) + 1, play, _round)
            rounds.append(row | _departures(gone) if gone else row)
            plays.append(play)
    if leaving and sum(not seat.out_as for seat in contest.seats) + len(late) <= 1:
        rounds.append({"number": len(rounds) + 1} | _departures(leaving))
        plays.append(None)
        leaving = []
    if not contest.stopped:  # lists only departures before the stop
        leaving = leaving + late
    data |= _departures(leaving)
    data["rounds"] = rounds
    if contest.stopped:
        data["stopped"] = True
    return plays


def _by_the_end(contest: Contest) -> tuple[list[SeatFacts], list[SeatFacts]]:
    """Players out, in leaving order: before the match's end, and after it (one left, or stopped)."""
    order = contest.order_of_leaving
    out = sorted((seat for seat in contest.seats if seat.out_as), key=lambda seat: order[seat.entry])

    def is_late(seat: SeatFacts) -> bool:
        still = sum(order.get(other.entry, len(out)) >= order[seat.entry] for other in contest.seats)
        return still <= 1 or (contest.stopped and (seat.out_from or 0) > following_number(contest.plays))

    return [seat for seat in out if not is_late(seat)], [seat for seat in out if is_late(seat)]


def following_number(plays: Iterable[PlayFacts]) -> int:
    """Number of the table's next play."""
    return max((play.number for play in plays), default=0) + 1


def _round(number: int, play: PlayFacts) -> dict[str, Any]:
    data: dict[str, Any] = {"number": number}
    for row in play.with_outcome(Outcome.WON):
        data["winner"] = str(row.entry)
    data["hands"] = {
        str(row.entry): dict(row.hand)
        for row in play.results
        if row.outcome not in {Outcome.WON, Outcome.PLAYING}
    }
    emptied = [str(row.entry) for row in play.with_outcome(Outcome.EMPTIED)]
    if emptied:
        data["emptied"] = emptied
    if play.last_cards:
        data["last_cards"] = dict(play.last_cards)
    if play.drew:
        data["drew"] = str(play.drew)
    return data


def _departures(seats: Iterable[SeatFacts]) -> dict[str, list[str]]:
    return grouped((str(seat.out_as), str(seat.entry)) for seat in seats)


def _write_heats(contest: Contest, data: dict[str, Any]) -> Sequence[PlayFacts | None]:
    counting = sorted(
        (play for play in contest.plays if play.state in COUNTS),
        key=lambda play: contest.table_numbers[play.table],
    )
    out_from = {
        (seat.table, seat.entry): seat.out_from for seat in contest.seats if seat.out_from is not None
    }
    data["heats"] = []
    for number, play in enumerate(counting, 1):
        table = contest.table_numbers[play.table]
        removed = tuple(
            str(row.entry)
            for row in play.results
            if out_from.get((table, row.entry), play.number + 1) <= play.number
        )
        data["heats"].append(_row(("heat", *removed), number, play, partial(_heat, removed=removed)))
    return counting


def _heat(number: int, play: PlayFacts, removed: Iterable[str]) -> dict[str, Any]:
    finished = sorted(play.with_outcome(Outcome.FINISHED), key=lambda row: row.finish or 0)
    heat: dict[str, Any] = {
        "number": number,
        "players": [str(row.entry) for row in play.results],
        "finish_order": [str(row.entry) for row in finished],
    }
    if removed:
        heat["removed"] = list(removed)
    if play.advance is not None:
        heat["advance"] = play.advance
    return heat


def _write_race(contest: Contest, data: dict[str, Any]) -> Sequence[PlayFacts | None]:
    """A void game is listed only with its departures."""
    out = {play.uid: contest.named_out(play) for play in contest.plays}
    counting = [
        play
        for play in contest.in_order
        if play.state in COUNTS or (play.state == State.VOID and out[play.uid])
    ]
    data["games"] = [
        _row(("race", play.state, *out[play.uid]), number, play, partial(_race_game, out=out[play.uid]))
        for number, play in enumerate(counting, 1)
    ]
    named = {seat.entry for play in counting for seat in out[play.uid]}
    here = {seat.entry for seat in contest.seats if not seat.out_as}
    after = {seat.entry: seat for seat in contest.seats if seat.out_as and seat.entry not in named | here}
    data |= _departures(after.values())
    return counting


def _race_game(number: int, play: PlayFacts, out: Sequence[SeatFacts]) -> dict[str, Any]:
    players = dict.fromkeys([*(str(row.entry) for row in play.results), *(str(seat.entry) for seat in out)])
    game: dict[str, Any] = {"number": number, "players": list(players)} | _departures(out)
    if play.state == State.VOID:
        return game | {"void": True}
    if play.ended:
        game["ended"] = str(play.ended)
    if play.decks is not None:
        game["decks"] = play.decks
    return _round(number, play) | game


WRITERS: ByKind[Callable[[Contest, dict[str, Any]], Sequence[PlayFacts | None]]] = ByKind(
    "results/bridge.py",
    {"session": _write_session, "match": _write_match, "heats": _write_heats, "race": _write_race},
)


def fault_at(sheet: Sheet, error: SheetError, changed: UUID | None = None) -> tuple[PlayFacts | None, Fault]:
    """Map a sheet error to its play (or None) and a fault.

    Paths use play and entry uids; within `changed` they start at its own form.
    """
    steps = error.path.split("/")[1:]
    rows = ROWS[sheet.data["kind"]]
    if len(steps) < 2 or steps[0] != rows or not steps[1].isdigit():
        return None, Fault(error.code, error.path, error.parameters)
    row, rest = int(steps[1]), steps[2:]
    play = sheet.plays[row]
    if len(rest) >= 2 and rest[0] in {
        "results",
        "players",
        "finish_order",
        "removed",
        "withdrawn",
        "emptied",
    }:
        named = sheet.data[rows][row][rest[0]][int(rest[1])]
        rest[1] = named["player"] if isinstance(named, dict) else named
    here = [] if play is None or play.uid == changed else ["plays", str(play.uid)]
    return play, Fault(error.code, "".join(f"/{step}" for step in [*here, *rest]), error.parameters)


def contests_of(stage: Stage, plays: Iterable[PlayFacts] | None = None) -> list[Contest]:
    """Contests of a stage, in a constant number of queries.

    One per table for separate matches, else one. `plays`: all, if known.

    Prefer `contests_now`.
    """
    return _contests(stage, Table.objects.filter(stage=stage), plays)


def contest_of(table: Table) -> Contest:
    """The contest at this table, from rows."""
    alone = kind_of(table.stage.kind).sheet_each_table
    return _contests(
        table.stage, Table.objects.filter(pk=table.pk) if alone else Table.objects.filter(stage=table.stage)
    )[0]


def _contests(
    stage: Stage, tables: QuerySet[Table], known: Iterable[PlayFacts] | None = None
) -> list[Contest]:
    rows = list(tables.order_by("number"))
    keys = tables.order_by().values("pk")
    numbers = {table.uid: table.number for table in rows}
    everything = plays_in(Play.objects.filter(table__in=keys)) if known is None else known
    plays = in_order((play for play in everything if play.table in numbers), numbers)
    seats: list[tuple[UUID, SeatFacts]] = []
    players: dict[UUID, PlayerFacts] = {}
    sitting = Seat.objects.filter(table__in=keys).order_by("table__number", "position")
    facts = ("position", "out_as", "out_from", "left_from", "left_at")
    for table, number, *seat in sitting.values_list(
        "table__uid", "table__number", *facts, *(f"entry__{name}" for name in NAMED)
    ):
        player = _player(*seat[len(facts) :])
        seats.append((table, SeatFacts(player.entry, number, *seat[: len(facts)])))
        players[player.entry] = player
    played = {row.entry for play in plays for row in play.results} - players.keys()
    if played:  # seats change in sessions and can be reassigned
        players |= players_in(Entry.objects.filter(tournament=stage.tournament_id, uid__in=played))
    groups = [[row] for row in rows] if kind_of(stage.kind).sheet_each_table else [rows]
    return [_contest(stage, group, seats, plays, players) for group in groups]


def players_in(entries: QuerySet[Entry]) -> dict[UUID, PlayerFacts]:
    """Entries as players, by uid."""
    return {row[0]: _player(*row) for row in entries.values_list(*NAMED)}


def _player(entry: UUID, key: int, *named: Any) -> PlayerFacts:
    return PlayerFacts(entry, shown_name(*named), named[-1], key)


def _contest(
    stage: Stage,
    tables: list[Table],
    all_seats: Iterable[tuple[UUID, SeatFacts]],
    all_plays: Iterable[PlayFacts],
    players: Mapping[UUID, PlayerFacts],
) -> Contest:
    per_table = kind_of(stage.kind).sheet_each_table
    numbers = {table.uid: table.number for table in tables}
    seats = tuple(seat for table, seat in all_seats if table in numbers)
    plays = tuple(play for play in all_plays if play.table in numbers)
    who_plays, others = parted(stage.kind, players, seats, plays)
    return Contest(
        stage=stage.uid,
        table=tables[0].uid if per_table else None,
        kind=SHEET_KINDS[stage.kind],
        ruleset=stage.tournament.ruleset,
        settings=stage.settings,
        stopped=per_table and tables[0].stopped,
        players=who_plays,
        seats=seats,
        plays=plays,
        table_numbers=numbers,
        others=others,
    )


def parted(
    kind: str, players: Mapping[UUID, PlayerFacts], seats: Iterable[SeatFacts], plays: Iterable[PlayFacts]
) -> tuple[tuple[PlayerFacts, ...], tuple[PlayerFacts, ...]]:
    """Split into the contest's players, in sheet order, and others from its plays.

    Sessions count all who played, since seats change; else voided plays may hold former players.
    """
    position = {seat.entry: seat.position for seat in seats}
    played = {row.entry for play in plays for row in play.results}
    if kind_of(kind).seats_change:
        return in_start_order(players[entry] for entry in position.keys() | played), ()
    here = in_start_order(players[entry] for entry in position)
    if kind_of(kind).sheet_each_table:
        here = tuple(sorted(here, key=lambda player: position[player.entry]))
    return here, in_start_order(players[entry] for entry in played - position.keys())


def in_start_order(players: Iterable[PlayerFacts]) -> tuple[PlayerFacts, ...]:
    return tuple(sorted(players, key=lambda player: player.start_number))
