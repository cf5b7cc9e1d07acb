"""Junk sent by a browser to a page of an organiser or of a link is always answered: never with a 500, and never with a
ledger that says something else than the rows.

Every form of every page is sent with junk in one field after another, outside of a soak in some of them, and to every
address nothing but junk. Junk and fields go in turn, so that all of it is tried somewhere and the test stays short.
"""

import re
from collections.abc import Iterator
from copy import deepcopy
from datetime import timedelta
from typing import Any
from urllib.parse import urljoin
from uuid import uuid4

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from tests.depth import FULL
from tests.support.arriving import opened, registered, token_of
from tests.support.factories import Event, access_token, add_stage, event, recorded_heat, webhook_of
from tests.support.pictures import in_base64, picture
from tests.support.shared import shared_rows
from tests.views.organiser.conftest import Browser, Forms
from tournament import actions
from tournament.ledger.verify import verify
from tournament.links import token_for
from tournament.models import (
    Announcement,
    Apart,
    ApiToken,
    Delivery,
    Entry,
    Invite,
    Membership,
    Screen,
    Table,
    Tournament,
    User,
    Webhook,
)
from tournament.views.organiser import urls as organisers
from tournament.views.public import urls as everybodys

pytestmark = pytest.mark.django_db

JUNK = [
    "",
    "\x00",
    "a\x00b\r\n\t",
    "\u202e\u2066abc\u200f",
    "<script>alert(1)</script>",
    "{{ x }}{% y %}%s%(n)d",
    "9" * 12,
    "99999",
    "-1",
    "0",
    "1.5",
    "\u0663",
    "\u00b2",
    "1_0",
    "00000000-0000-0000-0000-000000000000",
    "swap:x:y:z",
    "\U0001f0cf" * 40,
    "x" * 6000,
]
CLOCK_MOVES = ["start", "pause", "resume", "extend", "stop"]
ENDS = ["0001-01-01", "0001-01-01T00:00", "9999-12-31T23:59"]
FILE = re.compile(r"\.[a-z]+$")
MOST = 1000 if FULL else 2  # fields of a form
MOMENT = re.compile(r"^starts_|closes_at|check_in_|birth_date")
UID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")

# The fields of all forms together, to send to an address without looking at its page.
FIELDS = [
    "entry",
    "entries",
    "role",
    "tables",
    "choice",
    "stage",
    "back",
    "rows",
    "decided",
    "keep",
    "other",
    "player",
]
FIELDS += [
    "different",
    "without",
    "decks",
    "look",
    "template",
    "starts_at",
    "seed",
    "draw",
    "tick",
    "item",
    "table",
]
FIELDS += [
    "most",
    "label",
    "reason",
    "q",
    "state",
    "page",
    "who",
    "did",
    "minutes",
    "last_hand",
    "goes_on_at",
]


@pytest.fixture(scope="module")
def _made(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Event]:
    with shared_rows(django_db_blocker, _with_everything) as made:
        yield made


@pytest.fixture(autouse=True)
def made(_made: Event, db: None) -> Event:
    """This test's own view of the event that the tests of this module share."""
    return deepcopy(_made)


@pytest.fixture
def organiser(made: Event) -> User:
    return made.user


def _with_everything() -> Event:
    """An event with something on every page: heats played, a final planned, people who register and ask."""
    made = event("tite-2022", players=9)
    now = timezone.now()
    hour = timedelta(hours=1)
    opened(made, approval=True, check_in_from=now - hour, check_in_until=now + hour)
    registered(made, "Asks")
    made.act(actions.keep_apart, first=made.uids[0], second=made.uids[1])
    made.act(actions.create_invite, invite=uuid4(), role="table_referee", expires_at=now + hour)
    made.act(actions.check_in, entries=made.uids[:5])
    made.act(actions.add_screen, screen=uuid4(), name="Hall")
    made.act(actions.announce, announcement=uuid4(), words={"en": "Food is served"})
    made.act(
        actions.edit_tournament,
        name=made.tournament.name,
        starts_on=made.tournament.starts_on,
        colour="#8a1c4a",
        logo=in_base64(picture()),
    )
    webhook_of(made)
    access_token(made.user)
    add_stage(made, "heats", tables=3)
    made.act(actions.plan_stage, stage=uuid4(), kind="final", settings={"target": 300})
    for table in made.tables:
        recorded_heat(made, table)
    return made.refresh()


def addresses(made: Event) -> list[tuple[str, str]]:
    """The name and every address of each page of this event, and some that are of nothing."""
    asks = Entry.objects.get(tournament=made.tournament, state=Entry.State.APPLIED)
    values: dict[str, list[Any]] = {
        "slug": [made.tournament.slug],
        "tournament": [made.tournament.uid],
        "entry": [made.uids[0], made.uids[8], asks.uid],
        "stage": list(made.tournament.stages.values_list("uid", flat=True)),
        "pair": [Apart.objects.get().uid],
        "invite": [Invite.objects.get().uid],
        "membership": [Membership.objects.filter(tournament=made.tournament)[0].uid],
        "table": [Table.objects.filter(stage__tournament=made.tournament)[0].uid, uuid4()],
        "row": [made.tournament.version, 10**30],
        "kind": ["csv", "xlsx"],
        "webhook": [Webhook.objects.get().uid, uuid4()],
        "delivery": [Delivery.objects.get().uid],
        "announcement": [Announcement.objects.get().uid, uuid4()],
        "digest": [made.tournament.logo[:12], "x"],
        "colour": [made.tournament.colour[1:], "x"],
        "screen": [Screen.objects.get().uid, uuid4()],
        "access": [ApiToken.objects.get().uid],
        "organiser": [made.tournament.organiser.uid, uuid4()],
        "player": [made.entries[0].player.uid, uuid4()],
        "page": [1, 2, 10**30],
        "year": [2026, 10**30],
        "ruleset": ["tite-2022", "kpgut-2016", "x"],
        "sheet": ["fi", "x"],
        "topic": ["players", "x"],
        "code": ["t2345678", "T-23 456x"],
        "what": ["late", "no-show", "leave", "back", "remove", "withdraw", "check-in", *CLOCK_MOVES, "x"],
    }
    tokens = {
        "invite": token_for("invite", Invite.objects.get().uid),
        "hello": token_for("hello", made.tournament.uid),
    }
    found = []
    for pattern in (*organisers.urlpatterns, *everybodys.urlpatterns):
        name = str(pattern.name)
        named: list[dict[str, Any]] = [{}]
        values["token"] = [tokens.get(name, token_of(made.uids[0])), "x" * 43, "\u00e9"]
        for part in pattern.pattern.converters:
            named = [{**each, part: value} for each in named for value in values[part]]
        found += [(name, reverse(name, kwargs=each)) for each in named]
    return found


