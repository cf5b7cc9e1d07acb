"""How the players of a stage could sit: proposals, of which nothing is stored."""

import pytest
from hypothesis import assume, given, strategies as st

from tests.support.factories import Event, add_stage, event, recorded_heat
from tests.support.undoing import planned
from tournament import actions
from tournament.models import Entry, Seat, Stage
from tournament.pages.organiser.draws import (
    Situation,
    drawn,
    group_of,
    levelled,
    referees_of,
    signed,
    situation_of,
    sizes_of,
    uneven,
    unsigned,
    usual_draw,
)
from tournament.queries.programme import heats_off
from tournament.seating import Impossible, levels

pytestmark = pytest.mark.django_db

WANTED = {
    "who": "expected",
    "order": "drawn",
    "least": 3,
    "most": 4,
    "tables": None,
    "groups": False,
    "meet": False,
}


def test_a_draw_seats_everybody_once_and_is_repeated_by_its_seed() -> None:
    made = planned(players=8)
    situation = situation_of(made.stage)
    proposal = drawn(situation, WANTED, "483920")
    assert sorted(uid for table in proposal.tables.values() for uid in table) == sorted(map(str, made.uids))
    assert {len(table) for table in proposal.tables.values()} == {4}
    assert drawn(situation, WANTED, "483920") == proposal
    assert drawn(situation, WANTED, "1").tables != proposal.tables
    assert Seat.objects.count() == 0


