"""Standings over time: each moment is what the sheet that ends there is scored to."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, strategies as st

from scoring import MatchAnswer, SessionAnswer, averages_so_far, places_so_far, score, totals_so_far

from .builders import ejected, game, gave_up, last, match, out, remaining, session, won
from .sheets import matches, sessions

Json = dict[str, Any]
ROWS = {"session": "games", "match": "rounds"}


def answered(sheet: Json) -> SessionAnswer | MatchAnswer:
    answer = score(sheet)
    assert isinstance(answer, SessionAnswer | MatchAnswer)
    return answer


def prefixes(sheet: Json) -> list[SessionAnswer | MatchAnswer]:
    """The answers to the sheet as it was after each game or round; the last is that to the whole sheet."""
    rows = ROWS[sheet["kind"]]
    open_end = {key: value for key, value in sheet.items() if key not in {"removed", "withdrawn", "stopped"}}
    ends = range(1, len(sheet[rows]))
    earlier = [answered({**open_end, rows: sheet[rows][:end]}) for end in ends]
    return [*earlier, answered(sheet)] if sheet[rows] else []


def placed(answer: SessionAnswer | MatchAnswer) -> dict[str, int]:
    return {row.player: row.place for row in answer.standings if row.place is not None}


@given(st.one_of(sessions(), matches()))
def test_places_so_far_are_those_of_each_prefix(sheet: Json) -> None:
    assert places_so_far(sheet, answered(sheet)) == [placed(each) for each in prefixes(sheet)]


@given(st.one_of(sessions(), matches()), st.data())
def test_places_after_some_moments_are_those_of_these_prefixes(sheet: Json, data: st.DataObject) -> None:
    all_moments = places_so_far(sheet, answered(sheet))
    ends = range(1, len(all_moments) + 1)
    after = sorted(data.draw(st.sets(st.sampled_from(ends)))) if all_moments else []
    assert places_so_far(sheet, answered(sheet), after) == [all_moments[end - 1] for end in after]


@given(st.one_of(sessions(), matches()))
def test_totals_so_far_end_with_the_standings(sheet: Json) -> None:
    answer = answered(sheet)
    players = [row.player for row in answer.standings]
    totals = totals_so_far(answer, players)
    assert {player: (each or (0,))[-1] for player, each in totals.items()} == {
        row.player: row.points for row in answer.standings
    }
    assert list(totals) == players


@given(sessions())
def test_averages_so_far_are_those_of_each_prefix(sheet: Json) -> None:
    answer = answered(sheet)
    assert isinstance(answer, SessionAnswer)
    found = averages_so_far(answer, [row.player for row in answer.standings])
    for player, averages in found.items():
        seen = [
            (row.games, row.average)
            for each in prefixes(sheet)
            if isinstance(each, SessionAnswer)
            for row in each.standings
            if row.player == player
        ]
        assert dict(enumerate(averages, 1)) == {games: average for games, average in seen if games}


def test_who_has_too_few_games_comes_in_when_they_are_enough() -> None:
    games = [
        game("last", out("a", 600), last("b")),
        game("last", out("c", 60), out("b", 600), last("a")),
        game("last", out("a", 120), out("c", 180), last("b")),
    ]
    sheet = session(*games, min_games=2)
    assert places_so_far(sheet, answered(sheet)) == [{}, {"a": 1, "b": 1}, {"c": 1, "a": 2, "b": 3}]


@pytest.mark.parametrize(
    ("minutes", "places"),
    [((12, 11), {"a": 1, "c": 2, "b": 3}), ((11, 13), {"b": 1, "a": 2, "c": 3})],
    ids=["fewer games, worse", "fewer games, better"],
)
def test_average_is_by_the_games_that_each_has_played(
    minutes: tuple[int, int], places: dict[str, int]
) -> None:
    first, second = minutes  # of b alone, and c's last two
    games = [
        game("last", out("a", 600), out("b", first * 60), last("c")),
        game("last", out("a", second * 60), last("c")),
        game("last", out("b", 60), last("c")),
    ]  # after two games: a (10 + second) / 2, b first, c (first + second) / 2
    sheet = session(*games)
    assert places_so_far(sheet, answered(sheet))[1] == places


def test_an_ejection_takes_the_place_from_that_game_on_even_where_the_game_is_void() -> None:
    games = [
        game("last", out("a", 600), out("b", 660), last("c")),
        game("void", ejected("a"), remaining("b", {}), remaining("c", {})),
        game("last", out("c", 60), last("b")),
    ]
    sheet = session(*games)
    found = places_so_far(sheet, answered(sheet))
    assert found == [{"a": 1, "b": 2, "c": 2}, {"b": 1, "c": 1}, {"b": 1, "c": 1}]


def test_who_is_removed_after_the_last_game_had_a_place_before() -> None:
    games = [game("last", out("a", 600), out("b", 660), last("c"))] * 2
    sheet = {**session(*games), "removed": ["a"]}
    assert places_so_far(sheet, answered(sheet)) == [{"a": 1, "b": 2, "c": 2}, {"b": 1, "c": 1}]


def test_a_walkover_is_a_moment_too() -> None:
    rounds = [won("a", {"b": {"5": 1}, "c": {"6": 1}}), won("b", {"a": {"1": 1}, "c": {"9": 1}}), {}]
    sheet = match(*rounds)
    sheet["rounds"][2]["withdrawn"] = ["a", "b"]
    found = places_so_far(sheet, answered(sheet))
    assert found == [{"a": 1, "b": 2, "c": 2}, {"a": 1, "b": 2, "c": 3}, {"c": 1}]
    assert totals_so_far(answered(sheet), "ac") == {"a": (11, 11), "c": (0, 0, 0)}


def test_fewest_points_lead_where_everybody_collects_their_own_hand() -> None:
    sheet = match(won("a", {"b": {"5": 1}, "c": {"6": 1}}), ids="abc", scoring="own_hand")
    assert places_so_far(sheet, answered(sheet)) == [{"a": 1, "b": 2, "c": 3}]


def test_who_gave_up_has_points_and_who_was_ejected_has_none() -> None:
    games = [game("last", gave_up("a"), ejected("b"), last("c"), duration_s=1200)]
    sheet = session(*games)
    answer = answered(sheet)
    assert isinstance(answer, SessionAnswer)
    assert averages_so_far(answer, "abc") == {"a": (Fraction(60),), "b": (), "c": (Fraction(20),)}
