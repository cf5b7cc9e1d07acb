"""A player's needs, compared with `score`: the stated need is enough, and one second or round less is not."""

from __future__ import annotations

from copy import deepcopy
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, strategies as st

from scoring import Answer, SessionAnswer, needs_of, score
from scoring.needs import (
    Danger,
    HeatsNeeds,
    IfOut,
    Lead,
    MatchNeeds,
    Needs,
    NextPlace,
    OwnHandNeeds,
    SessionNeeds,
)

from .builders import Json, ejected, game, heat, heats, last, match, numbered, out, remaining, session, won
from .sheets import heats as some_heats, matches, sessions

HOUR_S = 3600


def needed(sheet: Json, player: str, gone: tuple[str, ...] = ()) -> Needs | None:
    return needs_of(sheet, score(sheet), player, gone)


def in_session(sheet: Json, player: str) -> SessionNeeds:
    needs = needed(sheet, player)
    assert isinstance(needs, SessionNeeds)
    return needs


def after_going_out(sheet: Json, player: str, elapsed_s: int) -> tuple[Fraction | None, int | None]:
    """Average and place of `player` after one more game, out of it in this second, while nobody else's average
    changes: against a guest who is removed after it."""
    more: Json = deepcopy(sheet)
    more["players"].append({"id": "guest", "name": "Guest"})
    more["games"] = numbered((*more["games"], game("last", out(player, elapsed_s), last("guest"))))
    more["removed"] = [*more.get("removed", []), "guest"]
    answer = score(more)
    assert isinstance(answer, SessionAnswer)
    return next((row.average, row.place) for row in answer.standings if row.player == player)


def place_after(sheet: Json, player: str, elapsed_s: int) -> int:
    place = after_going_out(sheet, player, elapsed_s)[1]
    assert place is not None
    return place


# ---- sessions ----


def tour(*games: dict[str, int], **settings: Any) -> Json:
    """A session in which players went out in these minutes; z, always last, is removed and has no place."""
    rows = [
        game("last", *(out(player, minute * 60) for player, minute in each.items()), last("z"))
        for each in games
    ]
    return {**session(*rows, ids="abcz", **settings), "removed": ["z"]}


THREE = tour({"a": 8, "b": 14, "c": 20}, {"a": 17, "b": 11, "c": 23})  # a 25/2, b 25/2, c 43/2


def test_next_place_is_gained_in_its_last_second_and_not_one_later() -> None:
    sheet = tour({"a": 12, "b": 14, "c": 20}, {"a": 18, "b": 13, "c": 23})  # a 30/2, b 27/2, c 43/2

    # 30 + m must be at most 27/2 of 3 games, 40 1/2
    assert in_session(sheet, "a").next_place == NextPlace(
        1, ("b",), Fraction(27, 2), last_s=10 * 60 + 59, any_out=False
    )
    assert [place_after(sheet, "a", second) for second in (10 * 60 + 59, 11 * 60)] == [1, 2]


def test_level_average_is_enough_since_it_shares_the_place() -> None:
    sheet = tour({"a": 10, "b": 20, "c": 40})

    assert in_session(sheet, "b").next_place == NextPlace(1, ("a",), Fraction(10), last_s=59, any_out=False)
    assert [place_after(sheet, "b", second) for second in (59, 60)] == [1, 2]


def test_shared_place_is_the_next_one_with_all_who_have_it() -> None:
    needs = in_session(THREE, "c")

    assert needs.next_place == NextPlace(1, ("a", "b"), Fraction(25, 2), last_s=None, any_out=False)
    assert place_after(THREE, "c", 0) == 3


def test_any_going_out_is_enough_where_the_whole_hour_is() -> None:
    hour = tour({"a": 60, "b": 60})
    hour["games"].append({"number": 2, **game("early", remaining("b", {"1": 1}), remaining("c", {"1": 2}))})
    hour["games"].append({"number": 3, **game("last", out("b", 3600), last("c"))})
    # a 60, b 185/3, c 130/2

    needs = in_session(hour, "c")

    assert needs.next_place == NextPlace(2, ("b",), Fraction(185, 3), last_s=55 * 60 + 59, any_out=False)
    assert in_session(hour, "b").next_place == NextPlace(1, ("a",), Fraction(60), 55 * 60 + 59, any_out=False)
    assert in_session(hour, "a").lead == Lead(("b",), Fraction(185, 3), last_s=HOUR_S, any_out=True)
    assert place_after(hour, "a", HOUR_S) == 1
    stopped = session(game("early", remaining("a", {"1": 1}), remaining("b", {"1": 2})), ids="ab")  # 65, 70
    assert in_session(stopped, "b").next_place == NextPlace(1, ("a",), Fraction(65), HOUR_S, any_out=True)
    assert place_after(stopped, "b", HOUR_S) == 1


