"""Drawing all games of an evening at once, beside drawing the same games one after another.

    python -m benchmarks.evening [seeds] [most players]

Repeats are the sum of m(m-1)/2 over all pairs for their m meetings, in the mean of so many seeds (5).
"""

import time

from benchmarks._figures import report, run
from tournament.seating import (
    Person,
    beside_in,
    draw,
    draw_evening,
    even_sizes,
    met_in,
    positions_in,
    repeats_in,
)

# Players, tables, games and the most repeats wanted. A sum over pairs of games can be no less than these, or 0.
AIMS = [
    (24, 4, 4, 48),
    (30, 5, 5, 50),
    (26, 4, 4, 60),
    (24, 6, 7, 10),
    (25, 5, 6, 0),
    (15, 5, 7, 0),
    (16, 4, 5, 0),
    (60, 10, 6, 0),
]
CASES = [*AIMS, (200, 50, 30, 0)]


def in_turn(people: list[Person[int]], tables: int, games: int, seed: str) -> list[list[list[int]]]:
    """The reference: each game drawn when the ones before it are known."""
    past: list[list[list[int]]] = []
    for game in range(games):
        drawn = draw(
            people,
            even_sizes(len(people), tables),
            f"{seed} {game}",
            met=met_in(past),
            positions=positions_in(past),
            beside=beside_in(past),
        )
        past.append(drawn)
    return past


def main(seeds: float = 5, most_players: int = 200) -> None:
    for players, tables, games, most in CASES:
        if players > most_players:
            continue
        people = [Person(number, number) for number in range(1, players + 1)]
        repeats = reference = seconds = reference_seconds = 0.0
        for seed in map(str, range(int(seeds))):
            begin = time.perf_counter()
            at_once = draw_evening(people, tables, games, seed)
            middle = time.perf_counter()
            one_by_one = in_turn(people, tables, games, seed)
            seconds += (middle - begin) / seeds
            reference_seconds += (time.perf_counter() - middle) / seeds
            repeats += repeats_in(at_once) / seeds
            reference += repeats_in(one_by_one) / seeds
        name, beside = f"{players} players, {tables} tables, {games} games", "one after another"
        report(f"{name}: repeats", repeats, "pairs", reference=reference, beside=beside, aim=f"<= {most}")
        report(f"{name}: time", seconds, "s", reference=reference_seconds, beside=beside, aim="< 10 s")


if __name__ == "__main__":
    run(main, 1, 16)
