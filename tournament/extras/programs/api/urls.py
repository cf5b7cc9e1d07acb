"""API URLs, /api/v1/: all that pages show and do. Only the first ends with a slash.

| topic | module |
| --- | --- |
| viewer, permissions | `auth` |
| base view, HTML, conditional requests | `base` |
| response contents | `serializers` (schema), `reading` |
| read views | `reads`, `staff` (also tokens); across events `extras/season` |
| commands | `writes`; `writing`, `bodies` |
| errors, filters, pagination | `problems`, `filters` |
| OpenAPI document | `schema`, `texts`, `examples` |

No routers: lists lie below events and stages, their rows elsewhere.
"""

import re
from urllib.parse import urljoin

from django.db.models import Count, Value
from django.db.models.functions import Coalesce
from django.urls import path, re_path, reverse
from rest_framework.permissions import AllowAny

from tournament.extras.programs.api import (
    auth,
    base,
    filters,
    reading,
    reads,
    schema,
    score,
    serializers,
    staff,
    writing,
)
from tournament.models import (
    Announcement,
    Apart,
    Call,
    Incident,
    Invite,
    LedgerRow,
    Membership,
    PastResult,
    Proposal,
    Screen,
    Tick,
)
from tournament.server.extras import modules, with_extras

app_name = "v1"

ANYONE = [AllowAny]
EVENT, STAGE = "tournaments/<uuid:tournament>", "stages/<uuid:stage>"

INCIDENTS = {
    "queryset": Incident.objects.order_by("at").select_related("tournament", "table", "play", "entry", "by"),
    "own_tables": True,
    "serializer_class": staff.IncidentSerializer,
    "permission_classes": [auth.Referees],
}

# By name and last part of the address.
EVENT_READS = with_extras(
    "EVENT_READS",
    {
        "entries": reads.EventList.as_view(
            answer=reading.entries,
            serializer_class=serializers.EntrySerializer,
            filterset_class=filters.EntryFilter,
            permission_classes=ANYONE,
        ),
        "past-results": reads.EventList.as_view(
            answer=lambda reader: list(
                PastResult.objects.filter(entry__tournament=reader.tournament).select_related("entry")
            ),
            serializer_class=serializers.PastResultSerializer,
            permission_classes=ANYONE,
        ),
        "stages": reads.EventList.as_view(
            answer=reading.stages,
            serializer_class=serializers.StageSerializer,
            permission_classes=ANYONE,
        ),
        "programme": reads.EventView.as_view(
            answer=reading.programme_json,
            serializer_class=serializers.ProgrammeSerializer,
            permission_classes=ANYONE,
        ),
        "clock": reads.EventView.as_view(
            answer=reading.clock_json,
            serializer_class=serializers.ClockSerializer,
            permission_classes=ANYONE,
        ),
        "incidents": reads.EventList.as_view(
            **INCIDENTS,
            filterset_class=filters.IncidentFilter,
        ),
        "ledger": reads.EventList.as_view(
            queryset=LedgerRow.objects.order_by("sequence")
            .select_related("actor")
            .annotate(reason=Coalesce("note__text", Value(""))),
            serializer_class=staff.LedgerRowSerializer,
            filterset_class=filters.LedgerFilter,
            permission_classes=[auth.HeadReferees],
        ),
        "calls": reads.EventList.as_view(
            queryset=Call.objects.order_by("at").select_related("table", "play", "answered_by"),
            event="table__stage__tournament",
            own_tables=True,
            serializer_class=staff.CallSerializer,
            filterset_class=filters.CallFilter,
            permission_classes=[auth.Referees],
        ),
        "proposals": reads.EventList.as_view(
            queryset=Proposal.objects.order_by("at").select_related("table"),
            event="table__stage__tournament",
            own_tables=True,
            serializer_class=staff.ProposalSerializer,
            filterset_class=filters.ProposalFilter,
            permission_classes=[auth.Referees],
        ),
        "screens": reads.EventList.as_view(
            queryset=Screen.objects.order_by("uid").select_related("stage"),
            serializer_class=staff.ScreenSerializer,
            permission_classes=[auth.Organisers],
        ),
        "announcements": reads.EventList.as_view(
            queryset=Announcement.objects.order_by("-at"),
            serializer_class=staff.AnnouncementSerializer,
            permission_classes=ANYONE,
        ),
        "roles": reads.EventList.as_view(
            queryset=Membership.objects.order_by("uid").select_related("user", "table", "invite"),
            serializer_class=staff.MembershipSerializer,
            filterset_class=filters.MembershipFilter,
            permission_classes=[auth.Organisers],
        ),
        # An invite's link grants the role.
        "invites": reads.EventList.as_view(
            queryset=Invite.objects.order_by("uid").annotate(accepted=Count("memberships")),
            serializer_class=staff.InviteSerializer,
            filterset_class=filters.InviteFilter,
            permission_classes=[auth.OrganisersAlone],
        ),
        "apart": reads.EventList.as_view(
            queryset=Apart.objects.order_by("uid").select_related("first", "second"),
            serializer_class=staff.ApartSerializer,
            permission_classes=[auth.OrganisersAlone],
        ),
        "checklist": reads.EventList.as_view(
            queryset=Tick.objects.order_by("at").select_related("by"),
            serializer_class=staff.TickSerializer,
            permission_classes=[auth.HeadReferees],
        ),
        "registration": reads.EventView.as_view(
            answer=staff.registration,
            serializer_class=staff.RegistrationSerializer,
            permission_classes=ANYONE,
        ),
    },
)
STAGE_READS = {
    "tables": reads.StageList.as_view(
        answer=reading.tables_json,
        serializer_class=serializers.TableSerializer,
        permission_classes=ANYONE,
    ),
    "plays": reads.PlaysView.as_view(permission_classes=ANYONE),
    "standings": reads.StageView.as_view(
        answer=reading.standings_json,
        serializer_class=serializers.StandingsSerializer,
        renderer_classes=reads.ListView.renderer_classes,
        permission_classes=ANYONE,
    ),
    "sheets": reads.StageView.as_view(
        answer=reading.sheets_json,
        serializer_class=serializers.SheetsSerializer,
        permission_classes=ANYONE,
    ),
}

