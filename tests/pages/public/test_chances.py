"""A player's chances, in words: one short sentence first, and nothing that is no longer true."""

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.support.contests import play, player, round_, seat, seats
from tests.support.contests_shown import FROZEN, plain, seen_contest
from tournament.pages.public.chances import Group, PlayerNeeds, player_needs
from tournament.results.facts import PlayFacts, SeatFacts

BEGAN = datetime(2026, 5, 9, 18, 5, tzinfo=UTC)


def needed(
    number: int, kind: str, *plays: PlayFacts, seats: list[SeatFacts], **more: Any
) -> PlayerNeeds | None:
    return player_needs(*seen_contest(kind, *plays, seats=seats, **more), str(player(number)))


def said(number: int, kind: str, *plays: PlayFacts, seats: list[SeatFacts], **more: Any) -> list[str]:
    needs = needed(number, kind, *plays, seats=seats, **more)
    assert needs is not None
    return [plain(line) for line in needs.lines]


def game(number: int, *outs: tuple[int, int], last: int | None = None, **more: Any) -> PlayFacts:
    """A game in which players went out in these minutes; `last` was left."""
    rows = [(who, "out", minute * 60) for who, minute in outs]
    ended = [(last, "last", None)] if last else []
    return play(number, *rows, *ended, ended="last", **more)


def running(number: int, *rows: tuple[int, str, Any]) -> PlayFacts:
    return play(number, *rows, state="running", started_at=BEGAN)


FOUR = seats(1, 2, 3, 4)
GAMES = (game(1, (1, 12), (2, 14), (3, 20), last=4), game(2, (2, 13), (1, 18), (3, 23), last=4))
# P1 30/2, P2 27/2, P3 43/2, P4 43/2


# ---- sessions ----


def test_session_says_by_when_to_be_out_for_the_next_place() -> None:
    needs = needed(1, "session", *GAMES, seats=FOUR)

    assert needs is not None
    assert needs.about == "Your next game"
    assert [plain(line) for line in needs.lines] == [
        "Go out by 10:59 on the game’s clock to move into place 1 (P2, 13.50)."
    ]
    assert needs.note == "As long as nobody else’s average changes."
    assert [(row.label, row.place, row.text) for row in needs.rows] == [
        ("10:59", 1, "13.33"),
        ("34:59", 2, "21.33"),
        ("60:00", 4, "30.00"),
    ]
    assert needs.now is None
    assert not needs.many


def test_list_that_is_too_long_for_a_glance_unfolds() -> None:
    eleven = range(1, 12)
    apart = game(1, *((who, 5 * who) for who in eleven), last=12)

    needs = needed(13, "session", apart, seats=seats(*eleven, 12, 13))

    assert needs is not None
    assert (len(needs.rows), needs.many) == (12, True)


def test_session_says_that_a_place_is_too_far_and_who_has_it() -> None:
    assert said(3, "session", *GAMES, seats=FOUR) == [
        "Go out by 2:59 on the game’s clock to move into place 2 (P1, 15.00)."
    ]
    more = (*GAMES, game(3, (1, 1), (2, 1), (3, 60), last=4))
    assert said(3, "session", *more, seats=FOUR) == ["Place 2 (P1, 10.33) is out of reach in one game."]


def test_session_says_until_when_the_lead_is_kept() -> None:
    assert said(2, "session", *GAMES, seats=FOUR) == [
        "You keep the lead if you go out by 18:59 on the game’s clock. Next is P1 (15.00)."
    ]


def test_session_names_three_of_those_who_share_a_place() -> None:
    many = game(1, (1, 10), (2, 10), (3, 10), (4, 10), (5, 10), (6, 20), last=7)

    assert said(6, "session", many, seats=seats(*range(1, 8))) == [
        "Go out by 0:59 on the game’s clock to move into place 1 (P1, P2, P3 and 2 more, 10.00)."
    ]


@pytest.mark.parametrize(
    ("min_games", "line"),
    [
        (2, "You will be ranked after this game."),
        (3, "You will be ranked after 2 more games."),
    ],
    ids=["with-the-next", "later"],
)
def test_session_says_how_many_games_make_a_place(min_games: int, line: str) -> None:
    games = (game(1, (1, 5), (2, 6), last=3), game(2, (1, 5), (2, 6), last=4))

    assert said(3, "session", *games, seats=FOUR, settings={"min_games": min_games}) == [line]


def test_running_game_says_what_going_out_makes_in_each_minute() -> None:
    now = running(3, (1, "playing", None), (2, "playing", None), (3, "out", 600))

    needs = needed(1, "session", *GAMES, now, seats=FOUR)

    assert needs is not None
    assert (needs.about, needs.now and needs.now.began) == ("Game 3", BEGAN)
    assert needs.now is not None
    averages, places = needs.now.averages.split(" "), needs.now.places.split(" ")
    assert (len(averages), len(places)) == (61, 61)
    assert [(averages[minute], places[minute]) for minute in (10, 11, 35)] == [
        ("13.33", "1"),
        ("13.67", "2"),
        ("21.67", "4"),
    ]