def sent(client: Client, made: Event, address: str, data: dict[str, Any]) -> int:
    """Send it and take back what it stored; gives the status. A traceback is raised as it is."""
    with transaction.atomic():
        answer = client.post(address, data)
        assert answer.status_code < 500, (address, data)
        if answer.status_code == 303:
            assert verify(Tournament.objects.get(pk=made.tournament.pk)) == [], (address, data)
        transaction.set_rollback(True)
    return answer.status_code


def shown(client: Client, address: str, data: dict[str, Any]) -> Any:
    """Open a page; what it stored is taken back."""
    with transaction.atomic():
        answer = client.get(address, data, follow=True)
        assert answer.status_code < 500, (address, data)
        transaction.set_rollback(True)
    return answer


def forms_at(client: Client, address: str) -> Iterator[tuple[str, str, dict[str, str]]]:
    """The forms of a page: how and where each is sent, and what it sends untouched."""
    answer = shown(client, address, {})
    if answer.status_code == 200 and answer["Content-Type"].startswith("text/html"):
        page = answer.redirect_chain[-1][0] if answer.redirect_chain else address
        for form in Forms(answer.content.decode()).forms:
            yield form["method"] or "get", urljoin(page, form["action"] or page), form["data"]


def all_forms(client: Client, made: Event) -> list[tuple[str, str, dict[str, str]]]:
    """Each form of each page, one of those that are alike; except signing out and making a backup. A file has none."""
    found: dict[tuple[str, ...], tuple[str, str, dict[str, str]]] = {}
    for _name, address in addresses(made):
        if FILE.search(address):
            continue
        for method, target, data in forms_at(client, address):
            like = (UID.sub("", target.partition("?")[0]), *sorted({UID.sub("", name) for name in data}))
            if "/sign-" not in target and "backup" not in data.values():
                found.setdefault(like, (method, target, data))
    return list(found.values())


def junk_for(turn: int, data: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Each field, one of those that are alike, with the junk whose turn it is; a day with the calendar's ends too."""
    names = list({UID.sub("", name): name for name in data}.values())
    if len(names) > MOST:
        names = [*names, *names][turn % len(names) :][:MOST]
    for number, name in enumerate(names, turn):
        yield name, JUNK[number % len(JUNK)]
        if MOMENT.search(name):
            yield from ((name, end) for end in ENDS)


@pytest.mark.sweep
def test_a_form_with_junk_in_a_field_is_answered(browser: Browser, made: Event) -> None:
    forms = all_forms(browser, made)
    assert len(forms) > 40
    for turn, (method, address, data) in enumerate(forms):
        for name, junk in junk_for(turn, data):
            typed = {**data, "command": str(uuid4()), name: junk}
            if method == "get":
                shown(browser, address, typed)
            else:
                sent(browser, made, address, typed)


@pytest.mark.sweep
@pytest.mark.sqlite
def test_an_address_with_nothing_but_junk_is_answered(browser: Browser, made: Event) -> None:
    for turn, (name, address) in enumerate(addresses(made)):
        if name == "organise-checklist":
            continue  # it makes a backup
        junk = dict.fromkeys(FIELDS, JUNK[turn % len(JUNK)])
        if FULL or turn % 2:
            sent(browser, made, address, {**junk, "command": str(uuid4())})
        if FULL or not turn % 2:
            shown(browser, address, junk)


@pytest.mark.parametrize("day", ["0001-01-01", "1899-12-31", "3000-01-01", "9999-12-31"])
@pytest.mark.parametrize("page", ["edit", "copy", "registration", "levels", "programme"])
@pytest.mark.sweep
def test_a_day_at_the_end_of_the_calendar_is_refused(
    browser: Browser, made: Event, page: str, day: str
) -> None:
    address = f"/en/organise/t/{made.tournament.slug}/{page}/"
    data = next(
        data
        for method, target, data in forms_at(browser, address)
        if method == "post" and target == address and any(map(MOMENT.search, data))
    )
    for name in filter(MOMENT.search, data):
        if name.startswith("initial-"):
            continue  # what the page was made from
        typed = day if name == "starts_on" else f"{day}T18:00"
        assert sent(browser, made, address, {**data, "command": str(uuid4()), name: typed}) == 422, name


def test_a_plan_without_a_command_is_refused(browser: Browser, made: Event) -> None:
    address = f"/en/organise/t/{made.tournament.slug}/levels/"
    data = next(data for _method, _target, data in forms_at(browser, address) if "players" in data)
    assert sent(browser, made, address, data | {"command": "x"}) == 422
