"""From the heats to the final: a heat is corrected after the next level was seated."""

from typing import Any
from uuid import uuid4

import pytest

from tests.support.asking_actions import agrees, refusal, results, state_of
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
from tests.support.factories import event
from tournament import actions
from tournament.models import Play
from tournament.queries.advancing import difference_lines, differences, level_of
from tournament.results.faults import Refused

pytestmark = pytest.mark.django_db


def test_a_correction_moves_nobody_until_somebody_chooses() -> None:
    made = championship()
    corrected(made, 1, 1, finish=False)
    assert seats_of(made) == ["Aino", "Börje"]
    assert lines(made) == ["Final: Cécile comes in for Aino."]
    made.act(actions.finish_stage, stage=heats_of(made).uid)
    assert seats_of(made) == ["Aino", "Börje"]
    assert decisions(made) == set()
    started(made, rounds=1)
    assert lines(made) == ["Final: Cécile comes in for Aino. Play at table 1 has begun."]
    assert agrees(made)


def test_finalists_are_kept_as_seated() -> None:
    made = started(championship(), rounds=1)
    before = results(made).answer
    asked = {"stage": made.stage.uid}
    assert refusal(made, actions.keep_finalists, **asked, reason="x") == [("nothing_to_decide", "/stage")]
    corrected(made, 1, 1)
    assert refusal(made, actions.keep_finalists, **asked, reason="") == [("missing_reason", "/reason")]
    row = made.act(actions.keep_finalists, **asked, reason="the final had begun").sequence
    assert made.refresh().stage.version == row
    assert decisions(made) == {("advance", "Aino"), ("steps_back", "Cécile")}
    assert lines(made) == []
    assert results(made).answer == before
    assert agrees(made)


def test_the_one_who_goes_through_after_all_takes_the_seat() -> None:
    made = championship()
    corrected(made, 1, 1)
    aino, cecile = heat(made, 1)[:2]
    asked = {"stage": made.stage.uid, "out": aino, "enters": cecile}
    assert refusal(made, actions.swap_finalist, **asked, reason=" ") == [("missing_reason", "/reason")]
    made.act(actions.name_roles, table=made.table.uid, starter=aino)
    started(made)
    made.act(actions.swap_finalist, **asked, reason="the heat was misread")
    assert seats_of(made) == ["Cécile", "Börje"]
    assert decisions(made) == set()
    assert made.refresh().table.starter is None
    assert lines(made) == []
    assert agrees(made)


def test_a_table_that_has_begun_is_played_anew_only_when_asked() -> None:
    made = started(championship(players=9, tables=3), rounds=2)
    before = made.table.plays.get(number=1).version
    corrected(made, 1, 1)
    aino, dima = heat(made, 1)[:2]
    asked = {"stage": made.stage.uid, "out": aino, "enters": dima, "reason": "the heat was misread"}
    assert refusal(made, actions.swap_finalist, **asked) == [("table_has_begun", "/anew")]
    assert results(made).answer.standings[0].points == 36
    made.act(actions.swap_finalist, **asked, anew=True)
    assert seats_of(made) == ["Dima", "Börje", "Cécile"]
    played = Play.objects.filter(table=made.table)
    assert set(played.values_list("state", flat=True)) == {"void"}
    assert played[0].results.filter(entry__uid=aino).exists()
    scored = results(made)
    assert [row.points for row in scored.answer.standings] == [0, 0, 0]
    assert {scored.names[row.player] for row in scored.answer.standings} == {
        "Dima",
        "Börje",
        "Cécile",
    }
    assert "Aino" in scored.names.values()  # still readable in the rounds that are void
    play = played.order_by("number").first()
    assert play is not None
    back = {
        "play": play.uid,
        "version": play.version,
        "reason": "it was right",
        "winner": aino,
        "hands": {str(uid): {"9": 1} for uid in made.at(made.table)},
    }
    assert refusal(made, actions.correct_round, **back) == [("unknown_player", "/winner")]
    entered = {"play": play.uid, "version": play.version, "to": before}
    assert [code for code, _path in refusal(made, actions.revert_play, **entered)] == ["unknown_player"]
    made.act(
        actions.record_round,
        table=made.table.uid,
        play=uuid4(),
        number=3,
        winner=dima,
        hands={str(uid): {"9": 2} for uid in made.at(made.table)[1:]},
    )
    assert [row.points for row in results(made).answer.standings] == [36, 0, 0]
    assert lines(made) == []
    assert agrees(made)


def test_who_stepped_back_is_asked_about_when_the_stage_is_seated_anew_and_stays_so() -> None:
    made, other = championship(players=9, tables=3), championship(players=9, tables=3)
    for each in (made, other):
        corrected(each, 1, 1)
        each.act(actions.keep_finalists, stage=each.stage.uid, reason="all agree")
    asked = {"stage": made.stage.uid}
    assert refusal(made, actions.fill_stage, **asked) == [("places_open", "/places/1-1-1")]
    made.act(actions.fill_stage, **asked, leave_open=True, reason="two are enough")
    assert seats_of(made) == ["Börje", "Cécile"]
    level = level_of(made.stage)
    assert level is not None
    assert [(comer.key, comer.decided and comer.decided.reason) for comer in level.steps_back] == [
        (str(made.uids[3]), "all agree")
    ]
    assert decisions(other) == {("advance", "Aino"), ("steps_back", "Dima")}


def test_who_came_by_a_decision_and_left_does_not_come_any_more() -> None:
    made = championship(filled=False, players=9, tables=3)
    late, next_one = made.uids[3:5]
    made.act(actions.fill_stage, stage=made.stage.uid, decided=[late], reason="by lot")
    started(made)
    made.act(actions.player_leaves, entry=late)
    made.act(actions.swap_finalist, stage=made.stage.uid, out=late, enters=next_one, reason="went home")
    assert decisions(made) == {("advance", "Eeva")}


