"""Chains of stages for the players, tables and minutes that there are.

| chain | stages |
| --- | --- |
| `race` | as many games at changing tables as fit; the first play a final |
| `chances` | two games a table; the first two go on, the others have a second chance; then a final |
| `matches` | a match at each table; the winners meet in one hand |
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import isqrt

from tournament.seating.heat_levels import (
    COMFORTABLE,
    TARGETS,
    Minutes,
    Sizes,
    even_sizes,
    final_minutes,
    plan_tables,
)

FINALISTS = 6  # after a race, at most
GAMES = range(2, 21)  # of a race
SPREAD = Fraction(74, 100)  # games, from the mean of one to its 5th or 95th percentile


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A stage of a chain. `source`: as `Stage.source`, stages from 1; `after`: minutes before it begins."""

    kind: str
    sizes: Sizes
    minutes: Minutes
    after: int = 0
    settings: Mapping[str, object] = field(default_factory=dict)
    source: Mapping[str, object] = field(default_factory=dict)


def game_minutes(players: int, games: int) -> Minutes:
    """Minutes of `games` at a table, as a band in which nine of ten end. A game takes 2 minutes plus one per player
    (see `final_minutes`); its turns vary by 22.7 about 50.7 (four players in 100,000 of github.com/pfedan/goUno)."""
    spread = SPREAD * Fraction(isqrt(10_000 * games), 100)
    return Minutes(*(max(1, round((2 + players) * each)) for each in (games - spread, games, games + spread)))


def chains(players: int, tables: int, minutes: int, *, pause: int) -> dict[str, list[Step]]:
    """The chains that usually end within the minutes, by name. Raises `Impossible` as `plan_tables`."""
    sizes = plan_tables(players, least=2, most=COMFORTABLE["match"], tables=tables)
    found = {"race": _race, "chances": _chances, "matches": _matches}
    plans = {name: list(plan(sizes, minutes, pause)) for name, plan in found.items()}
    return {name: steps for name, steps in plans.items() if steps}


def _race(sizes: Sizes, minutes: int, pause: int) -> Iterator[Step]:
    finalists = min(FINALISTS, sum(sizes) // 2)
    target = _target(finalists, minutes // 3)
    if finalists > 1 and target:
        last = final_minutes(finalists, target)
        games = min((minutes - pause - last.usual) // (2 + sizes.largest), GAMES[-1])
        if games in GAMES:
            lasts = game_minutes(sizes.largest, games)
            yield Step(kind="race", sizes=sizes, minutes=lasts, settings=_games(games))
            yield _final(finalists, target, lasts.usual + pause, _from((1, "first", finalists)))


def _chances(sizes: Sizes, minutes: int, pause: int) -> Iterator[Step]:
    on, out = 2 * len(sizes), sum(sizes) - 2 * len(sizes)
    if len(sizes) < 2 or sizes.smallest < 4:
        return
    second = even_sizes(on, -(-on // sizes.largest))
    chance = even_sizes(out, min(-(-out // sizes.largest), len(sizes) - len(second)))
    finalists = 2 * len(second) + len(chance)
    first, later = game_minutes(sizes.largest, 2), game_minutes(max(second.largest, chance.largest), 2)
    begins = first.usual + later.usual + 2 * pause
    target = _target(finalists, minutes - begins)
    fit = min(second.smallest, chance.smallest) > 2 and chance.largest <= COMFORTABLE["match"]
    if fit and finalists <= COMFORTABLE["final"] and target:
        yield Step(kind="races", sizes=sizes, minutes=first, settings=_games(2))
        for room, part in ((second, (1, "first", 2)), (chance, (1, "out", None))):
            yield Step(
                kind="races",
                sizes=room,
                minutes=later,
                after=first.usual + pause,
                settings=_games(2),
                source=_from(part),
            )
        yield _final(finalists, target, begins, _from((2, "first", 2), (3, "first", 1)))


def _matches(sizes: Sizes, minutes: int, pause: int) -> Iterator[Step]:
    last = game_minutes(len(sizes), 1)
    target = _target(sizes.largest, minutes - pause - last.usual)
    if 2 <= len(sizes) <= COMFORTABLE["race"] and target:
        lasts = final_minutes(sizes.largest, target)
        yield Step(kind="match", sizes=sizes, minutes=lasts, settings={"target": target})
        yield Step(
            kind="race",
            sizes=even_sizes(len(sizes), 1),
            minutes=last,
            after=lasts.usual + pause,
            settings=_games(1),
            source=_from((1, "first", 1)),
        )


def _from(*parts: tuple[int, str, int | None]) -> dict[str, object]:
    """A source of stages: number, which of its players, how many (None: all)."""
    return {
        "parts": [
            {"stage": stage, "take": take} | ({"count": count} if count else {})
            for stage, take, count in parts
        ]
    }


def _final(players: int, target: int, after: int, source: Mapping[str, object]) -> Step:
    return Step(
        kind="final",
        sizes=even_sizes(players, 1),
        minutes=final_minutes(players, target),
        after=after,
        settings={"target": target},
        source=source,
    )


def _games(games: int) -> dict[str, object]:
    return {"scoring": "own_hand", "rank": ["wins", "total"], "min_games": games, "max_games": games}


def _target(players: int, minutes: int) -> int | None:
    """Highest target that is usually won within the minutes."""
    fit = (points for points in TARGETS if players > 1 and final_minutes(players, points).usual <= minutes)
    return max(fit, default=None)
