"""Faults inside a server of the tests, for what cannot be done to it from outside.

X-Fault-Kill: 7            this request kills the server, as kill -9 does, right after its 7th statement, or just
                           before COMMIT or after COMMIT of what it wrote. X-Fault-Points of the answer: how many
                           statements there were
the file LASTCARD_FAULTS   {"clock_s": 3600}: the server's clock is an hour fast
                           {"publisher": "fails" | "hangs"}: what the thread that reads the versions does; one that
                           died never answers either. Once it does, publisher-broke lies beside the file
"""

import datetime
import json
import os
import signal
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from django.apps import AppConfig
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.db.backends.sqlite3.base import DatabaseWrapper
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

FILE = Path(os.environ.get("LASTCARD_FAULTS", "/nonexistent"))
WRAPPER: Any = DatabaseWrapper  # its stubs leave out how it commits
PR_SET_PTRACER, ANYBODY = 0x59616D61, -1


class Hooks(AppConfig):
    name = "tests.faults"

    def ready(self) -> None:
        connection_created.connect(_count, dispatch_uid="faults")
        WRAPPER._commit = _commit
        from tournament.queries import live

        live.read_versions = partial(_read_versions, live.read_versions)


def may_be_traced() -> None:
    """Let strace attach to this process also where only a parent may (Yama)."""
    import ctypes

    ctypes.CDLL(None).prctl(PR_SET_PTRACER, ctypes.c_long(ANYBODY), 0, 0, 0)


# ---- killed at a statement ----

_asked_for = threading.local()  # `kill`: the point, `passed`: statements, `wrote`: whether any of them wrote


def killed_where_asked(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[..., HttpResponse]:
    def middleware(request: HttpRequest) -> HttpResponse:
        _asked_for.kill = request.headers.get("X-Fault-Kill", "")
        _asked_for.passed, _asked_for.wrote = 0, False
        try:
            response = get_response(request)
        finally:
            _asked_for.kill = ""
        response["X-Fault-Points"] = str(_asked_for.passed)
        return response

    return middleware


def _point(name: str) -> None:
    if getattr(_asked_for, "kill", "") == name:
        os.kill(os.getpid(), signal.SIGKILL)


def _count(connection: BaseDatabaseWrapper, **_: Any) -> None:
    def statement(execute: Any, sql: str, *arguments: Any) -> Any:
        result = execute(sql, *arguments)
        _asked_for.passed = getattr(_asked_for, "passed", 0) + 1
        _asked_for.wrote = getattr(_asked_for, "wrote", False) or sql.startswith(("INSERT", "UPDATE"))
        _point(str(_asked_for.passed))
        return result

    connection.execute_wrappers.append(statement)


_django_commit = WRAPPER._commit


def _commit(self: DatabaseWrapper) -> None:
    wrote = getattr(_asked_for, "wrote", False)
    if wrote:
        _point("before COMMIT")
    _django_commit(self)
    if wrote:
        _point("after COMMIT")


# ---- the file ----


def _asked() -> dict[str, Any]:
    try:
        return dict(json.loads(FILE.read_text()))
    except (OSError, ValueError):  # none, or just being written
        return {}


def _now() -> datetime.datetime:
    return datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=_asked().get("clock_s", 0))


timezone.now = _now  # before any model takes it for a default


def _read_versions(read: Callable[[], dict[str, int]]) -> dict[str, int]:
    fault = _asked().get("publisher")
    if fault:
        FILE.with_name("publisher-broke").touch()
    if fault == "fails":
        raise LookupError("a query that is wrong")
    while fault == "hangs" and _asked().get("publisher") == "hangs":
        time.sleep(0.1)
    return read()
