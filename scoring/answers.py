"""Results of a score sheet, for pages, exports and API.

Points and places are integers, averages Fractions (lowest terms in JSON). All kinds share attributes, empty where
inapplicable: `standings`, `results`, `winners`, `losers`, `finalists` (qualifiers), `complete` (nothing can follow),
`lines`, `decided_by` (average, total, wins or cards; of a race, the first of its `rank`); results have `place`,
`points`, `decided`, `advances`. Of a standing, `value` decides the place; it is `earned` with a place, in a match with
points or a round won.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, Generic, TypeVar

Json = dict[str, object]
Line = TypeVar("Line", bound="SessionStanding | MatchStanding | RaceStanding")
Played = TypeVar("Played", bound="GameAnswer | RoundAnswer | RaceGameAnswer")
Scored = TypeVar("Scored", bound="ResultAnswer | RaceResult")


class _Line:
    __slots__: tuple[str, ...] = ()
    unwritten: ClassVar[str] = ""

    def as_json(self) -> Json:
        """The fields but `unwritten`; exact numbers as text: "37/3", "12"."""
        return {
            name: str(value) if isinstance(value := getattr(self, name), Fraction) else value
            for name in self.__slots__
            if name != self.unwritten
        }


@dataclass(frozen=True, slots=True)
class _Play(Generic[Scored]):
    number: int
    results: tuple[Scored, ...]

    def as_json(self) -> Json:
        return {"number": self.number, "results": [result.as_json() for result in self.results]}


@dataclass(frozen=True, slots=True)
class _Standings(Generic[Line, Played]):
    ruleset: str
    standings: tuple[Line, ...]
    rounds: tuple[Played, ...]
    winners: tuple[str, ...]
    finalists: ClassVar[tuple[str, ...]] = ()
    kind: ClassVar[str]

    @property
    def lines(self) -> tuple[Line, ...]:
        return self.standings

    @property
    def results(self) -> Mapping[str, Sequence[tuple[int, Any]]]:
        """Each player's results with the index of their play in `rounds`, in order."""
        found: dict[str, list[tuple[int, Any]]] = {row.player: [] for row in self.standings}
        for index, round_ in enumerate(self.rounds):
            for result in round_.results:
                found[result.player].append((index, result))
        return found

    def as_json(self) -> Json:
        return {
            "kind": self.kind,
            "ruleset": self.ruleset,
            "standings": [standing.as_json() for standing in self.standings],
            "rounds": [round_.as_json() for round_ in self.rounds],
            "winners": list(self.winners),
        }


@dataclass(frozen=True, slots=True)
class GameResult(_Line):
    """A player's place and points in a game; None if ejected or void. `decided`: deciding step of special situation 6
    (`hands.deciding_steps`), not in JSON."""

    player: str
    place: int | None
    points: int | None
    decided: str | None = None
    advances: ClassVar[bool] = False
    unwritten: ClassVar[str] = "decided"


@dataclass(frozen=True, slots=True)
class GameAnswer(_Play[GameResult]):
    """One session game; results in sheet order."""


ByGame = tuple[tuple[int, GameResult], ...]  # with the index of the game


@dataclass(frozen=True, slots=True)
class SessionStanding(_Line):
    """A session line. `status`: ranked, too_few_games, not_played, disqualified."""

    player: str
    place: int | None
    status: str
    games: int
    points: int
    average: Fraction | None  # points a game; None without games
    decided_by: ClassVar[str] = "average"

    @property
    def value(self) -> Fraction | None:
        return self.average

    @property
    def earned(self) -> bool:
        return self.place is not None


@dataclass(frozen=True, slots=True)
class SessionAnswer(_Standings[SessionStanding, GameAnswer]):
    """Standings of a session so far."""

    by_player: Mapping[str, ByGame] = field(compare=False, repr=False)
    kind: ClassVar[str] = "session"
    complete: ClassVar[bool] = False
    decided_by: ClassVar[str] = "average"

    @property
    def results(self) -> Mapping[str, ByGame]:
        """As of other kinds, added up already."""
        return self.by_player

    @property
    def losers(self) -> tuple[str, ...]:
        """Ranked players with the highest average."""
        ranked = [standing for standing in self.standings if standing.place is not None]
        return tuple(standing.player for standing in ranked if standing.place == ranked[-1].place)


