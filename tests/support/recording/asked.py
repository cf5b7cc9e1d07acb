"""Every address of the site asked as everybody, and every form of every page sent."""

import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlencode, urlsplit
from uuid import uuid4

from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import Resolver404, resolve
from django.utils import translation

from tests.support.recording import fixed, found
from tests.support.recording.acted import rows_since, sequence_now
from tests.support.recording.forms import forms_of
from tests.support.recording.kept import Record
from tests.support.recording.texts import text_of

LANGUAGES = [code for code, _name in settings.LANGUAGES]
STATES = ("game", "match", "heats", "empty", "club")  # events beside those of the roles
BY_LINK = ("visitor", "link")
USERS = ("table referee", "head referee", "organiser", "staff", "site admin")


class Site:
    """Events with everything in them, and a client for each role."""

    def __init__(self) -> None:
        everything = found.module(r"def everything\(\) -> Answer")
        self.asking = found.module(r"def ask_everything\(")
        names = everything.everything.__globals__
        made_world, addresses = names["world"], names["_addresses"]

        def world() -> Any:
            self.world = made_world()
            return self.world

        names["world"], names["_addresses"] = world, lambda made: made
        try:
            answer = everything.everything()
        finally:
            names["world"], names["_addresses"] = made_world, addresses
        self.made = answer["pages"]
        self.pages: dict[str, dict[str, str]] = {name: addresses(made) for name, made in self.made.items()}
        self.routes = sorted(self.asking.routes(), key=lambda route: route.path)
        self.clients = {"visitor": Client(), "link": Client()}
        self.clients["program"] = Client(headers={"authorization": f"Bearer {self.world.program}"})
        for role in USERS:
            self.clients[role] = Client()
            self.clients[role].cookies["sessionid"] = answer["people"][role]

    def address(self, route: Any, role: str, place: str) -> str | None:
        """The address of a route in an event; None where the event has none."""
        if place in STATES:
            return self.pages[place].get(route.path)
        made = self.made["own" if place == "other table" else place]
        address: Callable[..., str | None] = self.asking.address
        if route.by_link and role == "visitor":
            return address(route, made, forged=True)
        if place == "other table":
            return address(route, made, elsewhere=True)
        return address(route, made)

    def ask(self, role: str, method: str, address: str, language: str, **more: Any) -> tuple[str, Any, str]:
        """The answer as text and as it is, and the ledger rows that it wrote, which are taken back."""
        client = self.clients[role]
        cache.clear()  # nobody asks so much in a minute
        known = dict(client.cookies)
        with transaction.atomic():
            before = sequence_now()
            headers = {"accept-language": language, **more.pop("headers", {})}
            response = client.generic(method, in_language(address, language), headers=headers, **more)
            text = fixed.numbered(text_of(response))
            rows = rows_since(before) if method == "POST" else ""
            transaction.set_rollback(True)
        client.cookies.clear()
        client.cookies.update(known)
        return text, response, rows


def in_language(address: str, language: str) -> str:
    return re.sub(r"^/en/", f"/{language}/", address)


def record_answers(record: Record, site: Site) -> set[str]:
    """GET each address as each role; gives the routes that were asked."""
    asked = set()
    for route in site.routes:
        found.forget()
        for role, place, language in _questions(route):
            address = site.address(route, role, place)
            if address is None:
                continue
            key = f"{role} | {place} | {language}"
            fixed.begin(f"get {route.path} {key}")
            text, _response, _rows = site.ask(role, "GET", address, language)
            record.keep(f"get {route.path}", key, text)
            asked.add(route.path)
    return asked


def _questions(route: Any) -> Iterator[tuple[str, str, str]]:
    """Every role in its own event in every language; elsewhere in one; each further state as those who see most and
    least of it."""
    roles = BY_LINK if route.by_link else ("visitor", *USERS, *(("program",) if route.api else ()))
    for role in roles:
        for language in LANGUAGES:
            yield role, "own", language
        if route.of_event and not route.admin:
            yield from ((role, place, "en") for place in ("foreign", "finished", "away"))
        if route.of_table and role == "table referee":
            yield role, "other table", "en"
    if not route.admin and not route.by_link:
        for place in STATES:
            for language in LANGUAGES if place != "club" else ["en"]:
                yield "site admin", place, language
            yield "visitor", place, "en"


# ---- what is sent ----

AS_FORM = "application/x-www-form-urlencoded"
SENDERS = (
    *(("organiser", place) for place in ("own", "finished")),
    *(("site admin", place) for place in STATES[:-1]),
    ("table referee", "own"),
    ("head referee", "own"),
    ("link", "own"),
    ("visitor", "own"),
)


def record_posts(record: Record, site: Site) -> None:
    """POST nothing to each address, then each form of each page, untouched and filled in."""
    for route in site.routes:
        if not route.admin:
            _nothing(record, site, route)
    for role, place in SENDERS:
        sent: set[tuple[str, ...]] = set()
        for route in site.routes:
            if route.admin or route.api or route.by_link != (role == "link"):
                continue
            _forms(record, site, route, (role, place), sent)


def _nothing(record: Record, site: Site, route: Any) -> None:
    role = "link" if route.by_link else "organiser"
    address = site.address(route, role, "own")
    for method in route.methods:
        for language in LANGUAGES:
            if method == "GET" or address is None:
                continue
            key = f"{role} | own | {language} | {method} nothing"
            fixed.begin(f"post {route.path} {key}")
            more: dict[str, Any] = {}
            if route.api:
                version = site.made["own"].values["version"]
                headers = {"idempotency-key": str(uuid4()), "if-match": f'"{version}.organiser"'}
                more = {"data": "{}", "content_type": "application/json", "headers": headers}
            text, _response, rows = site.ask(role, method, address, language, **more)
            found.forget()
            record.keep(f"post {route.path}", key, f"{text}\n{rows}")


def _forms(record: Record, site: Site, route: Any, who: tuple[str, str], sent: set[tuple[str, ...]]) -> None:
    role, place = who
    address = site.address(route, role, place)
    if address is None:
        return
    fixed.begin(f"form {route.path} {role} {place}")
    _text, response, _rows = site.ask(role, "GET", address, "en")
    if response.status_code != 200 or not response.get("Content-Type", "").startswith("text/html"):
        return
    for form in forms_of(response.content.decode(), address):
        target = _route_of(form.address)
        looks = (target, *form.looks)
        if looks in sent:
            continue
        sent.add(looks)
        for filled in (False, True):
            told = f"{target} with {' '.join(form.looks)}"
            key = f"{role} | {place} | {told} | {'filled' if filled else 'untouched'}"
            fixed.begin(f"post {key}")
            body = [(name, value) for name, values in form.sent(filled=filled).items() for value in values]
            text, _response, rows = site.ask(
                role, "POST", form.address, "en", data=urlencode(body), content_type=AS_FORM
            )
            found.forget()
            record.keep(f"post {route.path}", key, f"{text}\n{rows}")


def _route_of(address: str) -> str:
    with translation.override("en"):
        try:
            return resolve(urlsplit(address).path).route
        except Resolver404:
            return address
