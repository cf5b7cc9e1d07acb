"""Players who are removed, who leave and who come back, at their table."""

from uuid import uuid4

import pytest
from django.urls import reverse

from tests.support.desk import as_referee, hidden, open_page, text
from tests.support.factories import (
    running_match,
    running_session,
    started_game,
)
from tournament.models import Entry

pytestmark = pytest.mark.django_db


def test_a_player_is_removed_leaves_and_comes_back() -> None:
    event = running_match(players=3)
    client = as_referee(event)
    table, entry = event.table.uid, event.uids[2]
    for name, state in (("remove", "disqualified"), ("readmit", "checked_in"), ("leave", "left")):
        page = open_page(client, f"player-{name}", table, entry)
        address = reverse(f"player-{name}", args=[table, entry])
        data = {**hidden(page), "reason": "A word"}
        if name == "remove":
            refused = client.post(address, {**data, "reason": " "})
            assert refused.status_code == 422
            assert "Write a reason" in text(refused)
        assert client.post(address, data).status_code == 303, name
        assert Entry.objects.get(uid=entry).state == state
        assert client.post(address, data).status_code == 303, "pressed twice"


def test_somebody_in_a_running_game_cannot_be_removed() -> None:
    event = running_session()
    started_game(event)
    client = as_referee(event)
    address = reverse("player-remove", args=[event.table.uid, event.uids[0]])
    page = client.post(address, {"command": str(uuid4()), "reason": "x", "warned": "on"})
    assert page.status_code == 422
    assert "is playing. In that game, record that they gave up or were ejected." in text(page)
