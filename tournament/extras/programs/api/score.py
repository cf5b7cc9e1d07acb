"""Score a sheet by POST, like `manage.py score`; stores nothing."""

from collections.abc import Mapping

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from rulesets import CARDS, SHEETS
from scoring import ENDINGS, OUTCOMES, SheetInvalid, malformed_file, parse_sheet, score
from tournament.extras.programs.api import base, serializers
from tournament.results import Fault, Refused
from tournament.server.rate_limits import ScoreThrottle
from tournament.words.text import can_be_written

MOST_PLAYERS = 10_000


_TEXT, _TEXTS, _NUMBER = (
    {"type": "string"},
    {"type": "array", "items": {"type": "string"}},
    {"type": "integer"},
)
_CARDS = {"type": "object", "propertyNames": {"enum": [*CARDS]}, "additionalProperties": _NUMBER}
_RESULT = {
    "type": "object",
    "required": ["player", "outcome"],
    "properties": {
        "player": _TEXT,
        "outcome": {"type": "string", "enum": [*OUTCOMES]},
        "elapsed_s": {**_NUMBER, "description": "Required with `out`: seconds since the game began."},
        "hand": {**_CARDS, "description": "Required with `remaining`."},
    },
}
_ROW = {
    "type": "object",
    "required": ["number"],
    "properties": {
        "number": _NUMBER,
        "ended": {"type": "string", "enum": [*ENDINGS]},
        "results": {"type": "array", "items": _RESULT},
        **dict.fromkeys(("duration_s", "decks", "advance"), _NUMBER),
        **dict.fromkeys(("winner", "drew"), _TEXT),
        **dict.fromkeys(("players", "finish_order", "emptied", "removed", "withdrawn"), _TEXTS),
        "hands": {"type": "object", "additionalProperties": _CARDS},
        "last_cards": _CARDS,
        "void": {"type": "boolean"},
    },
}
# As in docs/score-sheet.md; `parse_sheet` checks the members of each kind.
SHEET = {
    "type": "object",
    "required": ["sheet", "kind", "ruleset", "players"],
    "properties": {
        "sheet": {**_NUMBER, "enum": [1]},
        "kind": {"type": "string", "enum": [*SHEETS]},
        "ruleset": _TEXT,
        "settings": serializers.SETTINGS,
        "players": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["id", "name"],
                "properties": {"id": _TEXT, "name": _TEXT},
            },
        },
        "games": {"type": "array", "items": _ROW, "description": "Of a session or a race."},
        "rounds": {"type": "array", "items": _ROW, "description": "Of a match."},
        "heats": {"type": "array", "items": _ROW, "description": "Of heats."},
        "stopped": {"type": "boolean", "description": "The referees ended the match before its target."},
        "removed": {**_TEXTS, "description": "After the last row."},
        "withdrawn": {**_TEXTS, "description": "After the last row."},
    },
}


class ScoreView(base.ApiView):
    """Scores one sheet, for anyone."""

    authentication_classes = []
    throttle_classes = [ScoreThrottle]

    @extend_schema(
        summary="Score a sheet, without storing it",
        request={"application/json": SHEET},
        responses=serializers.AnswerSerializer,
    )
    def post(self, request: Request) -> Response:
        try:
            sheet = parse_sheet(base.whole(request.stream) if request.stream else b"")
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
