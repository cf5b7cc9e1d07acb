"""What several forms share: the faults of actions at their fields, and a day with a time in the event's time zone."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms

from tournament.results.faults import Fault
from tournament.words.faults import fault_text

MOMENT = "%Y-%m-%dT%H:%M"
MOMENTS = [MOMENT, "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%d.%m.%Y %H:%M", "%d.%m.%Y %H.%M"]


def add_faults(
    form: forms.BaseForm,
    faults: Sequence[Fault],
    *,
    names: Mapping[str, str] | None = None,
    fields: Mapping[str, str] | None = None,
) -> None:
    """Word each fault at its field: the last step of its path (`/settings/target` is `target`), or what `fields` says
    of that step; what belongs to no field of the form is said above it."""
    for fault in faults:
        step = fault.path.rsplit("/", 1)[-1]
        name = (fields or {}).get(step, step)
        form.add_error(name if name in form.fields else None, fault_text(fault, names))


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
