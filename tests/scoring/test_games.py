"""One game: what the golden sheets leave open."""

from typing import Any

from scoring import SessionStanding, score

from .builders import ejected, game, gave_up, last, out, remaining, results, session


def test_out_in_the_same_second_shares_the_place() -> None:
    sheet = session(game("last", out("a", 61), last("b"), out("c", 61)))

    assert results(sheet) == [("a", 1, 1), ("b", 3, 1), ("c", 1, 1)]


def test_the_whole_hour_is_sixty_points() -> None:
    sheet = session(
        game("time", out("a", 3600), out("b", 3599), remaining("c", {"1": 1}), remaining("d", {"1": 2})),
        ids="abcd",
    )

    assert results(sheet) == [("a", 2, 60), ("b", 1, 59), ("c", 3, 65), ("d", 4, 70)]


def test_ejected_is_passed_over_in_places_and_in_the_worst_points() -> None:
    sheet = session(game("last", ejected("a"), gave_up("b"), last("c"), duration_s=3600))

    assert results(sheet) == [("a", None, None), ("b", 2, 90), ("c", 1, 60)]


def test_void_game_reads_neither_times_nor_hands_but_ejects() -> None:
    void = game("void", out("a", "late") | {"hand": 3}, remaining("b", None), ejected("c"), duration_s="long")
    answer = score(session(void, game("last", out("a", 60), last("b"))))

    assert [row.points for row in answer.rounds[0].results] == [None, None, None]
    assert answer.standings[2] == SessionStanding("c", None, "disqualified", 0, 0, None)
    assert answer.standings[0].games == 1


def test_what_no_rule_looks_at_may_hold_anything() -> None:
    odd = {"elapsed_s": "never", "hand": {"joker": -1}, "note": [1]}
    sheet = session(
        game("last", out("a", 60) | {"hand": 1}, last("b") | odd, gave_up("c") | odd, duration_s=120, x=1)
    )

    assert results(sheet) == [("a", 1, 1), ("b", 2, 2), ("c", 3, 60)]


def test_hand_may_name_cards_that_it_does_not_hold() -> None:
    assert results(session(game("time", remaining("a", {"1": 1, "7": 0}), remaining("b", {"2": 2})))) == [
        ("a", 1, 65),
        ("b", 2, 70),
    ]


def test_a_game_says_which_step_decided_and_its_written_answer_does_not() -> None:
    answer = score(session(game("time", remaining("a", {"9": 2}), remaining("b", {"wild": 1})), ids="ab"))
    results: Any = answer.rounds[0].results
    assert [(row.place, row.decided) for row in results] == [(2, "cards"), (1, None)]
    assert "decided" not in str(answer.as_json())
