"""A day and a time of day in forms, in the event's time zone."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms

MOMENT = "%Y-%m-%dT%H:%M"
MOMENTS = [MOMENT, "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%d.%m.%Y %H:%M", "%d.%m.%Y %H.%M"]


class MomentInput(forms.DateTimeInput):
    """The browser's own field for a day and a time."""

    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format=MOMENT)


def moment_field(label: Any, help_text: Any = "", *, required: bool = False) -> forms.DateTimeField:
    """A day and a time in the time zone that is active."""
    return forms.DateTimeField(
        label=label, help_text=help_text, required=required, widget=MomentInput, input_formats=MOMENTS
    )


def local_time(at: datetime | None, zone: ZoneInfo) -> str:
    """The moment as such a field shows it."""
    return at.astimezone(zone).strftime(MOMENT) if at else ""
