"""Seating: table sizes, draws, re-seating, heats up to the final.

Pure and deterministic: standard library only, no database, clock or own randomness. Raises `Impossible` with code
and feasible numbers.

| rule | where |
| --- | --- |
| table sizes | `plan_tables` (sizes.py) |
| repeatable draw by SHA-256 | `draw` (drawing.py) |
| separate pairs | `draw` (apart.py) |
| spread groups, then new company | `draw` (drawing.py, search.py) |
| new positions, neighbours | `draw` (positions.py) |
| past seatings | `met_in`, `positions_in`, `beside_in` (met.py) |
| all games of an evening at once; repair | `draw_evening`, `repair_evening` (evening.py) |
| stored draw | `DrawRecord` (record.py) |
| after no-shows: fewest moves | `level` (levelling.py) |
| levels, durations | `levels`, `expected_minutes` (heat_levels.py) |
| final's target | `target_minutes`, `proposed_target` (heat_levels.py) |
| deal in start order | `deal` (sizes.py) |
"""

from tournament.seating.drawing import Levelling, Move, Person, draw, level
from tournament.seating.evening import draw_evening, repair_evening, repeats_in
from tournament.seating.heat_levels import (
    COMFORTABLE,
    MOST_TABLES,
    Expected,
    Impossible,
    Level,
    Minutes,
    Sizes,
    deal,
    even_sizes,
    expected_minutes,
    final_minutes,
    levels,
    plan_tables,
    proposed_target,
    target_minutes,
)
from tournament.seating.positions import beside_in, met_in, positions_in, repeated
from tournament.seating.record import DrawRecord, Moved
from tournament.seating.search import Progress

__all__ = [
    "COMFORTABLE",
    "MOST_TABLES",
    "DrawRecord",
    "Expected",
    "Impossible",
    "Level",
    "Levelling",
    "Minutes",
    "Move",
    "Moved",
    "Person",
    "Progress",
    "Sizes",
    "beside_in",
    "deal",
    "draw",
    "draw_evening",
    "even_sizes",
    "expected_minutes",
    "final_minutes",
    "level",
    "levels",
    "met_in",
    "plan_tables",
    "positions_in",
    "proposed_target",
    "repair_evening",
    "repeated",
    "repeats_in",
    "target_minutes",
]
