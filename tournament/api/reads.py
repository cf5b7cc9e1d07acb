"""What each address answers to GET. Each reads the version first and everything else as of the same moment."""

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.generics import GenericAPIView
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api import filters, reading, shapes
from tournament.api.auth import Role, Viewer
from tournament.api.base import ApiView
from tournament.api.paging import Pages
from tournament.api.reading import Json, Reader
from tournament.api.versions import history_of, tag_of, versioned
from tournament.models import Entry, Incident, LedgerRow, Membership, Play, Stage, Table, Tournament
from tournament.server.snapshot import snapshot

Answer = HttpResponse | Response


class ReadView(ApiView):
    """Finds what an address names, for who may know that it is there."""

    def reader(self, row: Tournament | None) -> Reader:
        """Who reads this tournament; Http404 where there is none for them."""
        if row is None or not self.viewer.finds(row):
            raise Http404
        return Reader.of(self.viewer, row)

    def at_tournament(self, uid: UUID) -> Reader:
        """Who reads the tournament of that uid."""
        return self.reader(Tournament.objects.select_related("organiser").filter(uid=uid).first())

    def at_stage(self, **named: Any) -> tuple[Reader, Stage]:
        """Who reads the stage so named."""
        row = Stage.objects.select_related("tournament__organiser").filter(**named).first()
        if row is None:
            raise Http404
        return self.reader(row.tournament), row


class ListView(ReadView, GenericAPIView[Any]):
    """A list, narrowed by the query's filters and divided into pages."""

    pagination_class = Pages

    def page(self, rows: QuerySet[Any] | Sequence[Any], as_json: Callable[[Any], Any]) -> dict[str, Any]:
        """The part of the list that the query asks for."""
        narrowed: Any = self.filter_queryset(rows) if isinstance(rows, QuerySet) else rows
        assert self.paginator is not None
        part = self.paginator.paginate_queryset(narrowed, self.request, view=self) or []
        data: dict[str, Any] = self.paginator.get_paginated_response([as_json(row) for row in part]).data
        return data


class TournamentsView(ListView):
    names = "tournament"
    queryset = Tournament.objects.none()
    serializer_class = shapes.TournamentShape
    filterset_class = filters.TournamentFilter

    @extend_schema(summary="Tournaments: those that are listed, and those of who asks")
    def get(self, request: Request) -> Answer:
        """Running ones first. A token of one tournament finds that one."""
        with snapshot():
            ledgers = list(Tournament.objects.order_by("pk").values_list("pk", "version", "ledger_head"))
            version = sum(version for _, version, _ in ledgers)
            rows = self._rows().running_first().select_related("organiser")
            shape = shapes.TournamentShape()
            tag = tag_of(version, self._sees(), history_of(ledgers))
            return versioned(request, tag, lambda: self.page(rows, shape.to_representation))

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


class TournamentView(ReadView):
    names = "tournament"
    parts = (
        "entries",
        "stages",
        "programme",
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
    )

    @extend_schema(summary="One tournament", responses=shapes.TournamentShape)
    def get(self, request: Request, tournament: UUID) -> Answer:
        """Also one that is not listed, for whoever knows it."""
        with snapshot():
            reader = self.at_tournament(tournament)
            row = reader.tournament
            shape = shapes.TournamentShape()
            return versioned(request, reader.tag(), lambda: shape.to_representation(row))


class EntriesView(ListView):
    names = "entry"
    queryset = Entry.objects.none()
    serializer_class = shapes.EntryShape
    filterset_class = filters.EntryFilter

    @extend_schema(summary="Everybody in a tournament")
    def get(self, request: Request, tournament: UUID) -> Answer:
        """By start number. Those who run the event also find who asks to take part, waits or cancelled."""
        with snapshot():
            reader = self.at_tournament(tournament)

            def answer() -> Json:
                rows, known = reading.entry_rows(reader)
                return self.page(rows, lambda row: reading.entry_json(reader, row, known))

            return versioned(request, reader.tag(), answer)


