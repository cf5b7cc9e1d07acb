"""Seasons of an organiser, and their rankings."""

from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.db.models import Prefetch, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import path
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.serializers import (
    CharField,
    ChoiceField,
    IntegerField,
    ListField,
    ModelSerializer,
    SlugRelatedField,
)

from tournament.extras.programs.api.base import history_of, tag_of, tag_of_events, versioned
from tournament.extras.programs.api.examples import page_of
from tournament.extras.programs.api.reads import Answer, ListView, ReadView
from tournament.extras.programs.api.serializers import FRACTION
from tournament.extras.programs.api.writes import EVENT, NEW, TOURNAMENT, Write
from tournament.extras.season.api.tours import WINNER, TourPlayerSerializer
from tournament.extras.season.queries.seasons import season_tables
from tournament.models import Organiser, Season, Tournament
from tournament.permissions import runs_organiser
from tournament.queries.visible import season_version


class SeasonSerializer(ModelSerializer[Season]):
    """A season's rule and evenings."""

    rulesets = ListField(child=CharField(), help_text="Of the evenings that count; empty: all.")
    place_points = ListField(child=IntegerField(), help_text="Of the first place, the second and so on.")
    ties = ListField(child=ChoiceField(Season.Tie.choices), help_text="Tie-breaks, in this order.")
    evenings: SlugRelatedField[Any] = SlugRelatedField(
        slug_field="uid", many=True, read_only=True, help_text="The events that belong to it, oldest first."
    )

    class Meta:
        model = Season
        fields = [
            "uid",
            "name",
            "public",
            "over",
            "starts_on",
            "ends_on",
            "rulesets",
            "counts",
            "lowest",
            "best",
            "place_points",
            "least_evenings",
            "least_games",
            "club",
            "ties",
            "evenings",
        ]


class RankingRowSerializer(TourPlayerSerializer):
    """A player's line in a season."""

    place = IntegerField(allow_null=True, help_text="Null for players who are not ranked.")
    status = CharField(help_text="`ranked`, or why not.")
    reason = CharField(help_text="What decided the place: `value`, a tie-break, or `shared`.")
    value = CharField(help_text=FRACTION)
    worth = ListField(
        child=CharField(allow_null=True), help_text="Of each evening that counts, oldest first."
    )
    counted = ListField(child=IntegerField(), help_text="Numbers of the evenings in the value, from 0.")
    evenings = IntegerField()
    games = IntegerField()
    points = CharField(help_text=FRACTION)
    moved = IntegerField(allow_null=True, help_text="Places gained by the last evening.")


class SeasonReads(ReadView):
    """An organiser's seasons; private ones for its organisers alone. Hidden from tournament tokens."""

    organiser: Organiser
    runs: bool  # whether the viewer runs the organiser's events

    def seasons(self, **named: UUID) -> QuerySet[Season]:
        """The organiser's by a lookup, as far as the viewer sees them."""
        self.organiser = get_object_or_404(Organiser, **named)
        if self.viewer.token and self.viewer.token.tournament_id:
            raise Http404
        self.runs = self.viewer.user is not None and runs_organiser(self.viewer.user, self.organiser)
        events = Tournament.objects.visible() if self.runs else Tournament.objects.listed()
        evenings = Prefetch("evenings", queryset=events.order_by("starts_on", "pk"))
        rows = Season.objects.filter(organiser=self.organiser).prefetch_related(evenings)
        return rows if self.runs else rows.filter(public=True)

    def tag(self) -> str:
        """ETag of all seasons."""
        return tag_of_events(self.organiser.tournaments.all(), "organiser" if self.runs else "public")


@extend_schema(
    summary="The seasons of an organiser, and their rules",
    description="Newest first. Those that are not public are found only by who runs the organiser's events.",
)
class SeasonsView(SeasonReads, ListView):
    """Newest first."""

    serializer_class = SeasonSerializer
    queryset = Season.objects.none()

    def found(self, organiser: UUID) -> tuple[str, QuerySet[Season]]:
        rows = self.seasons(uid=organiser)
        return self.tag(), rows

    def answer(self, rows: QuerySet[Season]) -> QuerySet[Season]:
        return rows


