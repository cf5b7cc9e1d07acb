"""Read views, configured in `urls`. Each reads the version first, all in one snapshot."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, inline_serializer
from rest_framework import generics, mixins
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BooleanField, CharField, ChoiceField, Serializer, UUIDField

from tournament.extras.programs.api import base, filters, reading, serializers, writing
from tournament.models import Entry, Membership, Stage, Tournament
from tournament.permissions import organisers_of
from tournament.server.database import snapshot

Answer = HttpResponse | Response


class ReadView(writing.CommandView, generics.GenericAPIView[Any]):
    """Data with an ETag. `found`: the ETag and the arguments of `answer`, called only if the ETag differs."""

    found: Callable[..., tuple[Any, ...]]
    answer: Callable[..., Any]
    tagged = True  # False: it changes without a version
    reader: reading.Reader

    def get(self, request: Request, **named: UUID) -> Answer:
        with snapshot():
            tag, *found = self.found(**named)
            return base.versioned(
                request, tag if self.tagged else "", lambda: self.written(self.answer(*found))
            )

    def reader_of(self, row: Tournament) -> reading.Reader:
        """Return the tournament's reader, which serializers ask for. Raises Http404 if hidden."""
        if not self.viewer.finds(row):
            raise Http404
        self.check_object_permissions(self.request, row)
        self.reader = reading.Reader.of(self.viewer, row)
        return self.reader

    def at_tournament(self, **named: Any) -> reading.Reader:
        return self.reader_of(get_object_or_404(Tournament.objects.select_related("organiser"), **named))

    def at_stage(self, **named: Any) -> tuple[reading.Reader, Stage]:
        row = get_object_or_404(Stage.objects.select_related("tournament__organiser"), **named)
        return self.reader_of(row.tournament), row

    def written(self, answer: Any) -> Any:
        return answer


class ListView(mixins.ListModelMixin, ReadView):
    """A filtered, paginated list; `answer` returns rows, which the serializer writes."""

    pagination_class = filters.Pages
    renderer_classes = [*base.ApiView.renderer_classes, base.CsvRenderer]
    query_class = filters.PageQuery
    queryset: QuerySet[Any] = Entry.objects.none()
    key: Callable[[Any], str] | None = None  # of rows in memory

    def written(self, answer: Any) -> dict[str, Any]:
        """The requested page; in-memory rows sort by `key`."""
        in_memory = not isinstance(answer, QuerySet)
        rows: Any = filters.Rows.of(answer, self.key) if in_memory else self.filter_queryset(answer)
        part = self.get_serializer(self.paginate_queryset(rows), many=True)
        return dict(self.get_paginated_response(part.data).data)


class EventView(ReadView):
    """An event's data."""

    def found(self, tournament: UUID) -> tuple[str, reading.Reader]:
        reader = self.at_tournament(uid=tournament)
        return reader.tag(reader.tournament.version), reader

    def answer(self, reader: reading.Reader) -> Any:
        return self.get_serializer(reader.tournament).data


class EventRows(EventView):
    """Rows of `queryset`; `event`: their path to the event; `own_tables`: table referees find those of their own."""

    event = "tournament"
    own_tables = False

    def answer(self, reader: reading.Reader) -> Any:
        rows = self.get_queryset().filter(**{self.event: reader.tournament})
        return rows.filter(table__uid__in=reader.own) if self.own_tables and reader.own is not None else rows


class EventList(EventRows, ListView):
    """An event's list."""


class EventRow(EventRows):
    """One row of an event's list, by its path from the event, `lookup_field`."""

    def get(self, request: Request, **named: UUID) -> Answer:
        ((_name, uid),) = named.items()
        with snapshot():
            reader = self.at_tournament(**{self.lookup_field: uid})
            row = get_object_or_404(self.answer(reader), uid=uid)
            return base.versioned(
                request, reader.tag(reader.tournament.version), lambda: self.get_serializer(row).data
            )


