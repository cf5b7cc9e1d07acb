"""Answers: what is written and in which order, and what every kind can be asked for."""

import json
from fractions import Fraction
from typing import Any

import pytest

from scoring import SessionAnswer, score

from .builders import (
    ONE,
    Json,
    ejected,
    game,
    hand_of,
    heat,
    heats,
    last,
    match,
    out,
    race,
    remaining,
    session,
    won,
)


def test_session_losers_share_the_highest_average() -> None:
    answer = score(session(game("last", out("a", 60), out("b", 120), last("c"))))

    assert (answer.winners, answer.losers) == (("a",), ("b", "c"))
    apart = score(
        session(
            game("early", *(remaining(each, {str(n): n}) for n, each in enumerate("abcd", 1))), ids="abcd"
        )
    )
    assert apart.losers == ("d",)


def test_averages_that_look_level_are_compared_exactly() -> None:
    games = [game("last", out("a", 60), last("b")), game("last", out("b", 60), out("a", 60), last("c"))]
    answer = score(session(*games, game("last", out("c", 120), last("b"))))

    assert isinstance(answer, SessionAnswer)
    assert [(line.player, line.average) for line in answer.standings] == [
        ("a", Fraction(1)),
        ("b", Fraction(4, 3)),
        ("c", Fraction(3, 2)),
    ]


WRITTEN: list[tuple[Json, str]] = [
    (
        session(game("last", ejected("b"), out("a", 60), last("c"), duration_s=70)),
        '{"kind": "session", "ruleset": "kpgut-2016", "standings": [{"player": "a", "place": 1, "status": "ranked", '
        '"games": 1, "points": 1, "average": "1"}, {"player": "c", "place": 1, "status": "ranked", "games": 1, '
        '"points": 1, "average": "1"}, {"player": "b", "place": null, "status": "disqualified", "games": 0, '
        '"points": 0, "average": null}], "rounds": [{"number": 1, "results": [{"player": "b", "place": null, '
        '"points": null}, {"player": "a", "place": 1, "points": 1}, {"player": "c", "place": 2, "points": 1}]}], '
        '"winners": ["a", "c"]}',
    ),
    (
        match(won("a", {"b": ONE}), ids="ab", target=2),
        '{"kind": "match", "ruleset": "mattel-108", "standings": [{"player": "a", "place": 1, "status": "ranked", '
        '"points": 1, "rounds_won": 1}, {"player": "b", "place": 2, "status": "ranked", "points": 0, '
        '"rounds_won": 0}], "rounds": [{"number": 1, "results": [{"player": "a", "points": 1}, {"player": "b", '
        '"points": 0}]}], "winners": [], "complete": false}',
    ),
    (
        heats(heat("ab", "b"), ids="ab"),
        '{"kind": "heats", "ruleset": "tite-2022", "rounds": [{"number": 1, "results": [{"player": "a", '
        '"place": null, "advances": false}, {"player": "b", "place": 1, "advances": true}]}], "finalists": ["b"]}',
    ),
]


@pytest.mark.parametrize(("sheet", "written"), WRITTEN, ids=["session", "match", "heats"])
def test_an_answer_is_written_in_one_order(sheet: Json, written: str) -> None:
    assert json.dumps(score(sheet).as_json()) == written


@pytest.mark.parametrize("sheet", [sheet for sheet, _ in WRITTEN], ids=["session", "match", "heats"])
def test_every_answer_can_be_asked_for_everything(sheet: Json) -> None:
    answer = score(sheet)
    assert {line.player for line in answer.lines} == {player["id"] for player in sheet["players"]}
    assert [len(answer.finalists), answer.complete] == [sheet["kind"] == "heats", False]
    assert answer.lines == (answer.standings or answer.rounds[0].results)
    for row in answer.rounds[0].results:
        assert [row.place, row.points, row.decided, row.advances].count(None) >= 1


def test_the_value_of_a_line_decides_its_place() -> None:
    thirds = score(session(*(game("last", out("a", 60 * n), last("b")) for n in (1, 1, 2)), ids="ab"))
    assert [line.value for line in thirds.standings] == [Fraction(4, 3)] * 2
    as_json: Any = thirds.as_json()
    assert as_json["standings"][0]["average"] == "4/3"
    totals = score(match(won("a", {"b": {"7": 1}}), ids="ab"))
    assert [line.value for line in totals.standings] == [7, 0]
    wins = score(race(hand_of("ab", "a", {"b": {"7": 1}}), rank=["wins", "total"]))
    assert [(line.player, line.value) for line in wins.standings] == [("a", 1), ("b", 0), ("c", None)]


A_TAKES_7 = won("a", {"b": {"7": 1}, "c": {}}, emptied=["c"])
EARNED: list[tuple[Json, set[str]]] = [
    (session(game("last", ejected("c"), out("a", 60), last("b"), duration_s=60)), {"a", "b"}),
    ({**race(hand_of("abc", "a", {"b": ONE, "c": ONE})), "removed": ["c"]}, {"a", "b"}),
    (match(), set()),
    (match(A_TAKES_7, ruleset="mattel-112"), {"a"}),
    (match(A_TAKES_7, ruleset="mattel-112", scoring="own_hand"), {"a", "b"}),
    ({**match(A_TAKES_7, ruleset="mattel-112"), "withdrawn": ["a"]}, set()),
]


@pytest.mark.parametrize(
    ("sheet", "earned"),
    EARNED,
    ids=["session", "race", "match not begun", "by points and a round", "by either", "withdrawn"],
)
def test_a_place_is_earned_in_a_match_by_points_or_a_round(sheet: Json, earned: set[str]) -> None:
    assert {line.player: line.earned for line in score(sheet).standings} == {
        player["id"]: player["id"] in earned for player in sheet["players"]
    }
