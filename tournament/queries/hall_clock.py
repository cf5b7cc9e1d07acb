"""The hall's clock as it is now: which one everybody sees, and for how long a stage would be played by the plan."""

from tournament.models import HallClock, Stage, Tournament
from tournament.queries.programme import Plan
from tournament.results import kind_of

USUAL = 20  # minutes, where nothing is planned


def clock_of(tournament: Tournament) -> HallClock | None:
    """Find the clock that the room sees; None where there is none, once its stage is over, and once the event is."""
    if tournament.state == Tournament.State.FINISHED:
        return None
    row = HallClock.objects.filter(tournament=tournament).select_related("stage", "tournament").first()
    return row if row and (row.stage is None or row.stage.state == Stage.State.RUNNING) else None


def plays_by_clock(stage: Stage) -> bool:
    """Tell whether the room's clock can run for this stage: it is being played, and its games have no clock of their
    own."""
    return stage.state == Stage.State.RUNNING and not kind_of(stage.kind).seats_change


def planned_minutes(stage: Stage) -> int:
    """Give the minutes that the clock of a stage starts with: the planned ones, else the usual ones."""
    return Plan.of(stage.plan).minutes or USUAL
