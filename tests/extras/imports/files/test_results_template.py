"""A workbook to fill in where there is no network."""

from collections.abc import Callable
from datetime import UTC, datetime
from io import BytesIO

import pytest
from openpyxl import load_workbook

from tests.support.factories import (
    Event,
    recorded_heat,
    recorded_round,
    running_heats,
    running_match,
    running_session,
)
from tournament.extras.imports.files.results import GAMES, HEATS, ROUNDS, read_results
from tournament.extras.imports.files.results_template import offered_plays, results_template

pytestmark = pytest.mark.django_db
MADE = datetime(2026, 5, 9, 9, 30, tzinfo=UTC)


def offered(made: Event, plays: int = 2) -> list[tuple[str, int, int]]:
    return [(each.sheet, each.table.number, each.number) for each in offered_plays(made.tournament, plays)]


def test_the_next_plays_of_each_table_are_offered() -> None:
    made = running_match(players=4, tables=2)
    recorded_round(made)
    assert offered(made) == [(ROUNDS, 1, 2), (ROUNDS, 1, 3), (ROUNDS, 2, 1), (ROUNDS, 2, 2)]


def test_a_heat_is_offered_once() -> None:
    made = running_heats(players=6, tables=2, advance=1)
    recorded_heat(made, made.tables[0])
    assert offered(made) == [(HEATS, 2, 1)]


@pytest.mark.parametrize(
    ("make", "sheet", "typed"),
    [
        (running_session, GAMES, {"outcome", "out_after", "ending", "duration"}),
        (running_match, ROUNDS, {"outcome", "last_cards", "drew"}),
        (running_heats, HEATS, {"finish"}),
    ],
)
def test_what_is_offered_is_read_back_with_its_table(
    make: Callable[[], Event], sheet: str, typed: set[str]
) -> None:
    made = make()
    content = results_template(made.tournament, 2, MADE, "en")
    read = read_results(content, "results.xlsx")
    assert (read.refusal, read.problems) == (None, ())
    plays = offered_plays(made.tournament, 2)
    assert {(play.uid, play.table, play.sheet) for play in read.plays} == {
        (each.uid, each.table.uid, sheet) for each in plays
    }
    assert set(read.plays[0].rows) == {seat.entry.uid for seat in plays[0].seats}
    assert typed <= read.plays[0].first.cells.keys()
    book = load_workbook(BytesIO(content))
    assert book.worksheets[1].protection.sheet
    assert len(book.sheetnames) == 2
