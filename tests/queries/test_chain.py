"""Players go from stage to stage by place, as the next, when out, or after a tie; and lives are counted."""

from uuid import uuid4

import pytest

from tests.support.asking_actions import agrees, refusal
from tests.support.chains import (
    begun,
    chained,
    comes,
    corrected,
    filled,
    first,
    level,
    lines,
    named,
    next_of_heats,
    played,
    sits,
    started,
)
from tests.support.factories import Event, add_stage, event, recorded_heat, running_session, started_game
from tournament import actions
from tournament.models import Play, Stage
from tournament.pages.organiser.tiles import stage_views
from tournament.queries.chain import Chain

pytestmark = pytest.mark.django_db


def lives(made: Event) -> dict[str, int]:
    chain = Chain(made.tournament)
    return {chain.entries[pk].public_name: left for pk, left in chain.lives.items()}


def test_first_of_each_table_go_through() -> None:
    """Tables: Aino, Cécile, Eeva, Göran; Börje, Dima, Fatima, Hilla."""
    made = played(begun())
    assert made.tournament.state == "finished"
    chained(made, first(1, 2))
    assert made.tournament.state == "running"  # there is more to play
    assert comes(made) == ["Aino", "Cécile", "Börje", "Dima"]
    assert [comer.where for comer in level(made).comes][:2] == [
        "Match, table 1, place 1",
        "Match, table 1, place 2",
    ]
    filled(made)
    assert sits(made, 2) == ["Aino", "Cécile", "Börje", "Dima"]
    assert agrees(made)


def test_next_are_those_whom_no_stage_above_takes() -> None:
    made = chained(chained(played(begun()), first(1, 1)), first(1, 2, "next"))
    assert comes(made) == ["Cécile", "Eeva", "Dima", "Fatima"]


def test_heats_without_further_places_ask_for_players_who_did_not_go_through() -> None:
    made = next_of_heats(1)
    places = level(made).undecided
    assert [(place.heat, place.why) for place in places] == [(1, "no_more"), (2, "no_more")]
    [heats, *_stages] = Stage.objects.filter(tournament=made.tournament).order_by("number")
    for place, table in zip(places, heats.tables.order_by("number"), strict=True):
        _through, *others = made.at(table)
        assert [entry.uid for entry in place.candidates] == others
    assert [tile.act for tile in stage_views(made.tournament)[0].tiles] == ["", ""]


def test_heats_with_further_places_give_them() -> None:
    made = next_of_heats(2)
    assert (len(comes(made)), level(made).undecided) == (2, ())


def test_those_out_get_a_second_chance_from_which_some_join_again() -> None:
    made = chained(played(begun()), first(1, 2))
    played(filled(made))
    chained(made, {"stage": 1, "take": "out"})
    assert comes(made) == ["Eeva", "Fatima", "Göran", "Hilla"]
    played(filled(made))
    chained(made, first(2, 2), first(3, 1), kind="final")
    assert comes(made) == ["Aino", "Cécile", "Eeva"]
    assert [str(stage) for stage in level(made).sources] == ["Match", "Match"]


def test_nobody_goes_on_before_the_stage_is_over() -> None:
    made = chained(begun(), first(1, 2))
    assert comes(made) == []
    assert refusal(made, actions.fill_stage, stage=made.stage.uid) == [("heats_not_finished", "/stage")]
    running = Stage.objects.get(tournament=made.tournament, number=1)
    asked = {"stage": made.stage.uid, "tables": [{"number": 1, "entries": made.uids[:2]}]}
    made.act(actions.seat_stage, **asked)
    assert refusal(made, actions.start_stage, stage=made.stage.uid) == [("heats_open", "/stage")]
    assert running.state == "running"


def test_who_has_left_is_passed_over_until_seated() -> None:
    made = chained(played(begun()), first(1, 2))
    (cecile,) = named(made, "Cécile")
    made.act(actions.player_leaves, entry=cecile)
    assert comes(made) == ["Aino", "Eeva", "Börje", "Dima"]
    made.act(actions.readmit_player, entry=cecile)
    filled(made)
    made.act(actions.player_leaves, entry=cecile)
    assert comes(made) == ["Aino", "Cécile", "Börje", "Dima"]


@pytest.mark.parametrize("kind", ["final", "match", "race"])
def test_fewer_come_where_fewer_have_a_place(kind: str) -> None:
    made = begun(players=5, tables=1)
    (last,) = named(made, "Eeva")
    made.act(actions.player_leaves, entry=last)
    chained(played(made), first(1, 5), kind=kind)
    assert comes(made) == ["Aino", "Börje", "Cécile", "Dima"]


# ---- Level at the cut ----


