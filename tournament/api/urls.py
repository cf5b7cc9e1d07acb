"""API URLs, /api/v1/: all that pages show and do. Only the first ends with a slash.

| topic | module |
| --- | --- |
| viewer, permissions | `auth` |
| base view, HTML, conditional requests | `base` |
| errors | `problems` |
| response contents | `serializers` (schema), `reading` |
| read views | `reads`, `staff` (also tokens, webhooks), `tours` and `seasons` (across events) |
| commands | `writes`; `writing`, `bodies` |
| filters, pagination | `filters` |
| OpenAPI document | `schema`, `texts`, `examples` |
"""

import re

from django.db.models import Count
from django.urls import path, re_path
from rest_framework.permissions import AllowAny

from tournament.api import filters, reading, reads, seasons, serializers, staff, tours
from tournament.api.auth import HeadReferees, Organisers, OrganisersAlone, Referees
from tournament.api.base import UnknownAddress
from tournament.api.reads import EventList, EventRow, EventView, StageList, StageRow, StageView
from tournament.api.schema import SchemaView
from tournament.api.score import ScoreView
from tournament.api.staff import RowsView, TableRowsView
from tournament.api.writing import with_writes
from tournament.models import (
    Announcement,
    Apart,
    Call,
    Delivery,
    Incident,
    Invite,
    LedgerRow,
    Membership,
    Proposal,
    Screen,
    Tick,
    Webhook,
)
from tournament.server.extras import modules

app_name = "v1"

ANYONE = [AllowAny]
EVENT, STAGE, ORGANISER = (
    "tournaments/<uuid:tournament>",
    "stages/<uuid:stage>",
    "organisers/<uuid:organiser>",
)

