"""Levels from heats to the final, and durations.

| rule | where |
| --- | --- |
| heats while too many for one final, fewest tables | `levels` |
| `advance` below table size | `levels` raises `Impossible` |
| default advance: one, or what fills the final from two or three tables | `_usual_advance` |
| extra heats if the final is too small, never of two | `levels` |
| simultaneous heats limited by tables or referees; pauses | `expected_minutes` |
| final's duration: a band, from published simulations | `final_minutes` |
| proposed target: highest within an hour | `proposed_target` |
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Literal, TypeVar

# ---- Number and sizes of tables ----

T = TypeVar("T")
Pair = tuple[Hashable, Hashable]

MOST_TABLES = 999  # per stage
COMFORTABLE = {
    "session": 10,
    "heats": 6,
    "match": 10,
    "final": 10,
    "race": 6,
    "races": 6,
}  # players per table, at most


class Impossible(Exception):
    """An impossible request; see the module's table.

    `pairs`: of `cannot_keep_apart`, else (); leaving out any one makes the rest possible.
    """

    def __init__(self, code: str, parameters: Mapping[str, int | str], pairs: Iterable[Pair] = ()) -> None:
        numbers = ", ".join(f"{name} {value}" for name, value in parameters.items())
        super().__init__(f"{code} ({numbers})" if numbers else code)
        self.code = code
        self.parameters = dict(parameters)
        self.pairs = tuple(pairs)


class Sizes(tuple[int, ...]):
    """Table sizes in order of table number."""

    __slots__ = ()

    @property
    def smallest(self) -> int:
        return min(self)

    @property
    def largest(self) -> int:
        return max(self)


def even_sizes(players: int, tables: int) -> Sizes:
    """Sizes of exactly `tables` tables, larger first; some may be 0."""
    size, larger = divmod(players, tables)
    return Sizes((size + 1,) * larger + (size,) * (tables - larger))


def plan_tables(players: int, *, least: int, most: int, tables: int | None = None) -> Sizes:
    """Sizes of `tables` tables (default: fewest) with `least` to `most` players.

    Raises `Impossible`: `too_few_players`, `bounds_crossed`, `no_tables`, `too_few_tables`, `too_many_tables`,
    `sizes_do_not_fit`.
    """
    least = max(1, least)
    if least > most:
        raise Impossible("bounds_crossed", {"least": least, "most": most})
    if tables is not None and tables < 1:
        raise Impossible("no_tables", {})
    if players < least:
        raise Impossible("too_few_players", {"players": players, "least": least})
    needed, bearable = -(-players // most), players // least
    wished = needed if tables is None else tables
    if needed <= wished <= bearable:
        return even_sizes(players, wished)
    asked: dict[str, int | str] = {"players": players, "least": least, "most": most}
    if tables is None or needed > bearable:
        code, fewer, more = "sizes_do_not_fit", bearable, needed
    else:
        code = "too_few_tables" if tables < needed else "too_many_tables"
        fewer, more = (tables, needed) if tables < needed else (bearable, tables)
        asked["have"] = tables
    ways = _way("fewer", players, fewer) | (_way("more", players, more) if more <= players else {})
    raise Impossible(code, asked | ways)


def _way(name: str, players: int, tables: int) -> dict[str, int | str]:
    sizes = even_sizes(players, tables)
    return {name: tables, f"{name}_smallest": sizes.smallest, f"{name}_largest": sizes.largest}


def deal(players: Sequence[T], tables: int) -> list[list[T]]:
    """Players per table, clockwise; at most one table per player."""
    count = max(1, min(tables, len(players)))
    return [list(players[first::count]) for first in range(count)]


POINTS_OF_A_HAND = 39  # of each other player, on average (see `final_minutes`)
SPREAD = Fraction(8, 5)  # square roots of the rounds, from the usual number to the 5th or 95th percentile
TARGETS = (250, 300, 400, 500)  # points
LONG_ENOUGH = 60  # minutes of a final


@dataclass(frozen=True, slots=True)
class Level:
    """Heats with `advance` qualifiers each, or the final (advance 0)."""

    kind: Literal["heats", "final"]
    players: int
    sizes: Sizes
    advance: int

    @property
    def through(self) -> int:
        """Players who qualify for the next level."""
        return len(self.sizes) * self.advance


@dataclass(frozen=True, slots=True)
class Minutes:
    """Minutes of a final: `usual`, and the 5th and 95th percentile (`least`, `most`)."""

    least: int
    usual: int
    most: int


@dataclass(frozen=True, slots=True)
class Expected:
    """Expected start of a level (minutes after the first level's), duration, waves of tables.

    `least`, `most`: of a final, whose rounds vary; else equal to `minutes`.
    """

    starts_after: int
    minutes: int
    waves: int
    least: int
    most: int


def levels(
    players: int,
    *,
    most: int,
    advance: int | Sequence[int | None] | None = None,
    final_most: int,
    final_least: int = 2,
) -> list[Level]:
    """Levels up to the final; at most `most` players per table.

    `advance` per table: a number, or one per level with the last repeating; None: default. The final has
    `final_least` to `final_most` players, fewer only to avoid heats of two. Raises `Impossible`: `too_few_players`,
    `final_too_small`, `bounds_crossed`, or `advance_too_large` with level (from 1), smallest `size` and requested
    `advance`.
    """
    final_least = max(2, final_least)
    if players < final_least:
        raise Impossible("too_few_players", {"players": players, "least": final_least})
    if final_most < final_least:
        raise Impossible("final_too_small", {"least": final_least, "most": final_most})
    if most < 2:
        raise Impossible("bounds_crossed", {"least": 2, "most": most})
    advances = [advance] if advance is None or isinstance(advance, int) else list(advance) or [None]
    plan: list[Level] = []
    while players > final_most:
        fewest = -(-players // most)
        through = advances[min(len(plan), len(advances) - 1)] or _usual_advance(
            players, max(2, fewest), range(final_least, final_most + 1)
        )
        sizes = even_sizes(players, max(fewest, min(-(-final_least // through), max(2, players // 3))))
        if sizes.smallest <= through:
            raise Impossible(
                "advance_too_large", {"level": len(plan) + 1, "size": sizes.smallest, "advance": through}
            )
        plan.append(Level("heats", players, sizes, through))
        players = plan[-1].through
    return [*plan, Level("final", players, even_sizes(players, 1), 0)]


def _usual_advance(players: int, tables: int, final: range) -> int:
    """Fewest per table that fill the final, else one."""
    through = -(-final.start // tables)
    return through if through < players // tables and through * tables in final else 1


def expected_minutes(
    plan: Sequence[Level],
    *,
    heat: int,
    at_once: int | None = None,
    pause: int = 10,
    target: int = 500,
) -> list[Expected]:
    """Start and minutes of each level.

    `heat` minutes each, `at_once` tables (None: all), `pause` minutes between levels; final by `target`
    (`final_minutes`).
    """
    expected: list[Expected] = []
    clock = 0
    for level in plan:
        waves = 1 if at_once is None else -(-len(level.sizes) // max(1, at_once))
        lasts = (
            Minutes(waves * heat, waves * heat, waves * heat)
            if level.kind == "heats"
            else final_minutes(level.players, target)
        )
        expected.append(Expected(clock, lasts.usual, waves, lasts.least, lasts.most))
        clock += lasts.usual + pause
    return expected


def final_minutes(players: int, target: int) -> Minutes:
    """Minutes of a final to `target` points, as a band in which nine finals of ten end.

    A round gives POINTS_OF_A_HAND of each other player (114.3 for four in 100,000 rounds of github.com/pfedan/goUno,
    42 for two in thewilltotick/UNOSimulation) and takes 2 minutes plus one per player. The others end at half the
    target on average, so target x (players + 1) / 2 points are won. Drawn from goUno's rounds, four players need 4.8,
    5.9, 8.4, 10.9 rounds to 250, 300, 400, 500 points (nine of ten: 2-8, 3-10, 4-13, 6-16), which this meets within a
    round. Nothing is published for five or more.
    """
    rounds = Fraction(target * (players + 1), 2 * POINTS_OF_A_HAND * (players - 1))
    a_round, spread = 2 + players, Fraction(isqrt(int(SPREAD**2 * rounds * 10_000)), 100)
    least, usual, most = (max(1, round(each)) for each in (rounds - spread, rounds, rounds + spread))
    return Minutes(a_round * least, a_round * usual, a_round * most)


def target_minutes(players: int, least: int, most: int | None) -> dict[int, Minutes]:
    """Minutes of a final by target, from `least` to `most`; empty for fewer than two players."""
    return {
        points: final_minutes(players, points)
        for points in TARGETS
        if least <= points <= (most or points) and players > 1
    }


def proposed_target(minutes: Mapping[int, Minutes]) -> int | None:
    """Highest target usually won within an hour, else the lowest."""
    return max(
        (points for points, lasts in minutes.items() if lasts.usual <= LONG_ENOUGH),
        default=min(minutes, default=None),
    )
