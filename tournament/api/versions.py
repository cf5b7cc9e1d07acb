"""When a reader has the answer already, and which version a writer changes: ETag, If-None-Match, If-Match.

An ETag is the version of what was read (the sequence of the ledger row that wrote it last) and, after a dot, what this
reader sees of it: `"17.everybody"`. So a program that read a play may send its ETag back with a change of it.
"""

import re
from collections.abc import Callable
from typing import Any

from django.http import HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from rest_framework.exceptions import ParseError
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api.problems import VersionChanged, VersionMissing

_VERSION = re.compile(r'(?:W/)?"(\d{1,18})(?:\.[a-z0-9.-]*)?"')


def etag(version: int, sees: str) -> str:
    """The ETag of an answer as of `version`, for a reader who sees so much of it."""
    return quote_etag(f"{version}.{sees}")


def versioned(
    request: Request, version: int, sees: str, answer: Callable[[], Any]
) -> HttpResponse | Response:
    """The answer with its ETag, or 304 where the reader has it; call this in the `snapshot()` in which the version was
    read. VersionChanged where If-Match names another."""
    form = getattr(request.accepted_renderer, "format", "json")
    tag = etag(version, sees if form == "json" else f"{sees}.{form}")
    have = get_conditional_response(request._request, etag=tag)
    if have is not None and have.status_code == VersionChanged.status_code:
        raise VersionChanged
    response = have or Response(answer())
    response["ETag"] = tag
    return response


def expected_version(request: Request, *, needed: bool = True) -> int | None:
    """The version that If-Match names, from an ETag of this interface; None for `*` and for none where none is needed.

    Raises VersionMissing, ParseError for what is no such ETag.
    """
    said = request.headers.get("If-Match", "").strip()
    if not said and needed:
        raise VersionMissing
    if said in {"", "*"}:
        return None
    found = _VERSION.fullmatch(said)
    if found is None:
        raise ParseError
    return int(found[1])
