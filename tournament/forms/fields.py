"""Shared form parts: faults, choices, days and times."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy as _

from tournament.models import LedgerRow
from tournament.results import (
    Fault,
    Refused,
    moment_of,
    readings,
    unclear,
    uuid_or_none,
    wall_time,
)
from tournament.words.faults import fault_text
from tournament.words.formats import to_the_minute

RIGHT = "public_name_is_right"
MOMENT = "%Y-%m-%dT%H:%M"


def add_faults(
    form: forms.BaseForm,
    faults: Sequence[Fault],
    *,
    names: Mapping[str, str] | None = None,
    fields: Mapping[str, str] | None = None,
) -> None:
    """Add each fault to the field named by its path's last step (`/settings/target`: `target`), mapped by `fields` (or
    the whole path), else to the form. `field_private` shows the hidden tick `public_name_is_right`."""
    for fault in faults:
        if fault.code == "field_private" and RIGHT in form.fields:
            form.fields[RIGHT].widget = forms.CheckboxInput()
        above, _sign, step = fault.path.rpartition("/")
        mapped = fields or {}
        name, text = mapped.get(fault.path) or mapped.get(step, step), fault_text(fault, names)
        field = above.rpartition("/")[2]
        if name not in form.fields and field in form.fields:  # one of several values in one field
            name, text = field, f"{step}: {text}"
        form.add_error(name if name in form.fields else None, text)


def right_field() -> forms.BooleanField:
    """The tick `RIGHT` of a public name that looks private."""
    return forms.BooleanField(label=_("Yes, everyone may see it"), required=False, widget=forms.HiddenInput)


def was_accepted(data: Mapping[str, Any], **about: Any) -> bool:
    """Whether the command in `data` was accepted before. `about`: row filters."""
    uid = uuid_or_none(str(data.get("command", "")))
    return uid is not None and LedgerRow.objects.filter(command=uid, **about).exists()


def offer(form: forms.BaseForm, name: str, choices: Iterable[tuple[str, Any]]) -> None:
    """Set the choices, as (value, label), of the field `name`."""
    field = form.fields[name]
    assert isinstance(field, forms.ChoiceField)
    field.choices = list(choices)


def day_field(label: Any, help_text: Any = "", autocomplete: str = "", **more: Any) -> forms.DateField:
    """Native date input."""
    attributes = {"type": "date", **({"autocomplete": autocomplete} if autocomplete else {})}
    return forms.DateField(
        label=label,
        help_text=help_text,
        widget=forms.DateInput(attributes, "%Y-%m-%d"),
        input_formats=["%Y-%m-%d", "%d.%m.%Y"],
        **more,
    )


def time_field(label: Any, help_text: Any = "") -> forms.TimeField:
    """Native time input, optional."""
    return forms.TimeField(
        label=label,
        help_text=help_text,
        required=False,
        widget=forms.TimeInput({"type": "time"}, "%H:%M"),
        input_formats=["%H:%M", "%H:%M:%S", "%H.%M"],
    )


class MomentInput(forms.DateTimeInput):
    """Native date-time input; offers both readings when clocks change. Value: the chosen reading (ISO), else the
    text."""

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Any:
        typed, chosen = super().value_from_datadict(data, files, name) or "", data.get(f"clock-{name}")
        offered = offered_readings(typed, timezone.get_current_timezone())
        return chosen if chosen in [value for value, *_words in offered] else typed

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> Any:
        zone = timezone.get_current_timezone()
        at = value.astimezone(UTC) if isinstance(value, datetime) else wall_time(value or "")
        shown = local_time(at, zone) if at and at.tzinfo else value
        context = {"name": name, "readings": offered_readings(at, zone)}
        return super().render(name, shown, attrs, renderer) + render_to_string(
            "components/_readings.html", context
        )


class MomentField(forms.DateTimeField):
    """Date and time in the active time zone (`moment_of`), to the minute."""

    def prepare_value(self, value: Any) -> Any:
        return (
            timezone.localtime(value).replace(second=0, microsecond=0)
            if isinstance(value, datetime)
            else value
        )

    def to_python(self, value: Any) -> datetime | None:
        try:
            return moment_of(value, timezone.get_current_timezone()) if value else None
        except Refused as refused:
            raise ValidationError([fault_text(fault) for fault in refused.faults]) from None


def moment_field(label: Any, help_text: Any = "", *, required: bool = False) -> MomentField:
    """A MomentField with native input."""
    return MomentField(
        label=label,
        help_text=help_text,
        required=required,
        widget=MomentInput({"type": "datetime-local"}, MOMENT),
    )


def local_time(at: datetime | None, zone: tzinfo) -> str:
    """A moment as the text of a `moment_field`."""
    return at.astimezone(zone).strftime(MOMENT) if at else ""


def offered_readings(typed: datetime | str | None, zone: tzinfo) -> list[tuple[str, str, bool]]:
    """Both readings of an ambiguous or skipped local time, as (value, label, `typed`); else empty."""
    at = typed if isinstance(typed, datetime) else wall_time(typed or "")
    wall = at and (at.astimezone(zone) if at.tzinfo else at).replace(tzinfo=None)
    if not wall or not (code := unclear(wall, zone)):
        return []
    words = [
        gettext("%(time)s, summer time (UTC%(offset)s)"),
        gettext("%(time)s, winter time (UTC%(offset)s)"),
    ]
    named = zip(readings(wall, zone), words if code == "time_twice" else reversed(words), strict=True)
    return [
        (
            reading.isoformat(),
            said % {"time": to_the_minute(local), "offset": local.isoformat()[-6:]},
            at == reading,
        )
        for reading, said in named
        for local in [reading.astimezone(zone)]
    ]
