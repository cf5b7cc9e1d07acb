"""The file of results as a whole: what the demo's events say in it, and what holds for every event."""

from collections import Counter
from collections.abc import Callable
from io import BytesIO
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from openpyxl import Workbook, load_workbook

from tests.depth import SOAK
from tests.files.results_file.conftest import above, column, opened, table
from tests.support.factories import add_stage, event, recorded_round, running_match
from tests.support.workbook_events import generated
from tournament import actions
from tournament.files.results_file.results_file import results_file
from tournament.models import Entry, Tournament

pytestmark = pytest.mark.django_db

Read = Callable[..., Workbook]

# What the first sheet says of the best and of the last: place, player, then the numbers beside them and the note.
DEMO: dict[str, tuple[list[str], list[list[Any]]]] = {
    "demo-mattel": (
        ["Results", "Match", "Clubs", "Rounds", "About this file"],
        [
            ["Place", "Player", "Club or group", "Points", "Rounds won", "Rounds"],
            [1, "Joona Rantanen", "Vaasan lautapelaajat", 441, 4, 11],
            [2, "Niilo Hämäläinen", "Noppa", 300, 3, 11],
            [3, "Kerttu Saarinen", "Noppa", 130, 2, 11],
            [5, "Iida Kallio", "Vaasan lautapelaajat", 59, 1, 11],
        ],
    ),
    "demo-kpgut": (
        ["Results", "Session", "Clubs", "Games", "About this file"],
        [
            ["Place", "Player", "Club or group", "Average", "Games won", "Games", "Note"],
            [1, "Aino Mäkelä", "Noppa", pytest.approx(125 / 7), 1, 7, None],
            [2, "Helmi Virtanen", "Noppa", 18, 2, 7, None],
            [3, "Eetu Korhonen", "Noppa", pytest.approx(164 / 7), 1, 7, None],
            [None, "Leo Järvinen", None, 40.25, 0, 4, "disqualified"],
        ],
    ),
    "demo-tite": (
        ["Results", "Heats", "Final", "Clubs", "Rounds", "About this file"],
        [
            ["Place", "Player", "Club or group", "Points", "Rounds won", "Rounds", "Stages", "Note"],
            [1, "Pekka Kettunen", "Arkkitehtikilta", 168, 2, 4, "Heat 1 → Final", None],
            [2, "Elias Mustonen", "Kemistikerho", 95, 1, 4, "Heat 5 → Final", "through by decision"],
            [3, "Aava Kinnunen", "Kemistikerho", 88, 1, 4, "Heat 4 → Final", None],
            [None, "Iiris Kärkkäinen", "Kemistikerho", None, None, None, "Heat 6", "not through"],
        ],
    ),
}


@pytest.mark.sqlite
def test_first_sheet_of_the_demo(tmp_path: Any, settings: Any) -> None:
    settings.DATA_DIR = tmp_path
    call_command("make_demo")
    for slug, (titles, rows) in DEMO.items():
        tournament = Tournament.objects.get(slug=slug)
        book = opened(tournament)
        found = table(book["Results"])
        assert (book.sheetnames, [*found[0]]) == (titles, rows[0])
        assert [[*row.values()] for row in (*found[:3], found[-1])] == rows[1:]
        assert sorted(row["Player"] for row in found) == sorted(
            entry.shown_name for entry in tournament.entries.taking_part()
        )
        assert book.properties.title == tournament.name
        assert book.properties.creator == tournament.organiser.name


@pytest.mark.parametrize("seed", range(200) if SOAK else [0, 1, 2, 3, 19])  # 19: a match ends by a walkover
def test_every_cell_is_a_value_and_everybody_stands_once(seed: int) -> None:
    """Without formulas no sheet can be sorted wrongly."""
    read = generated(seed)
    book = load_workbook(BytesIO(results_file(read)))
    cells = [cell for sheet in book for row in sheet.iter_rows() for cell in row if cell.value is not None]
    assert {cell.data_type for cell in cells} <= {"s", "n", "d"}
    names = [row[heading] for row in table(book.worksheets[0]) for heading in list(row)[1:2]]
    assert Counter(names) == Counter(entry.shown_name for entry in read.entries.values())


def test_text_stays_text_and_numbers_are_numbers(results: Read) -> None:
    names = ["=1+1", "-5", "@SUM(A1)", "+358", "0401234567", "1/2", "12,5", "_x0041_", "محمد", "x" * 100]
    made = event(name="=Cup & Sons", place="#N/A")
    rows = [{"entry": uuid4(), "name": name, "public_name_is_right": True} for name in names]
    made.act(actions.enter_players, players=rows)
    made.entries = list(Entry.objects.filter(tournament=made.tournament))
    recorded_round(add_stage(made, "match", tables=3))
    book = results(made)
    sheet = book["Results"]
    cells = {cell.value: cell for row in sheet.iter_rows() for cell in row}
    assert all(cells[name.replace("_x", "_x005F_x")].data_type == "s" for name in names)
    assert [name for name in names if cells.get(name) and cells[name].quotePrefix] == names[:4]
    assert (sheet["A1"].value, sheet["A1"].data_type) == ("=Cup & Sons", "s")
    assert all(isinstance(points, int) for points in column(sheet, "Points"))


def test_organisers_get_who_entered_and_who_paid_and_the_public_the_frozen_standings(results: Read) -> None:
    made = running_match(players=3)
    recorded_round(made)
    made.act(actions.freeze_standings, stage=made.stage.uid)
    recorded_round(made, made.at(made.table)[1])
    public, private = results(made), results(made, private=True)
    assert public.sheetnames == ["Results", "Match", "Rounds", "About this file"]
    assert private.sheetnames == ["Results", "For organisers", "Match", "Fees", "About this file"]
    assert column(public["Results"], "Rounds won") == [1, 0, 0]
    assert column(private["Results"], "Rounds won") == [1, 1, 0]
    assert "Standings frozen at" in str(above(public["Results"]))
    assert len(table(public["Rounds"])) == 1
    assert "Entered by" not in table(public["Rounds"])[0]
    assert column(private["For organisers"], "Entered by") == [made.user.display_name()] * 2


def test_an_event_without_anything_has_a_file(results: Read) -> None:
    assert results(event()).sheetnames == ["Results", "About this file"]
