"""Sessions: what the golden sheets leave open."""

from fractions import Fraction

from scoring import SessionAnswer, SessionStanding, score

from .builders import Json, ejected, game, gave_up, last, out, remaining, session


def answer_to(sheet: Json) -> SessionAnswer:
    answer = score(sheet)
    assert isinstance(answer, SessionAnswer)
    return answer


def results(sheet: Json) -> list[tuple[str, int | None, int | None]]:
    return [(row.player, row.place, row.points) for row in answer_to(sheet).rounds[0].results]


def test_session_without_games_ranks_nobody() -> None:
    answer = answer_to(session())

    assert answer.standings == tuple(
        SessionStanding(player, None, "not_played", 0, 0, None) for player in "abc"
    )
    assert (answer.rounds, answer.winners, answer.losers) == ((), (), ())


def test_session_losers_share_the_highest_average() -> None:
    answer = answer_to(session(game("last", out("a", 60), out("b", 120), last("c"))))

    assert (answer.winners, answer.losers) == (("a",), ("b", "c"))
    apart = answer_to(
        session(
            game("early", *(remaining(each, {str(n): n}) for n, each in enumerate("abcd", 1))), ids="abcd"
        )
    )
    assert apart.losers == ("d",)


def test_out_in_the_same_second_shares_the_place() -> None:
    sheet = session(game("last", out("a", 61), last("b"), out("c", 61)))

    assert results(sheet) == [("a", 1, 1), ("b", 3, 1), ("c", 1, 1)]


def test_the_whole_hour_is_sixty_points() -> None:
    sheet = session(
        game("time", out("a", 3600), out("b", 3599), remaining("c", {"1": 1}), remaining("d", {"1": 2})),
        ids="abcd",
    )

    assert results(sheet) == [("a", 2, 60), ("b", 1, 59), ("c", 3, 65), ("d", 4, 70)]


def test_one_remaining_is_enough_if_the_others_left() -> None:
    sheet = session(game("early", gave_up("a"), remaining("b", {"wild": 3}), ejected("c")))

    assert results(sheet) == [("a", 2, 95), ("b", 1, 65), ("c", None, None)]


def test_duration_of_a_game_stopped_early_may_be_after_the_last_one_out() -> None:
    sheet = session(
        game("early", out("a", 60), remaining("b", {"1": 1}), remaining("c", {"2": 2}), duration_s=3600)
    )

    assert results(sheet) == [("a", 1, 1), ("b", 2, 65), ("c", 3, 70)]


def test_ejected_is_passed_over_in_places_and_in_the_worst_points() -> None:
    sheet = session(game("last", ejected("a"), gave_up("b"), last("c"), duration_s=3600))

    assert results(sheet) == [("a", None, None), ("b", 2, 90), ("c", 1, 60)]


def test_void_game_reads_neither_times_nor_hands_but_ejects() -> None:
    void = game("void", out("a", "late") | {"hand": 3}, remaining("b", None), ejected("c"), duration_s="long")
    answer = answer_to(session(void, game("last", out("a", 60), last("b"))))

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


def test_min_games_lists_who_played_fewer_behind() -> None:
    first = game("last", out("d", 0), out("a", 60), last("b"))
    second = game("last", out("a", 60), last("b"))
    answer = answer_to(session(first, second, ids="cdabe", min_games=2))

    assert [(line.player, line.place, line.status) for line in answer.standings] == [
        ("a", 1, "ranked"),
        ("b", 1, "ranked"),
        ("d", None, "too_few_games"),
        ("c", None, "not_played"),
        ("e", None, "not_played"),
    ]


def test_averages_that_look_level_are_compared_exactly() -> None:
    games = [game("last", out("a", 60), last("b")), game("last", out("b", 60), out("a", 60), last("c"))]
    answer = answer_to(session(*games, game("last", out("c", 120), last("b"))))

    assert [(line.player, line.average) for line in answer.standings] == [
        ("a", Fraction(1)),
        ("b", Fraction(4, 3)),
        ("c", Fraction(3, 2)),
    ]


def test_decks_come_from_the_game_then_the_session_then_the_players() -> None:
    def five_zeros(ids: str, **decks: int) -> Json:
        rows = [remaining(ids[0], {"0": 3}), remaining(ids[1], {"0": 2}), *map(gave_up, ids[2:])]
        return game("time", *rows, **decks)

    answer_to(session(five_zeros("abcdefgh"), ids="abcdefgh"))
    answer_to(session(five_zeros("abc"), decks=2))
    answer_to(session(five_zeros("abc", decks=2), decks=1))


def test_removed_after_the_last_game_is_disqualified() -> None:
    sheet = {**session(game("last", out("a", 60), last("b"))), "removed": ["a"], "withdrawn": ["b"]}
    answer = answer_to(sheet)

    assert answer.winners == ("b",)
    assert answer.standings[-1] == SessionStanding("a", None, "disqualified", 1, 1, Fraction(1))
