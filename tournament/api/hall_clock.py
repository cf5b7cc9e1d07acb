"""The hall's clock, as everyone in the hall sees it."""

from rest_framework.serializers import DateTimeField, IntegerField, UUIDField

from tournament.api.reading import Json, Reader
from tournament.api.reads import Lazy, ReadView, of_tournament
from tournament.api.shapes import Shape, part_of
from tournament.queries.hall_clock import clock_of


class ClockShape(Shape):
    clock = part_of(
        "RunningClockShape",
        {
            "stage": UUIDField(
                allow_null=True, help_text="The stage that the clock runs for; null in a break."
            ),
            "started_at": DateTimeField(),
            "ends_at": DateTimeField(
                allow_null=True, help_text="When the time is up, unless the clock is paused."
            ),
            "paused_at": DateTimeField(allow_null=True, help_text="When it was paused."),
            "goes_on_at": DateTimeField(allow_null=True, help_text="When play will resume."),
            "last_hand": IntegerField(help_text="Minutes before the end at which the last hand is called."),
            "extra": part_of(
                "ExtraMinutesShape",
                {"table": IntegerField(help_text="The table's number."), "minutes": IntegerField()},
                many=True,
                help_text="Tables with more minutes.",
            ),
        },
        allow_null=True,
        help_text="Null without a clock.",
    )


@of_tournament(ReadView, ClockShape, "The hall's clock")
def clock(_view: ReadView, reader: Reader) -> Lazy:
    """The clock that every page and big screen shows."""
    return lambda: clock_json(reader)


def clock_json(reader: Reader) -> Json:
    row = clock_of(reader.tournament)
    if row is None:
        return {"clock": None}
    extra = sorted((int(number), minutes) for number, minutes in row.extra.items())
    facts = {
        "stage": str(row.stage.uid) if row.stage else None,
        "started_at": row.started_at,
        "ends_at": row.ends_at,
        "paused_at": row.held_at,
        "goes_on_at": row.goes_on_at,
        "last_hand": row.last_hand,
        "extra": [{"table": number, "minutes": minutes} for number, minutes in extra],
    }
    return {"clock": facts}
