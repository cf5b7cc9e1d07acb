"""Every address of the site, asked as everybody: what each answer was, what secrets stood in it, what was written."""

import logging
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from io import BytesIO
from typing import Any
from uuid import uuid4
from zipfile import ZipFile

from django.conf import settings
from django.core.cache import cache
from django.db import connection, transaction
from django.http.response import HttpResponseBase
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import translation
from django.utils.module_loading import import_string

from tests.roles.table import (
    ADMIN,
    FORBIDDEN,
    HEAD,
    HIDDEN,
    LINK,
    NO_METHOD,
    OPEN,
    ORGANISER,
    PROGRAM,
    SIGN_IN,
    STAFF,
    TABLE,
    UNKNOWN,
    VISITOR,
)
from tests.roles.world import AWAY, FINISHED, FOREIGN, OTHER, OWN, Made, Values, World
from tournament.settings import EXTRAS

USERS = (TABLE, HEAD, ORGANISER, STAFF, ADMIN)
SAFE = ("GET", "HEAD", "OPTIONS")
STATUS = {401: UNKNOWN, 403: FORBIDDEN, 404: HIDDEN, 405: NO_METHOD}

WRITE = re.compile(
    r"\s*(?:INSERT|UPDATE|DELETE|REPLACE|CREATE|ALTER|DROP|TRUNCATE)\b[^\"`]*[\"`]?(\w+)", re.IGNORECASE
)
PART = re.compile(r"<(?:\w+:)?(\w+)>")
UNTOLD = {"content-length", "etag"}  # headers with numbers of their own
# Patterns of secrets: canaries, tokens of links, digests, and numbers that stand alone.
LIKE = re.compile(r"Zq[a-z]+\d?qz[a-z]+|(?<![\w-])[\w-]{43}(?![\w-])|[0-9a-f]{64}|(?<![\w.-])\d{3,4}(?!\w)")

Secret = tuple[str, str]  # whose: the name of the event; which: the kind


@dataclass(frozen=True)
class Route:
    """One address of the site: its pattern without the language, and how it is asked."""

    path: str
    methods: tuple[str, ...] = ("GET", "POST")

    @property
    def parts(self) -> list[str]:
        return PART.findall(self.path)

    @property
    def by_link(self) -> bool:
        return "token" in self.parts

    @property
    def api(self) -> bool:
        return self.path.startswith("/api/")

    @property
    def admin(self) -> bool:
        return self.path.startswith("/admin/")

    @property
    def of_event(self) -> bool:
        """Whether it belongs to an event, so that it matters whose event that is."""
        return bool({*self.parts} - {"ruleset", "sheet", "topic", "app_label", "url"})

    @property
    def of_table(self) -> bool:
        return bool({*self.parts} & {"table", "play", "proposal", "call", "incident"})


@dataclass(frozen=True)
class Answer:
    """The response to one request."""

    route: Route
    method: str
    role: str
    place: str
    status: int
    said: str
    secrets: frozenset[Secret]
    wrote: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.method} {self.route.path} as {self.role}, {self.place}: {self.status} {self.said}"


@dataclass
class Asked:
    """All answers, and what stood in the log meanwhile."""

    answers: list[Answer] = field(default_factory=list)
    logged: list[tuple[str, frozenset[Secret]]] = field(default_factory=list)


def routes(entries: Sequence[Any] | None = None, before: str = "/") -> Iterator[Route]:
    """Every address that the site knows; of two patterns with one text the first answers."""
    methods: dict[str, tuple[str, ...]] = defaultdict(tuple)
    if "programs" in EXTRAS:  # several methods at one address are the API's alone
        for write in import_module("tournament.extras.programs.api.writes").commands():
            methods["/api/v1/" + write.path] += (write.method,)
    found = dict.fromkeys(_patterns(get_resolver().url_patterns if entries is None else entries, before))
    for path in found:
        yield Route(path, tuple(dict.fromkeys(("GET", "POST", *methods[path]))))