def test_a_choice_can_be_changed() -> None:
    made = championship()
    corrected(made, 1, 1)
    aino, cecile = heat(made, 1)[:2]
    made.act(actions.keep_finalists, stage=made.stage.uid, reason="all agree")
    made.act(actions.swap_finalist, stage=made.stage.uid, out=aino, enters=cecile, reason="they do not")
    assert (seats_of(made), decisions(made)) == (["Cécile", "Börje"], set())
    made.act(actions.swap_finalist, stage=made.stage.uid, out=cecile, enters=aino, reason="they do again")
    assert (seats_of(made), decisions(made)) == (
        ["Aino", "Börje"],
        {("advance", "Aino"), ("steps_back", "Cécile")},
    )
    assert agrees(made)


def test_more_or_fewer_going_through_after_a_correction() -> None:
    made = championship(players=9, tables=3)
    corrected(made, 1, 0, 1, advance=2)
    assert lines(made) == ["Dima also goes through to Final."]
    dima = heat(made, 1)[1]
    made.act(actions.call_reserve, stage=made.stage.uid, entry=dima, reason="two go through there")
    assert seats_of(made) == ["Aino", "Börje", "Cécile", "Dima"]
    corrected(made, 1, 0, advance=1)
    assert lines(made) == ["Dima no longer goes through to Final."]
    made.act(actions.swap_finalist, stage=made.stage.uid, out=dima, reason="one only")
    assert seats_of(made) == ["Aino", "Börje", "Cécile"]
    assert (decisions(made), lines(made)) == (set(), [])
    assert agrees(made)


def test_who_sits_there_already_or_is_out_does_not_enter() -> None:
    made = started(championship(players=9, tables=3))
    aino, borje = made.uids[:2]
    stranger, gone = uuid4(), made.uids[8]
    made.act(actions.player_leaves, entry=gone)
    asked = {"stage": made.stage.uid, "reason": "x"}
    refused = {
        "seated_elsewhere": {"out": aino, "enters": borje},
        "unknown_player": {"out": aino, "enters": stranger},
        "already_out": {"out": aino, "enters": gone},
    }
    for code, given in refused.items():
        assert refusal(made, actions.swap_finalist, **asked, **given) == [
            (code, f"/enters/{given['enters']}")
        ]
    assert refusal(made, actions.swap_finalist, **asked, out=stranger) == [("not_seated", f"/out/{stranger}")]
    made.act(actions.swap_finalist, **asked, out=aino)
    with pytest.raises(Refused, match="too_few_players at /tables/1") as too_few:
        made.act(actions.swap_finalist, **asked, out=borje)
    assert too_few.value.faults[0].parameters == {"least": 2}


def test_who_is_out_of_a_final_is_no_player_of_its_table() -> None:
    made = started(championship(players=9, tables=3))
    aino, borje, _cecile = made.uids[:3]
    made.act(actions.player_leaves, entry=aino)
    asked = {"stage": made.stage.uid, "out": borje, "reason": "x"}
    assert refusal(made, actions.swap_finalist, **asked) == [("too_few_players", "/tables/1")]


def test_a_stage_that_is_over_is_opened_again_first() -> None:
    made = started(championship(), rounds=1)
    made.act(actions.stop_match, table=made.table.uid)
    made.act(actions.finish_stage, stage=made.stage.uid)
    corrected(made, 1, 1)
    aino, cecile = heat(made, 1)[:2]
    asked = {"stage": made.stage.uid, "out": aino, "enters": cecile, "reason": "misread", "anew": True}
    assert refusal(made, actions.swap_finalist, **asked) == [("illegal_move", "/stage")]
    assert made.refresh().tournament.state == "finished"
    made.act(actions.reopen_stage, stage=made.stage.uid, reason="misread")
    made.act(actions.swap_finalist, **asked)
    assert not made.refresh().table.stopped
    assert agrees(made)


def test_a_heat_that_is_played_again_takes_nobody_out_of_the_final_yet() -> None:
    made = championship()
    heats = heats_of(made)
    made.act(actions.reopen_stage, stage=heats.uid, reason="a card was missing")
    play = Play.objects.get(table__stage=heats, table__number=1)
    made.act(actions.void_play, play=play.uid, version=play.version, reason="a card was missing")
    assert lines(made) == []
    made.act(actions.finish_stage, stage=heats.uid, without=[1], reason="no time")
    assert lines(made) == ["Aino no longer goes through to Final."]
    made.act(actions.keep_finalists, stage=made.stage.uid, reason="by lot")
    assert decisions(made) == {("advance", "Aino")}
    assert agrees(made)


def test_removed_players_keep_the_seats_they_played_from() -> None:
    made = started(championship(players=9, tables=3), rounds=1)
    aino = made.uids[0]
    made.act(actions.remove_player, entry=aino, reason="disturbed")
    assert state_of(aino) == "disqualified"
    level = level_of(made.stage)
    assert level is not None
    assert (level.leaves, level.enters, level.vacant) == ((), (), ())
    assert difference_lines(level) == []


def test_differences_ask_as_often_for_many_tables_as_for_few(django_assert_num_queries: Any) -> None:
    for players in (6, 18):
        made = championship(players=players, tables=players // 3)
        corrected(made, 1, 1)
        differences(made.tournament)  # the heats' answer is kept now
        with django_assert_num_queries(6):
            assert len(differences(made.tournament)) == 1
    assert event().tournament.state == "planned"
