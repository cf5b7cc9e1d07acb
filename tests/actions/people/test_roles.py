"""Roles in an event: given, taken back, refused."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.support.asking_actions import refusal
from tests.support.factories import (
    UserFactory,
    event,
    running_match,
)
from tournament import actions
from tournament.ledger.verify import verify
from tournament.models import Membership

pytestmark = pytest.mark.django_db


def test_roles_are_given_once_and_taken_back() -> None:
    event()  # with an organiser of its own
    made = running_match(players=2)
    user, membership = UserFactory(), uuid4()
    asked = {"user": user.uid, "role": "table_referee", "table": made.table.uid}
    made.act(actions.grant_role, membership=membership, **asked)
    assert [path for _, path in refusal(made, actions.grant_role, membership=uuid4(), **asked)] == ["/table"]
    head = {"user": user.uid, "role": "head_referee"}
    made.act(actions.grant_role, membership=uuid4(), **head)
    assert refusal(made, actions.grant_role, membership=uuid4(), **head)
    made.act(actions.revoke_role, membership=membership)
    assert refusal(made, actions.revoke_role, membership=membership) == [("unknown_role", "/membership")]
    own = Membership.objects.get(user=made.user)
    assert refusal(made, actions.revoke_role, membership=own.uid) == [("last_organiser", "/membership")]
    made.act(actions.grant_role, membership=uuid4(), user=user.uid, role="organiser")
    made.act(actions.revoke_role, membership=own.uid)
    assert verify(made.refresh().tournament) == []


@pytest.mark.parametrize(
    ("more", "path"),
    [
        ({"role": "king"}, "/role"),
        ({"role": "x" * 40}, "/role"),
        ({"user": UUID(int=7)}, "/user"),
        ({"table": UUID(int=7)}, "/table"),
    ],
)
def test_a_role_that_cannot_be_is_refused_at_its_field(more: dict[str, Any], path: str) -> None:
    made = running_match(players=2)
    asked = {"membership": uuid4(), "user": UserFactory().uid, "role": "table_referee", **more}
    assert {where for _, where in refusal(made, actions.grant_role, **asked)} == {path}


def test_an_inactive_user_gets_no_role_and_an_organiser_no_table() -> None:
    made = running_match(players=2)
    asked = {"membership": uuid4(), "role": "head_referee"}
    inactive = UserFactory(is_active=False)
    assert refusal(made, actions.grant_role, user=inactive.uid, **asked) == [("unknown_user", "/user")]
    assert refusal(made, actions.grant_role, user=UserFactory().uid, table=made.table.uid, **asked)
