"""Seats: who can sit where, and until when."""

from uuid import uuid4

import pytest

from tests.support.asking_actions import agrees, refusal
from tests.support.factories import (
    add_stage,
    event,
    running_match,
    running_session,
)
from tournament import actions
from tournament.models import Play, Seat, Table

pytestmark = pytest.mark.django_db


def test_seats_that_cannot_be_are_refused_at_the_player() -> None:
    made = add_stage(event(players=4), "match", start=False)
    other = event(players=1)
    one, two, three, four = made.uids
    asked = {"stage": made.stage.uid, "table": uuid4(), "number": 2}
    assert refusal(made, actions.seat_table, entries=[one], **asked) == [
        ("seated_elsewhere", f"/entries/{one}")
    ]
    assert refusal(made, actions.seat_table, entries=other.uids, **asked) == [
        ("unknown_player", f"/entries/{other.uids[0]}")
    ]
    asked["table"] = made.table.uid
    assert refusal(made, actions.seat_table, entries=[two, two], **asked) == [
        ("duplicate_player", f"/entries/{two}")
    ]
    made.act(actions.seat_table, stage=made.stage.uid, table=made.table.uid, number=1, entries=[three, one])
    assert made.at(made.table) == [three, one]
    assert refusal(
        made, actions.seat_table, stage=made.stage.uid, table=uuid4(), number=1, entries=[two, four]
    ) == [("number_taken", "/tables/1")]
    elsewhere = add_stage(event(players=2), "match", start=False)
    assert refusal(
        made, actions.seat_table, stage=made.stage.uid, table=elsewhere.table.uid, number=3, entries=[two]
    ) == [("unknown_table", "/table")]
    assert agrees(made)


def test_seats_of_a_match_stay_once_it_has_begun_and_a_sessions_for_each_game() -> None:
    match, session = running_match(players=3), running_session(players=3)
    for made, fixed in ((match, True), (session, False)):
        asked = {
            "stage": made.stage.uid,
            "table": made.table.uid,
            "number": 1,
            "entries": made.uids[:2],
        }
        if fixed:
            winner, *others = made.uids
            hands = {str(uid): {"7": 1} for uid in others}
            made.act(
                actions.record_round,
                table=made.table.uid,
                play=uuid4(),
                number=1,
                winner=winner,
                hands=hands,
            )
            assert refusal(made, actions.seat_table, **asked) == [("table_has_begun", "/tables/1")]
        else:
            game = uuid4()
            made.act(actions.start_game, table=made.table.uid, play=game, number=1)
            assert refusal(made, actions.seat_table, **asked) == [("game_running_here", "/tables/1")]
            made.act(
                actions.void_play,
                play=game,
                version=Play.objects.get(uid=game).version,
                reason="Cards were missing",
            )
            made.act(actions.seat_table, **asked)
            assert made.at(made.table) == made.uids[:2]


def test_a_whole_stage_is_seated_in_one_step() -> None:
    made = add_stage(event(players=6), "heats", tables=3, start=False)
    kept = made.tables[0].uid
    one, two, three, four, five, six = made.uids
    tables = [{"number": 1, "entries": [six, one, two]}, {"number": 2, "entries": [three, four, five]}]
    made.act(actions.seat_stage, stage=made.stage.uid, tables=tables, seed="6174")
    made.refresh()
    assert [(table.number, made.at(table)) for table in made.tables] == [
        (1, [six, one, two]),
        (2, [three, four, five]),
    ]
    assert made.tables[0].uid == kept
    assert (Table.objects.count(), Seat.objects.count()) == (2, 6)
    assert agrees(made)
