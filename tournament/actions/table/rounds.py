"""A match's rounds: record and correct one, stop a match before its target and go on with it."""

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
from tournament.results import Fault, Hand, Refused, RoundEntry, contest_now, settle

__all__ = ["correct_round", "record_round", "resume_match", "stop_match"]

MATCHES = (Stage.Kind.MATCH, Stage.Kind.FINAL)


@action(least="table_referee", says=_("entered a round"), undo="at_table")
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
    late_s: int = 0,
) -> None:
    """Enter a round: its winner and the cards left in the other hands (card id to number of cards).

    `hands` is keyed by the entry's uid as text. `last_cards` are the cards played last, `drew` is the player who drew
    for them; `removed` and `withdrawn` players are out from this round on; `emptied` players had their hand emptied by
    a Customizable card's text. It was entered `late_s` seconds ago, however long the phone had no network: players who
    were noted as out since were in it, and are out from the next one on. Raises Refused with scoring's faults, or
    Conflict if this number is already entered.
    """
    record(
        work,
        RoundEntry(winner, hands, drew, removed, withdrawn, emptied, last_cards),
        *MATCHES,
        table=table,
        play=play,
        number=number,
        late_s=late_s,
    )


@action(least="table_referee", says=_("corrected a round"), undo="at_table")
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
) -> None:
    """Replace the stored version of a round; a void round counts again. See `record_round`.

    Without `removed` or `withdrawn`, players who are out from this round on stay out; an empty list lets them in again,
    or out again from where they left later.
    The old version stays in the ledger. Later rounds that this one makes impossible are put on hold.
    """
    correct(
        work,
        RoundEntry(winner, hands, drew, removed, withdrawn, emptied, last_cards),
        *MATCHES,
        play=play,
        version=version,
        reason=reason,
    )


@action(least="table_referee", says=_("stopped a match"), undo="at_table")
def stop_match(work: Work, *, table: UUID, reason: str = "") -> None:
    """End a match before its target: the totals stand. Raises Refused `match_over` if it is already over."""
    _set_stopped(work, table, stopped=True, reason=reason)


@action(least="table_referee", says=_("continued a match"), undo="at_table")
def resume_match(work: Work, *, table: UUID, reason: str = "") -> None:
    """Resume a match that was stopped, without the players who left meanwhile. Raises Refused `match_not_stopped`, and
    `nobody_to_play` if fewer than two are still here."""
    _set_stopped(work, table, stopped=False, reason=reason)


def _set_stopped(work: Work, table: UUID, *, stopped: bool, reason: str) -> None:
    row = open_table(work, table, *MATCHES)
    contest = contest_now(row)
    if row.stopped == stopped or (stopped and getattr(settle(contest).answer, "complete", False)):
        raise Refused(Fault("match_over" if stopped else "match_not_stopped", "/table"))
    if stopped and not any(play.state in {Play.State.ENTERED, Play.State.OFFICIAL} for play in contest.plays):
        raise Refused(Fault("no_round_yet", "/table"))
    if not stopped:
        note_who_left(work, row)
        contest = contest_now(row)
        here = sum(not seat.out_as for seat in contest.seats)
        refuse_if(here < 2, Fault("nobody_to_play", "/table"))
    settled = settle(replace(contest, stopped=stopped))
    work.note = reason
    work.update(row, stopped=stopped)
    work.readers_of(row.stage)
    store_moved(work, settled)
