"""Which plays count follows from the facts alone: what earlier ones make impossible is set aside, and comes back."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, strategies as st

from tests.support.contests import contest, play, play_uid, player, round_, seat, seats
from tournament.results.bridge import Contest
from tournament.results.facts import PlayFacts
from tournament.results.faults import Refused
from tournament.results.settling import (
    by_moments,
    ejection_before,
    settle,
    settle_back,
    without_departures_afterwards,
)

SEVEN, WILDS = {"7": 1}, {"wild": 2}


def states(made: Contest) -> list[str]:
    return [one.state for one in settle(made).contest.in_order]


def match(*hands: dict[str, int], target: int = 100, **more: str) -> Contest:
    """Two players' match that the first wins round by round; `more` are states by "round_<number>"."""
    rounds = [
        round_(number, 1, hand, 2, state=more.get(f"round_{number}", "entered"))
        for number, hand in enumerate(hands, 1)
    ]
    return contest("match", *rounds, seats=seats(1, 2), settings={"target": target})


def test_plays_that_count_stay_as_they_are() -> None:
    made = match(SEVEN, SEVEN, round_1="official")
    settled = settle(made)
    assert settled.moved == ()
    assert settled.contest == made


def settled_or_refused(made: Contest) -> object:
    try:
        settled = settle(made)
    except Refused as refused:
        return refused.faults
    return settled.contest, settled.sheet.data, settled.answer, settled.moved, settled.impossible


@given(
    st.lists(
        st.tuples(st.integers(1, 5), st.sampled_from(["entered", "void", "gone"]), st.booleans()),
        max_size=10,
    )
)
def test_a_session_changed_play_by_play_settles_as_from_nothing(changes: list[tuple[int, str, bool]]) -> None:
    made = contest("session", seats=seats(1, 2, 3), settings={"min_games": 2})
    for number, state, ejects in changes:
        second = (2, "ejected", None) if ejects else (2, "out", 30)
        game = play(
            number, (1, "out", 60), second, (3, "last", None), state=state, ended="last", duration_s=60
        )
        made = made.with_plays({game.uid}, [] if state == "gone" else [game])
        fresh = replace(made, plays=tuple(map(replace, made.plays)), carried={})
        assert made.plays == made.in_order == fresh.in_order
        assert {*map(id, made.ejecting)} == {id(one) for one in made.plays if one.ejected}
        assert settled_or_refused(made) == settled_or_refused(fresh)


def test_departures_are_looked_up_only_if_players_left() -> None:
    made = contest("session", seats=seats(1, 2, 3))
    assert by_moments(made) is made


def test_rounds_after_the_end_are_set_aside() -> None:
    settled = settle(match(WILDS, SEVEN, SEVEN))
    assert [one.number for one in settled.moved] == [2, 3]
    assert {one.state for one in settled.moved} == {"set_aside"}
    assert [one.uid for one in settled.sheet.plays if one] == [play_uid(1)]


def test_what_was_set_aside_comes_back_when_it_is_possible() -> None:
    settled = settle(match(SEVEN, SEVEN, SEVEN, round_2="set_aside", round_3="set_aside"))
    assert [(one.number, one.state) for one in settled.moved] == [(2, "entered"), (3, "entered")]


def test_what_is_still_impossible_stays_aside_and_moves_nothing() -> None:
    assert settle(match(WILDS, SEVEN, round_2="set_aside")).moved == ()


@given(
    st.lists(st.sampled_from([SEVEN, WILDS]), max_size=6), st.lists(st.sampled_from(["entered", "set_aside"]))
)
def test_states_do_not_depend_on_what_they_were(hands: list[dict[str, int]], before: list[str]) -> None:
    were: dict[str, Any] = {f"round_{number}": state for number, state in enumerate(before, 1)}
    assert states(match(*hands, **were)) == states(match(*hands))


@given(st.permutations([1, 2, 3, 4]), st.lists(st.sampled_from([SEVEN, WILDS]), min_size=4, max_size=4))
def test_the_answer_does_not_depend_on_the_order_of_the_rows(
    order: list[int], hands: list[dict[str, int]]
) -> None:
    made = match(*hands)
    shuffled = contest(
        "match", *(made.plays[number - 1] for number in order), seats=seats(1, 2), settings={"target": 100}
    )
    assert settle(shuffled).answer == settle(made).answer


def test_settling_again_changes_nothing() -> None:
    once = settle(match(SEVEN, WILDS, SEVEN)).contest
    assert settle(once).contest == once
    assert settle(once).moved == ()


def test_the_changed_play_is_refused_not_set_aside() -> None:
    with pytest.raises(Refused) as refused:
        settle(match(WILDS, SEVEN), changed=play_uid(2))
    assert [(fault.code, fault.path) for fault in refused.value.faults] == [("match_over", "")]


def test_a_fault_of_another_play_that_is_not_impossible_is_refused() -> None:
    made = contest("match", round_(1, 1, SEVEN, 2), round_(2, 1, {"jack": 1}, 2), seats=seats(1, 2))
    with pytest.raises(Refused) as refused:
        settle(made, changed=play_uid(1))
    assert [(fault.code, fault.path) for fault in refused.value.faults] == [
        ("unknown_card", f"/plays/{play_uid(2)}/hands/{player(2)}/jack")
    ]


