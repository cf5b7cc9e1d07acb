"""Reads plays from a results workbook: an export or a completed template.

Columns are found by defined names (`games_outcome`), rows by id; language and order do not matter. Computed cells
(places, points, formulas) are ignored.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from uuid import UUID

from rulesets import CARDS
from tournament.files.lists.file_kinds import WORKBOOK, kind_of_file
from tournament.files.lists.grid import Grid, Line, column_letters
from tournament.files.lists.limits import MOST_COLUMNS, MOST_RESULT_BYTES, RESULTS
from tournament.files.lists.problems import Problem, Refusal

if TYPE_CHECKING:
    from tournament.files.lists.xlsx import Xlsx

GAMES, ROUNDS, HEATS, HANDS = "games", "rounds", "heats", "hands"
SHEETS = (GAMES, ROUNDS, HEATS)
LONGEST_VERSION = 10  # digits
# Columns that people fill in; a sheet without them is refused.
TYPED = {
    GAMES: ("outcome", "out_after", "ending", "duration"),
    ROUNDS: ("outcome", "last_cards", "drew"),
    HEATS: ("finish",),
}

# Columns that are read: none that the workbook computes.
READ = {
    kind: frozenset({"id", "play", "player", "place", "points", *TYPED.get(kind, ()), *CARDS})
    for kind in (*SHEETS, HANDS)
}

Key = tuple[UUID, UUID]  # play, entry


@dataclass(frozen=True, slots=True)
class Id:
    """A row's id: play and entry. `table` is set if the play may be new, else `version` is the exported one (None in
    older workbooks)."""

    play: UUID
    entry: UUID
    table: UUID | None = None
    version: int | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: `text`, or error code `lost`; `place` like Games!L7."""

    place: str
    text: str = ""
    lost: str = ""


@dataclass(frozen=True, slots=True)
class CellProblem:
    """A cell's problem; texts in results_words.py."""

    code: str
    place: str
    parameters: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Row:
    """A player's row of a play: `cells` by column key, `hand` by card."""

    cells: Mapping[str, Cell]
    hand: dict[str, Cell] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PlayRead:
    """A play of the file. `sheet`: GAMES, ROUNDS or HEATS; `table` is set if it may be new, `version` if it was
    recorded; `rows` by entry."""

    sheet: str
    uid: UUID
    table: UUID | None
    version: int | None
    rows: dict[UUID, Row]

    @property
    def first(self) -> Row:
        """The first row, which holds values of the whole play."""
        return next(iter(self.rows.values()))

    def place(self, key: str, entry: UUID | None = None) -> str:
        """Address of a column's cell in the row of `entry`; in the first row for None."""
        row = self.rows.get(entry, self.first) if entry else self.first
        return row.hand[key].place if key in row.hand else row.cells.get(key, row.cells["id"]).place


@dataclass(frozen=True, slots=True)
class ResultsRead:
    """A parsed file; with a `refusal` there are no plays."""

    filename: str
    plays: tuple[PlayRead, ...] = ()
    problems: tuple[CellProblem, ...] = ()
    refusal: Problem | None = None


