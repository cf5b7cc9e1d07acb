"""tournament/live/probes.py and metrics.py: what is said to who watches over a server."""

import asyncio
import json
import logging
import re
import time
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client, RequestFactory

from tests.live.conftest import Site
from tests.live.driver import ask
from tournament.api.problems import page_of_error
from tournament.live import probes
from tournament.live.front import Front
from tournament.live.hub import Hub
from tournament.live.store import Store
from tournament.live.versions import Versions
from tournament.server import logs, metrics

SAMPLE = re.compile(r'lastcard_[a-z_]+(\{([a-z_]+="[^"\\\n]*",?)+\})? -?[0-9.e+]+')


class Poller:
    """Asks no database."""

    async def start(self) -> None:
        pass

    async def stop(self) -> None:
        pass


def probed(path: str, *, silent_s: float = 0.1, address: str = "127.0.0.1", closed: bool = False) -> Any:
    """What a process is asked, whose parts are new."""

    async def run() -> Any:
        versions = Versions()
        versions._settled = time.monotonic() - silent_s
        hub = Hub(versions, cap=7)
        if closed:
            hub.close()
        app = Front(None, versions=versions, store=Store(versions), hub=hub, poller=Poller())  # type: ignore[arg-type]
        return await ask(app, path, address=address)

    return asyncio.run(run())


def test_a_process_is_healthy_while_it_runs() -> None:
    assert probed("/healthz", silent_s=1e9).all[::2] == (200, b"ok")


@pytest.fixture
def migrated(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    says = [True]
    monkeypatch.setattr(probes, "is_migrated", lambda: says[-1])
    return says


def test_a_process_is_ready_when_the_database_answers_and_is_migrated(migrated: list[bool]) -> None:
    assert probed("/readyz").all[::2] == (200, b"ready")
    migrated.append(False)
    assert probed("/readyz").all[::2] == (503, b"The database is not migrated.")


def test_a_process_that_hears_nothing_of_others_or_ends_is_not_ready(migrated: list[bool]) -> None:
    assert probed("/readyz", silent_s=probes.SILENT_S + 1).all[::2] == (503, b"The database does not answer.")
    assert probed("/readyz", closed=True).all[::2] == (503, b"It is ending.")


@pytest.mark.django_db(transaction=True)
def test_a_database_with_every_migration_is_told_from_one_without(monkeypatch: pytest.MonkeyPatch) -> None:
    def look() -> bool:
        return asyncio.run(asyncio.to_thread(probes.is_migrated))

    assert look()
    monkeypatch.setattr(probes.MigrationExecutor, "migration_plan", lambda *_: ["one more"])
    assert not look()

    def away(_connection: object) -> None:
        raise OperationalError

    monkeypatch.setattr(probes, "MigrationExecutor", away)
    assert not look()


def test_numbers_are_for_addresses_that_are_named() -> None:
    assert probed("/metrics").status == 200
    assert probed("/metrics", address="192.0.2.1").status == 404
    assert probed("/metrics", address="").status == 404


def test_numbers_are_written_as_prometheus_reads_them() -> None:
    before = _values(probed("/metrics").body)
    metrics.saves.observe(0.3)
    metrics.saves.observe(100)
    answer = probed("/metrics")
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    lines = answer.body.decode().splitlines()
    assert [line for line in lines if not line.startswith("# ") and not SAMPLE.fullmatch(line)] == []
    values = _values(answer.body)
    assert values["lastcard_streams_most"] == 7
    more = {name: value - before[name] for name, value in values.items() if "save_seconds" in name}
    assert [
        more[f'lastcard_save_seconds_bucket{{le="{bound}"}}'] for bound in ("0.2", "0.3", "1", "20", "+Inf")
    ] == [*(0, 1, 1, 1, 2)]
    assert more["lastcard_save_seconds_count"] == 2
    named = [line.split()[2] for line in lines if line.startswith("# TYPE")]
    assert len(named) == len(set(named))


def _values(body: bytes) -> dict[str, float]:
    lines = [line.rsplit(" ", 1) for line in body.decode().splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in lines}


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("from-the-proxy.1", True),
        ("short", False),
        ("a b\nc and more", False),
        ("x" * 65, False),
        ("", False),
    ],
    ids=["a proxy's", "short", "other letters", "long", "none"],
)
def test_a_request_keeps_the_id_that_a_proxy_gave_it(given: str, *, kept: bool) -> None:
    def view(_request: Any) -> Any:
        from django.http import HttpResponse

        return HttpResponse(logs.request_id())

    answer = logs.requests(view)(RequestFactory().get("/x", headers={"x-request-id": given}))
    said = answer.content.decode()
    assert answer["X-Request-ID"] == said
    assert (said == given) is kept
    assert logs.request_id() == ""


def test_a_published_page_has_nobody_s_id(site: Site) -> None:
    site.facts.versions["a"] = 1
    assert "X-Request-ID" not in Client().get("/en/page/a/")
    assert Client().get("/nothing")["X-Request-ID"]


@pytest.mark.parametrize("path", ["/en/x/", "/api/v1/x"], ids=["page", "problem"])
def test_the_answer_to_a_fault_of_ours_says_the_request_s_id(path: str) -> None:
    def view(request: Any) -> Any:
        try:
            raise ZeroDivisionError
        except ZeroDivisionError:
            return page_of_error(request)

    answer = logs.requests(view)(RequestFactory().get(path))
    assert answer.status_code == 500
    assert answer["X-Request-ID"] in answer.content.decode()


def test_a_line_of_json_tells_the_request_without_its_address(caplog: pytest.LogCaptureFixture) -> None:
    from django.http import HttpResponse

    with caplog.at_level(logging.INFO, "tournament.requests"):
        caplog.handler.addFilter(logs.Knows())
        logs.requests(lambda _: HttpResponse(status=404))(RequestFactory().get("/t/aino-virtanen/?q=Aino"))
    said = json.loads(logs.Lines().format(caplog.records[-1]))
    assert said["message"] == "GET - 404"
    assert (said["kind"], said["status"], said["level"]) == ("page", 404, "INFO")
    assert len(said["request_id"]) == 36
    assert said["time"].endswith("+00:00")
    assert "aino" not in json.dumps(said).lower()


def test_an_error_s_line_has_its_traceback_and_is_counted() -> None:
    before = metrics.written({})
    try:
        raise ZeroDivisionError
    except ZeroDivisionError:
        record = logging.LogRecord(
            "x", logging.ERROR, __file__, 1, "broke", (), exc_info=__import__("sys").exc_info()
        )
    assert logs.Knows().filter(record)
    said = json.loads(logs.Lines().format(record))
    assert "ZeroDivisionError" in said["exception"]
    assert "request_id" not in said
    assert metrics.written({}) != before


@pytest.mark.parametrize(
    ("method", "path", "kind"),
    [
        ("POST", "/api/v1/score", "write"),
        ("GET", "/api/v1/me", "api"),
        ("HEAD", "/static/x.js", "static"),
        ("GET", "/en/", "page"),
    ],
    ids=["write", "api", "static", "page"],
)
def test_requests_are_counted_by_kind(method: str, path: str, kind: str) -> None:
    assert logs.kind_of(method, path) == kind
