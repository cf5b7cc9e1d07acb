"""scoring/season.py, against seasons worked out by hand and against an independent reckoning of random ones."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from scoring import (
    SEASON_LEAST_GAMES,
    SEASON_TIES,
    EveningResult,
    SeasonRule,
    SeasonStanding,
    score_season,
)
from tests.depth import deep

YEAR = SeasonRule(lowest=True, least_games=SEASON_LEAST_GAMES)
TABLE = SeasonRule(counts="places", place_points=(10, 8, 6, 5))


def played(player: str, games: int, points: int, place: int | None = None) -> EveningResult:
    """A player's evening of games."""
    return EveningResult(player=player, place=place, points=Fraction(points), games=games)


def placed(**places: int | None) -> list[EveningResult]:
    """An evening of which only places are known; None: took part without a place."""
    return [
        EveningResult(player=player, place=place, unplaced=place is None) for player, place in places.items()
    ]


def table(
    evenings: Sequence[Sequence[EveningResult]], rule: SeasonRule, eligible: set[str] | None = None
) -> list[tuple[str, int | None, Fraction, str]]:
    return [
        (row.player, row.place, row.value, row.reason or row.status)
        for row in score_season(evenings, rule, eligible)
    ]


# ---- Average over all games ----


def test_average_adds_points_and_games_and_averages_no_averages() -> None:
    """Aino: 10 and 20 in two games, then 60 in one: 90 points in 3 games, 30 each; the averages' average is 37.5."""
    first, second = score_season(
        [[played("aino", 2, 30), played("bo", 3, 96)], [played("aino", 1, 60)]], YEAR
    )
    assert first == SeasonStanding(
        player="aino",
        place=1,
        status="ranked",
        reason="value",
        value=Fraction(30),
        worth=(Fraction(15), Fraction(60)),
        counted=(0, 1),
        evenings=2,
        games=3,
        points=Fraction(90),
    )
    assert (second.player, second.place, second.value, second.worth) == (
        "bo",
        2,
        Fraction(32),
        (Fraction(32), None),
    )


def test_level_averages_share_the_place_exactly() -> None:
    """40/3 in 3 games and in 6; 40.1 hundredths more in 300 games would look the same with two decimals."""
    evening = [played("cecile", 300, 4001), played("aino", 3, 40), played("bo", 6, 80)]
    assert table([evening], YEAR) == [
        ("aino", 1, Fraction(40, 3), "shared"),
        ("bo", 1, Fraction(40, 3), "shared"),
        ("cecile", 3, Fraction(4001, 300), "value"),
    ]


def test_few_games_are_listed_after_the_ranked_by_their_averages() -> None:
    evening = [played("dima", 1, 30), played("aino", 2, 4), played("bo", 3, 150)]
    assert [(row.player, row.place, row.status) for row in score_season([evening], YEAR)] == [
        ("bo", 1, "ranked"),
        ("aino", None, "too_few_games"),
        ("dima", None, "too_few_games"),
    ]


@pytest.mark.parametrize(("games", "place"), [(SEASON_LEAST_GAMES - 1, None), (SEASON_LEAST_GAMES, 1)])
def test_fewest_games_for_a_place(games: int, place: int | None) -> None:
    (row,) = score_season([[played("aino", 1, 10)], [played("aino", games - 1, 50)]], YEAR)
    assert (row.games, row.place) == (games, place)


def test_without_games_or_points_there_is_no_line() -> None:
    assert score_season([[played("aino", 0, 0), EveningResult(player="bo", place=1, games=3)]], YEAR) == ()


def test_highest_average_wins_where_more_points_are_better() -> None:
    rule = SeasonRule(lowest=False)
    assert [row[:2] for row in table([[played("aino", 2, 100), played("bo", 1, 60)]], rule)] == [
        ("bo", 1),
        ("aino", 2),
    ]


# ---- Points for places, sums, best evenings ----


def test_places_have_points_that_those_who_share_a_place_all_get() -> None:
    evenings = [placed(aino=1, bo=2, cecile=2, dima=4, eeva=5), placed(aino=3, dima=1)]
    assert {row.points for row in score_season(evenings, TABLE)} == {0}  # none are known
    assert table(evenings, replace(TABLE, lowest=True)) == table(evenings, TABLE)
    assert table(evenings, TABLE) == [
        ("aino", 1, Fraction(16), "value"),
        ("dima", 2, Fraction(15), "value"),
        ("bo", 3, Fraction(8), "shared"),
        ("cecile", 3, Fraction(8), "shared"),
        ("eeva", 5, Fraction(0), "value"),
    ]


def test_disqualified_player_took_part_and_gets_nothing_and_an_unknown_place_is_left_out() -> None:
    evening = [*placed(aino=None), EveningResult(player="bo", points=Fraction(9))]
    assert table([evening], TABLE) == [("aino", 1, Fraction(0), "value")]


