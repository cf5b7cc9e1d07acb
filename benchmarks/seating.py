"""Drawing seats, beside shuffling and dealing the same people without looking at anything.

    python -m benchmarks.seating [seconds] [most players]

A draw has ten groups, ten pairs to keep apart, and the meetings, places and neighbours of three games before. Both
sides run in turn in the same process, each case for that many seconds (3), and the best of the turns counts.
"""

import time
from collections.abc import Callable
from random import Random

from benchmarks._figures import report, run
from tournament.seating import Person, beside_in, draw, even_sizes, met_in, positions_in, repeated

GAMES = 3  # before
CASES = [(24, 4), (60, 10), (500, 167), (500, 84), (500, 50), (500, 20), (500, 2)]  # players, tables


def prepared(players: int, tables: int) -> tuple[Callable[[], list[list[int]]], int]:
    """The draw of the next game, ready to be timed, and how many meetings it repeats."""
    chance = Random(players)
    people = [Person(number, number, f"club {chance.randrange(10)}") for number in range(1, players + 1)]
    apart = [tuple(chance.sample(range(1, players + 1), 2)) for _ in range(10)]
    past: list[list[list[int]]] = []

    def drawn() -> list[list[int]]:
        return draw(
            people,
            even_sizes(players, tables),
            f"game {len(past) + 1}",
            apart=apart,
            met=met_in(past),
            positions=positions_in(past),
            beside=beside_in(past),
        )

    for _ in range(GAMES):
        past.append(drawn())
    again = repeated(met_in([*past, drawn()])) - repeated(met_in(past))
    return drawn, again


def reference(players: int, tables: int) -> Callable[[], list[list[int]]]:
    """The same people shuffled and dealt."""

    def shuffled() -> list[list[int]]:
        order = list(range(1, players + 1))
        Random("seed").shuffle(order)
        return [order[first::tables] for first in range(tables)]

    return shuffled


def timed(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def main(seconds: float = 3.0, most_players: int = 500) -> None:
    for players, tables in CASES:
        if players > most_players:
            continue
        drawn, again = prepared(players, tables)
        shuffled = reference(players, tables)
        best = dealt = float("inf")
        end = time.perf_counter() + seconds
        while dealt == float("inf") or time.perf_counter() < end:
            best = min(best, timed(drawn))
            dealt = min(dealt, timed(shuffled))
        print(f"{players} players at {tables} tables: {again:,} repeated meetings")
        report(
            f"{players} players drawn for {tables} tables", best * 1e3, "ms",
            reference=dealt * 1e3, beside="shuffled and dealt",
        )  # fmt: skip


if __name__ == "__main__":
    run(main, 0.0, 60)
