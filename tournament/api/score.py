"""Score a sheet by POST, like `manage.py score`; stores nothing."""

from collections.abc import Mapping
from typing import IO, Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from scoring import SheetInvalid, parse_sheet, score
from scoring.reading import malformed_file
from tournament.api import base, serializers
from tournament.results import Fault, Refused
from tournament.server.rate_limits import ScoreThrottle
from tournament.words.text import can_be_written

MOST_PLAYERS = 10_000


class SheetParser(BaseParser):
    """Raw bytes of any content type; `parse_sheet` validates."""

    media_type = "*/*"

    def parse(
        self,
        stream: IO[Any],
        _media_type: str | None = None,
        _parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        return base.whole(stream)


class ScoreView(base.ApiView):
    """Scores one sheet, for anyone."""

    authentication_classes = []
    parser_classes = [SheetParser]
    throttle_classes = [ScoreThrottle]

    @extend_schema(
        summary="Score a sheet, without storing it",
        request={"application/json": OpenApiTypes.OBJECT},
        responses=serializers.SHEET_ANSWER,
    )
    def post(self, request: Request) -> Response:
        """docs/score-sheet.md describes the format; every stage's sheets use it."""
        try:
            sheet = parse_sheet(request.data if isinstance(request.data, bytes) else b"")
            if not can_be_written(sheet):
                raise malformed_file("half of a letter")
            players = sheet.get("players") if isinstance(sheet, Mapping) else None
            if isinstance(players, list) and len(players) > MOST_PLAYERS:
                raise Refused(Fault("too_many_at_once", "/players", {"most": MOST_PLAYERS}))
            return Response(score(sheet).as_json())
        except SheetInvalid as invalid:
            raise Refused(
                *(Fault(error.code, error.path, error.parameters) for error in invalid.errors)
            ) from None