@dataclass(frozen=True, slots=True)
class RoundResult(_Line):
    """Points gained by a player in a round."""

    player: str
    points: int
    place: ClassVar[None] = None
    decided: ClassVar[None] = None
    advances: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class RoundAnswer(_Play[RoundResult]):
    """One match round; players in play in sheet order."""


@dataclass(frozen=True, slots=True)
class MatchStanding(_Line):
    """A match line. `status`: ranked, withdrawn, disqualified; only ranked have a place."""

    player: str
    place: int | None
    status: str
    points: int
    rounds_won: int
    decided_by: ClassVar[str] = "total"

    @property
    def value(self) -> Fraction:
        return Fraction(self.points)

    @property
    def earned(self) -> bool:
        return self.place is not None and bool(self.points or self.rounds_won)


@dataclass(frozen=True, slots=True)
class MatchAnswer(_Standings[MatchStanding, RoundAnswer]):
    """Standings of a match; `winners` empty until `complete`."""

    complete: bool
    kind: ClassVar[str] = "match"
    losers: ClassVar[tuple[str, ...]] = ()
    decided_by: ClassVar[str] = "total"

    def as_json(self) -> Json:
        return {**_Standings.as_json(self), "complete": self.complete}


@dataclass(frozen=True, slots=True)
class RaceResult(_Line):
    """A player's points in a game; None without a result."""

    player: str
    points: Fraction | None
    place: ClassVar[None] = None
    decided: ClassVar[None] = None
    advances: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class RaceGameAnswer(_Play[RaceResult]):
    """One race game; its players in sheet order."""


@dataclass(frozen=True, slots=True)
class RaceStanding(_Line):
    """A race line. `status`: ranked, too_few_games, not_played, withdrawn, disqualified. `games`: all with a result;
    the rest is of those that count."""

    player: str
    place: int | None
    status: str
    games: int
    points: Fraction
    average: Fraction | None  # points a game; None without games
    wins: int
    cards: int
    decided_by: str
    unwritten: ClassVar[str] = "decided_by"

    def by(self, word: str) -> Fraction | None:
        """What a word of `rank` compares; None without a game."""
        found = {
            "average": self.average,
            "total": self.points,
            "wins": Fraction(self.wins),
            "cards": Fraction(self.cards),
        }
        return found[word] if self.games else None

    @property
    def value(self) -> Fraction | None:
        return self.by(self.decided_by)

    @property
    def earned(self) -> bool:
        return self.place is not None


@dataclass(frozen=True, slots=True)
class RaceAnswer(_Standings[RaceStanding, RaceGameAnswer]):
    """Standings of a race so far."""

    decided_by: str
    kind: ClassVar[str] = "race"
    complete: ClassVar[bool] = False
    losers: ClassVar[tuple[str, ...]] = ()


@dataclass(frozen=True, slots=True)
class HeatResult(_Line):
    """Place in a heat (None if not finished) and qualification."""

    player: str
    place: int | None
    advances: bool
    points: ClassVar[None] = None
    decided: ClassVar[None] = None


@dataclass(frozen=True, slots=True)
class HeatAnswer(_Play[HeatResult]):
    """One heat; players in sheet order."""


@dataclass(frozen=True, slots=True)
class HeatsAnswer:
    """One level of heats; `finalists` by heat and finishing order."""

    ruleset: str
    rounds: tuple[HeatAnswer, ...]
    finalists: tuple[str, ...]
    kind: ClassVar[str] = "heats"
    standings: ClassVar[tuple[()]] = ()
    winners: ClassVar[tuple[str, ...]] = ()
    losers: ClassVar[tuple[str, ...]] = ()
    complete: ClassVar[bool] = False
    decided_by: ClassVar[str] = ""
    results: ClassVar[Mapping[str, Sequence[tuple[int, Any]]]] = {}

    @property
    def lines(self) -> tuple[HeatResult, ...]:
        return tuple(line for heat in self.rounds for line in heat.results)

    def as_json(self) -> Json:
        return {
            "kind": self.kind,
            "ruleset": self.ruleset,
            "rounds": [heat.as_json() for heat in self.rounds],
            "finalists": list(self.finalists),
        }


Answer = SessionAnswer | MatchAnswer | HeatsAnswer | RaceAnswer
PlayAnswer = GameAnswer | RoundAnswer | HeatAnswer | RaceGameAnswer
ResultAnswer = GameResult | RoundResult | HeatResult | RaceResult
Points = int | Fraction
StandingAnswer = SessionStanding | MatchStanding | RaceStanding
