"""A season: a ranking over several evenings, by a rule of its organiser. Our rulings (docs/rulings.md):

| rule | where |
| --- | --- |
| average: points / games of the evenings that count together: every game weighs the same | `_value` |
| places: who shares a place gets its points; a place without points is worth 0 | `_worth` |
| best n evenings; of level ones the one with more games, then the earlier one | `season_order` |
| fewest evenings and games for a place, counted over all evenings | `_status` |
| tie-breaks in the season's order, each looking at all evenings; then the place is shared | `SEASON_TIES` |
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import Literal

from .hands import places

SEASON_LEAST_GAMES = 3  # of a year's average, KPGUT


@dataclass(frozen=True, slots=True, kw_only=True)
class EveningResult:
    """A player's result of one evening; None: not known. `unplaced`: took part without a place, as after a
    disqualification."""

    player: str
    place: int | None = None
    points: Fraction | None = None
    games: int | None = None
    unplaced: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonRule:
    """`counts`: average points a game, sum of points, or places, by `place_points` (first place first). `lowest`:
    fewer points are better. `best`: evenings that count, None: all. `ties`: keys of SEASON_TIES."""

    counts: Literal["average", "places", "sum"] = "average"
    lowest: bool = False
    best: int | None = None
    place_points: tuple[int, ...] = ()
    least_evenings: int = 1
    least_games: int = 0
    ties: tuple[str, ...] = ()

    def signed(self, value: Fraction) -> Fraction:
        """The value so that less is better."""
        return value if self.lowest and self.counts != "places" else -value


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonStanding:
    """A season line. `status`: ranked, not_eligible, too_few_evenings, too_few_games. `reason` of the place: `value`,
    a tie-break, or `shared`. `worth`: by evening, None if not played; `counted`: numbers (from 0) of the evenings in
    `value`. `evenings`, `games`, `points`: of all evenings."""

    player: str
    place: int | None
    status: str
    reason: str
    value: Fraction
    worth: tuple[Fraction | None, ...]
    counted: tuple[int, ...]
    evenings: int
    games: int
    points: Fraction


Results = Mapping[int, EveningResult]  # by number of the evening, from 0
Rank = tuple[Fraction, ...]  # less is better, of one length for all players


def season_worth(rule: SeasonRule, result: EveningResult) -> Fraction | None:
    """The result's worth to the season; None if the rule needs what it lacks."""
    if rule.counts == "places":
        if result.place is None:
            return Fraction(0) if result.unplaced else None
        return Fraction(sum(rule.place_points[result.place - 1 : result.place]))
    if result.points is None or rule.counts == "sum":
        return result.points
    return Fraction(result.points, result.games) if result.games else None


def score_season(
    evenings: Sequence[Sequence[EveningResult]],
    rule: SeasonRule,
    eligible: Collection[str] | None = None,
) -> tuple[SeasonStanding, ...]:
    """Standings over `evenings`, oldest first; player ids match across evenings. `eligible`: None: all. Ranked players
    first, then the others, each by value and tie-breaks. Omits players without a result that counts."""
    played: dict[str, dict[int, EveningResult]] = {}
    for number, results in enumerate(evenings):
        for result in results:
            if season_worth(rule, result) is not None:
                played.setdefault(result.player, {})[number] = result
    status = {player: _status(rule, mine, player, eligible) for player, mine in played.items()}
    ranks: dict[str, tuple[Rank, ...]] = {
        player: (
            (rule.signed(_value(rule, mine)),),
            *(SEASON_TIES[tie](rule, mine, len(evenings)) for tie in rule.ties),
        )
        for player, mine in played.items()
    }
    ranked = [player for player in played if status[player] == "ranked"]
    found = dict(zip(ranked, places([tuple(chain(*ranks[player])) for player in ranked]), strict=True))
    level = Counter(ranks[player][:steps] for player in ranked for steps in range(1, len(rule.ties) + 2))
    order = sorted(played, key=lambda player: (status[player] != "ranked", ranks[player]))
    return tuple(
        SeasonStanding(
            player=player,
            place=found.get(player),
            status=status[player],
            reason=_reason(rule, ranks[player], level) if player in found else "",
            value=_value(rule, mine),
            worth=tuple(
                season_worth(rule, mine[number]) if number in mine else None
                for number in range(len(evenings))
            ),
            counted=_counted(rule, mine),
            evenings=len(mine),
            games=sum(result.games or 0 for result in mine.values()),
            points=sum((result.points or Fraction(0) for result in mine.values()), Fraction(0)),
        )
        for player in order
        for mine in [played[player]]
    )


def _worth(rule: SeasonRule, result: EveningResult) -> Fraction:
    worth = season_worth(rule, result)
    assert worth is not None, "results that do not count are left out"
    return worth


def season_order(rule: SeasonRule, mine: Results) -> list[int]:
    """Numbers of a player's evenings, those that count most first."""
    worth = {number: rule.signed(_worth(rule, result)) for number, result in mine.items()}
    return sorted(mine, key=lambda number: (worth[number], -(mine[number].games or 0), number))


def _counted(rule: SeasonRule, mine: Results) -> tuple[int, ...]:
    return tuple(sorted(season_order(rule, mine)[: rule.best]))


def _value(rule: SeasonRule, mine: Results) -> Fraction:
    counted = [mine[number] for number in _counted(rule, mine)]
    if rule.counts == "average":
        points = sum((result.points or Fraction(0) for result in counted), Fraction(0))
        return Fraction(points, sum(result.games or 0 for result in counted))
    return sum((_worth(rule, result) for result in counted), Fraction(0))


def _status(rule: SeasonRule, mine: Results, player: str, eligible: Collection[str] | None) -> str:
    if eligible is not None and player not in eligible:
        return "not_eligible"
    if len(mine) < rule.least_evenings:
        return "too_few_evenings"
    games = sum(result.games or 0 for result in mine.values())
    return "too_few_games" if games < rule.least_games else "ranked"


def _reason(rule: SeasonRule, ranks: tuple[Rank, ...], level: Counter[tuple[Rank, ...]]) -> str:
    steps = ("value", *rule.ties)
    return next((step for at, step in enumerate(steps, 1) if level[ranks[:at]] == 1), "shared")


# ---- Tie-breaks ----

ABSENT = (Fraction(1), Fraction(0))  # after every evening that was played


def _best_evenings(rule: SeasonRule, mine: Results, evenings: int) -> Rank:
    """The best evening, then the second best and so on."""
    best = sorted(rule.signed(_worth(rule, result)) for result in mine.values())
    played = ((Fraction(0), worth) for worth in best)
    return tuple(chain(*played, *[ABSENT] * (evenings - len(mine))))


def _last_evening(rule: SeasonRule, mine: Results, evenings: int) -> Rank:
    result = mine.get(evenings - 1)
    return ABSENT if result is None else (Fraction(0), rule.signed(_worth(rule, result)))


SEASON_TIES: Mapping[str, Callable[[SeasonRule, Results, int], Rank]] = {
    "wins": lambda _rule, mine, _evenings: (Fraction(-sum(each.place == 1 for each in mine.values())),),
    "best_evenings": _best_evenings,
    "most_evenings": lambda _rule, mine, _evenings: (Fraction(-len(mine)),),
    "last_evening": _last_evening,
}
