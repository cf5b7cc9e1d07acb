"""From the heats to the final: open places ask, reserves, and the draw."""

from collections.abc import Callable
from uuid import uuid4

import pytest

from tests.support.asking_actions import agrees, refusal, results
from tests.support.championships import (
    championship,
    corrected,
    decisions,
    heat,
    heats_of,
    lines,
    seats_of,
    started,
)
from tests.support.factories import add_stage, event, recorded_heat, running_heats, running_session
from tournament import actions
from tournament.actions import Receipt
from tournament.models import Decision, Draw, Entry, Seat, Stage, Table
from tournament.queries.advancing import differences, level_of
from tournament.results import Fault, Refused
from tournament.seating import DrawRecord

pytestmark = pytest.mark.django_db


def test_a_place_whose_finalist_left_asks_who_takes_it() -> None:
    made = championship(filled=False)
    gone, next_one = heat(made, 1)[:2]
    made.act(actions.player_leaves, entry=gone)
    final = made.stage.uid
    assert refusal(made, actions.fill_stage, stage=final) == [("places_open", "/places/1-1-1")]
    assert refusal(made, actions.fill_stage, stage=final, leave_open=True) == [
        ("missing_reason", "/reason"),
        ("nobody_through", "/stage"),
    ]
    asked = {"stage": final, "decided": [next_one]}
    assert refusal(made, actions.fill_stage, **asked) == [("missing_reason", "/reason")]
    assert refusal(made, actions.fill_stage, stage=final, decided=[gone], reason="they said so") == [
        ("already_out", f"/decided/{gone}")
    ]
    for stranger in (uuid4(), event(players=1).uids[0]):
        assert refusal(made, actions.fill_stage, stage=final, decided=[stranger], reason="who?") == [
            ("unknown_player", f"/decided/{stranger}")
        ]
    assert refusal(made, actions.fill_stage, stage=final, decided=[next_one] * 2, reason="both") == [
        ("duplicate_player", f"/decided/{next_one}")
    ]
    made.act(actions.fill_stage, **asked, reason="the first left")
    assert seats_of(made) == ["Börje", "Cécile"]
    assert decisions(made) == {("advance", "Cécile")}
    assert refusal(made, actions.fill_stage, stage=final) == [("places_open", "/places/1-1-1")]
    level = level_of(made.stage)
    assert level is not None
    (place,) = level.open_places
    assert (place.heat, place.why, place.gone, place.taken and place.taken.entry.public_name) == (
        1,
        "left",
        Entry.objects.get(uid=gone),
        "Cécile",
    )
    decided = level.let_through[0].decided
    assert decided
    assert (decided.who, decided.reason) == (
        made.user.display_name(),
        "the first left",
    )
    made.act(actions.readmit_player, entry=gone)
    assert lines(made) == ["Aino also goes through to Final."]
    made.act(actions.fill_stage, stage=final)
    assert seats_of(made) == ["Aino", "Börje"]
    assert not Decision.objects.exists()
    assert agrees(made)


def test_a_place_is_left_open_with_a_reason() -> None:
    made = championship(players=9, tables=3, filled=False)
    gone = heat(made, 1)[0]
    made.act(actions.player_leaves, entry=gone)
    made.act(actions.fill_stage, stage=made.stage.uid, leave_open=True, reason="two are enough")
    assert seats_of(made) == ["Börje", "Cécile"]
    assert decisions(made) == {("steps_back", "Aino")}
    assert lines(made) == []
    assert agrees(made)


@pytest.mark.parametrize("action", [actions.start_stage, actions.finish_stage])
def test_a_final_neither_begins_nor_ends_while_its_heats_are_open_again(
    action: Callable[..., Receipt],
) -> None:
    made = championship()
    if action is actions.finish_stage:
        started(made)
    asked = {"stage": made.stage.uid}
    corrected(made, 1, 1, finish=False)
    with pytest.raises(Refused) as refused:
        made.act(action, **asked)
    assert refused.value.faults == (Fault("heats_open", "/stage", {"heats": "Heats"}),)
    made.act(actions.finish_stage, stage=heats_of(made).uid)
    if action is actions.finish_stage:
        assert refusal(made, action, **asked) == [("match_not_over", "/tables/1")]
    else:
        made.act(action, **asked)


@pytest.mark.parametrize(("argument", "value"), [("decided", "nobody"), ("tables", "2")])
def test_what_no_page_sends_is_refused_at_its_place(argument: str, value: str) -> None:
    made = running_heats(players=8, tables=4)
    for table in made.tables:
        recorded_heat(made, table)
    made.act(actions.finish_stage, stage=made.stage.uid)
    semis = add_stage(made, "heats", tables=0, start=False)
    asked = {"stage": semis.stage.uid, argument: value}
    assert refusal(made, actions.fill_stage, **asked) == [("malformed", f"/{argument}")]


def test_fewer_than_two_cannot_play_the_next_stage() -> None:
    made = championship(filled=False)
    made.act(actions.player_leaves, entry=heat(made, 1)[0])
    asked = {"stage": made.stage.uid, "leave_open": True, "reason": "no reserve"}
    assert refusal(made, actions.fill_stage, **asked) == [("nobody_through", "/stage")]
    assert not Decision.objects.exists()


