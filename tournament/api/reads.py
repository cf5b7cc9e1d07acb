"""Read views, configured in `urls`. Each reads the version first, all in one snapshot."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import urljoin
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework.generics import GenericAPIView
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api import filters, reading, serializers
from tournament.api.auth import Viewer
from tournament.api.base import ApiView, CsvRenderer, history_of, tag_of, versioned
from tournament.api.reading import Reader
from tournament.api.writing import CommandView
from tournament.models import Entry, Incident, Membership, Stage, Tournament
from tournament.server.database import snapshot

Answer = HttpResponse | Response


class ReadView(CommandView, GenericAPIView[Any]):
    """Resolves objects that the viewer may know of."""

    def reader(self, row: Tournament) -> Reader:
        """Return the tournament's reader. Raises Http404 if hidden."""
        if not self.viewer.finds(row):
            raise Http404
        self.check_object_permissions(self.request, row)
        return Reader.of(self.viewer, row)

    def at_tournament(self, uid: UUID) -> Reader:
        return self.reader(get_object_or_404(Tournament.objects.select_related("organiser"), uid=uid))

    def at_stage(self, **named: Any) -> tuple[Reader, Stage]:
        row = get_object_or_404(Stage.objects.select_related("tournament__organiser"), **named)
        return self.reader(row.tournament), row

    def written(self, answer: Any) -> Any:
        """The response data."""
        return answer


class ListView(ListModelMixin, ReadView):
    """A filtered, paginated list."""

    pagination_class = filters.Pages
    renderer_classes = [*ApiView.renderer_classes, CsvRenderer]
    query_class = filters.PageQuery
    queryset: QuerySet[Any] = Entry.objects.none()

    def page(
        self,
        rows: QuerySet[Any] | Sequence[Any],
        as_json: Callable[[Any], Any] | None = None,
        key: Callable[[Any], str] | None = None,
    ) -> dict[str, Any]:
        """Requested page, through `as_json` or the serializer; in-memory rows sort by `key`."""
        narrowed: Any = (
            self.filter_queryset(rows) if isinstance(rows, QuerySet) else filters.Rows.of(rows, key)
        )
        assert self.paginator is not None
        part = self.paginator.paginate_queryset(narrowed, self.request, view=self) or []
        as_json = as_json or (self.get_serializer().to_representation if isinstance(rows, QuerySet) else dict)
        return dict(self.paginator.get_paginated_response([as_json(row) for row in part]).data)

    def written(self, answer: Any) -> Any:
        """Page of rows, or of (rows, `as_json`)."""
        return self.page(*answer) if isinstance(answer, tuple) else self.page(answer)


class EventView(ReadView):
    """An event's data; `urls` sets most `answer` functions."""

    def get(self, request: Request, tournament: UUID) -> Answer:
        with snapshot():
            reader = self.at_tournament(tournament)
            return versioned(request, reader.tag(), lambda: self.written(self.answer(reader)))

    def answer(self, reader: Reader) -> Any:
        """Return the data; called only if the ETag differs."""
        return self.get_serializer(reader.tournament).data


class EventList(EventView, ListView):
    """An event's list; `answer` returns rows."""


class StageView(ReadView):
    """A stage's data; `urls` sets most `answer` functions."""

    def get(self, request: Request, stage: UUID) -> Answer:
        with snapshot():
            reader, row = self.at_stage(uid=stage)
            tag = reader.tag(row.version)
            return versioned(request, tag, lambda: self.written(self.answer(reader, row)))

    def answer(self, reader: Reader, stage: Stage) -> Any:
        """Return the data; called only if the ETag differs."""
        return reading.stage_json(reader, stage)


class StageList(StageView, ListView):
    """A stage's list; `answer` returns rows."""


class IndexView(ApiView):
    """Index of readable URLs."""

    routes: Mapping[str, str] = {}

    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:
        here = request.build_absolute_uri(reverse("v1:index"))
        return Response({name: urljoin(here, route) for name, route in self.routes.items()})


