"""Rounds of a match, games of a race; stop and resume the match."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from tournament.actions.kernel import (
    Work,
    action,
    correct,
    note_who_left,
    open_table,
    record,
    refuse_if,
    store_moved,
)
from tournament.models import Play, Stage
from tournament.results import Fault, Hand, RoundEntry, contest_now, settle

__all__ = ["correct_round", "record_round", "resume_match", "stop_match"]

MATCHES = (Stage.Kind.MATCH, Stage.Kind.FINAL)
IN_ROUNDS = (*MATCHES, Stage.Kind.RACE, Stage.Kind.RACES)


@action(least="table_referee", says=_("entered a result"), undo="at_table")
def record_round(
    work: Work,
    *,
    table: UUID,
    play: UUID,
    number: int,
    winner: UUID | None,
    hands: Mapping[str, Hand],
    last_cards: Hand | None = None,
    drew: UUID | None = None,
    removed: Sequence[UUID] = (),
    withdrawn: Sequence[UUID] = (),
    emptied: Sequence[UUID] = (),
    entries: Sequence[UUID] | None = None,
    ended: str = "",
    late_s: int = 0,
) -> None:
    """Enter a round, or a race's game. `hands` maps entry uids as text to cards left by card id.

    `last_cards` were played last, `drew` drew for them; `removed` and `withdrawn` are out from this round; a
    Customizable card emptied the hands of `emptied`. Of a race's game, `entries` played (None: all seated at the
    table), and `ended` is time if the bell rang before anyone was out. Entered `late_s` seconds ago (offline phone):
    players out since took part. Refused with scoring's faults; Conflict if the number is taken.
    """
    record(
        work,
        RoundEntry(
            winner=winner,
            hands=hands,
            drew=drew,
            removed=removed,
            withdrawn=withdrawn,
            emptied=emptied,
            last_cards=last_cards,
            entries=entries,
            ended=ended,
        ),
        *IN_ROUNDS,
        table=table,
        play=play,
        number=number,
        late_s=late_s,
    )


@action(least="table_referee", says=_("corrected a result"), undo="at_table")
def correct_round(
    work: Work,
    *,
    play: UUID,
    version: int,
    reason: str,
    winner: UUID | None,
    hands: Mapping[str, Hand],
    last_cards: Hand | None = None,
    drew: UUID | None = None,
    removed: Sequence[UUID] | None = None,
    withdrawn: Sequence[UUID] | None = None,
    emptied: Sequence[UUID] = (),
    entries: Sequence[UUID] | None = None,
    ended: str = "",
) -> None:
    """Replace a round; a void one counts again. `removed`, `withdrawn`: None keeps players out, an empty list readmits
    them; `entries`: None keeps a race's players. As `record_round`."""
    correct(
        work,
        RoundEntry(
            winner=winner,
            hands=hands,
            drew=drew,
            removed=removed,
            withdrawn=withdrawn,
            emptied=emptied,
            last_cards=last_cards,
            entries=entries,
            ended=ended,
        ),
        *IN_ROUNDS,
        play=play,
        version=version,
        reason=reason,
    )


@action(least="table_referee", says=_("stopped a match"), undo="at_table")
def stop_match(work: Work, *, table: UUID, reason: str = "") -> None:
    """End a match before its target; the totals stand. Refused `match_over`, `no_round_yet`."""
    _set_stopped(work, table, stopped=True, reason=reason)


@action(least="table_referee", says=_("continued a match"), undo="at_table")
def resume_match(work: Work, *, table: UUID, reason: str = "") -> None:
    """Resume a match without players who left. Refused `match_not_stopped`, `nobody_to_play` (fewer than two)."""
    _set_stopped(work, table, stopped=False, reason=reason)


def _set_stopped(work: Work, table: UUID, *, stopped: bool, reason: str) -> None:
    row = open_table(work, table, *MATCHES)
    contest = contest_now(row)
    refuse_if(
        row.stopped == stopped or (stopped and getattr(settle(contest).answer, "complete", False)),
        Fault("match_over" if stopped else "match_not_stopped", "/table"),
    )
    refuse_if(
        stopped
        and not any(play.state in {Play.State.ENTERED, Play.State.OFFICIAL} for play in contest.plays),
        Fault("no_round_yet", "/table"),
    )
    if not stopped:
        note_who_left(work, row)
        contest = contest_now(row)
        refuse_if(sum(not seat.out_as for seat in contest.seats) < 2, Fault("nobody_to_play", "/table"))
    settled = settle(replace(contest, stopped=stopped))
    work.note = reason
    work.update(row, stopped=stopped)
    work.readers_of(row.stage)
    store_moved(work, settled)
