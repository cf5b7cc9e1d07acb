"""How lists are narrowed and divided: each parameter of an address's query.

They are divided by `limit` and `offset`; `next` and `previous` are the addresses of the parts beside this one.
"""

from typing import Any
from uuid import UUID

from django_filters import rest_framework as filters
from rest_framework import serializers
from rest_framework.pagination import LimitOffsetPagination
from rest_framework.request import Request

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


class PageQuery(serializers.Serializer[Any]):
    """Which part of a list is asked for."""

    limit = serializers.IntegerField(min_value=1, max_value=500, default=100, help_text="How many at once.")
    offset = serializers.IntegerField(
        min_value=0, max_value=2**31 - 1, default=0, help_text="After how many."
    )


class Pages(LimitOffsetPagination):
    """The framework's own, but that it refuses what is no number of rows instead of passing over it."""

    def get_limit(self, request: Request) -> int:
        """How many at once; ValidationError for what `PageQuery` does not take."""
        return self._asked(request)["limit"]

    def get_offset(self, request: Request) -> int:
        return self._asked(request)["offset"]

    def _asked(self, request: Request) -> dict[str, int]:
        query = PageQuery(data=request.query_params)
        query.is_valid(raise_exception=True)
        asked: dict[str, int] = query.validated_data
        return asked

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        address = {"type": ["string", "null"], "format": "uri"}
        return {
            "type": "object",
            "required": ["count", "next", "previous", "results"],
            "properties": {
                "count": {"type": "integer", "description": "How many there are in all pages."},
                "next": address,
                "previous": address,
                "results": schema,
            },
        }

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        """The two parameters, as `PageQuery` takes them."""
        del view
        return [
            {
                "name": name,
                "required": False,
                "in": "query",
                "description": str(field.help_text),
                "schema": {
                    "type": "integer",
                    "minimum": field.min_value,
                    "maximum": field.max_value,
                    "default": field.default,
                },
            }
            for name, field in PageQuery().fields.items()
            if isinstance(field, serializers.IntegerField)
        ]
