"""Errors as RFC 9457 problems, `application/problem+json`, in the request's language.

    {"type": "/api/v1/docs#refused", "title": "…", "status": 422, "detail": "…", "code": "refused",
     "errors": [{"code": "deck_exceeded", "path": "/hands/…/draw2", "message": "…", "parameters": {…}}]}

`code` is from `KINDS`, meaning fixed. `errors`: codes of scoring (docs/score-sheet.md) or actions
(tournament/words/faults.py); `path`: JSON Pointer into the body; `header`: faulty header. Conflicts add plays
`current` and `offered`, internal errors an `instance` for the log.
"""

import logging
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import ceil
from typing import Any
from uuid import uuid4

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404, JsonResponse
from django.http.request import UnreadablePostError
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.settings import api_settings

from tournament.api.serializers import play_json
from tournament.models import ApiToken
from tournament.results import Conflict, Fault, Forbidden, Refused, Stale, Version
from tournament.server.database import is_away, is_full
from tournament.server.logs import request_id
from tournament.words.faults import fault_text

CONTENT_TYPE = "application/problem+json"
ADDRESSES = "/api/v1/"
TYPES = f"{ADDRESSES}docs"
MOST_ERRORS = 100
UNAVAILABLE = 503
RETRY_S = 5  # Retry-After, seconds

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Kind:
    """Status and title of a problem kind."""

    status: int
    title: str | Promise


KINDS: Mapping[str, Kind] = {
    "malformed": Kind(400, _("This request cannot be read.")),
    "unauthenticated": Kind(401, _("Send a valid access token with the request.")),
    "forbidden": Kind(403, _("You may not do this here.")),
    "not_found": Kind(404, _("Nothing here, or not for you to see.")),
    "method_not_allowed": Kind(405, _("This address does not support that method.")),
    "not_acceptable": Kind(406, _("This address answers only in JSON.")),
    "conflict": Kind(409, _("Something else was entered here in the meantime.")),
    "version_changed": Kind(412, _("This has changed since you read it. Read it again.")),
    "too_large": Kind(413, _("Too much at once. Send less at a time.")),
    "unsupported_media_type": Kind(415, _("Send JSON, and say so in Content-Type.")),
    "refused": Kind(422, _("The request was refused. Nothing was saved.")),
    "version_missing": Kind(428, _("State in If-Match which version you are changing.")),
    "throttled": Kind(429, _("Too many requests. Wait a moment.")),
    "broken": Kind(500, _("Something went wrong on our side. Nothing was saved.")),
    "unavailable": Kind(503, _("The database is not responding. Try again in a moment.")),
    "no_room": Kind(503, _("The server’s disk is full")),
}

# Where page texts would mislead programs.
FOR_PROGRAMS: Mapping[str, str | Promise] = {
    "command_reused": _("This Idempotency-Key was already sent with different content. Send a new one."),
    "conflict": KINDS["conflict"].title,
}

_BY_STATUS = {kind.status: code for code, kind in reversed(list(KINDS.items()))}


class VersionChanged(exceptions.APIException):
    """If-Match is outdated; for plays with both versions."""

    status_code = 412

    def __init__(self, conflict: Conflict | None = None) -> None:
        super().__init__()
        self.conflict = conflict


class VersionMissing(exceptions.APIException):
    """A required If-Match is missing."""

    status_code = 428


class HeaderFault(exceptions.ValidationError):
    """A header is missing or malformed; detail by header name."""


class TooLarge(exceptions.APIException):
    """The body is too large."""

    status_code = 413


@dataclass(frozen=True, slots=True)
class Problem:
    """An error response."""

    code: str
    detail: str = ""
    errors: tuple[Mapping[str, Any], ...] = ()
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def status(self) -> int:
        return KINDS[self.code].status

    @property
    def headers(self) -> dict[str, str]:
        """Retry-After, if known."""
        return {"Retry-After": str(RETRY_S)} if self.status == UNAVAILABLE else {}

    def as_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {
            "type": f"{TYPES}#{self.code}",
            "title": str(KINDS[self.code].title),
            "status": self.status,
            "code": self.code,
        }
        if self.detail:
            data["detail"] = self.detail
        if self.errors:
            data["errors"] = [dict(error) for error in self.errors]
        return {**data, **self.more}

    def answer(self) -> JsonResponse:
        """Response outside REST framework."""
        return JsonResponse(
            self.as_json(), content_type=CONTENT_TYPE, status=self.status, headers=self.headers
        )


_CODES: tuple[tuple[tuple[type[Exception], ...], str], ...] = (
    ((Forbidden, PermissionDenied), "forbidden"),
    ((Stale,), "version_changed"),
    ((Refused,), "refused"),
    ((Http404,), "not_found"),
    ((RequestDataTooBig,), "too_large"),
    ((SuspiciousOperation, UnreadablePostError), "malformed"),
)


