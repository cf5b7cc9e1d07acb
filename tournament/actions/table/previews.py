"""What a game, a round or a heat would make of the standings; nothing is stored. `contest` is the one that was read
already, where it was."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from tournament.actions.kernel.versions import back_to
from tournament.actions.kernel.whole_game import whole_game
from tournament.actions.table.heats import heat_facts
from tournament.actions.table.rounds import departures, round_facts
from tournament.models import Play, Table
from tournament.results.bridge import Contest
from tournament.results.contests import contest_now
from tournament.results.departures import with_departures
from tournament.results.facts import Hand, PlayFacts
from tournament.results.settle import Settled, settle


def preview_game(
    table: Table,
    *,
    play: UUID,
    number: int,
    ended: str,
    results: Sequence[Mapping[str, object]],
    duration_s: int | None = None,
    decks: int | None = None,
    contest: Contest | None = None,
) -> Settled:
    """What the session would be with this game, new or in its stored version's place.

    Raises Refused with scoring's faults, as `record_game` would.
    """
    contest = contest or contest_now(table)
    offered = replace(_entered(contest, table, play, number), decks=decks)
    offered = whole_game(offered, ended, results, duration_s)
    return settle(contest.with_play(offered), changed=play)


def preview_heat(
    table: Table,
    *,
    play: UUID,
    number: int,
    finish_order: Sequence[UUID],
    removed: Sequence[UUID] = (),
    withdrawn: Sequence[UUID] = (),
    advance: int | None = None,
    contest: Contest | None = None,
) -> Settled:
    """What the heats would be with this one, new or in its stored version's place.

    Raises Refused with scoring's faults, as `record_heat` would.
    """
    contest = contest or contest_now(table)
    offered = _entered(contest, table, play, number)
    offered = heat_facts(contest, table, offered, finish_order, advance)
    editing = contest.play(play) is not None
    contest = with_departures(contest, table, number, departures(removed, withdrawn), editing=editing)
    return settle(contest.with_play(offered), changed=play)


def preview_round(
    table: Table,
    *,
    play: UUID,
    number: int,
    winner: UUID | None,
    hands: Mapping[str, Hand],
    last_cards: Hand | None = None,
    drew: UUID | None = None,
    removed: Sequence[UUID] = (),
    withdrawn: Sequence[UUID] = (),
    emptied: Sequence[UUID] = (),
    contest: Contest | None = None,
) -> Settled:
    """What the match would be with this round, new or in its stored version's place; nothing is stored.

    Raises Refused with scoring's faults, as `record_round` would.
    """
    contest = contest or contest_now(table)
    offered = _entered(contest, table, play, number)
    offered = round_facts(
        contest, offered, winner=winner, hands=hands, last_cards=last_cards, drew=drew, emptied=emptied
    )
    editing = contest.play(play) is not None
    contest = with_departures(contest, table, number, departures(removed, withdrawn), editing=editing)
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


def _entered(contest: Contest, table: Table, play: UUID, number: int) -> PlayFacts:
    """The play as it is stored, or a new one; it counts."""
    stored = contest.play(play) or PlayFacts(play, table.uid, number, Play.State.ENTERED)
    return replace(stored, state=Play.State.ENTERED)
