"""Symmetric seats of an evening with few repeated meetings: starts of a search.

| design | where |
| --- | --- |
| one of each row of people at each table, moving on by the number of their row | `shifted` |
| with a prime number of tables, and the rows as one more game: an affine plane, where all meet once | `shifted` |
| a starter: one game, whose people all move on by one in each game (Kirkman's 15 schoolgirls, 1850) | `turned` |

Source: C. J. Colbourn, J. H. Dinitz (ed.), Handbook of Combinatorial Designs, 2nd ed. 2007, VI.50 and VI.55. The
starters were found by annealing exchanges of two people.
"""

Games = list[list[list[int]]]  # people (from 0) by game and table

# First game by people, tables and games. No two meet again.
STARTERS = {
    (15, 5, 7): [[6, 11, 14], [0, 1, 3], [2, 9, 13], [4, 10, 12], [5, 7, 8]],
    (16, 4, 5): [[3, 8, 12, 15], [5, 6, 11, 13], [2, 4, 10, 14], [0, 1, 7, 9]],
    (24, 6, 7): [
        [2, 9, 18, 21], [3, 7, 17, 22], [6, 11, 16, 23], [8, 14, 15, 19], [4, 10, 12, 13], [0, 1, 5, 20],
    ],
    (24, 8, 11): [
        [0, 20, 22], [5, 21, 23], [7, 14, 19], [8, 11, 18], [12, 13, 15], [1, 10, 16], [4, 9, 17], [2, 3, 6],
    ],
    (27, 6, 5): [
        [2, 9, 12, 20, 25], [0, 8, 13, 15, 26], [1, 5, 6, 19, 23], [4, 10, 11, 16], [3, 17, 22, 24],
        [7, 14, 18, 21],
    ],
    (27, 9, 13): [
        [11, 18, 26], [2, 12, 24], [13, 14, 17], [3, 16, 22], [6, 21, 23], [1, 10, 15], [4, 20, 25], [8, 9, 19],
        [0, 5, 7],
    ],
}  # fmt: skip


def shifted(people: int, tables: int, games: int) -> Games:
    """Rows of people in order, of each of which every table gets one; larger tables first."""
    rows = [list(range(first, min(first + tables, people))) for first in range(0, people, tables)]
    drawn = [rows] if people == tables * tables else []
    for game in range(games - len(drawn)):
        seats: list[list[int]] = [[] for _ in range(tables)]
        for before, row in enumerate(rows):
            for place, person in enumerate(row):
                seats[(place + game * before) % tables].append(person)
        drawn.append(sorted(seats, key=len, reverse=True))
    return drawn


def turned(people: int, tables: int, games: int) -> Games:
    """A starter, whose people move on by one, modulo `games`; those left over stay. Empty if none is known."""
    starter = STARTERS.get((people, tables, games), [])
    moving = people - people % games
    return [
        [[p if p >= moving else p - p % games + (p + game) % games for p in table] for table in starter]
        for game in range(games if starter else 0)
    ]
