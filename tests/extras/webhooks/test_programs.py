"""Webhooks are managed by the API as on their pages."""

from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.extras.programs.api.asking import ask, read
from tests.extras.programs.api.championship import token_for
from tests.extras.programs.api.sending import read as read_answer, send
from tests.extras.programs.api.test_programs import bearer
from tests.support.factories import UserFactory, event, webhook_of
from tournament.models import Delivery, Webhook

pytestmark = pytest.mark.django_db


def test_a_webhook_is_added_tried_changed_and_removed(client: Client) -> None:
    made, key = event(), uuid4()
    secret = token_for(made.user)
    where = f"tournaments/{made.tournament.uid}"
    arguments = {"address": "https://board.example/hook", "kinds": ["stages", "results"]}
    first, again = (send(client, made, "add_webhook", arguments, key=key, secret=secret) for _ in range(2))
    row = Webhook.objects.get()
    assert (first.status_code, read_answer(first)["made"], read_answer(first)["secret"]) == (
        201,
        str(row.uid),
        row.secret,
    )
    assert (read_answer(again)["replayed"], "secret" in read_answer(again)) == (True, False)
    listed = ask(client, f"{where}/webhooks", bearer(secret))
    assert [each["kinds"] for each in read_answer(listed)["results"]] == [["results", "stages"]]
    assert row.secret not in listed.content.decode()
    assert send(client, made, "try_webhook", {"webhook": row.uid}, secret=secret).status_code == 200
    (sent,) = read(client, f"{where}/deliveries", bearer(secret), webhook=row.uid)["results"]
    assert (sent["kind"], sent["state"], sent["webhook"]) == ("test", "waiting", str(row.uid))
    Delivery.objects.update(state=Delivery.State.GIVEN_UP)
    assert send(client, made, "send_again", {"delivery": sent["uid"]}, secret=secret).status_code == 200
    assert read(client, f"{where}/deliveries", bearer(secret), state="waiting")["count"] == 1
    change = {"webhook": row.uid, "kinds": ["incidents"], "paused": True}
    assert send(client, made, "set_webhook", change, secret=secret).status_code == 200
    assert read(client, f"{where}/webhooks", bearer(secret))["results"][0]["paused"]
    assert send(client, made, "remove_webhook", {"webhook": row.uid}, secret=secret).status_code == 200
    assert read(client, f"{where}/webhooks", bearer(secret))["results"] == []


def test_lists_cost_the_same_queries_for_three(client: Client) -> None:
    made = event()
    secret, costs = token_for(made.user), []
    read(client, "me", bearer(secret))  # notes that the token is used
    for wanted in (1, 3):
        while made.tournament.webhooks.count() < wanted:
            webhook_of(made)
        with CaptureQueriesContext(connection) as queries:
            for name in ("webhooks", "deliveries"):
                found = read(client, f"tournaments/{made.tournament.uid}/{name}", bearer(secret))
                assert found["count"] == wanted
        costs.append(len(queries))
    assert costs[0] == costs[1]


@pytest.mark.parametrize("name", ["webhooks", "deliveries"])
def test_webhooks_are_the_organisers_in_the_scope_organise(client: Client, name: str) -> None:
    made = event()
    where = f"tournaments/{made.tournament.uid}/{name}"
    for user, scope, status in (
        (made.user, "enter", 403),
        (made.referee("head_referee"), "organise", 403),
        (UserFactory(), "organise", 404),
    ):
        assert ask(client, where, bearer(token_for(user, scope))).status_code == status
