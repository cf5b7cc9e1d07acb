"""The log: which request a line belongs to, and lines that a program reads (`LOG_FORMAT=json`).

A request's id is the one that a proxy gave it in `X-Request-ID`, else a new one. It is in every line that is logged
while the request is answered, in the answer's header and on the page of an error, so that somebody who sees that page
can be helped. No line holds a name: it tells a request's method, route, status and time, never the content of its
address.
"""

import json
import logging
import re
import time
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime
from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject

from tournament.server import metrics
from tournament.server.database import chain_of

HEADER = "X-Request-ID"
_GIVEN = re.compile(r"[A-Za-z0-9._-]{8,64}")  # a proxy's own id; anything else is not trusted
_DETAILS = re.compile(r"\s*^(?:DETAIL|CONTEXT):.*", re.MULTILINE | re.DOTALL)
_REFUSED = {401, 403, 404}  # 404, since what is not one's own is not found
_now: ContextVar[str] = ContextVar("request_id", default="")

logger = logging.getLogger("tournament.requests")

GetResponse = Callable[[HttpRequest], HttpResponse]


def request_id() -> str:
    """The id of the request that is being answered; empty outside of one."""
    return _now.get()


def requests(get_response: GetResponse) -> GetResponse:
    """The outermost middleware: gives the request its id, counts it and logs it.

    A published page is the same for everybody, so its answer has no id.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        given = request.headers.get(HEADER, "")
        token = _now.set(given if _GIVEN.fullmatch(given) else str(uuid4()))
        began = time.perf_counter()
        try:
            with metrics.serving.at_work():
                response = get_response(request)
            if getattr(response, "published", None) is None:
                response.headers[HEADER] = request_id()
            _tell(request, response.status_code, time.perf_counter() - began)
            return response
        finally:
            _now.reset(token)

    return middleware


def _tell(request: HttpRequest, status: int, seconds: float) -> None:
    kind = kind_of(request.method or "", request.path)
    metrics.requests.labels(kind, f"{status // 100}xx").inc()
    metrics.answers.observe(seconds)
    match = request.resolver_match
    who = _who(request) if status in _REFUSED else ""
    logger.log(
        logging.WARNING if who else logging.INFO,
        "%s %s %d%s", request.method, match.route if match else "-", status, f", refused to {who}" if who else "",
        extra={"kind": kind, "status": status, "ms": round(seconds * 1000, 1), "user": who or "-"},
    )  # fmt: skip


def _who(request: HttpRequest) -> str:
    """Give the id of the user who asked, where the request has it: a line of the log makes no database query."""
    user = vars(request).get("user")
    if type(user) is SimpleLazyObject:  # isinstance would ask
        user = vars(request).get("_cached_user")
    return str(getattr(user, "uid", ""))


def kind_of(method: str, path: str) -> str:
    """Give the kind of this request, for the counts: "write", "api", "static" or "page"."""
    if method not in ("GET", "HEAD", "OPTIONS"):
        return "write"
    first = path.split("/", 2)[1] if path.startswith("/") else ""
    return first if first in ("api", "static") else "page"


class Knows(logging.Filter):
    """Gives each line the id of its request, and counts errors. A bad request that Django refuses (a false Host, too
    many fields, a form that cannot be read) is a warning in one line: any scanner sends them."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = request_id() or "-"
        if record.name.startswith("django.security."):
            record.levelno, record.levelname = logging.WARNING, "WARNING"
        if record.name.startswith("django.") and record.levelno == logging.WARNING:
            record.exc_info = record.exc_text = None
        if record.levelno >= logging.ERROR:
            metrics.errors.inc()
        return True


class WithoutValues(logging.Filter):
    """Removes the values that PostgreSQL refused from an error's details, since they may hold names."""

    def filter(self, record: logging.LogRecord) -> bool:
        for each in chain_of(record.exc_info[1] if record.exc_info else None):
            if any(isinstance(part, str) and _DETAILS.search(part) for part in each.args):
                each.args = tuple(
                    _DETAILS.sub("", part) if isinstance(part, str) else part for part in each.args
                )
        return True


class Lines(logging.Formatter):
    """A line of JSON each: `time` (UTC), `level`, `logger`, `message`; where there are any `request_id`, `kind`,
    `status`, `ms`, `user` (of who was refused something) and `exception`."""

    def format(self, record: logging.LogRecord) -> str:
        said = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        known = {name: getattr(record, name, "-") for name in ("request_id", "kind", "status", "ms", "user")}
        said |= {name: value for name, value in known.items() if value != "-"}
        if record.exc_info:
            said["exception"] = self.formatException(record.exc_info)
        return json.dumps(said, ensure_ascii=False, default=str)
