"""Rights to see, to add and to change webhooks."""

from collections.abc import Mapping

from tests.roles.table import (
    KNOWN_NEVER,
    NEVER,
    ORGANISER_WRITES,
    ORGANISERS,
    PRIVATE_READ,
    Row,
)

NEEDS_ACCOUNT: dict[str, Mapping[str, object]] = {
    "/organise/t/<slug:slug>/webhooks/": {"address": "https://a.example/", "kinds": "results"},
}
ROWS: dict[str, Row] = {
    "/organise/t/<slug:slug>/webhooks/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/webhook/<uuid:webhook>/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/webhook/<uuid:webhook>/try/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/webhook/<uuid:webhook>/remove/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/delivery/<uuid:delivery>/again/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/api/v1/tournaments/<uuid:tournament>/webhooks": {"GET": PRIVATE_READ, "POST": ORGANISER_WRITES},
    "/api/v1/tournaments/<uuid:tournament>/webhooks/<uuid:webhook>": {
        "GET": NEVER,
        "POST": KNOWN_NEVER,
        "PUT": ORGANISER_WRITES,
        "DELETE": ORGANISER_WRITES,
    },
    "/api/v1/tournaments/<uuid:tournament>/webhooks/<uuid:webhook>/test": {
        "GET": NEVER,
        "POST": ORGANISER_WRITES,
    },
    "/api/v1/tournaments/<uuid:tournament>/deliveries": {"GET": PRIVATE_READ, "POST": KNOWN_NEVER},
    "/api/v1/tournaments/<uuid:tournament>/deliveries/<uuid:delivery>/send-again": {
        "GET": NEVER,
        "POST": ORGANISER_WRITES,
    },
}