def test_sum_adds_points() -> None:
    rule = SeasonRule(counts="sum")
    evenings = [[played("aino", 3, 200), played("bo", 3, 150)], [played("bo", 1, 60)]]
    assert table(evenings, rule) == [("bo", 1, Fraction(210), "value"), ("aino", 2, Fraction(200), "value")]


def test_only_the_best_evenings_count() -> None:
    rule = SeasonRule(counts="places", place_points=(10, 8, 6, 5), best=2)
    evenings = [placed(aino=1, bo=2), placed(aino=4, bo=2), placed(aino=2, bo=1)]
    first, second = score_season(evenings, rule)
    assert (first.value, first.counted) == (second.value, second.counted) == (Fraction(18), (0, 2))
    assert first.worth == (Fraction(10), Fraction(5), Fraction(8))


def test_of_level_evenings_the_one_with_more_games_counts_then_the_earlier() -> None:
    rule = SeasonRule(lowest=True, best=1)
    level = [[played("aino", 1, 10)], [played("aino", 2, 20)], [played("aino", 2, 20)]]
    (row,) = score_season(level, rule)
    assert (row.counted, row.value) == ((1,), Fraction(10))
    unknown = EveningResult(player="aino", points=Fraction(10))
    (row,) = score_season([[unknown], level[0]], SeasonRule(counts="sum", best=1))
    assert row.counted == (1,)


# ---- Who is ranked ----


def test_too_few_evenings_and_who_plays_outside_the_ranking_have_no_place() -> None:
    rule = SeasonRule(counts="places", place_points=(10, 8, 6), least_evenings=2)
    evenings = [placed(aino=1, bo=2, cecile=3), placed(bo=1, cecile=2)]
    assert table(evenings, rule, {"aino", "cecile"}) == [
        ("cecile", 1, Fraction(14), "value"),
        ("bo", None, Fraction(18), "not_eligible"),
        ("aino", None, Fraction(10), "too_few_evenings"),
    ]


def test_season_without_evenings_or_results_is_empty() -> None:
    assert score_season([], YEAR) == score_season([[], []], TABLE) == ()


# ---- Tie-breaks ----


@pytest.mark.parametrize(
    ("tie", "evenings", "first"),
    [
        ("wins", [placed(aino=2, bo=1), placed(aino=2), placed(bo=3)], "bo"),
        ("best_evenings", [placed(aino=1, bo=2), placed(aino=3, bo=2)], "aino"),
        ("most_evenings", [placed(aino=1, bo=3), placed(bo=5), placed(bo=4)], "bo"),
        ("last_evening", [placed(aino=1, bo=2), placed(aino=2, bo=1)], "bo"),
    ],
)
def test_tie_break_decides_and_says_so(tie: str, evenings: list[list[EveningResult]], first: str) -> None:
    points = {"most_evenings": (10, 8, 7, 3, 0), "wins": (10, 8, 6)}.get(tie, (10, 8, 6))
    points = (9, 7, 5) if tie == "best_evenings" else points
    shared = SeasonRule(counts="places", place_points=points)
    levels = {row.player: row.value for row in score_season(evenings, shared)}
    assert len(set(levels.values())) == 1, levels
    rule = SeasonRule(counts="places", place_points=points, ties=(tie,))
    rows = score_season(evenings, rule)
    assert [(row.place, row.reason) for row in rows] == [(1, tie), (2, tie)]
    assert rows[0].player == first


def test_tie_breaks_are_asked_in_their_order_and_whoever_is_still_level_shares() -> None:
    evenings = [placed(aino=1, bo=2, cecile=2), placed(aino=2, bo=1, cecile=1)]
    rule = SeasonRule(counts="places", place_points=(10, 8), ties=("wins", "last_evening"))
    assert table(evenings, rule) == [
        ("bo", 1, Fraction(18), "shared"),
        ("cecile", 1, Fraction(18), "shared"),
        ("aino", 3, Fraction(18), "last_evening"),
    ]


def test_absent_is_after_every_result() -> None:
    evenings = [[played("aino", 1, 30), played("bo", 2, 60)], [played("bo", 1, 30)]]
    for tie in ("last_evening", "best_evenings"):
        rule = SeasonRule(lowest=True, ties=(tie,))
        assert [row.player for row in score_season(evenings, rule)] == ["bo", "aino"]


# ---- An independent reckoning ----

RESULT: st.SearchStrategy[dict[str, Any]] = st.builds(
    dict,
    place=st.none() | st.integers(1, 5),
    points=st.none() | st.integers(0, 12).map(Fraction),
    games=st.none() | st.integers(0, 4),
    unplaced=st.booleans(),
)
EVENINGS = st.lists(st.dictionaries(st.sampled_from("abcdef"), RESULT, max_size=6), max_size=5)
RULES = st.builds(
    SeasonRule,
    counts=st.sampled_from(["average", "places", "sum"]),
    lowest=st.booleans(),
    best=st.none() | st.integers(1, 4),
    place_points=st.lists(st.integers(0, 6), max_size=5).map(lambda each: tuple(sorted(each, reverse=True))),
    least_evenings=st.integers(0, 3),
    least_games=st.integers(0, 4),
    ties=st.permutations([*SEASON_TIES]).flatmap(
        lambda ties: st.integers(0, 4).map(lambda number: tuple(ties[:number]))
    ),
)


