"""Pages of the tests' own: /en/page/<scope>/ is published, the others are what must not be."""

import threading
from collections import Counter
from pathlib import Path
from typing import Any

from django.conf.urls.i18n import i18n_patterns
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect
from django.urls import path

from tests.live.driver import PATIENCE
from tournament.live.pages import published_page

SCRIPTS = Path(__file__).resolve().parents[2] / "tournament/static/lastcard/js"


class Facts:
    """The content of the pages, in place of a database: a version for each scope, and how often each was rendered."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        self.versions: dict[str, int] = {}
        self.renders: Counter[str] = Counter()
        self.gate = threading.Event()  # closed, it holds renders up
        self.gate.set()
        self.rendering = threading.Event()
        self.paths: list[str] = []
        self.broken = False
        self.rows: list[str] = []
        self.status: dict[str, HttpResponse] = {}


facts = Facts()


def page(request: HttpRequest, scope: str) -> HttpResponse:
    facts.paths.append(f"{request.method} {request.get_full_path()}")
    if scope in facts.status:
        return facts.status[scope]
    if scope not in facts.versions:
        raise Http404
    version = facts.versions[scope]
    facts.renders[scope] += 1
    facts.rendering.set()
    assert facts.gate.wait(PATIENCE)
    if facts.broken:
        return HttpResponse("broken", status=500)
    return published_page(request, "live_page.html", context(scope), scope=scope, version=version)


def context(scope: str) -> dict[str, Any]:
    return {"name": f"Sivu {scope}", "rows": [f"Åke <{scope}> {number}" for number in range(100)]}


def script_page(request: HttpRequest, scope: str) -> HttpResponse:
    """A page that js/watch/live.js keeps true; its rows are told by `facts.rows`."""
    version = facts.versions[scope]
    return published_page(
        request, "live_script_page.html", {"rows": facts.rows}, scope=scope, version=version
    )


def script(request: HttpRequest, name: str) -> HttpResponse:
    return HttpResponse((SCRIPTS / name).read_bytes(), content_type="text/javascript")


def with_session(request: HttpRequest, scope: str) -> HttpResponse:
    request.session.get("anything")
    return page(request, scope)


def with_token(request: HttpRequest, scope: str) -> HttpResponse:
    get_token(request)
    return page(request, scope)


def with_cookie(request: HttpRequest, scope: str) -> HttpResponse:
    response = page(request, scope)
    response.set_cookie("flavour", "oat")
    return response


def echo(request: HttpRequest) -> HttpResponse:
    """Answer with what Django received, and a message that a published page must not show."""
    if request.method == "GET":
        messages.info(request, "Yours alone")
    proto = request.headers.get("X-Forwarded-Proto", "")
    return HttpResponse(f"{request.method} {request.GET.get('q', '')} {proto} {request.body.decode()}")


def elsewhere(request: HttpRequest) -> HttpResponse:
    return redirect("/en/echo/")


urlpatterns = [
    path("static/lastcard/js/watch/live.js", script, {"name": "watch/live.js"}),
    path("static/lastcard/js/watch/changes.js", script, {"name": "watch/changes.js"}),
    path("static/lastcard/js/words.js", script, {"name": "words.js"}),
    *i18n_patterns(
        path("page/<str:scope>/", page),
        path("script/<str:scope>/", script_page),
        path("session/<str:scope>/", with_session),
        path("token/<str:scope>/", with_token),
        path("cookie/<str:scope>/", with_cookie),
        path("echo/", echo),
        path("elsewhere/", elsewhere),
    ),
]
