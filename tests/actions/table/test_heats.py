"""Heats: who goes through, corrections and replays, and the stage that is filled from them."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.support.asking_actions import (
    agrees,
    conflict,
    refusal,
    result_in,
    results,
    state_of,
    states,
    version,
)
from tests.support.factories import Event, add_stage, event, recorded_heat, running_heats, running_match
from tournament import actions
from tournament.models import Play, Seat, Table
from tournament.results.faults import Refused

pytestmark = pytest.mark.django_db


def record(made: Event, *order: int, table: int = 0, number: int = 1, **more: Any) -> UUID:
    """Enter a table's heat: who went out, by their places at that table from 0."""
    play = uuid4()
    made.act(
        actions.record_heat,
        table=made.tables[table].uid,
        play=play,
        number=number,
        finish_order=[made.at(made.tables[table])[place] for place in order],
        **more,
    )
    return play


def through(made: Event) -> list[str]:
    scored = results(made)
    return [scored.names[player] for player in scored.answer.finalists]


def next_stage(made: Event, kind: str = "final", **settings: Any) -> UUID:
    """Finish the heats and plan what follows."""
    made.act(actions.finish_stage, stage=made.stage.uid)
    stage = uuid4()
    made.act(actions.plan_stage, stage=stage, kind=kind, settings=settings)
    return stage


def seated(stage: UUID) -> list[list[str]]:
    """The names at each table of a stage, clockwise."""
    return [
        list(table.seats.order_by("position").values_list("entry__public_name", flat=True))
        for table in Table.objects.filter(stage__uid=stage).order_by("number")
    ]


def test_the_first_out_goes_through() -> None:
    made = running_heats(players=4)
    record(made, 1, table=1)
    record(made, 0, 1, table=0)
    assert through(made) == ["Aino", "Dima"]


def test_as_many_go_through_as_the_stage_or_the_heat_says() -> None:
    made = running_heats(players=6, advance=2)
    record(made, 0, 1, table=0)
    record(made, 0, 1, 2, table=1, advance=1)
    assert through(made) == ["Aino", "Cécile", "Börje"]


def test_everybody_may_go_through() -> None:
    made = running_heats(players=3, tables=1)
    record(made, 0, 1, 2, advance=3)
    assert through(made) == ["Aino", "Börje", "Cécile"]


def test_a_heat_is_played_until_so_many_are_out() -> None:
    made = running_heats(players=6, advance=2)
    first = made.at(made.table)[0]
    asked = {"table": made.table.uid, "play": uuid4(), "number": 1, "finish_order": [first]}
    assert refusal(made, actions.record_heat, **asked) == [("incomplete_order", "/finish_order")]


@pytest.mark.parametrize(
    ("order", "code", "where"),
    [((0, 0), "duplicate_player", "/{0}"), ((1,), "unknown_player", "/{1}"), ((), "incomplete_order", "")],
)
def test_an_order_that_cannot_be_is_refused_at_the_player(
    order: tuple[int, ...], code: str, where: str
) -> None:
    made = running_heats(players=4)  # the second player sits at the second table
    finish_order = [made.uids[player] for player in order]
    asked = {"table": made.table.uid, "play": uuid4(), "number": 1, "finish_order": finish_order}
    assert refusal(made, actions.record_heat, **asked) == [(code, f"/finish_order{where.format(*made.uids)}")]
    assert not Play.objects.exists()


def test_who_is_removed_or_left_does_not_go_through() -> None:
    made = running_heats(players=6)
    gone, left = made.at(made.table)[0], made.at(made.table)[1]
    record(made, 2, removed=[gone], withdrawn=[left])
    record(made, 0, table=1)
    assert through(made) == ["Eeva", "Börje"]
    assert (state_of(gone), state_of(left)) == ("disqualified", "left")
    other = running_heats(players=6)
    gone = other.at(other.table)[0]
    asked = {"table": other.table.uid, "play": uuid4(), "number": 1, "finish_order": [gone]}
    assert refusal(other, actions.record_heat, removed=[gone], **asked) == [
        ("removed_plays", f"/finish_order/{gone}")
    ]


def test_a_table_has_one_heat() -> None:
    made = running_heats(players=4)
    play = record(made, 0)
    seats = made.at(made.table)
    asked = {"table": made.table.uid, "play": uuid4(), "finish_order": seats[1:]}
    assert refusal(made, actions.record_heat, number=2, **asked) == [("heat_recorded", "/number")]
    told = conflict(made, actions.record_heat, number=1, **asked)
    assert told.current.play.uid == play
    assert result_in(told.offered, seats[1]).finish == 1


