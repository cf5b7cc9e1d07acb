"""Entries handed over from another phone: shown to those who may enter them, before anything is stored."""

import json
import re
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.desk import as_referee, hands, text
from tests.support.factories import Event, UserFactory, running_match, running_session, started_game
from tournament.models import LedgerRow, Play
from tournament.views.entry.outbox import AT_TABLE, IN_PLAY

pytestmark = pytest.mark.django_db

HERE = reverse("desk-hand-over")


def handed(client: Client, table: object, kind: str, url: str, fields: dict[str, Any]) -> str:
    """Give the page's text for such an entry of another phone; or the answer to sending it."""
    command = fields.setdefault("command", str(uuid4()))
    pairs = [[name, str(value)] for name, value in fields.items()]
    entry = {"command": command, "kind": kind, "url": url, "fields": pairs, "queued": 1}
    body = json.dumps({"user": "", "now": 1, "entries": [entry]})
    return text(client.post(f"{HERE}?table={table}", body, content_type="application/json"))


def a_round(match: Event, **more: Any) -> dict[str, Any]:
    first, *others = match.uids
    held = hands(*((each, "7", 2) for each in others))
    return {"play": uuid4(), "number": 1, "version": 0, "winner": first, "last_count": 1, **held, **more}


def test_a_round_is_shown_with_what_follows_and_nothing_is_stored() -> None:
    match = running_match()
    client, rows = as_referee(match), LedgerRow.objects.filter(action="record_round")
    url = reverse("table-record", args=[match.table.uid])
    page = handed(client, match.table.uid, "round", url, a_round(match))
    assert "data-may" in page
    assert "won" in page
    assert "New standings" in page
    wrong = handed(client, match.table.uid, "round", url, a_round(match, winner=""))
    assert "data-at" in wrong
    assert not rows.exists()
    assert not Play.objects.exists()


def test_a_tap_is_shown_also_where_its_game_waits_on_the_other_phone() -> None:
    session = running_session()
    fields = {"entry": session.uids[0], "elapsed_s": 754, "ago": 2}
    page = handed(as_referee(session), session.table.uid, "out", reverse("play-out", args=[uuid4()]), fields)
    assert "data-may" in page
    assert "10:34" in page


def test_what_is_on_the_server_needs_no_taking_over() -> None:
    session = running_session()
    play = started_game(session)
    command = str(LedgerRow.objects.get(action="start_game").command)
    url = reverse("table-start", args=[session.table.uid])
    fields = {"command": command, "play": play, "number": 1}
    page = handed(as_referee(session), session.table.uid, "start", url, fields)
    assert "This entry is on the server." in page
    assert "data-may" not in page


def test_nobody_else_is_told_what_it_is() -> None:
    match = running_match()
    outsider = Client()
    outsider.force_login(UserFactory())
    url = reverse("table-record", args=[match.table.uid])
    for client in (outsider, Client()):
        page = handed(client, match.table.uid, "round", url, a_round(match))
        assert "data-may" not in page
        assert match.tournament.name not in page
    assert "data-take-over" in text(Client().get(HERE))


@pytest.mark.parametrize(
    "body", ["", "x", "[]", '{"user": "", "now": 1, "entries": []}', '{"user": 1}', "[" * 5000]
)
def test_no_hostile_code_breaks_the_page(body: str) -> None:
    client = as_referee(running_match())
    page = client.post(HERE, body, content_type="application/json")
    assert page.status_code == 200
    assert "data-may" not in text(page)


def test_half_a_letter_is_refused() -> None:
    session = running_session()
    url = reverse("play-out", args=[started_game(session)])
    fields = {"command": str(uuid4()), "entry": str(session.uids[0]), "at": "\ud800"}
    page = handed(as_referee(session), session.table.uid, "out", url, fields)
    assert "data-may" not in page


def test_a_code_says_its_own_table() -> None:
    match = running_match()
    other = running_match()
    client = as_referee(match)
    url = reverse("table-record", args=[other.table.uid])
    for table in (match.table.uid, other.table.uid, "x"):
        assert "data-may" not in handed(client, table, "round", url, a_round(match))


def test_the_addresses_made_from_a_kind_are_the_servers() -> None:
    source = Path("tournament/static/lastcard/js/outbox/payload.js").read_text()
    ways = re.findall(r'^  (\w+): \["(table|play)", "([\w-]+)"\],$', source, re.MULTILINE)
    assert {kind for kind, _of, _way in ways} == {*AT_TABLE, *IN_PLAY}
    uid = uuid4()
    for kind, of, way in ways:
        assert (of == "table") == (kind in AT_TABLE)
        assert reverse(f"{of}-{way}", args=[uid]).endswith(f"/desk/{of}/{uid}/{way}/")
