"""Seasons of an organiser, and their rankings (`tournament.queries.tour.seasons`)."""

from typing import Any
from uuid import UUID

from django.db.models import Prefetch
from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.serializers import (
    CharField,
    ChoiceField,
    IntegerField,
    ListField,
    ModelSerializer,
    SlugRelatedField,
)

from tournament.api.base import history_of, tag_of, versioned
from tournament.api.reads import Answer, ListView
from tournament.api.serializers import FRACTION
from tournament.api.tours import TourPlayerSerializer
from tournament.models import Organiser, Season, Tournament
from tournament.permissions import runs_organiser
from tournament.queries.tour.seasons import SeasonTable, season_table
from tournament.server.database import snapshot


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


class SeasonBase(ListView):
    """Lists of an organiser; private ones for its organisers alone. Hidden from tournament tokens."""

    def runs(self, organiser: Organiser) -> bool:
        """Whether the viewer runs the organiser's events. Raises Http404 for a token of one event."""
        if self.viewer.token and self.viewer.token.tournament_id:
            raise Http404
        return self.viewer.user is not None and runs_organiser(self.viewer.user, organiser)

    def tag(self, organiser: Organiser, *, runs: bool) -> str:
        """ETag of what the viewer sees of the organiser."""
        ledgers = list(organiser.tournaments.order_by("pk").values_list("pk", "version", "ledger_head"))
        version = sum(version for _pk, version, _head in ledgers)
        return tag_of(version, "organiser" if runs else "public", history_of(ledgers))


class SeasonsView(SeasonBase):
    """Newest first."""

    serializer_class = SeasonSerializer
    queryset = Season.objects.none()

    def get(self, request: Request, **named: UUID) -> Answer:
        with snapshot():
            organiser = get_object_or_404(Organiser, uid=named["organiser"])
            runs = self.runs(organiser)
            events = Tournament.objects.visible() if runs else Tournament.objects.listed()
            rows = Season.objects.filter(organiser=organiser).prefetch_related(
                Prefetch("evenings", queryset=events.order_by("starts_on", "pk"))
            )
            shown = rows if runs else rows.filter(public=True)
            return versioned(request, self.tag(organiser, runs=runs), lambda: self.written(shown))


class RankingView(SeasonBase):
    """Ranked players first."""

    serializer_class = RankingRowSerializer

    def get(self, request: Request, **named: UUID) -> Answer:
        found = season_table(named["season"])
        if found is None:
            raise Http404
        organiser = found.season.organiser
        runs = self.runs(organiser)
        if not (found.season.public or runs):
            raise Http404
        return versioned(
            request,
            self.tag(organiser, runs=runs),
            lambda: self.written((found.standings, lambda line: _row(found, line))),
        )


def _row(found: SeasonTable, line: Any) -> dict[str, Any]:
    return {
        "player": line.player,
        "name": found.names[line.player],
        **{
            name: getattr(line, name)
            for name in ("place", "status", "reason", "counted", "evenings", "games")
        },
        "value": str(line.value),
        "worth": [None if worth is None else str(worth) for worth in line.worth],
        "points": str(line.points),
        "moved": found.moved.get(line.player),
    }
