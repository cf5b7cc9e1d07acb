"""Permissions: every address of the site asked as everybody and compared with the table. No answer holds what its
reader may not read, and reading alone writes nothing.

One world and one pass for all tests of this module. `make soak` asks every role everywhere; otherwise each row is asked
where it could go wrong first.
"""

from collections.abc import Iterator
from dataclasses import replace
from uuid import uuid4

import pytest
from django.http import HttpRequest, HttpResponse
from django.urls import path
from pytest_django import DjangoDbBlocker

from tests.depth import SOAK
from tests.roles import table
from tests.roles.asking import SAFE, Answer, Asked, Route, ask_everything, routes
from tests.roles.table import (
    ADMIN,
    AS_EVERYBODY,
    FORBIDDEN,
    HEAD,
    HIDDEN,
    LINK,
    MAY_READ,
    MAY_WRITE,
    NO_METHOD,
    OPEN,
    ORGANISER,
    STAFF,
    TABLE,
    VISITOR,
    row_of,
)
from tests.roles.world import AWAY, FINISHED, FOREIGN, OTHER, OWN, World, world
from tests.support.shared import shared_rows
from tournament.actions.upkeep import begin_practice
from tournament.permissions import ACTIONS, Role
from tournament.settings import EXTRAS
from tournament.views.organiser import urls as organisers

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]

EVENTS = {OWN: "own", OTHER: "own", FOREIGN: "foreign", FINISHED: "finished", AWAY: "away"}
EVERYWHERE = {STAFF, ADMIN}
LINKS = {LINK: {"own link", "table's code", "table's short code", "invite's link"}}
MOST_PARTS = 4  # slashes of a page that is its part's first: /organise/t/<slug:slug>/
UNREAD = {"others' links", "other table's code"}  # no address that is asked leads to them
if not {"administration", "webhooks"} & {*EXTRAS}:
    UNREAD.add("webhook's address")


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    with shared_rows(django_db_blocker, world) as made:
        yield made


@pytest.fixture(scope="module")
def asked(made: World, django_db_blocker: DjangoDbBlocker) -> Asked:
    with django_db_blocker.unblock():
        return ask_everything(made, (lambda *_: True) if SOAK else asked_in_small)


@pytest.fixture(autouse=True)
def _shared(made: World, db: None) -> None:
    """Every test here sees the shared rows."""


def asked_in_small(route: Route, method: str, role: str, place: str) -> bool:  # noqa: PLR0911 - a rule a line
    """Tell whether to ask this without `make soak`: each role in its own events, and elsewhere the one that could do
    most. Of roles or methods that a row treats alike, the one where a mistake would show first."""
    row = row_of(route.path) or {}
    if method in {"HEAD", "OPTIONS"}:  # by the views that answer GET: of each part of the site its first page
        first = route.path.count("/") <= MOST_PARTS and row["GET"].organiser != NO_METHOD
        return (place, role) == (OWN, ORGANISER) and not route.admin and first
    if method not in row or row[method].organiser == NO_METHOD:
        return place == OWN and role in {VISITOR, ORGANISER}
    who = row[method]
    if route.admin:
        if role not in EVERYWHERE:
            return role in {VISITOR, ORGANISER} and method == "GET" and "object_id" not in route.parts
        return place == OWN and (role == STAFF or who.staff != who.admin)
    if role in EVERYWHERE:
        large = route.path.endswith("/pages.zip")  # a second for each of them
        mine = role == ADMIN if who.staff == who.admin else not large
        return mine and method == "GET" and place == OWN and who.visitor != OPEN
    if role == HEAD and who.table == who.head == who.organiser:
        return False
    if place == FINISHED:
        return role == LINK or (role == TABLE and method == "GET" and who.table == OPEN)
    if place in {FOREIGN, AWAY}:
        public = place == AWAY and route.path.startswith("/t/")
        return (role in {ORGANISER, LINK} and _asked_first(route, method, role, place)) or (
            role == VISITOR and public
        )
    return role not in {TABLE, HEAD} or _asked_first(route, method, role, place)


def _asked_first(route: Route, method: str, role: str, place: str) -> bool:
    """Tell whether this method shows a mistake first. A page and its form have one guard: where it refuses both, the
    form is sent in somebody else's event, and elsewhere the page is opened."""
    row = row_of(route.path) or {}
    said = {each: row[each].gets(role, place) for each in ("GET", "POST") if each in row}
    if route.api or len(said) < 2 or set(said.values()) not in ({HIDDEN}, {FORBIDDEN}):
        return True
    return method == ("POST" if place == FOREIGN else "GET")


def wrong(answers: list[Answer]) -> list[str]:
    """List the answers that differ from the table."""
    found = []
    for answer in answers:
        row = row_of(answer.route.path)
        if answer.method in {"HEAD", "OPTIONS"} or row is None:
            continue
        expected = row[answer.method].gets(answer.role, answer.place)
        if answer.said != expected or answer.status >= 500:
            found.append(f"{answer}, not {expected}")
    return found


