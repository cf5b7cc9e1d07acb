"""Logging: request ids and JSON lines (`LOG_FORMAT=json`).

A request's id, from a proxy's `X-Request-ID` or new, is in log lines, response header and error pages. Lines never hold
names or URL contents.
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

from tournament.server import metrics
from tournament.server.database import chain_of
from tournament.server.django_private import loaded_user

HEADER = "X-Request-ID"
_GIVEN = re.compile(r"[A-Za-z0-9._-]{8,64}")  # well-formed proxy ids only
_DETAILS = re.compile(r"\s*^(?:DETAIL|CONTEXT):.*", re.MULTILINE | re.DOTALL)
_REFUSED = {401, 403, 404}  # 404: foreign objects are not found
_now: ContextVar[str] = ContextVar("request_id", default="")

logger = logging.getLogger("tournament.requests")

GetResponse = Callable[[HttpRequest], HttpResponse]


def request_id() -> str:
    """Id of the current request; "" outside of one."""
    return _now.get()


def requests(get_response: GetResponse) -> GetResponse:
    """Outermost middleware: assigns the id, counts and logs."""

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
    who = str(getattr(loaded_user(request), "uid", "")) if status in _REFUSED else ""
    logger.log(
        logging.WARNING if who else logging.INFO,
        "%s %s %d%s", request.method, match.route if match else "-", status, f", refused to {who}" if who else "",
        extra={"kind": kind, "status": status, "ms": round(seconds * 1000, 1), "user": who or "-"},
    )  # fmt: skip


def kind_of(method: str, path: str) -> str:
    """Request kind: "write", "api", "static" or "page"."""
    if method not in ("GET", "HEAD", "OPTIONS"):
        return "write"
    first = path.split("/", 2)[1] if path.startswith("/") else ""
    return first if first in ("api", "static") else "page"


class Knows(logging.Filter):
    """Adds request ids, counts errors. Requests that Django rejects, as scanners send, become one-line warnings."""

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
    """Removes PostgreSQL's rejected values (maybe names) from errors."""

    def filter(self, record: logging.LogRecord) -> bool:
        for each in chain_of(record.exc_info[1] if record.exc_info else None):
            if any(isinstance(part, str) and _DETAILS.search(part) for part in each.args):
                each.args = tuple(
                    _DETAILS.sub("", part) if isinstance(part, str) else part for part in each.args
                )
        return True


class Found(logging.Filter):
    """Drops requests for unknown addresses: a scanner would fill a small disk."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to log the record."""
        return getattr(record, "status_code", 0) != 404


class Lines(logging.Formatter):
    """JSON lines: `time` (UTC), `level`, `logger`, `message`; if present `request_id`, `kind`, `status`, `ms`, `user`
    (refused), `exception`."""

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
