"""Any play, whatever its kind: void it, or go back to an earlier version, whatever was entered since."""

from collections.abc import Mapping
from dataclasses import replace
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from tournament.actions.kernel.plays import play_named, refuse_stale, settle_and_store, store_departures
from tournament.actions.kernel.versions import back_to, states_at
from tournament.actions.kernel.work import Work, action
from tournament.actions.table.games import entries_named, with_newcomers
from tournament.models import Entry, Play, Table
from tournament.models.states import PLAY, can
from tournament.results.bridge import Contest
from tournament.results.faults import Fault, Refused
from tournament.results.kinds import kind_of
from tournament.results.settle import OUT_AS
from tournament.words.text import clean

__all__ = ["revert_play", "void_play"]


@action(least="table_referee", says=_("voided a game, round or heat"), undo="at_table")
def void_play(work: Work, *, play: UUID, version: int, reason: str) -> None:
    """Void a game, round or heat, with a reason; an ejection in a voided game stands (KPGUT).

    Correcting a void play makes it count again. Raises Refused `missing_reason`, `already_void`, or Conflict.
    """
    row, contest, current = play_named(work, play)
    offered = replace(current, state=Play.State.VOID)
    refuse_stale(work, current, offered, version)
    if not can(PLAY, current.state, "void"):
        raise Refused(Fault("already_void", "/play"))
    work.because(reason)
    settle_and_store(work, row, contest, offered)


@action(least="table_referee", says=_("went back to an earlier version"), undo="at_table")
def revert_play(work: Work, *, play: UUID, version: int, to: int, reason: str = "") -> None:
    """Put a game, round or heat back as the ledger row `to` left it: results, last cards, and who was out from it on.

    The versions since stay readable, so this can be reverted too. Without a `reason` the note is the row's number. As
    with a correction, later plays that it makes impossible are set aside. Raises Refused as `back_to` does and with
    scoring's faults, or Conflict where the play is not of this `version` any more.
    """
    row, contest, current = play_named(work, play)
    after, offered = back_to(row, contest, current, to)
    refuse_stale(work, current, offered, version)
    work.note = clean(reason) or str(to)
    before = _states(contest)
    if kind_of(row.stage.kind).seats_change:
        entries = entries_named(work, [result.entry for result in offered.results])
        settle_and_store(work, row, with_newcomers(work, row, contest, entries), offered)
    else:
        settle_and_store(work, row, after, offered)
        store_departures(work, row, contest, after)
    _here_as_they_were(work, row, before, to)


def _states(contest: Contest) -> dict[UUID, str]:
    entries = Entry.objects.filter(uid__in=[player.entry for player in contest.players])
    return dict(entries.values_list("uid", "state"))


def _here_as_they_were(work: Work, table: Table, before: Mapping[UUID, str], to: int) -> None:
    """Whoever is out or in again by this is so just as they were then: did not come, or left; expected, or here."""
    moved = [
        entry
        for entry in Entry.objects.filter(tournament=work.tournament, uid__in=before)
        if entry.state != before[entry.uid]
    ]
    states = states_at(table, to) if moved else {}
    for entry in moved:
        was = states.get(entry.uid, entry.state)
        if was != entry.state and _out_as(was) == _out_as(entry.state):
            work.update(entry, state=Entry.State(was))


def _out_as(state: str) -> str:
    return OUT_AS.get(Entry.State(state), "")
