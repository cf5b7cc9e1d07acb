"""Which actions are taken back from their ledger row, and who may."""

from datetime import timedelta

from tournament.models import Membership, Tournament, User
from tournament.permissions import LEAST_ROLE, RANK, rank

WITHIN = timedelta(days=1)
UNDO = "undo"

# Why an action is not taken back here; tournament/words/faults.py says it (`WHY_NOT`).
AT_TABLE = "at_table"  # the table's own page corrects or voids it
COME_BACK = "come_back"  # the player's own page: they leave and come back by actions of their own
AGAIN = "again"  # it is set anew on its page; names and texts are not in the ledger
WHOLE_EVENT = "whole_event"
NAMES_GONE = "names_gone"  # what it took away had a name
LINKS = "links"  # a link that was ended or is in somebody's hands, or a role that came by it

# Taken back from the ledger row, whatever it touched.
UNDONE = frozenset(
    {
        "enter_players",
        "walk_in",
        "merge_entries",
        "approve_entries",
        "decline_entry",
        "take_from_waiting",
        "check_in",
        "take_back_check_in",
        "comes_late",
        "no_show",
        "keep_apart",
        "no_longer_apart",
        "plan_stage",
        "seat_table",
        "seat_stage",
        "fill_stage",
        "name_reserves",
        "keep_finalists",
        "swap_finalist",
        "call_reserve",
        "set_levels",
        "set_programme",
        "publish_programme",
        "start_stage",
        "finish_stage",
        "reopen_stage",
        "ask_second_look",
        "grant_role",
        "revoke_role",
        "revoke_invite",
        "post_referees",
        "tick",
        "untick",
        "set_decks",
        UNDO,
    }
)

NOT_UNDONE: dict[str, str] = {
    "create_tournament": WHOLE_EVENT,
    "edit_tournament": AGAIN,
    "put_away": WHOLE_EVENT,
    "bring_back": WHOLE_EVENT,
    "set_registration": AGAIN,
    "edit_entry": AGAIN,
    "same_person": AGAIN,
    "set_stage_settings": AGAIN,
    "freeze_standings": AGAIN,
    "begin_reveal": AGAIN,
    "reveal_next": AGAIN,
    "lift_freeze": AGAIN,
    "withdraw_entry": NAMES_GONE,
    "erase_person": NAMES_GONE,
    "erase_self": NAMES_GONE,
    "create_invite": LINKS,
    "take_role": LINKS,
    "say_hello": LINKS,
    "renew_link": LINKS,
    "register": COME_BACK,
    "change_own_entry": COME_BACK,
    "cancel_self": COME_BACK,
    "check_in_self": COME_BACK,
    "come_late": COME_BACK,
    "leave_self": COME_BACK,
    "come_back_self": COME_BACK,
    "name_roles": AT_TABLE,
    "start_game": AT_TABLE,
    "set_game_start": AT_TABLE,
    "record_out": AT_TABLE,
    "record_give_up": AT_TABLE,
    "eject_player": AT_TABLE,
    "take_back": AT_TABLE,
    "join_game": AT_TABLE,
    "end_game": AT_TABLE,
    "record_game": AT_TABLE,
    "correct_game": AT_TABLE,
    "record_round": AT_TABLE,
    "correct_round": AT_TABLE,
    "stop_match": AT_TABLE,
    "resume_match": AT_TABLE,
    "record_heat": AT_TABLE,
    "correct_heat": AT_TABLE,
    "void_play": AT_TABLE,
    "ask_second_look_at": AT_TABLE,
    "accept_play": AT_TABLE,
    "contest_play": AT_TABLE,
    "accept_proposal": AT_TABLE,
    "decline_proposal": AT_TABLE,
    "accept_play_at_table": AT_TABLE,
    "contest_play_at_table": AT_TABLE,
    "call_at_table": AT_TABLE,
    "propose_result": AT_TABLE,
    "withdraw_proposal": AT_TABLE,
    "renew_link_of_table": LINKS,
    "revert_play": AT_TABLE,
    "move_play": AT_TABLE,
    "record_penalty": AT_TABLE,
    "warn_player": AT_TABLE,
    "record_dispute": AT_TABLE,
    "record_ruling": AT_TABLE,
    "withdraw_incident": AGAIN,
    "add_screen": AGAIN,
    "set_screen": AGAIN,
    "remove_screen": AGAIN,
    "add_webhook": AGAIN,
    "set_webhook": AGAIN,
    "remove_webhook": AGAIN,
    "try_webhook": AGAIN,
    "send_again": AGAIN,
    "call_referee": AT_TABLE,
    "take_back_call": AT_TABLE,
    "answer_call": AT_TABLE,
    "remove_player": COME_BACK,
    "player_leaves": COME_BACK,
    "readmit_player": COME_BACK,
}


def may_undo(user: User, action: str, tournament: Tournament) -> bool:
    """Whether the user may take this action back: whoever may do it may; what players do by a link, an organiser."""
    return rank_to_undo(action) <= rank(user, tournament)


def rank_to_undo(action: str) -> int:
    """The least rank (tournament/permissions.py) of who may take this action back."""
    return max(RANK[LEAST_ROLE[UNDO]], RANK[LEAST_ROLE.get(action, Membership.Role.ORGANISER)])
