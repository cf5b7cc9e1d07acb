"""The data of a long session as an Excel workbook, beside bare openpyxl writing the same values without any format.

    python -m benchmarks.workbook [players] [games]

The event is made in memory: 1,000 players at 100 tables and 10 games each, unless said otherwise. Both sides write the
same sheets row by row, ours with formats and widths; the best of three turns counts. Memory is the highest that
Python allocated while writing.
"""

import time
import tracemalloc
from collections.abc import Callable
from datetime import UTC, date, datetime
from fractions import Fraction
from io import BytesIO
from uuid import UUID, uuid4

from benchmarks._data import use_django

use_django()

from openpyxl import Workbook

from benchmarks._figures import report, run
from tournament.extras.workbook.files.sheets import write_workbook
from tournament.extras.workbook.files.tables import tables_of
from tournament.files.workbook.event import Event, LedgerLine, StageRead
from tournament.files.workbook.writer import Formula, Value
from tournament.models import Entry, Stage, Tournament
from tournament.results.answer import scored
from tournament.results.bridge import Contest, PlayerFacts
from tournament.results.facts import PlayFacts, ResultFacts, SeatFacts

NOW = datetime(2026, 5, 9, 15, tzinfo=UTC)
SEATS = 10


def long_session(players: int, games: int) -> Event:
    """A session in which everybody plays every game of their table."""
    tournament = Tournament(
        name="Long session",
        slug="long",
        starts_on=date(2026, 5, 9),
        ruleset="kpgut-2016",
        ruleset_revision="2016",
        language="en",
    )
    stage = Stage(tournament=tournament, number=1, kind=Stage.Kind.SESSION)
    entries = [
        Entry(tournament=tournament, public_name=f"Player {number}", start_number=number)
        for number in range(1, players + 1)
    ]
    tables = {uuid4(): number for number in range(1, players // SEATS + 1)}
    contest = Contest(
        stage=stage.uid,
        table=None,
        kind="session",
        ruleset="kpgut-2016",
        settings={},
        stopped=False,
        players=tuple(PlayerFacts(entry.uid, entry.public_name, entry.start_number) for entry in entries),
        seats=tuple(
            SeatFacts(entry.uid, index // SEATS + 1, index % SEATS + 1) for index, entry in enumerate(entries)
        ),
        plays=tuple(
            game(table, number, entries[(at - 1) * SEATS : at * SEATS], version=number)
            for table, at in tables.items()
            for number in range(1, games + 1)
        ),
        table_numbers=tables,
    )
    return Event(
        tournament=tournament,
        entries={str(entry.uid): entry for entry in entries},
        stages=(StageRead(stage, "running", (scored(contest),), frozenset(), frozenset()),),
        entered={play.uid: NOW for play in contest.plays},
        ledger=tuple(
            LedgerLine(row, NOW, "Referee", "phone", "record_game", None, "0" * 64, "")
            for row in range(1, games * len(tables) + 1)
        ),
        read_at=NOW,
    )


def game(table: UUID, number: int, entries: list[Entry], version: int) -> PlayFacts:
    """Half of the table goes out, the others remain when the hour ends."""
    rows = tuple(
        ResultFacts(uuid4(), entry.uid, "out", elapsed_s=600 + 60 * index)
        if index < len(entries) // 2
        else ResultFacts(uuid4(), entry.uid, "remaining", hand={"7": 1, str(index % 7): 1, "draw2": 1})
        for index, entry in enumerate(entries)
    )
    return PlayFacts(uuid4(), table, number, "entered", rows, started_at=NOW, ended="time", version=version)


def values_of(event: Event) -> list[tuple[str, list[list[object]]]]:
    """The workbook's content, sheet by sheet, as openpyxl takes it."""
    return [
        (
            table.name,
            [list(table.headings), *([plain(value) for value in row] for row in table.rows(event))],
        )
        for table in tables_of(event)
    ]


def plain(value: Value) -> object:
    if isinstance(value, Fraction):
        return float(value)
    if isinstance(value, Formula):
        return f"={value.text}"
    return value.replace(tzinfo=None) if isinstance(value, datetime) else value


def bare(sheets: list[tuple[str, list[list[object]]]]) -> None:
    """The reference: the same values, already worked out, no widths and no formats of ours."""
    book = Workbook(write_only=True)
    for title, rows in sheets:
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(BytesIO())


def seconds(work: Callable[[], None]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def peak(work: Callable[[], None]) -> float:
    """Megabytes."""
    tracemalloc.start()
    work()
    size = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return size / 1e6


def main(players: int = 1000, games: int = 10) -> None:
    event = long_session(players, games)
    sheets = values_of(event)
    ours, theirs = lambda: write_workbook(event, BytesIO()), lambda: bare(sheets)
    written, compared = float("inf"), float("inf")
    for _ in range(3):
        written, compared = min(written, seconds(ours)), min(compared, seconds(theirs))
    count = sum(value is not None for _title, rows in sheets for row in rows for value in row)
    print(f"{sum(len(rows) for _title, rows in sheets):,} rows, {count:,} cells")
    size = f"{players:,} players and {players * games:,} results"
    report(f"workbook of {size}", written, "s", reference=compared, beside="bare openpyxl")
    report(f"memory for {size}", peak(ours), "MB", reference=peak(theirs), beside="bare openpyxl")


if __name__ == "__main__":
    run(main, 30, 2)
