"""Seating: table sizes, draws, re-seating, heats up to the final.

Pure and deterministic: standard library only, no database, clock or own randomness. Raises `Impossible` with code
and feasible numbers.

| rule | where |
| --- | --- |
| table sizes, levels, durations, the final's target | heat_levels.py |
| proposed chains of stages, with minutes | chains.py |
| one repeatable draw; fewest moves after no-shows | drawing.py (positions.py) |
| all games of an evening at once; repair | evening.py (search.py) |
| stored draw, also of an evening (`python -m tournament.seating`) | record.py |
| past seatings | positions.py |
"""

from tournament.seating.chains import Step, chains
from tournament.seating.drawing import Levelling, Move, Person, draw, level
from tournament.seating.evening import MOST_GAMES, draw_evening, repair_evening, repeats_in
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
    "MOST_GAMES",
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
    "Step",
    "beside_in",
    "chains",
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
