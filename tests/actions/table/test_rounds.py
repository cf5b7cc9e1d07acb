"""Matches: rounds, who leaves and who comes back, stopping, and corrections that end a match earlier or later."""

from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.support.asking_actions import refusal, results, standings, state_of, states, version
from tests.support.factories import Event, event, recorded_round, running_match
from tournament import actions
from tournament.models import Play

pytestmark = pytest.mark.django_db

Hand = dict[str, int]


def hands_of(made: Event, winner: int, hand: Hand, *, without: tuple[int, ...] = ()) -> dict[str, Hand]:
    return {str(uid): hand for index, uid in enumerate(made.uids) if index != winner and index not in without}


def play_round(
    made: Event, winner: int = 0, hand: Hand | None = None, *, without: tuple[int, ...] = (), **more: Any
) -> UUID:
    """Record the next round: everybody but the winner holds `hand`."""
    play = uuid4()
    made.act(
        actions.record_round,
        table=made.table.uid,
        play=play,
        number=Play.objects.filter(table=made.table).count() + 1,
        winner=made.uids[winner],
        hands=hands_of(made, winner, hand or {"7": 1}, without=without),
        **more,
    )
    return play


def correct(
    made: Event,
    play: UUID,
    winner: int = 0,
    hand: Hand | None = None,
    *,
    without: tuple[int, ...] = (),
    **more: Any,
) -> None:
    made.act(actions.correct_round, **correction(made, play, winner, hand, without=without) | more)


def correction(
    made: Event, play: UUID, winner: int, hand: Hand | None, *, without: tuple[int, ...] = ()
) -> dict[str, Any]:
    return {
        "play": play,
        "version": version(made, play),
        "reason": "counted again",
        "winner": made.uids[winner],
        "hands": hands_of(made, winner, hand or {"7": 1}, without=without),
        "removed": [],
        "withdrawn": [],
    }


def places(made: Event) -> dict[str, tuple[int | None, str]]:
    return {name: (place, status) for name, (place, status, _) in standings(made).items()}


def test_the_winner_gains_what_the_others_hold() -> None:
    made = running_match(players=3)
    play_round(made, 0, {"7": 1, "wild": 1})
    assert standings(made) == {
        "Aino": (1, "ranked", 114),
        "Börje": (2, "ranked", 0),
        "Cécile": (2, "ranked", 0),
    }


def test_everybody_collects_their_own_hand_in_the_other_count() -> None:
    made = running_match(players=3, scoring="own_hand")
    play_round(made, 0, {"7": 1})
    assert standings(made)["Aino"] == (1, "ranked", 0)
    assert standings(made)["Börje"] == (2, "ranked", 7)


@pytest.mark.parametrize(
    ("last", "drew", "hand", "fault"),
    [
        ({"draw2": 1}, None, {"7": 3}, ("missing_drew", "/drew")),
        ({"draw2": 1}, 1, {"7": 2}, ("drawn_cards_missing", "/hands/{1}")),
        ({"draw2": 2}, 1, {"7": 3}, ("last_cards_invalid", "/last_cards")),
        ({"draw2": 1}, 0, {"7": 3}, ("missing_drew", "/drew")),
        ({"jack": 1}, None, {"7": 3}, ("unknown_card", "/last_cards/jack")),
    ],
)
def test_last_cards_that_do_not_fit_are_refused_at_their_place(
    last: Hand, drew: int | None, hand: Hand, fault: tuple[str, str]
) -> None:
    made = running_match(players=2)
    asked = {"last_cards": last, "drew": made.uids[drew] if drew is not None else None}
    code, path = fault
    assert refusal(
        made,
        actions.record_round,
        table=made.table.uid,
        play=uuid4(),
        number=1,
        winner=made.uids[0],
        hands=hands_of(made, 0, hand),
        **asked,
    ) == [(code, path.format(*made.uids))]


