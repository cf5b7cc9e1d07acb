"""With PostgreSQL gone, every address and every kind of write says so: a page in plain words, a problem for programs,
503 with Retry-After; never a 500. The addresses are the product's own, so that a new one is asked too."""

import re
from collections.abc import Iterator
from http.client import HTTPConnection
from uuid import UUID, uuid4

import pytest
from django.urls import URLResolver, get_resolver
from pytest_django import Settings

from tests.e2e.arranger import Arranged
from tests.e2e.server import environment
from tests.faults._postgres import Cluster
from tests.faults.phones import BUSY, CSRF, Said
from tests.faults.rig import Rig
from tournament.links import token_for
from tournament.queries.installation import first_account_token

pytestmark = pytest.mark.server

SAID = "Lastcard cannot reach its data"
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
# Addresses and methods that need no database: pages without facts, forms before they are sent, ways on, and answers to
# invalid requests. 405 is right anywhere.
WITHOUT = {
    "GET /api/v1/docs": 200,
    **{f"{method} /api/v1/docs": 403 for method in METHODS[1:]},  # a page, so the CSRF token is asked for
    "POST /api/v1/score": 422,
    "GET /en/admin/login/": 302,
    "POST /en/admin/login/": 302,
    "POST /en/desk/hand-over/": 200,
    "GET /en/code/": 200,  # a form
    "GET /en/t2345678/": 303,  # a browser that has no cookie yet gets one first
    "POST /en/t2345678/": 303,
    "GET /en/desk/send/": 302,
    "GET /en/rules/": 200,
    "GET /en/rules/kpgut-2016/": 200,
    "GET /en/rules/kpgut-2016/fi/": 200,
    "GET /en/help/": 200,
    "GET /en/help/client.py": 200,
    "GET /en/manifest.webmanifest": 200,
    "GET /en/no-network/": 200,
    "GET /en/help/players/": 200,
    "GET /en/score/": 200,
    "POST /en/score/": 422,
    "GET /en/sign-in/": 200,
    "GET /favicon.ico": 301,
    "POST /favicon.ico": 301,
    "GET /sw.js": 200,
}
SENT = {"/en/sign-in/": "username=somebody&password=secret"}
# The short addresses of codes lead on, and the first part of a stage's page is the stage's own address.
LEAD_ON = re.compile(r"GET (/j/[^/]+/|/p/[^/]+/|/en/t/[^/]+/stage/[^/]+/1/)")
LINKS = {"at": "table", "i": "invite", "hello": "hello"}  # else a player's own
PLACE = re.compile(r"<(?:\w+:)?(\w+)>")


def routes(resolver: URLResolver, before: str = "/") -> Iterator[str]:
    """Every route, as it is written in the tables of addresses."""
    for pattern in resolver.url_patterns:
        here = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern, here)
        else:
            yield here.replace("^", "").replace("$", "").replace("\\Z", "")


def addresses(event: Arranged) -> Iterator[str]:
    """An address of every route: of this event where it names something of it."""
    known = {
        "slug": event.slug, "stage": event.stage, "table": event.tables[0], "entry": event.seats[0][0],
        "page": "1", "year": "2026", "row": "1", "version": "1", "what": "check-in", "ruleset": "kpgut-2016",
        "sheet": "fi", "kind": "csv", "topic": "players", "code": "t2345678",
    }  # fmt: skip
    for route in sorted(set(routes(get_resolver()))):
        link = next((purpose for part, purpose in LINKS.items() if f"/{part}/" in route), "player")
        known["token"] = token_for(link, UUID(event.seats[0][0]))
        if "/first/" in route:
            known["token"] = first_account_token()
        yield PLACE.sub(lambda place: known.get(place[1], str(uuid4())), route)


@pytest.mark.soak
def test_every_address_says_that_the_data_is_away(pg: Rig, cluster: Cluster, settings: Settings) -> None:
    settings.SECRET_KEY = environment(pg.data)["SECRET_KEY"]
    event = pg.match()
    token = pg.ask("token", slug=event.slug, scope="organise")
    cluster.stop()
    own = {"Cookie": f"sessionid={event.organiser.session}; csrftoken={CSRF}", "X-CSRFToken": CSRF}
    program = {"Authorization": f"Bearer {token}", "Idempotency-Key": str(uuid4())}
    wrong, asked_of = [], 0
    for address in addresses(event):
        of_api = address.startswith("/api/")
        for method in METHODS if of_api else METHODS[:2]:
            said = asked(pg.port, method, address, program if of_api else own)
            asked_of += 1
            if said.status not in {405, 503} and WITHOUT.get(f"{method} {address}") != said.status:
                if not (said.status in {302, 404} and LEAD_ON.fullmatch(f"{method} {address}")):
                    wrong.append(f"{said.status} {method} {address}")
            elif said.status == 503 and not plain(said, method, of_api=of_api):
                wrong.append(f"{method} {address} says {said.text}")
    assert wrong == []
    assert asked_of > 900
    assert "Traceback" not in pg.log.read_text()


def asked(port: int, method: str, address: str, headers: dict[str, str]) -> Said:
    connection = HTTPConnection("127.0.0.1", port, timeout=BUSY)
    try:
        body = SENT.get(address, "{}") if method != "GET" else None
        kind = "application/x-www-form-urlencoded" if address in SENT else "application/json"
        connection.request(method, address, body, {**headers, "Content-Type": kind})
        answer = connection.getresponse()
        return Said(answer.status, answer.headers, answer.read())
    finally:
        connection.close()


def plain(said: Said, method: str, *, of_api: bool) -> bool:
    """Whether it says what is the matter and when to come again; a page that was only read asks again by itself."""
    if said.headers["Retry-After"] != "5":
        return False
    if of_api:
        return said.headers["Content-Type"] == "application/problem+json" and bool(
            said.json["code"] == "unavailable"
        )
    return SAID in said.text and ('http-equiv="refresh"' in said.text) == (method == "GET")
