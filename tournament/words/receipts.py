"""Receipts for stored ledger rows: "7 players entered"."""

from collections.abc import Mapping

from django.utils.translation import ngettext_lazy

from tournament.models import LedgerRow
from tournament.words.faults import action_name

# Actions whose receipt counts: kind of fact, and words.
COUNTED: Mapping[str, tuple[str, object]] = {
    "enter_players": ("entry", ngettext_lazy("%(n)d player entered", "%(n)d players entered", "n")),
    "approve_entries": ("entry", ngettext_lazy("%(n)d player accepted", "%(n)d players accepted", "n")),
    "check_in": ("entry", ngettext_lazy("%(n)d player checked in", "%(n)d players checked in", "n")),
    "no_show": ("entry", ngettext_lazy("%(n)d no-show", "%(n)d no-shows", "n")),
    "accept_plays": ("play", ngettext_lazy("%(n)d result confirmed", "%(n)d results confirmed", "n")),
    "seat_stage": ("table", ngettext_lazy("Seats saved at %(n)d table", "Seats saved at %(n)d tables", "n")),
}


def saved_text(row: LedgerRow) -> str:
    """What the row stored: a count where many are possible, else who did what."""
    kind, words = COUNTED.get(row.action, ("", ""))
    count = sum(facts is not None for facts in row.payload.get(kind, {}).values())
    if count:
        return str(words % {"n": count})  # type: ignore[operator] # a lazy plural, which mypy takes for an object
    return f"{row.actor.display_name()} {action_name(row.action)}"
