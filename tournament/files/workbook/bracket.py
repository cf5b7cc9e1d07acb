"""The sheet of the bracket: who went on from which table to which table of the next stage, and why.

| why | who |
| --- | --- |
| through by the heat | who went out early enough |
| by decision | whom people let through |
| steps back, by decision | who was through and does not go on |
| in reserve | who comes in when somebody does not play |
| by the place | who sits in the next stage behind a session or a match |
| seated by the referees | who sits there though the heats and the decisions do not say so |
"""

from collections.abc import Iterator
from itertools import pairwise

from django.utils.translation import gettext as _

from tournament.files.workbook.cells import Row
from tournament.files.workbook.event import Event, StageRead
from tournament.results import kind_of


def headings(event: Event) -> list[str]:
    """The headings, for readers of the ledger with who decided and why."""
    return [
        _("Stage"),
        _("Table"),
        _("Place"),
        _("Start number"),
        _("Player"),
        _("Through to"),
        _("To table"),
        _("Why"),
        _("Seat"),
        *([_("Decided by"), _("Reason given")] if event.ledger is not None else []),
    ]


def rows(event: Event) -> Iterator[Row]:
    """List everybody who advances, steps back or is in reserve, stage by stage and table by table; nobody where each
    stage is an evening of its own."""
    for read, following in pairwise(event.stages):
        if kind_of(read.stage.kind).filled or kind_of(following.stage.kind).filled:
            yield from _level(event, read, following)


def _level(event: Event, read: StageRead, following: StageRead) -> Iterator[Row]:
    sits, sits_next, whys = _tables(read), _tables(following), _whys(read, following)
    places = {line.player: line.place for each in read.results for line in each.answer.lines}
    for player in sorted(
        whys, key=lambda player: (sits[player], places.get(player) or len(sits), whys[player][1])
    ):
        goes_on, why = whys[player]
        entry, table, decided = event.entries[player], sits_next.get(player), following.reasons.get(player)
        yield [
            str(read.stage),
            sits[player],
            places.get(player),
            entry.start_number,
            entry.shown_name,
            str(following.stage) if goes_on else None,
            table,
            why,
            _("by lot") if following.drawn and table else None,
            *([decided.who, decided.reason or None] if decided else []),
        ]


def _whys(read: StageRead, following: StageRead) -> dict[str, tuple[bool, str]]:
    """Tell whether and why a player of the stage goes on, for each about whom there is something to say."""
    through = {player for each in read.results for player in each.answer.finalists}
    of_heats = kind_of(read.stage.kind).one_play
    sits_next, whys = _tables(following), {}
    for player in _tables(read):
        if player in read.steps_back:
            whys[player] = (player in sits_next, _("stands down, by decision"))
        elif player in read.decided:
            whys[player] = (True, _("by decision"))
        elif player in through:
            whys[player] = (True, _("through from the heat"))
        elif player in sits_next:
            whys[player] = (True, _("seated by the referees") if of_heats else _("by place"))
        elif player in read.reserves:
            whys[player] = (False, _("reserve (%(rank)s)") % {"rank": read.reserves[player]})
    return whys


def _tables(read: StageRead) -> dict[str, int]:
    """Give the number of everybody's table in a stage."""
    return {str(seat.entry): seat.table for contest in read.contests for seat in contest.seats}
