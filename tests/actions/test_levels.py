"""From the heats to the final: open places ask, reserves, the draw, and corrections after the next level was seated."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.actions.asking import agrees, refusal, results, state_of, version
from tests.factories import Event, add_stage, event, recorded_heat, running_heats, running_session
from tournament import actions
from tournament.levels import difference_lines, differences, level_of
from tournament.models import Decision, Draw, Entry, Play, Seat, Stage, Table
from tournament.seating import DrawRecord

pytestmark = pytest.mark.django_db


def championship(players: int = 6, tables: int = 2, *, filled: bool = True, **settings: Any) -> Event:
    """Heats that are over, each won by who sits first, and a final; the event's stage is the final."""
    made = running_heats(players=players, tables=tables, **settings)
    for table in made.tables:
        recorded_heat(made, table)
    made.act(actions.finish_stage, stage=made.stage.uid)
    final = uuid4()
    made.act(actions.plan_stage, stage=final, kind="final", settings={"target": 250})
    made.stage = Stage.objects.get(uid=final)
    if filled:
        made.act(actions.fill_stage, stage=final)
    return made.refresh()


def heats_of(made: Event) -> Stage:
    return Stage.objects.get(tournament=made.tournament, number=made.stage.number - 1)


def heat(made: Event, number: int) -> list[UUID]:
    """Who sat at a heat's table."""
    return made.at(Table.objects.get(stage=heats_of(made), number=number))


def corrected(made: Event, number: int, *order: int, finish: bool = True, **more: Any) -> None:
    """Open the heats again and correct one: who went out, by their places at the table from 0."""
    heats = heats_of(made)
    made.act(actions.reopen_stage, stage=heats.uid, reason="misread")
    play = Play.objects.get(table__stage=heats, table__number=number)
    seats = heat(made, number)
    made.act(
        actions.correct_heat,
        play=play.uid,
        version=version(made, play.uid),
        reason="misread",
        finish_order=[seats[place] for place in order],
        **more,
    )
    if finish:
        made.act(actions.finish_stage, stage=heats.uid)


def seats_of(made: Event) -> list[str]:
    seats = Seat.objects.filter(table__stage=made.stage).order_by("table__number", "position")
    return list(seats.values_list("entry__public_name", flat=True))


def decisions(made: Event) -> set[tuple[str, str]]:
    rows = Decision.objects.filter(stage=made.stage)
    return set(rows.values_list("kind", "entry__public_name"))


def started(made: Event, rounds: int = 0) -> Event:
    made.act(actions.start_stage, stage=made.stage.uid)
    made.refresh()
    for number in range(1, rounds + 1):
        first, *others = made.at(made.table)
        made.act(
            actions.record_round,
            table=made.table.uid,
            play=uuid4(),
            number=number,
            winner=first,
            hands={str(uid): {"9": 1} for uid in others},
        )
    return made


def lines(made: Event) -> list[str]:
    return [line for one in differences(made.tournament) for line in one.lines]


# Open places


def test_a_place_whose_finalist_left_asks_who_takes_it() -> None:
    made = championship(filled=False)
    gone, next_one = heat(made, 1)[:2]
    made.act(actions.player_leaves, entry=gone)
    final = made.stage.uid
    assert refusal(made, actions.fill_stage, stage=final) == [("places_open", "/places/1-1")]
    assert refusal(made, actions.fill_stage, stage=final, leave_open=True) == [("missing_reason", "/reason")]
    asked = {"stage": final, "decided": [next_one]}
    assert refusal(made, actions.fill_stage, **asked) == [("missing_reason", "/reason")]
    assert refusal(made, actions.fill_stage, stage=final, decided=[gone], reason="they said so") == [
        ("already_out", f"/decided/{gone}")
    ]
    stranger = uuid4()
    assert refusal(made, actions.fill_stage, stage=final, decided=[stranger], reason="who?") == [
        ("unknown_player", f"/decided/{stranger}")
    ]
    made.act(actions.fill_stage, **asked, reason="the first left")
    assert seats_of(made) == ["Börje", "Cécile"]
    assert decisions(made) == {("advance", "Cécile")}
    level = level_of(made.stage)
    assert level is not None
    (place,) = level.open_places
    assert (place.heat, place.why, place.gone, place.taken and place.taken.entry.public_name) == (
        1,
        "left",
        Entry.objects.get(uid=gone),
        "Cécile",
    )
    assert (level.let_through[0].decided.who, level.let_through[0].decided.reason) == (  # type: ignore[union-attr]
        made.user.display_name(),
        "the first left",
    )
    made.act(actions.readmit_player, entry=gone)
    assert lines(made) == ["Aino goes through to Final too."]
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


