"""Score sheets as typed values: `reading` makes them from the JSON, and the rules look at nothing else.

Ids stand for players everywhere. Times are whole seconds since the game began, hands map card ids to counts.

Two fields are our extension of the score sheet format: `removed` and `withdrawn` of a whole sheet name those
who were removed by the referees, or left, after the last game or round on it. Without them a match that a
removal ended could not be written down before another round, nor a session player ejected between two games.
In a match that nobody had won before, they lose their place, and it is over if one player or none is left; a player
who leaves after somebody reached the target keeps the place. In a session the removed are disqualified, and leaving
changes nothing.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NoReturn

from rulesets import Ruleset

Kept = dict[Hashable, object]
Memos = Sequence[Kept]  # the cache of each game, round or heat of a sheet, in their order


class Row(dict[str, object]):
    """A game, round or heat of a sheet that is immutable from now on, with everything in it.

    A big sheet is scored again at each save, though only one row changed. `kept` is the row's cache: what was read from
    it, that it keeps the rules and what it scored, each under the other values that it depends on. Totals, averages and
    places are always computed again, and a plain dict in a Row's place gives the same answer and the same errors.
    """

    __slots__ = ("kept",)

    def __init__(self, data: dict[str, object], kept: Kept | None = None) -> None:
        super().__init__(data)
        self.kept: Kept = {} if kept is None else kept

    def numbered(self, number: int) -> Row:
        """Give the row with this number, since rows before it come and go; its cache stays."""
        own = self.get("number")  # JSON's true equals 1 to Python
        return self if type(own) is int and own == number else Row({**self, "number": number}, self.kept)

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("a Row does not change")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse


Hand = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Result:
    """The end of one game for one player. `elapsed_s` is set for those out, `hand` for those remaining."""

    player: str
    outcome: str  # out, last, remaining, gave_up, ejected
    elapsed_s: int | None
    hand: Hand | None


@dataclass(frozen=True, slots=True)
class Game:
    """One game of a session; `decks` on its own table, `duration_s` where somebody kept the time."""

    number: int
    ended: str  # last, time, early, void
    duration_s: int | None
    decks: int | None
    results: tuple[Result, ...]


@dataclass(frozen=True, slots=True)
class SessionSheet:
    """A series of games; `min_games` must have been played to be ranked."""

    kind: ClassVar[str] = "session"
    rows: ClassVar[str] = "games"
    ruleset: Ruleset
    players: tuple[str, ...]
    min_games: int
    decks: int | None
    games: tuple[Game, ...]
    removed: tuple[str, ...]
    withdrawn: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Round:
    """One round of a match. `removed` and `withdrawn` are out from this round on."""

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
    """Rounds of card points to a `target`; None where the ruleset asks for one and the sheet names none."""

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
    """One heat: who sat in it, in which order they got rid of their cards, how many go through."""

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


Sheet = SessionSheet | MatchSheet | HeatsSheet