def test_two_draw_twos_end_a_tite_round_and_their_cards_count() -> None:
    made = running_match(players=2, ruleset="tite-2022")
    play_round(made, 0, {"1": 5}, last_cards={"draw2": 2}, drew=made.uids[1])
    assert standings(made)["Aino"] == (1, "ranked", 5)


def test_a_text_may_empty_hands_where_there_are_customizable_cards() -> None:
    made = running_match(players=3, ruleset="mattel-112")
    play_round(made, 0, {"7": 1}, without=(2,), emptied=[made.uids[2]])
    assert standings(made)["Aino"] == (1, "ranked", 7)
    other = running_match(players=3)
    assert refusal(
        other,
        actions.record_round,
        table=other.table.uid,
        play=uuid4(),
        number=1,
        winner=other.uids[0],
        hands=hands_of(other, 0, {"7": 1}, without=(2,)),
        emptied=[other.uids[2]],
    ) == [("malformed", "/emptied")]


@pytest.mark.parametrize(
    ("asked", "fault"),
    [
        ({"winner": None}, ("missing_winner", "/winner")),
        ({"winner": UUID(int=7)}, ("unknown_player", "/winner")),
        ({"drew": UUID(int=7)}, ("unknown_player", "/drew")),
        ({"emptied": [UUID(int=7)]}, ("unknown_player", f"/emptied/{UUID(int=7)}")),
        ({"removed": [UUID(int=7)]}, ("unknown_player", f"/removed/{UUID(int=7)}")),
        ({"withdrawn": [UUID(int=7)]}, ("unknown_player", f"/withdrawn/{UUID(int=7)}")),
        ({"emptied": "all"}, ("malformed", "/emptied")),
        ({"last_cards": "draw2"}, ("malformed", "/last_cards")),
        ({"hands": {}}, ("missing_hand", "/hands/{1}")),
        ({"number": 2}, ("wait_for_predecessor", "/number")),
        ({"number": 0}, ("wait_for_predecessor", "/number")),
    ],
)
def test_a_round_that_cannot_be_is_refused_at_its_place(
    asked: dict[str, Any], fault: tuple[str, str]
) -> None:
    made = running_match(players=2)
    sound = {"number": 1, "winner": made.uids[0], "hands": hands_of(made, 0, {"7": 1})}
    code, path = fault
    assert (code, path.format(*made.uids)) in refusal(
        made, actions.record_round, table=made.table.uid, play=uuid4(), **(sound | asked)
    )
    assert not Play.objects.exists()


def test_a_winner_with_cards_is_refused_at_the_hand() -> None:
    made = running_match(players=2)
    winner, other = made.uids
    assert refusal(
        made,
        actions.record_round,
        table=made.table.uid,
        play=uuid4(),
        number=1,
        winner=winner,
        hands={str(winner): {"7": 1}, str(other): {"7": 1}},
    ) == [("winner_has_cards", f"/hands/{winner}")]


def test_somebody_cannot_both_leave_and_be_removed() -> None:
    made = running_match(players=3)
    gone = made.uids[2]
    assert refusal(
        made,
        actions.record_round,
        table=made.table.uid,
        play=uuid4(),
        number=1,
        winner=made.uids[0],
        hands=hands_of(made, 0, {"7": 1}, without=(2,)),
        removed=[gone],
        withdrawn=[gone],
    ) == [("duplicate_player", f"/withdrawn/{gone}")]


