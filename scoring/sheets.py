"""Score sheets as typed values: what `reading` makes of the JSON, and all that the rules look at.

Ids stand for players everywhere. Times are whole seconds since the game began, hands map card ids to counts.
What checks and scoring find out about a game, a round or a heat is `kept` with it (rows.py).

Two fields are our extension of the score sheet format: `removed` and `withdrawn` of a whole sheet name those
who were removed by the referees, or left, after the last game or round on it. Without them a match that a
removal ended could not be written down before another round, nor a session player ejected between two games.
In a match that nobody had won before they lose their place, and it is over if one player or none is left; who
leaves after somebody reached the target keeps the place. In a session the removed are disqualified, and leaving
changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from rulesets import Ruleset

from .rows import Kept

Hand = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Result:
    """How one player ended one game. `elapsed_s` is set for those out, `hand` for those remaining."""

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
    kept: Kept = field(default_factory=dict, compare=False, repr=False)


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
    kept: Kept = field(default_factory=dict, compare=False, repr=False)


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
    kept: Kept = field(default_factory=dict, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class HeatsSheet:
    """One level of heats."""

    kind: ClassVar[str] = "heats"
    rows: ClassVar[str] = "heats"
    ruleset: Ruleset
    players: tuple[str, ...]
    heats: tuple[Heat, ...]


Sheet = SessionSheet | MatchSheet | HeatsSheet
