"""Incidents that a referee can choose, in groups."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from rulesets import Penalty, penalties_of
from tournament.models import Incident
from tournament.results import grouped
from tournament.words.penalties import penalty_texts, situation_texts

Kind = Incident.Kind
Text = str | Promise

# Incidents on no sheet, by word in addresses.
ELSE: dict[str, tuple[Incident.Kind, Text]] = {
    "other": (Kind.PENALTY, _("Something else")),
    "warning": (Kind.WARNING, _("A warning")),
    "ejection": (Kind.EJECTION, _("A removal from the game")),  # where the sheet does not eject
    "dispute": (Kind.DISPUTE, _("A dispute")),
    "ruling": (Kind.RULING, _("A question and its ruling")),
}

# The first group takes incidents that no group names.
GROUPS: tuple[tuple[Text, frozenset[str]], ...] = (
    (_("Cards and turns"), frozenset()),
    (
        _("Help and cheating"),
        frozenset(
            {
                "helped",
                "helped_by_spectator",
                "helped_novice",
                "cheated",
                "cheated_noticed_late",
                "marked_card",
            }
        ),
    ),
    (
        _("Conduct and disputes"),
        frozenset({"unsporting", "unsporting_again", "disturbing", "warning", "ejection", "dispute"}),
    ),
    (_("Something else"), frozenset({"ruling", "other"})),
)


@dataclass(frozen=True, slots=True)
class Choice:
    """Incident to choose; `short` distinguishes it within its situation."""

    what: str
    title: Text
    kind: str
    short: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Group of choices. `situations`: (title or "", choices)."""

    title: Text
    situations: list[tuple[str, list[Choice]]]

    @property
    def choices(self) -> list[Choice]:
        return [choice for _title, choices in self.situations for choice in choices]


def choices_of(ruleset: str) -> list[Group]:
    """Incidents on and off the sheet, in groups."""
    found: list[tuple[str, Choice]] = []  # with the situation, or ""
    for row in penalties_of(ruleset):
        situation, short = situation_texts(ruleset, row.code)
        called = penalty_texts(ruleset, row.code)[0]
        found.append((situation, Choice(row.code, called, incident_kind(row), short)))
    named = {choice.what for _title, choice in found}
    kinds = {choice.kind for _title, choice in found}
    found += [
        ("", Choice(what, title, kind))
        for what, (kind, title) in ELSE.items()
        if what not in named and not (what == "ejection" and Kind.EJECTION in kinds)
    ]
    apart = {what for _title, codes in GROUPS for what in codes}
    groups = []
    for title, codes in GROUPS:
        here = [(each, one) for each, one in found if one.what in (codes or named - apart)]
        situations = grouped((situation or choice.what, choice) for situation, choice in here)
        several = [(each if len(choices) > 1 else "", choices) for each, choices in situations.items()]
        groups += [Group(title, several)] if several else []
    return groups


def incident_kind(row: Penalty) -> Incident.Kind:
    """Kind of incident for a sheet's row."""
    if row.code == "dispute":
        return Kind.DISPUTE
    return {"warning": Kind.WARNING, "ejection": Kind.EJECTION}.get(row.kind, Kind.PENALTY)