def without_row(found: list[Route]) -> list[str]:
    """The addresses and methods that the table does not have."""
    return [
        f"{method} {route.path}"
        for route in found
        for method in route.methods
        if method not in (row_of(route.path) or {})
    ]


def told(answers: list[Answer]) -> list[str]:
    """The answers that tell a secret to somebody who may not read it."""
    found = []
    for answer in answers:
        for event, kind in answer.secrets:
            # A link's own token stands in the address that was asked.
            there = (
                answer.role in EVERYWHERE
                or event in {"own", "finished"}
                or kind in LINKS.get(answer.role, ())
            )
            role = VISITOR if answer.route.path in AS_EVERYBODY else answer.role
            if role not in MAY_READ[kind] or not there:
                found.append(f"{answer}: {kind} of {event}")
    return found


def written(answers: list[Answer]) -> list[str]:
    """The safe requests that wrote something."""
    return [
        f"{answer}: {statement}"
        for answer in answers
        if answer.method in SAFE
        for statement in answer.wrote
        if not any(statement.endswith(table) for table in MAY_WRITE.get(answer.role, ()))
    ]


# ---- the table ----


def test_every_address_has_a_row_and_every_row_an_address() -> None:
    found = list(routes())
    assert without_row(found) == []
    assert table.ROWS.keys() - {route.path for route in found} == set()


@pytest.mark.sweep
def test_everybody_gets_what_the_table_says(asked: Asked) -> None:
    assert len(asked.answers) > 2500
    assert wrong(asked.answers) == []


@pytest.mark.sweep
def test_nobody_reads_what_is_not_for_them(asked: Asked, made: World) -> None:
    assert told(asked.answers) == []
    assert [said for said, secrets in asked.logged if secrets] == []


@pytest.mark.sweep
def test_every_secret_is_read_by_somebody_who_may(asked: Asked) -> None:
    """Otherwise no canary would be where the tests look for it."""
    read = {(kind, answer.role) for answer in asked.answers for _event, kind in answer.secrets}
    assert {kind for kind, roles in MAY_READ.items() if roles} - UNREAD == {kind for kind, _role in read}


@pytest.mark.sweep
def test_whoever_only_reads_writes_nothing(asked: Asked) -> None:
    assert {answer.method for answer in asked.answers} >= {*SAFE}
    assert written(asked.answers) == []


@pytest.mark.sweep
def test_newcomer_who_practises_gets_what_a_stranger_gets(made: World) -> None:
    """Table referees of their own events, as a table referee of none of these."""
    newcomer = begin_practice(uuid4(), lambda *_: [])

    def elsewhere(route: Route, method: str, role: str, place: str) -> bool:
        signed_in = route.of_event and route.path.startswith(("/desk/", "/organise/"))
        return signed_in and (role, place, method) == (TABLE, FOREIGN, "GET")

    asked = ask_everything(replace(made, users={**made.users, TABLE: newcomer}), elsewhere)
    assert len(asked.answers) > 80
    assert wrong(asked.answers) == []
    assert told(asked.answers) == []


# ---- the tests themselves ----


def _nothing(request: HttpRequest) -> HttpResponse:
    return HttpResponse()


def test_a_new_address_without_a_row_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    new = path("new-page/", _nothing)
    assert without_row(list(routes([*organisers.urlpatterns, new], "/organise/"))) == [
        "GET /organise/new-page/",
        "POST /organise/new-page/",
    ]


@pytest.mark.skipif(
    "programs" not in EXTRAS, reason="pages ask for the role themselves, the API for the action"
)
def test_a_lowered_permission_is_found(made: World, monkeypatch: pytest.MonkeyPatch) -> None:
    lowered = replace(ACTIONS["reopen_stage"], least=Role.TABLE_REFEREE)
    monkeypatch.setitem(ACTIONS._declared, "reopen_stage", lowered)

    def reopening(route: Route, method: str, role: str, place: str) -> bool:
        return route.path.endswith("/stages/<uuid:stage>/reopen") and (method, place) == ("POST", OWN)

    found = [answer.role for answer in ask_everything(made, reopening).answers if wrong([answer])]
    assert found == [TABLE, HEAD, STAFF]


def test_a_page_that_opens_to_more_people_is_found(made: World, monkeypatch: pytest.MonkeyPatch) -> None:
    from tournament.views import _answer

    monkeypatch.setattr(_answer, "refuse_below", lambda *_arguments: None)

    def players(route: Route, method: str, role: str, place: str) -> bool:
        return route.path == "/organise/player/<uuid:entry>/" and (method, role) == ("GET", TABLE)

    answers = ask_everything(made, players).answers
    assert {answer.place for answer in answers if wrong([answer])} == {OWN, FOREIGN, FINISHED, AWAY}
    assert {answer.place for answer in answers if told([answer])} >= {OWN, FOREIGN, AWAY}
