"""The rank below organiser: a guest who runs an event opens every page of it, and what needs an account says so."""

from uuid import uuid4

import pytest
from django.core.cache import caches
from django.test import Client

from tests.roles.asking import STATUS, routes
from tests.roles.table import NEEDS_ACCOUNT, OPEN, row_of
from tests.support.factories import Event, UserFactory, running_match

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

WORDS = "This needs an account. Ask whoever runs this Lastcard server for one."
DETAILS = {"name": "Club night", "starts_on": "2026-05-09", "listed": False}


@pytest.fixture
def made() -> Event:
    """An event that a guest runs, nothing of theirs counted yet."""
    for cache in ("default", "links"):
        caches[cache].clear()
    made = running_match(players=3)
    made.user.username, made.user.is_staff = "guest-7", False
    made.user.set_unusable_password()
    made.user.save()
    UserFactory(username="kim")
    return made


def of_the_event(path: str, made: Event) -> str:
    address = path.replace("<slug:slug>", made.tournament.slug)
    address = address.replace("<uuid:tournament>", str(made.tournament.uid))
    return address if address.startswith("/api/") else f"/en{address}"


@pytest.mark.sweep
def test_a_guest_opens_what_an_organiser_opens(made: Event) -> None:
    client = Client()
    client.force_login(made.user)
    wrong = []
    for route in routes():
        row = row_of(route.path)
        mine = route.path.startswith(("/organise/", "/desk/", "/api/v1/tournaments"))
        if row and mine and {*route.parts} <= {"slug", "tournament"}:
            said = STATUS.get(client.get(of_the_event(route.path, made)).status_code, OPEN)
            if said != row["GET"].organiser:
                wrong.append(f"{route.path}: {said}, not {row['GET'].organiser}")
    assert wrong == []


@pytest.mark.parametrize("path", NEEDS_ACCOUNT)
def test_what_needs_an_account_says_so_and_stores_nothing(path: str, made: Event) -> None:
    client = Client()
    client.force_login(made.user)
    address, said = of_the_event(path, made), dict(NEEDS_ACCOUNT[path])
    before = made.refresh().tournament.version
    if path.startswith("/api/"):
        send = client.patch if path.endswith("<uuid:tournament>") else client.post
        body = said | (
            {"user": str(UserFactory().uid)} if "role" in said else DETAILS | {"ruleset": "mattel-108"}
        )
        if send == client.patch:
            body.pop("ruleset")
        headers = {"Idempotency-Key": str(uuid4()), "If-Match": "*"}
        answer = send(address, body, "application/json", headers=headers)
        assert [error["code"] for error in answer.json()["errors"]] == ["account_needed"]
    else:
        answer = client.post(address, said | {"command": str(uuid4())})
    assert answer.status_code == 422
    assert WORDS in answer.content.decode()
    assert made.refresh().tournament.version == before


def test_pages_offer_a_guest_nothing_that_needs_an_account(made: Event) -> None:
    client = Client()
    client.force_login(made.user)
    slug = made.tournament.slug
    for page, field in (
        (f"t/{slug}/roles", 'name="username"'),
        (f"t/{slug}/edit", 'name="slug"'),
        ("new", 'name="organiser_name"'),
    ):
        content = client.get(f"/en/organise/{page}/").content.decode()
        assert WORDS in content, page
        assert field not in content, page