def test_who_leads_is_told_until_when_nobody_passes() -> None:
    sheet = tour({"a": 10, "b": 20, "c": 40})

    needs = in_session(sheet, "a")

    assert (needs.place, needs.next_place) == (1, None)
    assert needs.lead == Lead(("b",), Fraction(20), last_s=30 * 60 + 59, any_out=False)
    assert [place_after(sheet, "a", second) for second in (30 * 60 + 59, 31 * 60)] == [1, 2]


def test_who_shares_the_lead_keeps_it_against_the_other() -> None:
    assert in_session(THREE, "a").lead == Lead(("b",), Fraction(25, 2), last_s=12 * 60 + 59, any_out=False)


def test_who_leads_alone_has_nobody_to_be_passed_by() -> None:
    needs = in_session(tour({"a": 10}), "a")

    assert (needs.place, needs.next_place, needs.lead) == (1, None, None)


def test_too_few_games_give_a_place_only_with_the_fewest_games() -> None:
    sheet = session(
        game("last", out("a", 60), last("b")),
        game("last", out("a", 60), last("b")),
        game("last", out("a", 60), last("c")),
        min_games=2,
    )  # a 1, b 1 of two games; c 1 of one game

    needs = in_session(sheet, "c")

    assert (needs.place, needs.games_short, needs.next_place, needs.lead) == (None, 0, None, None)
    assert needs.if_out[1] == IfOut(1, Fraction(1), place=1)
    assert needs.if_out[60] == IfOut(60, Fraction(61, 2), place=3)


def test_who_has_not_played_is_told_how_many_games_are_short_after_the_next() -> None:
    needs = in_session(session(game("last", out("a", 60), last("b")), min_games=3), "c")

    assert (needs.average, needs.games_short) == (None, 2)
    assert needs.if_out[7] == IfOut(7, Fraction(7), place=None)
    assert [row.minute for row in needs.if_out] == list(range(61))


def test_who_is_disqualified_has_no_needs() -> None:
    sheet = session(game("last", out("a", 60), last("b"), ejected("c"), duration_s=60))

    assert needed(sheet, "c") is None
    assert needed(sheet, "a") is not None


def test_who_left_has_no_needs() -> None:
    assert needed(THREE, "a", gone=("a",)) is None


@given(sessions(), st.data())
def test_claimed_second_gains_the_place_and_the_next_does_not(sheet: Json, data: st.DataObject) -> None:
    player = data.draw(st.sampled_from([each["id"] for each in sheet["players"]]))
    needs = needed(sheet, player)
    assume(isinstance(needs, SessionNeeds) and (needs.next_place or needs.lead))
    assert isinstance(needs, SessionNeeds)
    aim = needs.next_place or needs.lead
    assert aim is not None
    wanted = needs.next_place.place if needs.next_place else 1
    if aim.last_s is None:
        assert place_after(sheet, player, 0) > wanted
        return
    assert place_after(sheet, player, aim.last_s) <= wanted
    assert aim.any_out == (aim.last_s == HOUR_S)
    if not aim.any_out:
        assert place_after(sheet, player, aim.last_s + 1) > wanted


