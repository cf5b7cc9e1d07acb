"""Practice events for newcomers without an account (TRY=1), one per way to play, up to where the newcomer takes over:
unlisted rehearsals, deleted with the newcomer (jobs/upkeep.py). The host's first ledger row identifies and dates them.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from uuid import UUID

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy as _

from tournament import actions
from tournament.actions import Command
from tournament.models import HOST, LASTS, LedgerRow, Tournament, User
from tournament.practice.demo import do, read
from tournament.words.formats import to_the_minute
from tournament.words.text import HOME, home_today

# Files in fixtures/practice, event names; the first is the player's.
PRACTICE_NAMES: Mapping[str, str | Promise] = {
    "match": _("Mattel match"),
    "session": _("KPGUT session"),
    "championship": _("TiTe championship"),
}
PLAYER = 1  # the newcomer's start number


def make(visit: UUID, host: User) -> Iterator[UUID]:
    """Create the visit's events one by one; yields uids."""
    for name, words in PRACTICE_NAMES.items():
        event = read(name, "practice", visit)
        actions.create_tournament(
            Command(event.id("create"), host),
            event.uid,
            name=str(words),
            starts_on=home_today(),
            time_zone=HOME.key,
            ruleset=event.data["ruleset"],
            organiser_name=host.display_name(),
            slug=f"practice-{event.uid.hex[:12]}",  # never reused by another visit
            language=get_language() or "en",
            rehearsal=True,
        )
        players = [
            {"entry": event.entry(number), "name": each}
            for number, each in enumerate(event.data["players"], 1)
        ]
        actions.enter_players(Command(event.id("enter"), host), event.uid, players=players)
        do(event, event.data["steps"], host)
        yield event.uid


def player_in(visit: UUID) -> UUID:
    """Uid of the newcomer's entry."""
    return read(next(iter(PRACTICE_NAMES)), "practice", visit).entry(PLAYER)


# ---- A newcomer's events and their deletion ----


def until(tournament: Tournament) -> datetime | None:
    """Deletion time of a practice event; None for others."""
    if not tournament.rehearsal:
        return None
    made = LedgerRow.objects.filter(tournament=tournament, sequence=1, actor__uid=HOST)
    at = made.values_list("at", flat=True).first()
    return at + LASTS if at else None


def ends_at(newcomer: User) -> datetime:
    """Deletion time of the newcomer's events."""
    return newcomer.date_joined + LASTS


def said(at: datetime) -> str:
    """Time of day in the events' zone."""
    return to_the_minute(timezone.localtime(at, HOME))


def events_of(newcomer: User) -> list[Tournament]:
    """The newcomer's practice events, oldest first."""
    return list(Tournament.objects.practice().visible().filter(memberships__user=newcomer).order_by("pk"))