class TournamentsView(ListView):
    """Listed events and the user's own."""

    queryset = Tournament.objects.none()
    serializer_class = serializers.TournamentSerializer
    filterset_class = filters.TournamentFilter

    def get(self, request: Request) -> Answer:
        with snapshot():
            ledgers = list(Tournament.objects.order_by("pk").values_list("pk", "version", "ledger_head"))
            version = sum(version for _, version, _ in ledgers)
            rows = self._rows().order_by("-starts_on").select_related("organiser")
            tag = tag_of(version, self._sees(), history_of(ledgers))
            return versioned(request, tag, lambda: self.page(rows))

    def _rows(self) -> Any:
        viewer = self.viewer
        rows = Tournament.objects.visible()
        if viewer.token and viewer.token.tournament_id:
            return rows.filter(pk=viewer.token.tournament_id)
        if viewer.user is None:
            return Tournament.objects.listed()
        if viewer.user.is_staff or viewer.user.is_superuser:
            return rows.without_practice()
        own = Membership.objects.filter(user=viewer.user).values("tournament")
        return rows.filter(pk__in=own) | Tournament.objects.listed()

    def _sees(self) -> str:
        user, token = self.viewer.user, self.viewer.token
        if user is None:
            return "everybody"
        staff = "-staff" if user.is_staff or user.is_superuser else ""
        return f"user-{user.uid.hex}{staff}{f'-{token.uid.hex}' if token else ''}"


class EntryView(ReadView):
    """One entry."""

    serializer_class = serializers.EntrySerializer

    def get(self, request: Request, entry: UUID) -> Answer:
        with snapshot():
            found = get_object_or_404(Entry.objects.select_related("tournament"), uid=entry)
            reader = self.reader(found.tournament)
            rows, as_json = reading.entries(reader)
            row = get_object_or_404(rows, uid=entry)
            return versioned(request, reader.tag(), lambda: as_json(row))


class TableView(ReadView):
    """One table of a stage."""

    serializer_class = serializers.TableSerializer

    def get(self, request: Request, table: UUID) -> Answer:
        with snapshot():
            reader, row = self.at_stage(tables__uid=table)
            found = reading.one_of(reading.tables_json(reader, row), table)
            return versioned(request, reader.tag(row.version), lambda: found)


class PlaysView(ListView):
    """A stage's plays (in memory)."""

    serializer_class = serializers.PlaySerializer
    query_class = filters.PlayQuery

    @extend_schema(parameters=[filters.PlayQuery])
    def get(self, request: Request, stage: UUID) -> Answer:
        wanted = filters.asked(filters.PlayQuery, request)
        with snapshot():
            reader, row = self.at_stage(uid=stage)
            plays = (play for play in reading.plays_json(reader, row) if filters.keeps(wanted, play))
            return versioned(
                request, reader.tag(row.version), lambda: self.page(list(plays), key=filters.by_version)
            )


class PlayView(ReadView):
    """One play; the ETag has its own version."""

    serializer_class = serializers.PlaySerializer

    def get(self, request: Request, play: UUID) -> Answer:
        with snapshot():
            reader, row = self.at_stage(tables__plays__uid=play)
            found = reading.one_of(reading.plays_json(reader, row), play)
            return versioned(request, reader.tag(found["version"]), lambda: found)


class IncidentView(ReadView):
    """One incident."""

    serializer_class = serializers.IncidentSerializer

    def get(self, request: Request, incident: UUID) -> Answer:
        with snapshot():
            found = get_object_or_404(Incident.objects.select_related("tournament"), uid=incident)
            reader = self.reader(found.tournament)
            row = get_object_or_404(reading.incident_rows(reader), uid=incident)
            return versioned(request, reader.tag(), lambda: self.get_serializer(row).data)


class MeView(ApiView, GenericAPIView[Any]):
    """The user, token and roles, limited to a token's event."""

    serializer_class = serializers.MeSerializer

    def get(self, request: Request) -> Response:
        viewer = Viewer.of(request)
        assert viewer.user is not None
        with snapshot():
            roles = Membership.objects.filter(user=viewer.user, tournament__put_away=False)
            if viewer.token and viewer.token.tournament_id:
                roles = roles.filter(tournament=viewer.token.tournament_id)
            me = {
                "user": viewer.user,
                "staff": viewer.user.is_staff or viewer.user.is_superuser,
                "token": viewer.token,
                "roles": roles.select_related("tournament", "table").order_by("pk"),
            }
            return Response(self.get_serializer(me).data)