class EntryView(ReadView):
    names = "entry"

    @extend_schema(summary="One player in a tournament", responses=shapes.EntryShape)
    def get(self, request: Request, entry: UUID) -> Answer:
        """The same as in the list of them."""
        with snapshot():
            found = Entry.objects.select_related("tournament").filter(uid=entry).first()
            reader = self.reader(found.tournament if found else None)
            rows, known = reading.entry_rows(reader)
            row = rows.filter(uid=entry).first()
            if row is None:
                raise Http404
            return versioned(
                request,
                reader.tag(),
                lambda: reading.entry_json(reader, row, known),
            )


class StagesView(ListView):
    names = "stage"
    queryset = Stage.objects.none()
    serializer_class = shapes.StageShape

    @extend_schema(summary="The stages of a tournament")
    def get(self, request: Request, tournament: UUID) -> Answer:
        """In their order."""
        with snapshot():
            reader = self.at_tournament(tournament)

            def answer() -> Json:
                stages = reading.stages_of(reader.tournament)
                return self.page(stages, lambda row: reading.stage_json(reader, row, stages))

            return versioned(request, reader.tag(), answer)


class StageView(ReadView):
    names = "stage"
    parts = ("tables", "plays", "standings", "sheets")

    @extend_schema(summary="One stage", responses=shapes.StageShape)
    def get(self, request: Request, stage: UUID) -> Answer:
        """The same as in the list of them."""
        with snapshot():
            reader, row = self.at_stage(uid=stage)
            return versioned(
                request,
                reader.tag(row.version),
                lambda: reading.stage_json(reader, row, reading.stages_of(reader.tournament)),
            )


class TablesView(ListView):
    names = "table"
    queryset = Table.objects.none()
    serializer_class = shapes.TableShape

    @extend_schema(summary="The tables of a stage with who sits there")
    def get(self, request: Request, stage: UUID) -> Answer:
        """In the order of their numbers."""
        with snapshot():
            reader, row = self.at_stage(uid=stage)
            return versioned(
                request, reader.tag(row.version), lambda: self.page(reading.tables_json(reader, row), dict)
            )


class TableView(ReadView):
    names = "table"

    @extend_schema(summary="One table", responses=shapes.TableShape)
    def get(self, request: Request, table: UUID) -> Answer:
        """The same as in the list of them."""
        with snapshot():
            reader, row = self.at_stage(tables__uid=table)
            found = _one_of(reading.tables_json(reader, row), table)
            return versioned(request, reader.tag(row.version), lambda: found)


class PlaysView(ListView):
    names = "play"
    queryset = Play.objects.none()
    serializer_class = shapes.PlayShape

    @extend_schema(summary="The games, rounds or heats of a stage", parameters=[filters.PlayQuery])
    def get(self, request: Request, stage: UUID) -> Answer:
        """In the order of the score sheet."""
        wanted = filters.PlayQuery(data=request.query_params)
        wanted.is_valid(raise_exception=True)
        with snapshot():
            reader, row = self.at_stage(uid=stage)

            def answer() -> Json:
                plays = [play for play in reading.plays_json(reader, row) if wanted.keeps(play)]
                return self.page(plays, dict)

            return versioned(request, reader.tag(row.version), answer)


class PlayView(ReadView):
    names = "play"

    @extend_schema(summary="One game, round or heat", responses=shapes.PlayShape)
    def get(self, request: Request, play: UUID) -> Answer:
        """Its ETag is its version, which a change of it sends back as If-Match."""
        with snapshot():
            reader, row = self.at_stage(tables__plays__uid=play)
            found = _one_of(reading.plays_json(reader, row), play)
            return versioned(request, reader.tag(found["version"]), lambda: found)