def test_shared_place_at_the_cut_is_decided_by_people_with_a_reason() -> None:
    made = begun(players=4, tables=1)
    shared = named(made, "Börje", "Cécile", "Dima")
    chained(played(made, level=shared), first(1, 3), kind="final")
    assert comes(made) == ["Aino"]
    places = level(made).open_places
    assert [(place.key, place.why) for place in places] == [("1-0-2", "shared"), ("1-0-3", "shared")]
    assert [entry.public_name for entry in places[0].candidates[: places[0].own]] == [
        "Börje",
        "Cécile",
        "Dima",
    ]
    asked = {"stage": made.stage.uid}
    assert [code for code, _path in refusal(made, actions.fill_stage, **asked)] == ["places_open"] * 2
    assert refusal(made, actions.fill_stage, **asked, decided=shared[1:]) == [("missing_reason", "/reason")]
    filled(made, decided=shared[1:], reason="drew the highest cards")
    assert sits(made, 2) == ["Aino", "Cécile", "Dima"]
    assert lines(made) == []
    assert agrees(made)


def test_shared_place_within_the_cut_needs_no_decision() -> None:
    made = begun(players=4, tables=1)
    chained(played(made, level=named(made, "Börje", "Cécile")), first(1, 3), kind="final")
    assert comes(made) == ["Aino", "Börje", "Cécile"]
    assert level(made).open_places == ()


def test_tie_break_hand_is_a_heat_of_its_own_whose_first_out_go_through() -> None:
    made = begun(players=4, tables=1)
    shared = named(made, "Börje", "Cécile", "Dima")
    chained(played(made, level=shared), first(1, 2), kind="final")
    final, hand = made.stage, uuid4()
    made.act(actions.plan_tie_break, stage=final.uid, tie_break=hand)
    assert refusal(made, actions.plan_tie_break, stage=final.uid, tie_break=uuid4()) == [
        ("heats_not_finished", "/stage")
    ]
    assert sits(made, 3) == ["Börje", "Cécile", "Dima"]
    made.stage = Stage.objects.get(uid=hand)
    assert (str(made.stage), made.stage.settings) == ("Tie-break", {"advance": 1})
    made.act(actions.start_stage, stage=hand)
    table = made.refresh().table
    made.act(actions.record_heat, table=table.uid, play=uuid4(), number=1, finish_order=[shared[2]])
    made.act(actions.finish_stage, stage=hand)
    made.stage = Stage.objects.get(pk=final.pk)
    assert comes(made) == ["Aino", "Dima"]
    assert level(made).open_places == ()
    filled(made)
    assert sits(made, 2) == ["Aino", "Dima"]
    assert agrees(made)


def test_nobody_plays_a_tie_break_without_a_tie() -> None:
    made = chained(played(begun()), first(1, 2))
    asked = {"stage": made.stage.uid, "tie_break": uuid4()}
    assert refusal(made, actions.plan_tie_break, **asked) == [("nothing_shared", "/stage")]


# ---- Corrections ----


def three_stages() -> Event:
    """Eight, four, two: all played but the final, which is seated."""
    made = chained(played(begun()), first(1, 2))
    played(filled(made, tables=2))
    return filled(chained(made, first(2, 1), kind="final"))


def test_correction_shows_who_enters_and_leaves_to_the_end_and_moves_nobody() -> None:
    made = three_stages()
    assert (sits(made, 2), sits(made, 3)) == (["Aino", "Börje", "Cécile", "Dima"], ["Aino", "Cécile"])
    corrected(made, 1, *named(made, "Eeva", "Cécile", "Aino", "Göran"))
    assert lines(made) == [
        "Match: Eeva comes in for Aino. Play at table 1 has begun. Aino also plays in Final."
    ]
    assert (sits(made, 2), sits(made, 3)) == (["Aino", "Börje", "Cécile", "Dima"], ["Aino", "Cécile"])
    corrected(made, 2, *named(made, "Börje", "Aino"))
    assert lines(made) == [
        "Match: Eeva comes in for Aino. Play at table 1 has begun. Aino also plays in Final.",
        "Final: Börje comes in for Aino.",
    ]
    aino, borje = named(made, "Aino", "Börje")
    made.act(actions.swap_finalist, stage=made.stage.uid, out=aino, enters=borje, reason="misread")
    assert sits(made, 3) == ["Börje", "Cécile"]
    assert agrees(made)


def test_stage_that_is_open_again_holds_the_one_after_it() -> None:
    made = three_stages()
    corrected(made, 2, *named(made, "Börje", "Aino"), finish=False)
    assert lines(made) == ["Final: Börje comes in for Aino."]
    assert refusal(made, actions.finish_stage, stage=made.stage.uid) == [("heats_open", "/stage")]


