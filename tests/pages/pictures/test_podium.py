"""The picture of a podium: words that fit, rows that do not overlap."""

from itertools import pairwise

import pytest

from tournament.pages.components import StandingsRow
from tournament.pages.pictures.chart import BOLD, width_of
from tournament.pages.pictures.contests import GAP, NAME_X, WIDTH, fitted, podium_rows

NAMES = ["Aino", "Fatima Al-Khalili de la Fontaine", "W" * 60, "מרים בת־ים עם שם משפחה ארוך", "漢字" * 20]
ISOLATES = "\N{FIRST STRONG ISOLATE}\N{POP DIRECTIONAL ISOLATE}"


def people(count: int) -> list[StandingsRow]:
    return [StandingsRow(key=name, place=at, name=name, value="1234.50") for at, name in enumerate(NAMES, 1)][
        :count
    ]


@pytest.mark.parametrize("count", [1, 3, 5])
def test_rows_stand_below_each_other_above_the_foot(count: int) -> None:
    rows = podium_rows(people(count))
    tops, highs = [y for *_row, y in rows], {high for _row, _name, high, _y in rows}
    assert len(highs) == 1
    high = highs.pop()
    assert [low - top for top, low in pairwise(tops)] == [high + GAP] * (count - 1)
    assert tops[-1] + high < 1000


@pytest.mark.parametrize(("count", "figures"), [(3, 80), (5, 48)])
def test_a_name_ends_before_its_points_begin(count: int, figures: int) -> None:
    for row, name, _high, _y in podium_rows(people(count)):
        points = width_of(row.value, figures * BOLD)
        assert width_of(name.words, name.size * BOLD) <= WIDTH - NAME_X - GAP - points


def test_a_long_heading_is_smaller_and_at_last_cut() -> None:
    short, long, longest = (
        fitted(words, WIDTH, 84) for words in ("Cup", "The spring cup of our club", "W" * 99)
    )
    assert short.size > long.size > longest.size
    assert long.words.strip(ISOLATES) == "The spring cup of our club"
    assert longest.words.strip(ISOLATES).endswith("…")
    assert fitted("Cup\x00\x1b", WIDTH, 84).words.strip(ISOLATES) == "Cup"