def test_a_stage_that_follows_no_heats_has_no_level() -> None:
    made = running_session(players=3)
    assert level_of(made.stage) is None
    assert differences(made.tournament) == []
    asked = {"stage": made.stage.uid, "reason": "x"}
    assert refusal(made, actions.keep_finalists, **asked) == [("no_heats", "/stage")]


# The draw


def test_people_of_one_heat_are_drawn_apart_and_the_draw_can_be_repeated() -> None:
    made = running_heats(players=24, tables=4, advance=3)
    for table in made.tables:
        recorded_heat(made, table)
    made.act(actions.finish_stage, stage=made.stage.uid)
    heats = {uid: table.number for table in made.tables for uid in made.at(table)}
    semis = add_stage(made, "heats", tables=0, start=False)
    made.act(actions.fill_stage, stage=semis.stage.uid, tables=3, seed="2026")
    tables = list(Table.objects.filter(stage=semis.stage).order_by("number"))
    for table in tables:
        assert sorted(heats[uid] for uid in made.at(table)) == [1, 2, 3, 4]
    record = DrawRecord.from_json(semis.stage.draw)
    assert record.seats() == {table.number: [str(uid) for uid in made.at(table)] for table in tables}
    made.act(actions.fill_stage, stage=semis.stage.uid, tables=3)
    assert Draw.objects.count() == 2
    assert semis.stage.draw == {}
    assert agrees(made)


def test_sizes_follow_the_most_at_a_table_in_the_plan() -> None:
    made = running_heats(players=20, tables=4, advance=3)
    for table in made.tables:
        recorded_heat(made, table)
    made.act(actions.finish_stage, stage=made.stage.uid)
    semis = add_stage(made, "heats", tables=0, start=False)
    made.act(actions.fill_stage, stage=semis.stage.uid)
    assert Table.objects.filter(stage=semis.stage).count() == 2  # six at most, if nothing else is planned
    made.act(actions.set_programme, stages=[{"stage": semis.stage.uid, "plan": {"most": 4}}])
    made.act(actions.fill_stage, stage=semis.stage.uid, seed="1")
    assert Table.objects.filter(stage=semis.stage).count() == 3


@pytest.mark.parametrize(
    ("tables", "expected"),
    [
        pytest.param(4, 4, id="as many as planned, so that four go on"),
        pytest.param(1, 2, id="too few for six at a table"),
        pytest.param(7, 2, id="too many for two at each"),
    ],
)
def test_as_many_tables_as_planned_where_the_players_fit(tables: int, expected: int) -> None:
    made = running_heats(players=20, tables=4, advance=3)
    for table in made.tables:
        recorded_heat(made, table)
    made.act(actions.finish_stage, stage=made.stage.uid)
    semis = add_stage(made, "heats", tables=0, start=False)
    plan = {"players": 12, "tables": tables, "most": 6}
    made.act(actions.set_programme, stages=[{"stage": semis.stage.uid, "plan": plan}])
    made.act(actions.fill_stage, stage=semis.stage.uid)
    assert Table.objects.filter(stage=semis.stage).count() == expected


def test_who_is_kept_apart_is_drawn_apart_or_people_say_otherwise() -> None:
    made = running_heats(players=8, tables=4, advance=1)
    for table in made.tables:
        recorded_heat(made, table)
    made.act(actions.finish_stage, stage=made.stage.uid)
    semis = add_stage(made, "heats", tables=0, start=False)
    one, two, three = made.uids[:3]
    for pair in ((one, two), (two, three), (one, three)):
        made.act(actions.keep_apart, first=pair[0], second=pair[1])
    asked = {"stage": semis.stage.uid, "tables": 2, "seed": "7"}
    assert refusal(made, actions.fill_stage, **asked) == [("cannot_keep_apart", "/keep_apart")]
    made.act(actions.fill_stage, **asked, keep_apart=False)
    assert Seat.objects.filter(table__stage=semis.stage).count() == 4


def test_at_the_one_table_of_a_final_everybody_meets() -> None:
    made = championship(filled=False)
    made.act(actions.keep_apart, first=made.uids[0], second=made.uids[1])
    made.act(actions.fill_stage, stage=made.stage.uid, seed="7")
    assert sorted(seats_of(made)) == ["Aino", "Börje"]


def test_who_came_from_no_heat_belongs_to_no_group_of_the_draw() -> None:
    made = championship(filled=False)
    late = [uuid4(), uuid4()]
    made.act(actions.enter_players, players=[{"entry": uid, "name": f"Late {uid.hex[:4]}"} for uid in late])
    made.act(actions.fill_stage, stage=made.stage.uid, decided=late, reason="by lot", seed="7")
    people = DrawRecord.from_json(made.refresh().stage.draw).people
    assert sorted(person.group for person in people) == ["", "", "1", "2"]


# Reserves


