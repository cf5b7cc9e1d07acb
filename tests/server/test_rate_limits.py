"""Rate limits: whom each counts together, and what a stranger can neither use up nor wash out.

Of invalid links and access tokens only so many from one address, and somebody with a valid one still gets in.
"""

from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.core.cache import caches
from django.test import Client

from tests.extras.programs.api.championship import token_for as access_token
from tests.support.factories import UserFactory, event
from tournament.links import token_for
from tournament.server.rate_limits import (
    LinkThrottle,
    PageThrottle,
    PracticeThrottle,
    WrongTokenThrottle,
    asking_from,
    place_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WrongTokenThrottle, "rate", "3/min")


@pytest.mark.parametrize(
    "wrong",
    ["/en/p/{}/", "/en/i/{}/", "/en/at/{}/", "/en/hello/{}/"],
    ids=["own-link", "invite", "table", "hello"],
)
def test_links_that_do_not_hold_are_limited_by_address_and_one_that_holds_opens(wrong: str) -> None:
    made = event(players=2)
    own = f"/en/p/{token_for('player', made.uids[0], made.entries[0].link_number)}/"
    tried = [Client().get(wrong.format(token_for("player", uuid4()))) for _ in range(4)]
    assert [each.status_code for each in tried] == [404, 404, 404, 429]
    assert 1 <= int(tried[3]["Retry-After"]) <= 60
    assert f"Wait {tried[3]['Retry-After']} seconds" in tried[3].content.decode()
    assert Client().get(own).status_code == 200
    assert Client().get(wrong.format("x"), REMOTE_ADDR="192.0.2.7").status_code == 404, "another address"


def test_access_tokens_that_do_not_hold_are_limited_by_address_and_one_that_holds_reads() -> None:
    token = access_token(UserFactory())

    def ask(secret: str) -> int:
        return Client().get("/api/v1/tournaments", headers={"Authorization": f"Bearer {secret}"}).status_code

    assert [ask(f"lc_{number}") for number in range(4)] == [401, 401, 401, 429]
    assert ask(token) == 200


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.1"),
        ("2001:db8:0:1:aaaa::1", "2001:db8:0:1::/64"),
        ("2001:db8:0:1:bbbb::2", "2001:db8:0:1::/64"),
        ("", ""),
    ],
    ids=["v4", "mapped", "v6", "v6-neighbour", "none"],
)
def test_place_of_an_address(address: str, place: str) -> None:
    assert place_of(address).replace("c000:201", "192.0.2.1") == place


def allowed(throttle: PageThrottle, address: str) -> bool:
    """Whether a request from there is within the limit."""
    token = asking_from.set(place_of(address))
    try:
        return throttle.allows()
    finally:
        asking_from.reset(token)


def test_addresses_of_one_customer_share_one_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PracticeThrottle, "rate", "3/day")
    asked = [f"2001:db8:0:7::{number:x}" for number in range(1, 7)]
    assert [allowed(PracticeThrottle(), each) for each in asked] == [True] * 3 + [False] * 3
    assert allowed(PracticeThrottle(), "2001:db8:0:8::1"), "another customer"


def test_made_up_links_leave_no_counts_of_their_own() -> None:
    links: Any = caches["links"]
    links.clear()
    for _number in range(3):
        Client().post(f"/en/p/{token_for('player', uuid4())}/")
        Client().post(f"/en/at/{token_for('table', uuid4())}/call/")
    assert len(links._cache) == 0  # one entry for each count


def test_counts_of_one_kind_do_not_wash_out_those_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PracticeThrottle, "rate", "1/day")
    assert allowed(PracticeThrottle(), "192.0.2.9")
    options: Any = settings.CACHES["default"]["OPTIONS"]
    for number in range(options["MAX_ENTRIES"] + 1):
        allowed(LinkThrottle(f"{number}"), "192.0.2.9")
    assert not allowed(PracticeThrottle(), "192.0.2.9")