def test_who_is_removed_or_leaves_in_a_round_is_out_from_it() -> None:
    made = running_match(players=4)
    play_round(made, 3)
    play_round(made, 0, without=(2, 3), removed=[made.uids[2]], withdrawn=[made.uids[3]])
    assert standings(made) == {
        "Aino": (1, "ranked", 7),
        "Börje": (2, "ranked", 0),
        "Dima": (None, "withdrawn", 21),
        "Cécile": (None, "disqualified", 0),
    }
    assert (state_of(made.uids[2]), state_of(made.uids[3])) == ("disqualified", "left")
    assert refusal(
        made,
        actions.record_round,
        table=made.table.uid,
        play=uuid4(),
        number=3,
        winner=made.uids[0],
        hands=hands_of(made, 0, {"7": 1}),
    ) == [("removed_plays", f"/hands/{made.uids[2]}"), ("removed_plays", f"/hands/{made.uids[3]}")]
    assert refusal(
        made,
        actions.record_round,
        table=made.table.uid,
        play=uuid4(),
        number=3,
        winner=made.uids[0],
        hands=hands_of(made, 0, {"7": 1}, without=(2, 3)),
        removed=[made.uids[3]],
    ) == [("already_out", f"/removed/{made.uids[3]}")]


def test_who_was_out_before_may_be_named_again_and_stays_out_from_then() -> None:
    made = running_match(players=3)
    for _round in range(2):
        play_round(made, 0, without=(2,), withdrawn=[made.uids[2]])
    assert made.table.seats.get(entry__uid=made.uids[2]).out_from == 1
    assert standings(made)["Cécile"] == (None, "withdrawn", 0)


def test_who_drew_may_be_out_where_nobody_had_to_draw() -> None:
    made = running_match(players=3)
    gone = made.uids[2]
    play = play_round(made, 0, without=(2,), last_cards={"7": 1}, drew=gone, withdrawn=[gone])
    drew = made.play(play).drew
    assert drew
    assert drew.uid == gone
    assert standings(made)["Cécile"] == (None, "withdrawn", 0)


def test_who_leaves_between_rounds_is_out_from_the_next() -> None:
    made = running_match(players=3)
    play_round(made, 2)
    made.act(actions.player_leaves, entry=made.uids[2], reason="last bus")
    assert places(made)["Cécile"] == (None, "withdrawn")
    assert refusal(made, actions.player_leaves, entry=made.uids[2]) == [
        ("already_out", f"/entries/{made.uids[2]}")
    ]
    play_round(made, 0, without=(2,))
    assert standings(made)["Cécile"] == (None, "withdrawn", 14)


def test_who_comes_back_before_the_next_round_is_in_it() -> None:
    made = running_match(players=3)
    play_round(made, 2)
    made.act(actions.remove_player, entry=made.uids[2], reason="the wrong one")
    made.act(actions.readmit_player, entry=made.uids[2])
    assert state_of(made.uids[2]) == "checked_in"
    assert places(made)["Cécile"] == (1, "ranked")
    play_round(made, 0)


def test_who_was_missed_in_a_round_cannot_simply_come_back() -> None:
    made = running_match(players=3)
    made.act(actions.player_leaves, entry=made.uids[2])
    play = play_round(made, 0, without=(2,))
    assert refusal(made, actions.readmit_player, entry=made.uids[2]) == [
        ("missing_hand", f"/plays/{play}/hands/{made.uids[2]}")
    ]
    assert state_of(made.uids[2]) == "left"


def test_a_removal_needs_a_reason() -> None:
    made = running_match(players=3)
    assert refusal(made, actions.remove_player, entry=made.uids[0], reason=" \u0000 ") == [
        ("missing_reason", "/reason")
    ]


def test_the_last_player_left_has_won() -> None:
    made = running_match(players=3)
    play_round(made, 1)
    made.act(actions.player_leaves, entry=made.uids[1])
    assert not results(made).complete
    made.act(actions.remove_player, entry=made.uids[2], reason="disturbed")
    scored = results(made)
    assert scored.complete
    assert scored.play_of_round(2) is None
    assert scored.answer.winners == (str(made.uids[0]),)
    assert standings(made) == {
        "Aino": (1, "ranked", 0),
        "Börje": (None, "withdrawn", 14),
        "Cécile": (None, "disqualified", 0),
    }
    made.act(actions.finish_stage, stage=made.stage.uid)


