"""Why a place, in words: each step with its numbers, and a difference that two decimals do not hide."""

from typing import Any

from tests.support.contests import play, player, round_, seat, seats
from tests.support.contests_shown import plain, seen_contest
from tournament.pages.public.why import Why, player_why
from tournament.results.facts import PlayFacts, SeatFacts

FOUR = seats(1, 2, 3, 4)


def explained(number: int, kind: str, *plays: PlayFacts, seats: list[SeatFacts], **more: Any) -> Why | None:
    return player_why(*seen_contest(kind, *plays, seats=seats, **more), str(player(number)))


def why(number: int, kind: str, *plays: PlayFacts, seats: list[SeatFacts], **more: Any) -> Why:
    found = explained(number, kind, *plays, seats=seats, **more)
    assert found is not None
    return found


def lines(found: Why) -> list[str]:
    return [plain(line) for line in found.lines]


def steps(found: Why) -> list[tuple[str, str, list[str]]]:
    return [(plain(step.label), step.points, [plain(line) for line in step.lines]) for step in found.steps]


def ended(number: int, *rows: tuple[int, str, Any], how: str = "last", **more: Any) -> PlayFacts:
    return play(number, *rows, ended=how, **more)


# ---- sessions ----


def test_session_place_is_the_sum_the_games_and_the_neighbours() -> None:
    games = (
        ended(1, (1, "out", 539), (2, "out", 840), (3, "out", 1200), (4, "last", None)),
        ended(2, (2, "out", 660), (3, "out", 1020), (1, "out", 1080), (4, "last", None)),
    )  # P1 26/2, P2 25/2, P3 37/2, P4 38/2

    found = why(3, "session", *games, seats=FOUR)

    assert (found.title, found.total) == ("Why place 3?", "37 points in 2 games = 18.50")
    assert lines(found) == [
        "Behind P1 (13.00) by 5.50.",
        "Ahead of P4 (19.00) by 0.50.",
        "The lowest average takes first place.",
    ]
    assert steps(found) == [
        ("Game 2", "17 points", ["Out after 17 min: 17 points"]),
        ("Game 1", "20 points", ["Out after 20 min: 20 points"]),
    ]
    assert steps(why(4, "session", *games, seats=FOUR))[0][2] == [
        "Last one left = 18 points, the full minutes at the game’s end"
    ]


def test_averages_that_look_alike_are_told_as_exact_fractions() -> None:
    games = [
        ended(
            number,
            (1, "out", 60),
            (2, "out", 60 if number < 14 else 0),
            (3, "out", 3600),
            (4, "last", None),
        )
        for number in range(1, 15)
    ]
    alone = ended(15, (1, "out", 0), (3, "last", None))  # P1 14/15, P2 13/14: both 0.93

    assert lines(why(1, "session", *games, alone, seats=FOUR))[0] == (
        "Behind P2 by less than 0.01: 14/15 against 13/14."
    )
    assert lines(why(2, "session", *games, alone, seats=FOUR))[0] == (
        "Ahead of P1 by less than 0.01: 13/14 against 14/15."
    )


def test_a_difference_that_two_decimals_hide_is_told_as_exact_fractions() -> None:
    together = [
        ended(
            number,
            (1, "out", 60 if number <= 4 else 0),
            (2, "out", 60 if number <= 7 else 0),
            (3, "out", 3600),
            (4, "last", None),
        )
        for number in range(1, 12)
    ]
    alone = [ended(number, (2, "out", 0), (3, "last", None)) for number in range(12, 20)]

    # P1 4/11, P2 7/19: shown as 0.36 and 0.37, and yet less than 0.005 apart.
    assert lines(why(1, "session", *together, *alone, seats=FOUR))[0] == (
        "Ahead of P2 by less than 0.01: 4/11 against 7/19."
    )
    assert lines(why(2, "session", *together, *alone, seats=FOUR))[0] == (
        "Behind P1 by less than 0.01: 7/19 against 4/11."
    )


def test_level_players_share_the_place() -> None:
    game = ended(1, (1, "out", 60), (2, "out", 119), (3, "out", 300), (4, "last", None))

    assert lines(why(1, "session", game, seats=FOUR))[:2] == [
        "Tied with P2: shared place.",
        "Ahead of P3 and P4 (5.00) by 4.00.",
    ]


