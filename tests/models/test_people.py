"""Users: how they are named, and who among them has no account."""

from uuid import uuid4

import pytest

from tournament.models import User
from tournament.models.people import NEWCOMER, OWN_LINK


@pytest.mark.parametrize(
    ("username", "full_name", "shown"),
    [
        ("kim", "", "kim"),
        ("kim", "Kim Korhonen", "Kim Korhonen"),
        (OWN_LINK, "", "the player"),
        (f"{OWN_LINK}:{uuid4()}", "", "the player"),
        (f"{OWN_LINK}s", "", f"{OWN_LINK}s"),
    ],
    ids=["username", "name", "own link", "own link of another installation", "somebody called so"],
)
def test_user_is_named_by_the_full_name_else_the_username_but_for_own_links(
    username: str, full_name: str, shown: str
) -> None:
    first, _, last = full_name.partition(" ")
    user = User(username=username, first_name=first, last_name=last)
    assert user.display_name() == shown
    assert user.writes_by_link == (shown == "the player")


def test_newcomer_is_known_by_the_username() -> None:
    assert User(username=f"{NEWCOMER}7").is_newcomer
    assert not User(username="guest-7").is_newcomer


def test_guest_is_somebody_without_a_password() -> None:
    guest, account, host = User(username="guest-7"), User(username="kim"), User(username="practice-7")
    for user in (guest, account, host):
        user.set_unusable_password()
    assert (guest.is_guest, account.is_guest, host.is_guest) == (True, False, False)
    guest.set_password("seven tables of eight")
    assert not guest.is_guest
