"""What the event board says of the check of each minute: what was changed beside Lastcard, and what to do then."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.models import LedgerCheck, Tournament
from tournament.pages.organiser.backups import moment

SHOWN = 5  # of what was found
LATE = timedelta(minutes=5)

Words = str | Promise

# By the code of a finding and, for facts, by the kind of the row.
FOUND: dict[str, Words] = {
    "triggers_missing": gettext_lazy(
        "What keeps the ledger’s rows from being changed was taken out of the database."
    ),
    "ledger_cut": gettext_lazy(
        "The end of the ledger is not the one that was seen before: rows are missing."
    ),
    "sequence_broken": gettext_lazy("A row of the ledger is missing."),
    "chain_broken": gettext_lazy("A row of the ledger was changed."),
    "payload_broken": gettext_lazy("A row of the ledger was changed."),
    "version_altered": gettext_lazy("A result was changed."),
}
FACTS: dict[str, Words] = {
    "play": gettext_lazy("A result was changed, added or deleted."),
    "seat": gettext_lazy("Who sits where was changed."),
    "entry": gettext_lazy("Who takes part, or how, was changed."),
    "membership": gettext_lazy("Who may do what was changed."),
    "decision": gettext_lazy("Who goes through was changed."),
}
ELSE = gettext_lazy("The event or its stages were changed.")


@dataclass(frozen=True, slots=True)
class LedgerSeen:
    """`line` says when the last check was that found nothing; `since` when something was found first, `found` what, in
    words; `late` that no check was made for some minutes. Each may be ""."""

    line: str
    late: str = ""
    since: str = ""
    found: Sequence[Words] = ()


def ledger_seen(tournament: Tournament) -> LedgerSeen | None:
    """How it stands with the check; None for an event that was never checked."""
    check = LedgerCheck.objects.filter(tournament=tournament).first()
    if check is None or check.at is None:
        return None
    at = moment(check.at, tournament)
    if check.found_at is not None:
        words = dict.fromkeys(_words(code, where) for code, where in check.findings)
        return LedgerSeen("", since=moment(check.found_at, tournament), found=list(words)[:SHOWN])
    if tournament.state == Tournament.State.RUNNING and timezone.now() - check.at > LATE:
        return LedgerSeen(
            "", late=_("Whether anything was changed beside Lastcard was checked last at %s.") % at
        )
    return LedgerSeen(_("Ledger checked: %s, nothing was changed beside Lastcard.") % at)


def _words(code: str, where: str) -> Words:
    return FOUND.get(code) or FACTS.get(where.partition(" ")[0], ELSE)
