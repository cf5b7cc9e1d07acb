"""The charts: a line for each player, told apart by more than its colour."""

import re
from io import BytesIO
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest
from openpyxl import load_workbook

from tests.files.results_file.conftest import above
from tests.support.factories import recorded_round, running_match
from tournament import actions
from tournament.files.results_file.results_file import results_file
from tournament.files.workbook.event import read_event
from tournament.server.database import snapshot

pytestmark = pytest.mark.django_db


def test_a_chart_has_marks_values_of_its_own_and_a_text() -> None:
    made = running_match(players=3, target=60)
    recorded_round(made)
    recorded_round(made)
    with snapshot():
        event = read_event(made.refresh().tournament, everything=False, language="en")
    with ZipFile(BytesIO(results_file(event))) as book:
        chart = book.read("xl/charts/chart1.xml").decode()
        drawing = ElementTree.fromstring(book.read("xl/drawings/drawing1.xml"))
    (about,) = [each for each in drawing.iter() if each.tag.endswith("cNvPr")]
    assert about.get("descr") == "Points over rounds: Aino 28, Börje 0 and Cécile 0"
    assert re.findall(r'<(?:c:)?symbol val="(\w+)"', chart) == ["circle", "square", "diamond", "none"]
    assert "$" not in chart  # no cell, so that sorting the table leaves the chart alone
    assert re.findall(r"<(?:c:)?tx><(?:c:)?v>([^<]+)", chart) == ["Aino", "Börje", "Cécile", "Target"]


def test_marks_that_come_again_are_on_dashed_lines() -> None:
    made = running_match(players=9)
    recorded_round(made)
    with snapshot():
        event = read_event(made.refresh().tournament, everything=False, language="en")
    with ZipFile(BytesIO(results_file(event))) as book:
        *lines, _target = book.read("xl/charts/chart1.xml").decode().split("<ser>")[1:]
    marks = [(re.findall(r'symbol val="(\w+)"', line)[0], "sysDash" in line) for line in lines]
    assert len(set(marks)) == 9
    assert [dashed for _mark, dashed in marks] == [False] * 7 + [True] * 2


def test_nothing_is_drawn_before_the_first_round() -> None:
    made = running_match(players=3)
    with snapshot():
        event = read_event(made.tournament, everything=False, language="en")
    with ZipFile(BytesIO(results_file(event))) as book:
        assert not [name for name in book.namelist() if "chart" in name]


def test_a_void_round_is_counted_apart_and_leaves_the_numbers_of_the_others() -> None:
    made = running_match(players=3)
    _first, second, _third = (recorded_round(made) for _round in range(3))
    made.act(actions.void_play, play=second, version=made.play(second).version, reason="wrong cards")
    with snapshot():
        event = read_event(made.refresh().tournament, everything=False, language="en")
    file = BytesIO(results_file(event))
    with ZipFile(file) as book:
        named = book.read("xl/charts/chart1.xml").decode().split("cat>")[1]
    assert re.findall(r"<(?:c:)?v>([^<]+)", named) == ["1", "3"]
    assert "2 rounds · 1 void, not counted" in above(load_workbook(file)["Results"])[2]
