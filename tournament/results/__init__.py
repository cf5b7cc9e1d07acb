"""The one answer: rows as facts, facts as score sheets, and what scoring answers. Other rooms import from here.

faults      errors that a person can correct, with a code, a place and parameters
kinds       the facts of each kind of stage
facts       rows as ids and numbers
typed       what somebody typed, read field by field
given       the arguments of a command, checked against their types
bridge      facts as score sheets
contests    this process's cache of the contests of a stage
settling    which plays count
answer      the one answer that all surfaces show
"""

from tournament.server.first_use import offered_on_first_use

with offered_on_first_use():
    from tournament.results.answer import (
        ContestResults,
        lowest_wins,
        places_gained,
        points_missing,
        scored,
        stage_contests,
        stage_results,
        target_of,
    )
    from tournament.results.bridge import (
        COUNTS,
        ROWS,
        SHEET_KINDS,
        Contest,
        PlayerFacts,
        SeatFacts,
        contests_of,
        following_number,
        in_start_order,
        parted,
        sheet_of,
    )
    from tournament.results.contests import contest_now, contests_now
    from tournament.results.facts import (
        Hand,
        PlayFacts,
        ResultFacts,
        columns,
        facts_of,
        grouped,
        in_order,
        plays_in,
        refs_of,
        starts_of,
        values_in,
        values_of,
    )
    from tournament.results.faults import (
        Agreed,
        CommandReused,
        Conflict,
        Fault,
        Forbidden,
        Refused,
        Version,
    )
    from tournament.results.given import GameEntry, HeatEntry, PlayEntry, RoundEntry, ids, seated_at, whole
    from tournament.results.kinds import SETTINGS, kind_of
    from tournament.results.settling import (
        OUT_AS,
        Settled,
        check_settings,
        ejection_before,
        settle,
        settle_back,
        with_departures,
    )
    from tournament.results.typed import (
        OUTCOMES,
        RoundRules,
        Typed,
        hand_field,
        number_or_none,
        read_game,
        read_hands,
        read_heat,
        read_round,
        remaining_in,
        sound_fields,
        time_text,
        typed_game,
        typed_heat,
        typed_round,
        uuid_or_none,
    )

__all__ = [
    "COUNTS",
    "OUTCOMES",
    "OUT_AS",
    "ROWS",
    "SETTINGS",
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
    "columns",
    "contest_now",
    "contests_now",
    "contests_of",
    "ejection_before",
    "facts_of",
    "following_number",
    "grouped",
    "hand_field",
    "ids",
    "in_order",
    "in_start_order",
    "kind_of",
    "lowest_wins",
    "number_or_none",
    "parted",
    "places_gained",
    "plays_in",
    "points_missing",
    "read_game",
    "read_hands",
    "read_heat",
    "read_round",
    "refs_of",
    "remaining_in",
    "scored",
    "seated_at",
    "settle",
    "settle_back",
    "sheet_of",
    "sound_fields",
    "stage_contests",
    "stage_results",
    "starts_of",
    "target_of",
    "time_text",
    "typed_game",
    "typed_heat",
    "typed_round",
    "uuid_or_none",
    "values_in",
    "values_of",
    "whole",
    "with_departures",
]
