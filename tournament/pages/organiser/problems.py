"""Faults of a whole stage in words: each says at which table."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext

from tournament.models import Entry, Tournament
from tournament.pages.errors import Problem
from tournament.results.faults import Fault
from tournament.words.faults import fault_text


def problems(faults: Sequence[Fault], names: Mapping[str, str]) -> list[Problem]:
    """The lines of the summary; a fault at `/tables/<number>` names the table, one at `/settings/<name>` leads to its
    field."""
    return [Problem(_text(fault, names), _field(fault)) for fault in faults]


def _field(fault: Fault) -> str:
    steps = fault.path.split("/")
    return f"#id_{steps[2]}" if steps[1:2] == ["settings"] and len(steps) == 3 else ""


def _text(fault: Fault, names: Mapping[str, str]) -> str:
    text = fault_text(fault, names)
    steps = fault.path.split("/")
    if len(steps) > 2 and steps[1] == "tables" and "table" not in fault.parameters:
        return gettext("Table %(number)s: %(text)s") % {"number": steps[2], "text": text}
    return text


def names_in(tournament: Tournament) -> dict[str, str]:
    """Public names of the tournament by uid."""
    return {
        str(uid): name
        for uid, name in Entry.objects.filter(tournament=tournament).values_list("uid", "public_name")
    }
