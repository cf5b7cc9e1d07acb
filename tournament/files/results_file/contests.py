"""Stage sheets: heats with qualifiers; points per round of a match or session."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring import PlayAnswer
from tournament.files.results_file.kinds import KINDS as NUMBERS
from tournament.files.results_file.ranking import decision_word, place_column, state_word, through_words
from tournament.files.results_file.sheets import MEDALS, Column, Look, Row, Value
from tournament.files.workbook.event import Event, StageRead
from tournament.models import Result
from tournament.results import ContestResults, kind_of
from tournament.words.kinds import KINDS

# Frozen name column: with places, a third of a 390-pixel phone.
KEPT_NAME = 11
NO_POINTS = Look("–", "whole")  # ejected player


def heats_table(event: Event, read: StageRead) -> tuple[list[Column], list[Row]]:
    """A row per player of every heat, finished or not."""
    rows: list[Row] = []
    words, through = through_words(read), read.through
    for contest in read.results:
        heats = {play.table: heat for play, heat in contest.counted}
        for table, number in sorted(contest.contest.table_numbers.items(), key=lambda item: item[1]):
            places = _places(contest, heats.get(table), number)
            for player, place in places.items():
                word = words.get(player)
                shown: Value = Look(word, "through") if player in through and word else word
                rows.append([number, place, *_heat_row(event, player, shown)])
    headings = [_("Player"), _("Club or group"), _("Goes through"), _("Note")]
    return [Column(_("Heat"), stays=True), place_column(), *map(Column, headings)], rows


def _places(contest: ContestResults, heat: PlayAnswer | None, number: int) -> dict[str, int | None]:
    """Places in a heat, best first; None while unfinished."""
    if heat is None:
        return {str(seat.entry): None for seat in contest.contest.seats if seat.table == number}
    found = {row.player: row.place for row in heat.results}
    return dict(sorted(found.items(), key=lambda item: (item[1] is None, item[1] or 0)))


def _heat_row(event: Event, player: str, through: Value) -> Row:
    entry = event.entries[player]
    words = filter(None, [decision_word(event, player), state_word(entry)])
    return [entry.shown_name, entry.club or None, through, ", ".join(words) or None]


@dataclass(frozen=True, slots=True)
class Courses:
    """A contest's points. `plays`: column headings; `numbers`: play numbers; `cells`: {player: {column: points}}."""

    plays: Sequence[str]
    numbers: Sequence[int]
    cells: Mapping[str, Mapping[int, Value]]

    def scored(self, player: str) -> list[int]:
        """Columns with points of the player."""
        return [at for at, value in self.cells[player].items() if value != NO_POINTS]


def courses(contest: ContestResults) -> Courses:
    """One column per round, or per own game of a player if rows would be mostly empty."""
    points: dict[str, list[tuple[int, Value]]] = {line.player: [] for line in contest.answer.standings}
    for at, (play, answer) in enumerate(contest.counted):
        won = {str(row.entry) for row in play.with_outcome(Result.Outcome.WON)}
        for row in answer.results:
            value: Value = NO_POINTS if row.points is None else row.points
            is_first = row.place == 1 or row.player in won
            points[row.player].append((at, Look(value, "won") if is_first else value))
    most = max(map(len, points.values()), default=0)
    words, tables = KINDS[contest.answer.kind], contest.contest.table_numbers
    own, several = len(contest.counted) > 2 * most, len(tables) > 1
    numbers = range(1, (most if own else len(contest.counted)) + 1)
    if own:
        heads = [str(words.play) % {"number": number} for number in numbers]
    else:
        head, plays = (
            str(words.play_at if several else words.play),
            [play for play, _answer in contest.counted],
        )
        heads = [head % {"number": play.number, "table": tables[play.table]} for play in plays]
    cells = {
        player: {nth if own else at: value for nth, (at, value) in enumerate(found)}
        for player, found in points.items()
    }
    return Courses(
        heads, numbers if own or several else [play.number for play, _answer in contest.counted], cells
    )


def crosstable(event: Event, contest: ContestResults) -> tuple[list[Column], list[Row]]:
    """Points per round or game, and totals."""
    course, answer = courses(contest), contest.answer
    kind = NUMBERS[answer.kind]
    numbers, of_session = kind.numbers(contest), kind_of(answer.kind).by_average
    headings = [*course.plays, *([_("Points")] if of_session else []), *map(str, kind.headings)]
    rows: list[Row] = [
        [
            Look(line.place, MEDALS[line.place - 1])
            if line.earned and line.place and line.place <= len(MEDALS)
            else line.place,
            Look(event.entries[line.player].shown_name, "name"),
            *(course.cells[line.player].get(at) for at in range(len(course.plays))),
            *([line.points] if of_session else []),
            *numbers[line.player],
        ]
        for line in answer.standings
    ]
    return [place_column(), Column(_("Player"), KEPT_NAME), *map(Column, headings)], rows
