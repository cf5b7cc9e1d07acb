"""The state of an installation: its first account, the rulesets of its events."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.core.checks import CheckMessage, Error
from django.db import DatabaseError

from rulesets import RULESETS
from tournament.links import holds, token_for
from tournament.models import Tournament, User
from tournament.results import grouped

INSTALLATION = UUID("00000000-0000-0000-0000-000000000001")  # names no row


def somebody_can_sign_in() -> bool:
    """Whether an active account has a password."""
    return User.objects.exclude(password__startswith=UNUSABLE_PASSWORD_PREFIX).filter(is_active=True).exists()


def first_account_token() -> str:
    """Token of the first-account link."""
    return token_for("first", INSTALLATION)


def is_first_account_token(token: str) -> bool:
    """Whether this is the link's token, even if used."""
    return holds(token, "first", INSTALLATION)


# ---- System check: events' rulesets are installed unchanged ----


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
