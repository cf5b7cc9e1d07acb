"""Seating: how many tables, the draw, re-seating, and the plan of heats to the final.

Pure: standard library only, no database, no clock, no randomness of its own. The same arguments give the same answer
on every machine; an impossible request raises `Impossible` with a code and the numbers that would do.

| rule | where |
| --- | --- |
| how many tables and their sizes, from players, tables and referees | `plan_tables` (sizes.py) |
| a draw that anybody can repeat from its seed | `draw` (drawing.py), chance by SHA-256 |
| people kept apart never share a table, wherever that is possible | `draw` (apart.py) |
| groups spread over the tables, then new company | `draw` (drawing.py, search.py) |
| nobody in an old place or beside an old neighbour, where that is possible | `draw` (positions.py) |
| who met whom and who sat where until now | `met_in`, `positions_in`, `beside_in` (met.py) |
| the draw as it is kept and repeated, and who was moved since | `DrawRecord` (record.py) |
| after a no-show: the fewest moves, never at a table that has begun | `level` (levelling.py) |
| heats, semi-finals, final; how long they take | `levels`, `expected_minutes` (heat_levels.py) |
| the final's target by how long it takes | `target_minutes`, `proposed_target` (heat_levels.py) |
| the plain deal in start order | `deal` (sizes.py) |
"""

from tournament.seating.drawing import Person, draw
from tournament.seating.heat_levels import (
    Expected,
    Level,
    expected_minutes,
    final_minutes,
    levels,
    proposed_target,
    target_minutes,
)
from tournament.seating.levelling import Levelling, Move, level
from tournament.seating.met import beside_in, met_in, positions_in, repeated
from tournament.seating.record import DrawRecord, Moved
from tournament.seating.sizes import (
    COMFORTABLE,
    MOST_TABLES,
    Impossible,
    Sizes,
    deal,
    even_sizes,
    plan_tables,
)

__all__ = [
    "COMFORTABLE",
    "MOST_TABLES",
    "DrawRecord",
    "Expected",
    "Impossible",
    "Level",
    "Levelling",
    "Move",
    "Moved",
    "Person",
    "Sizes",
    "beside_in",
    "deal",
    "draw",
    "even_sizes",
    "expected_minutes",
    "final_minutes",
    "level",
    "levels",
    "met_in",
    "plan_tables",
    "positions_in",
    "proposed_target",
    "repeated",
    "target_minutes",
]
