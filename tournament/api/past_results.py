"""The results of an event that were brought in from a file."""

from rest_framework.serializers import CharField, ModelSerializer, UUIDField

from tournament.api.reading import Reader
from tournament.api.reads import Lazy, ReadView, of_tournament
from tournament.api.shapes import Shape
from tournament.models import PastResult


class PastResultShape(ModelSerializer[PastResult]):
    """A player's result from a file."""

    entry = UUIDField(source="entry.uid")
    name = CharField(source="entry.shown_name")
    club = CharField(source="entry.club")

    class Meta:
        model = PastResult
        fields = ("entry", "name", "club", "place", "points", "average", "games", "wins", "note")


class PastResultsShape(Shape):
    """All results of an event from a file."""

    results = PastResultShape(many=True, help_text="By place; those without one last.")


@of_tournament(ReadView, PastResultsShape, "Results that were brought in from a file")
def past_results(_view: ReadView, reader: Reader) -> Lazy:
    """What the file said of an event that was played without Lastcard: no stages and no plays stand behind it. Points
    and averages are decimal numbers as text, and "" or null what the file did not have."""
    rows = PastResult.objects.filter(entry__tournament=reader.tournament).select_related("entry")
    return lambda: PastResultsShape({"results": rows}).data
