"""Messages of webhooks are as the OpenAPI document says."""

import json

import pytest
from django.utils import timezone

from tests.extras.programs.api.asking import plain
from tests.extras.programs.api.championship import championship
from tournament.extras.programs.api.schema import document
from tournament.extras.webhooks import queries as events
from tournament.models import Webhook


@pytest.mark.django_db
def test_messages_of_webhooks_are_documented() -> None:
    """Those of every kind that an event's ledger makes, and the test."""
    import jsonschema_rs

    made = championship()
    webhook = Webhook(tournament=made.tournament, cursor=0, kinds=[*events.TYPES])
    notices = [
        *events.notices_since(webhook, 1000)[1],
        events.test_notice(made.tournament, timezone.now()),
    ]
    data = plain(document())
    for notice in notices:
        said = json.loads(notice.body)
        message = data["webhooks"][said["type"]]["post"]["requestBody"]["content"]["application/json"]
        shape = message["schema"] | {"components": data["components"]}
        jsonschema_rs.validator_for(shape).validate(said)
        assert set(said["data"]) == set(message["schema"]["properties"]["data"]["properties"])
    assert {json.loads(notice.body)["type"] for notice in notices} == set(data["webhooks"])