def test_a_correction_brings_nobody_back_at_another_table() -> None:
    made = running_heats(players=8)
    gone = [made.at(table)[3] for table in made.tables]
    asked = {"table": made.table.uid, "play": uuid4(), "number": 1, "finish_order": made.at(made.table)[:1]}
    assert refusal(made, actions.record_heat, withdrawn=gone[1:], **asked) == [
        ("unknown_player", f"/withdrawn/{gone[1]}")
    ]
    plays = [record(made, 0, table=table, removed=[gone[table]]) for table in (0, 1)]
    seen = {"play": plays[0], "version": version(made, plays[0]), "reason": "the wrong one"}
    made.act(actions.correct_heat, finish_order=made.at(made.table)[:1], removed=[], **seen)
    assert [state_of(uid) for uid in gone] == ["checked_in", "disqualified"]
    assert list(Seat.objects.exclude(out_as="").values_list("entry__uid", "out_from")) == [(gone[1], 1)]


def test_a_heat_is_corrected() -> None:
    made = running_heats(players=4, tables=1)
    play = record(made, 0)
    seats = made.at(made.table)
    asked = {"play": play, "version": version(made, play), "reason": "misread", "advance": 2}
    made.act(actions.correct_heat, finish_order=[seats[1], seats[2]], **asked)
    assert through(made) == ["Börje", "Cécile"]
    seen_before = conflict(made, actions.correct_heat, finish_order=[seats[0], seats[1]], **asked)
    assert seen_before.current.play.uid == play


def test_a_voided_heat_is_played_again_with_the_next_number() -> None:
    made = running_heats(players=4, tables=1)
    first = record(made, 0)
    made.act(actions.void_play, play=first, version=version(made, first), reason="cards were missing")
    assert through(made) == []
    record(made, 1, number=2)
    assert through(made) == ["Börje"]
    assert states(made) == ["void", "entered"]
    asked = {"play": first, "version": version(made, first), "reason": "no", "finish_order": made.uids[:1]}
    assert refusal(made, actions.correct_heat, **asked) == [("heat_recorded", "/play")]


def test_who_was_out_of_a_voided_heat_is_out_of_its_replay_named_again_or_not() -> None:
    for removed in ([], [0]):
        made = running_heats(players=4, tables=1)
        first = record(made, 1, removed=made.uids[:1])
        made.act(actions.void_play, play=first, version=version(made, first), reason="cards were missing")
        record(made, 2, number=2, removed=[made.uids[player] for player in removed])
        assert through(made) == ["Cécile"]
        assert Seat.objects.get(entry__uid=made.uids[0]).out_as == "removed"


def test_a_voided_heat_counts_again_once_corrected_with_who_left_since() -> None:
    made = running_heats(players=4, tables=1)
    play = record(made, 0)
    made.act(actions.void_play, play=play, version=version(made, play), reason="wrong table")
    made.act(actions.player_leaves, entry=made.uids[0])
    asked = {"play": play, "version": version(made, play), "reason": "it was right"}
    made.act(actions.correct_heat, finish_order=made.uids[:1], **asked)
    assert through(made) == ["Aino"]


def test_leaving_after_the_heat_changes_nothing_in_it() -> None:
    made = running_heats(players=4, tables=1)
    record(made, 0)
    made.act(actions.player_leaves, entry=made.uids[0])
    assert through(made) == ["Aino"]


def test_leaving_before_the_heat_is_a_part_of_it() -> None:
    made = running_heats(players=3, tables=1)
    gone = made.uids[0]
    made.act(actions.remove_player, entry=gone, reason="disturbed")
    asked = {"table": made.table.uid, "play": uuid4(), "number": 1}
    assert refusal(made, actions.record_heat, finish_order=[gone], **asked) == [
        ("removed_plays", f"/finish_order/{gone}")
    ]
    record(made, 1)
    assert through(made) == ["Börje"]


def test_heats_finish_once_every_table_has_its_heat() -> None:
    made = running_heats(players=4)
    record(made, 0)
    assert refusal(made, actions.finish_stage, stage=made.stage.uid) == [("heat_missing", "/tables/2")]
    unknown = refusal(made, actions.finish_stage, stage=made.stage.uid, without=[2, 9], reason="too late")
    assert unknown == [("unknown_table", "/without")]
    recorded_heat(made, made.tables[1])
    made.act(actions.finish_stage, stage=made.stage.uid)
    assert set(Play.objects.values_list("state", flat=True)) == {"official"}
    assert made.refresh().tournament.state == "finished"
    made.act(actions.reopen_stage, stage=made.stage.uid, reason="misread")
    assert set(Play.objects.values_list("state", flat=True)) == {"entered"}
    assert made.refresh().tournament.state == "running"


