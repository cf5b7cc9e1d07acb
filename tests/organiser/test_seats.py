"""The seats of a stage on the organiser's page."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.urls import reverse

from tests.factories import Event, recorded_heat
from tests.organiser.conftest import Browser, Forms
from tournament import actions
from tournament.models import LedgerRow, Seat, Stage, Table

pytestmark = pytest.mark.django_db


@pytest.fixture
def heats(planned: Event) -> Event:
    uid = uuid4()
    planned.act(actions.plan_stage, stage=uid, kind="heats")
    planned.stage = Stage.objects.get(uid=uid)
    return planned


def page_of(heats: Event) -> str:
    return reverse("organise-seats", args=[heats.stage.uid])


def seats_now(heats: Event) -> dict[int, list[int]]:
    """Start numbers by table."""
    seats = Seat.objects.filter(table__stage=heats.stage).order_by("table__number", "position")
    tables: dict[int, list[int]] = {}
    for seat in seats.select_related("table", "entry"):
        tables.setdefault(seat.table.number, []).append(seat.entry.start_number)
    return tables


def deal(browser: Browser, heats: Event, query: str = "?tables=2") -> Any:
    return browser.send(page_of(heats) + query, "/seats/")


def test_first_visit_proposes_seats_and_stores_nothing(browser: Browser, heats: Event) -> None:
    page = browser.get(page_of(heats))
    assert page.context["proposed"]
    assert not Table.objects.exists()


def test_dealt_seats_are_stored_in_one_step(browser: Browser, heats: Event) -> None:
    assert deal(browser, heats).status_code == 303
    assert seats_now(heats) == {1: [1, 3, 5, 7], 2: [2, 4, 6]}
    assert LedgerRow.objects.filter(action="seat_stage").count() == 1


def test_dealing_again_takes_tables_away(browser: Browser, heats: Event) -> None:
    deal(browser, heats, "?tables=3")
    deal(browser, heats, "?tables=1")
    assert seats_now(heats) == {1: [1, 2, 3, 4, 5, 6, 7]}
    assert Table.objects.count() == 1


def test_draw_is_repeated_by_its_number(browser: Browser, heats: Event) -> None:
    deal(browser, heats, "?tables=2&order=drawn&seed=abc")
    first = seats_now(heats)
    deal(browser, heats, "?tables=2")
    assert seats_now(heats) != first
    deal(browser, heats, "?tables=2&order=drawn&seed=abc")
    assert seats_now(heats) == first
    notes = [row.note.text for row in LedgerRow.objects.filter(action="seat_stage", note__isnull=False)]
    assert notes == ["abc", "abc"]


def test_draw_that_was_changed_by_hand_is_no_draw(browser: Browser, heats: Event) -> None:
    page = page_of(heats) + "?tables=2&order=drawn&seed=abc"
    assert browser.send(page, "/seats/", **{f"table-{heats.uids[0]}": "9"}).status_code == 303
    assert not LedgerRow.objects.filter(action="seat_stage", note__isnull=False).exists()


def move(browser: Browser, heats: Event, player: int, table: str, seat: str = "") -> Any:
    uid = heats.uids[player - 1]
    return browser.send(page_of(heats), "/seats/", **{f"table-{uid}": table, f"seat-{uid}": seat})


def test_move_to_another_table_goes_before_who_had_the_seat(browser: Browser, heats: Event) -> None:
    deal(browser, heats)
    assert move(browser, heats, 1, "2", "2").status_code == 303
    assert seats_now(heats) == {1: [3, 5, 7], 2: [2, 1, 4, 6]}


def test_without_a_table_nobody_has_a_seat(browser: Browser, heats: Event) -> None:
    deal(browser, heats)
    move(browser, heats, 7, "")
    assert seats_now(heats) == {1: [1, 3, 5], 2: [2, 4, 6]}


@pytest.mark.parametrize("typed", ["x", "-1", "0", "9" * 30, "1.5", "١"])
def test_nonsense_is_said_and_kept(browser: Browser, heats: Event, typed: str) -> None:
    deal(browser, heats)
    before = seats_now(heats)
    answer = move(browser, heats, 1, typed)
    assert answer.status_code == 422
    forms = Forms(answer.content.decode()).forms
    assert forms[-1]["data"][f"table-{heats.uids[0]}"] == typed
    assert seats_now(heats) == before


@pytest.mark.parametrize(
    "query", ["?tables=x", "?tables=0", "?tables=9999999999", "?tables=2&seed=%00", "?order=x"]
)
def test_hostile_queries_give_a_page(browser: Browser, heats: Event, query: str) -> None:
    assert browser.get(page_of(heats) + query).status_code == 200


def test_table_that_has_begun_keeps_its_seats(browser: Browser, heats: Event) -> None:
    deal(browser, heats, "?tables=3")
    heats.act(actions.start_stage, stage=heats.stage.uid)
    heats.refresh()
    recorded_heat(heats, heats.tables[0])
    before = seats_now(heats)
    refused = move(browser, heats, 1, "2")
    assert refused.status_code == 422
    assert "Table 1 has begun" in refused.content.decode()
    assert seats_now(heats) == before
    assert move(browser, heats, 2, "3").status_code == 422, "one player would be left at table 2"


def test_names_are_not_seated_twice_by_a_forged_form(browser: Browser, heats: Event) -> None:
    deal(browser, heats)
    stranger = UUID(int=1)
    data = {"command": str(uuid4()), f"table-{stranger}": "1", f"table-{heats.uids[0]}": "1"}
    assert browser.post(page_of(heats), data).status_code == 303
    assert seats_now(heats) == {1: [1]}
