"""Corrections at the desk: what follows is said first, everything before can be gone back to, and what was set aside is
decided; two versions side by side; who else is entering."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.support.desk import (
    as_referee,
    ended,
    hands,
    hidden,
    open_page,
    save_correction,
    text,
)
from tests.support.factories import (
    running_match,
    running_session,
)
from tournament.models import LedgerRow, Table, Typing

pytestmark = pytest.mark.django_db


# ---- the way back ----


@pytest.mark.parametrize(
    "fields", [{"to": "x"}, {"to": ""}, {"to": "9" * 30}, {"version": "x"}, {"command": ""}]
)
def test_no_hostile_field_breaks_the_way_back(fields: dict[str, str]) -> None:
    match, plays = ended(1)
    client = as_referee(match)
    sent = {"command": str(uuid4()), "version": "1", "to": "1", **fields}
    assert client.post(reverse("play-revert", args=[plays[0]]), sent).status_code in {409, 422}
    assert client.get(reverse("play-revert", args=[plays[0]])).status_code == 302


# ---- set aside ----


def test_what_was_set_aside_is_decided_before_the_stage_is_finished() -> None:
    match, plays = ended(2)
    client = as_referee(match)
    save_correction(client, plays[0], winner=str(match.uids[0]), **hands((match.uids[1], "wild", 1)))
    page = open_page(client, "table", match.table.uid)
    assert reverse("play-correct", args=[plays[1]]) in text(page)
    assert reverse("play-void", args=[plays[1]]) in text(page)
    board = Client()
    board.force_login(match.user)
    assert "On hold: " in text(board.get(reverse("organise-board", args=[match.tournament.slug])))
    void = {**hidden(open_page(client, "play-void", plays[1])), "reason": "Not played"}
    assert client.post(reverse("play-void", args=[plays[1]]), void).status_code == 303
    assert "on hold" not in text(open_page(client, "table", match.table.uid))


# ---- who else is entering ----


def tell(client: Client, table: Table, on: str = "1") -> Any:
    return client.post(reverse("table-typing", args=[table.uid]), {"on": on}).json()["others"]


def test_two_devices_at_a_table_are_told_of_each_other() -> None:
    match = running_match(players=2)
    one, other = as_referee(match), as_referee(match)
    assert tell(one, match.table) == []
    [said] = tell(other, match.table)
    assert said["text"].endswith(" is entering at this table on another phone")
    assert len(tell(one, match.table)) == 1
    assert said["text"] in text(open_page(other, "table", match.table.uid))
    tell(one, match.table, on="")
    assert tell(other, match.table) == []


def test_a_sign_holds_half_a_minute_and_is_kept_for_an_hour() -> None:
    match = running_match(players=2, tables=1)
    one, other = as_referee(match), as_referee(match)
    tell(one, match.table)
    Typing.objects.update(at=timezone.now() - timedelta(seconds=31))
    assert tell(other, match.table) == []
    assert Typing.objects.count() == 2
    Typing.objects.filter(at__lt=timezone.now() - timedelta(seconds=30)).update(
        at=timezone.now() - timedelta(minutes=61)
    )
    tell(other, match.table)
    assert Typing.objects.count() == 1


def test_typing_is_no_fact_and_nobody_elses_business() -> None:
    match = running_session(players=4, tables=2)
    here, there = match.tables
    client = as_referee(match, role="table_referee", table=here)
    rows = LedgerRow.objects.count()
    assert tell(client, here) == []
    assert LedgerRow.objects.count() == rows
    address = reverse("table-typing", args=[there.uid])
    assert client.post(address, {"on": "1"}).status_code in {403, 404}
    assert client.get(reverse("table-typing", args=[here.uid])).status_code == 302


def test_the_same_referee_on_two_devices_is_told_too() -> None:
    match = running_match(players=2)
    user = match.referee()
    one, other = Client(), Client()
    for client in (one, other):
        client.force_login(user)
    tell(one, match.table)
    assert tell(other, match.table)[0]["text"] == "You are entering results for this table on another device"
