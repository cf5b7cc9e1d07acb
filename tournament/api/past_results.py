"""The results of an event that were brought in from a file."""

from collections.abc import Callable
from typing import Any

from rest_framework.serializers import CharField, ModelSerializer, UUIDField

from tournament.api.reading import Reader
from tournament.models import PastResult


class PastResultSerializer(ModelSerializer[PastResult]):
    """Points and averages are decimal numbers as text, and "" or null what the file did not have."""

    entry = UUIDField(source="entry.uid")
    name = CharField(source="entry.shown_name")
    club = CharField(source="entry.club")
    points = CharField(allow_blank=True)
    average = CharField(allow_blank=True)

    class Meta:
        model = PastResult
        fields = ("entry", "name", "club", "place", "points", "average", "games", "wins", "note")


def past_results(reader: Reader) -> tuple[list[PastResult], Callable[[PastResult], Any]]:
    """What the file said of an event that was played without Lastcard, by place; no plays stand behind it."""
    rows = PastResult.objects.filter(entry__tournament=reader.tournament).select_related("entry")
    return list(rows), PastResultSerializer().to_representation