READS = [
    path("me", reads.MeView.as_view(), name="me"),
    path("tokens", staff.TokensView.as_view(), name="tokens"),
    path(
        "schema",
        reads.AnswerView.as_view(answer=lambda _request: schema.document(), permission_classes=ANYONE),
        name="schema",
    ),
    path("score", score.ScoreView.as_view(permission_classes=ANYONE), name="score"),
    path("tournaments", reads.TournamentsView.as_view(permission_classes=ANYONE), name="tournaments"),
    path(
        EVENT,
        reads.EventView.as_view(
            serializer_class=serializers.TournamentSerializer,
            permission_classes=ANYONE,
            parts=tuple(EVENT_READS),
        ),
        name="tournament",
    ),
    *(path(f"{EVENT}/{name}", view, name=name) for name, view in EVENT_READS.items()),
    path(
        "entries/<uuid:entry>",
        reads.EventRow.as_view(
            answer=reading.entries,
            lookup_field="entries__uid",
            serializer_class=serializers.EntrySerializer,
            permission_classes=ANYONE,
        ),
        name="entry",
    ),
    path(
        STAGE,
        reads.StageView.as_view(
            serializer_class=serializers.StageSerializer,
            permission_classes=ANYONE,
            parts=tuple(STAGE_READS),
        ),
        name="stage",
    ),
    *(path(f"{STAGE}/{name}", view, name=name) for name, view in STAGE_READS.items()),
    path(
        "tables/<uuid:table>",
        reads.StageRow.as_view(
            answer=reading.tables_json,
            lookup_field="tables__uid",
            serializer_class=serializers.TableSerializer,
            permission_classes=ANYONE,
        ),
        name="table",
    ),
    path(
        "plays/<uuid:play>",
        reads.StageRow.as_view(
            answer=reading.plays_json,
            lookup_field="tables__plays__uid",
            serializer_class=serializers.PlaySerializer,
            permission_classes=ANYONE,
        ),
        name="play",
    ),
    path(
        "incidents/<uuid:incident>",
        reads.EventRow.as_view(
            **INCIDENTS,
            lookup_field="incidents__uid",
        ),
        name="incident",
    ),
    *(row for module in modules("api") for row in getattr(module, "READS", [])),
]

INDEX = {str(each.name): re.sub(r"<uuid:(\w+)>", r"{\1}", str(each.pattern)) for each in READS} | {
    "docs": "docs",
    "live": "/live/{scope}",
}
UNKNOWN = base.UnknownAddress.as_view(permission_classes=ANYONE, index=INDEX)

urlpatterns = [
    path(
        "",
        reads.AnswerView.as_view(
            answer=lambda request: {
                name: urljoin(request.build_absolute_uri(reverse("v1:index")), route)
                for name, route in INDEX.items()
            },
            permission_classes=ANYONE,
        ),
        name="index",
    ),
    path("tokens/<uuid:access>", staff.TokenView.as_view(), name="token"),
    *writing.with_writes(READS),
    path("tournaments/<slug:slug>", UNKNOWN),
    re_path(r".*", UNKNOWN),
]
