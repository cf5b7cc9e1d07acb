"""The charts and the sheets behind them: everybody's points after each round of a match, beside the target; everybody's
average after each game of a session. Where there are many players, only the best have a line, and the title says so.

Every cell is a formula over the rows so far in the sheets of rounds and games, so that a correction bends the lines. A
player who sits a round out keeps their points. Tables that each play a match stand below one another, and their charts
fill a page each of a sheet of their own.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import dropwhile

from django.utils.translation import gettext as _
from openpyxl.utils import get_column_letter, quote_sheetname

from tournament.files.workbook.cells import Formula, Row, Value
from tournament.files.workbook.event import Event, StageRead
from tournament.files.workbook.layout import FIRST, Layout, Placed
from tournament.files.workbook.plays import key_of
from tournament.files.workbook.writer import Chart, Line
from tournament.results import ContestResults, kind_of
from tournament.words.faults import table_text
from tournament.words.kinds import KINDS, Kind

MOST = 10  # lines of a chart
BEFORE = 0  # the first round of a match
TABLE, STEP, TARGET, PLAYERS = range(4)  # columns; players from the last on


@dataclass(frozen=True, slots=True)
class Block:
    """A contest's part of a sheet: `first` is the row of its names, a row for each of the numbers of its plays follows.
    `rows` are those of each player's line in the sheet of games or rounds, by the number of the play."""

    results: ContestResults
    first: int
    numbers: Sequence[int]
    rows: Mapping[str, Mapping[int, int]]
    players: int

    @property
    def last(self) -> int:
        return self.first + len(self.numbers)


@dataclass(frozen=True, slots=True)
class Course:
    """The sheets of one stage: `title` is that of the values, `drawn` that of the charts."""

    title: str
    drawn: str
    read: StageRead
    blocks: Sequence[Block]

    def headings(self) -> list[str]:
        others = max(len(block.rows) for block in self.blocks) - 1
        return [_("Table"), str(self._words.step), _("Target"), _("Player"), *[""] * others]

    @property
    def _words(self) -> Kind:
        return KINDS[kind_of(self.read.stage.kind).sheet]

    @property
    def _is_session(self) -> bool:
        return kind_of(self.read.stage.kind).by_average

    def rows(self, event: Event, layout: Layout) -> Iterator[Row]:
        """The rows, block by block."""
        for block in self.blocks:
            names = [event.entries[player].shown_name for player in block.rows]
            target = None if self._is_session else Formula(layout.setting(self.read.stage, "target"))
            yield [block.results.table_number, None, None if target is None else _("Target"), *names]
            for above, number in enumerate(block.numbers, block.first):
                yield [
                    block.results.table_number,
                    number,
                    target,
                    *(
                        self._cell(layout, rows, number, f"{get_column_letter(column)}{above}")
                        for column, rows in enumerate(block.rows.values(), PLAYERS + 1)
                    ),
                ]

    def _cell(self, layout: Layout, rows: Mapping[int, int], number: int, above: str) -> Value:
        """Give the player's points or average after this play; `above` is the cell of the play before it."""
        if number == BEFORE:
            return 0
        if number not in rows:
            begun = not self._is_session or any(each < number for each in rows)
            return Formula(above, "average" if self._is_session else "whole") if begun else None
        if not self._is_session:
            return Formula(layout.rounds.cell_from_elsewhere("total", rows[number]))
        total, games = (layout.games.cell_from_elsewhere(key, rows[number]) for key in ("total", "played"))
        return Formula(f'IF({games}=0,"",{total}/{games})', "average")

    def charts(self) -> list[Chart]:
        """The charts, block by block."""
        return [self._chart(block) for block in self.blocks]

    def _chart(self, block: Block) -> Chart:
        table, best = block.results.table_number, {"best": MOST, "players": block.players}
        words = [
            *([] if table is None else [table_text(self.read.stage, table)]),
            str(self._words.course),
            *([_("The top %(best)s of %(players)s.") % best] if block.players > len(block.rows) else []),
        ]
        return Chart(
            title=" – ".join(words),
            across=str(self._words.step),
            upwards=str(self._words.unit),
            steps=self._cells(STEP, block.first + 1, block.last),
            lines=[
                *(self._line(block, index) for index in range(PLAYERS, PLAYERS + len(block.rows))),
                *([] if self._is_session else [self._line(block, TARGET, is_target=True)]),
            ],
        )

    def _line(self, block: Block, column: int, *, is_target: bool = False) -> Line:
        return Line(
            self._cells(column, block.first, block.first),
            self._cells(column, block.first + 1, block.last),
            is_target,
        )

    def _cells(self, column: int, first: int, last: int) -> str:
        letter = get_column_letter(column + 1)
        to_last = "" if first == last else f":${letter}${last}"
        return f"{quote_sheetname(self.title)}!${letter}${first}{to_last}"


def courses(event: Event, layout: Layout, reserve: Callable[[str], str]) -> Iterator[Course]:
    """The sheets of each stage that has a course: a round is played, or two games. `reserve` gives a sheet's title."""
    of_games, of_rounds = _numbers(layout.games_played), _numbers(layout.rounds_played)
    for read in event.stages:
        blocks: list[Block] = []
        kind = kind_of(read.stage.kind)
        for results in read.results:
            first = blocks[-1].last + 1 if blocks else FIRST
            if block := _block(read, results, layout, of_games if kind.by_average else of_rounds, first):
                blocks.append(block)
        if blocks:
            name = str(KINDS[kind.sheet].course)
            values = _("Chart values")
            drawn, title = (
                reserve(each if len(event.stages) == 1 else f"{read.stage.number} {each}")
                for each in (name, values)
            )
            yield Course(title, drawn, read, blocks)


def _numbers(plays: Iterable[Placed]) -> dict[int, int]:
    """The step of the contest in each row."""
    return {
        row: placed.one.contest.contest.steps[placed.one.play.uid]
        for placed in plays
        for row in range(placed.rows.first, placed.rows.last + 1)
    }


def _counted(plays: Iterable[Placed]) -> set[int]:
    """The rows that have points."""
    return {
        row
        for placed in plays
        for row, result in enumerate(placed.one.play.results, placed.rows.first)
        if placed.one.points(str(result.entry)) is not None
    }


def _block(
    read: StageRead, results: ContestResults, layout: Layout, number_of: Mapping[int, int], first: int
) -> Block | None:
    session, key = kind_of(read.stage.kind).by_average, key_of(read.stage, results)
    counted = _counted(layout.games_played) if session else set(number_of)
    played = {}
    for line in results.answer.standings:
        # Before their first points nobody has an average.
        rows = dropwhile(lambda row: row not in counted, layout.of_player.get((key, line.player), ()))
        if found := {number_of[row]: row for row in rows}:
            played[line.player] = found
    numbers = sorted({number for rows in played.values() for number in rows})
    if len(numbers) < (2 if session else 1):
        return None
    shown = numbers if session else [BEFORE, *numbers]
    return Block(results, first, shown, dict(list(played.items())[:MOST]), len(played))