class Reckoned:
    """One player of a season, reckoned by comparing with each other player; no sort key is shared with scoring."""

    def __init__(self, evenings: Sequence[Mapping[str, Any]], rule: SeasonRule, player: str) -> None:
        self.rule, self.number = rule, len(evenings)
        self.mine = {
            at: (worth, results[player])
            for at, results in enumerate(evenings)
            if player in results and (worth := self._worth(results[player])) is not None
        }
        left = sorted(self.mine, reverse=True)
        self.counted: list[int] = []
        while left and (rule.best is None or len(self.counted) < rule.best):
            best = left[-1]
            for at in reversed(left):
                if self._is_better_evening(at, best):
                    best = at
            left.remove(best)
            self.counted.append(best)

    def _worth(self, result: Mapping[str, Any]) -> Fraction | None:
        if self.rule.counts == "places":
            if result["place"] is None:
                return Fraction(0) if result["unplaced"] else None
            return Fraction(dict(enumerate(self.rule.place_points, 1)).get(result["place"], 0))
        points: Fraction | None = result["points"]
        if self.rule.counts == "sum" or points is None:
            return points
        return Fraction(points, result["games"]) if result["games"] else None

    def _is_better_evening(self, one: int, other: int) -> bool:
        (worth, result), (level, against) = self.mine[one], self.mine[other]
        if worth != level:
            return self._better(worth, level)
        return (result["games"] or 0) > (against["games"] or 0)

    def _better(self, one: Fraction, other: Fraction) -> bool:
        lowest = self.rule.lowest and self.rule.counts != "places"
        return one < other if lowest else one > other

    @property
    def games(self) -> int:
        return sum(result["games"] or 0 for _worth, result in self.mine.values())

    @property
    def value(self) -> Fraction:
        if self.rule.counts == "average":
            games = sum(self.mine[at][1]["games"] for at in self.counted)
            return Fraction(sum(self.mine[at][1]["points"] for at in self.counted), games)
        return sum((self.mine[at][0] for at in self.counted), Fraction(0))

    @property
    def status(self) -> str:
        if len(self.mine) < self.rule.least_evenings:
            return "too_few_evenings"
        return "too_few_games" if self.games < self.rule.least_games else "ranked"

    def ahead(self, other: "Reckoned", tie: str) -> int:
        """1: ahead by this step, -1: behind, 0: level."""
        pairs: list[tuple[Fraction | None, Fraction | None]] = []
        match tie:
            case "value":
                pairs = [(self.value, other.value)]
            case "wins" | "most_evenings":
                one, two = (
                    sum(tie != "wins" or result["place"] == 1 for _worth, result in each.mine.values())
                    for each in (self, other)
                )
                return int(one > two) - int(one < two)
            case "last_evening":
                pairs = [
                    tuple(
                        each.mine[self.number - 1][0] if self.number - 1 in each.mine else None
                        for each in (self, other)
                    )  # type: ignore[list-item]  # None sorts below every result here
                ]
            case "best_evenings":
                bests = []
                for each in (self, other):
                    best = sorted(worth for worth, _result in each.mine.values())
                    best = best if self._better(Fraction(0), Fraction(1)) else best[::-1]
                    bests.append([*best, *[None] * (self.number - len(best))])
                pairs = list(zip(*bests, strict=True))
        for mine, theirs in pairs:
            if mine != theirs:
                return 1 if theirs is None or (mine is not None and self._better(mine, theirs)) else -1
        return 0


@settings(max_examples=deep(50, fewest=25))
@given(EVENINGS, RULES)
def test_random_seasons_agree_with_an_independent_reckoning(
    evenings: list[dict[str, dict[str, Any]]], rule: SeasonRule
) -> None:
    rows = score_season(
        [[EveningResult(player=player, **result) for player, result in each.items()] for each in evenings],
        rule,
    )
    reckoned = {player: Reckoned(evenings, rule, player) for player in "abcdef"}
    reckoned = {player: each for player, each in reckoned.items() if each.mine}
    assert {row.player for row in rows} == reckoned.keys()
    for row in rows:
        me = reckoned[row.player]
        assert (row.value, row.counted) == (me.value, tuple(sorted(me.counted)))
        assert (row.status, row.games, row.evenings) == (me.status, me.games, len(me.mine))
        others = [
            each for player, each in reckoned.items() if each.status == "ranked" and player != row.player
        ]
        steps = ("value", *rule.ties)
        better = [
            other for other in others if next((by for step in steps if (by := other.ahead(me, step))), 0) > 0
        ]
        assert row.place == (1 + len(better) if me.status == "ranked" else None)
        if row.place is not None:
            level, reason = others, "shared"
            for step in steps:
                level = [other for other in level if me.ahead(other, step) == 0]
                if not level:
                    reason = step
                    break
            assert row.reason == reason
