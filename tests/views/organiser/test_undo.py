"""Who did what, and undoing it from there: counts and names first, then the way back."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from tests.support.factories import Event, add_stage, event, recorded_heat, running_heats
from tests.support.pages import folded
from tests.views.organiser.conftest import Browser
from tournament import actions
from tournament.ledger.verify import verify
from tournament.models import Entry, LedgerRow, Seat, Stage, User

pytestmark = pytest.mark.django_db


def address(made: Event, row: int) -> str:
    return reverse("organise-undo", args=[made.tournament.slug, row])


def send(browser: Browser, page: str, **typed: str) -> Any:
    """Press Undo on the page."""
    return browser.send(page, page, **typed)


def ledger(made: Event) -> str:
    return reverse("organise-ledger", args=[made.tournament.slug])


def seated(organiser: User, players: int = 60, tables: int = 10) -> tuple[Event, int]:
    """A planned stage that was seated in one step; gives the row as well."""
    made = event("tite-2022", players=players, user=organiser)
    stage = uuid4()
    made.act(actions.plan_stage, stage=stage, kind="heats")
    made.stage = Stage.objects.get(uid=stage)
    dealt = [{"number": n, "entries": made.uids[n - 1 :: tables]} for n in range(1, tables + 1)]
    return made, made.act(actions.seat_stage, stage=stage, tables=dealt).sequence


def test_it_says_what_is_put_back_before_anything_is_written(browser: Browser, organiser: User) -> None:
    made, row = seated(organiser)
    page = browser.get(address(made, row)).content.decode()
    assert "60 players lose their seats (tables: 10)." in page
    assert "10 tables are taken away." in page
    assert "<bdi>Aino</bdi>" in page
    assert "and 48 more" in page
    assert Seat.objects.count() == 60


def test_it_promises_no_names_back(browser: Browser, organiser: User) -> None:
    made, row = seated(organiser)
    assert "Nothing is lost" in browser.get(address(made, row)).content.decode()
    entered = made.act(actions.enter_players, players=[{"entry": uuid4(), "name": "Late"}]).sequence
    page = browser.get(address(made, entered)).content.decode()
    assert "must be entered anew" in page
    assert "Nothing is lost" not in page


def test_undo_leads_back_to_where_it_was_asked_and_offers_to_undo_that(
    browser: Browser, organiser: User
) -> None:
    made, row = seated(organiser, 8, 2)
    seats = reverse("organise-stage", args=[made.stage.uid])
    page = f"{address(made, row)}?back={seats}"
    answer = send(browser, page, reason="wrong button")
    assert (answer.status_code, answer.url) == (303, f"{seats}?saved={row + 1}")
    assert not Seat.objects.exists()
    after = browser.get(answer.url).content.decode()
    assert address(made, row + 1) in after
    note = LedgerRow.objects.get(tournament=made.tournament, sequence=row + 1).note.text
    assert note == "wrong button"
    send(browser, address(made, row + 1))
    assert Seat.objects.count() == 8
    assert verify(made.refresh().tournament) == []


@pytest.mark.parametrize(
    "back", ["https://example.org/", "//example.org/", "javascript:alert(1)", "/en/desk/", "x" * 300]
)
def test_it_leads_nowhere_else(browser: Browser, organiser: User, back: str) -> None:
    made, row = seated(organiser, 8, 2)
    page = browser.get(address(made, row), {"back": back}).content.decode()
    assert f'value="{back}"' not in page
    assert f'href="{back}"' not in page or back == "/en/desk/"
    answer = browser.post(address(made, row), {"command": str(uuid4()), "back": back})
    assert answer.url == reverse("organise-board", args=[made.tournament.slug]) + f"?saved={row + 1}"


def test_what_is_gone_afterwards_is_not_shown(browser: Browser, organiser: User) -> None:
    made = event("tite-2022", players=2, user=organiser)
    stage = uuid4()
    row = made.act(actions.plan_stage, stage=stage, kind="heats").sequence
    back = reverse("organise-stage", args=[stage])
    answer = send(browser, f"{address(made, row)}?back={back}")
    assert answer.url.startswith(reverse("organise-board", args=[made.tournament.slug]))


def test_it_says_what_stands_in_the_way(browser: Browser, organiser: User) -> None:
    made, row = seated(organiser, 8, 2)
    made.act(actions.start_stage, stage=made.stage.uid)
    page = browser.get(address(made, row)).content.decode()
    assert "Outi Organiser started a stage at" in page
    assert 'name="command"' not in page
    answer = browser.post(address(made, row), {"command": str(uuid4())})
    assert answer.status_code == 422
    assert "Take that back first." in answer.content.decode()
    assert Seat.objects.count() == 8


def test_head_referees_undo_what_they_may_do(browser: Browser, organiser: User) -> None:
    made, row = seated(organiser, 8, 2)
    checked = made.act(actions.check_in, entries=made.uids).sequence
    client = Browser()
    client.force_login(made.referee("head_referee"))
    assert "You may not do this here." in client.get(address(made, row)).content.decode()
    assert client.post(address(made, row), {"command": str(uuid4())}).status_code == 403
    page = client.get(ledger(made)).content.decode()
    assert address(made, checked) in page
    assert address(made, row) not in page
    assert send(client, address(made, checked)).status_code == 303
    assert set(Entry.objects.values_list("state", flat=True)) == {"registered"}


def test_nobody_else_learns_of_it(browser: Browser, organiser: User) -> None:
    made, row = seated(organiser, 8, 2)
    stranger = Browser()
    assert stranger.get(address(made, row)).status_code == 302
    stranger.force_login(event().user)
    stranger.logout()
    client = Browser()
    client.force_login(made.referee("table_referee"))
    assert client.get(address(made, row)).status_code == 403
    assert browser.get(address(made, 9999)).status_code == 404


# ---- the ledger ----


def test_what_can_be_undone_now_has_a_button(browser: Browser, organiser: User) -> None:
    made, row = seated(organiser, 8, 2)
    checked = made.act(actions.check_in, entries=made.uids).sequence
    undone = made.act(actions.undo, row=checked).sequence
    page = browser.get(ledger(made)).content.decode()
    assert address(made, row) in page
    assert address(made, undone) in page
    assert address(made, checked) + "?" not in page
    assert f"(undone by number {undone})" in page
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
        assert "seated a stage, drawn with the seed 99941" in text
        assert "<q>" not in text
    assert 'name="reason" maxlength="500" value=""' in folded(browser.get(address(made, row)))
