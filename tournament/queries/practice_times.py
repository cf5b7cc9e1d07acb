"""The end of a newcomer's practice, and its events."""

from datetime import datetime

from django.utils import timezone

from tournament.models import HOST, LASTS, LedgerRow, Tournament, User
from tournament.words.formats import to_the_minute
from tournament.words.zones import HOME


def until(tournament: Tournament) -> datetime | None:
    """Give the time when this practice event is deleted; None for any other event."""
    if not tournament.rehearsal:
        return None
    made = LedgerRow.objects.filter(tournament=tournament, sequence=1, actor__uid=HOST)
    at = made.values_list("at", flat=True).first()
    return at + LASTS if at else None


def ends_at(newcomer: User) -> datetime:
    """Give the time when the newcomer's events are deleted."""
    return newcomer.date_joined + LASTS


def said(at: datetime) -> str:
    """Write that time of day in the zone of the events."""
    return to_the_minute(timezone.localtime(at, HOME))


def events_of(newcomer: User) -> list[Tournament]:
    """List the events in which the newcomer practises, in the order in which they were made; none if they are over."""
    return list(Tournament.objects.practice().visible().filter(memberships__user=newcomer).order_by("pk"))
