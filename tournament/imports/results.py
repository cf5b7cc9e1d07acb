"""A workbook with results as plays: an exported workbook, or a results template that was filled in.

Columns are found by the names that both give them for programs (`games_outcome`), rows by the ids in their last
column, so neither the language, the order nor sorting matters. What is worked out (places, points, formulas) is not
read.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from uuid import UUID

from rulesets import CARDS
from tournament.imports.grid import Grid, Line
from tournament.imports.kinds import WORKBOOK, kind_of_file
from tournament.imports.limits import MOST_RESULT_BYTES, RESULTS
from tournament.imports.problems import Problem, Refusal
from tournament.imports.workbook import Book, column_letters

GAMES, ROUNDS, HEATS, HANDS = "games", "rounds", "heats", "hands"
SHEETS = (GAMES, ROUNDS, HEATS)
OFFERED_TABLE = 3  # parts of an id that names the table too, as a play that is new needs it

Id = tuple[UUID, UUID]  # of a play and an entry


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands in a cell: its `text`, or the code of why it could not be read. `place` as people name it:
    Games!L7."""

    place: str
    text: str = ""
    lost: str = ""


@dataclass(frozen=True, slots=True)
class CellProblem:
    """What is wrong in a cell; worded by results_words.py."""

    code: str
    place: str
    parameters: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Row:
    """One player's row of a play: its cells by the keys of exports/columns.py, those of its hand by the card."""

    cells: Mapping[str, Cell]
    hand: dict[str, Cell] = field(default_factory=dict)

    def cell(self, key: str) -> Cell:
        """The cell of this column; one without anything in it where the sheet has no such column."""
        return self.cells.get(key) or next(iter(self.cells.values()))


@dataclass(frozen=True, slots=True)
class PlayRead:
    """A play of a file: `sheet` is GAMES, ROUNDS or HEATS; `table` is known where the file may bring a new play."""

    sheet: str
    uid: UUID
    table: UUID | None
    rows: dict[UUID, Row]

    @property
    def first(self) -> Row:
        """Its first row, where what is about the whole play is said."""
        return next(iter(self.rows.values()))

    def place(self, key: str, entry: UUID | None = None) -> str:
        """The cell of a player in this column as people name it; of the first player for None."""
        row = self.rows.get(entry, self.first) if entry else self.first
        return row.hand[key].place if key in row.hand else row.cells.get(key, row.cells["id"]).place


@dataclass(frozen=True, slots=True)
class ResultsRead:
    """What a file says. With a `refusal` it was not read and there are no plays."""

    filename: str
    plays: tuple[PlayRead, ...] = ()
    problems: tuple[CellProblem, ...] = ()
    refusal: Problem | None = None


def read_results(data: bytes, filename: str) -> ResultsRead:
    """The plays in a workbook. Nothing that a file holds is an error: it is a problem of a cell, or a refusal."""
    try:
        if len(data) > MOST_RESULT_BYTES:
            raise Refusal("too_large", most=MOST_RESULT_BYTES // 1024 // 1024)
        if kind_of_file(data) != WORKBOOK:
            raise Refusal("not_a_workbook")
        reader = _Reader(Book(data, RESULTS))
        plays = tuple(reader.plays())
    except Refusal as refusal:
        return ResultsRead(filename, refusal=refusal.problem)
    return ResultsRead(filename, plays, tuple(reader.problems))


class _Reader:
    def __init__(self, book: Book) -> None:
        self.problems: list[CellProblem] = []
        self._columns: dict[str, dict[str, int]] = {}
        self._titles: dict[str, str] = {}
        for name, column in book.columns.items():
            kind, _, key = name.partition("_")
            if kind in {*SHEETS, HANDS} and self._titles.setdefault(kind, column.sheet) == column.sheet:
                self._columns.setdefault(kind, {})[key] = column.number
        if not any("id" in self._columns.get(kind, {}) for kind in SHEETS):
            raise Refusal("no_results")
        wanted = set(self._titles.values())
        self._grids = {grid.title: grid for _sheet, grid in book.sheets(lambda title: title in wanted)}
        for grid in self._grids.values():
            if grid.more:
                raise Refusal("too_many_rows", most=RESULTS.rows)

    def plays(self) -> Iterator[PlayRead]:
        hands = {found: row for found, _table, row in self._rows(HANDS, self._hand_of)}
        for kind in SHEETS:
            plays: dict[UUID, PlayRead] = {}
            for (play, entry), table, row in self._rows(kind, lambda line: self._row_of(kind, line)):  # noqa: B023
                read = plays.setdefault(play, PlayRead(kind, play, table, {}))
                if entry in read.rows:
                    self.problems.append(CellProblem("row_twice", row.cells["id"].place))
                    continue
                if (play, entry) in hands:
                    row.hand.update(hands[play, entry].hand)
                read.rows[entry] = row
            yield from plays.values()

    def _rows(self, kind: str, read: Callable[[Line], Row]) -> Iterator[tuple[Id, UUID | None, Row]]:
        columns, grid = self._columns.get(kind, {}), self._grids.get(self._titles.get(kind, ""), Grid())
        if "id" not in columns:
            return
        for line in grid.lines[1:]:
            text = line.cells.get(columns["id"], "")
            found = _ids(text)
            if found:
                yield *found, read(line)
            elif text or any(number in line.cells for number in columns.values()):
                self.problems.append(CellProblem("no_id", self._place(kind, columns["id"], line)))

    def _row_of(self, kind: str, line: Line) -> Row:
        columns = self._columns[kind]
        cells = {key: self._cell(kind, number, line) for key, number in columns.items()}
        return Row(cells, {card: cells[card] for card in CARDS if card in cells})

    def _hand_of(self, line: Line) -> Row:
        return self._row_of(HANDS, line)

    def _cell(self, kind: str, number: int, line: Line) -> Cell:
        return Cell(self._place(kind, number, line), line.cells.get(number, ""), line.lost.get(number, ""))

    def _place(self, kind: str, number: int, line: Line) -> str:
        return f"{self._titles[kind]}!{column_letters(number)}{line.number}"


def _ids(text: str) -> tuple[Id, UUID | None] | None:
    """The ids in the last column: of the play and the entry, and of the table where a play may be new."""
    try:
        play, entry, *more = (UUID(part) for part in text.split())
    except ValueError:
        return None
    return (play, entry), (more[0] if len(more) + 2 == OFFERED_TABLE else None)
