"""Rows of the standings: one sheet for each stage, with what its kind of contest is decided by."""

from collections.abc import Iterator, Mapping

from django.utils.translation import gettext as _

from scoring import HeatsAnswer, MatchAnswer, SessionAnswer, fraction_text
from tournament.exports.cells import Row, Value
from tournament.exports.reading import StageRead
from tournament.models import Entry, Stage
from tournament.words import STATUSES

Entries = Mapping[str, Entry]


def headings(stage: Stage) -> list[str]:
    """The columns of a stage's standings."""
    who = [_("Place"), _("Player"), _("Club or group"), _("Start number")]
    if stage.kind == Stage.Kind.SESSION:
        return [*who, _("Points"), _("Games"), _("Average"), _("Average as a fraction"), _("Status")]
    if stage.kind == Stage.Kind.HEATS:
        return [_("Heat"), *who, _("Goes through")]
    return [_("Table"), *who, _("Points"), _("Rounds won"), _("Status")]


def rows(read: StageRead, entries: Entries) -> Iterator[Row]:
    """The standings of a stage as they stand, table by table where each table is a match."""
    for contest in read.results:
        answer = contest.answer
        if isinstance(answer, SessionAnswer):
            yield from _session(answer, entries)
        elif isinstance(answer, MatchAnswer):
            yield from _match(contest.table_number, answer, entries)
        else:
            tables = [
                contest.contest.table_numbers[play.table] if play else None for play in contest.sheet.plays
            ]
            yield from _heats(tables, answer, entries, read)


def _session(answer: SessionAnswer, entries: Entries) -> Iterator[Row]:
    for line in answer.standings:
        fraction = None if line.average is None else fraction_text(line.average)
        status = _status(line.player, line.status, entries)
        yield [
            line.place,
            *who(line.player, entries),
            line.points,
            line.games,
            line.average,
            fraction,
            status,
        ]


def _match(table: int | None, answer: MatchAnswer, entries: Entries) -> Iterator[Row]:
    for line in answer.standings:
        status = _status(line.player, line.status, entries)
        yield [table, line.place, *who(line.player, entries), line.points, line.rounds_won, status]


def _heats(tables: list[int | None], answer: HeatsAnswer, entries: Entries, read: StageRead) -> Iterator[Row]:
    for table, heat in zip(tables, answer.rounds, strict=True):
        for line in heat.results:
            yield [
                table,
                line.place,
                *who(line.player, entries),
                _through(line.player, read, advances=line.advances),
            ]


def _through(player: str, read: StageRead, *, advances: bool) -> str | None:
    if player in read.steps_back:
        return _("no, by decision")
    if player in read.decided:
        return _("by decision")
    return _("yes") if advances else None


def _status(player: str, status: str, entries: Entries) -> str:
    """Why somebody has no place, in words; who did not come has not left."""
    entry = entries[player]
    if status != "ranked" and entry.state == Entry.State.NO_SHOW:
        return str(entry.get_state_display())
    return str(STATUSES[status])


def who(player: str, entries: Entries) -> list[Value]:
    """A player's name, club and start number."""
    entry = entries[player]
    return [entry.public_name, entry.club or None, entry.start_number]


def decided_by(read: StageRead) -> Iterator[tuple[str, list[str]]]:
    """What a stage has decided so far, in words, each with the ids of its players: winners, losers, who is through."""
    finished = read.state == Stage.State.FINISHED
    for contest in read.results:
        answer = contest.answer
        if isinstance(answer, HeatsAnswer):
            yield _("goes through"), list(answer.finalists)
        elif isinstance(answer, SessionAnswer):
            played = any(line.games for line in answer.standings)
            yield (_("winner") if finished else _("leads")), list(answer.winners) if played else []
            if finished and played:
                yield _("loser"), list(answer.losers)
        elif len(read.results) > 1:
            yield _("winner at table %(table)s") % {"table": contest.table_number}, list(answer.winners)
        else:
            yield _("winner"), list(answer.winners)
