"""Forms for the people who go through."""

from collections.abc import Iterable
from uuid import UUID, uuid4

import pytest
from django.http import QueryDict

from tests.support.chains import next_of_heats
from tests.support.factories import Event, recorded_heat, running_heats
from tournament import actions
from tournament.forms.seats import FillForm, read_reserves, reserve_rows
from tournament.models import Entry, Stage
from tournament.queries.advancing import Level, level_of
from tournament.results.typed import Typed

pytestmark = pytest.mark.django_db


def final_after(made: Event, *, withdrawn: bool = False) -> Level:
    """The final of these heats, in one of which the winner left afterwards where `withdrawn`."""
    for table in made.tables:
        recorded_heat(made, table)
    made.act(actions.finish_stage, stage=made.stage.uid)
    final = uuid4()
    made.act(actions.plan_stage, stage=final, kind="final", settings={"target": 300})
    if withdrawn:
        made.act(actions.player_leaves, entry=made.at(made.tables[0])[0], reason="last bus")
    return planned(final)


def planned(stage: UUID) -> Level:
    level = level_of(Stage.objects.get(uid=stage))
    assert level
    return level


@pytest.fixture
def level() -> Level:
    return final_after(running_heats(players=8, tables=2))


@pytest.fixture
def open_level() -> Level:
    return final_after(running_heats(players=8, tables=2), withdrawn=True)


def named(entries: Iterable[Entry]) -> list[tuple[str, str]]:
    """The uids and names as a form offers them."""
    return [(str(entry.uid), entry.public_name) for entry in entries]


def post(**typed: str | list[str]) -> QueryDict:
    query = QueryDict(mutable=True)
    for name, value in typed.items():
        query.setlist(name, value if isinstance(value, list) else [value])
    return query


def test_form_that_was_not_sent_shows_what_is_usual(level: Level) -> None:
    form = FillForm(level)
    assert (form.tables, form.one_table, form.ticked, form.dealt, form.reason) == (
        "1",
        True,
        False,
        False,
        "",
    )
    assert len(form.seed) == 6
    assert [(uid, name) for uid, name, _ticked in form.also] == named(level.candidates)


def test_decided_are_named_once_and_in_order(level: Level) -> None:
    one, two, *_others = (entry.uid for entry in level.candidates)
    form = FillForm.read(level, post(decided=[str(two), str(one), str(two), "x"], seed="4711", tables="1"))
    assert form.faults == []
    assert form.arguments == {
        "tables": 1,
        "seed": "4711",
        "decided": (two, one),
        "leave_open": False,
        "keep_apart": True,
        "reason": "",
    }
    assert {uid for uid, _name, ticked in form.also if ticked} == {str(one), str(two)}
    assert (form.ticked, form.tables) == (True, "1")


def test_dealt_seats_have_no_seed(level: Level) -> None:
    form = FillForm.read(level, post(order="dealt", seed="4711", apart="meet", reason=" agreed ", tables="x"))
    assert [form.arguments[name] for name in ("seed", "keep_apart", "reason")] == ["", False, "agreed"]
    assert [fault.path for fault in form.faults] == ["/tables"]


def test_open_place_is_a_question_until_it_is_answered(open_level: Level) -> None:
    places = open_level.open_places
    assert places
    [question, *_others] = FillForm(open_level).questions
    assert [*question.of_heat, *question.of_others] == named(question.place.candidates)
    asked = FillForm.read(open_level, post(**{f"place-{place.key}": "" for place in places}))
    assert [fault.code for fault in asked.faults] == ["places_open"] * len(places)
    assert [each.wrong for each in asked.questions] == [True] * len(places)
    left = FillForm.read(open_level, post(**{f"place-{place.key}": "open" for place in places}))
    assert (left.faults, left.arguments["leave_open"], left.decided) == ([], True, ())
    taken = places[0].candidates[0].uid
    filled = FillForm.read(open_level, post(**{f"place-{places[0].key}": str(taken)}, decided=[str(taken)]))
    assert filled.decided == (taken,)
    assert str(taken) not in {uid for uid, _name, _ticked in filled.also}


def test_player_takes_one_place() -> None:
    final = level_of(next_of_heats(1).stage)
    assert final
    one, two = final.open_places
    taken = str(one.candidates[0].uid)
    asked = FillForm.read(final, post(**{f"place-{place.key}": taken for place in (one, two)}))
    assert [(fault.code, fault.path) for fault in asked.faults] == [
        ("duplicate_player", f"/places/{two.key}")
    ]


def test_reserves_are_suggested_and_keep_what_was_typed(level: Level) -> None:
    suggested = [row for row in reserve_rows(level) if row.rank]
    assert [row.entry for row in suggested] == list(level.suggested_reserves)[: len(suggested)]
    first = level.candidates[0]
    typed = reserve_rows(level, {f"rank-{first.uid}": "x"})
    assert [row.rank for row in typed if row.entry == first] == ["x"]
    assert {row.rank for row in typed if row.entry != first} == {""}


def test_reserves_are_read_by_their_numbers(level: Level) -> None:
    one, two, three, *_others = (entry.uid for entry in level.candidates)
    typed = Typed({f"rank-{one}": "2", f"rank-{two}": "1", f"rank-{three}": "2"})
    assert read_reserves(level, typed) == [two, one, three]
    wrong = Typed({f"rank-{one}": "0", f"rank-{UUID(int=0)}": "1"})
    assert read_reserves(level, wrong) == []
    assert [fault.path for fault in wrong.faults] == [f"/entries/{one}"]


def test_heats_have_several_tables() -> None:
    made = running_heats(players=8, tables=2)
    for table in made.tables:
        recorded_heat(made, table)
    made.act(actions.finish_stage, stage=made.stage.uid)
    more = uuid4()
    made.act(actions.plan_stage, stage=more, kind="heats")
    assert not FillForm(planned(more)).one_table
