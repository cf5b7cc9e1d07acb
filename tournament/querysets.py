"""Reads that have a name: querysets of the models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Case, Count, IntegerField, QuerySet, Value, When

if TYPE_CHECKING:
    from tournament.models import Tournament  # noqa: F401 - named in the quoted type below


class TournamentQuerySet(QuerySet["Tournament"]):
    """Tournaments."""

    def listed(self) -> TournamentQuerySet:
        """Those that the public list names."""
        return self.filter(listed=True)

    def running_first(self) -> TournamentQuerySet:
        """Running ones, then planned ones, then finished ones; within each the newest date first."""
        order = Case(
            When(state="running", then=Value(0)),
            When(state="planned", then=Value(1)),
            default=Value(2),
            output_field=IntegerField(),
        )
        return self.order_by(order, "-starts_on", "name", "id")

    def with_sizes(self) -> TournamentQuerySet:
        """With `players`, how many were entered."""
        return self.annotate(players=Count("entries"))