def test_fewer_than_two_cannot_play_the_next_stage() -> None:
    made = championship(filled=False)
    made.act(actions.player_leaves, entry=heat(made, 1)[0])
    asked = {"stage": made.stage.uid, "leave_open": True, "reason": "no reserve"}
    assert refusal(made, actions.fill_stage, **asked) == [("nobody_through", "/stage")]
    assert not Decision.objects.exists()


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
    assert [(place.key, place.why) for place in level.open_places] == [("1-2", "fewer")]


def test_nothing_is_open_while_heats_are_played() -> None:
    made = running_heats(players=6, tables=3)
    recorded_heat(made, made.tables[0])
    made.act(actions.plan_stage, stage=uuid4(), kind="final")
    level = level_of(Stage.objects.get(kind="final"))
    assert level is not None
    assert [comer.entry.public_name for comer in level.comes] == ["Aino"]
    assert level.open_places == ()


def test_a_stage_that_follows_no_heats_has_no_level() -> None:
    made = running_session(players=3)
    assert level_of(made.stage) is None
    assert differences(made.tournament) == []
    asked = {"stage": made.stage.uid, "reason": "x"}
    assert refusal(made, actions.keep_finalists, **asked) == [("heats_not_finished", "/stage")]


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
    wrong = {"stage": stage, "entries": [fatima, fatima, made.uids[0]], "reason": "x"}
    assert refusal(made, actions.name_reserves, **wrong) == [
        ("duplicate_player", f"/entries/{fatima}"),
        ("comes_already", f"/entries/{made.uids[0]}"),
    ]
    made.act(actions.name_reserves, **asked, reason="by lot")
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


# A correction after the next level was seated


def test_a_correction_moves_nobody_until_somebody_chooses() -> None:
    made = championship()
    corrected(made, 1, 1, finish=False)
    assert seats_of(made) == ["Aino", "Börje"]
    assert lines(made) == ["Aino leaves Final, Cécile enters."]
    made.act(actions.finish_stage, stage=heats_of(made).uid)
    assert seats_of(made) == ["Aino", "Börje"]
    assert decisions(made) == set()
    started(made, rounds=1)
    assert lines(made) == ["Aino leaves Final, Cécile enters. Table 1 has started."]
    assert agrees(made)


def test_finalists_are_kept_as_seated() -> None:
    made = started(championship(), rounds=1)
    before = results(made).answer
    asked = {"stage": made.stage.uid}
    assert refusal(made, actions.keep_finalists, **asked, reason="x") == [("nothing_to_decide", "/stage")]
    corrected(made, 1, 1)
    assert refusal(made, actions.keep_finalists, **asked, reason="") == [("missing_reason", "/reason")]
    made.act(actions.keep_finalists, **asked, reason="the final had begun")
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
    corrected(made, 1, 1)
    aino, dima = heat(made, 1)[:2]
    asked = {"stage": made.stage.uid, "out": aino, "enters": dima, "reason": "the heat was misread"}
    assert refusal(made, actions.swap_finalist, **asked) == [("table_has_begun", "/anew")]
    assert results(made).answer.standings[0].points == 36  # type: ignore[union-attr]
    made.act(actions.swap_finalist, **asked, anew=True)
    assert seats_of(made) == ["Dima", "Börje", "Cécile"]
    played = Play.objects.filter(table=made.table)
    assert set(played.values_list("state", flat=True)) == {"void"}
    assert played.first().results.filter(entry__uid=aino).exists()  # type: ignore[union-attr]
    scored = results(made)
    assert [row.points for row in scored.answer.standings] == [0, 0, 0]  # type: ignore[union-attr]
    assert {scored.names[row.player] for row in scored.answer.standings} == {  # type: ignore[union-attr]
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
    made.act(
        actions.record_round,
        table=made.table.uid,
        play=uuid4(),
        number=3,
        winner=dima,
        hands={str(uid): {"9": 2} for uid in made.at(made.table)[1:]},
    )
    assert [row.points for row in results(made).answer.standings] == [36, 0, 0]  # type: ignore[union-attr]
    assert lines(made) == []
    assert agrees(made)


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
    assert lines(made) == ["Dima goes through to Final too."]
    dima = heat(made, 1)[1]
    made.act(actions.call_reserve, stage=made.stage.uid, entry=dima, reason="two go through there")
    assert seats_of(made) == ["Aino", "Börje", "Cécile", "Dima"]
    corrected(made, 1, 0, advance=1)
    assert lines(made) == ["Dima does not go through to Final any more."]
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
    assert refusal(made, actions.swap_finalist, **asked, out=borje) == [("too_few_players", "/tables/1")]


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
    assert lines(made) == ["Aino does not go through to Final any more."]
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
        with django_assert_num_queries(5):
            assert len(differences(made.tournament)) == 1
    assert event().tournament.state == "planned"
