"""`manage.py up`: where it listens, what it says, and what newcomers are offered."""

from typing import Any

import pytest

from tests.support.factories import UserFactory
from tournament.management.commands.up import first_account_words, offer_practice
from tournament.models import User

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def test_it_is_said_until_somebody_can_sign_in() -> None:
    guest = User(username="guest")
    guest.set_unusable_password()
    guest.save()
    assert "createsuperuser" in (first_account_words() or "")
    UserFactory()
    assert first_account_words() is None


@pytest.mark.parametrize(
    ("said", "demo", "offered"), [(None, True, True), (None, False, False), (False, True, False), (True, False, True)],
    ids=["with the demo", "elsewhere", "no", "yes"],
)  # fmt: skip
def test_switch_follows_the_demo_unless_it_is_said(
    settings: Any, said: bool | None, demo: bool, offered: bool
) -> None:
    settings.TRY = said
    offer_practice(demo=demo)
    assert settings.TRY is offered
