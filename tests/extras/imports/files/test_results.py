"""A workbook with results as plays."""

from collections.abc import Callable
from io import BytesIO
from uuid import UUID

import pytest
from openpyxl import Workbook, load_workbook
from openpyxl.utils import get_column_letter

from tests.support.workbook_events import close_calls, generated
from tournament.extras.imports.files import results
from tournament.extras.imports.files.results import ResultsRead, read_results
from tournament.extras.workbook.files import games
from tournament.extras.workbook.files.sheets import write_workbook
from tournament.files.workbook.event import Event

ID, OUTCOME = (get_column_letter(games.COLUMNS.split().index(key) + 1) for key in ("id", "outcome"))


def exported(event: Event) -> bytes:
    file = BytesIO()
    write_workbook(event, file)
    return file.getvalue()


def edited(edit: Callable[[Workbook], None]) -> ResultsRead:
    """The games of an event as they are read after somebody edited their workbook."""
    book = load_workbook(BytesIO(exported(close_calls())))
    edit(book)
    file = BytesIO()
    book.save(file)
    return read_results(file.getvalue(), "results.xlsx")


def codes(read: ResultsRead) -> list[tuple[str, str]]:
    return [(problem.code, problem.place) for problem in read.problems]


@pytest.mark.parametrize("seed", [13, 61, 135])
def test_every_play_of_an_exported_workbook_comes_back(seed: int) -> None:
    event = generated(seed)
    read = read_results(exported(event), "results.xlsx")
    assert (read.refusal, read.problems) == (None, ())
    plays = [play for stage in event.stages for each in stage.results for play in each.contest.plays]
    assert {play.uid: (play.version, [*play.rows]) for play in read.plays} == {
        play.uid: (play.version, [row.entry for row in play.results]) for play in plays if play.results
    }
    for play in read.plays:
        assert play.table is None
        assert play.place("id").startswith(play.place("play").partition("!")[0])


def test_a_hand_is_read_with_its_players_row() -> None:
    read = read_results(exported(close_calls()), "results.xlsx")
    play = next(play for play in read.plays if play.uid == UUID(int=102))  # behind one that still runs
    entry = next(iter(play.rows))
    assert {card: cell.text for card, cell in play.first.hand.items() if cell.text} == {"1": "2", "skip": "1"}
    assert play.place("skip", entry).startswith("hands!")
    assert play.place("outcome", entry) == f"games!{OUTCOME}4"


def test_what_somebody_did_to_ids_is_named_at_the_cell() -> None:
    def spoil(book: Workbook) -> None:
        ids = book["games"][ID]
        ids[2].value = ids[1].value
        ids[3].value = "gone"
        ids[4].value = None

    found = codes(edited(spoil))
    assert ("row_twice", f"games!{ID}3") in found
    assert [place for code, place in found if code == "no_id"] == [f"games!{ID}4", f"games!{ID}5"]


def test_merged_cells_are_lost_but_for_the_first() -> None:
    read = edited(lambda book: book["games"].merge_cells(f"{OUTCOME}2:{OUTCOME}3"))
    outcomes = [row.cells["outcome"] for row in read.plays[0].rows.values()]
    assert [cell.lost for cell in outcomes] == ["", "merged_name"]


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        (lambda book: book.defined_names.clear(), "no_results"),
        (lambda book: book.defined_names.pop("games_outcome"), "no_column"),
    ],
)
def test_a_workbook_without_its_names_is_refused(edit: Callable[[Workbook], None], code: str) -> None:
    read = edited(edit)
    assert (read.refusal and read.refusal.code, read.plays) == (code, ())


def test_what_is_no_workbook_or_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    refusal = read_results(b"Name\nAino", "results.csv").refusal
    assert refusal
    assert refusal.code == "not_a_workbook"
    monkeypatch.setattr(results, "MOST_RESULT_BYTES", 5)
    refusal = read_results(b"Name\nAino", "results.csv").refusal
    assert refusal
    assert refusal.code == "too_large"
