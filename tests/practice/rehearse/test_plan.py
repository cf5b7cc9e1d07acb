"""What a rehearsed day enters: the same day for the same chance, and every form of the outbox's kinds."""

from collections import Counter
from random import Random

import pytest

from tournament.management.commands.rehearse import size_of
from tournament.practice.rehearse.organiser import Address, Impossible, number_of_parts
from tournament.practice.rehearse.plan import KINDS, Size, day_at, dealt
from tournament.views.entry.outbox import AT_TABLE, IN_PLAY

PLAYERS = [f"player {number}" for number in range(5)]
NOT_ASKED = dict.fromkeys(
    ("players", "tables", "referees", "watchers", "games", "seconds", "kind", "own_pages", "seed"), None
) | {"quick": False, "no_faults": False}


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


def test_quick_is_small_unless_a_size_is_asked_for() -> None:
    assert size_of(NOT_ASKED | {"seed": 5}) == Size(seed=5)
    quick = size_of(NOT_ASKED | {"quick": True, "watchers": 70, "no_faults": True})
    assert (quick.players, quick.watchers, quick.seconds, quick.faults) == (100, 70, 20, False)


def test_everybody_is_dealt_once() -> None:
    seats = dealt(PLAYERS, 2)
    assert sorted(player for at in seats for player in at) == PLAYERS
    assert [len(at) for at in seats] == [3, 2]


def test_addresses() -> None:
    assert Address.of("http://localhost:8000").url == "http://127.0.0.1:8000"
    assert Address.of("https://play.example") == Address("play.example", 443, tls=True)
    with pytest.raises(Impossible):
        Address.of("play.example")


def test_parts_of_a_page_are_counted() -> None:
    stage = "6f1c7f0e-6f0d-4b52-9c4e-0a4d2f5b8a11"
    assert number_of_parts(b"no links") == 1
    assert (
        number_of_parts(f'<a href="/en/t/x/stage/{stage}/2/"><a href="/en/t/x/stage/{stage}/10/">'.encode())
        == 10
    )