def test_those_remaining_are_told_by_which_step_of_the_rules_they_stand() -> None:
    game = ended(
        1,
        (1, "remaining", {"1": 1, "skip": 2}),
        (2, "remaining", {"0": 1, "5": 1, "wild": 1}),
        (3, "remaining", {"1": 1, "5": 1, "wild": 1}),
        (4, "remaining", {"1": 1, "5": 1, "draw2": 1}),
        (5, "remaining", {"1": 1, "6": 1, "draw2": 1}),
        (6, "remaining", {"3": 4}),
        how="time",
    )

    told = [steps(why(number, "session", game, seats=seats(*range(1, 7))))[0] for number in range(1, 7)]

    assert [points for _label, points, _lines in told] == [
        f"{points} points" for points in (65, 70, 75, 75, 85, 90)
    ]
    assert [found for _label, _points, found in told] == [
        [
            "3 cards left, place 1 among players with cards left: 60 + 1 × 5",
            "Ahead of P2: same number of cards, 1 against 2 number cards",
        ],
        [
            "3 cards left, place 2 among players with cards left: 60 + 2 × 5",
            "Behind P1: same number of cards, 2 against 1 number cards",
            "Ahead of P3 and P4: same number of number cards, 1 against 0 zeros",
        ],
        [
            "3 cards left, place 3 among players with cards left: 60 + 3 × 5",
            "Behind P2: same number of number cards, 0 against 1 zeros",
            "Tied with P4 in cards, number cards and every number",
            "Ahead of P5: tied on number cards and lower numbers, 1 against 0 cards of 5",
        ],
        [
            "3 cards left, place 3 among players with cards left: 60 + 3 × 5",
            "Behind P2: same number of number cards, 0 against 1 zeros",
            "Tied with P3 in cards, number cards and every number",
            "Ahead of P5: tied on number cards and lower numbers, 1 against 0 cards of 5",
        ],
        [
            "3 cards left, place 5 among players with cards left: 60 + 5 × 5",
            "Behind P3 and P4: tied on number cards and lower numbers, 0 against 1 cards of 5",
            "Ahead of P6: 3 against 4 cards",
        ],
        [
            "4 cards left, place 6 among players with cards left: 60 + 6 × 5",
            "Behind P5: 4 against 3 cards",
        ],
    ]


def test_who_gave_up_and_who_was_ejected_are_told_how_it_counts() -> None:
    game = ended(
        1, (1, "out", 600), (2, "last", None), (3, "gave_up", None), (4, "ejected", None), duration_s=2459
    )

    assert steps(why(3, "session", game, seats=FOUR)) == [
        ("Game 1", "70 points", ["gave up: the worst of the others, 40, plus 30, but at least 60"])
    ]
    ejected = why(4, "session", game, seats=FOUR)
    assert (ejected.title, ejected.total) == ("Why no place?", "No games yet.")
    assert lines(ejected) == ["Disqualified. The points of earlier games remain, without a place."]
    assert steps(ejected) == [("Game 1", "", ["ejected, no points"])]


def test_too_few_games_are_told_with_how_many_it_takes() -> None:
    game = ended(1, (1, "out", 60), (2, "last", None))

    found = why(1, "session", game, seats=FOUR, settings={"min_games": 3})

    assert lines(found) == ["You need 3 games to be ranked. Played so far: 1."]


def test_games_have_the_numbers_that_they_have_at_the_table() -> None:
    void = ended(1, (1, "out", 60), (2, "last", None), state="void")
    counts = ended(2, (1, "out", 60), (2, "last", None))

    assert [label for label, *_rest in steps(why(1, "session", void, counts, seats=FOUR))] == ["Game 2"]


# ---- matches ----

ROUNDS = (
    round_(1, 1, {"draw2": 1, "5": 1}, 2, 3, 4),
    round_(2, 2, {"7": 2}, 1, 3, 4),
)


def test_match_place_is_whose_hands_each_round_gave() -> None:
    found = why(2, "match", *ROUNDS, seats=FOUR)

    assert (found.title, found.total) == ("Why place 2?", "42 points in 2 rounds")
    assert lines(found) == [
        "Behind P1 (75) by 33.",
        "Ahead of P3 and P4 (0) by 42.",
        "The highest total takes first place.",
    ]
    assert steps(found) == [
        ("Round 2", "42 points", ["P1: 14 (7, 7)", "P3: 14 (7, 7)", "P4: 14 (7, 7)"]),
        ("Round 1", "0 points", ["P1 won 75 points. Left in hand: 5, Draw 2 (25)."]),
    ]


def test_alternative_count_is_the_sum_of_the_own_hands() -> None:
    found = why(1, "match", *ROUNDS, seats=FOUR, settings={"scoring": "own_hand"})

    assert (found.title, found.total) == ("Why place 1?", "14 points in 2 rounds")
    assert lines(found) == ["Ahead of P2 (25) by 11.", "The lowest total takes first place."]
    assert steps(found) == [
        ("Round 2", "14 points", ["own hand: 14 (7, 7)"]),
        ("Round 1", "0 points", ["won the round"]),
    ]


def test_who_left_or_was_removed_is_told_why_there_is_no_place() -> None:
    gone = [*seats(1, 2), seat(3, "withdrawn", 3), seat(4, "removed", 3)]

    assert lines(why(3, "match", *ROUNDS, seats=gone)) == ["Left. The points remain, without a place."]
    assert lines(why(4, "match", *ROUNDS, seats=gone)) == [
        "Disqualified. The points remain, without a place."
    ]


# ---- heats ----


def test_heat_is_the_order_of_going_out_and_how_many_go_through() -> None:
    heat = play(1, (1, "finished", 2), (2, "finished", 1), (3, "not_finished", None), advance=1)
    heats = [*seats(1, 2, 3), *seats(4, 5, at=2)]

    first, second, third = (why(number, "heats", heat, seats=heats) for number in (2, 1, 3))

    assert (first.title, first.total) == ("Why through?", "Number 1 to go out")
    assert first.lines == ["The first player out in this heat goes through."]
    assert steps(first) == [("1. P2", "through", []), ("2. P1", "", [])]
    assert (second.title, second.total) == ("Why not through?", "Number 2 to go out")
    assert third.total == "Still had cards when the heat ended"
    assert explained(4, "heats", heat, seats=heats) is None


def test_nothing_played_leaves_nothing_to_explain() -> None:
    assert explained(1, "session", seats=FOUR) is None
    assert explained(1, "match", seats=FOUR) is None
