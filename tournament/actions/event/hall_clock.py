"""The hall's clock: one per room, started for a stage, with extra minutes per table.

| now | action | then |
| --- | --- | --- |
| none, a break, or time up | `start_hall_clock` | runs |
| runs | `pause_hall_clock` | paused |
| none | `pause_hall_clock` | a break |
| paused | `resume_hall_clock` | runs; none after a break |
| any | `stop_hall_clock` | none |
| time up | `stop_at_bell` | time up; its matches stopped |

A finished stage has none. KPGUT games have their own (tournament/actions/table/games.py).
"""

from datetime import datetime, timedelta
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from tournament.actions.event.stages import stage_named
from tournament.actions.kernel import (
    Work,
    action,
    between,
    do_within,
    or_refuse,
    refuse_if,
    refuse_other_kind,
    table_named,
)
from tournament.actions.table.rounds import stop_match
from tournament.models import MOST_EXTRA, HallClock, Stage
from tournament.queries.programme import bell_stops, clock_of, plays_by_clock
from tournament.results import Fault, kind_of, kinds_in

__all__ = [
    "extend_hall_clock",
    "give_table_minutes",
    "pause_hall_clock",
    "resume_hall_clock",
    "start_hall_clock",
    "stop_at_bell",
    "stop_hall_clock",
]

LONGEST_CLOCK_MINUTES = 600
LONGEST_BREAK = timedelta(hours=12)


@action(least="head_referee", says=_("started the hall’s clock"), undo="ledger")
def start_hall_clock(work: Work, *, stage: UUID, minutes: int, last_hand: int = 0) -> None:
    """Start the clock: `minutes` for a stage, the last hand `last_hand` minutes before the end. This ends a break.
    Refused `wrong_kind_of_stage` (its games have own clocks), `stage_not_running`, `clock_runs`, as `between`."""
    row = stage_named(work, stage)
    by_clock = [kind for kind in kinds_in(work.tournament.ruleset) if not kind_of(kind).timed]
    refuse_other_kind(row.kind, "/stage", by_clock)
    refuse_if(not plays_by_clock(row), Fault("stage_not_running", "/stage"))
    now = clock_of(work.tournament)
    refuse_if(now and now.stage and not now.over(work.at), Fault("clock_runs", "/stage"))
    longest = LONGEST_CLOCK_MINUTES
    with work.faults:
        longest = between(minutes, "/minutes", 1, LONGEST_CLOCK_MINUTES)
    between(last_hand, "/last_hand", 0, longest - 1)
    _set(work, row, ends_at=work.at + timedelta(minutes=longest), last_hand=last_hand)


@action(least="head_referee", says=_("paused the hall’s clock"), undo="ledger")
def pause_hall_clock(work: Work, *, goes_on_at: datetime | None = None) -> None:
    """Pause the clock, begin a break, or change the announced end `goes_on_at`. Refused `clock_over`, `break_passed`
    (not within LONGEST_BREAK)."""
    refuse_if(
        goes_on_at is not None and not work.at < goes_on_at <= work.at + LONGEST_BREAK,
        Fault("break_passed", "/goes_on_at"),
    )
    now = clock_of(work.tournament)
    if now is None:
        _set(work, None, held_at=work.at, goes_on_at=goes_on_at)
        return
    refuse_if(now.over(work.at), Fault("clock_over"))
    work.update(now, held_at=now.held_at or work.at, goes_on_at=goes_on_at)
    _readers(work)


@action(least="head_referee", says=_("started the hall’s clock again"), undo="ledger")
def resume_hall_clock(work: Work) -> None:
    """Resume with the minutes that were left; a break ends. Refused `no_clock`, `clock_runs` (not paused)."""
    now = _clock(work)
    held_at = or_refuse(now.held_at, Fault("clock_runs"))
    if now.ends_at is None:
        work.delete(now)
    else:
        work.update(now, held_at=None, goes_on_at=None, ends_at=now.ends_at + (work.at - held_at))
    _readers(work)


@action(least="head_referee", says=_("gave all tables more time"), undo="ledger")
def extend_hall_clock(work: Work, *, minutes: int) -> None:
    """Add minutes for all, from the end or, if time is up, from now; a break becomes longer. Refused `no_clock` (also
    for a break without end), as `between`."""
    now = _clock(work)
    more = timedelta(minutes=between(minutes, "/minutes", 1, MOST_EXTRA))
    if now.ends_at is None:
        goes_on_at = or_refuse(now.goes_on_at, Fault("no_clock", "/minutes"))
        work.update(now, goes_on_at=max(goes_on_at, work.at) + more)
    else:
        work.update(now, ends_at=(work.at if now.over(work.at) else now.ends_at) + more)
    _readers(work)


@action(least="head_referee", says=_("stopped the hall’s clock"), undo="ledger")
def stop_hall_clock(work: Work) -> None:
    """Remove the clock. Refused `no_clock`."""
    work.delete(_clock(work))
    _readers(work)


@action(least="head_referee", says=_("stopped the matches whose time was up"), undo="at_table")
def stop_at_bell(work: Work) -> None:
    """Stop the matches whose time is up; the totals stand, and late entries still count. Refused `no_clock`,
    `match_over` (none to stop)."""
    tables = bell_stops(_clock(work), work.at)
    refuse_if(not tables, Fault("match_over"))
    for table in tables:
        do_within(work, stop_match, table=table.uid)


@action(least="table_referee", says=_("gave a table more time"), undo="ledger")
def give_table_minutes(work: Work, *, table: UUID, minutes: int) -> None:
    """Set a table's extra minutes in total. Refused `no_clock`, as `between`."""
    row = table_named(work, table)
    now = _clock(work)
    refuse_if(now.stage_id != row.stage_id, Fault("no_clock"))
    wanted = between(minutes, "/minutes", 0, MOST_EXTRA)
    others = {number: more for number, more in now.extra.items() if number != str(row.number)}
    work.update(now, extra=others | ({str(row.number): wanted} if wanted else {}))
    _readers(work)


def _set(work: Work, stage: Stage | None, **values: object) -> None:
    fresh = {"ends_at": None, "held_at": None, "goes_on_at": None, "last_hand": 0, "extra": {}} | values
    row = HallClock.objects.filter(tournament=work.tournament).first()
    if row:
        work.update(row, stage=stage, started_at=work.at, **fresh)
    else:
        work.add(HallClock(tournament=work.tournament, stage=stage, started_at=work.at, **fresh))
    _readers(work)


def _clock(work: Work) -> HallClock:
    return or_refuse(clock_of(work.tournament), Fault("no_clock"))


def _readers(work: Work) -> None:
    work.readers_of(*Stage.objects.filter(tournament=work.tournament, state=Stage.State.RUNNING))
