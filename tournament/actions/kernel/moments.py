"""The one door for moments of play: a start, a tap, an end or a whole game, told by a phone, a form, a file or a
program, lies neither before its stage began nor after now.

What a person typed is refused where it cannot be. A live entry is never lost: it is stored at the bound.
"""

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from rulesets import RULESETS
from tournament.actions.kernel.refusing import refuse_if
from tournament.actions.kernel.work import Work
from tournament.models import LedgerRow, Stage, Table
from tournament.results import COUNTS, Contest, Fault, PlayFacts, Refused, ResultFacts, given, starts_of
from tournament.words.formats import to_the_minute

AHEAD_S = 5  # by which the clock of a program, or of another server, may be ahead
JUST_BEGUN_S = 5  # by which the clocks of two servers may differ
EARLY_S = 59  # by which a start may lie before the stage's: people type the minute in which they began
ASK_S = 120  # by which two readings of a clock may differ
LATEST_S = 30 * 24 * 3600  # seconds that an entry may have waited


def check_start(
    stage: Stage, started_at: datetime | None, at: datetime, path: str = "/started_at", over_s: int = 0
) -> None:
    """Refuse a start that is later than now, `at`, or before the stage first started, and one with which a game of
    `over_s` seconds would not be over yet."""
    if started_at is None:
        return
    refuse_if(started_at > at, Fault("start_in_future", path))
    refuse_if((at - started_at).total_seconds() < over_s - AHEAD_S, Fault("end_in_future", path))
    if began := _stage_after(stage, started_at):
        local = to_the_minute(began.astimezone(stage.tournament.zone))
        raise Refused(Fault("start_before_stage", path, {"at": local}))


def _stage_after(stage: Stage, moment: datetime) -> datetime | None:
    """Give when the stage first started if this moment lies before. A rehearsal plays an evening in minutes, so its
    games may have begun earlier."""
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
    """Give the moment `elapsed_s` seconds before a live entry, which was made `late_s` seconds before it came: not
    before the stage began, and the entry not before the table's former games were over.

    Also the other moment in which it may have been, as long as nobody has said which is right: by `other_late_s`, or
    now where the entry lies well outside those bounds. Refused `start_before_stage` for a start that would be earlier
    than that even now.
    """
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
    """Give the moments in which a live entry says that it was made, one or two."""
    both = [given.whole(each, "/late_s") for each in (late_s, other_late_s) if each is not None]
    return [work.at - timedelta(seconds=min(max(0, each), LATEST_S)) for each in both]


def length_s(play: PlayFacts) -> int:
    """Give the seconds after which a game was over at the earliest."""
    return max([play.duration_s or 0, *(row.elapsed_s or 0 for row in play.results)])


def moved(play: PlayFacts, earlier_s: int, who: Collection[UUID] | None = None) -> tuple[ResultFacts, ...]:
    """Give the results of a game that began `earlier_s` seconds earlier, where these players (None: all) keep their
    time of day."""
    return tuple(
        each
        if each.elapsed_s is None or (who is not None and each.entry not in who)
        else replace(each, elapsed_s=each.elapsed_s + earlier_s)
        for each in play.results
    )


def elapsed_of(work: Work, play: PlayFacts, elapsed_s: int | None, path: str) -> int:
    """Give the full seconds since the game began, as stated or by the server's clock; negative if by that clock it has
    not begun. Refused `elapsed_in_future` for more than the clock of the game shows."""
    if play.started_at is None:
        return given.whole(elapsed_s or 0, path)
    if elapsed_s is not None:
        most = (work.at - min(starts_of(play))).total_seconds() + AHEAD_S
        refuse_if(given.whole(elapsed_s, path) > most, Fault("elapsed_in_future", path))
        return elapsed_s
    elapsed = int((work.at - play.started_at).total_seconds())
    # A server whose clock was set back while it was off cannot know; the result must not become a best time.
    return elapsed if elapsed < -JUST_BEGUN_S else max(elapsed, 0)


def check_elapsed(work: Work, elapsed_s: int, path: str) -> None:
    """Refuse `elapsed_over_limit` for a moment before the game or after the hour."""
    hour_s = RULESETS[work.tournament.ruleset].hour_s
    over = not 0 <= given.whole(elapsed_s, path) <= hour_s
    refuse_if(over, Fault("elapsed_over_limit", path, {"limit_s": hour_s, "elapsed_s": elapsed_s}))
