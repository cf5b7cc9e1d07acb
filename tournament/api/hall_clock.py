"""The room's clock, as everybody in the room sees it."""

from rest_framework.serializers import DateTimeField, IntegerField, UUIDField

from tournament.api.reading import Json, Reader
from tournament.api.reads import Lazy, ReadView, of_tournament
from tournament.api.shapes import Shape, part_of
from tournament.queries.hall_clock import clock_of


class ClockShape(Shape):
    clock = part_of(
        "RunningClockShape",
        {
            "stage": UUIDField(allow_null=True, help_text="What it runs for; null in a break."),
            "started_at": DateTimeField(),
            "ends_at": DateTimeField(allow_null=True, help_text="When the time is up, had nobody paused it."),
            "paused_at": DateTimeField(allow_null=True, help_text="Since when it stands still."),
            "goes_on_at": DateTimeField(allow_null=True, help_text="When play is to go on."),
            "last_hand": IntegerField(help_text="Minutes before the end at which the last hand is called."),
            "extra": part_of(
                "ExtraMinutesShape",
                {"table": IntegerField(help_text="Its number."), "minutes": IntegerField()},
                many=True,
                help_text="Tables that play longer.",
            ),
        },
        allow_null=True,
        help_text="Null while there is none.",
    )


@of_tournament(ReadView, ClockShape, "The clock of the room")
def clock(_view: ReadView, reader: Reader) -> Lazy:
    """As every page and the wall show it."""
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
