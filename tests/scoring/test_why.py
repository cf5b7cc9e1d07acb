"""Why a place: whole explanations of small sheets, and sums that hold for every sheet."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given

from scoring import score, why_of
from scoring.why import (
    Compared,
    Ejected,
    GameWhy,
    GaveUp,
    HandWhy,
    HeatWhy,
    Last,
    MatchWhy,
    Neighbour,
    Out,
    Remaining,
    RoundWhy,
    SessionWhy,
    Standing,
    Why,
)

from .builders import Json, ejected, game, gave_up, heat, heats, last, match, out, remaining, session, won
from .sheets import heats as some_heats, matches, sessions


def explained(sheet: Json, player: str) -> Why | None:
    return why_of(sheet, score(sheet), player)


def of_session(sheet: Json, player: str) -> SessionWhy:
    why = explained(sheet, player)
    assert isinstance(why, SessionWhy)
    return why


@pytest.mark.parametrize(
    "sheet",
    [session(game("last", out("a", 60), last("b"))), match(won("a", {"b": {"0": 1}, "c": {"0": 1}}))],
    ids=["session", "match"],
)
def test_who_is_not_in_the_standings_has_nothing_explained(sheet: Json) -> None:
    assert explained(sheet, "nobody") is None


# ---- sessions ----


def test_session_place_follows_from_each_game_and_the_neighbours() -> None:
    sheet = session(
        game("last", out("a", 8 * 60 + 59), out("b", 14 * 60), out("c", 20 * 60), last("d")),
        game("last", out("b", 11 * 60), out("a", 17 * 60), last("d")),
        ids="abcd",
    )  # a 25/2, b 25/2, c 20, d 37/2

    assert explained(sheet, "d") == SessionWhy(
        standing=Standing(
            place=3,
            status="ranked",
            value=Fraction(37, 2),
            shared=(),
            ahead=Neighbour(("a", "b"), Fraction(25, 2), Fraction(6)),
            behind=Neighbour(("c",), Fraction(20), Fraction(3, 2)),
        ),
        games=(GameWhy(0, 4, 20, Last()), GameWhy(1, 3, 17, Last())),
        points=37,
        scored=2,
        min_games=1,
    )
    first = of_session(sheet, "a")
    assert (first.standing.shared, first.standing.ahead) == (("b",), None)
    assert first.standing.behind == Neighbour(("d",), Fraction(37, 2), Fraction(6))
    assert first.games == (GameWhy(0, 1, 8, Out(8 * 60 + 59)), GameWhy(1, 2, 17, Out(17 * 60)))


HANDS = {
    "a": {"1": 1, "skip": 2},  # 3 cards, 1 number card
    "b": {"0": 1, "5": 1, "wild": 1},  # 3 cards, 2 number cards, a 0
    "c": {"1": 1, "5": 1, "wild": 1},  # likewise, no 0, a 1
    "d": {"1": 1, "5": 1, "draw2": 1},  # level with c
    "e": {"3": 4},
}


def test_order_of_those_remaining_is_explained_by_the_step_that_decided_and_both_numbers() -> None:
    sheet = session(game("time", *(remaining(player, hand) for player, hand in HANDS.items())), ids="abcde")

    def how(player: str) -> Any:
        return of_session(sheet, player).games[0].how

    assert how("a") == Remaining(1, 60, 5, 3, (), None, Compared(("b",), "numbers", 1, 2))
    assert how("b") == Remaining(
        2, 60, 5, 3, (), Compared(("a",), "numbers", 2, 1), Compared(("c", "d"), "0", 1, 0)
    )
    assert how("d") == Remaining(
        3, 60, 5, 3, ("c",), Compared(("b",), "0", 0, 1), Compared(("e",), "cards", 3, 4)
    )
    assert how("e") == Remaining(5, 60, 5, 4, (), Compared(("c", "d"), "cards", 4, 3), None)


def test_points_of_giving_up_come_from_the_worst_of_the_others() -> None:
    sheet = session(
        game("last", out("a", 8 * 60), last("b"), gave_up("c"), duration_s=40 * 60),
        game("early", remaining("a", {"1": 1}), remaining("b", {"1": 2}), gave_up("c")),
    )

    assert of_session(sheet, "c").games == (
        GameWhy(0, 3, 70, GaveUp(worst=40, extra=30, least=60)),
        GameWhy(1, 3, 100, GaveUp(worst=70, extra=30, least=60)),
    )


def test_out_and_over_within_the_first_minute_is_no_points() -> None:
    sheet = session(game("last", out("a", 0), last("b"), gave_up("c"), duration_s=59))

    assert of_session(sheet, "a").games == (GameWhy(0, 1, 0, Out(0)),)
    assert of_session(sheet, "c").games == (GameWhy(0, 3, 60, GaveUp(worst=0, extra=30, least=60)),)


def test_ejected_keeps_the_earlier_games_and_has_no_place() -> None:
    sheet = session(
        game("last", out("a", 60), out("b", 120), last("c")),
        game("last", out("a", 60), last("b"), ejected("c"), duration_s=60),
    )

    assert explained(sheet, "c") == SessionWhy(
        standing=Standing(None, "disqualified", Fraction(2), (), None, None),
        games=(GameWhy(0, 3, 2, Last()), GameWhy(1, None, None, Ejected())),
        points=2,
        scored=1,
        min_games=1,
    )


def test_of_a_void_game_an_ejection_alone_is_told() -> None:
    void = game("void", {"player": "a", "outcome": "remaining"}, {"player": "b", "outcome": "ejected"})
    sheet = session(void, game("last", out("a", 60), last("c")))

    assert of_session(sheet, "a").games == (GameWhy(1, 1, 1, Out(60)),)
    assert of_session(sheet, "b").games == (GameWhy(0, None, None, Ejected()),)


def test_too_few_games_are_told_with_the_fewest() -> None:
    why = of_session(session(game("last", out("a", 60), last("b")), min_games=3), "a")

    assert (why.standing.place, why.standing.status, why.scored, why.min_games) == (
        None,
        "too_few_games",
        1,
        3,
    )


# ---- matches ----

ROUNDS = (
    won("a", {"b": {"draw2": 1, "9": 1}, "c": {"wild": 1}}),  # 29 + 50
    won("b", {"a": {"1": 1}, "c": {"skip": 1, "7": 1}}),  # 1 + 27
)


def test_match_place_follows_from_whose_hands_each_round_gave() -> None:
    assert explained(match(*ROUNDS), "b") == MatchWhy(
        standing=Standing(
            place=2,
            status="ranked",
            value=Fraction(28),
            shared=(),
            ahead=Neighbour(("a",), Fraction(79), Fraction(51)),
            behind=Neighbour(("c",), Fraction(0), Fraction(28)),
        ),
        rounds=(
            RoundWhy(
                0,
                "a",
                0,
                (HandWhy("b", {"draw2": 1, "9": 1}, 29), HandWhy("c", {"wild": 1}, 50)),
                HandWhy("b", {"draw2": 1, "9": 1}, 29),
            ),
            RoundWhy(
                1, "b", 28, (HandWhy("a", {"1": 1}, 1), HandWhy("c", {"skip": 1, "7": 1}, 27)), own=None
            ),
        ),
        points=28,
        own_hand=False,
    )


def test_hand_that_was_emptied_is_not_told() -> None:
    round_ = won("a", {"a": {}, "b": {}, "c": {"1": 1}}, emptied=["b"])
    why = explained(match(round_, ruleset="mattel-112"), "b")

    assert isinstance(why, MatchWhy)
    assert why.rounds == (RoundWhy(0, "a", 0, (HandWhy("c", {"1": 1}, 1),), own=None),)


def test_alternative_count_adds_up_the_own_hands() -> None:
    why = explained(match(*ROUNDS, scoring="own_hand"), "c")

    assert isinstance(why, MatchWhy)
    assert (why.points, why.own_hand, why.standing.place) == (77, True, 3)
    assert [round_.hands for round_ in why.rounds] == [
        (HandWhy("c", {"wild": 1}, 50),),
        (HandWhy("c", {"skip": 1, "7": 1}, 27),),
    ]
    assert why.standing.ahead == Neighbour(("b",), Fraction(29), Fraction(48))


def test_who_left_a_match_keeps_the_rounds_and_has_no_place() -> None:
    sheet = match(ROUNDS[0], {**won("b", {"a": {"1": 1}}), "withdrawn": ["c"]})

    why = explained(sheet, "c")

    assert isinstance(why, MatchWhy)
    assert why.standing == Standing(None, "withdrawn", Fraction(0), (), None, None)
    assert [round_.index for round_ in why.rounds] == [0]


# ---- heats ----


def test_heat_is_explained_by_the_order_of_going_out() -> None:
    sheet = heats(heat("abc", "cb", advance=1), heat("def", "d", removed=["f"]))

    assert explained(sheet, "b") == HeatWhy(0, ("c", "b"), 2, 1, through=False, removed=False)
    assert explained(sheet, "d") == HeatWhy(1, ("d",), 1, 1, through=True, removed=False)
    assert explained(sheet, "f") == HeatWhy(1, ("d",), None, 1, through=False, removed=True)
    assert explained(heats(heat("abc", "c")), "d") is None


# ---- what always holds ----


@given(sessions())
def test_points_of_the_games_add_up_to_the_standing(sheet: Json) -> None:
    answer: Any = score(sheet)
    for row in answer.standings:
        why = of_session(sheet, row.player)
        assert (why.points, why.scored) == (row.points, row.games)
        assert why.points == sum(each.points or 0 for each in why.games)
        assert (why.standing.place, why.standing.status) == (row.place, row.status)
        for each in why.games:
            assert each.points == points_by(each.how, each.points)


def points_by(how: Any, points: int | None) -> int | None:
    """The points by the rule that the step names; for the last one left they are the minutes at the end."""
    if isinstance(how, Out):
        return how.elapsed_s // 60
    if isinstance(how, Remaining):
        return how.base + how.step * how.rank
    if isinstance(how, GaveUp):
        return max(how.worst + how.extra, how.least)
    return None if isinstance(how, Ejected) else points


@given(sessions())
def test_neighbours_are_the_nearest_averages(sheet: Json) -> None:
    answer: Any = score(sheet)
    averages = {row.player: row.average for row in answer.standings if row.place is not None}
    for player, mine in averages.items():
        standing = of_session(sheet, player).standing
        lower = [other for other in averages.values() if other < mine]
        higher = [other for other in averages.values() if other > mine]
        assert (standing.ahead.value if standing.ahead else None) == max(lower, default=None)
        assert (standing.behind.value if standing.behind else None) == min(higher, default=None)
        level = {other for other, average in averages.items() if average == mine and other != player}
        assert set(standing.shared) == level


@given(matches())
def test_rounds_add_up_to_the_total_and_hands_to_the_round(sheet: Json) -> None:
    answer: Any = score(sheet)
    for row in answer.standings:
        why = explained(sheet, row.player)
        assert isinstance(why, MatchWhy)
        assert why.points == row.points == sum(round_.gained for round_ in why.rounds)
        for round_ in why.rounds:
            if why.own_hand or round_.winner == row.player:
                assert round_.gained == sum(hand.points for hand in round_.hands)
            else:
                assert round_.gained == 0


@given(some_heats())
def test_through_are_the_first_of_the_order(sheet: Json) -> None:
    answer: Any = score(sheet)
    for each in sheet["players"]:
        why = explained(sheet, each["id"])
        assert why is None or isinstance(why, HeatWhy)
        if why:
            assert why.through == (each["id"] in why.order[: why.advance]) == (each["id"] in answer.finalists)
