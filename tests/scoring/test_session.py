"""Sessions: what the golden sheets leave open."""

from fractions import Fraction

from scoring import SessionAnswer, SessionStanding, score

from .builders import Json, game, last, out, session


def answer_to(sheet: Json) -> SessionAnswer:
    answer = score(sheet)
    assert isinstance(answer, SessionAnswer)
    return answer


def test_session_without_games_ranks_nobody() -> None:
    answer = answer_to(session())

    assert answer.standings == tuple(
        SessionStanding(player, None, "not_played", 0, 0, None) for player in "abc"
    )
    assert (answer.rounds, answer.winners, answer.losers) == ((), (), ())


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


def test_removed_after_the_last_game_is_disqualified() -> None:
    sheet = {**session(game("last", out("a", 60), last("b"))), "removed": ["a"], "withdrawn": ["b"]}
    answer = answer_to(sheet)

    assert answer.winners == ("b",)
    assert answer.standings[-1] == SessionStanding("a", None, "disqualified", 1, 1, Fraction(1))
