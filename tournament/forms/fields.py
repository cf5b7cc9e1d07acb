"""The common parts of forms: the faults of actions at their fields, choices that follow from rows, days and times."""

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
    """Word each fault at its field: the last step of its path (`/settings/target` is `target`), or the field that
    `fields` gives for that step. A fault of no field is shown above the form. A form asks for its hidden tick
    `public_name_is_right` once a name looks private."""
    for fault in faults:
        if fault.code == "field_private" and RIGHT in form.fields:
            form.fields[RIGHT].widget = forms.CheckboxInput()
        above, _sign, step = fault.path.rpartition("/")
        name, text = (fields or {}).get(step, step), fault_text(fault, names)
        if name not in form.fields and above.strip("/") in form.fields:  # one of several in this field
            name, text = above.strip("/"), f"{step}: {text}"
        form.add_error(name if name in form.fields else None, text)


def right_field() -> forms.BooleanField:
    """The tick `RIGHT` of a form in which somebody types a name that everyone sees."""
    return forms.BooleanField(label=_("Yes, everyone may see it"), required=False, widget=forms.HiddenInput)


def was_accepted(data: Mapping[str, Any], **about: Any) -> bool:
    """Tell whether the command that a form's data carry was accepted before: then nothing is done, and the answer is
    the same."""
    uid = uuid_or_none(str(data.get("command", "")))
    return uid is not None and LedgerRow.objects.filter(command=uid, **about).exists()


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
    value is the reading that was chosen, in ISO, else the text as typed."""

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
    """A day and a time in the time zone that is active, read by `moment_of`; its page shows minutes."""

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
        (reading.isoformat(), said % _clock(reading.astimezone(zone)), at == reading)
        for reading, said in named
    ]


def _clock(local: datetime) -> dict[str, str]:
    return {"time": to_the_minute(local), "offset": local.isoformat()[-6:]}
