"""The words for plays and counts in each kind of contest."""

from fractions import Fraction
from types import SimpleNamespace

import pytest
from django.utils.translation import override

from rulesets.ruleset import KINDS as ALL
from tournament.words.kinds import KINDS

ROW = SimpleNamespace(points=7, average=Fraction(37, 3))


@pytest.mark.parametrize(
    ("kind", "play", "at", "value", "plays"),
    [
        ("session", "Game 2", "Table 3, game 2", "12.33", ["1 game", "2 games"]),
        ("match", "Round 2", "Table 3, round 2", "7", ["1 round", "2 rounds"]),
        ("heats", "Heat 3", "Heat 3", "", ["1 heat", "2 heats"]),
    ],
)
def test_a_play_and_what_its_standings_count_have_words(
    kind: str, play: str, at: str, value: str, plays: list[str]
) -> None:
    words = KINDS[kind]
    numbers = {"number": 2, "table": 3}
    assert (str(words.play) % numbers, str(words.play_at) % numbers) == (play, at)
    assert words.value(ROW) == value
    assert [words.plays(n) for n in (1, 2)] == plays


def test_void_plays_are_named_together() -> None:
    void = KINDS["session"].void
    assert [void(n) for n in (1, 2)] == ["Game %(numbers)s was void", "Games %(numbers)s were void"]
    assert KINDS["heats"].void(1) == ""


def test_every_kind_has_words_in_the_readers_language() -> None:
    assert KINDS.keys() == set(ALL)
    with override("fi"):
        assert KINDS["session"].value(ROW) == "12,33"
        assert str(KINDS["match"].step) != "Round"
