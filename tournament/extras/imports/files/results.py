"""Reads plays from a results workbook, exported or filled in. Columns are found by defined names (`games_outcome`),
rows by id."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext as _

from rulesets import CARDS, RULESETS
from tournament.extras.imports.files.grid import Grid, Line, column_letters
from tournament.extras.imports.files.lists import WORKBOOK, kind_of_file
from tournament.extras.imports.files.problems import (
    MOST_COLUMNS,
    MOST_RESULT_BYTES,
    RESULTS,
    Problem,
    Refusal,
)
from tournament.models import Play, Result, Seat
from tournament.results import Contest, GameEntry, Hand, HeatEntry, PlayEntry, PlayFacts, RoundEntry
from tournament.words.faults import card_name
from tournament.words.text import as_read

if TYPE_CHECKING:
    from tournament.extras.imports.files.xlsx import Xlsx


GAMES, ROUNDS, HEATS, HANDS = "games", "rounds", "heats", "hands"
SHEETS = (GAMES, ROUNDS, HEATS)
LONGEST_VERSION = 10  # digits
# Columns that people fill in, without which a sheet is refused.
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
    """A row's id. `table` if the play may be new, else `version` (None in older workbooks)."""

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
    """A play of the file. `table` if it may be new, `version` if recorded; `rows` by entry."""

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
        """Address of a column's cell, by default in the first row."""
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
    from tournament.extras.imports.files.xlsx import Xlsx  # imports openpyxl

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
            kind, _mark, key = name.partition("_")
            if kind in {*SHEETS, HANDS} and self._titles.setdefault(kind, column.sheet) == column.sheet:
                self._columns.setdefault(kind, {})[key] = column.number
        self._grids = {grid.title: grid for grid in file.sheets(set(self._titles.values()).__contains__)}
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
                cells = {
                    key: Cell(
                        self._place(kind, number, line),
                        line.cells.get(number, ""),
                        line.lost.get(number, ""),
                    )
                    for key, number in columns.items()
                    if key in READ[kind]
                }
                yield found, Row(cells, {card: cells[card] for card in CARDS if card in cells})
            elif text or any(number in line.cells for number in columns.values()):
                self.problems.append(CellProblem("no_id", self._place(kind, columns["id"], line)))

    def _place(self, kind: str, number: int, line: Line) -> str:
        return f"{self._titles[kind]}!{column_letters(number)}{line.number}"


def _id_of(text: str) -> Id | None:
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
    lines = {line.number: line for line in grid.lines}
    for merge in grid.merges:
        for number in range(merge.top, min(merge.bottom, merge.top + RESULTS.rows) + 1):
            for column in range(merge.left, min(merge.right, MOST_COLUMNS) + 1):
                if (number, column) != (merge.top, merge.left) and number in lines:
                    lines[number].lost[column] = "merged_name"


# ---- A play's cells ----

T = TypeVar("T")

Outcome = Result.Outcome
GAME_OUTCOMES = (
    Outcome.OUT,
    Outcome.LAST,
    Outcome.REMAINING,
    Outcome.GAVE_UP,
    Outcome.EJECTED,
    Outcome.PLAYING,
)
# Fields set by a file; others stay unchanged.
SAID = {
    GAMES: ("ended", "results", "duration_s"),
    ROUNDS: ("winner", "hands", "drew", "removed", "withdrawn", "emptied", "last_cards"),
    HEATS: ("finish_order",),
}
ROUND_OUTCOMES = (Outcome.WON, Outcome.HOLDS, Outcome.EMPTIED)
# Outcome texts of earlier versions.
OLDER = {
    "suljettu pois": Seat.OutAs.REMOVED,
    "withdrawn": Seat.OutAs.WITHDRAWN,
    "lämnade": Seat.OutAs.WITHDRAWN,
}
HOUR_S = 3600
MOST_CARDS = 999  # of one kind; scoring checks decks
_TIME = re.compile(r"(?:([0-9]{1,2}):)?([0-9]{1,2})[:.]([0-5][0-9])(?:\.0+)?", re.ASCII)
_MINUTES = re.compile(r"[0-9]{1,2}", re.ASCII)
_WHOLE = re.compile(r"([0-9]{1,4})(?:[.,]0+)?", re.ASCII)
_COUNTED = re.compile(r"([0-9]{1,2})\s*[×x*]?\s+(.+)|(.+)", re.ASCII | re.IGNORECASE)


@dataclass(slots=True)
class ParsedPlay:
    """A parsed play. `entry` None: nothing filled in; `running`: at export."""

    entry: PlayEntry | None = None
    problems: list[CellProblem] = field(default_factory=list)
    running: bool = False


