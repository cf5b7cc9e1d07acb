"""The geometry of a line chart: whatever the numbers, everything is within its box and no label covers another."""

import re
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.template.loader import render_to_string
from hypothesis import given, strategies as st

from tournament.pages.pictures.chart import (
    BOTTOM,
    HEIGHT,
    LEFT,
    LETTERS,
    LINE,
    NAMED,
    NUMBERS_END,
    RIGHT,
    TOP,
    WIDTH,
    Frame,
    Picture,
    Series,
    cut,
    line_chart,
    round_numbers,
    spread,
    width_of,
)

HOSTILE = [
    "Ä" * 100,
    f"{'W' * 50} ({'W' * 50})",
    "W" * 100,
    "مرים בת־ים עם שם משפחה ארוך",
    "👩‍👩‍👧‍👦" * 30,
    "漢字" * 40,
    "<b>&",
    "i",
    "",
]
NUMBERS = st.one_of(st.none(), st.integers(0, 1_000_000), st.floats(0, 1000))


def chart(*series: Series, steps: int = 3, **frame: Any) -> Picture:
    names = [str(step) for step in range(1, steps + 1)]
    return line_chart(
        key="k",
        title="T",
        caption="",
        frame=Frame(across="Round", steps=names, upwards="Points", **frame),
        series=series,
    )


def line(*values: float | None, name: str = "Aino", named: bool = True) -> Series:
    return Series(
        name=name,
        values=values,
        texts=["–" if value is None else f"{value:.0f}" for value in values],
        named=named,
    )


@st.composite
def charts(draw: st.DrawFn) -> Picture:
    steps = draw(st.integers(1, 60))
    numbers = st.integers(1, 500) if draw(st.booleans()) else NUMBERS
    rows = draw(
        st.lists(
            st.tuples(st.sampled_from(HOSTILE), st.lists(numbers, min_size=1, max_size=steps)), max_size=20
        )
    )
    series = [line(*values, name=name, named=at < NAMED) for at, (name, values) in enumerate(rows)]
    kind = draw(st.sampled_from(("plain", "from_zero", "target")))
    frame: dict[str, Any] = {"from_zero": kind != "plain"}
    if kind == "target":
        frame["target"] = (draw(st.integers(1, 1000)), "Target")
    return chart(*series, steps=steps, **frame)


@given(charts())
def test_every_point_is_within_the_box(picture: Picture) -> None:
    points = [point for each in picture.lines for run in each.runs for point in run]
    assert all(LEFT <= x <= RIGHT and TOP <= y <= BOTTOM for x, y in points)
    assert all(point in points for each in picture.lines for point in each.marked)
    assert all(LEFT <= tick.at <= RIGHT for tick in picture.x_ticks)
    assert all(TOP <= tick.at <= BOTTOM for tick in picture.y_ticks)
    assert picture.target is None or TOP <= picture.target.at <= BOTTOM


@given(charts())
def test_labels_keep_apart_and_within_the_picture(picture: Picture) -> None:
    labels = [each.label for each in picture.lines if each.label]
    heights = sorted(label.y for label in labels)
    assert all(after - before >= LINE - 0.2 for before, after in pairwise(heights))
    assert all(TOP <= height <= BOTTOM for height in heights)
    assert all(label.name_x + width_of(label.name, LETTERS) <= WIDTH for label in labels)


@given(charts())
def test_every_named_line_with_a_number_has_its_label_and_look(picture: Picture) -> None:
    named = [each for each in picture.lines if each.look]
    assert len(named) <= NAMED
    assert [each.look for each in named] == list(range(1, len(named) + 1))
    assert all(bool(each.label) == bool(each.runs) for each in named)
    assert all(each.label is None for each in picture.lines if not each.look)


@given(charts())
def test_the_drawing_is_well_formed_and_fits(picture: Picture) -> None:
    drawn = ET.fromstring(render_to_string("public/_picture.html", {"picture": picture}).strip())
    svg = drawn.find("svg")
    assert svg is not None
    left, top, width, height = map(int, str(svg.get("viewBox")).split())
    assert (left + width, top, height) == (WIDTH, 0, HEIGHT)
    assert all(NUMBERS_END - width_of(tick.text, LETTERS) >= left for tick in picture.y_ticks)
    assert left == 0 or any(len(tick.text) > 3 for tick in picture.y_ticks)
    assert [each.text for each in svg.findall("title")] == ["T"]
    said = set(str(svg.get("aria-labelledby")).split())
    assert said == {each.get("id") for each in svg if each.get("id")}
    rows = drawn.findall(".//tbody/tr")
    assert [row.findtext("th/bdi") or "" for row in rows] == [each.name for each in picture.table.rows]


