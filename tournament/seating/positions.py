"""Who sits where at a table: nobody in an old place or beside an old neighbour, if it can be helped.

| rule | where |
| --- | --- |
| the order is drawn | `chance.lot` of `seed:seat:number`, smallest first |
| nobody sits in a place again while another is free | `_fewest_again`: the cheapest assignment, exactly |
| neighbours change where possible, without giving that up | `_new_neighbours` |
"""

from collections.abc import Iterator, Mapping, Sequence

from tournament.seating.company import neighbours

Cost = Sequence[Sequence[int]]
_TRIES = 40  # trades tried for each player of a table


def seat(
    table: Sequence[int],
    positions: Mapping[int, Mapping[int, int]],
    beside: Mapping[int, Mapping[int, int]],
    chance: Iterator[int],
) -> list[int]:
    """The players of a table (by index, in the order drawn) in the order in which they sit.

    `positions` says how often each sat in each position (from 1), `beside` how often beside whom.
    """
    again = [
        [_square(positions.get(player, {}).get(at, 0)) for at in range(1, len(table) + 1)] for player in table
    ]
    order = list(range(len(table)))
    if any(map(any, again)):
        order = _fewest_again(again, order)
    if len(table) > 3 and any(player in beside for player in table):  # at smaller tables all are neighbours
        old = [[beside.get(player, {}).get(other, 0) for other in table] for player in table]
        order = _new_neighbours(order, again, old, chance)
    return [table[index] for index in order]


def _square(times: int) -> int:
    return times * times


def _fewest_again(again: Cost, order: Sequence[int]) -> list[int]:
    """Who sits in each position at the least sum of costs: the Hungarian method, a player at a time as drawn.

    A newcomer takes a seat along the cheapest chain of people who each move on to another seat. `outside` is a seat
    beyond the last, where the newcomer stands.
    """
    count = outside = len(order)
    never = 1 + count * (1 + max(map(max, again)))
    of_player, of_seat = [0] * count, [0] * (count + 1)  # the prices that keep every chain's cost at least 0
    sits: list[int | None] = [None] * (count + 1)
    for newcomer in order:
        sits[outside] = newcomer
        cheapest, moved_from = [never] * count, [outside] * count
        done: list[int] = []
        ahead = set(range(count))
        seat = outside
        while (player := sits[seat]) is not None:
            done.append(seat)
            for at in ahead:
                cost = again[player][at] - of_player[player] - of_seat[at]
                if cost < cheapest[at]:
                    cheapest[at], moved_from[at] = cost, seat
            following = min(
                ahead, key=lambda at: (cheapest[at], sits[at] is not None, (at - newcomer) % count)
            )
            step = cheapest[following]
            for at in done:
                of_player[_known(sits[at])] += step
                of_seat[at] -= step
            for at in ahead:
                cheapest[at] -= step
            ahead.discard(following)
            seat = following
        while seat != outside:
            sits[seat] = sits[moved_from[seat]]
            seat = moved_from[seat]
    return [_known(player) for player in sits[:count]]


def _known(player: int | None) -> int:
    assert player is not None
    return player


def _new_neighbours(order: Sequence[int], again: Cost, old: Cost, chance: Iterator[int]) -> list[int]:
    """Trades of two places that make fewer old neighbours, none that makes more people sit in an old place."""
    now, count = list(order), len(order)
    heavy = sum(map(sum, old)) + 1

    def cost(seats: Sequence[int]) -> int:
        return sum(old[one][other] for one, other in neighbours(seats)) + heavy * sum(
            again[player][position] for position, player in enumerate(seats)
        )

    here = cost(now)
    best, least = list(now), here
    for left in range(_TRIES * count, 0, -1):
        if not least:
            break
        one, other = next(chance) % count, next(chance) % count
        now[one], now[other] = now[other], now[one]
        there = cost(now)
        if there <= here or (there < here + heavy and next(chance) % (_TRIES * count * 8) < left):
            here = there
        else:
            now[one], now[other] = now[other], now[one]
        if here < least:
            best, least = list(now), here
    return best
