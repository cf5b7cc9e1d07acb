"""Rights to see tours, and to see and change seasons."""

from collections.abc import Mapping

from tests.roles.table import (
    ACCOUNT_NEVER,
    DELETES,
    KNOWN_NEVER,
    NEVER,
    NOTHING,
    OF_SEASON,
    ORGANISER_WRITES,
    ORGANISERS,
    PUBLIC,
    Row,
)

NEEDS_ACCOUNT: dict[str, Mapping[str, object]] = {
    "/organise/t/<slug:slug>/seasons/": {"name": "The year"},
}
ROWS: dict[str, Row] = {
    "/o/<uuid:organiser>/": {"GET": PUBLIC, "POST": NEVER},
    "/o/<uuid:organiser>/ratings/": {"GET": PUBLIC, "POST": NEVER},
    "/o/<uuid:organiser>/ratings/<int:page>/": {"GET": NOTHING, "POST": NEVER},
    "/o/<uuid:organiser>/season/<int:year>/": {"GET": NOTHING, "POST": NEVER},
    "/o/<uuid:organiser>/season/<int:year>/<int:page>/": {"GET": NOTHING, "POST": NEVER},
    "/o/<uuid:organiser>/player/<uuid:player>/": {"GET": PUBLIC, "POST": NEVER},
    "/o/<uuid:organiser>/seasons/<uuid:season>/": {"GET": OF_SEASON, "POST": NEVER},
    "/o/<uuid:organiser>/seasons/<uuid:season>/print/": {"GET": OF_SEASON, "POST": NEVER},
    "/o/<uuid:organiser>/seasons/<uuid:season>/season.xlsx": {"GET": OF_SEASON, "POST": NEVER},
    "/o/<uuid:organiser>/seasons/<uuid:season>/next/": {"GET": DELETES, "POST": ACCOUNT_NEVER},
    "/organise/t/<slug:slug>/seasons/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/t/<slug:slug>/seasons/<uuid:season>/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/t/<slug:slug>/seasons/<uuid:season>/evening/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/organise/t/<slug:slug>/seasons/<uuid:season>/remove/": {"GET": ORGANISERS, "POST": ORGANISERS},
    "/api/v1/organisers/<uuid:organiser>/tour": {"GET": PUBLIC, "POST": NEVER},
    "/api/v1/organisers/<uuid:organiser>/season": {"GET": PUBLIC, "POST": NEVER},
    "/api/v1/organisers/<uuid:organiser>/ratings": {"GET": PUBLIC, "POST": NEVER},
    "/api/v1/organisers/<uuid:organiser>/appearances": {"GET": PUBLIC, "POST": NEVER},
    "/api/v1/organisers/<uuid:organiser>/seasons": {"GET": OF_SEASON, "POST": NEVER},
    "/api/v1/seasons/<uuid:season>/ranking": {"GET": OF_SEASON, "POST": NEVER},
    "/api/v1/tournaments/<uuid:tournament>/seasons/<uuid:season>": {
        "GET": OF_SEASON,
        "POST": KNOWN_NEVER,
        "PUT": ORGANISER_WRITES,
        "PATCH": ORGANISER_WRITES,
        "DELETE": ORGANISER_WRITES,
    },
    "/api/v1/tournaments/<uuid:tournament>/seasons": {"GET": NEVER, "POST": ORGANISER_WRITES},
    "/api/v1/tournaments/<uuid:tournament>/seasons/<uuid:season>/evening": {
        "GET": NEVER,
        "POST": KNOWN_NEVER,
        "PUT": ORGANISER_WRITES,
    },
}
