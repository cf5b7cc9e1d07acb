"""Shared form parts: faults, choices, days and times."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from typing import Any
from uuid import UUID

from django import forms
from django.core.exceptions import ValidationError
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.formats import localize
from django.utils.functional import cached_property
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
    fields: Mapping[str, str] | None = None,
) -> None:
    """Add each fault to the field of its path's last step (`/settings/target`: `target`) or by `fields` (step or whole
    path), else to the form. `field_private` shows the hidden tick RIGHT."""
    for fault in faults:
        if fault.code == "field_private" and RIGHT in form.fields:
            form.fields[RIGHT].widget = forms.CheckboxInput()
        above, _sign, step = fault.path.rpartition("/")
        mapped = fields or {}
        name, text = mapped.get(fault.path) or mapped.get(step, step), fault_text(fault)
        field = above.rpartition("/")[2]
        if name not in form.fields and field in form.fields:  # one of several values in one field
            name, text = field, f"{step}: {text}"
        form.add_error(name if name in form.fields else None, text)


def right_field() -> forms.BooleanField:
    """The tick RIGHT of a public name that looks private."""
    return forms.BooleanField(label=_("Yes, everyone may see it"), required=False, widget=forms.HiddenInput)


def was_accepted(data: Mapping[str, Any], **about: Any) -> bool:
    """Whether the command in `data` was accepted before, by these filters."""
    uid = uuid_or_none(str(data.get("command", "")))
    return uid is not None and LedgerRow.objects.filter(command=uid, **about).exists()


def offer(form: forms.BaseForm, name: str, choices: Iterable[tuple[str | UUID, Any]]) -> None:
    """Set choices, as (value, label)."""
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


def time_field(label: Any) -> forms.TimeField:
    """Native time input, optional."""
    return forms.TimeField(
        label=label,
        required=False,
        widget=forms.TimeInput({"type": "time"}, "%H:%M"),
        input_formats=["%H:%M", "%H:%M:%S", "%H.%M"],
    )


class MomentInput(forms.DateTimeInput):
    """Native date-time input that offers both readings when clocks change. Value: the chosen (ISO), else the text."""

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Any:
        typed, chosen = super().value_from_datadict(data, files, name) or "", data.get(f"clock-{name}")
        offered = offered_readings(typed, timezone.get_current_timezone())
        return chosen if chosen in [value for value, *_words in offered] else typed

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> Any:
        zone = timezone.get_current_timezone()
        at = value.astimezone(UTC) if isinstance(value, datetime) else wall_time(value or "")
        shown = local_time(at, zone) if at and at.tzinfo else value
        return super().render(name, shown, attrs, renderer) + render_to_string(
            "components/_readings.html", {"name": name, "readings": offered_readings(at, zone)}
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
    """A moment as text of a `moment_field`."""
    return at.astimezone(zone).strftime(MOMENT) if at else ""


def offered_readings(typed: datetime | str | None, zone: tzinfo) -> list[tuple[str, str, bool]]:
    """Both readings of an ambiguous or skipped local time, as (value, label, `typed`)."""
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


# ---- Optimistic locking per field ----


class MergingForm(forms.BaseForm):
    """A form with the stored state as `initial`. Fields carry the values shown (`show_hidden_initial`); only those
    that differ (`changed_data`) are saved, `cleaned_data` has the stored value of the others.

    A field changed by two people is refused once; saving again overwrites it. `always`: fields in `changes` even if
    unchanged.
    """

    data: Any
    always: frozenset[str] = frozenset()

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.carry()

    def carry(self) -> None:
        """Make the fields carry their stored values; again after adding some."""
        self.data = self.data.copy()
        for name, field in self.fields.items():
            seen, typed = self.add_initial_prefix(name), self.add_prefix(name)
            field.show_hidden_initial = not (
                field.disabled or field.widget.is_hidden or isinstance(field, forms.FileField)
            )
            if self.is_bound and field.show_hidden_initial:
                alone = seen not in self.data  # by a program
                if alone:
                    self.data[seen] = self._stored(name)
                if alone or field.widget.value_omitted_from_data(self.data, self.files, typed):
                    self.data.setdefault(typed, self.data[seen])

    @cached_property
    def changed_data(self) -> list[str]:
        """Fields that this person changed, without hidden ones."""
        return [name for name in super().changed_data if not self.fields[name].widget.is_hidden]

    def clean(self) -> dict[str, Any]:
        """Fill unchanged fields from the stored state; refuse conflicts."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        carried = [name for name, field in self.fields.items() if field.show_hidden_initial]
        for name in set(carried) - set(self.changed_data):
            field = self.fields[name]
            initial = self.get_initial_for_field(field, name)  # a list is one word in the form
            cleaned[name] = initial if isinstance(initial, list) else field.to_python(self._stored(name))
        if was_accepted(self.data):
            return cleaned
        for name in [name for name in self.changed_data if name in carried]:
            field, seen = self.fields[name], self.add_initial_prefix(name)
            initial, stored = self.get_initial_for_field(field, name), self._stored(name)
            same = stored == str(self.data[seen]).replace("\r\n", "\n")
            if not same and field.has_changed(initial, self[name].data):
                self.data[seen] = stored
                self.add_error(name, self._meanwhile(name))
        return cleaned

    def changes(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Arguments without unchanged fields."""
        same = {name for name, field in self.fields.items() if field.show_hidden_initial}
        same -= {*self.changed_data, *self.always}
        return {name: value for name, value in arguments.items() if name not in same}

    def _stored(self, name: str) -> str:
        field = self.fields[name]
        value = field.prepare_value(self.get_initial_for_field(field, name))
        return str(field.hidden_widget().format_value(value) or "")

    def _meanwhile(self, name: str) -> str:
        field = self.fields[name]
        stored = field.prepare_value(self.get_initial_for_field(field, name))
        choices = dict(getattr(field, "choices", ()))
        if isinstance(stored, list):
            words = ", ".join(str(choices.get(each, each)) for each in stored)
        else:
            words = choices.get(stored) or localize(stored)
        return fault_text(by_other(name, words))


def by_other(path: str, words: Any) -> Fault:
    """A conflict at `path`: another person stored `words`."""
    known = "" if words is None else str(words)
    return Fault("changed_by_other", path, {"value": known}) if known else Fault("emptied_by_other", path)


def merged(
    typed: Mapping[str, str], stored: Mapping[str, str], words: Mapping[str, str] | None = None
) -> tuple[dict[str, str], list[Fault]]:
    """As MergingForm: the changed texts, and a fault per conflict. `initial-<name>` in `typed`: the value shown;
    missing fields stay. `words`: readable stored values."""
    changed, faults = {}, []
    for name, now in stored.items():
        value, seen = typed.get(name, now).strip(), typed.get(f"initial-{name}", now)
        if value != seen:
            changed[name] = value
            if now not in {value, seen}:
                faults.append(by_other(f"/{name}", (words or {}).get(name, now)))
    return changed, faults
