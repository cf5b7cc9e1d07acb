"""An organiser's tour: champions, seasons, ratings, player results of all listed events (`tournament.queries.tour`)."""

from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.http import Http404
from drf_spectacular.utils import inline_serializer
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

from tournament.api import base, filters, reading, reads, serializers
from tournament.models import Stage, Tournament
from tournament.queries.tour.answers import Tour, tour_of


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
        found, tag = self.tour(**named)
        return base.versioned(request, tag, lambda: self.written(self.answer(found)))

    def tour(self, organiser: UUID) -> tuple[Tour, str]:
        """Return (tour, ETag). Raises Http404 if there is none."""
        ledgers = Tournament.objects.filter(organiser__uid=organiser).order_by("pk")
        history = base.history_of(list(ledgers.values_list("pk", "version", "ledger_head")))
        found = None if self.viewer.token and self.viewer.token.tournament_id else tour_of(organiser)
        if found is None:
            raise Http404
        return found, base.tag_of(found.version, "everybody", history)


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


class SeasonView(TourBase, reads.ListView):
    """Ranked players first, then those with too few games."""

    serializer_class = SeasonRowSerializer
    query_class = SeasonQuery

    def answer(self, found: Tour) -> Any:
        year: int = self.query.get("year", max(found.seasons(), default=0))
        rows = [
            {
                **asdict(each),
                "name": found.names[each.player],
                "sessions": each.evenings,
                "points": int(each.points),
                "average": each.value,
            }
            for each in found.season(year).standings
        ]
        return rows, self.get_serializer().to_representation


class RatingsView(TourBase, reads.ListView):
    """By the lower end of the range. Ratings are estimates and decide no place."""

    serializer_class = RatingRowSerializer

    def answer(self, found: Tour) -> Any:
        rated = found.ratings().items()
        rows = [{"player": player, "name": found.names[player], "rating": each.now} for player, each in rated]
        return rows, self.get_serializer().to_representation


class AppearancesView(TourBase, reads.ListView):
    """Newest event first."""

    serializer_class = AppearanceSerializer
    query_class = PlayerQuery

    def answer(self, found: Tour) -> Any:
        return list(found.appearances(str(self.query["player"]))), self.get_serializer().to_representation
