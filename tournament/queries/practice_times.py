"""Until when practice lasts, and whose it is."""

from datetime import datetime

from django.utils import timezone

from tournament.models import LedgerRow, Tournament, User
from tournament.models.people import HOST, LASTS
from tournament.words.formats import to_the_minute
from tournament.words.zones import HOME


def until(tournament: Tournament) -> datetime | None:
    """When this practice event is deleted; None for any other event."""
    if not tournament.rehearsal:
        return None
    made = LedgerRow.objects.filter(tournament=tournament, sequence=1, actor__uid=HOST)
    at = made.values_list("at", flat=True).first()
    return at + LASTS if at else None


def ends_at(newcomer: User) -> datetime:
    """When the newcomer's events are deleted."""
    return newcomer.date_joined + LASTS


def said(at: datetime) -> str:
    """That time of day in the zone of the events."""
    return to_the_minute(timezone.localtime(at, HOME))


def events_of(newcomer: User) -> list[Tournament]:
    """The events that the newcomer practises in, in the order in which they were made; none where they are over."""
    return list(Tournament.objects.practice().visible().filter(memberships__user=newcomer).order_by("pk"))
