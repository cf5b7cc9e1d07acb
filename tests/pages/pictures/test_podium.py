"""The picture of a podium: words that fit, rows that do not overlap."""

from itertools import pairwise

import pytest

from tournament.pages.components import StandingsRow
from tournament.pages.pictures.chart import BOLD, width_of
from tournament.pages.pictures.podium import GAP, NAME_X, WIDTH, podium_picture

NAMES = ["Aino", "Fatima Al-Khalili de la Fontaine", "W" * 60, "מרים בת־ים עם שם משפחה ארוך", "漢字" * 20]
ISOLATES = "\N{FIRST STRONG ISOLATE}\N{POP DIRECTIONAL ISOLATE}"


def people(count: int) -> list[StandingsRow]:
    return [StandingsRow(key=name, place=at, name=name, value="1234.50") for at, name in enumerate(NAMES, 1)][
        :count
    ]


@pytest.mark.parametrize("count", [1, 3, 5])
def test_rows_stand_below_each_other_above_the_foot(count: int) -> None:
    picture = podium_picture("Cup", "Final", people(count))
    tops = [name.y for _row, name in picture.rows]
    assert [low - high for high, low in pairwise(tops)] == [picture.high + GAP] * (count - 1)
    assert tops[0] > picture.about.y
    assert tops[-1] + picture.high < 1000


@pytest.mark.parametrize("count", [3, 5])
def test_a_name_ends_before_its_points_begin(count: int) -> None:
    for row, name in podium_picture("Cup", "Final", people(count)).rows:
        points = width_of(row.value, picture_figures(count) * BOLD)
        assert width_of(name.words, name.size * BOLD) <= WIDTH - NAME_X - GAP - points


def picture_figures(count: int) -> int:
    """The height of the figures, as the drawing has them."""
    return 80 if count == 3 else 48


def test_a_long_heading_is_smaller_and_at_last_cut() -> None:
    short, long, longest = (
        podium_picture(words, "", []).heading for words in ("Cup", "The spring cup of our club", "W" * 99)
    )
    assert short.size > long.size > longest.size
    assert long.words.strip(ISOLATES) == "The spring cup of our club"
    assert longest.words.strip(ISOLATES).endswith("…")
    assert podium_picture("Cup\x00\x1b", "", []).heading.words.strip(ISOLATES) == "Cup"
