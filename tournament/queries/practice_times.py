"""A newcomer's practice events and their deletion."""

from datetime import datetime

from django.utils import timezone

from tournament.models import HOST, LASTS, LedgerRow, Tournament, User
from tournament.words.formats import to_the_minute
from tournament.words.text import HOME


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
