"""A match's rounds: record and correct one, stop a match before its target and go on with it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID, uuid4

from django.utils.translation import gettext_lazy as _

from tournament.actions.kernel import given
from tournament.actions.kernel.plays import (
    open_table,
    play_named,
    refuse_stale,
    refuse_taken,
    settle_and_store,
    store_departures,
    store_moved,
)
from tournament.actions.kernel.work import Work, action
from tournament.models import Play, Result, Seat, Stage
from tournament.results.bridge import Contest
from tournament.results.contests import contest_now
from tournament.results.departures import with_departures
from tournament.results.facts import Hand, PlayFacts, ResultFacts
from tournament.results.faults import Fault, Refused
from tournament.results.settle import settle

MATCHES = (Stage.Kind.MATCH, Stage.Kind.FINAL)
Outcome = Result.Outcome


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
) -> None:
    """Enter a round: who won it and the cards left in the others' hands (card id to how many cards).

    `hands` is keyed by the entry's uid as text. `last_cards` are the cards played last, `drew` who drew for
    them; `removed` and `withdrawn` players are out from this round on; `emptied` had their hand emptied by a
    Customizable card's text. Raises Refused with scoring's faults, or Conflict when this number was entered
    already.
    """
    row = open_table(work, table, *MATCHES)
    contest = contest_now(row)
    offered = PlayFacts(play, row.uid, number, Play.State.ENTERED)
    offered = round_facts(
        contest, offered, winner=winner, hands=hands, last_cards=last_cards, drew=drew, emptied=emptied
    )
    refuse_taken(work, row, contest, offered)
    after = with_departures(contest, row, number, departures(removed, withdrawn), editing=False)
    settle_and_store(work, row, after, offered)
    store_departures(work, row, contest, after)


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
    removed: Sequence[UUID] = (),
    withdrawn: Sequence[UUID] = (),
    emptied: Sequence[UUID] = (),
) -> None:
    """Enter a round anew in its stored version's place; a void round counts again. See `record_round`.

    The old version stays in the ledger. Later rounds that this one makes impossible are set aside.
    """
    row, contest, current = play_named(work, play, *MATCHES)
    offered = replace(current, state=Play.State.ENTERED)
    offered = round_facts(
        contest, offered, winner=winner, hands=hands, last_cards=last_cards, drew=drew, emptied=emptied
    )
    refuse_stale(work, current, offered, version)
    work.because(reason)
    after = with_departures(contest, row, current.number, departures(removed, withdrawn), editing=True)
    settle_and_store(work, row, after, offered)
    store_departures(work, row, contest, after)


@action(least="table_referee", says=_("stopped a match"), undo="at_table")
def stop_match(work: Work, *, table: UUID, reason: str = "") -> None:
    """End a match before its target: the totals stand. Raises Refused `match_over` where it is over
    already."""
    _set_stopped(work, table, stopped=True, reason=reason)


@action(least="table_referee", says=_("went on with a match"), undo="at_table")
def resume_match(work: Work, *, table: UUID, reason: str = "") -> None:
    """Go on with a match that was stopped. Raises Refused `match_not_stopped`."""
    _set_stopped(work, table, stopped=False, reason=reason)


def _set_stopped(work: Work, table: UUID, *, stopped: bool, reason: str) -> None:
    row = open_table(work, table, *MATCHES)
    contest = contest_now(row)
    if row.stopped == stopped or (stopped and getattr(settle(contest).answer, "complete", False)):
        raise Refused(Fault("match_over" if stopped else "match_not_stopped", "/table"))
    if stopped and not any(play.state in {Play.State.ENTERED, Play.State.OFFICIAL} for play in contest.plays):
        raise Refused(Fault("no_round_yet", "/table"))
    settled = settle(replace(contest, stopped=stopped))
    row.stopped = stopped
    row.save(update_fields=["stopped"])
    work.note = reason
    work.changed(row)
    work.readers_of(row.stage)
    store_moved(work, settled)


def departures(removed: Sequence[UUID], withdrawn: Sequence[UUID]) -> Mapping[UUID, str]:
    """Who is out, and as what. Raises Refused `duplicate_player` for one who is named as both."""
    removed, withdrawn = given.ids(removed, "/removed"), given.ids(withdrawn, "/withdrawn")
    twice = [entry for entry in withdrawn if entry in removed]
    if twice:
        raise Refused(
            *(Fault("duplicate_player", f"/withdrawn/{entry}", {"player": str(entry)}) for entry in twice)
        )
    return dict.fromkeys(removed, Seat.OutAs.REMOVED) | dict.fromkeys(withdrawn, Seat.OutAs.WITHDRAWN)


def round_facts(
    contest: Contest,
    play: PlayFacts,
    *,
    winner: UUID | None,
    hands: Mapping[str, Hand],
    last_cards: Hand | None,
    drew: UUID | None,
    emptied: Sequence[UUID],
) -> PlayFacts:
    """The round with these rows, in the order of the seats; rows that were there keep their uid.

    Raises Refused `unknown_player` for an id that is nobody's at this table.
    """
    seated = [player.entry for player in contest.players]
    held = given.hands(hands)
    emptied = given.ids(emptied, "/emptied")
    named = [(winner, "/winner"), (drew, "/drew")]
    named += [(entry, f"/hands/{entry}") for entry in held]
    named += [(entry, f"/emptied/{entry}") for entry in emptied]
    faults = [
        Fault("unknown_player", path, {"player": str(entry)})
        for entry, path in named
        if entry is not None and entry not in seated
    ]
    if faults:
        raise Refused(*faults)

    def row(entry: UUID) -> ResultFacts:
        before = play.result_of(entry)
        uid = before.uid if before else uuid4()
        if entry == winner and not held.get(entry):
            return ResultFacts(uid, entry, Outcome.WON)
        if entry == winner:
            raise Refused(Fault("winner_has_cards", f"/hands/{entry}", {"player": str(entry)}))
        outcome = Outcome.EMPTIED if entry in emptied else Outcome.HOLDS
        return ResultFacts(uid, entry, outcome, hand=held.get(entry, {}))

    rows = tuple(row(entry) for entry in seated if entry == winner or entry in held or entry in emptied)
    last = {} if last_cards is None else given.cards(last_cards, "/last_cards")
    return replace(play, results=rows, last_cards=last, drew=drew)
