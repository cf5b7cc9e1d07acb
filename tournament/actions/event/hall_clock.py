"""The hall's clock: one for the room, started for a stage by those who run it, with extra minutes for single tables.

| now | action | then |
| --- | --- | --- |
| none, a break, or time that is up | `start_hall_clock` | it runs for a stage |
| it runs | `pause_hall_clock` | it stands still |
| none | `pause_hall_clock` | a break |
| it stands still | `resume_hall_clock` | it runs; after a break there is none |
| any | `stop_hall_clock` | none |

It counts from the server's time, so every page shows the same. A stage that is over has no clock any more. KPGUT's
games have clocks of their own (tournament/actions/table/games.py).
"""

from datetime import datetime, timedelta
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from tournament.actions.event.stages import stage_named
from tournament.actions.kernel import Work, action, or_refuse, refuse_if, table_named
from tournament.models import HallClock, Stage
from tournament.models.hall_clock import MOST_EXTRA
from tournament.queries.hall_clock import clock_of, plays_by_clock
from tournament.results import Fault, given, kind_of

__all__ = [
    "extend_hall_clock",
    "give_table_minutes",
    "pause_hall_clock",
    "resume_hall_clock",
    "start_hall_clock",
    "stop_hall_clock",
]

LONGEST = 600  # minutes of a clock
LONGEST_BREAK = timedelta(hours=12)


@action(least="head_referee", says=_("started the hall’s clock"), undo="ledger")
def start_hall_clock(work: Work, *, stage: UUID, minutes: int, last_hand: int = 0) -> None:
    """Start the hall's clock for a stage: this many minutes from now, with the last hand called `last_hand` minutes
    before the end (0: at the end). This ends a break.

    Raises Refused `unknown_stage`, `wrong_kind_of_stage` if the games have their own clocks, `stage_not_running`,
    `clock_runs` until the current clock has stopped or its time is up, `malformed`, and `field_min_value` or
    `field_max_value` at `/minutes` and `/last_hand`.
    """
    row = stage_named(work, stage)
    refuse_if(kind_of(row.kind).seats_change, Fault("wrong_kind_of_stage", "/stage"))
    refuse_if(not plays_by_clock(row), Fault("stage_not_running", "/stage"))
    now = clock_of(work.tournament)
    refuse_if(now and now.stage and not now.over(work.at), Fault("clock_runs", "/stage"))
    length = timedelta(minutes=_between(minutes, "/minutes", 1, LONGEST))
    _between(last_hand, "/last_hand", 0, minutes - 1)
    _set(work, row, ends_at=work.at + length, last_hand=last_hand)


@action(least="head_referee", says=_("paused the hall’s clock"), undo="ledger")
def pause_hall_clock(work: Work, *, goes_on_at: datetime | None = None) -> None:
    """Pause the hall, and say when play resumes if that is known: a running clock stops; without one, a break begins.
    During a pause this changes the time.

    Raises Refused `clock_over` once the time is up, `break_passed` for a time that is not within the next 12 hours.
    """
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
    """Resume: the clock has as many minutes left as when it was paused; a break ends. Raises Refused `no_clock`,
    `clock_runs` if it is not paused."""
    now = _clock(work)
    held_at = or_refuse(now.held_at, Fault("clock_runs"))
    if now.ends_at is None:
        work.delete(now)
    else:
        work.update(now, held_at=None, goes_on_at=None, ends_at=now.ends_at + (work.at - held_at))
    _readers(work)


@action(least="head_referee", says=_("gave all tables more time"), undo="ledger")
def extend_hall_clock(work: Work, *, minutes: int) -> None:
    """Give everyone more minutes: from the end, or from now if the time is up; a break lasts longer.

    Raises Refused `no_clock` (at `/minutes` for a break without a set end), `malformed`, and `field_min_value` or
    `field_max_value` at `/minutes`.
    """
    now = _clock(work)
    more = timedelta(minutes=_between(minutes, "/minutes", 1, MOST_EXTRA))
    if now.ends_at is None:
        goes_on_at = or_refuse(now.goes_on_at, Fault("no_clock", "/minutes"))
        work.update(now, goes_on_at=max(goes_on_at, work.at) + more)
    else:
        ends_at = work.at if now.over(work.at) else now.ends_at
        work.update(now, ends_at=ends_at + more)
    _readers(work)


@action(least="head_referee", says=_("stopped the hall’s clock"), undo="ledger")
def stop_hall_clock(work: Work) -> None:
    """Remove the clock from every page. Raises Refused `no_clock`."""
    work.delete(_clock(work))
    _readers(work)


@action(least="table_referee", says=_("gave a table more time"), undo="ledger")
def give_table_minutes(work: Work, *, table: UUID, minutes: int) -> None:
    """Let one table play this many minutes longer than the hall, in total; 0 ends that.

    Raises Refused `unknown_table`, `no_clock` if no clock runs for the table's stage, `malformed`, and
    `field_min_value` or `field_max_value` at `/minutes`.
    """
    row = table_named(work, table)
    now = _clock(work)
    refuse_if(now.stage_id != row.stage_id, Fault("no_clock"))
    wanted = _between(minutes, "/minutes", 0, MOST_EXTRA)
    others = {number: given for number, given in now.extra.items() if number != str(row.number)}
    work.update(now, extra=others | ({str(row.number): wanted} if wanted else {}))
    _readers(work)


def _set(work: Work, stage: Stage | None, **values: object) -> None:
    """Set the room's one clock, also in the place of one that nobody sees any more."""
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
    """Whoever reads a stage that is being played sees the clock."""
    work.readers_of(*Stage.objects.filter(tournament=work.tournament, state=Stage.State.RUNNING))


def _between(value: object, path: str, least: int, most: int) -> int:
    number = given.whole(value, path)
    refuse_if(number < least, Fault("field_min_value", path, {"limit_value": least}))
    refuse_if(number > most, Fault("field_max_value", path, {"limit_value": most}))
    return number
