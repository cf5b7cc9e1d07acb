"""What every action on a running KPGUT game asks: how long it has run, and who is in one."""

from uuid import UUID

from rulesets import RULESETS
from tournament.actions.kernel.work import Work
from tournament.models import Play, Table
from tournament.results import given
from tournament.results.bridge import Contest
from tournament.results.facts import PlayFacts
from tournament.results.faults import Fault, Refused

JUST_BEGUN_S = 5  # by which two servers' clocks may differ


def elapsed_of(work: Work, play: PlayFacts, elapsed_s: int | None, path: str) -> int:
    """Full seconds since the game began, as said or by the server's clock; below nought where that clock says that it
    has not begun."""
    if elapsed_s is not None:
        return given.whole(elapsed_s, path)
    if play.started_at is None:
        return 0
    elapsed = int((work.at - play.started_at).total_seconds())
    # A server whose clock was put back while it was off knows no better; it must not make a best time of it.
    return elapsed if elapsed < -JUST_BEGUN_S else max(elapsed, 0)


def check_elapsed(work: Work, elapsed_s: int, path: str) -> None:
    """Refuse `elapsed_over_limit` for a moment before the game or after the hour."""
    hour_s = RULESETS[work.tournament.ruleset].hour_s
    if not 0 <= given.whole(elapsed_s, path) <= hour_s:
        raise Refused(Fault("elapsed_over_limit", path, {"limit_s": hour_s, "elapsed_s": elapsed_s}))


def plays_at(contest: Contest, table: Table) -> list[PlayFacts]:
    """The plays of this table."""
    return [play for play in contest.plays if play.table == table.uid]


def busy_in(contest: Contest, but: UUID | None = None) -> set[UUID]:
    """Who is in a running game of the session; `but` one."""
    running = (play for play in contest.plays if play.state == Play.State.RUNNING and play.uid != but)
    return {row.entry for play in running for row in play.results}
