"""Plays until now, and the last draw of a stage."""

from uuid import uuid4

import pytest

from tests.support.factories import Event, add_stage, event, recorded_heat, recorded_round, running_heats
from tests.support.tour_evenings import Club
from tournament import actions
from tournament.models import Stage
from tournament.queries.draws import last_draw, pairs_apart, played_before, seating_now
from tournament.seating import DrawRecord, Person, plan_tables

pytestmark = pytest.mark.django_db


@pytest.fixture
def drawn() -> Event:
    """Seven players, seated by a draw of which one pair is kept apart."""
    made = event("tite-2022", players=7)
    stage = uuid4()
    made.act(actions.plan_stage, stage=stage, kind="heats")
    made.stage = Stage.objects.get(uid=stage)
    made.act(actions.keep_apart, first=made.uids[0], second=made.uids[1])
    people = [Person(entry.uid, entry.start_number, entry.club) for entry in made.entries]
    sizes = plan_tables(7, least=2, most=4)
    record = DrawRecord.of(people, sizes, "48213", apart=pairs_apart(made.tournament))
    tables = [{"number": number, "entries": players} for number, players in enumerate_seats(made, record)]
    made.act(actions.seat_stage, stage=stage, tables=tables, seed=record.seed, draw=record.as_json())
    return made.refresh()


def enumerate_seats(made: Event, record: DrawRecord) -> list[tuple[int, list[object]]]:
    by_text = {str(uid): uid for uid in made.uids}
    return [(number, [by_text[uid] for uid in players]) for number, players in record.seats().items()]


def test_the_last_draw_says_who_was_moved_and_publishes_no_pairs(drawn: Event) -> None:
    draw = last_draw(drawn.stage)
    assert draw is not None
    assert (draw.number, draw.moved, draw.public["apart"]) == (1, (), "not published")
    assert draw.at is not None
    assert draw.record.seats() == seating_now(drawn.stage)
    one, two = (drawn.at(table) for table in drawn.tables)
    rows = [{"number": 1, "entries": one[1:]}, {"number": 2, "entries": [*two, one[0]]}]
    drawn.act(actions.seat_stage, stage=drawn.stage.uid, tables=rows)
    draw = last_draw(drawn.stage)
    assert draw is not None
    assert [(move.player, move.origin, move.goal) for move in draw.moved] == [(str(one[0]), 1, 2)]


def test_a_stage_that_was_not_drawn_has_no_draw() -> None:
    assert last_draw(running_heats(players=4).stage) is None


def test_a_draw_of_another_way_of_drawing_is_none(drawn: Event) -> None:
    draw = drawn.stage.draws.get()
    type(draw).objects.filter(pk=draw.pk).update(record=draw.record | {"version": 0})
    assert last_draw(drawn.stage) is None


def test_each_game_of_a_session_was_a_seating_with_those_who_played() -> None:
    made = Club().session("Aino", "Börje", "Cécile", games=[[600, 900, 0], [0, None, 60]])
    one, two, three = map(str, made.uids)
    assert played_before(made.tournament) == [[[one, two, three]], [[one, three]]]


def test_matches_and_heats_are_seatings_once_something_was_played() -> None:
    made = running_heats(players=4, tables=2)
    assert played_before(made.tournament) == []
    recorded_heat(made, made.tables[1])
    assert played_before(made.tournament) == [[list(map(str, made.at(made.tables[1])))]]
    recorded_heat(made, made.tables[0])
    assert played_before(made.tournament) == [[list(map(str, made.at(table))) for table in made.tables]]
    match = add_stage(event("mattel-108", players=2), "match")
    recorded_round(match)
    assert played_before(match.tournament) == [[list(map(str, match.uids))]]
