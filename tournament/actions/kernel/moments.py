"""Times of play lie between the stage's start and now. Typed ones outside are refused, live ones moved to the bound."""

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from rulesets import RULESETS
from tournament.actions.kernel.refusing import refuse_if
from tournament.actions.kernel.work import Work
from tournament.models import LedgerRow, Stage, Table
from tournament.results import COUNTS, Contest, Fault, PlayFacts, Refused, ResultFacts, given, starts_of

AHEAD_S = 5  # seconds that another clock may be fast
JUST_BEGUN_S = 5  # seconds that two servers' clocks may differ
EARLY_S = 59  # seconds before the stage's start: people type minutes
ASK_S = 120  # seconds that two readings of a clock may differ
LATEST_S = 30 * 24 * 3600  # longest delay of an entry, in seconds


def check_start(
    stage: Stage, started_at: datetime | None, at: datetime, path: str = "/started_at", over_s: int = 0
) -> None:
    """Refuse a start after `at` (now), before the stage began, or under `over_s` seconds ago."""
    if started_at is None:
        return
    refuse_if(started_at > at, Fault("start_in_future", path))
    refuse_if((at - started_at).total_seconds() < over_s - AHEAD_S, Fault("end_in_future", path))
    if began := _stage_after(stage, started_at):
        told = {"at": began.isoformat(), "time_zone": stage.tournament.time_zone}
        raise Refused(Fault("start_before_stage", path, told))


def _stage_after(stage: Stage, moment: datetime) -> datetime | None:
    """Rehearsals are exempt."""
    rows = LedgerRow.objects.filter(tournament=stage.tournament_id, payload__has_key="stage")
    for began, payload in rows.order_by("sequence").values_list("at", "payload").iterator():
        if payload["stage"].get(str(stage.uid), {}).get("state") == Stage.State.RUNNING:
            early = moment < began - timedelta(seconds=EARLY_S) and not stage.tournament.rehearsal
            return began if early else None
    return None


def live_moments(
    work: Work,
    table: Table,
    contest: Contest,
    late_s: int,
    other_late_s: int | None,
    *,
    elapsed_s: int = 0,
) -> tuple[datetime, datetime | None]:
    """Time `elapsed_s` seconds before a live entry that came `late_s` seconds late, moved if the stage began or the
    table's former games ended later; and the other possible time, or None: by `other_late_s`, or by now if moved
    over ASK_S seconds. Refused `start_before_stage`."""
    ago = timedelta(seconds=elapsed_s)
    if elapsed_s:
        check_start(table.stage, work.at - ago, work.at, "/elapsed_s")
    former = [
        play.started_at + timedelta(seconds=length_s(play))
        for play in contest.plays
        if play.table == table.uid and play.state in COUNTS and play.started_at and not play.other_start
    ]
    both = moments_of_entry(work, late_s, other_late_s)
    moments = [min(work.at, max([at, *former])) - ago for at in both]
    moments = [(at < work.at and _stage_after(table.stage, at)) or at for at in moments]
    outside = (moments[0] + ago - both[0]).total_seconds() > ASK_S
    return moments[0], moments[-1] if len(both) > 1 else work.at - ago if outside else None


def moments_of_entry(work: Work, late_s: int, other_late_s: int | None) -> list[datetime]:
    """When a live entry may have been made: one or two times."""
    both = [given.whole(each, "/late_s") for each in (late_s, other_late_s) if each is not None]
    return [work.at - timedelta(seconds=min(max(0, each), LATEST_S)) for each in both]


def length_s(play: PlayFacts) -> int:
    """The game's minimum length in seconds."""
    return max([play.duration_s or 0, *(row.elapsed_s or 0 for row in play.results)])


def moved(play: PlayFacts, earlier_s: int, who: Collection[UUID] | None = None) -> tuple[ResultFacts, ...]:
    """Results for a start `earlier_s` seconds earlier; these players (None: all) keep their time of day."""
    return tuple(
        each
        if each.elapsed_s is None or (who is not None and each.entry not in who)
        else replace(each, elapsed_s=each.elapsed_s + earlier_s)
        for each in play.results
    )


def elapsed_of(work: Work, play: PlayFacts, elapsed_s: int | None, path: str) -> int:
    """Seconds since the start, as stated or by the server's clock (may be negative). Refused `elapsed_in_future`."""
    if play.started_at is None:
        return given.whole(elapsed_s or 0, path)
    if elapsed_s is not None:
        most = (work.at - min(starts_of(play))).total_seconds() + AHEAD_S
        refuse_if(given.whole(elapsed_s, path) > most, Fault("elapsed_in_future", path))
        return elapsed_s
    elapsed = int((work.at - play.started_at).total_seconds())
    # A clock set back must not yield a best time.
    return elapsed if elapsed < -JUST_BEGUN_S else max(elapsed, 0)


def check_elapsed(work: Work, elapsed_s: int, path: str) -> None:
    """Refused `elapsed_over_limit` before the game or after its hour."""
    hour_s = RULESETS[work.tournament.ruleset].hour_s
    refuse_if(
        not 0 <= given.whole(elapsed_s, path) <= hour_s,
        Fault("elapsed_over_limit", path, {"limit_s": hour_s, "elapsed_s": elapsed_s}),
    )