class StandingsView(ReadView):
    @extend_schema(summary="The standings of a stage", responses=shapes.StandingsShape)
    def get(self, request: Request, stage: UUID) -> Answer:
        """What follows from each contest's score sheet, with every game, round or heat. While the standings are
        frozen, everybody gets them as they were; those who run the event get the truth."""
        with snapshot():
            reader, row = self.at_stage(uid=stage)
            return versioned(request, reader.tag(row.version), lambda: reading.standings_json(reader, row))


class SheetsView(ReadView):
    @extend_schema(summary="The score sheets of a stage", responses=shapes.SheetsShape)
    def get(self, request: Request, stage: UUID) -> Answer:
        """One for each contest: all that its standings follow from."""
        with snapshot():
            reader, row = self.at_stage(uid=stage)
            return versioned(request, reader.tag(row.version), lambda: reading.sheets_json(reader, row))


class ProgrammeView(ReadView):
    @extend_schema(summary="The programme of a tournament", responses=shapes.ProgrammeShape)
    def get(self, request: Request, tournament: UUID) -> Answer:
        """Empty before it is published, but for those who run the event."""
        with snapshot():
            reader = self.at_tournament(tournament)
            return versioned(request, reader.tag(), lambda: reading.programme_json(reader))


class IncidentsView(ListView):
    permission_classes = [IsAuthenticated]
    names = "incident"
    queryset = Incident.objects.none()
    serializer_class = shapes.IncidentShape
    filterset_class = filters.IncidentFilter

    @extend_schema(summary="What happened beside the cards")
    def get(self, request: Request, tournament: UUID) -> Answer:
        """For referees: those who run the event find all of it, others what was kept at their own tables."""
        with snapshot():
            reader = self.at_tournament(tournament)
            if not reader.referees:
                raise Http404
            rows, shape = reading.incident_rows(reader), shapes.IncidentShape()
            return versioned(
                request,
                reader.tag(),
                lambda: self.page(rows, shape.to_representation),
            )


class IncidentView(ReadView):
    permission_classes = [IsAuthenticated]
    names = "incident"

    @extend_schema(summary="One incident", responses=shapes.IncidentShape)
    def get(self, request: Request, incident: UUID) -> Answer:
        """The same as in the list of them."""
        with snapshot():
            found = Incident.objects.select_related("tournament").filter(uid=incident).first()
            reader = self.reader(found.tournament if found else None)
            row = reading.incident_rows(reader).filter(uid=incident).first()
            if row is None:
                raise Http404
            shape = shapes.IncidentShape()
            return versioned(request, reader.tag(), lambda: shape.to_representation(row))


class LedgerView(ListView):
    permission_classes = [IsAuthenticated]
    queryset = LedgerRow.objects.none()
    serializer_class = shapes.LedgerRowShape
    filterset_class = filters.LedgerFilter

    @extend_schema(summary="Who did what")
    def get(self, request: Request, tournament: UUID) -> Answer:
        """For head referees and organisers: one row for each accepted command, chained by digests. Who is kept apart is
        the organisers' (of a token: in the scope `organise`), with the draws that heed it: others find {} there."""
        with snapshot():
            reader = self.at_tournament(tournament)
            self.viewer.need(Role.HEAD_REFEREE, reader.tournament)
            rows = LedgerRow.objects.filter(tournament=reader.tournament).order_by("sequence")
            rows = rows.select_related("actor", "note")
            return versioned(
                request, reader.tag(), lambda: self.page(rows, lambda row: reading.ledger_json(reader, row))
            )


class MeView(ApiView):
    permission_classes = [IsAuthenticated]

    @extend_schema(summary="Who asks, by which token, with which roles", responses=shapes.MeShape)
    def get(self, request: Request) -> Response:
        """The roles of the token's user; a token of one tournament has those of that one."""
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
            return Response(shapes.MeShape(me).data)


def _one_of(rows: Sequence[Json], uid: UUID) -> Json:
    """The one of that uid; Http404 where it is not shown."""
    found = reading.one_of(rows, uid)
    if found is None:
        raise Http404
    return found
