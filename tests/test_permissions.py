"""Who may do what: the table of actions and roles, and what a role, a table and a user's state make of it."""

from uuid import uuid4

import pytest
from django.contrib.auth.models import AnonymousUser

from tests.support.factories import StaffFactory, UserFactory, event, running_match
from tournament import actions
from tournament.models import Membership
from tournament.permissions import BY_LINK, LEAST_ROLE, RANK, may, may_somewhere, rank

pytestmark = pytest.mark.django_db

Role = Membership.Role
AT_A_TABLE = {action for action, least in LEAST_ROLE.items() if least == Role.TABLE_REFEREE}
HEAD = {action for action, least in LEAST_ROLE.items() if least == Role.HEAD_REFEREE}


def test_every_action_has_its_least_role() -> None:
    """But creating a tournament, in which nobody has a role yet. What is made of several actions asks for none."""
    offered = {name for name in actions.__all__ if hasattr(getattr(actions, name), "__wrapped__")}
    assert LEAST_ROLE.keys() == offered - {"create_tournament"} - BY_LINK
    assert offered >= BY_LINK


def test_playing_is_a_table_referees_and_setting_up_an_organisers() -> None:
    assert {"record_round", "correct_game", "void_play", "remove_player", "stop_match"} <= AT_A_TABLE
    assert {
        "enter_players",
        "grant_role",
        "finish_stage",
        "seat_table",
    } <= LEAST_ROLE.keys() - AT_A_TABLE - HEAD


@pytest.mark.parametrize(
    ("role", "allowed"),
    [
        (Role.ORGANISER, set(LEAST_ROLE)),
        (Role.HEAD_REFEREE, AT_A_TABLE | HEAD),
        (Role.TABLE_REFEREE, AT_A_TABLE),
    ],
)
def test_a_role_may_what_the_lesser_ones_may(role: Role, allowed: set[str]) -> None:
    made = running_match(players=2)
    user = made.referee(role)
    assert {action for action in LEAST_ROLE if may(user, action, made.tournament)} == allowed
    assert {action for action in LEAST_ROLE if may(user, action, made.tournament, made.table.uid)} == allowed


def test_a_table_referee_may_at_the_own_table_only() -> None:
    made = running_match(players=4, tables=2)
    here, there = made.tables
    user = made.referee(Role.TABLE_REFEREE, here)
    assert {action for action in LEAST_ROLE if may(user, action, made.tournament, here.uid)} == AT_A_TABLE
    assert not any(may(user, action, made.tournament, there.uid) for action in LEAST_ROLE)
    assert not any(may(user, action, made.tournament) for action in LEAST_ROLE)
    assert not any(may(user, action, made.tournament, uuid4()) for action in LEAST_ROLE)


def test_who_may_at_one_table_may_somewhere() -> None:
    made = running_match(players=4, tables=2)
    at_table, anywhere = made.referee("table_referee", made.tables[1]), made.referee("table_referee")
    elsewhere = running_match()
    for user in (at_table, anywhere, made.user):
        assert may_somewhere(user, "record_round", made.tournament)
        assert may_somewhere(user, "enter_players", made.tournament) is (user == made.user)
    assert not may_somewhere(at_table, "record_round", elsewhere.tournament)
    assert not may_somewhere(UserFactory(), "record_round", made.tournament)


def test_staff_referee_any_event_and_superusers_do_everything() -> None:
    made = event()
    assert rank(StaffFactory(), made.tournament) == RANK[Role.HEAD_REFEREE]
    assert rank(UserFactory(is_superuser=True), made.tournament) == RANK[Role.ORGANISER]
    assert all(may(UserFactory(is_superuser=True), action, made.tournament) for action in LEAST_ROLE)


def test_the_highest_role_counts() -> None:
    made = running_match(players=2)
    user = made.referee(Role.TABLE_REFEREE, made.table)
    made.act(actions.grant_role, membership=uuid4(), user=user.uid, role=Role.ORGANISER)
    assert rank(user, made.tournament) == RANK[Role.ORGANISER]


@pytest.mark.parametrize("state", [{"is_staff": True}, {"is_superuser": True}, {}])
def test_an_inactive_user_may_nothing(state: dict[str, bool]) -> None:
    made = event()
    user = UserFactory(**state)
    made.act(actions.grant_role, membership=uuid4(), user=user.uid, role=Role.ORGANISER)
    user.is_active = False
    user.save()
    assert rank(user, made.tournament) == 0
    assert not any(may(user, action, made.tournament) for action in LEAST_ROLE)


def test_nobody_and_somebody_elsewhere_may_nothing() -> None:
    made, elsewhere = event(), event()
    for user in (AnonymousUser(), elsewhere.referee(Role.ORGANISER)):
        assert rank(user, made.tournament) == 0
        assert not any(may(user, action, made.tournament) for action in LEAST_ROLE)


def test_an_action_of_no_known_name_is_nobodys() -> None:
    assert not may(UserFactory(is_superuser=True), "delete_everything", event().tournament)
