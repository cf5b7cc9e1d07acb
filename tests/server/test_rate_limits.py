"""Invalid links and access tokens: only so many from one address, and somebody with a valid one still gets in."""

from uuid import uuid4

import pytest
from django.test import Client

from tests.api.championship import token_for as access_token
from tests.support.factories import UserFactory, event
from tournament.links import token_for
from tournament.server.rate_limits import WrongTokenThrottle

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
