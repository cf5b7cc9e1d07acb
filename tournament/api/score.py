"""POST a score sheet, get what follows from it: the same answer as `manage.py score` prints. Nothing is stored."""

from collections.abc import Mapping
from typing import IO, Any

from rest_framework import status
from rest_framework.exceptions import APIException
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from scoring import SheetInvalid, parse_sheet, score
from tournament.api.throttles import ScoreThrottle

MOST_BYTES = 1_000_000


class TooLarge(APIException):
    """The body is larger than any score sheet."""

    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_detail = f"A score sheet has at most {MOST_BYTES} bytes."
    default_code = "too_large"


class SheetParser(BaseParser):
    """The body as bytes, whatever it calls itself: `parse_sheet` says if it is no sheet."""

    media_type = "*/*"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """At most MOST_BYTES of the body."""
        del media_type, parser_context
        body = stream.read(MOST_BYTES + 1)
        if len(body) > MOST_BYTES:
            raise TooLarge
        return body


class ScoreView(APIView):
    """Scores one sheet: 200 with the answer, or 422 with the errors, each with code, path, message and parameters."""

    parser_classes = [SheetParser]
    throttle_classes = [ScoreThrottle]

    def post(self, request: Request) -> Response:
        """Score the sheet in the body."""
        body = request.data if isinstance(request.data, bytes) else b""
        try:
            return Response(score(parse_sheet(body)).as_json())
        except SheetInvalid as invalid:
            return Response(invalid.as_json(), status=status.HTTP_422_UNPROCESSABLE_ENTITY)
