"""What a game, a round or a heat would make of the standings; nothing is stored. `contest` is the one that was read
already, where it was."""

from dataclasses import replace
from uuid import UUID

from tournament.actions.kernel.versions import back_to
from tournament.models import Play, Table
from tournament.results.bridge import Contest
from tournament.results.contests import contest_now
from tournament.results.facts import PlayFacts
from tournament.results.given import PlayEntry
from tournament.results.kinds import kind_of
from tournament.results.settle import Settled, settle, with_departures


def preview_play(
    table: Table, entry: PlayEntry, *, play: UUID, number: int, contest: Contest | None = None
) -> Settled:
    """What the contest would be with this round, heat or game, new or in its stored version's place.

    Raises Refused with scoring's faults, as the action that stores it would.
    """
    contest = contest or contest_now(table)
    stored = contest.play(play)
    offered = stored or PlayFacts(play, table.uid, number, Play.State.ENTERED)
    offered = entry.facts(contest, replace(offered, state=Play.State.ENTERED))
    if not kind_of(contest.kind).seats_change:  # in a session players leave between games, not in one
        contest = with_departures(contest, table, number, entry.departures(), editing=stored is not None)
    return settle(contest.with_play(offered), changed=play)


def preview_revert(table: Table, contest: Contest, play: PlayFacts, to: int) -> Settled:
    """What the contest would be with this play as the ledger row `to` left it.

    Raises Refused as `revert_play` would.
    """
    after, offered = back_to(table, contest, play, to)
    return settle(after.with_play(offered), changed=play.uid)


def preview_void(contest: Contest, play: PlayFacts) -> Settled:
    """What the contest would be if this play were void. Raises Refused as `void_play` would."""
    return settle(contest.with_play(replace(play, state=Play.State.VOID)), changed=play.uid)