def problem_of(raised: Exception, names: Mapping[str, str] | None = None) -> Problem | None:
    """Problem of an exception; None for internal errors. `names`: public names by player id."""
    if isinstance(raised, Conflict):
        return _both_sides("conflict", raised)
    if isinstance(raised, VersionChanged) and raised.conflict:
        return _both_sides("version_changed", raised.conflict)
    if isinstance(raised, exceptions.ValidationError):
        errors = tuple(_field_errors(raised.detail))[:MOST_ERRORS]
        if isinstance(raised, HeaderFault):
            errors = tuple({**error, "path": "", "header": error["path"][1:]} for error in errors)
        return Problem("malformed", errors=errors)
    if isinstance(raised, exceptions.APIException):
        return Problem(
            _BY_STATUS.get(raised.status_code, "malformed"),
            str(raised.detail) if isinstance(raised, exceptions.ParseError) else "",
            more=raised.detail if isinstance(raised.detail, dict) else {},
        )
    code = (
        "throttled"
        if getattr(raised, "wait", 0)
        else next((code for classes, code in _CODES if isinstance(raised, classes)), None)
    )
    if code is None:
        return None
    return Problem(code, errors=fault_errors(raised.faults, names) if isinstance(raised, Refused) else ())


def answer_to(raised: Exception, context: Mapping[str, Any]) -> Response | None:
    """REST framework's exception handler."""
    from rest_framework.views import set_rollback

    view = context.get("view")
    problem = problem_of(raised, getattr(view, "names_of_players", None)) or broken(
        raised, context["request"]
    )
    if problem.status in {403, 404} and isinstance(token := context["request"].auth, ApiToken):
        problem = replace(problem, more={**_limits(token), **problem.more})
    headers = problem.headers
    if header := getattr(raised, "auth_header", None):
        headers["WWW-Authenticate"] = header
    if wait := getattr(raised, "wait", None):  # seconds; Refused or Throttled
        headers["Retry-After"] = str(ceil(wait))
    if isinstance(raised, exceptions.MethodNotAllowed) and view is not None:
        headers["Allow"] = ", ".join(view.allowed_methods)
    set_rollback()  # like the default handler
    return Response(problem.as_json(), status=problem.status, headers=headers)


def _limits(token: ApiToken) -> dict[str, Any]:
    """The event that a token is limited to, and its scopes."""
    if token.tournament is None:
        return {}
    said = _("This access token is only for “{event}” and allows: {scopes}.")
    return {
        "detail": said.format(event=token.tournament, scopes=", ".join(token.scopes)),
        "tournament": str(token.tournament.uid),
        "scopes": token.scopes,
    }


def broken(raised: BaseException | None, request: Any) -> Problem:
    """Log an internal error under the `instance` of its problem."""
    instance = f"urn:uuid:{uuid4()}"
    logger.error("%s: %s %s", instance, request.method, request.path, exc_info=raised)
    code = "no_room" if is_full(raised) else "unavailable" if is_away(raised) else "broken"
    return Problem(code, more={"instance": instance, "request_id": request_id()})


def fault_errors(
    faults: Iterable[Fault], names: Mapping[str, str] | None = None
) -> tuple[Mapping[str, Any], ...]:
    """Faults as JSON; `names`: public names by player id."""
    return tuple(
        {
            "code": fault.code,
            "path": fault.path,
            "message": str(FOR_PROGRAMS.get(fault.code) or fault_text(fault, names)),
            "parameters": dict(fault.parameters),
        }
        for fault in faults
    )


def _both_sides(code: str, conflict: Conflict) -> Problem:
    return Problem(
        code,
        errors=fault_errors(conflict.faults),
        more={"current": _side(conflict.current), "offered": _side(conflict.offered)},
    )


def _side(version: Version) -> dict[str, Any]:
    return {
        "play": play_json(version.play),
        "by": version.by,
        "at": version.at,
    }


def _field_errors(detail: Any, path: str = "") -> Iterator[Mapping[str, Any]]:
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            yield from _field_errors(
                inner, path if name == api_settings.NON_FIELD_ERRORS_KEY else f"{path}/{name}"
            )
    elif isinstance(detail, list):
        for place, inner in enumerate(detail):
            yield from _field_errors(inner, f"{path}/{place}" if isinstance(inner, Mapping | list) else path)
    else:
        yield {
            "code": f"field_{getattr(detail, 'code', 'invalid')}",
            "path": path,
            "message": str(detail),
            "parameters": {},
        }
