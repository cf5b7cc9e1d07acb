"""Each rule that a session can break: the code and the exact path, and nothing else reported beside it."""

import pytest

from scoring import score

from .builders import Json, ejected, faults_of, game, gave_up, out, remaining, results, session
from .fault_cases import GAMES


@pytest.mark.parametrize(("code", "path", "part"), GAMES)
def test_session_game_at_fault(code: str, path: str, part: Json) -> None:
    assert faults_of(session(part, ids="xyz")) == [(code, "/games/0" + path)]


def test_one_remaining_is_enough_if_the_others_left() -> None:
    sheet = session(game("early", gave_up("a"), remaining("b", {"wild": 3}), ejected("c")))

    assert results(sheet) == [("a", 2, 95), ("b", 1, 65), ("c", None, None)]


def test_duration_of_a_game_stopped_early_may_be_after_the_last_one_out() -> None:
    sheet = session(
        game("early", out("a", 60), remaining("b", {"1": 1}), remaining("c", {"2": 2}), duration_s=3600)
    )

    assert results(sheet) == [("a", 1, 1), ("b", 2, 65), ("c", 3, 70)]


def test_decks_come_from_the_game_then_the_session_then_the_players() -> None:
    def five_zeros(ids: str, **decks: int) -> Json:
        rows = [remaining(ids[0], {"0": 3}), remaining(ids[1], {"0": 2}), *map(gave_up, ids[2:])]
        return game("time", *rows, **decks)

    score(session(five_zeros("abcdefgh"), ids="abcdefgh"))
    score(session(five_zeros("abc"), decks=2))
    score(session(five_zeros("abc", decks=2), decks=1))