def said_of(play: PlayRead) -> ParsedPlay:
    """Parse a play's cells."""
    said = ParsedPlay()
    if any(_says_something(row, TYPED[play.sheet]) for row in play.rows.values()):
        reader = _ResultsSaidReader(play, said)
        said.entry = {GAMES: reader.game, ROUNDS: reader.round}.get(play.sheet, reader.heat)()
    return said


def _says_something(row: Row, keys: Iterable[str]) -> bool:
    return any(cell.text or cell.lost for cell in (*(row.cells[key] for key in keys), *row.hand.values()))


class _ResultsSaidReader:
    def __init__(self, play: PlayRead, said: ParsedPlay) -> None:
        self._play, self._said = play, said
        # Columns of a player's own result.
        own = {GAMES: ("outcome", "out_after"), ROUNDS: ("outcome", "drew")}.get(
            play.sheet, TYPED[play.sheet]
        )
        self._rows = {entry: row for entry, row in play.rows.items() if _says_something(row, own)}

    def game(self) -> PlayEntry:
        results: list[dict[str, Any]] = []
        words = words_for(GAME_OUTCOMES)
        for entry, row in self._rows.items():
            outcome = self._word(row.cells["outcome"], words) or ""
            self._said.running |= outcome == Outcome.PLAYING
            result: dict[str, Any] = {
                "entry": entry,
                "outcome": str(outcome),
                "elapsed_s": self._time(row.cells["out_after"]),
            }
            hand = self._hand(row)
            if outcome == Outcome.REMAINING:
                result["hand"] = hand
            elif hand:
                self._wrong("cards_not_counted", _first_of(row.hand))
            if not outcome and not (row.cells["outcome"].text or row.cells["outcome"].lost):
                self._wrong("no_outcome", row.cells["outcome"])
            results.append(result)
        if not results:
            self._wrong("no_outcome", self._play.first.cells["outcome"])
        ended = self._of_play("ending", lambda cell: self._word(cell, words_for(Play.Ended)))
        if ended is None and not self._said.running:
            # Outcomes determine the ending unless several remained.
            if any(result["outcome"] == Outcome.REMAINING for result in results):
                self._wrong("no_ending", self._play.first.cells["ending"])
            ended = Play.Ended.LAST
        return GameEntry(str(ended or ""), results, self._of_play("duration", self._time))

    def round(self) -> PlayEntry:
        words = {**OLDER, **words_for(ROUND_OUTCOMES), **words_for(Seat.OutAs)}
        said: dict[str, Any] = {
            "winner": None,
            "hands": {},
            "drew": None,
            "removed": [],
            "withdrawn": [],
            "emptied": [],
        }
        for entry, row in self._rows.items():
            cell = row.cells["outcome"]
            outcome = self._word(cell, words) if cell.text or cell.lost else Outcome.HOLDS
            hand = self._hand(row)
            if outcome == Outcome.WON:
                if said["winner"]:
                    self._wrong("two_winners", row.cells["outcome"])
                if hand:
                    self._wrong("winner_has_cards", _first_of(row.hand))
                said["winner"] = entry
            elif outcome in Seat.OutAs.values:
                said[str(outcome)].append(entry)
            else:
                said["hands"][str(entry)] = hand
                if outcome == Outcome.EMPTIED:
                    said["emptied"].append(entry)
            if self._yes(row.cells["drew"]):
                if said["drew"]:
                    self._wrong("two_drew", row.cells["drew"])
                said["drew"] = entry
        said["last_cards"] = self._of_play("last_cards", self._cards)
        if said["winner"] is None:
            self._wrong("no_winner", self._play.first.cells["outcome"])
        return RoundEntry(**said)

    def heat(self) -> PlayEntry:
        places: dict[int, UUID] = {}
        for entry, row in self._rows.items():
            cell = row.cells["finish"]
            place = self._whole(cell, least=1)
            if place in places:
                self._wrong("place_twice", cell, place=place or 0)
            elif place:
                places[place] = entry
        for nth, place in enumerate(sorted(places), 1):
            if nth != place:
                self._wrong("place_missing", self._play.rows[places[place]].cells["finish"], place=nth)
                break
        return HeatEntry(finish_order=[places[place] for place in sorted(places)])

    def _of_play(self, key: str, read: Callable[[Cell], T | None]) -> T | None:
        """A value of the whole play, in one row or all."""
        found: T | None = None
        text = ""
        for row in self._play.rows.values():
            cell = row.cells.get(key)
            if cell and (cell.text or cell.lost) and cell.text != text:
                value = read(cell)
                if text and value != found:
                    self._wrong("says_otherwise", cell, other=text)
                found, text = value, cell.text
        return found

    def _word(self, cell: Cell, words: Mapping[str, str]) -> str | None:
        if self._is_lost(cell) or not cell.text:
            return None
        if (value := words.get(as_read(cell.text))) is None:
            self._wrong("unknown_word", cell)
        return value

    def _yes(self, cell: Cell) -> bool:
        if self._is_lost(cell) or not cell.text:
            return False
        if as_read(cell.text) not in yes_words():
            self._wrong("not_yes", cell)
        return True

    def _time(self, cell: Cell) -> int | None:
        """Seconds of a time. More than an hour is mm:ss typed into an hh:mm cell."""
        if self._is_lost(cell) or not cell.text:
            return None
        if _MINUTES.fullmatch(cell.text) and int(cell.text) <= HOUR_S // 60:
            return 60 * int(cell.text)
        if found := _TIME.fullmatch(cell.text):
            hours, minutes, seconds = (int(part or 0) for part in found.groups())
            total = 3600 * hours + 60 * minutes + seconds
            if total > HOUR_S and hours and not seconds:
                total = 60 * hours + minutes
            if total <= HOUR_S:
                return total
        self._wrong("not_a_time", cell)
        return None

    def _whole(self, cell: Cell, *, least: int = 0) -> int | None:
        if self._is_lost(cell) or not cell.text:
            return None
        if (found := _WHOLE.fullmatch(cell.text)) and least <= int(found[1]) <= MOST_CARDS:
            return int(found[1])
        self._wrong("not_whole", cell)
        return None

    def _hand(self, row: Row) -> dict[str, int]:
        return {card: count for card, cell in row.hand.items() if (count := self._whole(cell))}

    def _cards(self, cell: Cell) -> Hand | None:
        """Cards in words: "Draw 2", "2 × Draw 2"."""
        if self._is_lost(cell) or not cell.text:
            return None
        hand: dict[str, int] = {}
        for part in re.split(r"[,;]", cell.text):
            count, name, alone = _COUNTED.fullmatch(part.strip() or " ").groups()  # type: ignore[union-attr]
            whole = card_words().get(as_read(part))
            if (card := whole or card_words().get(as_read(name or alone or ""))) is None:
                self._wrong("unknown_card", cell)
                return None
            hand[card] = hand.get(card, 0) + (1 if whole else int(count or 1))
        return hand

    def _is_lost(self, cell: Cell) -> bool:
        if cell.lost:
            self._said.problems.append(CellProblem(cell.lost, cell.place))
        return bool(cell.lost)

    def _wrong(self, code: str, cell: Cell, **parameters: str | int) -> None:
        self._said.problems.append(CellProblem(code, cell.place, {"text": cell.text, **parameters}))


