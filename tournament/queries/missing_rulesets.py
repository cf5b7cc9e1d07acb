"""System check: events' rulesets are installed unchanged."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error
from django.db import DatabaseError

from rulesets import RULESETS
from tournament.models import Tournament
from tournament.results import grouped

NAMED = 5  # events per message


def events_have_their_rules(databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Report missing or changed rulesets (lastcard.E002)."""
    if not databases:
        return []
    rows = Tournament.objects.order_by("pk").values_list("ruleset", "ruleset_revision", "name")
    try:
        events = grouped(
            ((ruleset, revision), name)
            for ruleset, revision, name in rows.iterator()
            if ruleset not in RULESETS or RULESETS[ruleset].revision != revision
        )
    except DatabaseError:
        return []  # not migrated yet
    found: list[CheckMessage] = []
    for (ruleset, revision), names in events.items():
        there = (
            f"which was changed since: here it is {RULESETS[ruleset].revision}"
            if ruleset in RULESETS
            else "which is not here"
        )
        folder = settings.HOUSE_RULES or "the folder that HOUSE_RULES is to name"
        more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
        found.append(
            Error(
                f"{', '.join(names[:NAMED])}{more}: played by {ruleset}, revision {revision}, {there}.",
                hint=f"Put the file with the id {ruleset} back into {folder} as it was;"
                " what is new needs an id of its own.",
                id="lastcard.E002",
            )
        )
    return found
