"""Filters and pagination of lists: each parameter of an address's query.

Pages follow from `limit` and `offset`; `next` and `previous` are the addresses of the neighbouring pages.
"""

from collections.abc import Mapping
from typing import Any

from django.db.models import Model
from django_filters import rest_framework as filters
from rest_framework import serializers
from rest_framework.pagination import LimitOffsetPagination
from rest_framework.request import Request

from tournament.models import Call, Entry, Incident, LedgerRow, Membership, Play, Proposal, Tournament


def filter_of(model: type[Model], fields: str, **more: filters.Filter) -> Any:
    """A filter of the model's rows by these of its fields, named with blanks between, and by `more`."""
    meta = type("Meta", (), {"model": model, "fields": fields.split()})
    return type(f"{model.__name__}Filter", (filters.FilterSet,), {**more, "Meta": meta})


TournamentFilter = filter_of(
    Tournament,
    "state ruleset slug",
    name=filters.CharFilter(lookup_expr="icontains", help_text="Part of the name."),
    organiser=filters.UUIDFilter(field_name="organiser__uid"),
    starts_from=filters.DateFilter(field_name="starts_on", lookup_expr="gte"),
    starts_until=filters.DateFilter(field_name="starts_on", lookup_expr="lte"),
)
EntryFilter = filter_of(
    Entry,
    "club",
    name=filters.CharFilter(field_name="public_name", lookup_expr="icontains", help_text="Part of the name."),
    start_number=filters.NumberFilter(min_value=0, max_value=2**31 - 1),
)
IncidentFilter = filter_of(
    Incident,
    "kind withdrawn",
    table=filters.UUIDFilter(field_name="table__uid"),
    entry=filters.UUIDFilter(field_name="entry__uid"),
)
LedgerFilter = filter_of(
    LedgerRow,
    "action",
    after=filters.NumberFilter(
        field_name="sequence",
        lookup_expr="gt",
        min_value=0,
        max_value=2**53,
        help_text="Rows after this sequence.",
    ),
    by=filters.UUIDFilter(field_name="actor__uid"),
    command=filters.UUIDFilter(),
)
CallFilter = filter_of(
    Call,
    "kind",
    table=filters.UUIDFilter(field_name="table__uid"),
    open=filters.BooleanFilter(
        field_name="answered_at",
        lookup_expr="isnull",
        help_text="True: only calls that nobody has answered yet.",
    ),
)
ProposalFilter = filter_of(Proposal, "state", table=filters.UUIDFilter(field_name="table__uid"))
MembershipFilter = filter_of(
    Membership,
    "role",
    user=filters.UUIDFilter(field_name="user__uid"),
    table=filters.UUIDFilter(field_name="table__uid"),
)


def asked(query: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    """Read the request's query; ValidationError for an unknown parameter or an invalid value."""
    read = query(data=request.query_params)
    read.is_valid(raise_exception=True)
    return dict(read.validated_data)


class PlayQuery(serializers.Serializer[Any]):
    """The filters of plays, which are facts in memory, not rows."""

    table = serializers.UUIDField(required=False)
    entry = serializers.UUIDField(required=False, help_text="Plays with this player.")
    state = serializers.ChoiceField(Play.State.choices, required=False)
    after = serializers.IntegerField(
        required=False, min_value=0, max_value=2**53, help_text="Plays written after this ledger sequence."
    )


def keeps(wanted: Mapping[str, Any], play: Mapping[str, Any]) -> bool:
    """Tell whether a play, as it is answered, passes the filters of `PlayQuery`."""
    return (
        ("table" not in wanted or play["table"] == str(wanted["table"]))
        and ("state" not in wanted or play["state"] == wanted["state"])
        and ("after" not in wanted or play["version"] > wanted["after"])
        and (
            "entry" not in wanted
            or any(result["entry"] == str(wanted["entry"]) for result in play["results"])
        )
    )


class PageQuery(serializers.Serializer[Any]):
    """The requested part of a list."""

    limit = serializers.IntegerField(min_value=1, max_value=500, default=100, help_text="How many to return.")
    offset = serializers.IntegerField(
        min_value=0, max_value=2**31 - 1, default=0, help_text="How many to skip."
    )


class Pages(LimitOffsetPagination):
    """The framework's pagination, except that it refuses an invalid number of rows instead of ignoring it."""

    def get_limit(self, request: Request) -> int:
        """Read the length of a page; ValidationError for a value that `PageQuery` does not accept."""
        return int(asked(PageQuery, request)["limit"])

    def get_offset(self, request: Request) -> int:
        return int(asked(PageQuery, request)["offset"])

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        address = {"type": ["string", "null"], "format": "uri"}
        return {
            "type": "object",
            "required": ["count", "next", "previous", "results"],
            "properties": {
                "count": {"type": "integer", "description": "The number of rows on all pages together."},
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
