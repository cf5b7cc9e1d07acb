"""Who may do what: one table of actions and the least role that may call them.

An organiser may do what a head referee may, and a head referee what a table referee may. A table referee acts
at their own tables. Staff users referee any event as head referees; superusers may do everything.
"""

from uuid import UUID

from tournament.models import Membership, Organiser, Tournament, User

Role = Membership.Role
RANK = {Role.TABLE_REFEREE: 1, Role.HEAD_REFEREE: 2, Role.ORGANISER: 3}

LEAST_ROLE = {
    "start_game": Role.TABLE_REFEREE,
    "set_game_start": Role.TABLE_REFEREE,
    "record_out": Role.TABLE_REFEREE,
    "record_give_up": Role.TABLE_REFEREE,
    "eject_player": Role.TABLE_REFEREE,
    "take_back": Role.TABLE_REFEREE,
    "join_game": Role.TABLE_REFEREE,
    "end_game": Role.TABLE_REFEREE,
    "record_game": Role.TABLE_REFEREE,
    "record_round": Role.TABLE_REFEREE,
    "record_heat": Role.TABLE_REFEREE,
    "correct_game": Role.TABLE_REFEREE,
    "correct_round": Role.TABLE_REFEREE,
    "correct_heat": Role.TABLE_REFEREE,
    "void_play": Role.TABLE_REFEREE,
    "revert_play": Role.TABLE_REFEREE,
    "move_play": Role.TABLE_REFEREE,  # at both tables
    "name_roles": Role.TABLE_REFEREE,
    "remove_player": Role.TABLE_REFEREE,
    "player_leaves": Role.TABLE_REFEREE,
    "readmit_player": Role.TABLE_REFEREE,
    "stop_match": Role.TABLE_REFEREE,
    "resume_match": Role.TABLE_REFEREE,
    "record_penalty": Role.TABLE_REFEREE,
    "warn_player": Role.TABLE_REFEREE,
    "record_dispute": Role.TABLE_REFEREE,
    "record_ruling": Role.TABLE_REFEREE,  # for the whole event a head referee
    "withdraw_incident": Role.TABLE_REFEREE,
    "call_referee": Role.TABLE_REFEREE,
    "take_back_call": Role.TABLE_REFEREE,
    "answer_call": Role.TABLE_REFEREE,  # one for the head referee only they
    "accept_play": Role.TABLE_REFEREE,  # and not who entered it
    "contest_play": Role.TABLE_REFEREE,
    "accept_proposal": Role.TABLE_REFEREE,
    "decline_proposal": Role.TABLE_REFEREE,
    "renew_link_of_table": Role.HEAD_REFEREE,
    "ask_second_look": Role.ORGANISER,
    "ask_second_look_at": Role.ORGANISER,
    "edit_tournament": Role.ORGANISER,
    "enter_players": Role.ORGANISER,
    "edit_entry": Role.ORGANISER,
    "withdraw_entry": Role.ORGANISER,
    "erase_person": Role.ORGANISER,
    "check_in": Role.HEAD_REFEREE,
    "undo": Role.HEAD_REFEREE,  # and the least role of the action that is undone
    "take_back_check_in": Role.HEAD_REFEREE,
    "comes_late": Role.HEAD_REFEREE,
    "no_show": Role.HEAD_REFEREE,
    "walk_in": Role.ORGANISER,
    "merge_entries": Role.ORGANISER,
    "same_person": Role.ORGANISER,
    "plan_stage": Role.ORGANISER,
    "set_stage_settings": Role.ORGANISER,
    "seat_table": Role.ORGANISER,
    "seat_stage": Role.ORGANISER,
    "keep_apart": Role.ORGANISER,
    "no_longer_apart": Role.ORGANISER,
    "fill_stage": Role.ORGANISER,
    "name_reserves": Role.ORGANISER,
    "keep_finalists": Role.ORGANISER,
    "swap_finalist": Role.ORGANISER,
    "call_reserve": Role.ORGANISER,
    "set_levels": Role.ORGANISER,
    "set_programme": Role.ORGANISER,
    "publish_programme": Role.ORGANISER,
    "start_stage": Role.ORGANISER,
    "finish_stage": Role.ORGANISER,
    "reopen_stage": Role.ORGANISER,
    "freeze_standings": Role.ORGANISER,
    "begin_reveal": Role.ORGANISER,
    "reveal_next": Role.ORGANISER,
    "lift_freeze": Role.ORGANISER,
    "grant_role": Role.ORGANISER,
    "put_away": Role.ORGANISER,
    "bring_back": Role.ORGANISER,
    "revoke_role": Role.ORGANISER,
    "tick": Role.HEAD_REFEREE,
    "untick": Role.HEAD_REFEREE,
    "set_decks": Role.ORGANISER,
    "create_invite": Role.ORGANISER,
    "revoke_invite": Role.ORGANISER,
    "post_referees": Role.ORGANISER,
    "set_registration": Role.ORGANISER,
    "approve_entries": Role.HEAD_REFEREE,
    "decline_entry": Role.ORGANISER,
    "take_from_waiting": Role.ORGANISER,
    "renew_link": Role.ORGANISER,
    "add_screen": Role.ORGANISER,
    "set_screen": Role.ORGANISER,
    "remove_screen": Role.ORGANISER,
    "add_webhook": Role.ORGANISER,
    "set_webhook": Role.ORGANISER,
    "remove_webhook": Role.ORGANISER,
    "try_webhook": Role.ORGANISER,
    "send_again": Role.ORGANISER,
}

