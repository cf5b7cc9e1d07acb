"""The tour of an organiser: champions, seasons, ratings, and a player's results in all of its events.

Everyone reads the same: the public results of listed events (`tournament.queries.tour`).
"""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.serializers import (
    BooleanField,
    CharField,
    ChoiceField,
    DateField,
    IntegerField,
    ListField,
    UUIDField,
)

from tournament.api.filters import asked
from tournament.api.reading import Json
from tournament.api.reads import Answer, ListView, ReadView
from tournament.api.shapes import Shape, part_of
from tournament.api.versions import history_of, tag_of, versioned
from tournament.models import Stage, Tournament
from tournament.queries.tour.answers import Appearance, Tour, tour_of
from tournament.queries.tour.kinds import Played
from tournament.queries.tour.rating import Rating


class TourPlayerShape(Shape):
    player = UUIDField(help_text="The same in all events of the organiser.")
    name = CharField(help_text="The name in the player's newest event.")


class TourShape(Shape):
    uid = UUIDField(help_text="The organiser's uid.")
    name = CharField()
    version = IntegerField(help_text="Rises with every change in any of the organiser's events.")
    seasons = ListField(child=IntegerField(), help_text="The years with a finished session, newest first.")
    events = part_of(
        "TourEventShape",
        {
            "tournament": UUIDField(),
            "name": CharField(),
            "starts_on": DateField(),
            "place": CharField(allow_blank=True),
            "ruleset": CharField(),
            "state": ChoiceField(Tournament.State.choices),
            "champions": TourPlayerShape(
                many=True, help_text="For a finished event: everyone who shares first place."
            ),
        },
        many=True,
        help_text="Newest first, with their champions.",
    )


class SeasonRowShape(TourPlayerShape):
    place = IntegerField(allow_null=True, help_text="Null for too few games.")
    status = CharField()
    sessions = IntegerField()
    games = IntegerField()
    points = IntegerField()
    average = CharField(help_text="A fraction in lowest terms: `37/3`.")


class RatingShape(Shape):
    points = IntegerField(help_text="The middle of the range.")
    low = IntegerField()
    high = IntegerField()
    contests = IntegerField(help_text="The number of contests that it is based on.")


class RatingRowShape(TourPlayerShape):
    rating = RatingShape()


class AppearanceShape(Shape):
    tournament = UUIDField()
    entry = UUIDField()
    name = CharField(help_text="The name in that event.")
    champion = BooleanField()
    played = part_of(
        "PlayedShape",
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
            "average": CharField(allow_null=True, help_text="A fraction in lowest terms: `37/3`."),
            "through": BooleanField(),
        },
        many=True,
        help_text="Latest first.",
    )
    rating = RatingShape(allow_null=True, help_text="The rating after the event, if the event affected it.")


class SeasonQuery(serializers.Serializer[Any]):
    """The requested season."""

    year = serializers.IntegerField(
        required=False, min_value=1, max_value=9999, help_text="By default the newest season."
    )


class PlayerQuery(serializers.Serializer[Any]):
    """The player whose appearances are requested."""

    player = serializers.UUIDField(help_text="The uid of a player, as in ratings and champions.")


class OfTour(ReadView):
    """A tour, or a list in it; a token for one tournament finds none."""

    def tour(self, organiser: UUID) -> tuple[Tour, str]:
        """The organiser's tour and its ETag; Http404 if there is none."""
        ledgers = Tournament.objects.filter(organiser__uid=organiser).order_by("pk")
        history = history_of(list(ledgers.values_list("pk", "version", "ledger_head")))
        found = None if self.viewer.token and self.viewer.token.tournament_id else tour_of(organiser)
        if found is None:
            raise Http404
        return found, tag_of(found.version, "everybody", history)


class TourView(OfTour):
    @extend_schema(summary="The events of an organiser and their champions", responses=TourShape)
    def get(self, request: Request, organiser: UUID) -> Answer:
        """Listed events, newest first."""
        found, tag = self.tour(organiser)
        return versioned(request, tag, lambda: _tour(found))


class SeasonView(OfTour, ListView):
    serializer_class = SeasonRowShape

    @extend_schema(summary="The average over a year's sessions", parameters=[SeasonQuery])
    def get(self, request: Request, organiser: UUID) -> Answer:
        """Ranked players first, then those with too few games."""
        found, tag = self.tour(organiser)
        year: int = asked(SeasonQuery, request).get("year", max(found.seasons(), default=0))
        rows = found.season(year).standings
        return versioned(
            request,
            tag,
            lambda: self.page(
                rows,
                lambda each: {
                    **_player(found, each.player),
                    **_members(each, "place", "status", "sessions", "games", "points"),
                    "average": str(each.average),
                },
            ),
        )


class RatingsView(OfTour, ListView):
    serializer_class = RatingRowShape

    @extend_schema(summary="The players' ratings")
    def get(self, request: Request, organiser: UUID) -> Answer:
        """By the lower end of the range. Ratings are estimates and decide no place."""
        found, tag = self.tour(organiser)
        rows = list(found.ratings().items())
        return versioned(
            request,
            tag,
            lambda: self.page(rows, lambda each: {**_player(found, each[0]), "rating": _rating(each[1].now)}),
        )


class AppearancesView(OfTour, ListView):
    serializer_class = AppearanceShape

    @extend_schema(summary="A player's results in an organiser's events", parameters=[PlayerQuery])
    def get(self, request: Request, organiser: UUID) -> Answer:
        """Newest event first."""
        found, tag = self.tour(organiser)
        rows = list(found.appearances(str(asked(PlayerQuery, request)["player"])))
        return versioned(request, tag, lambda: self.page(rows, _appearance))


def _tour(found: Tour) -> Json:
    return {
        "uid": str(found.organiser),
        "name": found.name,
        "version": found.version,
        "seasons": found.seasons(),
        "events": [
            {
                "tournament": str(event.uid),
                **_members(event, "name", "starts_on", "place", "ruleset", "state"),
                "champions": [_player(found, each) for each in event.champions],
            }
            for event in found.events
        ],
    }


def _members(of: object, *names: str) -> Json:
    return {name: getattr(of, name) for name in names}


def _player(found: Tour, player: str) -> Mapping[str, str]:
    return {"player": player, "name": found.names[player]}


def _rating(rating: Rating) -> Json:
    return _members(rating, "points", "low", "high", "contests")


def _appearance(each: Appearance) -> Json:
    return {
        "tournament": str(each.event.uid),
        "entry": str(each.taken.entry),
        "name": each.taken.name,
        "champion": each.champion,
        "played": [_played(played) for played in each.taken.played],
        "rating": each.rating and _rating(each.rating),
    }


def _played(played: Played) -> Json:
    return {
        **_members(
            played, "stage", "kind", "table", "place", "ranked", "plays", "status", "points", "through"
        ),
        "average": None if played.average is None else str(played.average),
    }
