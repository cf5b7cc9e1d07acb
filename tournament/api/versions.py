"""Conditional requests: whether a reader's answer is still current, and which version a writer changes (ETag,
If-None-Match, If-Match).

An ETag holds, with dots between, the version of what was read (the sequence of the ledger row that wrote it last), what
this reader sees of it, and digests of that row and of the program: `"17.everybody.5d0c8b1f42-90a1b2c3d4e5"`. So an
answer from before a backup was restored, or the program changed, is never mistaken for a later one; and a program that
read a thing may send its ETag back with a change of it.

| If-Match with a command | means |
| --- | --- |
| an ETag of what it changes | as it was then; 412 if it has changed since, compared under the event's lock |
| several | the newest of them |
| `*` | whatever its version is |
| a weak one, one of another address | never matches: 412 |
| none | 428 where the command needs it: it edits something stored, or changes a play |
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

CODE = ("rulesets", "scoring", "tournament")  # packages
DIGITS, PROGRAM_DIGITS = 10, 12  # of the digests of a history and of the program
_ETAG = r'(?:W/)?"[^"]*"'
_ETAGS = re.compile(rf"{_ETAG}(?:\s*,\s*{_ETAG}){{0,19}}")
_VERSION = re.compile(r'"(\d{1,18})(?:\.[a-z-]+[a-z0-9-]*(?:\.([0-9a-f]{10})-[0-9a-z.-]*)?)?"')


def tag_of(version: int, sees: str, history: str) -> str:
    """The ETag of an answer as of `version`, for a reader who `sees` this much of it."""
    return f"{version}.{sees}.{history}-{digest()}"


@cache
def digest() -> str:
    """A digest of all code and the version, so that a cache with this key never holds an answer of another program."""
    found = sha256()
    for package in CODE:
        for file in sorted((settings.CODE_DIR / package).rglob("*.py")):
            found.update(f"\n{file.relative_to(settings.CODE_DIR)}\n".encode())
            found.update(file.read_bytes())
    return found.hexdigest()[:PROGRAM_DIGITS]


def history_at(tournament: Tournament, version: int) -> str:
    """A digest of all that happened in the tournament up to this version. An archive may bring the same ledger back
    with other names, so the row's key is in it."""
    head = tournament.ledger_head
    if version != tournament.version:
        rows = LedgerRow.objects.filter(tournament=tournament, sequence=version)
        head = rows.values_list("digest", flat=True).first() or ""
    return history_of((tournament.pk, head))


def history_of(*said: object) -> str:
    """A short digest of these values."""
    return sha256(repr(said).encode()).hexdigest()[:DIGITS]


def versioned(request: Request, tag: str, answer: Callable[[], Any]) -> HttpResponse | Response:
    """The answer with its ETag, or 304 where the reader has it; call this in the `snapshot()` in which the version was
    read. VersionChanged where If-Match names another."""
    form = getattr(request.accepted_renderer, "format", "json")
    tag = quote_etag(tag if form == "json" else f"{tag}.{form}-{get_language()}")
    have = get_conditional_response(request._request, etag=tag)
    if have is not None and have.status_code == VersionChanged.status_code:
        raise VersionChanged
    response = have or Response(answer())
    response["ETag"] = tag
    return response


def expected_version(request: Request, event: Tournament, *, needed: bool) -> int | None:
    """The version that If-Match names, from an ETag of this interface: the newest of several, ANY_VERSION for `*`; None
    without the header.

    Raises VersionMissing where it is `needed`, HeaderFault for what is no list of ETags, VersionChanged where none of
    them can match: weak ones, those of other programs, and those of another history of the event.
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
