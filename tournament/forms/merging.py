"""Forms of stored values that two people may have open at once: each saves only what it changed."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.formats import localize
from django.utils.functional import cached_property

from tournament.forms.fields import was_accepted
from tournament.results import Fault
from tournament.words.faults import fault_text


class MergingForm(forms.BaseForm):
    """A form whose `initial` is stored now. Its fields carry the values that the page was made from, by Django's
    `show_hidden_initial`: what differs from those is what this person changed (`changed_data`). Everything else has the
    stored value in `cleaned_data`, also a field that was not sent.

    A field that somebody else changed as well is refused once. The form then carries the new value, so that saving it
    again counts. `always`: fields that `changes` gives even if they were not changed, since others depend on them.
    """

    data: Any
    always: frozenset[str] = frozenset()

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.carry()

    def carry(self) -> None:
        """Let the fields carry their stored values; call it again after adding fields."""
        self.data = self.data.copy()
        for name, field in self.fields.items():
            seen, typed = self.add_initial_prefix(name), self.add_prefix(name)
            field.show_hidden_initial = not (
                field.disabled or field.widget.is_hidden or isinstance(field, forms.FileField)
            )
            if self.is_bound and field.show_hidden_initial:
                alone = seen not in self.data  # of a program, which names what it changes
                if alone:
                    self.data[seen] = self._stored(name)
                if alone or field.widget.value_omitted_from_data(self.data, self.files, typed):
                    self.data.setdefault(typed, self.data[seen])

    @cached_property
    def changed_data(self) -> list[str]:
        """The fields that this person changed; hidden ones say nothing of what is stored."""
        return [name for name in super().changed_data if not self.fields[name].widget.is_hidden]

    def clean(self) -> dict[str, Any]:
        """Give the stored value for each field that was not changed, and refuse what two people changed."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        carried = [name for name, field in self.fields.items() if field.show_hidden_initial]
        for name in set(carried) - set(self.changed_data):
            cleaned[name] = self.fields[name].to_python(self._stored(name))
        stale = [name for name in self.changed_data if name in carried and self._is_stale(name)]
        if stale and not was_accepted(self.data):
            for name in stale:
                self.data[self.add_initial_prefix(name)] = self._stored(name)
                self.add_error(name, self._meanwhile(name))
        return cleaned

    def changes(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Give an action's arguments without those of fields that were not changed, which stay as they are when it has
        locked the event."""
        same = {name for name, field in self.fields.items() if field.show_hidden_initial}
        same -= {*self.changed_data, *self.always}
        return {name: value for name, value in arguments.items() if name not in same}

    def _stored(self, name: str) -> str:
        """The stored value as its hidden field says it."""
        field = self.fields[name]
        value = field.prepare_value(self.get_initial_for_field(field, name))
        return str(field.hidden_widget().format_value(value) or "")

    def _is_stale(self, name: str) -> bool:
        """Tell whether the stored value is neither the one that the page was made from nor the one that was typed."""
        seen = str(self.data[self.add_initial_prefix(name)]).replace("\r\n", "\n")
        field = self.fields[name]
        return self._stored(name) != seen and field.has_changed(
            self.get_initial_for_field(field, name), self[name].data
        )

    def _meanwhile(self, name: str) -> str:
        """Say what somebody else wrote into the field."""
        field = self.fields[name]
        stored = field.prepare_value(self.get_initial_for_field(field, name))
        words = dict(getattr(field, "choices", ())).get(stored) or localize(stored)
        return fault_text(by_other(name, words))


def by_other(path: str, words: Any) -> Fault:
    """The fault of what two people changed: somebody else to these `words`."""
    known = "" if words is None else str(words)
    return Fault("changed_by_other", path, {"value": known}) if known else Fault("emptied_by_other", path)


def merged(
    typed: Mapping[str, str], stored: Mapping[str, str], words: Mapping[str, str] | None = None
) -> tuple[dict[str, str], list[Fault]]:
    """What a form that is not one of Django's changes of the `stored` texts, and a fault for each that somebody else
    changed as well, as MergingForm has it. The form may carry what its page was made from as `initial-` and the name;
    what was not `typed` stays. `words` are those for stored texts that say nothing to people."""
    changed, faults = {}, []
    for name, now in stored.items():
        value, seen = typed.get(name, now).strip(), typed.get(f"initial-{name}", now)
        if value != seen:
            changed[name] = value
            if now not in {value, seen}:
                faults.append(by_other(f"/{name}", (words or {}).get(name, now)))
    return changed, faults