# What a link lets its holder do (tournament/links.py): the action itself asks for the link or for an open registration.
BY_LINK = frozenset(
    {
        "take_role",
        "say_hello",
        "register",
        "check_in_self",
        "come_late",
        "cancel_self",
        "leave_self",
        "come_back_self",
        "change_own_entry",
        "erase_self",
        "accept_play_at_table",
        "contest_play_at_table",
        "call_at_table",
        "propose_result",
        "withdraw_proposal",
    }
)


def may(user: User, action: str, tournament: Tournament, table: UUID | None = None) -> bool:
    """Whether the user may call the action in this tournament; `table` is the table it is called for, if any. A
    rehearsal that was put away can only be brought back.

    An action without a row in the table is nobody's, but for those of `BY_LINK`, which a newcomer does in no name of
    their own.
    """
    if tournament.put_away and action != "bring_back":
        return False
    if action in BY_LINK:
        return user.is_active and not user.is_newcomer
    least = LEAST_ROLE.get(action)
    if least is None or not user.is_active:
        return False
    return user.is_superuser or RANK[least] <= rank(user, tournament, table)


def may_somewhere(user: User, action: str, tournament: Tournament) -> bool:
    """Whether there is a table, or the event as a whole, for which the user may call the action in this tournament."""
    tables = Membership.objects.filter(user=user, tournament=tournament, table__isnull=False)
    return any(
        may(user, action, tournament, table) for table in (None, *tables.values_list("table__uid", flat=True))
    )


def rank(user: User, tournament: Tournament, table: UUID | None = None) -> int:
    """The rank of the user's highest role here; 0 for somebody without one."""
    if not user.is_authenticated or not user.is_active:
        return 0
    if user.is_superuser:
        return RANK[Role.ORGANISER]
    ranks = [RANK[Role.HEAD_REFEREE]] if user.is_staff else []
    memberships = Membership.objects.filter(user=user, tournament=tournament).select_related("table")
    ranks += [
        RANK[Role(membership.role)]
        for membership in memberships
        if membership.table is None or membership.table.uid == table
    ]
    return max(ranks, default=0)


def has_role(user: User | None, tournament: Tournament) -> bool:
    """Whether the user has any role here, be it at one table."""
    if user is None or not user.is_active:
        return False
    roles = Membership.objects.filter(user=user, tournament=tournament)
    return user.is_staff or user.is_superuser or roles.exists()


def may_list(user: User, organiser: Organiser) -> bool:
    """Whether the user may show an event of this organiser in the list of tournaments: staff may, and others once
    staff have listed one, so that a guest's table does not list itself."""
    return user.is_staff or Tournament.objects.filter(organiser=organiser, listed=True).exists()
