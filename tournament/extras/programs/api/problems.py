"""Errors as RFC 9457 problems, `application/problem+json`, in the request's language (docs/api.md).

`code` is from `KINDS`. Codes of `errors` are scoring's (docs/score-sheet.md) or the actions' (words/faults.py).
"""

import logging
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from math import ceil
from typing import Any
from uuid import uuid4

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404, JsonResponse, UnreadablePostError
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.settings import api_settings

from tournament.extras.programs.api.serializers import play_json
from tournament.models import ApiToken
from tournament.results import Conflict, Fault, Forbidden, Refused, Stale
from tournament.server.database import RETRY_S, UNAVAILABLE, is_away, is_full
from tournament.server.logs import request_id
from tournament.words.faults import fault_text

CONTENT_TYPE = "application/problem+json"
ADDRESSES = "/api/v1/"
MOST_ERRORS = 100

Json = dict[str, Any]

logger = logging.getLogger(__name__)


# Status and title by code.
KINDS: Mapping[str, tuple[int, str | Promise]] = {
    "malformed": (400, _("This request cannot be read.")),
    "unauthenticated": (401, _("Send a valid access token as `Authorization: Bearer lc_…`.")),
    "forbidden": (403, _("You may not do this here.")),
    "not_found": (404, _("Nothing here, or not for you to see.")),
    "method_not_allowed": (405, _("This address does not support that method.")),
    "not_acceptable": (406, _("This address answers only in JSON.")),
    "conflict": (409, _("This is already entered. Compare it with what you sent.")),
    "version_changed": (412, _("This has changed since you read it. Read it again.")),
    "too_large": (413, _("Too much at once. Send less at a time.")),
    "unsupported_media_type": (415, _("Send JSON, and say so in Content-Type.")),
    "refused": (422, _("The request was refused. Nothing was saved.")),
    "version_missing": (
        428,
        _("Send the ETag that GET answered as If-Match, to say which version you are changing."),
    ),
    "throttled": (429, _("Too many requests. Wait a moment.")),
    "broken": (500, _("Something went wrong on our side. Nothing was saved.")),
    "unavailable": (503, _("The database is not responding. Try again in a moment.")),
    "no_room": (503, _("The server’s disk is full")),
}

# Where page texts would mislead programs, by code, with path or why.
FOR_PROGRAMS: Mapping[str, str | Promise] = {
    "field_required/remaining": _("Send `remaining`, the players still in the game, or If-Match."),
    "cannot_be_undone at_table": _(
        "A result is not undone here. Correct the play (PUT), or send `void` or `revert` to it."
    ),
    "cannot_be_undone come_back": _(
        "This is not undone here. Send `leave` or `readmit` to the player’s entry."
    ),
    "field_private": _(
        "Everyone would see this. If it is right, send `public_name_is_right`: true beside it."
    ),
    "command_reused": _("This Idempotency-Key was already sent with different content. Send a new one."),
    "conflict": KINDS["conflict"][1],
    "same_version/": _("Name at least one member to change."),
}

_BY_STATUS = {status: code for code, (status, _title) in reversed(list(KINDS.items()))}


def problem(code: str, **more: Any) -> Json:
    """Problem of this code; empty members are left out."""
    status, title = KINDS[code]
    return {
        "type": f"{ADDRESSES}docs#{code}",
        "title": str(title),
        "status": status,
        "code": code,
        **{name: value for name, value in more.items() if value},
    }


class Failed(exceptions.APIException):
    """A request that ends in this `problem`."""

    def __init__(self, code: str, **more: Any) -> None:
        super().__init__()
        self.problem = problem(code, **more)


def header_fault(header: str, message: str, code: str = "invalid") -> Failed:
    """A header is missing or malformed."""
    fault = {"code": f"field_{code}", "path": "", "message": message, "parameters": {}, "header": header}
    return Failed("malformed", errors=[fault])


def answer(said: Json) -> JsonResponse:
    """Answer with this problem outside REST framework."""
    return JsonResponse(
        said,
        content_type=CONTENT_TYPE,
        status=said["status"],
        headers={"Retry-After": str(RETRY_S)} if said["status"] == UNAVAILABLE else {},
    )


