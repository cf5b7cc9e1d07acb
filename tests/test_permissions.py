"""Permissions that actions declare, by role, table and a user's state."""

import re
from inspect import unwrap
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import AnonymousUser

from tests.support.factories import StaffFactory, UserFactory, event, running_match
from tests.support.figures.actions import actions_in
from tests.support.figures.sources import read_sources
from tournament import actions
from tournament.actions import every
from tournament.actions.kernel import work
from tournament.models import Membership, User
from tournament.permissions import (
    ACTIONS,
    RANK,
    Declaration,
    Declarations,
    may,
    may_somewhere,
    rank,
    run_by_account,
)

pytestmark = pytest.mark.django_db

Role = Membership.Role
LEAST_ROLE = {name: declared.least for name, declared in ACTIONS.items() if declared.least}
AT_A_TABLE = {action for action, least in LEAST_ROLE.items() if least == Role.TABLE_REFEREE}
HEAD = {action for action, least in LEAST_ROLE.items() if least == Role.HEAD_REFEREE}


def test_every_action_is_offered_by_the_package() -> None:
    written = actions_in(read_sources())
    assert len(written) > 100
    assert [
        f"{name}: name it in the `__all__` of its file" for name in written if not hasattr(actions, name)
    ] == []
    assert ACTIONS.keys() == written.keys() | {"create_tournament"}


def test_only_what_makes_a_tournament_asks_for_no_role_and_no_link() -> None:
    """Nobody has a role in it yet."""
    assert [
        name for name, declared in ACTIONS.items() if declared.least is None and not declared.by_link
    ] == ["create_tournament"]


WHOLE: dict[str, Any] = {"least": "organiser", "says": "removed a big screen", "undo": "again"}


@pytest.mark.parametrize(
    ("declared", "mend"),
    [
        (WHOLE | {"least": None}, "give its decorator least=... or by_link=True"),
        (WHOLE | {"by_link": True}, "give its decorator least=... or by_link=True"),
        (WHOLE | {"says": ""}, "give its decorator says=..."),
        (WHOLE | {"undo": None}, "give its decorator undo=..."),
    ],
)
def test_an_action_that_does_not_declare_everything_is_refused_with_the_mend(
    declared: dict[str, Any], mend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(work, "ACTIONS", Declarations())

    def remove_screen(_work: work.Work) -> None:
        """Declared, not called."""

    with pytest.raises(TypeError, match=f"^remove_screen: {re.escape(mend)}"):
        work.action(**declared)(remove_screen)
    work.action(**WHOLE)(remove_screen)
    with pytest.raises(TypeError, match=r"^remove_screen: another action has this name"):
        work.action(**WHOLE)(remove_screen)


def test_decorators_declare_what_they_are_given(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Declarations()
    made.complete()
    monkeypatch.setattr(work, "ACTIONS", made)

    def renew(_work: work.Work) -> None:
        """Declared, not called."""

    def found(_work: work.Work, _tournament: UUID) -> None:
        """Declared, not called."""

    asked = work.action(by_link=True, says="renewed it", undo="links")(renew)
    founding = work.founding_action(says="founded it", undo="whole_event")(found)
    assert (unwrap(asked), unwrap(founding)) == (renew, found)
    assert made == {
        "renew": Declaration(None, True, "renewed it", "links"),
        "found": Declaration(None, False, "founded it", "whole_event"),
    }


def test_declarations_are_never_read_half_filled() -> None:
    declared = Declarations()
    declared.declare("tick", "organiser", False, "ticked off", "ledger")
    for load in (None, lambda: None):
        declared.load = load
        with pytest.raises(RuntimeError):
            declared.get("tick")
    declared.load = declared.complete
    assert list(declared) == ["tick"]
    assert len(declared) == 1


def test_the_first_read_loads_every_action() -> None:
    assert ACTIONS.load
    assert ACTIONS.load() is every


def test_playing_is_a_table_referees_and_setting_up_an_organisers() -> None:
    assert {"record_round", "correct_game", "void_play", "remove_player", "stop_match"} <= AT_A_TABLE
    assert {
        "enter_players",
        "grant_role",
        "reopen_stage",
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
    users: list[Any] = [AnonymousUser(), elsewhere.referee(Role.ORGANISER)]
    for user in users:
        assert rank(user, made.tournament) == 0
        assert not any(may(user, action, made.tournament) for action in LEAST_ROLE)


def test_an_action_of_no_known_name_is_nobodys() -> None:
    assert not may(UserFactory(is_superuser=True), "delete_everything", event().tournament)


def test_an_event_is_run_by_an_account_once_somebody_with_a_password_organises_it() -> None:
    made = event()
    assert run_by_account(made.tournament)
    guest = User.objects.create(username="guest-7", password="!")  # none
    Membership.objects.filter(tournament=made.tournament).update(user=guest)
    assert not run_by_account(made.tournament)
    Membership.objects.create(tournament=made.tournament, user=UserFactory(), role=Role.HEAD_REFEREE)
    assert not run_by_account(made.tournament)
    Membership.objects.create(
        tournament=made.tournament, user=UserFactory(is_active=False), role=Role.ORGANISER
    )
    assert not run_by_account(made.tournament)
    Membership.objects.create(tournament=made.tournament, user=UserFactory(), role=Role.ORGANISER)
    assert run_by_account(made.tournament)