def _first_of(hand: Mapping[str, Cell]) -> Cell:
    return next(cell for cell in hand.values() if cell.text)


@cache
def words_for(choices: Iterable[Any]) -> Mapping[str, str]:
    """{word: value}: values and their labels in every language."""
    return {as_read(str(choice.value)): str(choice.value) for choice in choices} | {
        word: str(choice.value) for choice in choices for word in _in_languages(partial(str, choice.label))
    }


@cache
def card_words() -> Mapping[str, str]:
    """{word: card id}: ids and names in every language and ruleset."""
    return {as_read(card): card for card in CARDS} | {
        word: card
        for card in CARDS
        for ruleset in (None, *RULESETS.values())
        for word in _in_languages(partial(card_name, card, ruleset))
    }


@cache
def yes_words() -> frozenset[str]:
    """Words for yes; empty means no."""
    return frozenset({"x", "1", *_in_languages(lambda: _("yes"))})


def _in_languages(word: Callable[[], object]) -> Iterator[str]:
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            yield as_read(str(word()))


def says_the_same(entry: PlayEntry, play: PlayFacts, contest: Contest) -> bool:
    """Whether the entry equals the stored play."""
    return bool(_compared(entry) == _compared(type(entry).stored(play, contest)))


def _compared(entry: PlayEntry) -> Any:
    match entry:
        case HeatEntry():
            return list(entry.finish_order)
        case GameEntry():
            rows = {
                row["entry"]: (str(row["outcome"]), row["elapsed_s"], _counted(row.get("hand") or {}))
                for row in entry.results
            }
            return rows, entry.ended, None if entry.ended == Play.Ended.TIME else entry.duration_s
        case RoundEntry():
            hands: dict[str, Hand] = {
                **{str(player): {} for player in entry.emptied},
                **{player: _counted(hand) for player, hand in entry.hands.items()},
            }
            return entry.winner, hands, set(entry.emptied), _counted(entry.last_cards or {}), entry.drew


def _counted(hand: Hand) -> dict[str, int]:
    return {card: count for card, count in hand.items() if count}
