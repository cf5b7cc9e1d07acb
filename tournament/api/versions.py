"""Conditional requests: ETag, If-None-Match, If-Match.

An ETag is `"version.sees.history-program"`, like `"17.head.5d0c8b1f42-90a1b2c3d4e5"`: ledger sequence, the reader's
view, digests of ledger row and program. So ETags from before a restore or update never match, and a read's ETag
serves as If-Match.

| If-Match | meaning |
| --- | --- |
| an ETag | 412 if changed since, compared under the event's lock |
| several | the newest |
| `*` | any version |
| weak or foreign | 412 |
| none | 428 for edits and changes of plays |
"""

import re
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.utils.translation import get_language, gettext as _
from rest_framework.exceptions import ErrorDetail
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.actions.kernel import ANY_VERSION
from tournament.api.problems import HeaderFault, VersionChanged, VersionMissing
from tournament.models import LedgerRow, Tournament

CODE = ("rulesets", "scoring", "tournament")
DIGITS, PROGRAM_DIGITS = 10, 12
_ETAG = r'(?:W/)?"[^"]*"'
_ETAGS = re.compile(rf"{_ETAG}(?:\s*,\s*{_ETAG}){{0,19}}")
_VERSION = re.compile(r'"(\d{1,18})(?:\.[a-z-]+[a-z0-9-]*(?:\.([0-9a-f]{10})-[0-9a-z.-]*)?)?"')


def tag_of(version: int, sees: str, history: str) -> str:
    """ETag of a response at `version` for a reader who `sees` this much."""
    return f"{version}.{sees}.{history}-{digest()}"


@cache
def digest() -> str:
    """Digest of code and version: cache key per program."""
    found = sha256()
    for package in CODE:
        for file in sorted((settings.CODE_DIR / package).rglob("*.py")):
            found.update(f"\n{file.relative_to(settings.CODE_DIR)}\n".encode())
            found.update(file.read_bytes())
    return found.hexdigest()[:PROGRAM_DIGITS]


def history_at(tournament: Tournament, version: int) -> str:
    """Digest of the tournament's history up to `version`, with the row key, since an archive may repeat a ledger under
    other names."""
    head = tournament.ledger_head
    if version != tournament.version:
        rows = LedgerRow.objects.filter(tournament=tournament, sequence=version)
        head = rows.values_list("digest", flat=True).first() or ""
    return history_of((tournament.pk, head))


def history_of(*said: object) -> str:
    """Short digest of the values."""
    return sha256(repr(said).encode()).hexdigest()[:DIGITS]


def versioned(request: Request, tag: str, answer: Callable[[], Any]) -> HttpResponse | Response:
    """Response with ETag, or 304; call in the version's `snapshot()`. Raises VersionChanged for another If-Match."""
    form = getattr(request.accepted_renderer, "format", "json")
    tag = quote_etag(tag if form == "json" else f"{tag}.{form}-{get_language()}")
    have = get_conditional_response(request._request, etag=tag)
    if have is not None and have.status_code == VersionChanged.status_code:
        raise VersionChanged
    response = have or Response(answer())
    response["ETag"] = tag
    return response


def expected_version(request: Request, event: Tournament, *, needed: bool) -> int | None:
    """Version in If-Match: newest of several, ANY_VERSION for `*`, None without header.

    Raises VersionMissing if `needed`, HeaderFault for malformed ETags, VersionChanged if none can match (weak, or
    another program or history).
    """
    said = request.headers.get("If-Match", "").strip()
    if needed and not said:
        raise VersionMissing
    if said in {"", "*"}:
        return ANY_VERSION if said else None
    if not _ETAGS.fullmatch(said):
        text = _("Send an ETag as you got it, with its quotation marks.")
        raise HeaderFault({"If-Match": [ErrorDetail(text, "invalid")]})
    named = [(int(tag[1]), tag[2]) for tag in map(_VERSION.fullmatch, re.findall(_ETAG, said)) if tag]
    known = [version for version, history in named if not history or history == history_at(event, version)]
    if not known:
        raise VersionChanged
    return max(known)