def test_a_final_has_one_table_of_those_who_went_through() -> None:
    made = running_heats(players=9, tables=3)
    for table in made.tables:
        recorded_heat(made, table)
    final = next_stage(made, target=300)
    made.act(actions.fill_stage, stage=final, tables=3)
    assert seated(final) == [["Aino", "Börje", "Cécile"]]
    made.act(actions.start_stage, stage=final)
    assert made.refresh().tournament.state == "running"


def test_the_next_heats_have_several_tables_dealt_heat_by_heat() -> None:
    made = running_heats(players=12, tables=3, advance=2)
    for table in made.tables:
        recorded_heat(made, table)
    semifinals = next_stage(made, "heats")
    made.act(actions.fill_stage, stage=semifinals, tables=2)
    assert seated(semifinals) == [["Aino", "Börje", "Cécile"], ["Dima", "Eeva", "Fatima"]]
    made.act(actions.fill_stage, stage=semifinals, tables=100)
    assert [len(table) for table in seated(semifinals)] == [2, 2, 2]


def test_a_final_needs_its_target_at_the_start_not_before() -> None:
    made = running_heats(players=4, tables=2)
    for table in made.tables:
        recorded_heat(made, table)
    final = next_stage(made)
    made.act(actions.fill_stage, stage=final)
    assert refusal(made, actions.start_stage, stage=final) == [("missing_target", "/settings/target")]
    made.act(actions.set_stage_settings, stage=final, settings={"target": 250})
    made.act(actions.start_stage, stage=final)


def test_filling_waits_for_the_heats_and_ends_with_the_start() -> None:
    made = running_heats(players=4, tables=2)
    final = uuid4()
    made.act(actions.plan_stage, stage=final, kind="final", settings={"target": 300})
    assert refusal(made, actions.fill_stage, stage=final) == [("heats_not_finished", "/stage")]
    for table in made.tables:
        recorded_heat(made, table)
    made.act(actions.finish_stage, stage=made.stage.uid)
    made.act(actions.fill_stage, stage=final)
    made.act(actions.start_stage, stage=final)
    assert refusal(made, actions.fill_stage, stage=final) == [("stage_not_planned", "/stage")]
    made.act(actions.reopen_stage, stage=made.stage.uid, reason="misread")
    assert seated(final) == [["Aino", "Börje"]]
    only = running_match(players=2)
    assert refusal(only, actions.fill_stage, stage=only.stage.uid) == [("no_heats", "/stage")]
    made.act(actions.plan_stage, stage=uuid4(), kind="final")
    after_a_final = made.tournament.stages.get(number=3).uid
    assert refusal(made, actions.fill_stage, stage=after_a_final) == [("no_heats", "/stage")]


def test_who_leaves_before_the_next_stage_loses_the_seat_there() -> None:
    made = running_heats(players=6, tables=3)
    for table in made.tables:
        recorded_heat(made, table)
    final = next_stage(made, target=300)
    made.act(actions.fill_stage, stage=final)
    made.act(actions.player_leaves, entry=made.uids[1])
    assert seated(final) == [["Aino", "Cécile"]]
    made.act(actions.player_leaves, entry=made.uids[2])
    assert refusal(made, actions.start_stage, stage=final) == [("too_few_players", "/tables/1")]


@pytest.mark.parametrize("kind", ["heats", "match"])
def test_a_stage_without_tables_or_players_does_not_start(kind: str) -> None:
    running_heats(players=2, tables=1)  # tables of another event
    made = add_stage(event("mattel-108", 3), kind, tables=0, start=False)
    assert refusal(made, actions.start_stage, stage=made.stage.uid) == [("no_tables", "/stage")]
    made.act(actions.seat_table, stage=made.stage.uid, table=uuid4(), number=1, entries=made.uids[:1])
    with pytest.raises(Refused, match="too_few_players at /tables/1") as refused:
        made.act(actions.start_stage, stage=made.stage.uid)
    assert refused.value.faults[0].parameters == {"least": 2}
    assert made.refresh().stage.state == "planned"


def test_who_comes_back_after_a_session_was_finished_is_seated_again() -> None:
    made = add_stage(event("kpgut-2016", 3), "session")
    gone = made.uids[0]
    made.act(actions.player_leaves, entry=gone)
    made.act(actions.finish_stage, stage=made.stage.uid)
    made.act(actions.readmit_player, entry=gone)
    made.act(actions.reopen_stage, stage=made.stage.uid, reason="one more game")
    made.act(actions.seat_table, stage=made.stage.uid, table=made.table.uid, number=1, entries=made.uids)
    assert Seat.objects.get(entry__uid=gone).out_as == ""
    assert agrees(made)
