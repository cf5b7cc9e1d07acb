"""The plan of the evening as a form."""

from datetime import date, datetime, time
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from tests.support.factories import event
from tournament import actions
from tournament.forms.events import EveningForm
from tournament.models import Tournament

pytestmark = pytest.mark.django_db
TYPED = {
    "players": "64",
    "most": "6",
    "final_most": "6",
    "at_once": "6",
    "minutes": "20",
    "pause": "10",
    "starts_at": "2026-11-21T18:00",
    "target": "250",
}


@pytest.fixture
def tournament() -> Tournament:
    return event("tite-2022", players=4, starts_on=date(2026, 11, 21)).tournament


def planned(tournament: Tournament, **typed: str) -> EveningForm:
    form = EveningForm(tournament, TYPED | typed)
    assert form.is_valid(), form.errors
    return form


def test_levels_have_their_times(tournament: Tournament) -> None:
    said = [
        (one.name, one.sizes, f"{one.starts_at:%H:%M}", f"{one.ends_at:%H:%M}", one.field)
        for one in planned(tournament).planned
    ]
    assert [each[:3] for each in said] == [
        ("Heats", [(9, 6), (2, 5)], "16:00"),
        ("Semi-finals", [(1, 6), (1, 5)], "16:50"),
        ("Final", [(1, 4)], "17:20"),
    ]
    assert [each[3:] for each in said][:2] == [("16:40", "advance-1"), ("17:10", "advance-2")]


@pytest.mark.parametrize(
    ("starts_at", "times"),
    [
        ("2026-10-24T22:30", ["19:30", "00:10", "00:20", "01:40", "01:50"]),
        ("2027-03-27T22:30", ["20:30", "01:10", "01:20", "02:40", "02:50"]),
    ],
    ids=["twice", "skipped"],
)
def test_plan_keeps_real_minutes_through_a_change_of_the_clocks(
    tournament: Tournament, starts_at: str, times: list[str]
) -> None:
    typed = {"starts_at": starts_at, "players": "42", "at_once": "1", "minutes": "40", "pause": "10"}
    heats, semi, final = planned(tournament, **typed).planned
    moments = [heats.starts_at, heats.ends_at, semi.starts_at, semi.ends_at, final.starts_at]
    assert [f"{at:%H:%M}" for at in moments] == times


def test_evening_begins_at_the_next_quarter_also_in_the_hour_that_occurs_twice(
    tournament: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament.starts_on = date(2026, 10, 25)
    for now, begins in (("01:05", "01:15"), ("00:50", "01:00"), ("00:05", "00:15")):
        at = datetime.fromisoformat(f"2026-10-25T{now}:30+00:00")
        monkeypatch.setattr(timezone, "now", lambda at=at: at)
        tournament.starts_at = time(1)
        assert EveningForm(tournament).data["starts_at"] == f"2026-10-25T{begins}:00+00:00"


def test_how_many_go_through_holds_for_the_levels_after_it(tournament: Tournament) -> None:
    form = planned(tournament, **{"advance-1": "2", "advance-3": "x"})
    assert form.advances == [2] * 9
    assert EveningForm(tournament, {"advance-2": "3"}).advances == [None] + [3] * 8


def test_stages_that_are_there_keep_their_uids_and_names(tournament: Tournament) -> None:
    made = event("tite-2022", players=4)
    heats, final = uuid4(), uuid4()
    made.act(actions.plan_stage, stage=heats, kind="heats", name="Morning", settings={"advance": 1})
    made.act(actions.plan_stage, stage=final, kind="final", settings={"target": 300})
    command = UUID(int=7)
    rows = planned(made.tournament).arguments(command)
    assert [(row["stage"] in {heats, final}, row["kind"], row["name"]) for row in rows] == [
        (True, "heats", "Morning"),
        (False, "heats", "Semi-finals"),
        (True, "final", ""),
    ]
    assert [row["settings"] for row in rows] == [{"advance": 1}, {"advance": 2}, {"target": 250}]
    assert (rows[0]["plan"]["most"], rows[0]["plan"]["tables"], rows[2]["plan"].get("most")) == (6, 11, None)
    assert planned(made.tournament).arguments(command) == rows
    new = planned(tournament, target="").arguments(command)
    assert len({row["stage"] for row in new}) == 3
    assert new[2]["settings"] == {}


@pytest.mark.parametrize(
    ("typed", "wrong"),
    [
        ({"starts_at": "0001-01-01T10:00"}, "starts_at"),
        ({"target": "9"}, "target"),
        ({"players": "1"}, "players"),
        ({"advance-1": "50"}, "__all__"),
    ],
)
def test_what_gives_no_plan_is_said(tournament: Tournament, typed: dict[str, str], wrong: str) -> None:
    form = EveningForm(tournament, TYPED | typed)
    assert not form.is_valid()
    assert (list(form.errors), form.planned) == ([wrong], [])


@pytest.mark.parametrize(
    ("entered", "here", "players"), [(0, 0, 24), (4, 0, 4), (6, 3, 3)], ids=["nobody", "entered", "here"]
)
def test_form_begins_with_those_who_are_there(entered: int, here: int, players: int) -> None:
    made = event("tite-2022", players=entered, starts_on=date(2026, 11, 21))
    if here:
        made.act(actions.check_in, entries=made.uids[:here])
    begun: dict[str, Any] = dict(EveningForm(made.tournament).data)
    assert (begun["players"], begun["starts_at"]) == (players, "2026-11-21T16:00:00+00:00")


@pytest.mark.parametrize(
    ("seated", "advance", "sizes"), [(False, "", [(1, 6), (1, 5)]), (True, "1", [(2, 4), (1, 3)])]
)
def test_one_that_goes_through_is_no_choice_until_there_are_seats(
    seated: bool, advance: str, sizes: list[tuple[int, int]]
) -> None:
    made = event("tite-2022", players=11)
    made.act(actions.plan_stage, stage=(heats := uuid4()), kind="heats", settings={"advance": 1})
    if seated:
        made.act(actions.seat_stage, stage=heats, tables=[{"number": 1, "entries": made.uids[:4]}])
    form = EveningForm(made.tournament)
    assert form.is_valid(), form.errors
    assert (form.planned[0].typed, form.planned[0].sizes) == (advance, sizes)


def test_form_begins_with_what_is_planned_already() -> None:
    made = event("tite-2022", starts_on=date(2026, 11, 21))
    heats, final = uuid4(), uuid4()
    made.act(actions.plan_stage, stage=heats, kind="heats", settings={"advance": 2})
    made.act(actions.plan_stage, stage=final, kind="final", settings={"target": 300})
    plan = {"starts_at": "2026-11-21T15:30:00+00:00", "players": 30, "most": 5}
    made.act(actions.set_programme, stages=[{"stage": heats, "plan": plan}])
    begun = EveningForm(made.tournament).data
    assert [begun[name] for name in ("players", "most", "advance-1", "target", "starts_at")] == [
        30,
        5,
        2,
        300,
        "2026-11-21T15:30:00+00:00",
    ]
