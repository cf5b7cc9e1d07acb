"""Faults of actions, put at the fields of a Django form that they belong to."""

from collections.abc import Mapping, Sequence

from django import forms

from tournament.results.faults import Fault
from tournament.words.faults import fault_text


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