def read_results(data: bytes, filename: str) -> ResultsRead:
    """Parse a workbook. Never raises for its content."""
    from tournament.files.lists.xlsx import Xlsx  # imports openpyxl

    try:
        if len(data) > MOST_RESULT_BYTES:
            raise Refusal("too_large", most=MOST_RESULT_BYTES // 1024 // 1024)
        if kind_of_file(data) != WORKBOOK:
            raise Refusal("not_a_workbook")
        reader = _Reader(Xlsx(data, RESULTS))
        return ResultsRead(filename, tuple(reader.plays()), tuple(reader.problems))
    except Refusal as refusal:
        return ResultsRead(filename, refusal=refusal.problem)


class _Reader:
    def __init__(self, file: "Xlsx") -> None:
        self.problems: list[CellProblem] = []
        self._columns: dict[str, dict[str, int]] = {}
        self._titles: dict[str, str] = {}
        for name, column in file.columns.items():
            kind, _, key = name.partition("_")
            if kind in {*SHEETS, HANDS} and self._titles.setdefault(kind, column.sheet) == column.sheet:
                self._columns.setdefault(kind, {})[key] = column.number
        wanted = set(self._titles.values())
        self._grids = {grid.title: grid for grid in file.sheets(wanted.__contains__)}
        here = [kind for kind in SHEETS if "id" in self._columns.get(kind, {})]
        if not here or any(self._titles[kind] not in self._grids for kind in here):
            raise Refusal("no_results")
        for kind in here:
            for key in ("play", *TYPED[kind]):
                if key not in self._columns[kind]:
                    raise Refusal("no_column", sheet=self._titles[kind], column=key)
        for grid in self._grids.values():
            if grid.more:
                raise Refusal("too_many_rows", most=RESULTS.rows)
            _mark_merged(grid)

    def plays(self) -> Iterator[PlayRead]:
        hands: dict[Key, Row] = {}
        for found, row in self._rows(HANDS):
            if (found.play, found.entry) in hands:
                self.problems.append(CellProblem("row_twice", row.cells["id"].place))
            hands.setdefault((found.play, found.entry), row)
        for kind in SHEETS:
            plays: dict[UUID, PlayRead] = {}
            for found, row in self._rows(kind):
                read = plays.setdefault(
                    found.play, PlayRead(kind, found.play, found.table, found.version, {})
                )
                if found.entry in read.rows:
                    self.problems.append(CellProblem("row_twice", row.cells["id"].place))
                else:
                    if hand := hands.get((found.play, found.entry)):
                        row.hand.update(hand.hand)
                    read.rows[found.entry] = row
            yield from plays.values()

    def _rows(self, kind: str) -> Iterator[tuple[Id, Row]]:
        columns, grid = self._columns.get(kind, {}), self._grids.get(self._titles.get(kind, ""), Grid())
        if "id" not in columns:
            return
        for line in grid.lines[1:]:
            text = line.cells.get(columns["id"], "")
            if found := _id_of(text):
                yield found, self._row_of(kind, line)
            elif text or any(number in line.cells for number in columns.values()):
                self.problems.append(CellProblem("no_id", self._place(kind, columns["id"], line)))

    def _row_of(self, kind: str, line: Line) -> Row:
        cells = {
            key: self._cell(kind, number, line)
            for key, number in self._columns[kind].items()
            if key in READ[kind]
        }
        return Row(cells, {card: cells[card] for card in CARDS if card in cells})

    def _cell(self, kind: str, number: int, line: Line) -> Cell:
        return Cell(self._place(kind, number, line), line.cells.get(number, ""), line.lost.get(number, ""))

    def _place(self, kind: str, number: int, line: Line) -> str:
        return f"{self._titles[kind]}!{column_letters(number)}{line.number}"


def _id_of(text: str) -> Id | None:
    """Parse a row's id; None if it was altered."""
    try:
        play, entry, *more = text.split()
        match more:
            case []:
                return Id(UUID(play), UUID(entry))
            case [version] if version.isascii() and version.isdigit() and len(version) < LONGEST_VERSION:
                return Id(UUID(play), UUID(entry), version=int(version))
            case [table]:
                return Id(UUID(play), UUID(entry), UUID(table))
    except ValueError:
        pass
    return None


def _mark_merged(grid: Grid) -> None:
    """Mark the other cells of merged ranges as lost: only the top-left value is stored, and its row is uncertain."""
    lines = {line.number: line for line in grid.lines}
    for merge in grid.merges:
        for number in range(merge.top, min(merge.bottom, merge.top + RESULTS.rows) + 1):
            for column in range(merge.left, min(merge.right, MOST_COLUMNS) + 1):
                if (number, column) != (merge.top, merge.left) and number in lines:
                    lines[number].lost[column] = "merged_name"
