"""The code of a table, on the phone of its referee and on paper."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.desk import as_referee, open_page, text
from tests.support.factories import running_heats, running_match
from tests.views.desk.test_second_look import tap
from tournament.links import token_for
from tournament.models import Membership

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
    assert "End the old codes" not in text(open_page(table_referee, "table-code", made.table.uid))


def test_the_codes_of_all_tables_are_printed() -> None:
    made = running_heats(players=6, tables=2)
    client = Client()
    client.force_login(made.user)
    page = client.get(reverse("organise-table-codes", args=[made.stage.uid]))
    assert page.content.decode().count('class="table-code"') == 2
    stranger = Client()
    stranger.force_login(made.referee("table_referee"))
    assert stranger.get(reverse("organise-table-codes", args=[made.stage.uid])).status_code == 403
