"""Published pages on Django's side: view helpers and the finishing middleware."""

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

from tournament.live.store import PROGRAM, Entry, Store, versions
from tournament.server.logs import GetResponse

logger = logging.getLogger(__name__)

store = Store(versions)

DAY = 24 * 3600
# Browsers always revalidate; proxies cache for 1 s, and 1 s more while they revalidate.
SHARED = b"public, max-age=0, s-maxage=1, stale-while-revalidate=1, must-revalidate"

# Paths with one spelling, without percent-encoding.
_PLAIN_PATH = re.compile(r"/[A-Za-z0-9/_.~-]*")
_NOT_FOR_ALL = {"set-cookie", "vary", "content-length", "etag", "cache-control"}


class Published(NamedTuple):
    """Marks a response as identical for all until the scope's version rises."""

    scope: str
    version: int
    keep_s: int = 0  # browser cache, seconds


def published_page(
    request: HttpRequest, template: str, context: Mapping[str, Any], *, scope: str, version: int
) -> HttpResponse:
    """Render a page identical for all, at `version` of `scope`, read before the context in the same snapshot. The
    template must not use session, CSRF token, host or time."""
    return published(
        render(request, template, {**context, **_anybody(), "scope": scope, "version": version}),
        scope=scope,
        version=version,
    )


def _anybody() -> dict[str, Any]:
    return {"user": AnonymousUser(), "messages": (), "shared": True}


def published(response: HttpResponse, *, scope: str, version: int, keep_s: int = 0) -> HttpResponse:
    """Publish a calendar or feed like a `published_page`; browsers may cache it for `keep_s` seconds."""
    response.published = Published(scope, version, keep_s)  # type: ignore[attr-defined]  # read by the middleware below
    return response


def lasting_page(request: HttpRequest, template: str, context: Mapping[str, Any]) -> HttpResponse:
    """Publish a page that only program updates change; browsers cache it for a day."""
    return published(
        render(request, template, {**context, **_anybody()}), scope=PROGRAM, version=0, keep_s=DAY
    )


def publishing(get_response: GetResponse) -> GetResponse:
    """Outermost middleware: finishes published responses, stores them if PUBLISH."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        page: Published | None = getattr(response, "published", None)
        if page is None or response.status_code != 200 or request.method not in ("GET", "HEAD"):
            return response
        if complaint := _personal(response):
            # Never store personal content. `mail.outbox` identifies tests.
            if settings.DEBUG or hasattr(mail, "outbox"):
                raise ImproperlyConfigured(f"{request.path} is a published page, but {complaint}.")
            logger.error("%s is a published page, but %s: not published", request.path, complaint)
            response.headers["Cache-Control"] = "private, no-store"
            return response
        headers = [
            (name.lower().encode("latin-1"), value.encode("latin-1"))
            for name, value in response.items()
            if name.lower() not in _NOT_FOR_ALL
        ]
        headers.append((b"cache-control", b"public, max-age=%d" % page.keep_s if page.keep_s else SHARED))
        headers.append((b"vary", b"accept-encoding"))
        entry = Entry.of(page.scope, page.version, headers, response.content)
        versions.announce({page.scope: page.version})  # read, hence committed
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
    if response.cookies:
        return f"its answer sets the cookie {', '.join(response.cookies)}"
    vary = {name.strip().lower() for name in response.get("Vary", "").split(",")} - {"", "accept-encoding"}
    return f"its answer varies by {', '.join(sorted(vary))}" if vary else ""


def _as_django(entry: Entry, request: HttpRequest, response: HttpResponse) -> HttpResponse:
    answer = entry.answer(
        request.headers.get("Accept-Encoding", "").encode("latin-1", "replace"),
        request.headers.get("If-None-Match", "").encode("latin-1", "replace"),
    )
    if answer.status == 304:
        mark: Published = response.published  # type: ignore[attr-defined]  # `publishing` read it
        response = HttpResponseNotModified()
        response.published = mark  # type: ignore[attr-defined]
    else:
        response.content = answer.body
    for name in list(response.headers):
        del response.headers[name]
    for name, value in answer.start["headers"]:
        response.headers[name.decode("latin-1")] = value.decode("latin-1")
    return response
