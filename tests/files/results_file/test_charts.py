"""The charts: a line for each player, told apart by more than its colour."""

import re
from io import BytesIO
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest

from tests.support.factories import recorded_round, running_match
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


def test_nothing_is_drawn_before_the_first_round() -> None:
    made = running_match(players=3)
    with snapshot():
        event = read_event(made.tournament, everything=False, language="en")
    with ZipFile(BytesIO(results_file(event))) as book:
        assert not [name for name in book.namelist() if "chart" in name]
