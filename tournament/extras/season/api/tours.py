"""An organiser's tour: champions, yearly averages, ratings, results."""

from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.http import Http404
from django.urls import path
from drf_spectacular.utils import extend_schema, inline_serializer
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.serializers import (
    BooleanField,
    CharField,
    ChoiceField,
    DateField,
    IntegerField,
    ListField,
    Serializer,
    UUIDField,
)

from tournament.extras.programs.api import base, filters, reading, reads, serializers
from tournament.extras.programs.api.examples import page_of
from tournament.extras.programs.api.writes import AINO, TOURNAMENT
from tournament.extras.season.queries.answers import Tour, tour_of
from tournament.models import Stage, Tournament


class TourPlayerSerializer(Serializer[Any]):
    """A player of an organiser."""

    player = UUIDField(help_text="The same in all events of the organiser.")
    name = CharField(help_text="The name in the player's newest event.")


class TourSerializer(Serializer[Any]):
    """All listed events of an organiser."""

    uid = UUIDField(help_text="The organiser's uid.")
    name = CharField()
    version = IntegerField(help_text="Rises with every change in any of the organiser's events.")
    seasons = ListField(child=IntegerField(), help_text="The years with a finished session, newest first.")
    events = inline_serializer(
        "TourEvent",
        {
            "tournament": UUIDField(),
            "name": CharField(),
            "starts_on": DateField(),
            "place": CharField(allow_blank=True),
            "ruleset": CharField(),
            "state": ChoiceField(Tournament.State.choices),
            "champions": TourPlayerSerializer(
                many=True, help_text="For a finished event: everyone who shares first place."
            ),
        },
        many=True,
        help_text="Newest first, with their champions.",
    )


class SeasonRowSerializer(TourPlayerSerializer):
    """A player's average over a year."""

    place = IntegerField(allow_null=True, help_text="Null for too few games.")
    status = CharField()
    sessions = IntegerField()
    games = IntegerField()
    points = IntegerField()
    average = CharField(help_text=serializers.FRACTION)


class RatingSerializer(Serializer[Any]):
    """An estimate of a player's strength."""

    points = IntegerField(help_text="The middle of the range.")
    low = IntegerField()
    high = IntegerField()
    contests = IntegerField(help_text="The number of contests that it is based on.")


class RatingRowSerializer(TourPlayerSerializer):
    """A player's rating."""

    rating = RatingSerializer()


class AppearanceSerializer(Serializer[Any]):
    """A player in one event."""

    tournament = UUIDField(source="event.uid")
    entry = UUIDField(source="taken.entry")
    name = CharField(source="taken.name", help_text="The name in that event.")
    champion = BooleanField()
    played = inline_serializer(
        "Played",
        {
            "stage": CharField(allow_blank=True, help_text="The stage's name, if it has its own."),
            "kind": ChoiceField(Stage.Kind.choices),
            "table": IntegerField(
                allow_null=True, help_text="The table's number, if each table plays its own match."
            ),
            "place": IntegerField(allow_null=True),
            "ranked": IntegerField(help_text="The number of ranked players."),
            "plays": IntegerField(),
            "status": CharField(allow_blank=True),
            "points": IntegerField(allow_null=True),
            "average": CharField(allow_null=True, help_text=serializers.FRACTION),
            "through": BooleanField(),
        },
        many=True,
        source="taken.played",
        help_text="Latest first.",
    )
    rating = RatingSerializer(
        allow_null=True, help_text="The rating after the event, if the event affected it."
    )


class SeasonQuery(filters.PageQuery):
    """The requested season."""

    year = IntegerField(
        required=False, min_value=1, max_value=9999, help_text="By default the newest season."
    )


class PlayerQuery(filters.PageQuery):
    """The player whose appearances are requested."""

    player = UUIDField(help_text="The uid of a player, as in ratings and champions.")


class TourBase(reads.ReadView):
    """A tour or its lists; hidden from tournament tokens."""

    def get(self, request: Request, **named: UUID) -> reads.Answer:
        """Raises Http404. No snapshot: each event is read in one of its own, after the ETag."""
        events = Tournament.objects.filter(organiser__uid=named["organiser"])
        tag = base.tag_of_events(events, "everybody")
        confined = self.viewer.token and self.viewer.token.tournament_id
        found = None if confined else tour_of(named["organiser"])
        if found is None:
            raise Http404
        return base.versioned(request, tag, lambda: self.written(self.answer(found)))