READS = [
    path("me", reads.MeView.as_view(), name="me"),
    path("tokens", staff.TokensView.as_view(), name="tokens"),
    path("schema", SchemaView.as_view(permission_classes=ANYONE), name="schema"),
    path("score", ScoreView.as_view(permission_classes=ANYONE), name="score"),
    path("tournaments", reads.TournamentsView.as_view(permission_classes=ANYONE), name="tournaments"),
    path(
        EVENT,
        EventView.as_view(
            serializer_class=serializers.TournamentSerializer,
            permission_classes=ANYONE,
            parts=(
                "entries",
                "past-results",
                "stages",
                "programme",
                "clock",
                "registration",
                "incidents",
                "calls",
                "proposals",
                "ledger",
                "checklist",
                "roles",
                "invites",
                "apart",
                "screens",
                "announcements",
                "webhooks",
                "deliveries",
            ),
        ),
        name="tournament",
    ),
    path(
        f"{EVENT}/entries",
        EventList.as_view(
            answer=reading.entries,
            serializer_class=serializers.EntrySerializer,
            filterset_class=filters.EntryFilter,
            permission_classes=ANYONE,
        ),
        name="entries",
    ),
    path(
        f"{EVENT}/past-results",
        EventList.as_view(
            answer=reading.past_results,
            serializer_class=serializers.PastResultSerializer,
            permission_classes=ANYONE,
        ),
        name="past-results",
    ),
    path(
        f"{EVENT}/stages",
        EventList.as_view(
            answer=reading.stages,
            serializer_class=serializers.StageSerializer,
            permission_classes=ANYONE,
        ),
        name="stages",
    ),
    path(
        f"{EVENT}/programme",
        EventView.as_view(
            answer=reading.programme_json,
            serializer_class=serializers.ProgrammeSerializer,
            permission_classes=ANYONE,
        ),
        name="programme",
    ),
    path(
        f"{EVENT}/clock",
        EventView.as_view(
            answer=reading.clock_json,
            serializer_class=serializers.ClockSerializer,
            permission_classes=ANYONE,
        ),
        name="clock",
    ),
    path(
        f"{EVENT}/incidents",
        EventList.as_view(
            answer=reading.incidents,
            serializer_class=serializers.IncidentSerializer,
            filterset_class=filters.IncidentFilter,
            queryset=Incident.objects.none(),
            permission_classes=[Referees],
        ),
        name="incidents",
    ),
    path(
        f"{EVENT}/ledger",
        EventList.as_view(
            answer=reading.ledger,
            serializer_class=serializers.LedgerRowSerializer,
            filterset_class=filters.LedgerFilter,
            queryset=LedgerRow.objects.none(),
            permission_classes=[HeadReferees],
        ),
        name="ledger",
    ),
    path(
        f"{EVENT}/calls",
        TableRowsView.as_view(
            queryset=Call.objects.order_by("at").select_related("table", "play", "answered_by"),
            serializer_class=staff.CallSerializer,
            filterset_class=filters.CallFilter,
            permission_classes=[Referees],
        ),
        name="calls",
    ),
    path(
        f"{EVENT}/proposals",
        TableRowsView.as_view(
            queryset=Proposal.objects.order_by("at").select_related("table"),
            serializer_class=staff.ProposalSerializer,
            filterset_class=filters.ProposalFilter,
            permission_classes=[Referees],
        ),
        name="proposals",
    ),
    path(
        f"{EVENT}/screens",
        RowsView.as_view(
            queryset=Screen.objects.order_by("uid").select_related("stage"),
            serializer_class=staff.ScreenSerializer,
            permission_classes=[Organisers],
        ),
        name="screens",
    ),
    path(
        f"{EVENT}/announcements",
        RowsView.as_view(
            queryset=Announcement.objects.order_by("-at"),
            serializer_class=staff.AnnouncementSerializer,
            permission_classes=ANYONE,
        ),
        name="announcements",
    ),
    path(
        f"{EVENT}/roles",
        RowsView.as_view(
            queryset=Membership.objects.order_by("uid").select_related("user", "table", "invite"),
            serializer_class=staff.MembershipSerializer,
            filterset_class=filters.MembershipFilter,
            permission_classes=[Organisers],
        ),
        name="roles",
    ),
    # An invite's link grants the role: reading needs the same scope.
    path(
        f"{EVENT}/invites",
        RowsView.as_view(
            queryset=Invite.objects.order_by("uid").annotate(accepted=Count("memberships")),
            serializer_class=staff.InviteSerializer,
            filterset_class=filters.InviteFilter,
            permission_classes=[OrganisersAlone],
        ),
        name="invites",
    ),
    path(
        f"{EVENT}/apart",
        RowsView.as_view(
            queryset=Apart.objects.order_by("uid").select_related("first", "second"),
            serializer_class=staff.ApartSerializer,
            permission_classes=[OrganisersAlone],
        ),
        name="apart",
    ),
    path(
        f"{EVENT}/checklist",
        RowsView.as_view(
            queryset=Tick.objects.order_by("at").select_related("by"),
            serializer_class=staff.TickSerializer,
            permission_classes=[HeadReferees],
        ),
        name="checklist",
    ),
    path(
        f"{EVENT}/webhooks",
        staff.SenderView.as_view(
            queryset=Webhook.objects.order_by("made_at"),
            serializer_class=staff.WebhookSerializer,
            permission_classes=[OrganisersAlone],
        ),
        name="webhooks",
    ),
    path(
        f"{EVENT}/deliveries",
        staff.SenderView.as_view(
            serializer_class=staff.DeliverySerializer,
            filterset_class=filters.DeliveryFilter,
            queryset=Delivery.objects.order_by("-made_at").select_related("webhook"),
            event="webhook__tournament",
            permission_classes=[OrganisersAlone],
        ),
        name="deliveries",
    ),
    path(
        f"{EVENT}/registration",
        EventView.as_view(
            answer=staff.registration,
            serializer_class=staff.RegistrationSerializer,
            permission_classes=ANYONE,
        ),
        name="registration",
    ),
    path(f"{ORGANISER}/tour", tours.TourView.as_view(permission_classes=ANYONE), name="tour"),
    path(f"{ORGANISER}/season", tours.SeasonView.as_view(permission_classes=ANYONE), name="season"),
    path(f"{ORGANISER}/ratings", tours.RatingsView.as_view(permission_classes=ANYONE), name="ratings"),
    path(
        f"{ORGANISER}/appearances",
        tours.AppearancesView.as_view(permission_classes=ANYONE),
        name="appearances",
    ),
    path(f"{ORGANISER}/seasons", seasons.SeasonsView.as_view(permission_classes=ANYONE), name="seasons"),
    path(
        "seasons/<uuid:season>/ranking",
        seasons.RankingView.as_view(permission_classes=ANYONE),
        name="ranking",
    ),
    path(
        "entries/<uuid:entry>",
        EventRow.as_view(
            answer=reading.entries,
            lookup_field="entries__uid",
            serializer_class=serializers.EntrySerializer,
            permission_classes=ANYONE,
        ),
        name="entry",
    ),
    path(
        STAGE,
        StageView.as_view(
            serializer_class=serializers.StageSerializer,
            permission_classes=ANYONE,
            parts=("tables", "plays", "standings", "sheets"),
        ),
        name="stage",
    ),
    path(
        f"{STAGE}/tables",
        StageList.as_view(
            answer=reading.tables_json,
            serializer_class=serializers.TableSerializer,
            permission_classes=ANYONE,
        ),
        name="tables",
    ),
    path(f"{STAGE}/plays", reads.PlaysView.as_view(permission_classes=ANYONE), name="plays"),
    path(
        f"{STAGE}/standings",
        StageView.as_view(
            answer=reading.standings_json,
            serializer_class=serializers.StandingsSerializer,
            renderer_classes=reads.ListView.renderer_classes,
            permission_classes=ANYONE,
        ),
        name="standings",
    ),
    path(
        f"{STAGE}/sheets",
        StageView.as_view(
            answer=reading.sheets_json,
            serializer_class=serializers.SheetsSerializer,
            permission_classes=ANYONE,
        ),
        name="sheets",
    ),
    path(
        "tables/<uuid:table>",
        StageRow.as_view(
            answer=reading.tables_json,
            lookup_field="tables__uid",
            serializer_class=serializers.TableSerializer,
            permission_classes=ANYONE,
        ),
        name="table",
    ),
    path(
        "plays/<uuid:play>",
        StageRow.as_view(
            answer=reading.plays_json,
            lookup_field="tables__plays__uid",
            serializer_class=serializers.PlaySerializer,
            permission_classes=ANYONE,
        ),
        name="play",
    ),
    path(
        "incidents/<uuid:incident>",
        EventRow.as_view(
            answer=reading.incidents,
            lookup_field="incidents__uid",
            serializer_class=serializers.IncidentSerializer,
            permission_classes=[Referees],
        ),
        name="incident",
    ),
    *(row for module in modules("api") for row in getattr(module, "READS", [])),
]

ROUTES = {str(each.name): re.sub(r"<uuid:(\w+)>", r"{\1}", str(each.pattern)) for each in READS}
UNKNOWN = UnknownAddress.as_view(permission_classes=ANYONE)

urlpatterns = [
    path(
        "",
        reads.IndexView.as_view(
            routes={**ROUTES, "docs": "docs", "live": "/live/{scope}"}, permission_classes=ANYONE
        ),
        name="index",
    ),
    path("tokens/<uuid:access>", staff.TokenView.as_view(), name="token"),
    *with_writes(READS),
    path("tournaments/<slug:slug>", UNKNOWN),
    re_path(r".*", UNKNOWN),
]
