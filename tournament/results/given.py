"""Command arguments, type-checked: numbers, ids, hands; a round, game or heat.

Wrong types are refused as `malformed`: 1, 1.0 and true differ in the ledger but not in the database.

Plays have one shape from form, workbook and API: the storing action's fields, unchecked until `facts`.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from itertools import chain
from types import EllipsisType
from typing import Any, Generic, TypeVar
from uuid import UUID, uuid4

from rulesets import CARDS
from tournament.models import Play, Result, Seat
from tournament.results.bridge import Contest
from tournament.results.facts import Hand, PlayFacts, ResultFacts
from tournament.results.faults import Fault, Refused, refuse
from tournament.results.kinds import kind_of

P = TypeVar("P")  # entry uid, or any text in a guest's score sheet

Outcome = Result.Outcome
MOST_SAID = 40  # characters of an invalid id echoed
HOUR_S = 3600  # seconds; limit of the database row


def whole(value: object, path: str) -> int:
    """A strict int (not true or 3.0), else Refused `malformed`."""
    if type(value) is not int:
        raise Refused(Fault("malformed", path))
    return value


def ids(values: object, path: str) -> tuple[UUID, ...]:
    """A list of UUIDs, else Refused `malformed`."""
    if not isinstance(values, list | tuple) or not all(isinstance(value, UUID) for value in values):
        raise Refused(Fault("malformed", path))
    return tuple(values)


def cards(hand: object, path: str) -> Hand:
    """Return the hand without zero counts; scoring checks the rest. Refused `malformed` if no mapping."""
    if not isinstance(hand, Mapping):
        raise Refused(Fault("malformed", path))
    return {
        card: count
        for card, count in hand.items()
        if type(count) is not int or count != 0 or card not in CARDS
    }


def hands(given: object, faults: list[Fault]) -> dict[UUID, Hand]:
    """Hands by entry, from uid texts. Refused `malformed`; adds `unknown_player` (not a uid) and `duplicate_player`
    (one uid spelled twice) to `faults`."""
    if not isinstance(given, Mapping):
        raise Refused(Fault("malformed", "/hands"))
    held: dict[UUID, Hand] = {}
    for key, hand in given.items():
        try:
            entry = UUID(key if isinstance(key, str) else "")
        except ValueError:
            said = str(key)[:MOST_SAID]
            faults.append(Fault("unknown_player", f"/hands/{said}", {"player": said}))
            continue
        if entry in held:
            faults.append(Fault("duplicate_player", f"/hands/{entry}", {"player": str(entry)}))
        held[entry] = cards(hand, f"/hands/{entry}")
    return held


class _Shape:
    """In sessions players leave between games, not during one."""

    removed: Sequence[Any] | None = ()
    withdrawn: Sequence[Any] | None = ()

    def arguments(self) -> dict[str, Any]:
        """Arguments of the storing action."""
        return {each.name: getattr(self, each.name) for each in fields(self)}  # type: ignore[arg-type]  # a dataclass

    def departures(self, contest: Contest, play: PlayFacts) -> Mapping[UUID, str]:
        """Players out from this play, and how; None: as stored. Refused `duplicate_player` if in both."""
        given = {Seat.OutAs.REMOVED: self.removed, Seat.OutAs.WITHDRAWN: self.withdrawn}
        named = {how: ids(each, f"/{how}") for how, each in given.items() if each is not None}
        removed = named.get(Seat.OutAs.REMOVED, ())
        refuse(
            Fault("duplicate_player", f"/withdrawn/{entry}", {"player": str(entry)})
            for entry in named.get(Seat.OutAs.WITHDRAWN, ())
            if entry in removed
        )
        stored = _out_from(contest, play)
        out = {entry: how for how in given if how not in named for entry in stored[how]}
        return out | {entry: how for how, entries in named.items() for entry in entries}


@dataclass(frozen=True, kw_only=True)
class RoundEntry(_Shape, Generic[P]):
    """A match round, or a race's game.

    `hands` by player id as text; `last_cards`, for which `drew` drew; `removed`, `withdrawn` from this round (None:
    as stored); `emptied` by a Customizable card. Race: `entries` played (None: as stored, of a new game the players
    seated at the table); `ended` by time, with all hands and without winner.
    """

    winner: P | None
    hands: Mapping[str, Hand]
    drew: P | None = None
    removed: Sequence[P] | None = ()
    withdrawn: Sequence[P] | None = ()
    emptied: Sequence[P] = ()
    last_cards: Hand | None = None
    entries: Sequence[P] | None = None
    ended: str = ""

    @classmethod
    def stored(cls, play: PlayFacts, contest: Contest) -> "RoundEntry[UUID]":
        """Build from a stored round."""
        out = _out_from(contest, play)
        named = [*(row.entry for row in play.results), *chain(*out.values())]
        return RoundEntry(
            entries=list(dict.fromkeys(named)) if kind_of(contest.kind).seats_change else None,
            ended=play.ended,
            winner=next((row.entry for row in play.with_outcome(Outcome.WON)), None),
            hands={str(row.entry): row.hand for row in play.with_outcome(Outcome.HOLDS)},
            drew=play.drew,
            removed=out[Seat.OutAs.REMOVED],
            withdrawn=out[Seat.OutAs.WITHDRAWN],
            emptied=[row.entry for row in play.with_outcome(Outcome.EMPTIED)],
            last_cards=play.last_cards,
        )

    def facts(self: "RoundEntry[UUID]", contest: Contest, play: PlayFacts, faults: list[Fault]) -> PlayFacts:
        """The play with these rows in the players' order; existing ones keep their uid. Players of a race's game have
        a row also without a hand, for scoring to report.

        Refused `malformed`, `unknown_player` (winner); adds `unknown_player`, `winner_has_cards` to `faults`.
        """
        race = kind_of(contest.kind).seats_change
        if self.ended not in ({"", Play.Ended.TIME} if race else {""}):
            raise Refused(Fault("malformed", "/ended"))
        seated = self._playing(contest, play) if race else [player.entry for player in contest.players]
        out = self.departures(contest, play) if race else seated
        held, emptied = hands(self.hands, faults), ids(self.emptied, "/emptied")
        faults += self._strangers(seated, held)
        if self.winner is not None and self.winner not in seated:  # scoring would miss one, and a hand
            raise Refused(*faults)
        if self.winner and held.get(self.winner):
            faults.append(Fault("winner_has_cards", f"/hands/{self.winner}", {"player": str(self.winner)}))
        named, uids = {self.winner, *held, *emptied}, _uids_in(play)
        return replace(
            play,
            results=tuple(
                self._row(uids.get(entry) or uuid4(), entry, held)
                for entry in seated
                if entry in named or entry not in out
            ),
            last_cards={} if self.last_cards is None else cards(self.last_cards, "/last_cards"),
            drew=self.drew,
            ended=self.ended,
        )

    def _strangers(
        self: "RoundEntry[UUID]", seated: Collection[UUID], held: Mapping[UUID, Hand]
    ) -> list[Fault]:
        named = [
            (self.winner, "/winner"),
            (self.drew, "/drew"),
            *((entry, f"/hands/{entry}") for entry in held),
            *((entry, f"/emptied/{entry}") for entry in self.emptied),
        ]
        return [
            Fault("unknown_player", path, {"player": str(entry)})
            for entry, path in named
            if entry is not None and entry not in seated
        ]

    def _row(self: "RoundEntry[UUID]", uid: UUID, entry: UUID, held: Mapping[UUID, Hand]) -> ResultFacts:
        if entry == self.winner:
            return ResultFacts(uid, entry, Outcome.WON)
        if entry in self.emptied:
            return ResultFacts(uid, entry, Outcome.EMPTIED, hand=held.get(entry, {}))
        if entry in held:
            return ResultFacts(uid, entry, Outcome.HOLDS, hand=held[entry])
        return ResultFacts(uid, entry)

    def _playing(self: "RoundEntry[UUID]", contest: Contest, play: PlayFacts) -> list[UUID]:
        """Players of a race's game. Refused `unknown_player`, `duplicate_player`."""
        if self.entries is None:
            stored = [row.entry for row in play.results]
            seats = [seat for seat in contest.seats if seat.table == contest.table_numbers[play.table]]
            here = [seat.entry for seat in seats if seat.out_from is None or seat.out_from > play.number]
            return [*(stored or here), *(seat.entry for seat in contest.named_out(play) if stored)]
        known = {player.entry for player in contest.players}
        entries = ids(self.entries, "/entries")
        refuse(
            Fault(
                "unknown_player" if entry not in known else "duplicate_player",
                f"/entries/{entry}",
                {"player": str(entry)},
            )
            for index, entry in enumerate(entries)
            if entry not in known or entry in entries[:index]
        )
        return list(entries)


