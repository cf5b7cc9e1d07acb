"""Optimistic locking per field: concurrent editors save only what they changed."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.formats import localize
from django.utils.functional import cached_property

from tournament.forms.fields import was_accepted
from tournament.results import Fault
from tournament.words.faults import fault_text


class MergingForm(forms.BaseForm):
    """A form with the stored state as `initial`. Fields carry the values shown (Django's `show_hidden_initial`); only
    fields that differ from those (`changed_data`) are saved. `cleaned_data` has the stored value of the others.

    A field changed by two people is refused once; saving again overwrites it. `always`: fields in `changes` even if
    unchanged.
    """

    data: Any
    always: frozenset[str] = frozenset()

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.carry()

    def carry(self) -> None:
        """Make the fields carry their stored values; again after adding fields."""
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
            cleaned[name] = self.fields[name].to_python(self._stored(name))
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
    """The fault of a conflict at `path`: another person stored `words`."""
    known = "" if words is None else str(words)
    return Fault("changed_by_other", path, {"value": known}) if known else Fault("emptied_by_other", path)


def merged(
    typed: Mapping[str, str], stored: Mapping[str, str], words: Mapping[str, str] | None = None
) -> tuple[dict[str, str], list[Fault]]:
    """As MergingForm: the changed texts, and a fault per conflict. `typed` has the values shown as `initial-<name>`;
    missing fields stay. `words`: readable stored values."""
    changed, faults = {}, []
    for name, now in stored.items():
        value, seen = typed.get(name, now).strip(), typed.get(f"initial-{name}", now)
        if value != seen:
            changed[name] = value
            if now not in {value, seen}:
                faults.append(by_other(f"/{name}", (words or {}).get(name, now)))
    return changed, faults