def _patterns(entries: Sequence[Any], before: str) -> Iterator[str]:
    for entry in entries:
        route = str(entry.pattern)
        path = before + ("" if type(entry.pattern).__name__ == "LocalePrefixPattern" else route)
        if isinstance(entry, URLResolver):
            yield from _patterns(entry.url_patterns, path)
        elif isinstance(entry, URLPattern):
            yield re.sub(r"\(\?P<(\w+)>[^)]*\)", r"<\1>", path).replace("^", "").replace("$", "")


# ---- addresses ----

WHAT = {
    "/at/<str:token>/<slug:what>/": "call",
    "/p/<str:token>/<slug:what>/": "check-in",
    "/desk/table/<uuid:table>/incidents/<slug:what>/": "ruling",
    "/organise/player/<uuid:entry>/<slug:what>/": "late",
    "/organise/t/<slug:slug>/clock/<slug:what>/": "pause",
}
TOKEN = {
    "/i/": "invite",
    "/at/": "table",
    "/sit/": "table",
    "/hello/": "hello",
    "/ask/": "ask",
    "/p/": "player",
    "/first/": "player",
}
NO_LANGUAGE = re.compile(r"/(?:api|j|b|favicon[.]ico|sw[.]js)(?:/|$)")
QUERY = {"/organise/t/<slug:slug>/archive/event.zip": "?people=everything"}


def address(route: Route, made: Made, *, elsewhere: bool = False, forged: bool = False) -> str:
    """The address of this route in an event; at another table with `elsewhere`, by a link of nobody with
    `forged`."""
    values: Values = {**made.values, **(made.elsewhere if elsewhere else {})}
    path = route.path
    if route.admin:
        values |= _of_admin(path, made)
    if "/registration/<uuid:entry>" in path or path.endswith(("/decline", "/take-from-waiting")):
        values["entry"] = values["asks"]
    if path.endswith("/draw.json"):
        values["stage"] = values["heats"]
    values["what"] = WHAT.get(path, "")
    if route.by_link:
        token = made.tokens[next(link for start, link in TOKEN.items() if path.startswith(start))]
        values["token"] = token[:-2] + ("A" if token[-2] != "A" else "B") + token[-1] if forged else token
    filled = PART.sub(lambda found: str(values[found[1]]), path)
    filled += QUERY.get(path, "")
    return filled if NO_LANGUAGE.match(path) else f"/en{filled}"


def _of_admin(path: str, made: Made) -> Values:
    found = re.match(r"/admin/tournament/(\w+)/", path)
    key = made.values["keys"][found[1]] if found else 1
    return {"object_id": key, "id": key, "app_label": "tournament", "url": "nowhere", "content_type_id": 1}


# ---- asking ----


def ask_everything(world: World, wanted: Callable[[Route, str, str, str], bool] = lambda *_: True) -> Asked:
    """Ask what is `wanted` of every route, method, role and place; what was written is taken back."""
    clients = {
        VISITOR: Client(),
        LINK: Client(),
        PROGRAM: Client(headers={"authorization": f"Bearer {world.program}"}),
    }
    for name, user in world.users.items():
        clients[name] = Client()
        clients[name].force_login(user)
    asked, secrets = Asked(), Secrets(world)
    with translation.override("en"), logged(asked, secrets):
        for route in routes():
            for role, place, method in _questions(route):
                if wanted(route, method, role, place):
                    asked.answers.append(
                        _ask(clients[role], world, secrets, route, method=method, role=role, place=place)
                    )
    return asked


def _questions(route: Route) -> Iterator[tuple[str, str, str]]:
    """Give the role, the place and the method of each request to the route."""
    if route.by_link:
        roles: Sequence[str] = (VISITOR, LINK)
    elif route.api:
        roles = (VISITOR, *USERS, PROGRAM)
    else:
        roles = (VISITOR, *USERS)
    for role in roles:
        for place in _places(route, role):
            methods = route.methods
            if place == OWN and role == (ADMIN if route.admin else ORGANISER):
                methods = (*methods, "HEAD", "OPTIONS")
            for method in methods:
                if role != PROGRAM or method == "GET":
                    yield role, place, method