@dataclass(frozen=True)
class GameEntry(_Shape):
    """A session game.

    `results`: `{"entry", "outcome", "elapsed_s", "hand"}`; `ended`: last, time or early, at `duration_s`; `decks`
    None: as needed; `started_at` None: unknown, default: unchanged.
    """

    ended: str
    results: Sequence[Mapping[str, Any]]
    duration_s: int | None = None
    decks: int | None = None
    started_at: datetime | EllipsisType | None = ...

    @classmethod
    def stored(cls, play: PlayFacts, _contest: Contest) -> "GameEntry":
        """Build from a stored game."""
        results = [
            {"entry": row.entry, "outcome": row.outcome, "elapsed_s": row.elapsed_s, "hand": row.hand}
            for row in play.results
        ]
        return cls(play.ended, results, play.duration_s, play.decks, play.started_at)

    def facts(self, _contest: Contest, play: PlayFacts, faults: list[Fault]) -> PlayFacts:
        """The play with these results; existing rows keep their uid.

        Refused `malformed`, `duplicate_player`; adds `elapsed_over_limit` to `faults`.
        """
        given: object = self.results
        if not isinstance(given, list | tuple) or not all(isinstance(row, Mapping) for row in given):
            raise Refused(Fault("malformed", "/results"))
        rows: dict[UUID, ResultFacts] = {}
        uids = _uids_in(play)
        for index, row in enumerate(self.results):
            entry, outcome = row.get("entry"), row.get("outcome")
            if not isinstance(entry, UUID):
                faults.append(Fault("malformed", f"/results/{index}"))
            elif entry in rows:
                faults.append(Fault("duplicate_player", f"/results/{entry}", {"player": str(entry)}))
            elif outcome not in Outcome.values:
                faults.append(Fault("malformed", f"/results/{entry}"))
            else:
                elapsed_s, hand = row.get("elapsed_s"), row.get("hand")
                remaining = outcome == Outcome.REMAINING and hand is not None
                rows[entry] = ResultFacts(
                    uids.get(entry) or uuid4(),
                    entry,
                    str(outcome),
                    elapsed_s=elapsed_s if type(elapsed_s) is int else None,
                    hand=cards(hand, f"/results/{entry}/hand") if remaining else {},
                )
        if self.ended not in Play.Ended.values:
            faults.append(Fault("malformed", "/ended"))
        refuse(faults)
        faults += [
            Fault("elapsed_over_limit", f"/results/{row.entry}/elapsed_s", {"limit_s": HOUR_S})
            for row in rows.values()
            if row.elapsed_s is not None and not 0 <= row.elapsed_s <= HOUR_S
        ]
        started_at = play.started_at if isinstance(self.started_at, EllipsisType) else self.started_at
        return replace(
            play,
            results=tuple(rows.values()),
            ended=self.ended,
            duration_s=self.duration_s,
            decks=self.decks,
            started_at=started_at,
            other_start=play.other_start if started_at == play.started_at else None,
        )


