# ruff: noqa: F401 - what is imported here is what the package offers
# mypy: implicit-reexport
"""The only writers: one function for each intention, one transaction, one ledger row.

Each is called as `name(Command(...), tournament_uid, argument=...)` and gives a Receipt, or raises Forbidden,
CommandReused, Conflict or Refused (tournament/results/faults.py) and stores nothing.
"""

from tournament.actions.event.advancing import (
    call_reserve,
    fill_stage,
    keep_finalists,
    name_reserves,
    swap_finalist,
)
from tournament.actions.event.apart import keep_apart, no_longer_apart
from tournament.actions.event.archives import Imported, import_event
from tournament.actions.event.checklist import say_hello, set_decks, tick, untick
from tournament.actions.event.events import create_tournament, edit_tournament
from tournament.actions.event.founding import Founded, found_event
from tournament.actions.event.freezing import begin_reveal, freeze_standings, lift_freeze, reveal_next
from tournament.actions.event.planning import PlannedStage, copy_event, plan_event
from tournament.actions.event.programme import publish_programme, set_levels, set_programme
from tournament.actions.event.registration import (
    approve_entries,
    decline_entry,
    register,
    renew_link,
    set_registration,
    take_from_waiting,
)
from tournament.actions.event.rehearsal import bring_back, put_away
from tournament.actions.event.screens import add_screen, remove_screen, set_screen
from tournament.actions.event.seats import name_roles, seat_stage, seat_table
from tournament.actions.event.stages import (
    finish_stage,
    plan_stage,
    reopen_stage,
    set_stage_settings,
    start_stage,
)
from tournament.actions.event.undo import undo
from tournament.actions.event.webhooks import (
    add_webhook,
    remove_webhook,
    send_again,
    set_webhook,
    try_webhook,
)
from tournament.actions.kernel.work import Command, Receipt
from tournament.actions.people.attendance import (
    check_in,
    comes_late,
    no_show,
    player_leaves,
    readmit_player,
    remove_player,
    take_back_check_in,
)
from tournament.actions.people.duplicates import merge_entries, same_person
from tournament.actions.people.invites import (
    Accepted,
    accept_invite,
    create_invite,
    post_referees,
    revoke_invite,
    take_role,
)
from tournament.actions.people.own_entry import (
    cancel_self,
    change_own_entry,
    check_in_self,
    come_back_self,
    come_late,
    leave_self,
)
from tournament.actions.people.personal_data import erase_person, erase_self
from tournament.actions.people.players import edit_entry, enter_players, walk_in, withdraw_entry
from tournament.actions.people.roles import grant_role, revoke_role
from tournament.actions.table.at_table import (
    accept_play_at_table,
    call_at_table,
    contest_play_at_table,
    propose_result,
    renew_link_of_table,
    withdraw_proposal,
)
from tournament.actions.table.calls import answer_call, call_referee, take_back_call
from tournament.actions.table.games import correct_game, end_game, join_game, record_game, start_game
from tournament.actions.table.heats import correct_heat, record_heat
from tournament.actions.table.incidents import (
    record_dispute,
    record_penalty,
    record_ruling,
    warn_player,
    withdraw_incident,
)
from tournament.actions.table.move_play import move_play
from tournament.actions.table.plays import revert_play, void_play
from tournament.actions.table.proposals import accept_proposal, decline_proposal
from tournament.actions.table.rounds import correct_round, record_round, resume_match, stop_match
from tournament.actions.table.second_look import (
    accept_play,
    ask_second_look,
    ask_second_look_at,
    contest_play,
)
from tournament.actions.table.taps import eject_player, record_give_up, record_out, set_game_start, take_back
from tournament.permissions import ACTIONS

ACTIONS.complete()
