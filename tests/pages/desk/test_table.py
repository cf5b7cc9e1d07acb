"""A table as its referee sees it: before play, while a game runs, once the match is over."""

from datetime import timedelta
from uuid import uuid4

import pytest

from tests.support.factories import (
    Event,
    add_stage,
    event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    running_session,
    started_game,
)
from tournament import actions
from tournament.models import Call, Play, Table
from tournament.pages.desk.table import Scene, scene_of
from tournament.results import Refused

pytestmark = pytest.mark.django_db


def scene(made: Event) -> Scene:
    return scene_of(Table.objects.select_related("stage__tournament").get(pk=made.table.pk))


def test_a_planned_table_has_no_results() -> None:
    made = add_stage(event("mattel-108", 3), "match", start=False)
    found = scene(made)
    assert (found.open, found.complete, found.results, found.board(), found.next_number) == (
        False,
        False,
        None,
        None,
        1,
    )
    assert found.named(found.seated) == [
        (str(uid), name) for uid, name in zip(made.uids, ("Aino", "Börje", "Cécile"), strict=True)
    ]
    assert found.points(uuid4()) == {}


def test_a_match_gives_points_and_is_over_at_its_target() -> None:
    made = running_match(players=3, target=20)
    first = recorded_round(made)
    found = scene(made)
    winner, *others = map(str, made.uids)
    assert found.points(first) == {winner: 14, others[0]: 0, others[1]: 0}
    assert found.scored(first) == {}
    assert (found.open, found.complete, found.next_number) == (True, False, 2)
    recorded_round(made)
    assert scene(made).complete
    with pytest.raises(Play.DoesNotExist):
        found.play(uuid4())


def test_who_was_ejected_may_not_play_the_next_game() -> None:
    made = running_session(players=4)
    play = started_game(made)
    assert scene(made).running == scene(made).play(play)
    made.act(actions.eject_player, play=play, entry=made.uids[1], reason="Threw a card")
    found = scene(made)
    assert found.ejected == {made.uids[1]}
    assert found.ready == [made.uids[0], *made.uids[2:]]


def test_heats_have_no_board() -> None:
    made = running_heats(players=4, tables=1)
    recorded_heat(made)
    assert scene(made).board() is None
    assert [play.number for play in scene(made).counting] == [1]


def test_a_call_is_shown_until_some_time_after_its_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    made = running_match(players=3)
    assert scene(made).call is None
    made.act(actions.call_referee, table=made.table.uid)
    call = Call.objects.get()
    assert scene(made).call == call
    made.act(actions.answer_call, call=call.uid)
    assert scene(made).call == call
    monkeypatch.setattr("tournament.pages.desk.table.TOLD_WITHIN", timedelta())
    assert scene(made).call is None


def test_a_table_that_is_gone_is_said_so() -> None:
    made = running_match(players=3)
    found = Table.objects.select_related("stage__tournament").get(pk=made.table.pk)
    found.uid = uuid4()
    with pytest.raises(Refused, match="unknown_table"):
        scene_of(found)