@extend_schema_view(
    get=extend_schema(
        operation_id="season_of_event_read",
        summary="One season of the event's organiser",
        description="Its ETag is the season's own: send it as If-Match to change the season from any event.",
    )
)
class SeasonView(SeasonReads):
    """One season, at the address that changes it."""

    serializer_class = SeasonSerializer

    def found(self, tournament: UUID, season: UUID) -> tuple[str, Any]:
        row = get_object_or_404(self.seasons(tournaments__uid=tournament), uid=season)
        data = self.get_serializer(row).data
        version = season_version(Season.objects.filter(pk=row.pk))
        sees = "organiser" if self.runs else f"public-{history_of(data['evenings'])}"
        return tag_of(version, sees, history_of(version)), data

    def answer(self, data: Any) -> Any:
        return data


@extend_schema(
    summary="The standings of a season",
    description="Ranked players first. `worth` has a value for each evening of the season, null for one not played; "
    "`counted` has the numbers of those that count, from 0.",
)
class RankingView(SeasonReads, ListView):
    """Ranked players first."""

    serializer_class = RankingRowSerializer

    def get(self, request: Request, **named: UUID) -> Answer:
        """Raises Http404. No snapshot, as in `TourBase`."""
        rows = self.seasons(seasons__uid=named["season"]).filter(uid=named["season"])
        tag, found = self.tag(), next(iter(season_tables(rows)), None)
        if found is None:
            raise Http404
        lines = (
            {**asdict(line), "name": found.names[line.player], "moved": found.moved.get(line.player)}
            for line in found.standings
        )
        return versioned(request, tag, lambda: self.written(lines))


READS = [
    path(
        "organisers/<uuid:organiser>/seasons",
        SeasonsView.as_view(permission_classes=[AllowAny]),
        name="seasons",
    ),
    path(
        "seasons/<uuid:season>/ranking",
        RankingView.as_view(permission_classes=[AllowAny]),
        name="ranking",
    ),
    path(
        f"{EVENT}/seasons/<uuid:season>",
        SeasonView.as_view(permission_classes=[AllowAny]),
        name="season-of-event",
    ),
]
WRITES = (
    Write("start_season", "POST", f"{EVENT}/seasons", "Start a season with this event", makes="season"),
    Write("set_season", "PUT", f"{EVENT}/seasons/<uuid:season>", "Change a season"),
    Write("remove_season", "DELETE", f"{EVENT}/seasons/<uuid:season>", "Remove a season"),
    Write(
        "put_in_season",
        "PUT",
        f"{EVENT}/seasons/<uuid:season>/evening",
        "Put an event into a season, or take it out",
    ),
)
SENT: dict[str, dict[str, Any]] = {
    "start_season": {"name": "Thursdays 2026"},
    "set_season": {
        "name": "Thursdays 2026",
        "public": True,
        "over": False,
        "starts_on": "2026-01-01",
        "ends_on": None,
        "rulesets": ["tite-2022"],
        "counts": "places",
        "lowest": False,
        "best": 8,
        "place_points": [12, 10, 8],
        "least_evenings": 3,
        "least_games": 0,
        "club": "",
        "ties": ["wins"],
        "evenings": [TOURNAMENT],
    },
    "set_season_partial": {"over": True},
    "put_in_season": {"belongs": True},
}
TEXTS = {
    "start_season": "Its rule follows from the event's ruleset until it is changed; the event is its first evening. "
    "Refused: `too_many_seasons`, `rehearsal_in_season`.",
    "set_season": "The event is any of the organiser's; its ledger says who changed the season. `evenings` are the "
    "organiser's events that belong to it. Refused: `season_dates`, `unknown_ruleset`, `unknown_tie`, "
    "`no_place_points`, `place_points_wrong`, `place_points_rise`, `season_sum_lowest`, `unknown_tournament`, "
    "`rehearsal_in_season`.",
    "remove_season": "Its events stay as they are.",
    "put_in_season": "`belongs`: whether the event is an evening of the season. Refused: `rehearsal_in_season`.",
}
_SEASON = {"uid": NEW, **SENT["set_season"]}
EXAMPLES = {
    "seasons_read": (None, page_of(_SEASON)),
    "season_of_event_read": (None, _SEASON),
    "ranking_read": (
        None,
        page_of(
            {
                **WINNER,
                "place": 1,
                "status": "ranked",
                "reason": "value",
                "value": "22",
                "worth": ["12", None, "10"],
                "counted": [0, 2],
                "evenings": 2,
                "games": 0,
                "points": "512",
                "moved": 1,
            }
        ),
    ),
}
