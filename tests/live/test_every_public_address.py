"""Published bytes are what Django renders: every public address of the demo events, outside of a soak some of each
kind, with PUBLISH on and off."""

import asyncio
import re
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.db import connections
from django.test import Client
from pytest_django import Settings

from tests.depth import FULL
from tests.live.conftest import forget
from tests.live.driver import Answer, applied, ask, request, unpacked
from tournament import actions
from tournament.actions import Command
from tournament.live.front import Front
from tournament.live.hub import Hub
from tournament.live.pages import store
from tournament.live.poller import Poller
from tournament.live.pools import django_asgi
from tournament.live.store import versions
from tournament.models import Screen, Tournament, User
from tournament.pages.public import paging
from tournament.queries.live import read_versions

application = get_wsgi_application()

SOME = 3
LINK = re.compile(r'href="(/en/[^"?#]*)')
KINDS = {
    "list": re.compile(r"/../"),
    "tournament": re.compile(r"/../t/[^/]+/"),
    "stage": re.compile(r"/../t/[^/]+/stage/[^/]+/"),
    "part of a stage": re.compile(r"/../t/[^/]+/stage/[^/]+/[0-9]+/"),
    "players": re.compile(r"/../t/[^/]+/players/"),
    "player": re.compile(r"/../t/[^/]+/player/[^/]+/"),
    "tour": re.compile(r"/../o/[^/]+/"),
    "tour's ratings": re.compile(r"/../o/[^/]+/ratings/"),
    "tour's season": re.compile(r"/../o/[^/]+/season/[^/]+/"),
    "tour's player": re.compile(r"/../o/[^/]+/player/[^/]+/"),
    "screen": re.compile(r"/../t/[^/]+/screen/[^/]+/"),
    "rules": re.compile(r"/../rules/[^/]+/"),
    "rules by a sheet": re.compile(r"/../rules/[^/]+/../"),
    "help": re.compile(r"/../help/[^/]+/"),
    "no network": re.compile(r"/../no-network/"),
}


def hang_screens() -> set[str]:
    """Give each event a screen that shows everything; gives the addresses of their lists, to which no page leads."""
    user = User.objects.get(username="referee")  # of the demo
    for row in Tournament.objects.all():
        uid = uuid4()
        actions.add_screen(Command(uuid4(), user), row.uid, screen=uid, name="Hall")
        scenes = list(Screen.Scene.values)
        actions.set_screen(Command(uuid4(), user), row.uid, screen=uid, scenes=scenes, seconds=9)
    return {f"/en/t/{slug}/screen/" for slug in Tournament.objects.values_list("slug", flat=True)}


def published_pages(*more: str) -> dict[str, Any]:
    """Every published page in English that links lead to from the list of tournaments and from `more`, by address."""
    found, coming = dict[str, Any](), {"/en/", *more}
    seen = set(coming)
    while coming:
        path = coming.pop()
        response = Client().get(path)
        if store.last(path) is None:
            continue
        found[path] = response
        new = set(LINK.findall(response.content.decode())) - seen
        seen |= new
        coming |= new
    return found


@pytest.mark.sweep
@pytest.mark.sqlite
@pytest.mark.django_db(transaction=True)
def test_every_public_address_has_equal_bytes_with_publish_off(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The pool's threads outlive the test, so their connections must not.
    monkeypatch.setitem(connections["default"].settings_dict, "CONN_MAX_AGE", 0)
    monkeypatch.setattr(paging, "PEOPLE_PER_PAGE", 30)  # so that the demo has stages of several pages
    forget()
    call_command("make_demo", verbosity=0)
    addresses = sorted(published_pages("/en/no-network/", *hang_screens()))
    by_kind = {kind: list(filter(pattern.fullmatch, addresses)) for kind, pattern in KINDS.items()}
    for kind, alike in by_kind.items():
        assert alike, kind
        if not FULL:
            left_out = {*alike} - {*alike[:: len(alike) // SOME + 1]}
            addresses = [path for path in addresses if path not in left_out]
        addresses += [path.replace("/en/", f"/{code}/", 1) for path in alike[:3] for code in ("fi", "sv")]
    store.clear()
    django, hub, poller = (
        django_asgi(application, workers=2),
        Hub(versions, cap=1),
        Poller(versions, read_versions),
    )

    async def answers(*, publish: bool) -> dict[str, list[Answer]]:
        settings.PUBLISH = publish
        app = Front(django, versions=versions, store=store, hub=hub, poller=poller)
        return {
            path: [
                await ask(app, path, {"accept-encoding": "gzip"}),
                await ask(app, path),
                await ask(app, path, {"if-none-match": "*"}),
            ]
            for path in addresses
        }

    published = asyncio.run(answers(publish=True))
    assert all(store.fresh(path) for path in addresses)
    rendered = asyncio.run(answers(publish=False))
    assert published == rendered
    assert {tuple(answer.status for answer in three) for three in published.values()} == {(200, 200, 304)}

    settings.PUBLISH = True
    app = Front(django, versions=versions, store=store, hub=hub, poller=poller)
    hang_screens()  # a new version of each event

    async def changed(path: str) -> tuple[bytes | None, bytes]:
        changes = await app._changes(path, request("GET", "/live/site"))
        return changes, (await ask(app, path)).body

    told = {path: asyncio.run(changed(path)) for path in addresses}
    known = {path: changes for path, (changes, _) in told.items() if changes}
    assert len(known) > len(addresses) / 2  # rules and help have one version
    for path, changes in known.items():
        assert applied(published[path][1].body.decode(), unpacked(changes)).encode() == told[path][1], path
    forget()
