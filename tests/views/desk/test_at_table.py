"""The code of a table, on the phone of its referee and on paper."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.support.desk import as_referee, open_page, text
from tests.support.factories import add_stage, event, running_heats, running_match
from tests.views.desk.test_second_look import tap
from tournament import actions
from tournament.links import short_code, token_for
from tournament.models import Ask, Membership

pytestmark = pytest.mark.django_db


def test_the_code_of_a_table_is_shown_and_renewed() -> None:
    made = running_match(players=2)
    client = as_referee(made)
    old = token_for("table", made.table.uid)
    assert old in text(open_page(client, "table-code", made.table.uid))
    assert tap(client, f"table/{made.table.uid}/code/renew/").status_code == 303
    page = text(open_page(client, "table-code", made.table.uid))
    assert old not in page
    assert token_for("table", made.table.uid, 1) in page
    table_referee = as_referee(made, role=Membership.Role.TABLE_REFEREE)
    assert "Replace the old codes" not in text(open_page(table_referee, "table-code", made.table.uid))


def test_the_codes_of_all_tables_are_printed() -> None:
    made = running_heats(players=6, tables=2)
    client = Client()
    client.force_login(made.user)
    page = client.get(reverse("organise-table-codes", args=[made.stage.uid]))
    assert page.content.decode().count('class="code table-code"') == 2
    stranger = Client()
    stranger.force_login(made.referee("table_referee"))
    assert stranger.get(reverse("organise-table-codes", args=[made.stage.uid])).status_code == 403


def test_the_short_code_stands_beside_the_qr_code_and_changes_with_it() -> None:
    made = running_match(players=2)
    client = as_referee(made, role=Membership.Role.HEAD_REFEREE)
    pages = [
        reverse("table-code", args=[made.table.uid]),
        reverse("organise-table-codes", args=[made.stage.uid]),
        reverse("organise-table-sheets", args=[made.stage.uid]),
    ]
    assert all(f"testserver/{short_code(made.table.uid, 0)}" in text(client.get(page)) for page in pages)
    tap(client, f"table/{made.table.uid}/code/renew/")
    assert all(f"testserver/{short_code(made.table.uid, 1)}" in text(client.get(page)) for page in pages)
    assert all(short_code(made.table.uid, 0) not in text(client.get(page)) for page in pages)


def test_a_referee_at_the_table_is_asked_and_says_yes_or_no() -> None:
    made = running_match(players=2, tables=1)
    client = as_referee(made)
    part = reverse("table-asks", args=[made.table.uid])
    assert "<form" not in text(client.get(part))
    for yes in (True, False):
        asked = Ask.objects.create(table=made.table, number=0, at=timezone.now())
        for page in (part, reverse("table-code", args=[made.table.uid])):
            assert "Someone is asking to join table 1 from a phone" in text(client.get(page))
        fields = {"command": str(uuid4()), "ask": str(asked.uid), "yes": str(int(yes))}
        assert client.post(part, fields).status_code == 303
        assert client.post(part, fields | {"command": str(uuid4())}).status_code == 303  # answered already
        asked.refresh_from_db()
        assert asked.answer is yes
    assert client.post(part, {"ask": "x"}).status_code == 303
    assert f'data-asks="{part}"' in text(open_page(client, "table", made.table.uid))


def test_what_others_change_at_a_table_is_asked_for_without_its_page(
    django_assert_max_num_queries: Any,
) -> None:
    """All tables of a hall ask in the moment in which their stage starts: no standings, the same few queries."""
    made = add_stage(event(players=4), "match", start=False)
    client = as_referee(made)
    part = reverse("table-asks", args=[made.table.uid])
    assert "data-planned" in text(open_page(client, "table", made.table.uid))
    assert "data-planned" in text(client.get(part))
    made.act(actions.start_stage, stage=made.stage.uid)
    call = made.act(actions.call_referee, table=made.table.uid)
    assert call
    with django_assert_max_num_queries(8):
        page = text(client.get(part))
    assert "data-planned" not in page
    assert "waiting" in page
