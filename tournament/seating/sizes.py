"""How many tables, and how many players at each.

| rule | where |
| --- | --- |
| sizes differ by at most one, the larger tables first | `even_sizes` |
| as many tables as it takes that none is larger than the most, and no more | `plan_tables` |
| never more tables than there are tables or referees, never one smaller than the least | `plan_tables` |
| where that cannot be, the numbers that would do | `plan_tables` raises `Impossible` |
"""

from collections.abc import Iterator
from dataclasses import dataclass

from tournament.seating.impossible import Impossible


@dataclass(frozen=True, slots=True)
class Sizes:
    """The sizes of the tables in the order of their numbers; iterates over them, `len` is the number of tables."""

    each: tuple[int, ...]

    def __iter__(self) -> Iterator[int]:
        return iter(self.each)

    def __len__(self) -> int:
        return len(self.each)

    @property
    def players(self) -> int:
        return sum(self.each)

    @property
    def smallest(self) -> int:
        return min(self.each)

    @property
    def largest(self) -> int:
        return max(self.each)


def even_sizes(players: int, tables: int) -> Sizes:
    """So many players at exactly so many tables (at least one), the larger tables first; some are empty when there are
    more tables than players."""
    size, larger = divmod(players, tables)
    return Sizes((size + 1,) * larger + (size,) * (tables - larger))


def plan_tables(
    players: int, *, least: int, most: int, tables: int | None = None, referees: int | None = None
) -> Sizes:
    """The fewest tables at which `players` sit with `least` to `most` at each.

    `tables` and `referees` say how many there are at most, None for any number. Raises `Impossible` with
    `too_few_players`, `bounds_crossed`, `no_tables`, `too_few_tables` or `sizes_do_not_fit`.
    """
    least = max(1, least)
    if least > most:
        raise Impossible("bounds_crossed", {"least": least, "most": most})
    for by, there in (("tables", tables), ("referees", referees)):
        if there is not None and there < 1:
            raise Impossible("no_tables", {"by": by})
    if players < least:
        raise Impossible("too_few_players", {"players": players, "least": least})
    needed, bearable = -(-players // most), players // least
    have = min(there for there in (tables, referees, players) if there is not None)
    if needed <= min(have, bearable):
        return even_sizes(players, needed)
    asked: dict[str, int | str] = {"players": players, "least": least, "most": most}
    raised = -(-players // min(have, bearable))  # the least most that would do
    fewer = _way("fewer", players, -(-players // raised))
    if needed > bearable:
        more = _way("more", players, needed) if needed <= have else {}
        raise Impossible("sizes_do_not_fit", asked | fewer | more)
    by = "tables" if tables == have else "referees"
    raise Impossible(
        "too_few_tables", asked | {"have": have, "by": by} | fewer | _way("more", players, needed)
    )


def _way(name: str, players: int, tables: int) -> dict[str, int | str]:
    sizes = even_sizes(players, tables)
    return {name: tables, f"{name}_smallest": sizes.smallest, f"{name}_largest": sizes.largest}