_CODES: tuple[tuple[tuple[type[Exception], ...], str], ...] = (
    ((Forbidden, PermissionDenied), "forbidden"),
    ((Stale,), "version_changed"),
    ((Refused,), "refused"),
    ((Http404,), "not_found"),
    ((RequestDataTooBig,), "too_large"),
    ((SuspiciousOperation, UnreadablePostError), "malformed"),
)


def problem_of(raised: Exception, names: Mapping[str, str] | None = None) -> Json | None:
    """Problem of an exception; None for internal errors. `names`: public names by player id."""
    if isinstance(raised, Failed):
        return raised.problem
    if isinstance(raised, Conflict):
        return problem("conflict", **both_sides(raised))
    if isinstance(raised, exceptions.ValidationError):
        return problem("malformed", errors=[*islice(_field_errors(raised.detail), MOST_ERRORS)])
    if isinstance(raised, exceptions.APIException):
        detail = {"detail": str(raised.detail)} if isinstance(raised, exceptions.ParseError) else {}
        more = raised.detail if isinstance(raised.detail, dict) else detail
        return problem(_BY_STATUS.get(raised.status_code, "malformed"), **more)
    known = (code for classes, code in _CODES if isinstance(raised, classes))
    code = "throttled" if getattr(raised, "wait", 0) else next(known, None)
    errors = fault_errors(raised.faults, names) if isinstance(raised, Refused) else ()
    return problem(code, errors=errors) if code else None


def answer_to(raised: Exception, context: Mapping[str, Any]) -> Response | None:
    """REST framework's exception handler."""
    from rest_framework.views import set_rollback

    said = problem_of(raised, getattr(context.get("view"), "names_of_players", None)) or broken(
        raised, context["request"]
    )
    token = context["request"].auth if said["status"] in {403, 404} else None
    if isinstance(token, ApiToken) and token.tournament:
        limits = _("This access token is only for “{event}” and allows: {scopes}.")
        detail = str(limits).format(event=token.tournament, scopes=", ".join(token.scopes))
        said = {"detail": detail, "tournament": str(token.tournament.uid), "scopes": token.scopes} | said
    wait = getattr(raised, "wait", None)  # seconds; Refused or Throttled
    again = ceil(wait) if wait else RETRY_S if said["status"] == UNAVAILABLE else None
    headers = {"WWW-Authenticate": getattr(raised, "auth_header", None), "Retry-After": again and str(again)}
    set_rollback()  # like the default handler
    return Response(said, said["status"], headers={name: each for name, each in headers.items() if each})


def broken(raised: BaseException | None, request: Any) -> Json:
    """Log an internal error under the `instance` of its problem."""
    instance = f"urn:uuid:{uuid4()}"
    logger.error("%s: %s %s", instance, request.method, request.path, exc_info=raised)
    code = "no_room" if is_full(raised) else "unavailable" if is_away(raised) else "broken"
    return problem(code, instance=instance, request_id=request_id())


def fault_errors(
    faults: Iterable[Fault], names: Mapping[str, str] | None = None
) -> tuple[Mapping[str, Any], ...]:
    """Faults as JSON; `names`: public names by player id."""
    return tuple(
        {
            "code": fault.code,
            "path": fault.path,
            "message": str(
                FOR_PROGRAMS.get(fault.code)
                or FOR_PROGRAMS.get(fault.code + (fault.path or "/"))
                or FOR_PROGRAMS.get(f"{fault.code} {fault.parameters.get('why')}")
                or fault_text(fault, names)
            )
            + (f" ({said})" if isinstance(said := fault.parameters.get("expected"), str) else ""),
            "parameters": dict(fault.parameters),
        }
        for fault in faults
    )


def both_sides(conflict: Conflict) -> Json:
    """Both versions, for a person to choose from, and what is wrong."""
    return {
        "errors": fault_errors(conflict.faults),
        **{
            name: {"play": play_json(version.play), "by": version.by, "at": version.at}
            for name, version in (("current", conflict.current), ("offered", conflict.offered))
        },
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
