"""The place of everything in an event's workbook, known before the first cell is written: formulas name cells of other
sheets, and sheets are written one after the other.

| sheet | its rows |
| --- | --- |
| Games, Rounds, Heats | play by play; the rows of a play, of a contest and of a stage stand below one another |
| Hands | the rows of Games, then those of Rounds, in the same order |
| the standings of a stage | as its answer lists them |
| Clubs | those of each stage below one another |
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from uuid import UUID

from django.utils.translation import gettext as _

from rulesets import RULESETS, Ruleset
from tournament.files.workbook import columns
from tournament.files.workbook.addresses import Rows, Sheet
from tournament.files.workbook.cells import Row
from tournament.files.workbook.event import Event, StageRead
from tournament.files.workbook.plays import MATCHES, ContestKey, Played, played
from tournament.files.workbook.sheet_look import Words
from tournament.files.workbook.standings_by_kind import KINDS
from tournament.models import Stage
from tournament.queries.clubs import StageClubs, stage_clubs
from tournament.results import grouped

FIRST = 2  # the row below the headings
StagePlayer = tuple[UUID, str]  # a stage, and the player's id in the answer
ContestPlayer = tuple[ContestKey, str]


@dataclass(frozen=True, slots=True)
class Placed:
    """A play and its rows: in the sheet of games, rounds or heats, and in that of hands (heats have none)."""

    one: Played
    rows: Rows
    hands: Rows | None = None


class Layout:
    """The sheets of a workbook by title and columns, and the rows of its plays and standings. `reserve` gives a sheet's
    title. Make it in the workbook's language."""

    def __init__(self, event: Event, reserve: Callable[[str], str]) -> None:
        zone = event.tournament.time_zone
        self.words = Words.now()
        self.ruleset: Ruleset = RULESETS[event.tournament.ruleset]
        self.of_standing: Mapping[StagePlayer, int] = {
            (read.stage.uid, player): row
            for read in event.stages
            for row, player in enumerate(_listed(read), FIRST)
        }
        self.stage_clubs: Mapping[UUID, StageClubs] = {
            read.stage.uid: found
            for read in event.stages
            if (found := stage_clubs(read.stage, read.results, read.through, event.entries))
        }
        self.standings: Mapping[UUID, Sheet] = {
            read.stage.uid: Sheet(
                reserve(_("Standings") if len(event.stages) == 1 else f"{read.stage.number} {read.stage}"),
                KINDS[read.results[0].answer.kind].columns() | self._club_columns(read.stage),
            )
            for read in event.stages
            if any(_listed(read))
        }
        self.standings_rows: Mapping[UUID, Rows] = {
            read.stage.uid: Rows(FIRST, FIRST - 1 + sum(1 for _player in _listed(read)))
            for read in event.stages
        }
        self.clubs = Sheet(reserve(_("Clubs")), columns.clubs())
        self.clubs_rows: Mapping[UUID, Rows] = dict(_below_each_other(self.stage_clubs))
        self.games = Sheet(reserve(_("Games")), columns.games(zone))
        self.rounds = Sheet(reserve(_("Rounds")), columns.rounds(zone))
        self.heats = Sheet(reserve(_("Heats")), columns.heats(zone))
        self.hands = Sheet(reserve(_("Hands")), columns.hands(self.ruleset))
        self.cards = Sheet(reserve(_("Cards")), columns.cards(self.ruleset))
        self.settings = Sheet(
            reserve(_("Settings")), {"stage": _("Stage"), "what": _("Item"), "value": _("Value")}
        )

        self.games_played = list(_placed(played(event, Stage.Kind.SESSION), hands_from=FIRST))
        after = self.games_played[-1].rows.last + 1 if self.games_played else FIRST
        self.rounds_played = list(_placed(played(event, *MATCHES), hands_from=after))
        self.heats_played = list(_placed(played(event, Stage.Kind.HEATS)))
        everything = [*self.games_played, *self.rounds_played, *self.heats_played]
        self.of_contest: Mapping[ContestKey, Rows] = _of_contests(everything)
        self.of_play: Mapping[UUID, Placed] = {placed.one.play.uid: placed for placed in everything}
        self.of_player: Mapping[ContestPlayer, Sequence[int]] = _rows_of_players(
            [*self.games_played, *self.rounds_played]
        )
        self.before = _rows_before(self.of_player)
        self.settings_of = {
            read.stage.uid: KINDS[answered.answer.kind].settings(self.ruleset, answered.sheet.data)
            for read in event.stages
            for answered in read.results[:1]
        }
        self._stage_names = {read.stage.uid: str(read.stage) for read in event.stages}
        self._setting_rows = {
            (stage, setting.key): row
            for row, (stage, setting) in enumerate(
                ((stage, setting) for stage, each in self.settings_of.items() for setting in each), FIRST
            )
        }

    def _club_columns(self, stage: Stage) -> columns.Columns:
        clubs = self.stage_clubs.get(stage.uid)
        return columns.of_clubs(everybody=clubs.rule.everybody) if clubs else {}

    @property
    def row_count(self) -> int:
        """The number of rows in the sheets of plays, hands and standings together."""
        plays = [*2 * [*self.games_played, *self.rounds_played], *self.heats_played]
        return len(self.of_standing) + sum(placed.rows.last - placed.rows.first + 1 for placed in plays)

    def setting(self, stage: Stage, key: str) -> str:
        """The cell of a stage's setting, as formulas of other sheets name it."""
        return self.settings.cell_from_elsewhere("value", self._setting_rows[stage.uid, key])

    def setting_rows(self) -> Iterator[Row]:
        """The rows of the sheet of settings."""
        for stage, settings in self.settings_of.items():
            for setting in settings:
                yield [self._stage_names[stage], setting.words, setting.value]


def _placed(plays: Iterable[Played], hands_from: int | None = None) -> Iterator[Placed]:
    """The plays with their rows, one below the other; in the sheet of hands from row `hands_from` on."""
    first = FIRST
    for one in (one for one in plays if one.play.results):
        last = first + len(one.play.results) - 1
        yield Placed(
            one,
            Rows(first, last),
            None if hands_from is None else Rows(first + hands_from - FIRST, last + hands_from - FIRST),
        )
        first = last + 1


def _below_each_other(clubs: Mapping[UUID, StageClubs]) -> Iterator[tuple[UUID, Rows]]:
    first = FIRST
    for stage, found in clubs.items():
        yield stage, Rows(first, first + len(found.lines) - 1)
        first += len(found.lines)


def _of_contests(plays: Iterable[Placed]) -> dict[ContestKey, Rows]:
    found: dict[ContestKey, Rows] = {}
    for placed in plays:
        found[placed.one.key] = Rows(found.get(placed.one.key, placed.rows).first, placed.rows.last)
    return found


def _rows_before(of_player: Mapping[ContestPlayer, Sequence[int]]) -> Mapping[tuple[ContestPlayer, int], int]:
    """Give each row of a player but the first the one before it."""
    return {(player, row): before for player, rows in of_player.items() for before, row in pairwise(rows)}


def _rows_of_players(plays: Iterable[Placed]) -> dict[ContestPlayer, list[int]]:
    """The rows of each player of a contest, in the order in which they played."""
    return grouped(
        ((placed.one.key, str(result.entry)), row)
        for placed in plays
        for row, result in enumerate(placed.one.play.results, placed.rows.first)
    )


def _listed(read: StageRead) -> Iterator[str]:
    """The players in the standings of a stage, row by row."""
    return (line.player for contest in read.results for line in contest.answer.lines)
