"""How lists are narrowed: each parameter of an address's query that is a filter."""

from typing import Any
from uuid import UUID

from django_filters import rest_framework as filters
from rest_framework import serializers

from tournament.models import Entry, Incident, LedgerRow, Play, Tournament


class TournamentFilter(filters.FilterSet):  # type: ignore[misc]  # the library has no types
    name = filters.CharFilter(lookup_expr="icontains", help_text="A part of the name.")
    organiser = filters.UUIDFilter(field_name="organiser__uid")
    starts_from = filters.DateFilter(field_name="starts_on", lookup_expr="gte")
    starts_until = filters.DateFilter(field_name="starts_on", lookup_expr="lte")

    class Meta:
        model = Tournament
        fields = ["state", "ruleset", "slug"]


class EntryFilter(filters.FilterSet):  # type: ignore[misc]  # the library has no types
    name = filters.CharFilter(
        field_name="public_name", lookup_expr="icontains", help_text="A part of the name."
    )
    start_number = filters.NumberFilter(min_value=0, max_value=2**31 - 1)

    class Meta:
        model = Entry
        fields = ["club"]


class IncidentFilter(filters.FilterSet):  # type: ignore[misc]  # the library has no types
    table = filters.UUIDFilter(field_name="table__uid")
    entry = filters.UUIDFilter(field_name="entry__uid")

    class Meta:
        model = Incident
        fields = ["kind", "withdrawn"]


class LedgerFilter(filters.FilterSet):  # type: ignore[misc]  # the library has no types
    after = filters.NumberFilter(
        field_name="sequence",
        lookup_expr="gt",
        min_value=0,
        max_value=2**53,
        help_text="Rows after this sequence.",
    )
    by = filters.UUIDFilter(field_name="actor__uid")
    command = filters.UUIDFilter()

    class Meta:
        model = LedgerRow
        fields = ["action"]


class PlayQuery(serializers.Serializer[Any]):
    """The filters of plays, which are facts in memory and no rows."""

    table = serializers.UUIDField(required=False)
    entry = serializers.UUIDField(required=False, help_text="Plays that this player is in.")
    state = serializers.ChoiceField(Play.State.choices, required=False)
    after = serializers.IntegerField(
        required=False, min_value=0, max_value=2**53, help_text="Plays written after this ledger sequence."
    )

    def keeps(self, play: dict[str, Any]) -> bool:
        """Whether a play, as it is answered, fits what was asked for."""
        wanted: dict[str, Any] = self.validated_data
        entry: UUID | None = wanted.get("entry")
        return (
            ("table" not in wanted or play["table"] == str(wanted["table"]))
            and ("state" not in wanted or play["state"] == wanted["state"])
            and ("after" not in wanted or play["version"] > wanted["after"])
            and (entry is None or any(result["entry"] == str(entry) for result in play["results"]))
        )
