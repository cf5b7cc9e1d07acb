"""Club standings of a stage, with their rule."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from scoring import ClubStanding
from tournament.models import Entry, Stage
from tournament.pages.components import StandingsRow, StandingsTable
from tournament.queries.clubs import StageClubs, clubs_in
from tournament.queries.visible import Frozen, Shown
from tournament.words.clubs import rule_text, value_unit
from tournament.words.text import amount_text, average_text


@dataclass(frozen=True, slots=True)
class ClubBoard:
    """Club standings of a stage. `rule`: how a club's result follows from its players'."""

    stage: Stage
    rule: str
    table: StandingsTable
    frozen: Frozen | None = None


def club_boards(seen: Sequence[Shown], entries: Mapping[str, Entry]) -> list[ClubBoard]:
    """Boards of stages with club results, in order. `seen`: all stages."""
    frozen = {each.stage.pk: each.frozen for each in seen}
    return [_board(clubs, entries, frozen[clubs.stage.pk]) for clubs in clubs_in(seen, entries)]


def _board(clubs: StageClubs, entries: Mapping[str, Entry], frozen: Frozen | None) -> ClubBoard:
    """No names where every player counts (heats)."""

    def row(line: ClubStanding) -> StandingsRow:
        best = () if clubs.rule.everybody else line.counted
        return StandingsRow(
            key=line.club,
            place=line.place,
            name=clubs.names[line.club],
            value=average_text(line.value) if clubs.rule.mean else amount_text(line.value),
            club=", ".join(entries[player].shown_name for player in best),
            extras=(str(line.players),),
        )

    rule = rule_text(clubs.kind, clubs.rule, clubs.best)
    table = StandingsTable(
        caption=rule,
        unit=value_unit(clubs.kind, clubs.decided_by),
        rows=[row(line) for line in clubs.lines],
        extras=[_("Players")],
    )
    return ClubBoard(clubs.stage, rule, table, frozen)
