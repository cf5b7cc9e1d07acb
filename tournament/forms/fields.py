"""The common parts of forms: the faults of actions at their fields, choices that follow from rows, days and times."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from tournament.results import Fault, Refused, moment_of, readings, wall_time
from tournament.words.faults import fault_text
from tournament.words.formats import to_the_minute

MOMENT = "%Y-%m-%dT%H:%M"


def add_faults(
    form: forms.BaseForm,
    faults: Sequence[Fault],
    *,
    names: Mapping[str, str] | None = None,
    fields: Mapping[str, str] | None = None,
) -> None:
    """Word each fault at its field: the last step of its path (`/settings/target` is `target`), or the field that
    `fields` gives for that step. A fault of no field is shown above the form."""
    for fault in faults:
        step = fault.path.rsplit("/", 1)[-1]
        name = (fields or {}).get(step, step)
        form.add_error(name if name in form.fields else None, fault_text(fault, names))


def offer(form: forms.BaseForm, name: str, choices: Iterable[tuple[str, Any]]) -> None:
    """Let people choose among these (value, words) in the field of this name."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = list(choices)


def day_field(label: Any, help_text: Any = "", autocomplete: str = "", **more: Any) -> forms.DateField:
    """A day, in the browser's own field for it."""
    attributes = {"type": "date", **({"autocomplete": autocomplete} if autocomplete else {})}
    return forms.DateField(
        label=label,
        help_text=help_text,
        widget=forms.DateInput(attributes, "%Y-%m-%d"),
        input_formats=["%Y-%m-%d", "%d.%m.%Y"],
        **more,
    )


def time_field(label: Any, help_text: Any = "") -> forms.TimeField:
    """A time of day that may be left empty, in the browser's own field for it."""
    return forms.TimeField(
        label=label,
        help_text=help_text,
        required=False,
        widget=forms.TimeInput({"type": "time"}, "%H:%M"),
        input_formats=["%H:%M", "%H:%M:%S", "%H.%M"],
    )


class MomentInput(forms.DateTimeInput):
    """The browser's own field for a day and a time, and a choice between two readings where the clocks change. Its
    value is the moment in ISO, or the text as typed if that has no single reading."""

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Any:
        typed, zone = super().value_from_datadict(data, files, name), timezone.get_current_timezone()
        try:
            return moment_of(str(typed), zone, chosen=str(data.get(f"clock-{name}"))).isoformat()
        except Refused:
            return typed

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        zone = timezone.get_current_timezone()
        at = value.replace(tzinfo=zone) if isinstance(value, datetime) else value
        if isinstance(value, str):
            with suppress(Refused):
                at = moment_of(value, zone)
        shown = super().render(
            name, local_time(at, zone) if isinstance(at, datetime) else at, attrs, renderer
        )
        context = {"name": name, "readings": offered_readings(at, zone)}
        return shown + render_to_string("components/_readings.html", context)


class MomentField(forms.DateTimeField):
    """A day and a time in the time zone that is active, read by `moment_of`."""

    def to_python(self, value: Any) -> datetime | None:
        if not value or isinstance(value, datetime):
            return super().to_python(value)
        try:
            return moment_of(value, timezone.get_current_timezone())
        except Refused as refused:
            raise ValidationError([fault_text(fault) for fault in refused.faults]) from None


def moment_field(label: Any, help_text: Any = "", *, required: bool = False) -> MomentField:
    """A day and a time in the time zone that is active, in the browser's own field for them."""
    return MomentField(
        label=label,
        help_text=help_text,
        required=required,
        widget=MomentInput({"type": "datetime-local"}, MOMENT),
    )


def local_time(at: datetime | None, zone: tzinfo) -> str:
    """The moment as such a field shows it."""
    return at.astimezone(zone).strftime(MOMENT) if at else ""


def offered_readings(typed: datetime | str | None, zone: tzinfo) -> list[tuple[str, str, bool]]:
    """Offer both readings of a typed time or of a moment where the clocks change, as (value, words, whether it is that
    moment); none for other times."""
    try:
        at = typed if isinstance(typed, datetime) else wall_time(typed or "")
    except Refused:
        return []
    found = readings((at.astimezone(zone) if at.tzinfo else at).replace(tzinfo=None), zone)
    local = [reading.astimezone(zone) for reading in found if len(found) > 1]
    summer = max((each.utcoffset() or timedelta() for each in local), default=None)
    offered = []
    for reading, each in zip(found, local, strict=False):
        words = (
            gettext("%(time)s, summer time (UTC%(offset)s)")
            if each.utcoffset() == summer
            else gettext("%(time)s, winter time (UTC%(offset)s)")
        )
        said = words % {"time": to_the_minute(each), "offset": each.isoformat()[-6:]}
        offered.append((reading.isoformat(), said, bool(at.tzinfo) and at.astimezone(UTC) == reading))
    return offered
