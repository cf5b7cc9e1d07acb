"""A stage's standings, and its last plays with links to change them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tournament.models import LedgerRow, Play, Stage
from tournament.results import kind_of, stage_results
from tournament.words.faults import table_text
from tournament.words.kinds import DECIDING, KINDS, STATUSES

MOST_PLAYS = 12  # last ones

Line = tuple[int | None, str, str, str]  # place, name, value, status


@dataclass(frozen=True, slots=True)
class Standings:
    """A contest's true standings; `title`: its table where there are several."""

    title: str
    unit: str
    lines: Sequence[Line]


@dataclass(frozen=True, slots=True, kw_only=True)
class LastPlay:
    """A play; `written`: its last ledger row. `correctable`, `voidable`: at the desk now."""

    row: Play
    label: str
    written: LedgerRow | None
    correctable: bool
    voidable: bool


def standings_of(stage: Stage) -> Iterator[Standings]:
    """Standings of each contest, heats by table."""
    for results in stage_results(stage):
        words = DECIDING[results.answer.decided_by]
        title = "" if results.table_number is None else table_text(stage, results.table_number)
        yield Standings(
            title,
            str(words.unit),
            [
                (
                    line.place,
                    results.names[line.player],
                    words.text(getattr(line, "value", None)),
                    str(STATUSES[status]),
                )
                for line in results.answer.lines
                for status in [getattr(line, "status", "ranked")]
            ],
        )


def last_plays(stage: Stage) -> list[LastPlay]:
    """The plays that were written last, newest first."""
    rows = list(
        Play.objects.filter(table__stage=stage)
        .select_related("table")
        .order_by("-version", "-pk")[:MOST_PLAYS]
    )
    entered = {
        line.sequence: line
        for line in LedgerRow.objects.filter(
            tournament=stage.tournament_id, sequence__in=[row.version for row in rows]
        ).select_related("actor")
    }
    words = KINDS[kind_of(stage.kind).sheet]
    running = stage.state == Stage.State.RUNNING
    return [
        LastPlay(
            row=row,
            label=str(words.play_at) % {"table": row.table.number, "number": row.number},
            written=entered.get(row.version),
            correctable=running and row.state != Play.State.RUNNING,
            voidable=running and row.state != Play.State.VOID,
        )
        for row in rows
    ]