@pytest.mark.parametrize(
    ("low", "high", "numbers"),
    [
        (0, 500, [0, 100, 200, 300, 400, 500]),
        (0, 0, [0, 1]),
        (0, 3, [0, 1, 2, 3]),
        (0, 530, [0, 100, 200, 300, 400, 500, 600]),
        (17.86, 52, [10, 20, 30, 40, 50, 60]),
        (20.2, 20.4, [20, 21]),
        (30, 30, [30, 31]),
        (0, 1250, [0, 500, 1000, 1500]),
    ],
)
def test_ticks_are_round_numbers(low: float, high: float, numbers: list[int]) -> None:
    assert round_numbers(low, high) == numbers


@given(st.floats(0, 1e6), st.floats(0, 1e6))
def test_ticks_hold_every_number_and_are_few_and_never_negative(one: float, other: float) -> None:
    numbers = round_numbers(min(one, other), max(one, other))
    assert 0 <= numbers[0] <= min(one, other)
    assert numbers[-1] >= max(one, other)
    assert 2 <= len(numbers) <= 7
    assert len({after - before for before, after in pairwise(numbers)}) == 1


@given(st.lists(st.floats(0, 200), max_size=8), st.floats(0, 25))
def test_spread_keeps_the_order_and_the_distance(wanted: list[float], least: float) -> None:
    placed = spread(wanted, least, 0, 200)
    pairs = sorted(zip(wanted, placed, strict=True))
    assert all(after - before >= least - 1e-6 for (_, before), (_, after) in pairwise(pairs))
    assert all(-1e-6 <= each <= 200 + 1e-6 for each in placed)
    assert spread([10, 100, 190], 16, 0, 200) == [10, 100, 190]


def test_places_have_the_first_at_the_top_and_share_their_height() -> None:
    picture = chart(line(1, 2, 1), line(2, 1, 1, name="Börje"), places=True)
    first, second = picture.lines
    assert [y for _x, y in first.runs[0]] == [TOP, BOTTOM, TOP]
    assert first.runs[0][-1] == second.runs[0][-1]
    assert [tick.text for tick in picture.y_ticks] == ["1", "2"]


def test_many_places_are_numbered_by_round_ones() -> None:
    picture = chart(line(1, 57, 3), places=True)
    assert [tick.text for tick in picture.y_ticks] == ["1", "10", "20", "30", "40", "50"]


def test_many_steps_are_numbered_by_round_ones() -> None:
    picture = chart(line(*range(20)), steps=20)
    assert [tick.text for tick in picture.x_ticks] == ["5", "10", "15", "20"]


def test_an_interrupted_line_is_drawn_in_runs() -> None:
    picture = chart(line(3, None, 4, 5), steps=4)
    assert [len(run) for run in picture.lines[0].runs] == [1, 2]
    assert picture.lines[0].path.count("M") == 2


def test_a_line_that_ended_earlier_has_a_label_but_no_joint() -> None:
    picture = chart(line(1, 2, 3), line(2, name="Börje"))
    joints = [bool(each.label and each.label.joint) for each in picture.lines]
    assert joints == [True, False]


def test_a_picture_of_nobody_has_its_frame() -> None:
    picture = chart()
    assert picture.lines == ()
    assert [tick.text for tick in picture.y_ticks] == ["0", "1"]


def test_marks_of_all_lines_differ_by_shape_or_filling() -> None:
    picture = chart(*(line(at, name=str(at)) for at in range(NAMED)))
    shapes = [each.label.mark.split("m")[1] for each in picture.lines if each.label]
    assert shapes[:4] == shapes[4:]
    assert (
        len(set(shapes)) == 4
    )  # each once filled, once hollow (.picture__mark in css/components/picture.css)


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("Aino", "Aino"),
        ("Aleksandra Virtanen", "Aleksandr…"),
        ("👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦", "👩‍👩‍👧‍👦…"),
        ("", ""),
        ("Aino #1", "Aino #1"),
        ("Matti Virtanen #12", "Matti… #12"),
        ("Matti Virtanen (Helsingin pelaajat)", "Mat… (Hel…"),
    ],
    ids=["short", "long", "joined", "empty", "namesake", "number", "club"],
)
def test_a_name_is_cut_at_whole_signs_and_isolated(text: str, fits: str) -> None:
    found = cut(text, 84, LETTERS)
    assert (found[0], found[-1]) == ("\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}")
    assert re.sub("[\u2068\u2069]", "", found) == fits