def test_race_waits_for_its_source_that_is_open_again() -> None:
    """Its games and players stay until an organiser chooses."""
    made = filled(chained(played(begun(players=4, tables=1)), first(1, 2), kind="race"))
    aino, borje = named(made, "Aino", "Börje")
    game = {
        "table": made.table.uid,
        "play": uuid4(),
        "number": 1,
        "winner": aino,
        "hands": {str(borje): {"7": 1}},
    }
    made.act(actions.record_round, **game)
    corrected(made, 1, *named(made, "Cécile", "Aino", "Börje", "Dima"), finish=False)
    assert lines(made) == ["Race: Cécile comes in for Börje. Play at table 1 has begun."]
    assert refusal(made, actions.finish_stage, stage=made.stage.uid) == [("heats_open", "/stage")]
    assert sits(made, 2) == ["Aino", "Börje"]
    made.act(actions.finish_stage, stage=Stage.objects.get(tournament=made.tournament, number=1).uid)
    made.act(actions.keep_finalists, stage=made.stage.uid, reason="agreed")
    made.act(actions.finish_stage, stage=made.stage.uid)
    assert Play.objects.filter(table__stage=made.stage).count() == 1
    assert agrees(made)


# ---- Lives ----


def test_who_is_out_twice_is_out() -> None:
    """All go on with a life less, until they have none; a correction gives it back."""
    made = event("mattel-108", 8)
    chained(made, lives=2)
    started(made, made.uids[::2], made.uids[1::2])
    assert set(lives(made).values()) == {2}
    played(made)
    chained(made, first(1, 2), {"stage": 1, "take": "out"})
    assert len(comes(made)) == 8
    assert {name for name, left in lives(made).items() if left == 1} == {"Eeva", "Göran", "Fatima", "Hilla"}
    started(
        made, named(made, "Aino", "Eeva", "Göran", "Cécile"), named(made, "Börje", "Dima", "Fatima", "Hilla")
    )
    played(made)
    chained(made, first(2, 2), {"stage": 2, "take": "out"})
    assert comes(made) == ["Aino", "Eeva", "Börje", "Dima", "Cécile"]
    assert {name for name, left in lives(made).items() if not left} == {"Göran", "Fatima", "Hilla"}
    corrected(made, 1, *named(made, "Aino", "Göran", "Cécile", "Eeva"))
    assert lives(made)["Göran"] == 1
    assert comes(made) == ["Aino", "Eeva", "Börje", "Dima", "Göran"]  # Cécile was out twice


def test_lives_are_not_counted_unless_asked_for() -> None:
    assert lives(chained(played(begun()), first(1, 2))) == {}


# ---- Divisions, sessions, heats ----


def test_division_has_stages_of_its_own() -> None:
    made = event("mattel-108", 8)
    for uid in made.uids[:4]:
        made.act(actions.edit_entry, entry=uid, division="Juniors")
    chained(made)
    played(started(made, made.uids[::2], made.uids[1::2]))
    chained(made, first(1, 2), division="Juniors")
    assert comes(made) == ["Aino", "Cécile", "Börje", "Dima"]
    chained(made, first(1, 1), division="Seniors")
    assert comes(made) == []


def test_session_sends_on_its_first() -> None:
    made = running_session(players=4)
    play = started_game(made)
    for seconds, uid in enumerate(made.uids[:3], 1):
        made.act(actions.record_out, play=play, entry=uid, elapsed_s=60 * seconds)
    made.act(actions.finish_stage, stage=made.stage.uid)
    second = uuid4()
    source = {"parts": [first(1, 2)]}
    made.act(actions.plan_stage, stage=second, kind="session", source=source)
    made.stage = Stage.objects.get(uid=second)
    assert comes(made) == ["Aino", "Börje"]
    assert [comer.where for comer in level(made).comes] == ["Session, place 1", "Session, place 2"]


def test_heats_send_on_as_many_as_a_source_says() -> None:
    made = add_stage(event("tite-2022", 8), "heats", tables=2, advance=2)
    for table in made.tables:
        recorded_heat(made, table)
    made.act(actions.finish_stage, stage=made.stage.uid)
    made.act(actions.plan_stage, stage=uuid4(), kind="final", source={"parts": [first(1, 1)]})
    made.stage = Stage.objects.get(tournament=made.tournament, number=2)
    assert comes(made) == ["Aino", "Börje"]
    made.act(actions.set_stage_settings, stage=made.stage.uid, source={})
    made.refresh()
    assert comes(made) == ["Aino", "Cécile", "Börje", "Dima"]
