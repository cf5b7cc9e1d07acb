"""The words for plays and counts in each kind of contest."""

from fractions import Fraction

import pytest
from django.utils.translation import override

from rulesets import SHEETS
from tournament.words.kinds import DECIDING, KINDS, race_text


@pytest.mark.parametrize(
    ("kind", "play", "at", "plays"),
    [
        ("session", "Game 2", "Table 3, game 2", ["1 game", "2 games"]),
        ("match", "Round 2", "Table 3, round 2", ["1 round", "2 rounds"]),
        ("heats", "Heat 3", "Heat 3", ["1 heat", "2 heats"]),
        ("race", "Game 2", "Table 3, game 2", ["1 game", "2 games"]),
    ],
)
def test_a_play_has_words(kind: str, play: str, at: str, plays: list[str]) -> None:
    words = KINDS[kind]
    numbers = {"number": 2, "table": 3}
    assert (str(words.play) % numbers, str(words.play_at) % numbers) == (play, at)
    assert [words.plays(n) for n in (1, 2)] == plays


@pytest.mark.parametrize(
    ("decided_by", "unit", "texts"),
    [
        ("average", "Average", ["12.33 points a game", "1.00 points a game"]),
        ("total", "Points", ["12.33 points", "1 point"]),
        ("wins", "Games won", ["1 game won"]),
        ("cards", "Cards left", ["1 card left"]),
    ],
)
def test_what_decides_a_place_has_words(decided_by: str, unit: str, texts: list[str]) -> None:
    words = DECIDING[decided_by]
    values = [Fraction(37, 3), Fraction(1)][-len(texts) :]
    assert str(words.unit) == unit
    assert [f"{words.text(value)} {words.worth(value)}" for value in values] == texts
    assert words.text(None) == "–"


def test_what_decides_a_race_is_said_in_its_order() -> None:
    assert race_text({"scoring": "own_hand"}) == "Ranked by lowest average points a game."
    settings = {
        "scoring": "winner_takes",
        "rank": ["wins", "total"],
        "best": 10,
        "min_games": 3,
        "max_games": 12,
    }
    assert race_text(settings) == (
        "Ranked in this order: most games won, most points. The best 10 games count. A place needs 3 games. "
        "Everyone plays 12 games at most."
    )


def test_void_plays_are_named_together() -> None:
    void = KINDS["session"].void
    assert [void(n) for n in (1, 2)] == ["Game %(numbers)s was void", "Games %(numbers)s were void"]
    assert KINDS["heats"].void(1) == ""


def test_every_kind_has_words_in_the_readers_language() -> None:
    assert KINDS.keys() == set(SHEETS)
    with override("fi"):
        assert DECIDING["average"].text(Fraction(37, 3)) == "12,33"
        assert str(KINDS["match"].step) != "Round"