@extend_schema(
    summary="The events of an organiser and their champions",
    description="Listed events, newest first. A token for one event finds none.",
)
class TourView(TourBase):
    """Listed events, newest first."""

    serializer_class = TourSerializer

    def answer(self, found: Tour) -> reading.Json:
        return {
            "uid": str(found.organiser),
            "name": found.name,
            "version": found.version,
            "seasons": found.seasons(),
            "events": [
                {
                    "tournament": str(event.uid),
                    "name": event.name,
                    "starts_on": event.starts_on,
                    "place": event.place,
                    "ruleset": event.ruleset,
                    "state": event.state,
                    "champions": [{"player": each, "name": found.names[each]} for each in event.champions],
                }
                for event in found.events
            ],
        }


@extend_schema(
    summary="The average over a year's sessions",
    description="Ranked players first, then those with too few games.",
)
class SeasonView(TourBase, reads.ListView):
    """Ranked players first, then those with too few games."""

    serializer_class = SeasonRowSerializer
    query_class = SeasonQuery

    def answer(self, found: Tour) -> Any:
        year: int = self.query.get("year", max(found.seasons(), default=0))
        return [
            {
                **asdict(each),
                "name": found.names[each.player],
                "sessions": each.evenings,
                "points": int(each.points),
                "average": each.value,
            }
            for each in found.season(year).standings
        ]


@extend_schema(
    summary="The players' ratings",
    description="By the lower end of the range. Ratings are estimates and decide no place.",
)
class RatingsView(TourBase, reads.ListView):
    """By the lower end of the range. Ratings are estimates and decide no place."""

    serializer_class = RatingRowSerializer

    def answer(self, found: Tour) -> Any:
        rated = found.ratings().items()
        return [{"player": player, "name": found.names[player], "rating": each.now} for player, each in rated]


@extend_schema(summary="A player's results in an organiser's events", description="Newest event first.")
class AppearancesView(TourBase, reads.ListView):
    """Newest event first."""

    serializer_class = AppearanceSerializer
    query_class = PlayerQuery

    def answer(self, found: Tour) -> Any:
        return found.appearances(str(self.query["player"]))


VIEWS = {"tour": TourView, "season": SeasonView, "ratings": RatingsView, "appearances": AppearancesView}
READS = [
    path(f"organisers/<uuid:organiser>/{name}", view.as_view(permission_classes=[AllowAny]), name=name)
    for name, view in VIEWS.items()
]

WINNER = {"player": "2b3c4d5e-0000-4000-8000-00000000000a", "name": "Aino"}
_RATING = {"points": 1562, "low": 1244, "high": 1880, "contests": 4}
_ROWS: dict[str, dict[str, Any]] = {
    "season_read": {
        **WINNER,
        "place": 1,
        "status": "ranked",
        "sessions": 2,
        "games": 7,
        "points": 42,
        "average": "6",
    },
    "ratings_read": {**WINNER, "rating": _RATING},
    "appearances_read": {
        "tournament": TOURNAMENT,
        "entry": AINO,
        "name": "Aino",
        "champion": True,
        "played": [
            {
                "stage": "",
                "kind": "match",
                "table": 1,
                "place": 1,
                "ranked": 4,
                "plays": 6,
                "status": "ranked",
                "points": 512,
                "average": None,
                "through": False,
            }
        ],
        "rating": _RATING,
    },
}
_TOUR = {
    "uid": "5a0e2c61-7b8f-4d3c-8e21-9f4b6a7c8d55",
    "name": "Card club",
    "version": 120,
    "seasons": [2026],
    "events": [
        {
            "tournament": TOURNAMENT,
            "name": "Club night",
            "starts_on": "2026-05-09",
            "place": "Helsinki",
            "ruleset": "mattel-108",
            "state": "finished",
            "champions": [WINNER],
        }
    ],
}
EXAMPLES = {"tour_read": (None, _TOUR), **{name: (None, page_of(row)) for name, row in _ROWS.items()}}