@given(
    planned=st.integers(7, 200),
    come=st.integers(2, 200),
    most=st.integers(3, 10),
    advance=st.sampled_from([None, 1, 2]),
)
def test_a_plan_that_is_used_is_the_draw_that_comes(
    planned: int, come: int, most: int, advance: int | None
) -> None:
    """As many tables as planned wherever three to the most sit at each, unless those who come need two more or fewer;
    with as many players, the same sizes."""
    try:
        first = levels(planned, most=most, advance=advance, final_most=6, final_least=4)[0]
    except Impossible:
        assume(False)
    plan = {"players": planned, "tables": len(first.sizes), "most": most}
    stage = Stage(kind="heats", plan=plan, state=Stage.State.PLANNED)
    situation = Situation(stage, {}, {}, frozenset(), frozenset(), (), ())
    assert sizes_of(situation, planned, {}) == first.sizes
    if first.sizes.smallest < 3 or come < 3:
        return
    try:
        sizes = sizes_of(situation, come, {})
    except Impossible:
        assert most < 5, "no number of tables has three to so many at each"
        return
    if heats_off(stage, come) > 1:
        assert len(sizes) == -(-come // most)
    elif 3 * len(first.sizes) <= come <= most * len(first.sizes):
        assert len(sizes) == len(first.sizes)
    assert 3 <= sizes.smallest <= sizes.largest <= most
    assert len(sizes_of(situation, come, {"tables": len(sizes)})) == len(sizes)


@pytest.mark.parametrize(("come", "sizes"), [(12, (6, 6)), (18, (5, 5, 4, 4)), (24, (6, 6, 6, 6))])
def test_a_draw_follows_who_is_here(come: int, sizes: tuple[int, ...]) -> None:
    stage = Stage(kind="heats", plan={"players": 24, "tables": 4, "most": 6}, state=Stage.State.PLANNED)
    assert sizes_of(Situation(stage, {}, {}, frozenset(), frozenset(), (), ()), come, {}) == sizes


def test_players_are_dealt_by_their_numbers_without_a_record() -> None:
    made = planned(players=8)
    proposal = drawn(situation_of(made.stage), WANTED | {"order": "numbers"}, "1")
    assert proposal.record is None
    assert proposal.tables == {
        1: [str(uid) for uid in made.uids[::2]],
        2: [str(uid) for uid in made.uids[1::2]],
    }


def test_usual_draw_takes_who_is_here_and_goes_by_groups_where_there_are_some() -> None:
    made = planned(players=8)
    usual = usual_draw(situation_of(made.stage))
    assert (usual["who"], usual["groups"], usual["meet"]) == ("expected", False, False)
    made.act(actions.check_in, entries=made.uids[:6])
    Entry.objects.filter(uid=made.uids[0]).update(club="  Tietokerho ry ")
    here = situation_of(made.stage)
    assert (usual_draw(here)["who"], usual_draw(here)["groups"], here.present) == ("present", True, 6)
    assert len(drawn(here, WANTED | {"who": "present"}, "1").tables) == 2
    assert group_of(Entry.objects.get(uid=made.uids[0])) == "tietokerho ry"


def test_tables_that_have_begun_stay() -> None:
    made = add_stage(event("tite-2022", 8), "heats", tables=2)
    recorded_heat(made, made.tables[0])
    situation = situation_of(made.stage)
    assert (situation.begun, situation.played, len(situation.to_draw)) == (frozenset({1}), frozenset({1}), 4)
    proposal = drawn(situation, WANTED, "1")
    assert proposal.tables[1] == [str(uid) for uid in made.at(made.tables[0])]


def test_what_is_impossible_counts_the_tables_that_have_begun() -> None:
    made = add_stage(event("tite-2022", 15), "heats", tables=3)
    recorded_heat(made, made.tables[1])
    with pytest.raises(Impossible) as refused:
        drawn(situation_of(made.stage), WANTED | {"least": 2, "tables": 3}, "5")
    found = refused.value
    assert (found.code, found.parameters["have"], found.parameters["begun"]) == ("too_few_tables", 3, 1)


def test_uneven_tables_are_levelled_by_the_fewest_moves() -> None:
    made = add_stage(event("tite-2022", 9), "heats", tables=3, start=False)
    assert not uneven(situation_of(made.stage))
    for uid in made.at(made.tables[2])[:2]:
        made.act(actions.player_leaves, entry=uid)
    situation = situation_of(made.stage)
    assert uneven(situation)
    proposal = levelled(situation, least=2, most=4)
    assert len(proposal.moves) == 1
    assert sorted(len(table) for table in proposal.tables.values()) == [2, 2, 3]


def test_final_has_one_table_whatever_else_is_typed() -> None:
    final = add_stage(event("tite-2022", 6), "final", start=False)
    assert sizes_of(situation_of(final.stage), 6, {"least": 2}) == (6,)
    with pytest.raises(Impossible, match="too_few_tables"):
        sizes_of(situation_of(final.stage), 6, {"most": 4})


def test_whoever_is_left_when_all_planned_heats_have_begun_gets_another_table() -> None:
    stage = Stage(kind="heats", plan={"players": 8, "tables": 2}, state=Stage.State.RUNNING)
    begun = Situation(stage, {}, {1: "abcd", 2: "efgh"}, frozenset({1, 2}), frozenset({1, 2}), (), ())
    assert sizes_of(begun, 4, {}) == (4,)


def test_a_signed_draw_holds_for_its_own_stage_only() -> None:
    made, other = planned(), planned()
    situation = situation_of(made.stage)
    record = drawn(situation, WANTED, "7").record
    assert record is not None
    text = signed(situation, record)
    assert unsigned(made.stage, text) == record
    assert unsigned(other.stage, text) is None
    assert unsigned(made.stage, text + "x") is None


def test_referees_are_counted_once_each() -> None:
    made: Event = planned()
    assert referees_of(situation_of(made.stage)) == 0
    made.referee()
    made.referee("table_referee")
    assert referees_of(situation_of(made.stage)) == 2
    assert not situation_of(made.stage).filled


def test_stage_of_a_division_seats_only_its_players() -> None:
    made = planned()
    juniors = made.uids[:2]
    for uid in juniors:
        made.act(actions.edit_entry, entry=uid, division="Juniors")
    made.act(actions.set_stage_settings, stage=made.stage.uid, source={"division": "Juniors"})
    made.stage.refresh_from_db()
    assert [entry.uid for entry in situation_of(made.stage).to_draw] == juniors
