"""The way from a POST to an action and back: receipts, refusals, the way to undo."""

from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from tests.support.desk import as_referee, filled, hands, hidden, open_page, record_url, text
from tests.support.factories import Event, event, running_match
from tournament.models import LedgerRow, Membership

pytestmark = pytest.mark.django_db


def organiser_of(made: Event) -> Client:
    client = Client()
    client.force_login(made.user)
    return client


def test_a_command_of_other_content_is_refused() -> None:
    match = running_match(players=3)
    client = as_referee(match)
    data = filled(match, open_page(client, "table", match.table.uid))
    client.post(record_url(match), {**data, "step": "save"})
    page = client.post(record_url(match), {**data, **hands((match.uids[1], "7", 2)), "step": "save"})
    assert page.status_code == 422
    assert "already sent with different content" in text(page)


@pytest.mark.parametrize("command", ["", "x"])
def test_a_form_without_a_command_does_nothing(command: str) -> None:
    made = event(players=3)
    rows = LedgerRow.objects.count()
    page = organiser_of(made).post(
        reverse("organise-apart", args=[made.tournament.slug]),
        {"command": command, "first": str(made.uids[0]), "second": str(made.uids[1])},
    )
    assert page.status_code == 422
    assert LedgerRow.objects.count() == rows


def test_a_button_opened_by_a_reload_leads_to_its_page_and_does_nothing() -> None:
    match = running_match(players=3)
    rows = LedgerRow.objects.count()
    answer = organiser_of(match).get(reverse("organise-freeze", args=[match.stage.uid]))
    assert answer["Location"] == reverse("organise-stage", args=[match.stage.uid])
    assert LedgerRow.objects.count() == rows


def test_the_page_after_an_action_says_when_and_offers_its_undo_to_who_did_it() -> None:
    made = event(players=3)
    browser, players = organiser_of(made), reverse("organise-players", args=[made.tournament.slug])
    form = {"command": str(uuid4()), "entry": str(made.uids[0])}
    done = browser.post(reverse("organise-check-in", args=[made.tournament.slug]), form)
    row = LedgerRow.objects.latest("sequence")
    assert (done.status_code, done["Location"]) == (303, f"{players}?saved={row.sequence}")
    page = browser.get(done["Location"])
    assert page.context["at"] == row.at
    undo = reverse("organise-undo", args=[made.tournament.slug, row.sequence])
    assert page.context["undo_url"] == f"{undo}?{urlencode({'back': players})}"
    other = Client()
    other.force_login(made.referee("organiser"))
    for reader, address in ((other, done["Location"]), (browser, players), (browser, f"{players}?saved=x")):
        shown = reader.get(address).context
        assert (shown["at"], shown["undo_url"]) == (None, "")


def test_a_refusal_is_shown_with_its_status_and_nothing_typed_is_lost() -> None:
    match = running_match(players=3)
    client = as_referee(match, role=Membership.Role.TABLE_REFEREE)
    form = hidden(open_page(client, "table-stop", match.table.uid))
    page = client.post(reverse("table-stop", args=[match.table.uid]), {**form, "reason": "x" * 2000})
    assert page.status_code == 422
    assert page.context["reason"] == "x" * 2000
    assert page.context["errors"]
