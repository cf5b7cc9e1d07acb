"""Reads that have a name: querysets of the models."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from django.db.models import Case, Count, F, IntegerField, Q, QuerySet, Value, When

from tournament.practice import HOST

if TYPE_CHECKING:
    from tournament.models import Entry, Seat, Tournament  # noqa: F401 - named in the quoted types below


class TournamentQuerySet(QuerySet["Tournament"]):
    """Tournaments."""

    def listed(self) -> TournamentQuerySet:
        """Those that the public list names."""
        return self.visible().filter(listed=True, rehearsal=False)

    def visible(self) -> TournamentQuerySet:
        """Those that the public can see: all but rehearsals that were put away."""
        return self.filter(put_away=False)

    def practice(self, *, made_by: datetime | None = None) -> TournamentQuerySet:
        """Those that newcomers practise in (tournament/practice/), or of them those that were made by then."""
        made = {"ledger__sequence": 1, "ledger__actor__uid": HOST}
        when = {"ledger__at__lte": made_by} if made_by else {}
        return self.filter(rehearsal=True, **made, **when)

    def without_practice(self) -> TournamentQuerySet:
        """All others."""
        return self.exclude(pk__in=self.model.objects.practice().values("pk"))

    def running_first(self) -> TournamentQuerySet:
        """Running ones, then planned ones, then finished ones; within each the newest date first, but of planned ones
        the next."""
        order = Case(
            When(state="running", then=Value(0)),
            When(state="planned", then=Value(1)),
            default=Value(2),
            output_field=IntegerField(),
        )
        coming = Case(When(state="planned", then=F("starts_on")))
        return self.order_by(order, coming, "-starts_on", "name", "id")

    def with_sizes(self) -> TournamentQuerySet:
        """With `players`, how many take part."""
        asking = ("applied", "waiting", "cancelled")
        return self.annotate(players=Count("entries", filter=~Q(entries__state__in=asking)))


class EntryQuerySet(QuerySet["Entry"]):
    """Entries."""

    def taking_part(self) -> EntryQuerySet:
        """Those in the event, also who is out by now: not who only asked, waits or cancelled."""
        return self.exclude(state__in=self.model.ASKING)

    def to_seat(self) -> EntryQuerySet:
        """Those who can be given a seat: in the event and not out."""
        return self.taking_part().exclude(state__in=self.model.OUT)


class SeatQuerySet(QuerySet["Seat"]):
    """Seats."""

    def playing_on(self) -> SeatQuerySet:
        """Those of who plays on: see `Seat.plays_on`."""
        return self.filter(out_as="").exclude(entry__state="disqualified")
