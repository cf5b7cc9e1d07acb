"""Attendance in rows and figures: who is here and who is expected."""

from datetime import date

import pytest

from tests.support.factories import Event, add_stage, event
from tournament import actions
from tournament.models import Entry
from tournament.pages.organiser.attendance import (
    Row,
    consent_missing,
    expected,
    figures_of,
    rows_of,
    seats_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def planned() -> Event:
    return event("tite-2022", players=4)


def entries(made: Event) -> list[Entry]:
    rows = Entry.objects.filter(tournament=made.tournament).select_related("player", "tournament")
    return list(rows.order_by("start_number"))


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", ["Aino", "Börje", "Cécile", "Dima"]),
        ("ai", ["Aino"]),
        ("3", ["Cécile"]),
        ("dima kerho", ["Dima"]),
        ("x", []),
    ],
)
def test_rows_fit_what_was_typed(planned: Event, query: str, names: list[str]) -> None:
    Entry.objects.filter(public_name="Dima").update(club="Tietokerho Kerho")
    assert [row.entry.public_name for row in rows_of(entries(planned), q=query)] == names


def test_rows_are_those_that_the_figure_counts(planned: Event) -> None:
    planned.act(actions.check_in, entries=planned.uids[:1])
    found = rows_of(entries(planned), figure="here")
    assert [(row.entry.uid, row.button) for row in found] == [(planned.uids[0], "not_here")]


@pytest.mark.parametrize(
    ("state", "button"),
    [
        ("registered", "here"),
        ("late", "here"),
        ("checked_in", "not_here"),
        ("left", "back"),
        ("no_show", "back"),
        ("applied", "arrive"),
        ("waiting", "arrive"),
        ("disqualified", ""),
        ("cancelled", ""),
    ],
)
def test_button_of_a_row_follows_from_the_state(planned: Event, state: str, button: str) -> None:
    entry = entries(planned)[0]
    entry.state = state
    assert Row(entry, entry.uid).button == button


def test_figures_leave_out_what_is_nobody() -> None:
    found = figures_of([("checked_in", False), ("registered", True), ("checked_in", True)], fees=False)
    assert [(each.key, each.count, each.text) for each in found] == [
        ("here", 2, "2 here"),
        ("expected", 1, "1 expected"),
    ]


def test_figures_of_the_fee_are_of_everybody_in_the_event_but_no_shows() -> None:
    found = figures_of(
        [("checked_in", True), ("left", False), ("no_show", False), ("waiting", False)], fees=True
    )
    assert [(each.key, each.count, each.text) for each in found[-2:]] == [
        ("paid", 1, "1 of 2 paid"),
        ("unpaid", 1, "1 unpaid"),
    ]


def test_who_comes_late_is_expected_once_nobody_else_is(planned: Event) -> None:
    planned.act(actions.comes_late, entry=planned.uids[0])
    assert [row.uid for row in expected(planned.tournament)] == planned.uids[1:]
    planned.act(actions.check_in, entries=planned.uids[1:])
    assert [row.uid for row in expected(planned.tournament)] == planned.uids[:1]


def test_seats_are_those_of_stages_that_are_not_over() -> None:
    made = add_stage(event("kpgut-2016", 4), "session", tables=2, start=False)
    (seat,) = seats_of(Entry.objects.get(uid=made.uids[3]))
    assert (seat.table.stage, seat.table.number, seat.position) == (made.stage, 2, 2)
    made.act(actions.start_stage, stage=made.stage.uid)
    made.act(actions.finish_stage, stage=made.stage.uid)
    assert seats_of(Entry.objects.get(uid=made.uids[3])) == []


def test_a_minor_without_consent_is_missing_it(planned: Event) -> None:
    entry = entries(planned)[0]
    assert not consent_missing(entry)
    entry.player.birth_date = date(entry.tournament.starts_on.year - 12, 1, 1)
    assert consent_missing(entry)
    entry.guardian = True
    assert not consent_missing(entry)