@given(sessions(), st.integers(0, HOUR_S), st.data())
def test_average_and_place_if_out_are_those_of_the_score(
    sheet: Json, elapsed_s: int, data: st.DataObject
) -> None:
    player = data.draw(st.sampled_from([each["id"] for each in sheet["players"]]))
    needs = needed(sheet, player)
    assume(isinstance(needs, SessionNeeds))
    assert isinstance(needs, SessionNeeds)
    row = needs.if_out[elapsed_s // 60]
    assert row.minute == elapsed_s // 60
    assert (row.average, row.place) == after_going_out(sheet, player, elapsed_s)
    assert (row.place is None) == (needs.games_short > 0)


# ---- matches ----

HELD = {"b": {"draw2": 1, "9": 1}, "c": {"wild": 1}}  # 29 + 50


def test_missing_points_in_average_rounds_are_rounded_up() -> None:
    sheet = match(won("a", HELD), won("b", {"a": {"1": 1}, "c": {"skip": 1}}), target=200)

    assert needed(sheet, "a") == MatchNeeds(
        target=200, points=79, missing=121, behind=0, leaders=("a",), average=Fraction(50), rounds=3
    )
    needs = needed(sheet, "b")
    assert isinstance(needs, MatchNeeds)
    assert (needs.missing, needs.behind, needs.rounds, needs.one_is_enough) == (179, 58, 4, False)


def test_before_the_first_points_there_is_no_average() -> None:
    for sheet in (match(), match(won("a", {"b": {"0": 1}, "c": {"0": 2}}))):
        assert needed(sheet, "b") == MatchNeeds(500, 0, 500, 0, ("a", "b", "c"), None, None)


def test_one_average_round_is_enough_from_the_points_it_gives() -> None:
    said = {}
    for target in (158, 159):
        needs = needed(match(won("a", HELD), target=target), "a")
        assert isinstance(needs, MatchNeeds)
        said[target] = needs.one_is_enough
    assert said == {158: True, 159: False}


def test_round_that_nobody_won_is_no_round_of_the_average() -> None:
    left = {"number": 2, "withdrawn": ["c"]}
    sheet = match(won("a", HELD), target=300)
    sheet["rounds"].append({**left, "winner": "b", "hands": {"a": {"1": 1}}})

    needs = needed(sheet, "b")

    assert isinstance(needs, MatchNeeds)
    assert needs.average == Fraction(80, 2)


def test_alternative_count_takes_no_empty_hand_into_the_average() -> None:
    held = {"b": {"9": 1}, "c": {"5": 1}}
    needs = needed(match(won("a", {"a": {}, **held}), scoring="own_hand", target=80), "b")

    assert isinstance(needs, OwnHandNeeds)
    assert needs.average == Fraction(14, 2)


@pytest.mark.parametrize("player", ["a", "b", "c"])
def test_match_that_is_over_leaves_no_needs(player: str) -> None:
    assert needed(match(won("a", HELD), target=79), player) is None


def test_who_is_out_of_a_match_has_no_needs() -> None:
    sheet = match(won("a", HELD), ids="abcd")
    sheet["rounds"][0]["removed"] = ["d"]
    sheet["withdrawn"] = ["c"]

    assert [needed(sheet, player) is None for player in "abcd"] == [False, False, True, True]


def test_alternative_count_says_whose_next_hand_could_end_it() -> None:
    sheet = match(
        won("a", {"b": {"wild": 1}, "c": {"9": 1}, "d": {"5": 1}}),
        won("a", {"b": {"9": 1}, "c": {"wild": 1}, "d": {"5": 1}}),
        won("b", {"a": {"2": 1}, "c": {"9": 1}, "d": {"5": 1}}),
        target=80,
        scoring="own_hand",
        ids="abcd",
    )  # a 2, b 59, c 68, d 15; 9 hands of 144 points

    assert needed(sheet, "d") == OwnHandNeeds(
        target=80,
        points=15,
        missing=65,
        behind=13,
        leaders=("a",),
        average=Fraction(144, 9),
        own_average=Fraction(5),
        in_danger=(
            Danger("c", 12, by_average=True, by_own=True),
            Danger("b", 21, by_average=False, by_own=True),
        ),
    )


def test_hand_that_makes_the_target_exactly_is_a_danger() -> None:
    needs = needed(match(won("a", {"b": {"9": 1}, "c": {"5": 1}}), target=16, scoring="own_hand"), "a")

    assert isinstance(needs, OwnHandNeeds)  # b 9, c 5; 7 points a hand on average
    assert needs.in_danger == (Danger("b", 7, by_average=True, by_own=True),)


def every_hand(sheet: Json, hand: dict[str, int], winners: list[str]) -> Json:
    """The sheet with rounds won by these, in which everybody else holds `hand`."""
    ids = [each["id"] for each in sheet["players"]]
    rounds = [won(winner, {each: hand for each in ids if each != winner}) for winner in winners]
    return {**sheet, "rounds": numbered((*sheet["rounds"], *rounds))}


def complete(answer: Answer) -> bool:
    return answer.complete


@given(
    st.sampled_from([{"9": 1}, {"draw2": 1, "3": 1}, {"wild": 2}]),
    st.lists(st.sampled_from("abc"), min_size=1, max_size=6),
    st.integers(50, 600),
    st.sampled_from("abc"),
)
def test_so_many_rounds_of_the_average_reach_the_target_and_one_less_does_not(
    hand: dict[str, int], winners: list[str], target: int, player: str
) -> None:
    sheet = every_hand(match(target=target), hand, winners[:1])
    for winner in winners[1:]:
        sheet = sheet if complete(score(sheet)) else every_hand(sheet, hand, [winner])
    needs = needed(sheet, player)
    assume(needs is not None)
    assert isinstance(needs, MatchNeeds)
    assert needs.rounds is not None
    assert not complete(score(every_hand(sheet, hand, [player] * (needs.rounds - 1))))
    assert complete(score(every_hand(sheet, hand, [player] * needs.rounds)))


@given(
    st.sampled_from([{"9": 1}, {"draw2": 1, "3": 1}, {"wild": 2}]),
    st.lists(st.sampled_from("abc"), min_size=1, max_size=6),
    st.integers(10, 400),
)
def test_alternative_count_is_in_danger_who_ends_it_with_one_more_average_hand(
    hand: dict[str, int], winners: list[str], target: int
) -> None:
    sheet = every_hand(match(target=target, scoring="own_hand"), hand, winners[:1])
    for winner in winners[1:]:
        sheet = sheet if complete(score(sheet)) else every_hand(sheet, hand, [winner])
    needs = needed(sheet, "a")
    assume(needs is not None)
    assert isinstance(needs, OwnHandNeeds)
    for player in "abc":
        held: Json = {each: {"0": 1} for each in "abc"} | {player: hand}
        winner = "b" if player == "a" else "a"
        del held[winner]
        after = {**sheet, "rounds": numbered((*sheet["rounds"], won(winner, held)))}
        assert complete(score(after)) == (player in {each.player for each in needs.in_danger})


@given(matches())
def test_needs_of_any_match_agree_with_its_standings(sheet: Json) -> None:
    answer: Any = score(sheet)
    for row in answer.standings:
        needs = needed(sheet, row.player)
        if answer.complete or row.place is None:
            assert needs is None
            continue
        assert isinstance(needs, MatchNeeds | OwnHandNeeds)
        assert needs.missing == sheet["settings"]["target"] - row.points > 0
        assert (needs.behind == 0) == (row.place == 1) == (row.player in needs.leaders)
        if isinstance(needs, MatchNeeds) and needs.rounds is not None:
            assert needs.average is not None
            assert (needs.rounds - 1) * needs.average < needs.missing <= needs.rounds * needs.average


# ---- heats ----


def test_heats_say_who_is_through_who_still_can_be_and_who_is_out() -> None:
    sheet = heats(heat("abc", "b", removed=["c"]))

    assert needed(sheet, "d") == HeatsNeeds("can", through=("b",), can=("d", "e", "f"), out=("a",))
    assert needed(sheet, "b") == HeatsNeeds("through", through=("b",), can=("d", "e", "f"), out=("a",))
    assert needed(sheet, "a", gone=("e",)) == HeatsNeeds("out", through=("b",), can=("d", "f"), out=("a",))
    assert needed(sheet, "c") is None
    assert needed(sheet, "e", gone=("e",)) is None


@given(some_heats())
def test_through_are_the_finalists_and_everybody_else_can_be_or_is_out(sheet: Json) -> None:
    answer: Any = score(sheet)
    removed = {each for row in sheet["heats"] for each in row.get("removed", [])}
    for each in sheet["players"]:
        needs = needed(sheet, each["id"])
        if each["id"] in removed:
            assert needs is None
            continue
        assert isinstance(needs, HeatsNeeds)
        assert sorted(needs.through) == sorted(answer.finalists)
        everybody = (*needs.through, *needs.can, *needs.out)
        assert sorted(everybody) == sorted(p["id"] for p in sheet["players"] if p["id"] not in removed)
        assert each["id"] in getattr(needs, needs.state)
