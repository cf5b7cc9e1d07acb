"""Shapes of webhook messages, for the OpenAPI document."""

from collections.abc import Iterable, Mapping
from typing import Any

from tournament.models import Call, Stage

Json = dict[str, Any]

_UID: Json = {"type": "string", "format": "uuid"}
_TIME: Json = {"type": ["string", "null"], "format": "date-time"}


def _or_null(words: Iterable[str]) -> Json:
    """One of these words, or null; generators of clients read no enum in `oneOf`."""
    return {"type": ["string", "null"], "enum": [*words, None]}


# Members of message `data` besides `tournament`, `sequence`, `links`.
MESSAGES: Mapping[str, tuple[str, Json]] = {
    "results.changed": (
        "Results of a stage, or who plays on there, as the public may see them",
        {
            "stage": _UID,
            "plays": {"type": "array", "items": _UID, "maxItems": 100},
            "more_plays": {"type": "boolean"},
        },
    ),
    "stage.changed": (
        "A stage was planned, changed, started, finished, reopened, frozen, revealed or removed",
        {
            "stage": _UID,
            "number": {"type": ["integer", "null"]},
            "kind": _or_null(Stage.Kind),
            "state": _or_null(Stage.State),
        },
    ),
    "incident.changed": (
        "An incident was entered or withdrawn",
        {
            "incident": _UID,
            "kind": {"$ref": "#/components/schemas/IncidentKind"},
            "table": {**_UID, "type": ["string", "null"]},
            "at": {"type": "string", "format": "date-time"},
            "withdrawn": {"type": "boolean"},
        },
    ),
    "entry.changed": (
        "A player entered, changed, left or was removed, or asks to take part",
        {"entry": _UID},
    ),
    "call.changed": (
        "A table's call of a referee was made, answered or, with nulls, withdrawn",
        {
            "call": _UID,
            "kind": _or_null(Call.Kind),
            "table": {**_UID, "type": ["string", "null"]},
            "at": _TIME,
            "answered_at": _TIME,
        },
    ),
    "tournament.changed": (
        "The event was changed, has begun or has ended",
        {"state": {"$ref": "#/components/schemas/EventState"}},
    ),
    "test": ("An organiser tries the webhook", {}),
}


def message(kind: str) -> Json:
    """OpenAPI operation of a webhook message."""
    summary, more = MESSAGES[kind]
    data = {"tournament": _UID, **({"sequence": {"type": "integer"}} if more else {}), **more}
    links = {"type": "object", "additionalProperties": {"type": "string", "format": "uri-reference"}}
    parts = {"type": {"const": kind}, "timestamp": {"type": "string", "format": "date-time"}}
    headers = ("webhook-id", "webhook-timestamp", "webhook-signature")
    return {
        "operationId": kind.replace(".", "_"),
        "summary": summary,
        "description": "Answer with 2xx within 10 seconds. Signed as Standard Webhooks specifies.",
        "security": [{}],
        "parameters": [
            {"name": name, "in": "header", "required": True, "schema": {"type": "string"}} for name in headers
        ],
        "requestBody": {
            "content": {
                "application/json": {"schema": _object({**parts, "data": _object({**data, "links": links})})}
            }
        },
        "responses": {"2XX": {"description": "Accepted."}, "410": {"description": "Switch the webhook off."}},
    }


def _object(properties: Json) -> Json:
    return {"type": "object", "required": [*properties], "properties": properties}
