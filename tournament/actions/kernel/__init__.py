"""Shared parts of all actions.

work        frame: one command, one transaction, one ledger row guests      limits without an account refusing
refusals before writing entries     lookup, waiting list plays       load, check, store ejections   incidents of
ejections seating     bulk seating unchanged   arguments left out of edits put_back    restore rows from ledger
facts
"""

from tournament.server.first_use import offered_on_first_use

with offered_on_first_use():
    from tournament.actions.kernel.ejections import follow_removal, say_why
    from tournament.actions.kernel.entries import (
        entries_named,
        entry_fault,
        entry_named,
        last_start_number,
        move_up,
        move_up_before_play,
        state_at_first,
    )
    from tournament.actions.kernel.guests import count, refuse_more
    from tournament.actions.kernel.plays import (
        ANY_VERSION,
        answer,
        answer_contest,
        call_for_help,
        conflict,
        correct,
        note_who_left,
        open_call,
        open_table,
        play_named,
        played_table,
        plays_seen,
        record,
        refuse_second,
        refuse_stale,
        refuse_taken,
        settle_and_store,
        store,
        store_departures,
        store_moved,
        table_named,
    )
    from tournament.actions.kernel.refusing import (
        check,
        check_public,
        faults_of,
        first_wrong,
        fit,
        or_refuse,
        planned_for,
        refuse,
        refuse_if,
    )
    from tournament.actions.kernel.seating import Room, keep_draw, players_to_seat
    from tournament.actions.kernel.unchanged import UNCHANGED, Unchanged, chosen
    from tournament.actions.kernel.work import (
        LONGEST_NOTE,
        Command,
        Receipt,
        Work,
        action,
        do_elsewhere,
        do_within,
        founding_action,
        writing,
    )

__all__ = [
    "ANY_VERSION",
    "LONGEST_NOTE",
    "UNCHANGED",
    "Command",
    "Receipt",
    "Room",
    "Unchanged",
    "Work",
    "action",
    "answer",
    "answer_contest",
    "call_for_help",
    "check",
    "check_public",
    "chosen",
    "conflict",
    "correct",
    "count",
    "do_elsewhere",
    "do_within",
    "entries_named",
    "entry_fault",
    "entry_named",
    "faults_of",
    "first_wrong",
    "fit",
    "follow_removal",
    "founding_action",
    "keep_draw",
    "last_start_number",
    "move_up",
    "move_up_before_play",
    "note_who_left",
    "open_call",
    "open_table",
    "or_refuse",
    "planned_for",
    "play_named",
    "played_table",
    "players_to_seat",
    "plays_seen",
    "record",
    "refuse",
    "refuse_if",
    "refuse_more",
    "refuse_second",
    "refuse_stale",
    "refuse_taken",
    "say_why",
    "settle_and_store",
    "state_at_first",
    "store",
    "store_departures",
    "store_moved",
    "table_named",
    "writing",
]