def test_a_stopped_match_stands_and_may_go_on() -> None:
    made = running_match(players=2)
    assert refusal(made, actions.stop_match, table=made.table.uid) == [("no_round_yet", "/table")]
    assert refusal(made, actions.resume_match, table=made.table.uid) == [("match_not_stopped", "/table")]
    play_round(made, 1)
    made.act(actions.stop_match, table=made.table.uid, reason="the hall closes")
    assert results(made).complete
    assert refusal(made, actions.stop_match, table=made.table.uid) == [("match_over", "/table")]
    made.act(actions.resume_match, table=made.table.uid)
    assert not results(made).complete
    play_round(made, 0)


def test_who_left_before_a_match_was_stopped_has_no_place_and_who_left_after_keeps_it() -> None:
    made = running_match(players=4)
    play_round(made, 2)
    made.act(actions.player_leaves, entry=made.uids[2])
    made.act(actions.stop_match, table=made.table.uid)
    made.act(actions.player_leaves, entry=made.uids[3])
    assert places(made) == {
        "Aino": (1, "ranked"),
        "Börje": (1, "ranked"),
        "Dima": (1, "ranked"),
        "Cécile": (None, "withdrawn"),
    }


def test_a_correction_that_ends_the_match_earlier_sets_later_rounds_aside() -> None:
    made = running_match(players=2, target=100)
    play_round(made)
    second = play_round(made)
    play_round(made, 1)
    play_round(made, 1)
    before = standings(made)
    correct(made, second, 0, {"wild": 2})
    assert states(made) == ["entered", "entered", "set_aside", "set_aside"]
    assert standings(made) == {"Aino": (1, "ranked", 107), "Börje": (2, "ranked", 0)}
    correct(made, second)
    assert states(made) == ["entered"] * 4
    assert standings(made) == before


def test_nothing_follows_the_round_that_ended_the_match() -> None:
    made = running_match(players=2, target=10)
    play_round(made, 0, {"7": 2})
    asked = {"winner": made.uids[0], "hands": hands_of(made, 0, {"7": 1})}
    assert refusal(made, actions.record_round, table=made.table.uid, play=uuid4(), number=2, **asked) == [
        ("match_over", "")
    ]
    assert refusal(made, actions.stop_match, table=made.table.uid) == [("match_over", "/table")]


def test_a_round_that_is_set_aside_can_be_voided_but_not_made_to_count() -> None:
    made = running_match(players=2, target=100)
    first = play_round(made)
    second = play_round(made)
    correct(made, first, 0, {"wild": 2})
    assert refusal(made, actions.correct_round, **correction(made, second, 0, None)) == [("match_over", "")]
    made.act(actions.void_play, play=second, version=version(made, second), reason="never played")
    correct(made, first)
    assert states(made) == ["entered", "void"]


def test_voiding_a_round_leaves_its_number_and_takes_its_points() -> None:
    made = running_match(players=2)
    first = play_round(made)
    play_round(made, 1)
    made.act(actions.void_play, play=first, version=version(made, first), reason="cards were missing")
    assert standings(made) == {"Börje": (1, "ranked", 7), "Aino": (2, "ranked", 0)}
    assert [row.number for row in results(made).answer.rounds] == [1]
    play_round(made, 1)
    assert [play.number for play in made.table.plays.all()] == [1, 2, 3]


def test_a_correction_of_the_round_somebody_was_removed_in_takes_it_back() -> None:
    made = running_match(players=3)
    play = play_round(made, 0, without=(2,), removed=[made.uids[2]])
    correct(made, play, 0, without=(2,), withdrawn=[made.uids[2]])
    assert (places(made)["Cécile"], state_of(made.uids[2])) == ((None, "withdrawn"), "left")
    correct(made, play, 0)
    assert places(made)["Cécile"] == (2, "ranked")
    assert state_of(made.uids[2]) == "checked_in"
    play_round(made, 0, without=(2,), removed=[made.uids[2]])
    assert places(made)["Cécile"] == (None, "disqualified")


