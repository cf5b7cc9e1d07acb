"""Qualifying from heats as they were recorded: which places are open, and why."""

from uuid import uuid4

import pytest

from tests.support.asking_actions import agrees, refusal
from tests.support.championships import seats_of
from tests.support.factories import add_stage, recorded_heat, running_heats
from tournament import actions
from tournament.models import Entry, Stage
from tournament.queries.advancing import assigned, level_of
from tournament.queries.chain import Comer, OpenPlace

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("leaving", "why"), [(0, "nobody"), (2, "one_left")])
def test_heats_finish_without_a_result_where_people_say_so(leaving: int, why: str) -> None:
    made = running_heats(players=6, tables=2)
    recorded_heat(made, made.tables[0])
    for uid in made.at(made.tables[1])[:leaving]:
        made.act(actions.player_leaves, entry=uid)
    asked = {"stage": made.stage.uid, "without": [2]}
    assert refusal(made, actions.finish_stage, stage=made.stage.uid) == [("heat_missing", "/tables/2")]
    assert refusal(made, actions.finish_stage, **asked) == [("missing_reason", "/reason")]
    made.act(actions.finish_stage, **asked, reason="the room closes")
    final = add_stage(made, "final", tables=0, start=False, target=300)
    level = level_of(final.stage)
    assert level is not None
    assert [(place.heat, place.why) for place in level.undecided] == [(2, why)]
    names = [entry.public_name for entry in level.undecided[0].candidates]
    assert names == (["Börje", "Dima", "Fatima"] if not leaving else ["Fatima"]) + ["Cécile", "Eeva"]
    last = Entry.objects.get(public_name="Fatima").uid
    made.act(actions.fill_stage, stage=final.stage.uid, decided=[last], reason="by lot")
    assert seats_of(final) == ["Aino", "Fatima"]
    assert agrees(made)


def test_fewer_out_than_go_through_leaves_a_place_open() -> None:
    made = running_heats(players=6, tables=2, advance=2)
    first, second, third = made.at(made.tables[0])
    made.act(
        actions.record_heat,
        table=made.tables[0].uid,
        play=uuid4(),
        number=1,
        finish_order=[third],
        withdrawn=[first, second],
    )
    recorded_heat(made, made.tables[1])
    made.act(actions.finish_stage, stage=made.stage.uid)
    final = add_stage(made, "final", tables=0, start=False, target=300)
    level = level_of(final.stage)
    assert level is not None
    assert [(place.key, place.why) for place in level.open_places] == [("1-1-2", "fewer")]


def test_nothing_is_open_while_heats_are_played() -> None:
    made = running_heats(players=6, tables=3)
    recorded_heat(made, made.tables[0])
    made.act(actions.plan_stage, stage=uuid4(), kind="final")
    level = level_of(Stage.objects.get(kind="final"))
    assert level is not None
    assert [comer.entry.public_name for comer in level.comes] == ["Aino"]
    assert level.open_places == ()


def test_a_place_is_taken_by_who_came_from_its_heat_before_anybody_else() -> None:
    first, second = (Comer(Entry(start_number=number), heat=number) for number in (1, 2))
    places = [OpenPlace(heat, 1, "left") for heat in (2, 3, 4)]
    assert [place.taken for place in assigned(places, [first, second])] == [second, first, None]