@dataclass(frozen=True, kw_only=True)
class HeatEntry(_Shape, Generic[P]):
    """A heat in finishing order.

    `removed`, `withdrawn` (None: as stored); `advance` qualifiers (None: stage's number).
    """

    finish_order: Sequence[P]
    removed: Sequence[P] | None = ()
    withdrawn: Sequence[P] | None = ()
    advance: int | None = None

    @classmethod
    def stored(cls, play: PlayFacts, contest: Contest) -> "HeatEntry[UUID]":
        """Build from a stored heat."""
        finished = sorted(play.with_outcome(Outcome.FINISHED), key=lambda row: row.finish or 0)
        out = _out_from(contest, play, earlier=True)
        return HeatEntry(
            finish_order=[row.entry for row in finished],
            removed=out[Seat.OutAs.REMOVED],
            withdrawn=out[Seat.OutAs.WITHDRAWN],
            advance=play.advance,
        )

    def facts(self: "HeatEntry[UUID]", contest: Contest, play: PlayFacts, faults: list[Fault]) -> PlayFacts:
        """The play with one row per seat.

        Refused `unknown_player`, `duplicate_player`, `malformed` (more qualifiers than seats).
        """
        seated = seated_at(contest, play.table)
        finish_order = ids(self.finish_order, "/finish_order")
        faults += [
            Fault("unknown_player" if entry not in seated else "duplicate_player", f"/finish_order/{entry}")
            for index, entry in enumerate(finish_order)
            if entry not in seated or entry in finish_order[:index]
        ]
        advance = self.advance
        if advance is not None and not 1 <= whole(advance, "/advance") <= len(seated):
            faults.append(Fault("malformed", "/advance", {"advance": advance, "most": len(seated)}))
        refuse(faults)
        place = {entry: index for index, entry in enumerate(finish_order, 1)}
        uids = _uids_in(play)
        rows = [
            ResultFacts(
                uids.get(entry) or uuid4(),
                entry,
                Outcome.FINISHED if entry in place else Outcome.PLAYING,
                finish=place.get(entry),
            )
            for entry in seated
        ]
        return replace(play, results=tuple(rows), advance=advance)


PlayEntry = RoundEntry[UUID] | GameEntry | HeatEntry[UUID]


def seated_at(contest: Contest, table: UUID) -> list[UUID]:
    """Entries seated at this table."""
    number = contest.table_numbers[table]
    return [seat.entry for seat in contest.seats if seat.table == number]


def _uids_in(play: PlayFacts) -> Mapping[UUID, UUID]:
    return {row.entry: row.uid for row in play.results}


def _out_from(contest: Contest, play: PlayFacts, *, earlier: bool = False) -> Mapping[str, list[UUID]]:
    """Players out from this play, or `earlier`, by how they left."""
    table = contest.table_numbers[play.table]
    out: dict[str, list[UUID]] = {how: [] for how in Seat.OutAs.values}
    for seat in contest.named_out(play) if kind_of(contest.kind).seats_change else contest.seats:
        at = seat.out_from
        if seat.table == table and at is not None and (at == play.number or (earlier and at < play.number)):
            out[seat.out_as].append(seat.entry)
    return out
