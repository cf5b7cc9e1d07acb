"""The hall clock: current one and planned duration."""

from tournament.models import HallClock, Stage, Tournament
from tournament.queries.programme import Plan
from tournament.results import kind_of

USUAL = 20  # minutes, if not planned


def clock_of(tournament: Tournament) -> HallClock | None:
    """The visible clock; None without one or when its stage or the event is over."""
    if tournament.state == Tournament.State.FINISHED:
        return None
    row = HallClock.objects.filter(tournament=tournament).select_related("stage", "tournament").first()
    return row if row and (row.stage is None or row.stage.state == Stage.State.RUNNING) else None


def plays_by_clock(stage: Stage) -> bool:
    """Whether the hall clock can run: the stage is running, and its games have no own clock."""
    return stage.state == Stage.State.RUNNING and not kind_of(stage.kind).seats_change


def planned_minutes(stage: Stage) -> int:
    """Initial minutes of the stage's clock: planned or USUAL."""
    return Plan.of(stage.plan).minutes or USUAL