def test_who_is_out_of_a_running_game_is_told_the_average_it_makes() -> None:
    now = running(3, (1, "out", 659), (2, "playing", None), (3, "gave_up", 700))

    assert said(1, "session", *GAMES, now, seats=FOUR) == ["Out after 10 min 59 s: average 13.33, place 1."]
    assert needed(3, "session", *GAMES, now, seats=FOUR) is None
    assert said(4, "session", *GAMES, now, seats=FOUR)[0].startswith(
        "Go out by 2:59 on the game’s clock to move into place 2"
    )


# ---- matches ----

HAND = {"draw2": 1, "5": 1}  # 25 points


def test_match_says_points_average_rounds_and_how_far_the_leader_is() -> None:
    rounds = (round_(1, 1, HAND, 2, 3, 4), round_(2, 2, {"7": 1}, 1, 3, 4))

    assert said(2, "match", *rounds, seats=FOUR, settings={"target": 200}) == [
        "179 more points to reach 200.",
        "About 4 round wins, at 48 points a round.",
        "54 points behind the lead (P1).",
    ]
    assert said(1, "match", *rounds, seats=FOUR, settings={"target": 123}) == [
        "48 more points to reach 123.",
        "One more round win could be enough, at 48 points a round.",
        "You lead.",
    ]


def test_match_without_a_round_says_the_target_alone() -> None:
    assert said(1, "match", seats=FOUR) == ["500 more points to reach 500."]


def test_alternative_count_says_who_is_in_danger_and_who_would_win() -> None:
    seven, nothing, nine = {"7": 1}, {"0": 1}, {"9": 1}
    rounds = (
        round_(1, 1, HAND, 2, 3, 4),
        play(2, (1, "won", None), (2, "holds", seven), (3, "holds", nothing), (4, "holds", nine)),
        play(3, (2, "won", None), (1, "holds", nine), (3, "holds", nothing), (4, "holds", nothing)),
    )  # P1 9, P2 32, P3 25, P4 34; a hand 11 1/9, of P2 16
    rules = {"target": 45, "scoring": "own_hand"}

    needs = needed(1, "match", *rounds, seats=FOUR, settings=rules)

    assert needs is not None
    assert [plain(line) for line in needs.lines] == [
        "36 points left until 45.",
        "The match ends when someone reaches the target, and the lowest total wins.",
        "If the match ended now, you would win.",
    ]
    assert needs.caption == "Could end the match with one more hand"
    assert [(row.label, row.text) for row in needs.rows] == [
        ("P4", "11 points left, a hand here averages 11.11"),
        ("P2", "13 points left, about one of their usual hands"),
    ]
    assert said(4, "match", *rounds, seats=FOUR, settings=rules)[2] == "If the match ended now, P1 would win."
    assert said(1, "match", *rounds, seats=FOUR, settings={**rules, "target": 100})[3] == (
        "Nobody reaches 100 with one more typical hand (11.11 on average)."
    )


# ---- heats ----


def test_heats_say_who_is_through_who_still_can_be_and_who_is_out() -> None:
    entered = play(1, (1, "finished", 1), (2, "not_finished", None), (3, "not_finished", None))
    heats = [*seats(1, 2, 3), *seats(4, 5, at=2), seat(6, "withdrawn", 1, at=2)]

    needs = needed(2, "heats", entered, seats=heats)

    assert needs is not None
    assert needs.lines == [
        "Your heat is over, and you are not through.",
        "The referees may still let someone in if a place stays open.",
    ]
    assert needs.groups == [
        Group(label="Through", names=["P1"]),
        Group(label="Can still get through", names=["P4", "P5"]),
        Group(label="Not through", names=["P2", "P3"]),
    ]
    assert said(1, "heats", entered, seats=heats) == ["You are through."]
    assert said(4, "heats", entered, seats=heats) == [
        "You can still get through. Your heat has no result yet.",
        "1 player goes through from each heat.",
    ]
    assert needed(6, "heats", entered, seats=heats) is None


# ---- when there is nothing to say ----


def test_frozen_or_finished_stage_gives_no_needs() -> None:
    assert needed(1, "session", *GAMES, seats=FOUR) is not None
    assert needed(1, "session", *GAMES, seats=FOUR, frozen=FROZEN) is None
    assert needed(1, "session", *GAMES, seats=FOUR, state="finished") is None


def test_who_left_or_was_removed_has_no_needs() -> None:
    gone = [*seats(2, 3, 4), seat(1, "withdrawn", 3)]

    assert needed(1, "session", *GAMES, seats=gone) is None
    assert (
        needed(1, "match", round_(1, 2, HAND, 1, 3, 4), seats=[*seats(2, 3, 4), seat(1, "removed", 2)])
        is None
    )
