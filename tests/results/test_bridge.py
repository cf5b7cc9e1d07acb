"""Between rows and score sheets: what is written, in which order, and where a sheet's error belongs."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring import SheetError, SheetInvalid, score
from tests.support.contests import contest, left, play, play_uid, player, round_, seat, seats
from tests.support.factories import (
    Event,
    recorded_round,
    running_heats,
    running_match,
    running_session,
    started_game,
)
from tournament.results.bridge import (
    Contest,
    contest_of,
    contests_of,
    fault_at,
    sheet_of,
)
from tournament.results.facts import SeatFacts
from tournament.results.faults import Fault

SEVEN = {"7": 1}


def ids(*numbers: int) -> list[str]:
    return [str(player(number)) for number in numbers]


def test_games_are_in_the_order_of_their_numbers_and_tables_and_renumbered() -> None:
    both = [*seats(1, 2), *seats(3, 4, at=2)]
    outs = [(1, "out", 60), (2, "last", None)]
    others = [(3, "out", 60), (4, "last", None)]
    made = contest(
        "session",
        play(2, *outs, ended="last"),
        play(1, *others, at=2, ended="last"),
        play(1, *outs, ended="last", state="official"),
        play(3, *outs, ended="last", state="set_aside"),
        play(2, *others, at=2, state="void", ended="last"),
        play(3, *others, at=2, state="running"),
        seats=both,
    )
    sheet = sheet_of(made)
    assert [one.uid for one in sheet.plays if one] == [play_uid(1), play_uid(1, 2), play_uid(2)]
    assert [game["number"] for game in sheet.data["games"]] == [1, 2, 3]
    assert score(sheet.data)


def test_a_game_is_written_as_it_was_played() -> None:
    made = contest(
        "session",
        play(
            1,
            (1, "out", 59),
            (2, "gave_up", 90),
            (3, "remaining", SEVEN),
            (4, "remaining", SEVEN),
            ended="early",
        ),
        seats=seats(1, 2, 3, 4),
        settings={"min_games": 2},
    )
    (game,) = sheet_of(made).data["games"]
    assert game == {
        "number": 1,
        "ended": "early",
        "results": [
            {"player": ids(1)[0], "outcome": "out", "elapsed_s": 59},
            {"player": ids(2)[0], "outcome": "gave_up"},
            {"player": ids(3)[0], "outcome": "remaining", "hand": SEVEN},
            {"player": ids(4)[0], "outcome": "remaining", "hand": SEVEN},
        ],
    }
    assert sheet_of(made).data["settings"] == {"min_games": 2}


def test_a_voided_game_is_written_for_the_ejections_in_it_alone() -> None:
    ejection = [(1, "out", 60), (2, "ejected", 50), (3, "last", None)]
    plain = [(1, "out", 60), (2, "last", None)]
    made = contest(
        "session",
        play(1, *plain, state="void", ended="last"),
        play(2, *ejection, state="void", ended="last", duration_s=60),
        seats=seats(1, 2, 3),
    )
    (game,) = sheet_of(made).data["games"]
    assert game["ended"] == "void"
    assert [row["outcome"] for row in game["results"]] == ["remaining", "ejected", "remaining"]


def test_who_was_removed_between_games_is_written_once_beside_them() -> None:
    removed = [seat(1, "removed", 1), seat(2, "withdrawn", 1), seat(1, "removed", 2, at=2)]
    made = contest("session", seats=[*removed, *seats(3, 4)])
    assert sheet_of(made).data["removed"] == ids(1)
    assert "withdrawn" not in sheet_of(made).data


def test_who_left_is_written_into_the_round_from_which_they_are_out() -> None:
    made = contest(
        "match",
        round_(1, 1, SEVEN, 2, 3, 4),
        round_(2, 1, SEVEN, 3, 4, state="void"),
        round_(3, 1, SEVEN, 4),
        seats=[seat(1), seat(2, "removed", 2), seat(3, "withdrawn", 3), seat(4, "withdrawn", 4)],
    )
    sheet = sheet_of(made)
    first, second, walkover = sheet.data["rounds"]
    assert "removed" not in first
    assert (second["removed"], second["withdrawn"]) == (ids(2), ids(3))
    assert walkover == {"number": 3, "withdrawn": ids(4)}
    assert sheet.plays[2] is None
    assert score(sheet.data)


def test_who_left_after_the_last_round_is_written_beside_them_while_others_play_on() -> None:
    made = contest(
        "match", round_(1, 1, SEVEN, 2, 3), seats=[seat(1), seat(2), seat(3, "removed", 2)], stopped=True
    )
    data = sheet_of(made).data
    assert (data["removed"], data["stopped"], len(data["rounds"])) == (ids(3), True, 1)


@pytest.mark.parametrize(
    ("gone", "more", "order"),
    [
        ([left(1, 2, 30), left(2, 2, 20), left(3, 2, 20)], {}, {1: 2, 2: 1, 3: 1}),
        ([left(1, 2, 30), seat(2, "removed", 2), left(3, 1, 40)], {}, {1: 2, 2: 3, 3: 1}),
        # Named by round 1 though noted before round 2 only.
        ([left(1, 1, 10, left_from=2), seat(2, "withdrawn", 1), left(3, 2, 5)], {}, {1: 1, 2: 1, 3: 2}),
        # From before moments were kept: by the round alone.
        ([seat(1, "withdrawn", 2), seat(2, "removed", 2), seat(3, "withdrawn", 3)], {}, {1: 1, 2: 1, 3: 2}),
        # Left behind the stop, and again before one; the match goes on, or not.
        ([left(1, 3, 10), left(2, 2, 20)], {}, {1: 1, 2: 2}),
        ([left(1, 3, 10), left(2, 2, 20)], {"stopped": True}, {1: 2, 2: 1}),
    ],
)
def test_players_left_in_the_order_of_rounds_and_between_two_of_moments(
    gone: list[SeatFacts], more: dict[str, bool], order: dict[int, int]
) -> None:
    made = contest("match", round_(1, 1, SEVEN, 2, 3, 4), seats=[*gone, seat(4)], **more)
    assert made.order_of_leaving == {player(number): at for number, at in order.items()}


def test_a_round_is_written_as_it_was_played() -> None:
    made = contest(
        "match",
        play(
            1,
            (1, "won", None),
            (2, "holds", {"7": 3}),
            (3, "emptied", {}),
            last_cards={"draw2": 1},
            drew=player(2),
        ),
        seats=seats(1, 2, 3),
        ruleset="mattel-112",
    )
    (one,) = sheet_of(made).data["rounds"]
    first, second, third = ids(1, 2, 3)
    assert one == {
        "number": 1,
        "winner": first,
        "hands": {second: {"7": 3}, third: {}},
        "emptied": [third],
        "last_cards": {"draw2": 1},
        "drew": second,
    }


def test_heats_are_written_in_the_order_of_the_tables() -> None:
    made = contest(
        "heats",
        play(1, (3, "finished", 1), (4, "playing", None), at=2, advance=1),
        play(1, (1, "finished", 1), (2, "finished", 2), state="void"),
        play(2, (1, "finished", 2), (2, "finished", 1)),
        seats=[*seats(1, 2), seat(3, at=2), seat(4, "removed", 1, at=2), seat(5, "withdrawn", 2)],
    )
    first, second = sheet_of(made).data["heats"]
    assert (first["number"], first["finish_order"]) == (1, ids(2, 1))
    assert second == {
        "number": 2,
        "players": ids(3, 4),
        "finish_order": ids(3),
        "removed": ids(4),
        "advance": 1,
    }


def test_who_left_after_a_heat_is_not_out_of_it() -> None:
    made = contest(
        "heats",
        play(1, (1, "finished", 1), (2, "playing", None)),
        seats=[seat(1, "withdrawn", 2), seat(2)],
    )
    assert "removed" not in sheet_of(made).data["heats"][0]


def error_of(made: Contest) -> tuple[SheetError, Any]:
    sheet = sheet_of(made)
    with pytest.raises(SheetInvalid) as invalid:
        score(sheet.data)
    return invalid.value.errors[0], sheet


@pytest.mark.parametrize(
    ("made", "code", "path"),
    [
        (
            contest("match", round_(2, 1, {"jack": 1}, 2), seats=seats(1, 2)),
            "unknown_card",
            f"/hands/{player(2)}/jack",
        ),
        (contest("match", round_(2, 1, SEVEN), seats=seats(1, 2)), "missing_hand", f"/hands/{player(2)}"),
        (
            contest(
                "match",
                play(2, (1, "won", None), (2, "holds", SEVEN), (3, "holds", SEVEN)),
                seats=[seat(1), seat(2), seat(3, "removed", 1)],
            ),
            "removed_plays",
            f"/hands/{player(3)}",
        ),
        (
            contest("session", play(2, (1, "out", 4000), (2, "last", None), ended="last"), seats=seats(1, 2)),
            "elapsed_over_limit",
            f"/results/{player(1)}/elapsed_s",
        ),
        (
            contest(
                "session",
                play(2, (1, "remaining", {"7": 9}), (2, "remaining", SEVEN), ended="time"),
                seats=seats(1, 2),
            ),
            "deck_exceeded",
            f"/results/{player(1)}/hand/7",
        ),
        (
            contest("session", play(2, (1, "out", 60), (2, "last", None), ended="time"), seats=seats(1, 2)),
            "wrong_ending",
            f"/results/{player(2)}/outcome",
        ),
        (
            contest(
                "heats",
                play(2, (1, "finished", 1), (2, "playing", None)),
                seats=[seat(1, "removed", 1), seat(2)],
            ),
            "removed_plays",
            f"/finish_order/{player(1)}",
        ),
        (
            contest("heats", play(2, (1, "playing", None), (2, "playing", None)), seats=seats(1, 2)),
            "incomplete_order",
            "/finish_order",
        ),
    ],
)
def test_an_error_leads_back_to_the_play_the_player_and_the_field(
    made: Contest, code: str, path: str
) -> None:
    error, sheet = error_of(made)
    where, here = fault_at(sheet, error, changed=play_uid(2))
    assert where == made.plays[0]
    assert here == Fault(code, path, error.parameters)
    _, elsewhere = fault_at(sheet, error, changed=uuid4())
    assert elsewhere.path == f"/plays/{play_uid(2)}{path}"


def test_an_error_of_no_play_keeps_its_path() -> None:
    error, sheet = error_of(contest("match", seats=seats(1, 2), ruleset="tite-2022"))
    assert fault_at(sheet, error) == (None, Fault("missing_target", "/settings/target", error.parameters))


def test_an_error_of_the_walkover_belongs_to_no_play() -> None:
    made = contest(
        "match",
        round_(1, 1, {"wild": 2}, 2),
        seats=[seat(1), seat(2, "removed", 2)],
        settings={"target": 10},
    )
    error, sheet = error_of(made)
    assert error.code == "match_over"
    assert fault_at(sheet, error)[0] is None


@pytest.mark.django_db
def test_a_stage_is_read_in_a_fixed_number_of_queries() -> None:
    sizes: list[tuple[Callable[..., Event], dict[str, int], dict[str, int]]] = [
        (running_match, {"players": 4}, {"players": 24, "tables": 6}),
        (running_heats, {"players": 4, "tables": 2}, {"players": 24, "tables": 6}),
        (running_session, {"players": 4}, {"players": 24, "tables": 3}),
    ]
    for build, few, many in sizes:
        counts = []
        for size in (few, many):
            made = build(**size)
            with CaptureQueriesContext(connection) as captured:
                contests_of(made.stage)
            counts.append(len(captured))
        assert counts[0] == counts[1] <= 5


@pytest.mark.django_db
def test_players_stand_in_seat_order_in_a_match_and_by_start_number_elsewhere() -> None:
    match = running_match(players=4, tables=2)
    recorded_round(match)
    assert [contest.table for contest in contests_of(match.stage)] == [table.uid for table in match.tables]
    assert [one.entry for one in contest_of(match.table).players] == match.at(match.table)
    session = running_session(players=4, tables=2)
    started_game(session)
    (only,) = contests_of(session.stage)
    assert only.table is None
    assert [one.entry for one in only.players] == session.uids
    assert contest_of(session.tables[1]) == only