@pytest.mark.parametrize(("voided", "named"), [(False, True), (True, True), (False, False)])
def test_a_departure_that_a_later_round_names_too_stands_when_the_first_is_taken_back(
    voided: bool, named: bool
) -> None:
    made = running_match(4)
    first, last = (play_round(made, 0, without=(2,), withdrawn=[made.uids[2]]) for _ in range(2))
    if not named:
        correct(made, last, 0, without=(2,))
    if voided:
        made.act(actions.void_play, play=last, version=version(made, last), reason="cards were missing")
    correct(made, first, 0)
    assert places(made)["Cécile"] == ((None, "withdrawn") if named else (2, "ranked"))
    assert states(made) == ["entered", "void" if voided else "entered" if named else "set_aside"]


def test_a_correction_that_takes_a_removal_back_sets_rounds_without_them_aside() -> None:
    made = running_match(players=3)
    first = play_round(made, 0, without=(2,), removed=[made.uids[2]])
    second = play_round(made, 0, without=(2,))
    correct(made, first)
    assert states(made) == ["entered", "set_aside"]
    correct(made, second)
    assert standings(made)["Aino"] == (1, "ranked", 28)


def test_a_removal_put_into_an_earlier_round_sets_their_later_rounds_aside() -> None:
    made = running_match(players=3)
    first = play_round(made)
    play_round(made, 2)
    correct(made, first, 0, without=(2,), removed=[made.uids[2]])
    assert states(made) == ["entered", "set_aside"]
    assert standings(made)["Cécile"] == (None, "disqualified", 0)
    correct(made, first)
    assert states(made) == ["entered", "entered"]


def test_a_removal_stands_though_its_round_is_voided() -> None:
    made = running_match(players=3)
    play_round(made)
    play = play_round(made, 0, without=(2,), removed=[made.uids[2]])
    made.act(actions.void_play, play=play, version=version(made, play), reason="cards were missing")
    assert places(made)["Cécile"] == (None, "disqualified")
    play_round(made, 1, without=(2,))
    assert places(made)["Cécile"] == (None, "disqualified")


def test_a_round_counts_again_once_who_was_removed_before_it_is_back() -> None:
    made = running_match(players=3)
    first = play_round(made)
    play_round(made, 2)
    correct(made, first, 0, without=(2,), removed=[made.uids[2]])
    made.act(actions.void_play, play=first, version=version(made, first), reason="cards were missing")
    assert states(made) == ["void", "set_aside"]
    made.act(actions.readmit_player, entry=made.uids[2])
    assert states(made) == ["void", "entered"]
    assert standings(made)["Cécile"] == (1, "ranked", 14)


def test_leaving_after_the_match_was_over_changes_nothing() -> None:
    made = running_match(players=3, target=10)
    play_round(made, 0, {"7": 1})
    before = standings(made)
    made.act(actions.player_leaves, entry=made.uids[0], reason="last bus")
    made.act(actions.remove_player, entry=made.uids[1], reason="disturbed")
    assert standings(made) == before
    assert (state_of(made.uids[0]), state_of(made.uids[1])) == ("left", "disqualified")
    made.act(actions.readmit_player, entry=made.uids[0])
    assert standings(made) == before


def test_who_left_before_a_correction_said_that_the_match_was_over_keeps_the_place() -> None:
    made = running_match(players=3, target=100)
    play_round(made, 2)
    play = play_round(made, 0)
    made.act(actions.player_leaves, entry=made.uids[2], reason="last bus")
    assert places(made)["Cécile"] == (None, "withdrawn")
    correct(made, play, 0, {"wild": 1})
    assert standings(made) == {
        "Aino": (1, "ranked", 100),
        "Cécile": (2, "ranked", 14),
        "Börje": (3, "ranked", 0),
    }
    correct(made, play, 0)
    assert places(made)["Cécile"] == (None, "withdrawn")


