"""The programme as a form."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest

from tests.support.factories import Event, event
from tournament import actions
from tournament.forms.programme import ProgrammeForm
from tournament.queries.programme import Part, programme as programme_of

pytestmark = pytest.mark.django_db
ZONE = ZoneInfo("Europe/Helsinki")
BEGIN = datetime(2026, 5, 9, 15, 0, tzinfo=UTC)


@pytest.fixture
def parts() -> tuple[Part, ...]:
    """Heats at 18:00 and a final at 19:00, in Helsinki."""
    made: Event = event("tite-2022", players=4)
    plans = {}
    for kind, minutes in (("heats", 0), ("final", 60)):
        plans[uuid4()] = {"starts_at": (BEGIN + timedelta(minutes=minutes)).isoformat(), "minutes": 40}
        made.act(actions.plan_stage, stage=list(plans)[-1], kind=kind)
    made.act(actions.set_programme, stages=[{"stage": uid, "plan": plan} for uid, plan in plans.items()])
    return programme_of(made.tournament).parts


def read(parts: tuple[Part, ...], **typed: str) -> ProgrammeForm:
    """Read a form with these texts for the first part, and `along`."""
    along = {"along": typed.pop("along")} if "along" in typed else {}
    return ProgrammeForm.read(
        parts, ZONE, along | {f"{name}-{parts[0].stage.uid}": text for name, text in typed.items()}
    )


def test_parts_are_shown_as_they_are_planned(parts: tuple[Part, ...]) -> None:
    heats, final = ProgrammeForm.read(parts, ZONE, {}).rows
    empty = {"players": "", "tables": "", "most": ""}
    assert heats.values == {"minutes": "40", "starts_at": "2026-05-09T18:00", **empty}
    assert [name for name, *_rest in heats.counts] == ["minutes", "players", "tables", "most"]
    assert [name for name, *_rest in final.counts] == ["minutes", "players", "tables"]
    assert final.key == str(parts[1].stage.uid)


def test_what_was_not_typed_stays(parts: tuple[Part, ...]) -> None:
    assert (read(parts).plans, read(parts, minutes="40", starts_at="2026-05-09T18:00").plans) == ([], [])
    changed = read(parts, minutes="30", players="8")
    assert [(plan["stage"], plan["plan"]["minutes"], plan["plan"]["players"]) for plan in changed.plans] == [
        (parts[0].stage.uid, 30, 8)
    ]


@pytest.mark.parametrize(("along", "moved"), [({}, 1), ({"along": "1"}, 2)])
def test_later_parts_move_along_where_that_is_asked_for(
    parts: tuple[Part, ...], along: dict[str, str], moved: int
) -> None:
    form = read(parts, starts_at="2026-05-09T18:10", **along)
    starts = [datetime.fromisoformat(plan["plan"]["starts_at"]) for plan in form.plans]
    assert starts == [BEGIN + timedelta(minutes=10), BEGIN + timedelta(minutes=70)][:moved]


def test_start_in_the_hour_that_occurs_twice_is_asked_about_and_kept(parts: tuple[Part, ...]) -> None:
    asked = read(parts, starts_at="2026-10-25T03:30")
    readings = asked.rows[0].readings
    assert (asked.valid, list(asked.rows[0].wrong)) == (False, ["starts_at"])
    assert [chosen for _value, _words, chosen in readings] == [False, False]
    for at, (value, *_words) in enumerate(readings):
        form = read(parts, **{"starts_at": "2026-10-25T03:30", "clock-starts_at": value})
        assert [plan["plan"]["starts_at"] for plan in form.plans] == [f"2026-10-25T0{at}:30:00+00:00"]
        assert [chosen for _value, _words, chosen in form.rows[0].readings] == [at == 0, at == 1]
        planned = (replace(parts[0], plan=replace(parts[0].plan, starts_at=datetime.fromisoformat(value))),)
        assert read(planned).plans == []
        again = [read(planned, **{"clock-starts_at": each}).plans for each, *_words in readings]
        assert [bool(changed) for changed in again] == [at == 1, at == 0]


def test_part_without_a_time_has_none(parts: tuple[Part, ...]) -> None:
    form = read(parts, starts_at="", along="1")
    assert (form.valid, [plan["plan"].get("starts_at") for plan in form.plans]) == (True, [None])


@pytest.mark.parametrize(
    ("typed", "wrong"),
    [
        ({"starts_at": "soon"}, ["starts_at"]),
        ({"starts_at": "0001-01-01T10:00"}, ["starts_at"]),
        ({"minutes": "0", "players": "many"}, ["minutes", "players"]),
    ],
)
def test_what_cannot_be_read_is_said_at_its_field_and_kept(
    parts: tuple[Part, ...], typed: dict[str, str], wrong: list[str]
) -> None:
    form = read(parts, **typed)
    row = form.rows[0]
    assert (form.valid, list(row.wrong)) == (False, wrong)
    assert typed.items() <= row.values.items()
