"""The first account of a new installation: made once, by whoever has the link that the server prints."""

import pytest
from django.test import Client

from tests.support.factories import UserFactory
from tournament.actions.people.sign_in import make_first_account
from tournament.models import User
from tournament.queries.installation import first_account_token

pytestmark = pytest.mark.django_db

STRONG = "correct-horse-battery"


def address() -> str:
    return f"/en/first/{first_account_token()}/"


def test_link_makes_an_account_that_runs_everything_and_signs_in(client: Client) -> None:
    assert client.get(address()).status_code == 200
    answer = client.post(address(), {"username": "aino", "password1": STRONG, "password2": STRONG})
    assert (answer.status_code, answer["Location"]) == (302, "/en/organise/")
    user = User.objects.get()
    assert (user.username, user.is_superuser, user.is_staff) == ("aino", True, True)
    assert client.get("/en/organise/").status_code == 200


@pytest.mark.parametrize(
    ("password", "again", "said"),
    [
        ("lastcard", "lastcard", "anyone would try"),
        (STRONG, "other", "didn’t match"),
        ("", "", "required"),
    ],
)
def test_weak_or_mistyped_password_is_said_at_its_field_and_the_name_stays(
    client: Client, password: str, again: str, said: str
) -> None:
    answer = client.post(address(), {"username": "aino", "password1": password, "password2": again})
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert 'value="aino"' in answer.content.decode()
    assert not User.objects.exists()


def test_link_leads_to_the_sign_in_once_somebody_can_sign_in(client: Client) -> None:
    UserFactory()
    for answer in (client.get(address()), client.post(address(), {"username": "b"})):
        assert (answer.status_code, answer["Location"]) == (302, "/en/sign-in/")
    assert make_first_account(username="b", password=STRONG) is None
    assert User.objects.count() == 1


def test_guests_do_not_count_since_they_cannot_sign_in(client: Client) -> None:
    guest = User(username="guest")
    guest.set_unusable_password()
    guest.save()
    assert client.get(address()).status_code == 200


def test_link_of_nobody_is_unknown(client: Client) -> None:
    assert client.get(f"/en/first/{'A' * 43}/").status_code == 404
