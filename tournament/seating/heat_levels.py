"""The levels of heats from the number of players to the final, and how long they take.

| rule | where |
| --- | --- |
| heats while the players are too many for one final, at as few tables as the most at a table allows | `levels` |
| from each table `advance` go through, fewer than sit there | `levels` raises `Impossible` |
| where nobody says how many: one; of two or three tables as many as make the final large enough | `_usual_advance` |
| more heats where the final would be too small, but for that never a heat of two | `levels` |
| heats run as many at a time as there are tables or referees; a pause between levels | `expected_minutes` |
| a final lasts as long as it takes to win its target: a rule of thumb | `final_minutes` |
| the target proposed for a final: the highest one that it wins within an hour | `proposed_target` |
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from tournament.seating.sizes import Impossible, Sizes, even_sizes

POINTS_OF_A_HAND = 25  # the average hand when somebody else goes out
TARGETS = (250, 300, 400, 500)  # points, to choose from
LONG_ENOUGH = 60  # minutes of a final


@dataclass(frozen=True, slots=True)
class Level:
    """A level of the plan: heats, of each of which `advance` players go through, or the final (advance 0)."""

    kind: Literal["heats", "final"]
    players: int
    sizes: Sizes
    advance: int

    @property
    def through(self) -> int:
        """The number of players who go through to the next level."""
        return len(self.sizes) * self.advance


@dataclass(frozen=True, slots=True)
class Expected:
    """The expected time of a level: minutes after the start of the first, its duration, and its waves of tables."""

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
    """Plan the levels to the final, which is last and always there; a level has at most `most` players at a table.

    `advance` go through from each table: one number, or one for each level, the last of them for all that follow; None
    for as many as usual. The final has `final_least` to `final_most` players, fewer only to spare heats of two. Raises
    `Impossible` `too_few_players`, `bounds_crossed` (for `most` as for the final), or `advance_too_large` with the
    level (from 1), its smallest table's `size`, and the `advance` that was asked for: less than `size` would do for
    this level.
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
    """Give how many go through from each table where nobody says: as few as make a final; one where none can."""
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
    """Estimate when each level starts and how many minutes it takes.

    A heat takes `heat` minutes, and `at_once` tables can run at the same time (as many as there are tables or
    referees; None: all). Between two levels there are `pause` minutes. `final_minutes` gives those of the final, from
    its `target`.
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
    """Estimate how long a final to `target` points takes, by a rule of thumb.

    A round brings its winner 25 points for each other player. When the first reaches the target the others have half of
    it on average, so target x (players + 1) / 2 points have been won by then. A round takes 2 minutes and one more for
    each player.
    """
    won = target * (players + 1)
    a_round = 2 * POINTS_OF_A_HAND * (players - 1)
    return -(-won // a_round) * (2 + players)


def target_minutes(players: int, least: int, most: int | None) -> dict[int, int]:
    """Estimate how many minutes a final of so many players takes, by the targets from `least` to `most` that people
    choose from; empty for fewer than two players."""
    return {
        points: final_minutes(players, points)
        for points in TARGETS
        if least <= points <= (most or points) and players > 1
    }


def proposed_target(minutes: Mapping[int, int]) -> int | None:
    """Propose the highest of these targets that is won within an hour, by its `minutes`; the lowest where none is."""
    return max(
        (points for points in minutes if minutes[points] <= LONG_ENOUGH), default=min(minutes, default=None)
    )
