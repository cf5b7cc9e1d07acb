"""Filters and cursor pagination: cursors name the row before, so that insertions neither lose nor repeat rows."""

from collections.abc import Callable, Collection, Iterable, Mapping
from operator import itemgetter
from typing import Any

from django.core.signing import BadSignature, Signer
from django.utils.translation import gettext as _
from django_filters import rest_framework as filters
from rest_framework import exceptions, pagination, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from tournament.models import Call, Incident, Membership, Play, Proposal, Tournament

PART_OF_NAME = "Part of the name."


class TournamentFilter(filters.FilterSet):
    """Filter of events."""

    name = filters.CharFilter(lookup_expr="icontains", help_text=PART_OF_NAME)
    search = filters.CharFilter(field_name="name", lookup_expr="icontains", help_text=PART_OF_NAME)
    organiser = filters.UUIDFilter(field_name="organiser__uid")
    starts_from = filters.DateFilter(field_name="starts_on", lookup_expr="gte")
    starts_until = filters.DateFilter(field_name="starts_on", lookup_expr="lte")
    ordering = filters.OrderingFilter(fields=["starts_on", "name"])

    class Meta:
        model = Tournament
        fields = ["state", "ruleset", "slug"]


class EntryFilter(filters.FilterSet):
    """Filter of entries."""

    club = filters.CharFilter()
    name = filters.CharFilter(field_name="public_name", lookup_expr="icontains", help_text=PART_OF_NAME)
    search = filters.CharFilter(field_name="public_name", lookup_expr="icontains", help_text=PART_OF_NAME)
    start_number = filters.NumberFilter(min_value=0, max_value=2**31 - 1)
    ordering = filters.OrderingFilter(fields=["start_number", "public_name"])


class TableFilter(filters.FilterSet):
    """Filter of rows by table."""

    table = filters.UUIDFilter(field_name="table__uid")


class IncidentFilter(TableFilter):
    """Filter of incidents."""

    entry = filters.UUIDFilter(field_name="entry__uid")
    kind = filters.ChoiceFilter(choices=Incident.Kind.choices)
    withdrawn = filters.BooleanFilter()


class LedgerFilter(filters.FilterSet):
    """Filter of ledger rows."""

    action = filters.CharFilter()
    after = filters.NumberFilter(
        field_name="sequence",
        lookup_expr="gt",
        min_value=0,
        max_value=2**53,
        help_text="Rows after this sequence.",
    )
    by = filters.UUIDFilter(field_name="actor__uid")
    command = filters.UUIDFilter()


class CallFilter(TableFilter):
    """Filter of referee calls."""

    kind = filters.ChoiceFilter(choices=Call.Kind.choices)
    open = filters.BooleanFilter(
        field_name="answered_at",
        lookup_expr="isnull",
        help_text="True: only calls that nobody has answered yet.",
    )


class ProposalFilter(TableFilter):
    """Filter of proposals."""

    state = filters.ChoiceFilter(choices=Proposal.State.choices)


class InviteFilter(filters.FilterSet):
    """Filter of invites."""

    role = filters.ChoiceFilter(choices=Membership.Role.choices)


class MembershipFilter(InviteFilter, TableFilter):
    """Filter of roles."""

    user = filters.UUIDFilter(field_name="user__uid")


class PageQuery(serializers.Serializer[Any]):
    """The requested part of a list."""

    cursor = serializers.CharField(required=False, help_text="Of `next` or `previous`.")
    limit = serializers.IntegerField(min_value=1, max_value=500, default=100, help_text="How many to return.")


class PlayQuery(PageQuery):
    """The filters of plays, which are facts in memory, not rows."""

    table = serializers.UUIDField(required=False)
    entry = serializers.UUIDField(required=False, help_text="Plays with this player.")
    state = serializers.ChoiceField(Play.State.choices, required=False)
    after = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=2**53,
        help_text="Plays written after this ledger sequence. Read every page, then ask again after the greatest "
        "version: a play that is corrected moves to the end.",
    )


def keeps(wanted: Mapping[str, Any], play: Mapping[str, Any]) -> bool:
    """Whether a play's JSON passes the query."""
    return (
        ("table" not in wanted or play["table"] == str(wanted["table"]))
        and ("state" not in wanted or play["state"] == wanted["state"])
        and ("after" not in wanted or play["version"] > wanted["after"])
        and (
            "entry" not in wanted
            or any(result["entry"] == str(wanted["entry"]) for result in play["results"])
        )
    )


def refuse_unreadable(request: Request, takes: Collection[str]) -> None:
    """Raise ValidationError for parameters that are unknown, repeated or empty: none is ignored."""
    unknown = _("There is no such parameter. This address takes: %(names)s.") % {"names": ", ".join(takes)}
    faults = {
        name: exceptions.ErrorDetail(unknown, "unknown")
        if name not in takes
        else exceptions.ErrorDetail(_("Send this parameter only once."), "repeated")
        if len(values) > 1
        else exceptions.ErrorDetail(_("Give this parameter a value, or leave it out."), "invalid")
        for name, values in request.query_params.lists()
        if name not in takes or len(values) > 1 or not values[0].strip()
    }
    if faults:
        raise exceptions.ValidationError(faults)


class Rows(list[dict[str, Any]]):
    """In-memory rows with the queryset methods that `Pages` uses."""

    @classmethod
    def of(cls, rows: Iterable[Any], key: Callable[[Any], str] | None = None) -> "Rows":
        """Rows sorted by `key`, else in given order."""
        return cls({"key": key(row) if key else f"{n:09}", "row": row} for n, row in enumerate(rows))

    def order_by(self, key: str) -> "Rows":
        return Rows(sorted(self, key=itemgetter("key"), reverse=key.startswith("-")))

    def filter(self, **beyond: str) -> "Rows":
        ((lookup, key),) = beyond.items()
        return Rows(row for row in self if (row["key"] > key if lookup == "key__gt" else row["key"] < key))


class Pages(pagination.CursorPagination):
    """Cursor pagination with total count, strict about parameters. Cursors are signed for list and order."""

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        self.page_size = view.query["limit"]
        in_memory = isinstance(queryset, Rows)
        self.count = len(queryset) if in_memory else queryset.count()
        page = super().paginate_queryset(queryset, request, view) or []
        return [each["row"] for each in page] if in_memory else page

    def get_paginated_response(self, data: Any) -> Response:
        return Response({"count": self.count, **super().get_paginated_response(data).data})

    def get_ordering(self, request: Request, queryset: Any, _view: Any) -> tuple[str, ...]:
        """Total order, first field in the cursor, hence no database key."""
        ordering = ("key",) if isinstance(queryset, Rows) else (*queryset.query.order_by, "pk")
        self.signer = Signer(salt=f"{request.path} {ordering}")
        return ordering

    def decode_cursor(self, request: Request) -> pagination.Cursor | None:
        """Read the cursor. Raises ValidationError for another list's."""
        said = request.query_params.get(self.cursor_query_param)
        try:
            return None if said is None else pagination.Cursor(*self.signer.unsign_object(said))
        except BadSignature:
            raise exceptions.ValidationError(
                {self.cursor_query_param: _("This cursor is not from this list. Start again without it.")}
            ) from None

    def encode_cursor(self, cursor: pagination.Cursor) -> str:
        return replace_query_param(
            str(self.base_url), self.cursor_query_param, self.signer.sign_object(cursor)
        )

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
