"""Entries of a rehearsed day: the same day for the same seed, and every form of the outbox's kinds."""

from collections import Counter
from random import Random

import pytest

from tournament.extras.rehearsal.plan import KINDS, Size, day_at, dealt
from tournament.views.entry.outbox import AT_TABLE, IN_PLAY

PLAYERS = [f"player {number}" for number in range(5)]


@pytest.mark.parametrize(
    ("kind", "forms"),
    [
        ("session", {"start": 2, "out": 7, "end": 1}),
        ("match", {"round": 2}),
        ("heats", {"heat": 1}),
    ],
    ids=["session", "match", "heats"],
)
def test_day_at_a_table(kind: str, forms: dict[str, int]) -> None:
    size = Size(kind=kind, games=2, seconds=60)
    day = day_at("table", PLAYERS, size, Random(1))
    assert Counter(each.kind for each in day) == forms
    assert set(forms) <= {*AT_TABLE, *IN_PLAY}
    assert [each.due for each in day] == sorted(each.due for each in day)
    assert day == day_at("table", PLAYERS, size, Random(1))
    assert not {each.command for each in day} & {
        each.command for each in day_at("table", PLAYERS, size, Random(2))
    }


@pytest.mark.parametrize(
    "size",
    [Size(kind="bridge"), Size(tables=0), Size(players=1001), Size(players=100), Size(kind="match", games=7)],
    ids=["kind", "no_table", "too_many", "too_few", "long_match"],
)
def test_day_that_cannot_be_is_said(size: Size) -> None:
    assert size.problem()


@pytest.mark.parametrize("kind", KINDS)
def test_usual_day_can_be(kind: str) -> None:
    assert Size(kind=kind).problem() == ""


def test_everybody_is_dealt_once() -> None:
    seats = dealt(PLAYERS, 2)
    assert sorted(player for at in seats for player in at) == PLAYERS
    assert [len(at) for at in seats] == [3, 2]
