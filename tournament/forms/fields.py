"""The common parts of forms: the faults of actions at their fields, choices that follow from rows, days and times."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.utils.translation import gettext_lazy as _

from tournament.results import Fault
from tournament.words.faults import fault_text

RIGHT = "public_name_is_right"
MOMENT = "%Y-%m-%dT%H:%M"
MOMENTS = [MOMENT, "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%d.%m.%Y %H:%M", "%d.%m.%Y %H.%M"]


def add_faults(
    form: forms.BaseForm,
    faults: Sequence[Fault],
    *,
    names: Mapping[str, str] | None = None,
    fields: Mapping[str, str] | None = None,
) -> None:
    """Word each fault at its field: the last step of its path (`/settings/target` is `target`), or the field that
    `fields` gives for that step. A fault of no field is shown above the form. A form asks for its hidden tick
    `public_name_is_right` once a name looks private."""
    for fault in faults:
        if fault.code == "field_private" and RIGHT in form.fields:
            form.fields[RIGHT].widget = forms.CheckboxInput()
        step = fault.path.rsplit("/", 1)[-1]
        name = (fields or {}).get(step, step)
        form.add_error(name if name in form.fields else None, fault_text(fault, names))


def right_field() -> forms.BooleanField:
    """The tick `RIGHT` of a form in which somebody types a name that everyone sees."""
    return forms.BooleanField(label=_("Yes, everyone may see it"), required=False, widget=forms.HiddenInput)


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


def moment_field(label: Any, help_text: Any = "", *, required: bool = False) -> forms.DateTimeField:
    """A day and a time in the time zone that is active, in the browser's own field for them."""
    return forms.DateTimeField(
        label=label,
        help_text=help_text,
        required=required,
        widget=forms.DateTimeInput({"type": "datetime-local"}, MOMENT),
        input_formats=MOMENTS,
    )


def local_time(at: datetime | None, zone: ZoneInfo) -> str:
    """The moment as such a field shows it."""
    return at.astimezone(zone).strftime(MOMENT) if at else ""