def test_a_round_without_the_hand_of_somebody_in_play_is_set_aside() -> None:
    made = contest("match", round_(1, 1, SEVEN, 2, 3), round_(2, 1, SEVEN, 2), seats=seats(1, 2, 3))
    assert states(made) == ["entered", "set_aside"]
    with pytest.raises(Refused) as refused:
        settle_back(made, [player(3)])
    assert [(fault.code, fault.path) for fault in refused.value.faults] == [
        ("missing_hand", f"/plays/{play_uid(2)}/hands/{player(3)}")
    ]


def test_what_only_a_round_made_impossible_that_does_not_count_itself_counts() -> None:
    """Round 2 has a winner though one player is left; round 3 is the walkover that ended the match."""
    gone = [seat(1), seat(2, "withdrawn", 2)]
    made = contest("match", round_(1, 1, SEVEN, 2), round_(2, 1, SEVEN, 2), play(3), seats=gone)
    assert states(made) == ["entered", "set_aside", "entered"]
    assert settle(made).answer.winners == (str(player(1)),)


def game(number: int, *outcomes: tuple[int, str], state: str = "entered") -> PlayFacts:
    rows = [(who, what, 60 if what == "out" else None) for who, what in outcomes]
    return play(number, *rows, ended="last", duration_s=60, state=state)


ALL_OUT = ((1, "out"), (2, "out"), (3, "last"))
EJECTION = ((1, "out"), (2, "ejected"), (3, "last"))


def session(*games: PlayFacts) -> Contest:
    return contest("session", *games, seats=seats(1, 2, 3))


def test_later_games_of_who_was_ejected_are_set_aside() -> None:
    made = session(game(1, *EJECTION), game(2, *ALL_OUT), game(3, (1, "out"), (3, "last")))
    assert states(made) == ["entered", "set_aside", "entered"]


def test_a_void_game_stays_void_where_it_cannot_have_been_played() -> None:
    ejects_another = ((1, "ejected"), (2, "out"), (3, "last"))
    made = session(game(1, *EJECTION), game(2, *ejects_another, state="void"), game(3, *ALL_OUT))
    assert states(made) == ["entered", "void", "set_aside"]
    disqualified = [row.player for row in settle(made).answer.standings if row.status == "disqualified"]
    assert disqualified == [str(player(2))]
    assert settle(made, changed=play_uid(2)).contest == settle(made).contest


def test_an_ejection_in_a_game_that_does_not_count_sets_nothing_aside() -> None:
    ejects_another = ((2, "out"), (1, "ejected"), (3, "last"))
    made = session(game(1, *EJECTION), game(2, *ejects_another), game(3, (1, "out"), (3, "last")))
    assert states(made) == ["entered", "set_aside", "entered"]


def test_an_ejection_in_a_void_game_sets_later_games_aside() -> None:
    made = session(game(1, *EJECTION, state="void"), game(2, *ALL_OUT))
    assert states(made) == ["void", "set_aside"]


LEFT = [seat(1), seat(2), seat(3, "withdrawn", 3)]


def with_departure(last: dict[str, int], **more: object) -> Contest:
    rounds = [round_(1, 3, SEVEN, 1, 2), round_(2, 1, last, 2, 3)]
    return contest("match", *rounds, seats=LEFT, settings={"target": 100}, **more)


@pytest.mark.parametrize(
    ("last", "stopped", "place"),
    [(SEVEN, False, None), (SEVEN, True, None), (WILDS, False, 2), (WILDS, True, 2)],
)
def test_leaving_takes_the_place_unless_the_match_was_over(
    last: dict[str, int], stopped: bool, place: int | None
) -> None:
    answer = settle(with_departure(last, stopped=stopped)).answer
    assert {row.player: row.place for row in answer.standings}[str(player(3))] == place
    assert answer.complete is (stopped or last is WILDS)


def test_a_contest_without_late_departures_is_left_alone() -> None:
    for made in (match(SEVEN), session(game(1, *ALL_OUT))):
        assert without_departures_afterwards(made) is made
    assert without_departures_afterwards(with_departure(SEVEN)).seats[2].out_as == ""


@pytest.mark.parametrize(
    ("minute", "state", "found"),
    [
        (1, "entered", True),
        (1, "official", True),
        (1, "void", True),
        (1, "set_aside", False),
        (9, "entered", False),
    ],
)
def test_a_game_on_hold_waits_for_the_first_ejection_before_it(minute: int, state: str, found: bool) -> None:
    def at(minutes: int) -> dict[str, Any]:
        moment = datetime(2026, 11, 28, 18, minutes, tzinfo=UTC)
        return {"started_at": moment, "entered_at": moment}

    ejects = play(1, (1, "ejected", 60), (3, "last", None), at=2, state=state, **at(minute))
    others = play(1, (3, "ejected", 60), (4, "last", None), at=3, **at(0))
    held = play(1, (1, "out", 60), (2, "last", None), state="set_aside", **at(5))
    again = play(2, (1, "ejected", 60), (2, "last", None), **at(7))
    sitting = [*seats(1, 2), *seats(3, at=2), *seats(4, at=3)]
    made = contest("session", held, again, ejects, others, seats=sitting)
    assert ejection_before(made, held) == ((ejects, player(1)) if found else None)
