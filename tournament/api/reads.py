"""The answer of each address to GET. Each reads the version first and everything else as of the same moment."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.generics import GenericAPIView
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api import filters, reading, shapes
from tournament.api.auth import Role, Viewer
from tournament.api.base import ApiView
from tournament.api.reading import Json, Reader
from tournament.api.versions import history_of, tag_of, versioned
from tournament.models import Entry, Incident, LedgerRow, Membership, Stage, Tournament
from tournament.server.database import snapshot

Answer = HttpResponse | Response


class ReadView(ApiView):
    """Finds what an address names, for viewers who may know that it exists."""

    def reader(self, row: Tournament) -> Reader:
        """Give the reader of this tournament; Http404 where this viewer may not know of it."""
        if not self.viewer.finds(row):
            raise Http404
        return Reader.of(self.viewer, row)

    def at_tournament(self, uid: UUID) -> Reader:
        return self.reader(get_object_or_404(Tournament.objects.select_related("organiser"), uid=uid))

    def at_stage(self, **named: Any) -> tuple[Reader, Stage]:
        row = get_object_or_404(Stage.objects.select_related("tournament__organiser"), **named)
        return self.reader(row.tournament), row


class ListView(ReadView, GenericAPIView[Any]):
    """A list, filtered and paginated by the query."""

    pagination_class = filters.Pages
    queryset: QuerySet[Any] = Entry.objects.none()  # for a list without a filter

    def page(self, rows: QuerySet[Any] | Sequence[Any], as_json: Callable[[Any], Any]) -> dict[str, Any]:
        """Give the page of the list that the query asks for."""
        narrowed: Any = self.filter_queryset(rows) if isinstance(rows, QuerySet) else rows
        assert self.paginator is not None
        part = self.paginator.paginate_queryset(narrowed, self.request, view=self) or []
        return dict(self.paginator.get_paginated_response([as_json(row) for row in part]).data)


Lazy = Callable[[], Any]


def of_tournament(
    base: type[ReadView], shape: Any, summary: str, **more: Any
) -> Callable[[Callable[[Any, Reader], Lazy]], type[ApiView]]:
    """Make an address that answers about a tournament; the decorated function gives the answer that is computed
    if the reader has an older one."""
    return partial(
        _view,
        base,
        summary,
        lambda view, tournament: (view.at_tournament(tournament),),
        {"serializer_class": shape, **more},
    )


def of_stage(
    base: type[ReadView], shape: Any, summary: str, *, by: str = "uid", **more: Any
) -> Callable[[Callable[[Any, Reader, Stage], Lazy]], type[ApiView]]:
    """The same for a stage, which the address names `by` this lookup."""
    return partial(
        _view,
        base,
        summary,
        lambda view, **named: view.at_stage(**{by: next(iter(named.values()))}),
        {"serializer_class": shape, **more},
    )


def _view(
    base: type[ReadView],
    summary: str,
    find: Callable[..., tuple[Any, ...]],
    more: Mapping[str, Any],
    answer: Callable[..., Lazy],
) -> type[ApiView]:
    def get(self: ReadView, request: Request, **named: UUID) -> Answer:
        with snapshot():
            reader, *stage = find(self, **named)
            tag = reader.tag(*(each.version for each in stage))
            return versioned(request, tag, answer(self, reader, *stage))

    get.__doc__ = answer.__doc__
    return type(
        f"{answer.__name__.capitalize()}View", (base,), {"get": extend_schema(summary=summary)(get), **more}
    )


class TournamentsView(ListView):
    names = "tournament"
    queryset = Tournament.objects.none()
    serializer_class = shapes.TournamentShape
    filterset_class = filters.TournamentFilter

    @extend_schema(summary="Listed events, and those of the user")
    def get(self, request: Request) -> Answer:
        """Running events first. A token for one event finds only that one."""
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


@of_tournament(
    ReadView,
    shapes.TournamentShape,
    "One event",
    names="tournament",
    parts=(
        "entries",
        "past-results",
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
        "announcements",
    ),
)
def tournament(_view: ReadView, reader: Reader) -> Lazy:
    """Unlisted events are found too, by anyone who knows the uid."""
    return lambda: shapes.TournamentShape().to_representation(reader.tournament)


@of_tournament(
    ListView,
    shapes.EntryShape,
    "The players of an event",
    names="entry",
    filterset_class=filters.EntryFilter,
)
def entries(view: ListView, reader: Reader) -> Lazy:
    """By start number. Those who run the event also find players who ask to take part, wait or cancelled."""

    def answer() -> Json:
        rows, known = reading.entry_rows(reader)
        return view.page(rows, lambda row: reading.entry_json(reader, row, known))

    return answer


class EntryView(ReadView):
    names = "entry"

    @extend_schema(summary="One player of an event", responses=shapes.EntryShape)
    def get(self, request: Request, entry: UUID) -> Answer:
        """The same as in the list."""
        with snapshot():
            found = get_object_or_404(Entry.objects.select_related("tournament"), uid=entry)
            reader = self.reader(found.tournament)
            rows, known = reading.entry_rows(reader)
            row = get_object_or_404(rows, uid=entry)
            return versioned(request, reader.tag(), lambda: reading.entry_json(reader, row, known))


@of_tournament(ListView, shapes.StageShape, "The stages of an event", names="stage")
def stages(view: ListView, reader: Reader) -> Lazy:
    """In order."""

    def answer() -> Json:
        rows = reading.stages_of(reader.tournament)
        return view.page(rows, lambda row: reading.stage_json(reader, row, rows))

    return answer


@of_stage(
    ReadView,
    shapes.StageShape,
    "One stage",
    names="stage",
    parts=("tables", "plays", "standings", "sheets"),
)
def stage(_view: ReadView, reader: Reader, stage: Stage) -> Lazy:
    """The same as in the list."""
    return lambda: reading.stage_json(reader, stage, reading.stages_of(reader.tournament))


@of_stage(ListView, shapes.TableShape, "The tables of a stage, with their players", names="table")
def tables(view: ListView, reader: Reader, stage: Stage) -> Lazy:
    """In the order of their numbers."""
    return lambda: view.page(reading.tables_json(reader, stage), dict)


@of_stage(ReadView, shapes.TableShape, "One table", by="tables__uid", names="table")
def table(view: ReadView, reader: Reader, stage: Stage) -> Lazy:
    """The same as in the list."""
    found = reading.one_of(reading.tables_json(reader, stage), view.kwargs["table"])
    return lambda: found


class PlaysView(ListView):
    names = "play"
    serializer_class = shapes.PlayShape

    @extend_schema(summary="The games, rounds or heats of a stage", parameters=[filters.PlayQuery])
    def get(self, request: Request, stage: UUID) -> Answer:
        """In the order of the score sheet."""
        wanted = filters.asked(filters.PlayQuery, request)
        with snapshot():
            reader, row = self.at_stage(uid=stage)

            def answer() -> Json:
                plays = [play for play in reading.plays_json(reader, row) if filters.keeps(wanted, play)]
                return self.page(plays, dict)

            return versioned(request, reader.tag(row.version), answer)


class PlayView(ReadView):
    names = "play"

    @extend_schema(summary="One game, round or heat", responses=shapes.PlayShape)
    def get(self, request: Request, play: UUID) -> Answer:
        """Send its ETag as If-Match to change it."""
        with snapshot():
            reader, row = self.at_stage(tables__plays__uid=play)
            found = reading.one_of(reading.plays_json(reader, row), play)
            return versioned(request, reader.tag(found["version"]), lambda: found)


@of_stage(ReadView, shapes.StandingsShape, "The standings of a stage")
def standings(_view: ReadView, reader: Reader, stage: Stage) -> Lazy:
    """The result of each contest's score sheet, with every game, round or heat. While the standings are
    frozen, the public gets them as they were; those who run the event get the current ones."""
    return lambda: reading.standings_json(reader, stage)


@of_stage(ReadView, shapes.SheetsShape, "The score sheets of a stage")
def sheets(_view: ReadView, reader: Reader, stage: Stage) -> Lazy:
    """One for each contest: everything that its standings follow from."""
    return lambda: reading.sheets_json(reader, stage)


@of_tournament(ReadView, shapes.ProgrammeShape, "The programme of an event")
def programme(_view: ReadView, reader: Reader) -> Lazy:
    """Empty before it is published, except for those who run the event."""
    return lambda: reading.programme_json(reader)


@of_tournament(
    ListView,
    shapes.IncidentShape,
    "Penalties, warnings, disputes and rulings",
    names="incident",
    permission_classes=[IsAuthenticated],
    queryset=Incident.objects.none(),
    filterset_class=filters.IncidentFilter,
)
def incidents(view: ListView, reader: Reader) -> Lazy:
    """For referees: those who run the event find all, others those of their own tables."""
    if not reader.referees:
        raise Http404
    rows, shape = reading.incident_rows(reader), shapes.IncidentShape()
    return lambda: view.page(rows, shape.to_representation)


class IncidentView(ReadView):
    permission_classes = [IsAuthenticated]
    names = "incident"

    @extend_schema(summary="One incident", responses=shapes.IncidentShape)
    def get(self, request: Request, incident: UUID) -> Answer:
        """The same as in the list."""
        with snapshot():
            found = get_object_or_404(Incident.objects.select_related("tournament"), uid=incident)
            reader = self.reader(found.tournament)
            row = get_object_or_404(reading.incident_rows(reader), uid=incident)
            return versioned(request, reader.tag(), lambda: shapes.IncidentShape().to_representation(row))


@of_tournament(
    ListView,
    shapes.LedgerRowShape,
    "Who did what",
    permission_classes=[IsAuthenticated],
    queryset=LedgerRow.objects.none(),
    filterset_class=filters.LedgerFilter,
)
def ledger(view: ListView, reader: Reader) -> Lazy:
    """For head referees and organisers: one row for each accepted command, chained by digests. Only organisers see who
    is kept apart, and the draws that depend on it (tokens need the scope `organise`); others find {} there."""
    view.viewer.need(Role.HEAD_REFEREE, reader.tournament)
    rows = LedgerRow.objects.select_related("actor", "note").filter(tournament=reader.tournament)
    return lambda: view.page(rows.order_by("sequence"), lambda row: reading.ledger_json(reader, row))


class MeView(ApiView):
    permission_classes = [IsAuthenticated]

    @extend_schema(summary="The user, the token and the roles", responses=shapes.MeShape)
    def get(self, request: Request) -> Response:
        """The roles of the token's user; a token for one event has only the roles there."""
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
