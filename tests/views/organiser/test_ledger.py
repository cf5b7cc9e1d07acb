"""The ledger in words, filtered, with a button where a row can be undone."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tests.support.factories import Event, add_stage, event, recorded_heat, running_heats
from tests.support.pages import folded
from tests.views.organiser.conftest import Browser
from tests.views.organiser.test_undo import address, ledger, seated
from tournament import actions
from tournament.models import LedgerRow, User

pytestmark = pytest.mark.django_db


def test_what_can_be_undone_now_has_a_button(browser: Browser, organiser: User) -> None:
    made, row = seated(organiser, 8, 2)
    checked = made.act(actions.check_in, entries=made.uids).sequence
    undone = made.act(actions.undo, row=checked).sequence
    page = browser.get(ledger(made)).content.decode()
    assert address(made, row) in page
    assert address(made, undone) in page
    assert address(made, checked) + "?" not in page
    assert f"(undone by row {undone})" in page
    assert address(made, 1) + "?" not in page


def test_after_a_day_nothing_has_a_button(
    browser: Browser, organiser: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, row = seated(organiser, 8, 2)
    later = timezone.now() + timedelta(days=1, minutes=1)
    monkeypatch.setattr(timezone, "now", lambda: later)
    assert address(made, row) not in browser.get(ledger(made)).content.decode()


def test_fifty_rows_a_page(browser: Browser, organiser: User) -> None:
    made = event(players=2, user=organiser)
    for _time in range(60):
        made.act(actions.check_in, entries=made.uids)
    first = browser.get(ledger(made))
    assert first.content.decode().count('id="row-') == 50
    second = browser.get(ledger(made), {"page": "2", "did": "check_in"}).content.decode()
    assert second.count('id="row-') == 10
    assert "?page=1&amp;did=check_in" in second


def test_filtered_by_person_action_and_table(browser: Browser, organiser: User) -> None:
    made = running_heats(players=6, tables=2)
    organiser.is_superuser = True
    organiser.save()
    for table in made.tables:
        recorded_heat(made, table)

    def rows(**wanted: str) -> list[int]:
        page = browser.get(ledger(made), wanted).context
        return [line["row"].sequence for line in page["lines"]]

    last = LedgerRow.objects.filter(tournament=made.tournament).count()
    assert rows(did="record_heat") == [last, last - 1]
    assert rows(who=str(organiser.uid)) == []
    assert rows(who=str(made.user.uid), did="record_heat") == [last, last - 1]
    assert rows(table=str(made.tables[1].uid)) == [last, last - 3]
    assert rows(table="nothing", who="x", did="1;2")[0] == last
    lines = browser.get(ledger(made), {"table": str(made.tables[1].uid)}).context["lines"]
    assert {line["where"] for line in lines} == {"Table 2"}


def test_the_ledger_asks_as_often_for_many_rows_as_for_few(browser: Browser, organiser: User) -> None:
    made = add_stage(event("tite-2022", players=12, user=organiser), "heats", tables=3)
    asked = []
    for table in made.tables:
        recorded_heat(made, table)
        made.act(actions.check_in, entries=made.uids[:3])
        made.referee("table_referee", table)
        with CaptureQueriesContext(connection) as queries:
            browser.get(ledger(made))
        asked.append(len(queries))
    assert len(set(asked)) == 1, asked
    assert asked[0] <= 20


def test_seed_of_a_draw_is_no_reason(browser: Browser, organiser: User) -> None:
    made, _row = seated(organiser, 8, 2)
    dealt = [{"number": 1, "entries": made.uids}]
    row = made.act(actions.seat_stage, stage=made.stage.uid, tables=dealt, seed="99941").sequence
    for page in (ledger(made), address(made, row)):
        text = browser.get(page).content.decode()
        assert "seated the players of a stage, drawn with the seed 99941" in text
        assert "<q>" not in text
    assert 'name="reason" maxlength="500" value=""' in folded(browser.get(address(made, row)))


def test_ledger_says_who_did_what(browser: Browser, planned: Event, organiser: User) -> None:
    page = browser.get(reverse("organise-ledger", args=[planned.tournament.slug]))
    lines = page.context["lines"]
    assert [line["row"].sequence for line in lines] == [2, 1]
    assert {line["who"] for line in lines} == {"Outi Organiser"}
    assert "added players" in page.content.decode()
    assert LedgerRow.objects.count() == 2
    for query in ("?page=2", "?page=0", "?page=x"):
        assert browser.get(page.request["PATH_INFO"] + query).status_code == 200
