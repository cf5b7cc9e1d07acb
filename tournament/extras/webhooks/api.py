"""Webhooks and their messages in the API."""

from collections.abc import Iterable, Mapping
from typing import Any

from django_filters import rest_framework as filters
from rest_framework.serializers import ChoiceField, ListField

from tournament.extras.programs.api import auth, reads, serializers
from tournament.extras.programs.api.writes import EVENT, Write
from tournament.models import Call, Delivery, Stage, Webhook

Json = dict[str, Any]


class DeliveryFilter(filters.FilterSet):
    """Filter of webhook messages."""

    webhook = filters.UUIDFilter(field_name="webhook__uid")
    state = filters.ChoiceFilter(choices=Delivery.State.choices)


class WebhookSerializer(serializers.RowSerializer[Webhook]):
    """An address to which messages about an event go, without its secret."""

    kinds = ListField(child=ChoiceField(Webhook.Kind.choices), help_text="What it is told.")

    class Meta:
        model = Webhook
        fields = ("uid", "address", "kinds", "paused", "made_at", "failing_since", "off_at", "off_because")


class DeliverySerializer(serializers.RowSerializer[Delivery]):
    """A message to a webhook, with its last answer."""

    class Meta:
        model = Delivery
        fields = (
            "uid",
            "webhook",
            "kind",
            "sequence",
            "subject",
            "made_at",
            "state",
            "due_at",
            "tries",
            "tried_at",
            "status",
            "answer",
            "fault",
        )


EVENT_READS = {
    "webhooks": reads.EventList.as_view(
        tagged=False,
        queryset=Webhook.objects.order_by("made_at"),
        serializer_class=WebhookSerializer,
        permission_classes=[auth.OrganisersAlone],
    ),
    "deliveries": reads.EventList.as_view(
        tagged=False,
        serializer_class=DeliverySerializer,
        filterset_class=DeliveryFilter,
        queryset=Delivery.objects.order_by("-made_at").select_related("webhook"),
        event="webhook__tournament",
        permission_classes=[auth.OrganisersAlone],
    ),
}
WRITES = (
    Write(
        "add_webhook",
        "POST",
        f"{EVENT}/webhooks",
        "Add a webhook",
        makes="webhook",
        secret=lambda uid: Webhook.objects.get(uid=uid).secret,
    ),
    Write("set_webhook", "PUT", f"{EVENT}/webhooks/<uuid:webhook>", "Choose what a webhook is told"),
    Write("remove_webhook", "DELETE", f"{EVENT}/webhooks/<uuid:webhook>", "Remove a webhook"),
    Write("try_webhook", "POST", f"{EVENT}/webhooks/<uuid:webhook>/test", "Send a test message"),
    Write("send_again", "POST", f"{EVENT}/deliveries/<uuid:delivery>/send-again", "Send a message again"),
)
SENT = {
    "add_webhook": {"address": "https://board.example.org/lastcard", "kinds": ["results", "stages"]},
    "set_webhook": {"kinds": ["results"], "paused": False},
}
READ_TEXTS = {
    "webhooks": (
        "The webhooks of an event",
        "For organisers, in the order in which they were added, without their secrets.",
    ),
    "deliveries": ("The messages to an event's webhooks", "For organisers, the newest first."),
}
TEXTS = {
    "add_webhook": "It is told of these `kinds` from now on. Only the answer that creates it has the `secret` that "
    "signs its messages. Refused: `webhooks_off`, `too_many_webhooks`, `webhook_address`, `webhook_https`, "
    "`webhook_private`.",
    "set_webhook": "What happens while it is `paused` is not sent later; what is queued stays queued. `paused` false "
    "also resumes a webhook that was switched off. Refused: `unknown_webhook`, `no_webhook_kind`.",
    "remove_webhook": "Its messages go too. Refused: `unknown_webhook`.",
    "try_webhook": "To see whether it arrives. Refused: `unknown_webhook`, `webhook_rests`.",
    "send_again": "Now, and with all its retries; its id stays. Refused: `unknown_delivery`, `webhook_rests`.",
}

_UID: Json = {"type": "string", "format": "uuid"}
_TIME: Json = {"type": ["string", "null"], "format": "date-time"}


def _or_null(words: Iterable[str]) -> Json:
    """One of these words, or null; generators of clients read no enum in `oneOf`."""
    return {"type": ["string", "null"], "enum": [*words, None]}


# Members besides `tournament`, `sequence`, `links`.
_MEMBERS: Mapping[str, tuple[str, Json]] = {
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


def _message(kind: str, summary: str, more: Json) -> Json:
    """OpenAPI operation of a message."""
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


MESSAGES = {kind: {"post": _message(kind, *about)} for kind, about in _MEMBERS.items()}