def _places(route: Route, role: str) -> Iterator[str]:
    """A visitor, staff and a site admin are the same everywhere but in what was put away."""
    yield OWN
    if not route.of_event or (route.admin and role not in {STAFF, ADMIN}):
        return
    if route.of_table and role == TABLE:
        yield OTHER
    if route.admin:
        yield FOREIGN
        return
    if role in {TABLE, HEAD, ORGANISER, PROGRAM}:
        yield FOREIGN
    yield FINISHED
    yield AWAY


EVENT_AT = {OWN: "own", OTHER: "own", FOREIGN: "foreign", FINISHED: "finished", AWAY: "away"}


def _ask(
    client: Client, world: World, secrets: "Secrets", route: Route, *, method: str, role: str, place: str
) -> Answer:
    made = world.events[EVENT_AT[place]]
    target = address(route, made, elsewhere=place == OTHER, forged=route.by_link and role == VISITOR)
    headers: dict[str, str] = {}
    more: dict[str, Any] = {}
    if route.api and method not in SAFE:
        headers = {"idempotency-key": str(uuid4()), "if-match": f'"{made.values["version"]}.organiser"'}
        more = {"data": "{}", "content_type": "application/json"}
    cache.clear()  # nobody asks so much in a minute
    wrote: list[str] = []

    def watch(execute: Any, sql: str, *rest: Any) -> Any:
        found = WRITE.match(sql)
        if found:
            wrote.append(found[0])
        return execute(sql, *rest)

    kept = dict(client.cookies)
    with transaction.atomic():
        with connection.execute_wrapper(watch):
            response = client.generic(method, target, headers=headers, **more)
            content = content_of(response)
        if method not in SAFE or wrote:
            transaction.set_rollback(True)
    client.cookies.clear()
    client.cookies.update(kept)  # signing out was taken back too
    found = secrets.in_(text_of(response, content))
    return Answer(route, method, role, place, response.status_code, _said(response), found, tuple(wrote))


def _said(response: Any) -> str:
    if response.status_code in {301, 302, 303} and re.search(r"/sign-in/|/login/", response["Location"]):
        return SIGN_IN
    row = "/admin/tournament/" in response.wsgi_request.path
    if row and response.status_code == 302 and response["Location"] == "/en/admin/":
        return HIDDEN  # how the admin says that there is no such row
    return STATUS.get(response.status_code, OPEN)


def content_of(response: HttpResponseBase) -> bytes:
    return response.getvalue()


def text_of(response: HttpResponseBase, content: bytes | None = None) -> str:
    """All that can be read in an answer: headers, cookies, and every part of what is packed."""
    content = content_of(response) if content is None else content
    head = "\n".join(f"{name}: {value}" for name, value in response.items() if name.lower() not in UNTOLD)
    parts = [content]
    if content[:2] == b"PK":
        with ZipFile(BytesIO(content)) as packed:
            parts = [packed.read(name) for name in packed.namelist()]
    body = "\n".join(part.decode("utf-8", "replace") for part in parts)
    return f"{head}\n{response.cookies.output()}\n{body}"


class Secrets:
    """Finds the secrets of every event in a text."""

    def __init__(self, world: World) -> None:
        self._of: dict[str, Secret] = {
            text: (made.name, kind)
            for made in world.events.values()
            for kind, texts in made.secrets.items()
            for text in texts
        }
        self._unlike = {text for text in self._of if not LIKE.fullmatch(text)}

    def in_(self, text: str) -> frozenset[Secret]:
        """Those that stand in this text."""
        found = {each for each in self._unlike if each in text}
        found |= self._of.keys() & set(LIKE.findall(text))
        return frozenset(self._of[each] for each in found)


@contextmanager
def logged(asked: Asked, secrets: Secrets) -> Iterator[None]:
    """Keep the program's log, filtered as its own log is."""

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            said = logging.Formatter("%(name)s: %(message)s").format(record)
            asked.logged.append((said, secrets.in_(said)))

    handler = Keep()
    filters: Any = settings.LOGGING["filters"]
    for made in filters.values():
        handler.addFilter(import_string(made["()"])())
    root = logging.getLogger()
    others, root.handlers = root.handlers, [handler]
    try:
        yield
    finally:
        root.handlers = others
