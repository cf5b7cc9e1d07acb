"""Seats for people who are kept apart: found wherever there are any, and what cannot be is named."""

from itertools import combinations

import pytest

from tournament.seating import drawing
from tournament.seating.drawing import GaveUp, Rooms


def all_of(*people: int) -> list[tuple[int, int]]:
    return list(combinations(people, 2))


@pytest.mark.parametrize(
    ("sizes", "pairs"),
    [
        ([3, 3], []),
        ([2, 2], [(0, 1)]),
        ([3, 3], [(0, 1), (1, 2), (2, 3)]),
        ([2, 2, 2], all_of(0, 1, 2)),
        ([1, 1, 4], [(0, 2), (0, 3), (0, 4), (0, 5)]),
    ],
)
def test_everybody_has_room_and_no_pair_shares_a_table(
    sizes: list[int], pairs: list[tuple[int, int]]
) -> None:
    at = Rooms(sizes).place(pairs)
    assert at is not None
    assert at.keys() == {person for pair in pairs for person in pair}
    assert all(at[one] != at[other] for one, other in pairs)
    assert all(list(at.values()).count(table) <= size for table, size in enumerate(sizes))


@pytest.mark.parametrize(
    ("sizes", "pairs", "needed"),
    [
        ([2, 2], all_of(0, 1, 2), all_of(0, 1, 2)),
        ([2, 2], [(7, 8), *all_of(0, 1, 2)], all_of(0, 1, 2)),
        ([3, 3], all_of(0, 1, 2, 3), None),
        ([1, 2], [(0, 1), (0, 2), (0, 3)], [(0, 1), (0, 2), (0, 3)]),
    ],
)
def test_pairs_that_cannot_be_kept_apart_are_named_and_none_is_superfluous(
    sizes: list[int], pairs: list[tuple[int, int]], needed: list[tuple[int, int]] | None
) -> None:
    assert Rooms(sizes).place(pairs) is None
    named = Rooms(sizes).conflict(pairs)
    assert needed is None or sorted(named) == sorted(needed)
    assert Rooms(sizes).place(named) is None
    for left_out in named:
        assert Rooms(sizes).place([pair for pair in named if pair != left_out]) is not None


def test_a_search_ends_with_the_work_that_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "_WORK", 3)
    pairs = all_of(0, 1, 2)
    with pytest.raises(GaveUp):
        Rooms([2, 2]).place(pairs)
    assert Rooms([2, 2]).conflict(pairs) == pairs
