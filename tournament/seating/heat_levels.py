"""Levels from heats to the final, and durations.

| rule | where |
| --- | --- |
| heats while too many for one final, fewest tables | `levels` |
| `advance` below table size | `levels` raises `Impossible` |
| default advance: one, or what fills the final from two or three tables | `_usual_advance` |
| extra heats if the final is too small, never of two | `levels` |
| simultaneous heats limited by tables or referees; pauses | `expected_minutes` |
| final's duration: rule of thumb | `final_minutes` |
| proposed target: highest within an hour | `proposed_target` |
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from tournament.seating.sizes import Impossible, Sizes, even_sizes

POINTS_OF_A_HAND = 25  # average
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
class Expected:
    """Expected start of a level (minutes after the first level's), duration, waves of tables."""

    starts_after: int
    minutes: int
    waves: int


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
        minutes = waves * heat if level.kind == "heats" else final_minutes(level.players, target)
        expected.append(Expected(clock, minutes, waves))
        clock += minutes + pause
    return expected


def final_minutes(players: int, target: int) -> int:
    """Rule-of-thumb minutes of a final to `target` points.

    A round wins 25 points per other player in 2 minutes plus one per player. The others end at half the target on
    average: target x (players + 1) / 2 points won.
    """
    won = target * (players + 1)
    a_round = 2 * POINTS_OF_A_HAND * (players - 1)
    return -(-won // a_round) * (2 + players)


def target_minutes(players: int, least: int, most: int | None) -> dict[int, int]:
    """Minutes of a final by target, from `least` to `most`; empty for fewer than two players."""
    return {
        points: final_minutes(players, points)
        for points in TARGETS
        if least <= points <= (most or points) and players > 1
    }


def proposed_target(minutes: Mapping[int, int]) -> int | None:
    """Highest target won within an hour, else the lowest."""
    return max(
        (points for points in minutes if minutes[points] <= LONG_ENOUGH), default=min(minutes, default=None)
    )
