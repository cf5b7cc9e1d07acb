"""Typed score sheets. Times are whole seconds since the start; hands map card ids to counts.

Our extension: a sheet's `removed` (by referees) and `withdrawn` apply after its last game or round, for matches ended
by removal and ejections between games. In an undecided match they lose their place, and it is over with at most one
player left; after the target places stand. In sessions the removed are disqualified, the withdrawn unaffected.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, NoReturn

from rulesets import Ruleset

Kept = dict[Hashable, object]
Memos = Sequence[Kept]


class Row(dict[str, object]):
    """Deeply immutable row with a cache of typed row, validity and scores, keyed by other inputs, since saves change
    one row of many. Totals and places are recomputed. A plain dict works equally."""

    __slots__ = ("kept",)

    def __init__(self, data: dict[str, object], kept: Kept | None = None) -> None:
        super().__init__(data)
        self.kept: Kept = {} if kept is None else kept

    def numbered(self, number: int) -> Row:
        """The row with another number and the same cache."""
        own = self.get("number")  # JSON's true equals 1
        return self if type(own) is int and own == number else Row({**self, "number": number}, self.kept)

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("a Row does not change")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse


class Roster(list[dict[str, str]]):
    """Deeply immutable list of a sheet's players, with what was found out about sheets of theirs: a sheet differs from
    the one before in few rows, mostly at its end. Rows of such sheets hold no 1.0 or true for 1. A list works equally.
    """

    __slots__ = ("kept",)

    def __init__(self, players: Iterable[dict[str, str]]) -> None:
        super().__init__(players)
        self.kept: Kept = {}


def kept_for(data: object) -> Kept:
    """Cache of a parsed sheet's players; an empty one unless they are a Roster."""
    players = data.get("players") if isinstance(data, dict) else None
    return players.kept if isinstance(players, Roster) else {}


def same_start(some: Sequence[object], others: Sequence[object]) -> int:
    """How many items both begin with; fast if they differ near their end and the others are identical."""
    end = over = min(len(some), len(others))
    while end and some[:end] != others[:end]:
        end, over = max(0, end - 2 * (over - end) - 1), end
    return end + bisect_left(range(end + 1, over), True, key=lambda at: some[end:at] != others[end:at])


Hand = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Result:
    """A player's game result. `elapsed_s` if out, `hand` if remaining."""

    player: str
    outcome: str  # out, last, remaining, gave_up, ejected
    elapsed_s: int | None
    hand: Hand | None


@dataclass(frozen=True, slots=True)
class Game:
    """One session game; `duration_s`: seconds, if timed."""

    number: int
    ended: str  # last, time, early, void
    duration_s: int | None
    decks: int | None
    results: tuple[Result, ...]


@dataclass(frozen=True, slots=True)
class SessionSheet:
    """A series of games; ranking needs `min_games`."""

    kind: ClassVar[str] = "session"
    rows: ClassVar[str] = "games"
    ruleset: Ruleset
    players: tuple[str, ...]
    min_games: int
    decks: int | None
    games: tuple[Game, ...]
    removed: tuple[str, ...]
    withdrawn: tuple[str, ...]
    kept: Kept = field(default_factory=dict, compare=False, repr=False)  # of its Roster


@dataclass(frozen=True, slots=True)
class Round:
    """One match round; `removed` and `withdrawn` are out from it on."""

    number: int
    winner: str | None
    hands: Mapping[str, Hand]
    last_cards: Hand | None
    drew: str | None
    removed: tuple[str, ...]
    withdrawn: tuple[str, ...]
    emptied: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MatchSheet:
    """Rounds to `target` card points; None if missing."""

    kind: ClassVar[str] = "match"
    rows: ClassVar[str] = "rounds"
    ruleset: Ruleset
    players: tuple[str, ...]
    target: int | None
    scoring: str  # winner_takes, own_hand
    decks: int
    custom_cards: int
    stopped: bool
    rounds: tuple[Round, ...]
    removed: tuple[str, ...]
    withdrawn: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Heat:
    """One heat; the first `advance` of `finish_order` qualify."""

    number: int
    players: tuple[str, ...]
    finish_order: tuple[str, ...]
    removed: tuple[str, ...]
    advance: int


@dataclass(frozen=True, slots=True)
class HeatsSheet:
    """One level of heats."""

    kind: ClassVar[str] = "heats"
    rows: ClassVar[str] = "heats"
    ruleset: Ruleset
    players: tuple[str, ...]
    heats: tuple[Heat, ...]


PLACING = "placing"  # besides the rulesets' scorings


@dataclass(frozen=True, slots=True)
class RaceGame:
    """One hand of a race; `played` lacks what is not read: all of a void game, last cards of one ended by time."""

    number: int
    players: tuple[str, ...]
    void: bool
    by_time: bool  # the bell rang before anyone was out
    decks: int | None
    played: Round

    def in_play(self) -> tuple[str, ...]:
        gone = {*self.played.removed, *self.played.withdrawn}
        return tuple(player for player in self.players if player not in gone)

    def counts(self) -> bool:
        """Whether it gives results: not void, two or more in play."""
        return not self.void and len(self.in_play()) >= 2


@dataclass(frozen=True, slots=True)
class RaceSheet:
    """Hands at changing tables."""

    kind: ClassVar[str] = "race"
    rows: ClassVar[str] = "games"
    ruleset: Ruleset
    players: tuple[str, ...]
    scoring: str  # own_hand, winner_takes, placing
    rank: tuple[str, ...]  # average, total, wins, cards
    best: int | None  # how many games count; None: all
    min_games: int
    max_games: int | None
    decks: int
    custom_cards: int
    games: tuple[RaceGame, ...]
    removed: tuple[str, ...]
    withdrawn: tuple[str, ...]


Sheet = SessionSheet | MatchSheet | HeatsSheet | RaceSheet