class StageView(ReadView):
    """A stage's data."""

    def found(self, stage: UUID) -> tuple[str, reading.Reader, Stage]:
        reader, row = self.at_stage(uid=stage)
        return reader.tag(row.version), reader, row

    def answer(self, reader: reading.Reader, stage: Stage) -> Any:
        return reading.stage_json(reader, stage)


class StageList(StageView, ListView):
    """A stage's list."""


class StageRow(StageView):
    """One row of a stage's list, by its path from the stage, `lookup_field`. A play's ETag has its own version."""

    def get(self, request: Request, **named: UUID) -> Answer:
        ((_name, uid),) = named.items()
        with snapshot():
            reader, stage = self.at_stage(**{self.lookup_field: uid})
            row = next((row for row in self.answer(reader, stage) if row["uid"] == str(uid)), None)
            if row is None:
                raise Http404
            return base.versioned(request, reader.tag(row.get("version", stage.version)), lambda: row)


class PlaysView(StageList):
    """A stage's plays."""

    serializer_class = serializers.PlaySerializer
    query_class = filters.PlayQuery
    key = staticmethod(lambda play: f"{play['version']:020} {play['uid']}")

    def answer(self, reader: reading.Reader, stage: Stage) -> Any:
        return [play for play in reading.plays_json(reader, stage) if filters.keeps(self.query, play)]


class AnswerView(base.ApiView):
    """Calls `answer` with the request; the same to every viewer."""

    answer: Callable[..., Any] = dict

    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:
        return Response(self.answer(request))


class TournamentsView(ListView):
    """Listed events and the user's own."""

    queryset = Tournament.objects.none()
    serializer_class = serializers.TournamentSerializer
    filterset_class = filters.TournamentFilter

    def found(self) -> tuple[str]:
        user, token = self.viewer.user, self.viewer.token
        sees = (
            f"user-{base.history_of(user.pk, self.viewer.staff, token and token.pk)}" if user else "everybody"
        )
        return (base.tag_of_events(Tournament.objects.all(), sees),)

    def answer(self) -> QuerySet[Tournament]:
        viewer, rows = self.viewer, Tournament.objects.visible()
        if viewer.token and viewer.token.tournament_id:
            rows = rows.filter(pk=viewer.token.tournament_id)
        elif viewer.staff:
            rows = rows.without_practice()
        else:
            own = Membership.objects.filter(user=viewer.user).values("tournament")
            rows = rows.filter(pk__in=own) | Tournament.objects.listed()
        return rows.order_by("-starts_on").select_related("organiser")


class MeSerializer(Serializer[Any]):
    """The viewer."""

    user = serializers.PersonSerializer()
    staff = BooleanField(help_text="May referee every event.")
    token = serializers.TokenSerializer(allow_null=True)
    roles = inline_serializer(
        "Role",
        {
            "tournament": UUIDField(source="tournament.uid"),
            "role": ChoiceField(Membership.Role.choices),
            "table": UUIDField(source="table.uid", allow_null=True, help_text="Null for every table."),
        },
        many=True,
    )
    organisers = inline_serializer(
        "OwnOrganiser",
        {"uid": UUIDField(), "name": CharField()},
        many=True,
        help_text="Those whose events the user organises, for `organiser` of a new event.",
    )


class MeView(base.ApiView, generics.GenericAPIView[Any]):
    """The user, token, roles and organisers, limited to a token's event."""

    serializer_class = MeSerializer

    def get(self, _request: Request) -> Response:
        viewer = self.viewer
        assert viewer.user is not None  # by the permission class
        with snapshot():
            roles = Membership.objects.filter(user=viewer.user, tournament__put_away=False)
            organisers = organisers_of(viewer.user)
            if viewer.token and viewer.token.tournament_id:
                roles = roles.filter(tournament=viewer.token.tournament_id)
                organisers = organisers.filter(tournaments=viewer.token.tournament_id)
            return Response(
                self.get_serializer(
                    {
                        "user": viewer.user,
                        "staff": viewer.staff,
                        "token": viewer.token,
                        "roles": roles.select_related("tournament", "table").order_by("pk"),
                        "organisers": organisers,
                    }
                ).data
            )
