"""Security headers of every answer: nothing inline, nothing from elsewhere, in no frame, for no other site."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from django.test import Client, override_settings

from tests.live.driver import ask
from tests.support.factories import UserFactory, recorded_heat, running_heats
from tournament.live.hub import Hub
from tournament.live.store import Versions

ROOT = Path(__file__).resolve().parents[2]
INLINE = re.compile(
    r"<script(?![^>]*\ssrc=)(?![^>]*application/(?:ld\+)?json)|<style|\sstyle=|\son[a-z]+=|javascript:"
)
POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
    "form-action": "'self'",
}


@pytest.fixture
def pages(db: None) -> dict[str, str]:
    """An address of each kind."""
    made = running_heats()
    recorded_heat(made, made.table)
    slug, stage = made.tournament.slug, made.stage.uid
    return {
        "tournaments": "/en/",
        "tournament": f"/en/t/{slug}/",
        "entry": f"/en/t/{slug}/player/{made.uids[0]}/",
        "rules": "/en/rules/",
        "score": "/en/score/",
        "sign-in": "/en/sign-in/",
        "desk": "/en/desk/",
        "table": f"/en/desk/table/{made.table.uid}/",
        "board": f"/en/organise/t/{slug}/",
        "seats": f"/en/organise/stage/{stage}/seats/",
        "tokens": "/en/organise/tokens/",
        "admin": "/en/admin/",
        "admin-list": "/en/admin/tournament/tournament/",
        "admin-user": "/en/admin/tournament/user/add/",
        "api-page": "/api/v1/docs",
        "api-schema": "/api/v1/schema",
        "api-answer": "/api/v1/tournaments",
        "not-found": "/en/t/nothing-here/",
        "static": "/static/lastcard/app.css",
        "service-worker": "/sw.js",
        "short": f"/j/{slug}/",
    }


def policy_of(answer: Any) -> dict[str, str]:
    parts = (part.strip().partition(" ") for part in answer["Content-Security-Policy"].split(";"))
    return {name: value for name, _, value in parts}


def test_every_kind_of_answer_has_every_header_and_nothing_inline(pages: dict[str, str]) -> None:
    client = Client(headers={"accept": "text/html"})
    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    statuses = {}
    for kind, address in pages.items():
        answer = client.get(address)
        statuses[kind] = answer.status_code
        assert policy_of(answer) | POLICY == policy_of(answer), kind
        assert "unsafe" not in answer["Content-Security-Policy"], kind
        assert answer["X-Content-Type-Options"] == "nosniff", kind
        assert answer.get("X-Frame-Options") == "DENY" or kind == "static", kind
        assert answer["Referrer-Policy"] in ("same-origin", "strict-origin"), kind
        assert answer["Cross-Origin-Resource-Policy"] == "same-origin", kind
        assert "camera=()" in answer["Permissions-Policy"], kind
        assert "bluetooth" not in answer["Permissions-Policy"], (
            kind
        )  # Chromium warns of names it does not know
        assert not [name for name in answer.headers if name.startswith("Access-Control-")], kind
        text = answer["Content-Type"].startswith(("text/", "application/xml"))
        said = answer["Content-Type"].lower().replace('"', "")
        assert not text or "charset=utf-8" in said or kind == "service-worker", kind
        if answer["Content-Type"].startswith("text/html"):
            assert not INLINE.findall(answer.content.decode()), kind
    wrong = {kind: status for kind, status in statuses.items() if status not in (200, 302)}
    del wrong["not-found"]
    assert wrong in (
        {"static": 404},
        {},
    )  # where a test before has not collected static files, there are none


@pytest.mark.django_db
@override_settings(SECURE_CROSS_ORIGIN_OPENER_POLICY="same-origin", SECURE_HSTS_SECONDS=31536000)
def test_https_adds_its_own(client: Client) -> None:
    answer = client.get("/en/", secure=True)
    assert answer["Cross-Origin-Opener-Policy"] == "same-origin"
    assert answer["Strict-Transport-Security"].startswith("max-age=31536000")


def test_answers_beside_django_are_not_sniffed_either() -> None:
    versions = Versions()
    for target in ("/live/nothing",):
        answer = asyncio.run(ask(Hub(versions, cap=1), target))
        assert answer.status == 404
        assert answer.headers["x-content-type-options"] == "nosniff"


def scripts() -> dict[str, str]:
    """The text of every script of ours, by its path."""
    folder = ROOT / "tournament/static/lastcard/js"
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*.js")}


# These copy markup that the server rendered, with ids and numbers put in, or have htmx swap it in by "outerHTML".
COPIES = {"entry/game_running.js", "entry/game.js", "entry/asks.js"}


def test_scripts_build_no_html_of_text() -> None:
    building = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function")
    assert {name for name, text in scripts().items() if building.search(text)} == COPIES


# Names of the program's own, numbers, and what a page's dataset is given of another's; no object is written to by a key
# that came from anywhere else, so that none can be "__proto__". What has such keys is a Map or made by fromEntries.
BY_KEY = {
    "entry/card_pad_drawing.js": "element[name]",
    "watch/screen.js": "each[page]",
}


def test_scripts_write_to_no_object_by_a_key_that_they_were_given() -> None:
    writes = re.compile(r"(\w+\[[a-z][\w.]*\]) *(?:[-+*|&?]{1,2})?=(?![=>])")
    found = {name: writes.findall(text) for name, text in scripts().items()}
    assert {name: written for name, written in found.items() if written} == {
        name: [written] for name, written in BY_KEY.items()
    }


@pytest.mark.parametrize("method", ["TRACE", "TRACK"])
@pytest.mark.django_db
def test_trace_is_not_answered(client: Client, method: str) -> None:
    answer = client.generic(method, "/en/", headers={"cookie": "sessionid=secret"})
    assert b"secret" not in answer.content
