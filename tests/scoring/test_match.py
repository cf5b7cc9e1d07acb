"""Matches: what the golden sheets leave open."""

import pytest

from scoring import MatchAnswer, MatchStanding, RoundResult, score

from .builders import ONE, Json, match, won


def answer_to(sheet: Json) -> MatchAnswer:
    answer = score(sheet)
    assert isinstance(answer, MatchAnswer)
    return answer


def lines(answer: MatchAnswer) -> list[tuple[str, int | None, str, int]]:
    return [(line.player, line.place, line.status, line.points) for line in answer.standings]


def test_match_without_rounds_is_open_even_if_stopped() -> None:
    answer = answer_to({**match(), "stopped": True})

    assert answer.standings == tuple(MatchStanding(player, 1, "ranked", 0, 0) for player in "abc")
    assert (answer.complete, answer.winners) == (False, ())


def test_match_stopped_on_level_totals_has_two_winners() -> None:
    rounds = (won("a", {"b": ONE, "c": ONE}), won("b", {"a": ONE, "c": ONE}))

    assert answer_to({**match(*rounds), "stopped": True}).winners == ("a", "b")
    assert answer_to({**match(*rounds, scoring="own_hand"), "stopped": True}).winners == ("a", "b")


def test_match_target_is_reached_exactly() -> None:
    rounds = (won("a", {"b": {"9": 1}, "c": ONE}),)

    assert answer_to(match(*rounds, target=10)).complete
    assert not answer_to(match(*rounds, target=11)).complete
    assert answer_to(match(*rounds, target=10**999)).winners == ()


def test_own_hand_ends_when_somebody_else_reaches_the_target() -> None:
    answer = answer_to(match(won("a", {"b": {"wild": 1}, "c": ONE}), scoring="own_hand", target=50))

    assert lines(answer) == [("a", 1, "ranked", 0), ("c", 2, "ranked", 1), ("b", 3, "ranked", 50)]
    assert (answer.complete, answer.winners) == (True, ("a",))


def test_withdrawn_stand_before_disqualified_in_the_order_of_the_players() -> None:
    rounds = (won("d", {"e": ONE}, removed=["b", "a"], withdrawn=["c"]),)

    assert lines(answer_to(match(*rounds, ids="abcde"))) == [
        ("d", 1, "ranked", 1),
        ("e", 2, "ranked", 0),
        ("c", None, "withdrawn", 0),
        ("a", None, "disqualified", 0),
        ("b", None, "disqualified", 0),
    ]


def test_nobody_left_ends_the_match_without_a_winner() -> None:
    answer = answer_to(match({"withdrawn": ["a", "b", "c"], "hands": {}}))

    assert (answer.complete, answer.winners, answer.rounds[0].results) == (True, (), ())


def test_removed_after_the_last_round_leave_a_walkover() -> None:
    answer = answer_to({**match(won("a", {"b": ONE, "c": ONE})), "removed": ["a"], "withdrawn": ["c"]})

    assert lines(answer) == [
        ("b", 1, "ranked", 0),
        ("c", None, "withdrawn", 0),
        ("a", None, "disqualified", 2),
    ]
    assert (answer.complete, answer.winners) == (True, ("b",))
    assert [row.player for row in answer.rounds[0].results] == ["a", "b", "c"]


def test_removed_after_the_match_was_won_keep_their_place() -> None:
    sheet = match(won("a", {"b": ONE, "c": ONE}), target=1)
    assert answer_to({**sheet, "removed": ["a"], "withdrawn": ["b", "c"]}) == answer_to(sheet)


@pytest.mark.parametrize("how", ["withdrawn", "removed"])
def test_d2_last_player_left_keeps_the_title_after_a_walkover(how: str) -> None:
    sheet = match(won("a", {"b": ONE, "c": ONE}), {"withdrawn": ["b", "c"], "hands": {}})
    assert answer_to({**sheet, how: ["a"]}) == answer_to(sheet)


def test_removed_after_the_last_round_without_an_end() -> None:
    answer = answer_to({**match(won("a", {"b": ONE, "c": ONE})), "withdrawn": ["c"]})

    assert (answer.complete, answer.winners) == (False, ())


def test_emptied_hands_may_be_empty_or_absent_and_count_nothing() -> None:
    round_ = won("a", {"b": {}, "d": {"custom": 1}}, emptied=["b", "c"])
    answer = answer_to(match(round_, ruleset="mattel-112", ids="abcd"))

    assert answer.rounds[0].results[0] == RoundResult("a", 40)


def test_huge_counts_are_added_exactly() -> None:
    count = 10**900
    sheet = match(won("a", {"b": {"wild": count}}), ids="ab", decks=count)

    assert answer_to(sheet).standings[0].points == 50 * count