def test_reserves_are_named_in_order_with_a_reason() -> None:
    made = running_heats(players=6, tables=2)
    for table in made.tables:
        made.act(
            actions.record_heat,
            table=table.uid,
            play=uuid4(),
            number=1,
            finish_order=made.at(table)[: table.number + 1],
        )
    made.act(actions.finish_stage, stage=made.stage.uid)
    final = add_stage(made, "final", tables=0, start=False, target=300)
    level = level_of(final.stage)
    assert level is not None
    assert [entry.public_name for entry in level.suggested_reserves] == ["Cécile", "Dima", "Fatima"]
    stage, fatima, cecile = final.stage.uid, made.uids[5], made.uids[2]
    asked = {"stage": stage, "entries": [fatima, cecile]}
    assert refusal(made, actions.name_reserves, **asked, reason=" ") == [("missing_reason", "/reason")]
    assert refusal(made, actions.name_reserves, stage=stage, entries="all", reason="x") == [
        ("malformed", "/entries")
    ]
    wrong = {"stage": stage, "entries": [fatima, fatima], "reason": "x"}
    assert refusal(made, actions.name_reserves, **wrong) == [("duplicate_player", f"/entries/{fatima}")]
    wrong["entries"] = [fatima, made.uids[0]]
    assert refusal(made, actions.name_reserves, **wrong) == [
        ("comes_already", f"/entries/{made.uids[0]}"),
    ]
    row = made.act(actions.name_reserves, **asked, reason="by lot").sequence
    assert Stage.objects.get(uid=stage).version == row
    assert list(Decision.objects.values_list("rank", "entry__uid")) == [(1, fatima), (2, cecile)]
    made.act(actions.name_reserves, stage=stage, entries=[cecile], reason="Fatima goes home")
    assert list(Decision.objects.values_list("rank", "entry__uid")) == [(1, cecile)]
    assert agrees(made)


def test_a_reserve_takes_the_seat_of_a_finalist_who_left_before_the_start() -> None:
    made = championship(players=9, tables=3)
    reserve = heat(made, 1)[1]
    made.act(
        actions.name_reserves, stage=made.stage.uid, entries=[reserve], reason="second in the first heat"
    )
    asked = {"stage": made.stage.uid, "entry": reserve, "reason": "a seat is free"}
    assert refusal(made, actions.call_reserve, **asked) == [("no_free_seat", "/stage")]
    made.act(actions.player_leaves, entry=heat(made, 1)[0])
    assert lines(made) == ["Final: a seat is free."]
    unsaid = {**asked, "reason": " "}
    assert refusal(made, actions.call_reserve, **unsaid) == [("missing_reason", "/reason")]
    made.act(actions.call_reserve, **asked)
    assert sorted(seats_of(made)) == ["Börje", "Cécile", "Dima"]
    assert decisions(made) == {("advance", "Dima")}
    assert lines(made) == []
    made.act(actions.start_stage, stage=made.stage.uid)
    assert agrees(made)


def test_a_reserve_takes_the_seat_of_who_left_after_the_start_but_before_the_first_round() -> None:
    made = started(championship(players=9, tables=3))
    gone, reserve = heat(made, 1)[:2]
    made.act(actions.player_leaves, entry=gone)
    assert lines(made) == ["Final: a seat is free."]
    made.act(actions.call_reserve, stage=made.stage.uid, entry=reserve, reason="Aino went home")
    assert seats_of(made) == ["Dima", "Börje", "Cécile"]
    assert Seat.objects.get(table=made.table, entry__uid=reserve).out_as == ""
    assert lines(made) == []
    started_with = results(made).names
    assert "Aino" not in started_with.values()
    assert agrees(made)


def test_a_reserve_sits_down_last_at_the_table_with_the_fewest() -> None:
    made = running_heats(players=12, tables=4)
    for table in made.tables:
        recorded_heat(made, table)
    made.act(actions.finish_stage, stage=made.stage.uid)
    reserves = [made.at(table)[1] for table in made.tables[:3]]
    semis = add_stage(made, "heats", tables=0, start=False)
    made.act(actions.fill_stage, stage=semis.stage.uid, tables=2)
    first, second = semis.refresh().tables
    there = made.at(first)
    for gone in made.at(second):
        made.act(actions.player_leaves, entry=gone)
    for reserve in reserves[:2]:
        made.act(actions.call_reserve, stage=semis.stage.uid, entry=reserve, reason="the table is empty")
    assert made.at(first) == there
    seats = Seat.objects.filter(table=second).order_by("position")
    assert list(seats.values_list("entry__uid", "position")) == [(reserves[0], 1), (reserves[1], 2)]
    assert agrees(made)


# A correction after the next level was seated


@pytest.mark.beside
def test_draws_are_numbered_after_the_last_one() -> None:
    made = championship(players=4, filled=False)
    for seed in ("1", "2"):
        made.act(actions.fill_stage, stage=made.stage.uid, seed=seed)
    Draw.objects.get(number=1).delete()
    made.act(actions.fill_stage, stage=made.stage.uid, seed="3")
    assert list(Draw.objects.values_list("number", flat=True)) == [2, 3]
