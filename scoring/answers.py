"""Answers: the results of a score sheet, as every page, export and program sees them.

Points and places are whole numbers, an average is a Fraction, which `as_json` writes out in lowest terms.

Every answer has every attribute: `standings`, `winners` and `losers`, who goes through (`finalists`), whether nothing
can follow (`complete`), and `lines`, everybody's line with a place; every result has `place`, `points`, `decided` and
`advances`. Attributes that a kind does not have are empty.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Generic, TypeVar

Json = dict[str, object]
Line = TypeVar("Line", bound="SessionStanding | MatchStanding")
Played = TypeVar("Played", bound="GameAnswer | RoundAnswer")
Scored = TypeVar("Scored", bound="ResultAnswer")


@dataclass(frozen=True, slots=True)
class _Play(Generic[Scored]):
    """One game, round or heat."""

    number: int
    results: tuple[Scored, ...]

    def as_json(self) -> Json:
        """Write the play as an answer has it."""
        return {"number": self.number, "results": [result.as_json() for result in self.results]}


@dataclass(frozen=True, slots=True)
class _Standings(Generic[Line, Played]):
    """The standings after the last game or round so far."""

    ruleset: str
    standings: tuple[Line, ...]
    rounds: tuple[Played, ...]
    winners: tuple[str, ...]
    finalists: ClassVar[tuple[str, ...]] = ()

    @property
    def lines(self) -> tuple[Line, ...]:
        """Everybody's line, the best first."""
        return self.standings

    def written(self, kind: str) -> Json:
        """Write the answer as the command and the API print it."""
        return {
            "kind": kind,
            "ruleset": self.ruleset,
            "standings": [standing.as_json() for standing in self.standings],
            "rounds": [round_.as_json() for round_ in self.rounds],
            "winners": list(self.winners),
        }


@dataclass(frozen=True, slots=True)
class GameResult:
    """A player's place and points in one game; None for an ejected player and in a void game.

    `decided`: for a player remaining, the step of special situation 6 that put them behind the one before them
    (`hands.deciding_steps`); it explains the place on pages and is not in the written answer.
    """

    player: str
    place: int | None
    points: int | None
    decided: str | None = None
    advances: ClassVar[bool] = False

    def as_json(self) -> Json:
        """Write the row as an answer has it."""
        return {"player": self.player, "place": self.place, "points": self.points}


@dataclass(frozen=True, slots=True)
class GameAnswer(_Play[GameResult]):
    """One game of a session, its results in the order of the sheet."""


@dataclass(frozen=True, slots=True)
class SessionStanding:
    """A player's line in a session. `status`: ranked, too_few_games, not_played, disqualified."""

    player: str
    place: int | None
    status: str
    games: int  # with a score
    points: int
    average: Fraction | None  # points for each game; None when no game was played

    @property
    def value(self) -> Fraction | None:
        """The value that decides the place."""
        return self.average

    @property
    def earned(self) -> bool:
        """Tell whether the place was played for."""
        return self.place is not None

    def as_json(self) -> Json:
        """Write the line as an answer has it."""
        return {
            "player": self.player,
            "place": self.place,
            "status": self.status,
            "games": self.games,
            "points": self.points,
            "average": None if self.average is None else str(self.average),  # "37/3", or "12" if whole
        }


@dataclass(frozen=True, slots=True)
class SessionAnswer(_Standings[SessionStanding, GameAnswer]):
    """The standings of a session after its last game so far."""

    kind: str = "session"
    complete: ClassVar[bool] = False

    @property
    def losers(self) -> tuple[str, ...]:
        """The players who share the highest average among the ranked; empty if nobody is ranked."""
        ranked = [standing for standing in self.standings if standing.place is not None]
        return tuple(standing.player for standing in ranked if standing.place == ranked[-1].place)

    def as_json(self) -> Json:
        """Write the answer as the command and the API print it."""
        return self.written(self.kind)


@dataclass(frozen=True, slots=True)
class RoundResult:
    """The points that a player in play gained in one round."""

    player: str
    points: int
    place: ClassVar[None] = None
    decided: ClassVar[None] = None
    advances: ClassVar[bool] = False

    def as_json(self) -> Json:
        """Write the row as an answer has it."""
        return {"player": self.player, "points": self.points}


@dataclass(frozen=True, slots=True)
class RoundAnswer(_Play[RoundResult]):
    """One round of a match, the players in play in the order of the sheet."""


@dataclass(frozen=True, slots=True)
class MatchStanding:
    """A player's line in a match. `status`: ranked, withdrawn, disqualified; the last two have no place."""

    player: str
    place: int | None
    status: str
    points: int
    rounds_won: int

    @property
    def value(self) -> Fraction:
        """The value that decides the place."""
        return Fraction(self.points)

    @property
    def earned(self) -> bool:
        """Tell whether the place is more than that of everybody who has neither points nor won a round."""
        return self.place is not None and bool(self.points or self.rounds_won)

    def as_json(self) -> Json:
        """Write the line as an answer has it."""
        return {
            "player": self.player,
            "place": self.place,
            "status": self.status,
            "points": self.points,
            "rounds_won": self.rounds_won,
        }


@dataclass(frozen=True, slots=True)
class MatchAnswer(_Standings[MatchStanding, RoundAnswer]):
    """The standings of a match; `winners` is empty until it is `complete`."""

    complete: bool
    kind: str = "match"
    losers: ClassVar[tuple[str, ...]] = ()

    def as_json(self) -> Json:
        """Write the answer as the command and the API print it."""
        return {**self.written(self.kind), "complete": self.complete}


@dataclass(frozen=True, slots=True)
class HeatResult:
    """A player's place in one heat, None if they did not finish, and whether they go through."""

    player: str
    place: int | None
    advances: bool
    points: ClassVar[None] = None
    decided: ClassVar[None] = None

    def as_json(self) -> Json:
        """Write the row as an answer has it."""
        return {"player": self.player, "place": self.place, "advances": self.advances}


@dataclass(frozen=True, slots=True)
class HeatAnswer(_Play[HeatResult]):
    """One heat, its players in the order of the sheet."""


@dataclass(frozen=True, slots=True)
class HeatsAnswer:
    """One level of heats; `finalists` go through, heat by heat, in finishing order."""

    ruleset: str
    rounds: tuple[HeatAnswer, ...]
    finalists: tuple[str, ...]
    kind: str = "heats"
    standings: ClassVar[tuple[()]] = ()
    winners: ClassVar[tuple[str, ...]] = ()
    losers: ClassVar[tuple[str, ...]] = ()
    complete: ClassVar[bool] = False

    @property
    def lines(self) -> tuple[HeatResult, ...]:
        """Everybody's line in their heat, heat by heat."""
        return tuple(line for heat in self.rounds for line in heat.results)

    def as_json(self) -> Json:
        """Write the answer as the command and the API print it."""
        return {
            "kind": self.kind,
            "ruleset": self.ruleset,
            "rounds": [heat.as_json() for heat in self.rounds],
            "finalists": list(self.finalists),
        }


Answer = SessionAnswer | MatchAnswer | HeatsAnswer
PlayAnswer = GameAnswer | RoundAnswer | HeatAnswer
ResultAnswer = GameResult | RoundResult | HeatResult
