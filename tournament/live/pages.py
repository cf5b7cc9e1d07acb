"""Published pages, on Django's side: the functions by which a view answers with one, and the middleware that finishes
it."""

import logging
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core import mail
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import render

from tournament.live.store import Entry, Headers, Store
from tournament.live.versions import PROGRAM, versions
from tournament.server.logs import GetResponse

logger = logging.getLogger(__name__)

store = Store(versions)

DAY = 24 * 3600  # seconds
# A browser asks each time, and gets a 304 where nothing changed: must-revalidate also keeps it from showing an old page
# while it asks. A proxy or content network may answer everybody for a second, and for one more while it asks again.
SHARED = b"public, max-age=0, s-maxage=1, stale-while-revalidate=1, must-revalidate"

# Paths that have one spelling only: what needs percent-encoding is rendered each time.
_PLAIN_PATH = re.compile(r"/[A-Za-z0-9/_.~-]*")
_NOT_FOR_ALL = {"set-cookie", "vary", "content-length", "etag", "cache-control"}


class Published(NamedTuple):
    """The mark on an answer: everybody gets the same bytes until the scope's version rises."""

    scope: str
    version: int
    keep_s: int = 0  # seconds that a browser may show it without asking


def published_page(
    request: HttpRequest, template: str, context: Mapping[str, Any], *, scope: str, version: int
) -> HttpResponse:
    """Render a page that is the same for everybody, as of `version` of `scope`, which was read before the
    context's facts in the same snapshot.

    The template gets `scope` and `version`, `shared`, an anonymous `user` and no `messages`, whoever asks. It must not
    use the session, a CSRF token, the host's name or the time of day.
    """
    page = render(request, template, {**context, **_anybody(), "scope": scope, "version": version})
    return published(page, scope=scope, version=version)


def _anybody() -> dict[str, Any]:
    return {"user": AnonymousUser(), "messages": (), "shared": True}


def published(response: HttpResponse, *, scope: str, version: int, keep_s: int = 0) -> HttpResponse:
    """Publish an answer that is no page (a calendar, a feed), under the same terms as `published_page`; a browser may
    show it for `keep_s` seconds without asking."""
    response.published = Published(scope, version, keep_s)  # type: ignore[attr-defined]  # read by the middleware below
    return response


def lasting_page(request: HttpRequest, template: str, context: Mapping[str, Any]) -> HttpResponse:
    """Render a published page that holds no facts, so that only a new version of the program changes it.

    A browser opens it again for a day without a network. It has no stream to hear of changes by.
    """
    return published(
        render(request, template, {**context, **_anybody()}), scope=PROGRAM, version=0, keep_s=DAY
    )


def publishing(get_response: GetResponse) -> GetResponse:
    """The outermost middleware: finishes the answers of published pages and keeps them in the store.

    With PUBLISH off it does everything but keeping, so bytes and headers are equal.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        page: Published | None = getattr(response, "published", None)
        if page is None or response.status_code != 200 or request.method not in ("GET", "HEAD"):
            return response
        if complaint := _personal(response):
            # A page with somebody's own things in it is never kept. Django's tests give mail an outbox.
            if settings.DEBUG or hasattr(mail, "outbox"):
                raise ImproperlyConfigured(f"{request.path} is a published page, but {complaint}.")
            logger.error("%s is a published page, but %s: not published", request.path, complaint)
            response.headers["Cache-Control"] = "private, no-store"
            return response
        entry = Entry.of(page.scope, page.version, _headers(response, page.keep_s), response.content)
        versions.announce({page.scope: page.version})  # it was read from the database, so it was committed
        if (
            settings.PUBLISH
            and request.method == "GET"
            and not request.META.get("QUERY_STRING")
            and _PLAIN_PATH.fullmatch(request.path)
        ):
            store.put(request.path, entry)
        return _as_django(entry, request, response)

    return middleware


def _personal(response: HttpResponse) -> str:
    """Say why an answer is not the same for everybody; empty when it is."""
    if response.cookies:
        return f"its answer sets the cookie {', '.join(response.cookies)}"
    vary = {name.strip().lower() for name in response.get("Vary", "").split(",")} - {"", "accept-encoding"}
    return f"its answer varies by {', '.join(sorted(vary))}" if vary else ""


def _headers(response: HttpResponse, keep_s: int) -> Headers:
    caching = b"public, max-age=%d" % keep_s if keep_s else SHARED
    return [
        *(
            (name.lower().encode("latin-1"), value.encode("latin-1"))
            for name, value in response.items()
            if name.lower() not in _NOT_FOR_ALL
        ),
        (b"cache-control", caching),
        (b"vary", b"accept-encoding"),
    ]


def _as_django(entry: Entry, request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The same answer as from the store, as Django's own object."""
    answer = entry.answer(
        request.headers.get("Accept-Encoding", "").encode("latin-1", "replace"),
        request.headers.get("If-None-Match", "").encode("latin-1", "replace"),
    )
    if answer.status == 304:
        mark: Published = response.published  # type: ignore[attr-defined]  # `publishing` read it
        response = HttpResponseNotModified()
        response.published = mark  # type: ignore[attr-defined]  # it is everybody's answer too
    else:
        response.content = answer.body
    for name in list(response.headers):
        del response.headers[name]
    for name, value in answer.start["headers"]:
        response.headers[name.decode("latin-1")] = value.decode("latin-1")
    return response
