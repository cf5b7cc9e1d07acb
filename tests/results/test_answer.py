"""The one answer of a contest, and what is asked of it."""

from dataclasses import replace

import pytest

from tests.support.contests import contest, impossible_plays, play, play_uid, round_, seats, table
from tournament.models import Stage
from tournament.results.answer import (
    ContestResults,
    lowest_wins,
    places_gained,
    points_missing,
    scored,
    stage_results,
    target_of,
)
from tournament.results.bridge import Contest
from tournament.results.settling import IMPOSSIBLE


def match(*winners: int, **more: object) -> Contest:
    """A match of three, in which each who did not win a round holds 5 points."""
    plays = [
        round_(number, winner, {"5": 1}, *({1, 2, 3} - {winner})) for number, winner in enumerate(winners, 1)
    ]
    return contest("match", *plays, seats=seats(1, 2, 3), **more)


def players(*numbers: int) -> list[str]:
    return [str(seat.entry) for seat in seats(*numbers)]


def test_a_contest_is_scored_once() -> None:
    made = match(1)
    assert scored(made).answer is scored(made).answer
    assert (scored(made).table, scored(made).table_number) == (table(1), 1)
    session = contest("session", seats=seats(1, 2))
    assert (scored(session).table, scored(session).table_number) == (None, None)


def test_what_is_made_of_an_answer_is_made_once() -> None:
    results = scored(match(1))
    made: list[ContestResults] = []

    def count(own: ContestResults) -> int:
        made.append(own)
        return len(made)

    assert [results.once("count", count) for _ in range(2)] == [1, 1]


def test_there_is_no_place_before_a_round_counts_unless_one_is_left() -> None:
    for made in (match(), contest("match", round_(1, 1, {"5": 1}, 2, state="void"), seats=seats(1, 2))):
        assert {line.place for line in scored(made).answer.lines} == {None}
    one, *others = match().seats
    walkover = replace(
        match(), seats=(one, *(replace(each, out_as="withdrawn", out_from=1) for each in others))
    )
    assert [line.place for line in scored(walkover).answer.lines] == [1, None, None]


def test_a_walkover_was_played_by_nobody() -> None:
    made = match(1)
    gone = [
        replace(seat, out_as="withdrawn", out_from=2) if seat.position > 1 else seat for seat in made.seats
    ]
    results = scored(replace(made, seats=tuple(gone)))
    assert results.complete
    assert [play for play, _round in results.counted] == list(made.plays)
    assert (results.play_of_round(1), results.play_of_round(2)) == (made.plays[0], None)


def test_places_gained_are_by_the_sheet_without_its_last_play() -> None:
    one, two, three = players(1, 2, 3)
    assert scored(match(1, 2)).places_gained == {one: 0, two: 1, three: -1}
    assert scored(match(1, 2, 2)).places_gained == {one: -1, two: 0, three: 0}
    assert scored(match(1)).places_gained == {}
    heats = scored(contest("heats", play(1, (1, "finished", 1), (2, "playing", None)), seats=seats(1, 2)))
    assert places_gained(heats.sheet.data, heats.answer) == {}


@pytest.mark.parametrize(
    ("made", "found"),
    [
        (match(1, settings={"target": 30}), (players(1), 20)),
        (match(1, 2, settings={"target": 30}), (players(1, 2), 20)),
        (match(1), (players(1), 490)),
        (match(settings={"target": 30}), None),
        (match(1, settings={"target": 10}), None),
        (contest("session", seats=seats(1, 2)), None),
    ],
)
def test_points_missing_are_of_who_is_nearest_in_a_running_match(
    made: Contest, found: tuple[list[str], int] | None
) -> None:
    results = scored(made)
    assert points_missing(results.sheet.data, results.answer) == found


def test_target_and_count_are_the_rulesets_where_nothing_was_chosen() -> None:
    chosen = scored(match(settings={"target": 30, "scoring": "own_hand"})).sheet.data
    usual = scored(match()).sheet.data
    assert (target_of(chosen), target_of(usual)) == (30, 500)
    assert (lowest_wins(chosen), lowest_wins(usual)) == (True, False)


def test_a_stage_that_is_only_planned_has_no_answer() -> None:
    assert stage_results(Stage(state="planned")) == ()


def test_every_play_says_officially_whether_it_counts_or_why_not() -> None:
    made = {
        **impossible_plays(),
        "": match(1, 1),
        "running": contest("match", play(2, (1, "holds", {"5": 1}), state="running"), seats=seats(1, 2)),
        "void": contest("match", round_(2, 1, {"5": 1}, 2, state="void"), seats=seats(1, 2)),
    }
    assert made.keys() == IMPOSSIBLE | {"", "running", "void"}
    said = {}
    for why, each in made.items():
        results = scored(each)
        found = results.contest.play(play_uid(2))
        assert found
        said[why] = results.why_not(found)
    assert said == {why: why for why in made}