def test_a_walkover_is_none_once_a_correction_says_that_the_match_was_over() -> None:
    made = running_match(players=2, target=100)
    play = play_round(made, 1)
    made.act(actions.player_leaves, entry=made.uids[1])
    assert results(made).answer.winners == (str(made.uids[0]),)
    correct(made, play, 1, {"wild": 2})
    assert standings(made) == {"Börje": (1, "ranked", 100), "Aino": (2, "ranked", 0)}


def test_who_left_when_the_match_seemed_over_is_out_once_it_was_not() -> None:
    made = running_match(players=3, target=100)
    play = play_round(made, 0, {"wild": 1})
    made.act(actions.player_leaves, entry=made.uids[2])
    assert places(made)["Cécile"] == (2, "ranked")
    correct(made, play, 0, {"7": 1})
    assert places(made)["Cécile"] == (None, "withdrawn")
    play_round(made, 1, without=(2,))


def test_each_table_of_a_stage_is_its_own_match() -> None:
    made = running_match(players=4, tables=2, target=10)
    recorded_round(made)
    assert refusal(made, actions.finish_stage, stage=made.stage.uid) == [
        ("match_not_over", "/tables/1"),
        ("match_not_over", "/tables/2"),
    ]
    stranger = made.at(made.tables[1])[0]
    seated = made.at(made.tables[0])
    assert refusal(
        made,
        actions.record_round,
        table=made.tables[0].uid,
        play=uuid4(),
        number=2,
        winner=stranger,
        hands={str(uid): {"7": 1} for uid in seated},
    ) == [("unknown_player", "/winner")]


def test_a_finished_match_takes_nothing_until_it_is_opened_again() -> None:
    made = running_match(players=2, target=10)
    play = play_round(made, 0, {"7": 2})
    made.act(actions.finish_stage, stage=made.stage.uid)
    assert states(made) == ["official"]
    assert refusal(made, actions.correct_round, **correction(made, play, 1, None)) == [
        ("stage_not_running", "/table")
    ]
    made.act(actions.reopen_stage, stage=made.stage.uid, reason="counted wrongly")
    correct(made, play, 1, {"7": 2})
    made.act(actions.finish_stage, stage=made.stage.uid)
    assert standings(made)["Börje"] == (1, "ranked", 14)


def test_plays_and_tables_of_another_tournament_are_unknown() -> None:
    made, other = running_match(players=2), running_match(players=2)
    play = recorded_round(other)
    sound = {"winner": made.uids[0], "hands": hands_of(made, 0, {"7": 1})}
    assert refusal(made, actions.record_round, table=other.table.uid, play=uuid4(), number=2, **sound) == [
        ("unknown_table", "/table")
    ]
    assert refusal(made, actions.void_play, play=play, version=1, reason="no") == [("unknown_play", "/play")]
    assert refusal(made, actions.record_round, table=made.table.uid, play=play, number=1, **sound) == [
        ("play_exists", "/play")
    ]
    assert refusal(made, actions.remove_player, entry=other.uids[0], reason="no") == [
        ("unknown_player", f"/entries/{other.uids[0]}")
    ]


def test_a_round_where_no_match_is_played_is_refused() -> None:
    made = running_match(players=2)
    assert refusal(made, actions.start_game, table=made.table.uid, play=uuid4(), number=1) == [
        ("wrong_kind_of_stage", "/table")
    ]
    planned = event("mattel-108", 2)
    stage, table = uuid4(), uuid4()
    planned.act(actions.plan_stage, stage=stage, kind="match")
    planned.act(actions.seat_table, stage=stage, table=table, number=1, entries=planned.uids)
    assert refusal(
        planned, actions.record_round, table=table, play=uuid4(), number=1, winner=None, hands={}
    ) == [("stage_not_running", "/table")]
