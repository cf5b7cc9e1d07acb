"""The one answer: rows as facts, facts as score sheets, and what scoring answers. Other rooms import from here.

faults      errors that a person can correct, with a code, a place and parameters
kinds       the facts of each kind of stage
facts       rows as ids and numbers
typed       what somebody typed, read field by field
given       the arguments of a command, checked against their types
bridge      facts as score sheets
contests    this process's cache of the contests of a stage
settle      which plays count
answer      the one answer that all surfaces show
"""

from tournament.results.answer import (
    ContestResults,
    lowest_wins,
    scored,
    stage_contests,
    stage_results,
    target_of,
)
from tournament.results.bridge import (
    COUNTS,
    SHEET_KINDS,
    Contest,
    PlayerFacts,
    SeatFacts,
    following_number,
    in_start_order,
)
from tournament.results.contests import contest_now, contests_now
from tournament.results.facts import Hand, PlayFacts, ResultFacts, facts_of, grouped, plays_in, refs_of
from tournament.results.faults import Agreed, CommandReused, Conflict, Fault, Forbidden, Refused, Version
from tournament.results.given import GameEntry, HeatEntry, PlayEntry, RoundEntry
from tournament.results.kinds import kind_of
from tournament.results.settle import OUT_AS, Settled, check_settings, settle_back, with_departures
from tournament.results.typed import (
    OUTCOMES,
    RoundRules,
    Typed,
    hand_field,
    number_or_none,
    read_game,
    read_heat,
    read_round,
    remaining_in,
    sound_fields,
    time_text,
    typed_game,
    typed_round,
    uuid_or_none,
)

__all__ = [
    "COUNTS",
    "OUTCOMES",
    "OUT_AS",
    "SHEET_KINDS",
    "Agreed",
    "CommandReused",
    "Conflict",
    "Contest",
    "ContestResults",
    "Fault",
    "Forbidden",
    "GameEntry",
    "Hand",
    "HeatEntry",
    "PlayEntry",
    "PlayFacts",
    "PlayerFacts",
    "Refused",
    "ResultFacts",
    "RoundEntry",
    "RoundRules",
    "SeatFacts",
    "Settled",
    "Typed",
    "Version",
    "check_settings",
    "contest_now",
    "contests_now",
    "facts_of",
    "following_number",
    "grouped",
    "hand_field",
    "in_start_order",
    "kind_of",
    "lowest_wins",
    "number_or_none",
    "plays_in",
    "read_game",
    "read_heat",
    "read_round",
    "refs_of",
    "remaining_in",
    "scored",
    "settle_back",
    "sound_fields",
    "stage_contests",
    "stage_results",
    "target_of",
    "time_text",
    "typed_game",
    "typed_round",
    "uuid_or_none",
    "with_departures",
]
