"""Servers and readers for benchmarks: Lastcard with a standings page of 100 rows, bare servers beside it, and load.

    python benchmarks/_serving.py lastcard    serve on a free port; a line on standard input asks for something
    python benchmarks/_serving.py bare        uvicorn that answers what it was given
    python benchmarks/_serving.py hub         uvicorn with a queue for each event stream, and one page

The servers are processes of their own, so that they share no interpreter with the load.
"""

import asyncio
import contextlib
import gzip
import http.client
import json
import os
import re
import resource
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any
from uuid import uuid4

import uvloop

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

PLAYERS, TABLES = 100, 10
CONNECTIONS = 32


@dataclass
class Process:
    """A running server, asked for things by a line and answering with one line of JSON."""

    popen: "subprocess.Popen[str]"
    port: int
    told: dict[str, Any]

    def ask(self, line: str) -> dict[str, Any]:
        assert self.popen.stdin is not None
        self.popen.stdin.write(f"{line}\n")
        self.popen.stdin.flush()
        return self._line()

    @property
    def memory(self) -> float:
        """Kilobytes that it holds."""
        status = Path(f"/proc/{self.popen.pid}/status").read_text()
        return float(status.split("VmRSS:")[1].split()[0])

    def _line(self) -> dict[str, Any]:
        assert self.popen.stdout is not None
        answer: dict[str, Any] = json.loads(self.popen.stdout.readline())
        return answer


@contextlib.contextmanager
def server(kind: str) -> Iterator[Process]:
    """Run one of the servers, or the watchers, with data of its own, until the end of the block."""
    folder = tempfile.mkdtemp(prefix="lastcard-bench-")
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "tournament.settings",
        "LASTCARD_DATA": folder,
        "DATABASE_URL": f"sqlite:///{folder}/lastcard.sqlite3",
        "SECRET_KEY": "a benchmark's",
        "PUBLIC_URL": "",
        "PUBLISH": "1",
        "DEBUG": "0",
        "ALLOWED_HOSTS": "*",
    }
    script = [str(Path(__file__).with_name("_watchers.py"))] if kind == "watchers" else [__file__, kind]
    command = [sys.executable, *script]
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as popen:
        process = Process(popen, 0, {})
        try:
            process.told = process._line()
            process.port = process.told.get("port", 0)
            yield process
        finally:
            popen.terminate()
            popen.wait()
            shutil.rmtree(folder, ignore_errors=True)


def fetch(port: int, path: str, headers: dict[str, str]) -> tuple[http.client.HTTPResponse, bytes]:
    """One request."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", path, headers=headers)
    response = connection.getresponse()
    body = response.read()
    connection.close()
    return response, body


def request_bytes(path: str, headers: dict[str, str]) -> bytes:
    """A request as a browser's connection sends it."""
    lines = [
        f"GET {path} HTTP/1.1",
        "Host: lastcard.test",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    return "\r\n".join([*lines, "", ""]).encode()


class Asker(asyncio.Protocol):
    """Asks the same thing again and again, one request at a time; every answer has the same length."""

    def __init__(self, request: bytes, length: int) -> None:
        self.request = request
        self.length = length
        self.missing = length
        self.answers = 0

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        transport.write(self.request)

    def data_received(self, data: bytes) -> None:
        self.missing -= len(data)
        if self.missing <= 0:
            self.missing = self.length
            self.answers += 1
            self.transport.write(self.request)


def requests_per_second(port: int, path: str, headers: dict[str, str], seconds: float) -> float:
    """Load from CONNECTIONS connections on loopback, by wrk where it is installed."""
    if shutil.which("wrk"):
        given = [part for name, value in headers.items() for part in ("-H", f"{name}: {value}")]
        url = f"http://127.0.0.1:{port}{path}"
        done = subprocess.run(
            ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds:.0f}s", *given, url],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        found = re.search(r"Requests/sec:\s+([\d.]+)", done.stdout)
        assert found, done.stdout
        return float(found[1])
    return uvloop.run(_ask(port, request_bytes(path, headers), seconds))


async def _ask(port: int, request: bytes, seconds: float) -> float:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    head = await reader.readuntil(b"\r\n\r\n")
    found = re.search(rb"content-length: (\d+)", head)
    length = int(found[1]) if found and b" 304 " not in head else 0
    await reader.readexactly(length)
    writer.close()
    loop = asyncio.get_running_loop()
    askers = [Asker(request, len(head) + length) for _ in range(CONNECTIONS)]
    for asker in askers:
        await loop.create_connection(lambda asker=asker: asker, "127.0.0.1", port)
    begin, before = time.perf_counter(), sum(asker.answers for asker in askers)
    await asyncio.sleep(seconds)
    counted, took = sum(asker.answers for asker in askers) - before, time.perf_counter() - begin
    for asker in askers:
        asker.transport.abort()
    return counted / took


def raise_files() -> None:
    """Let this process open as many files as the machine allows."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def percentile(values: list[float], percent: int) -> float:
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]


# ---- the servers' side ----


def build() -> dict[str, Any]:
    """A KPGUT session of 100 players at ten tables, one game entered at each; gives what `save` needs.

    A second stage, that nobody plays, is there to be announced bare.
    """
    from django.db.models import F

    from tournament import actions
    from tournament.actions import Command
    from tournament.models import Stage, User

    user = User.objects.create_user("benchmark", is_staff=True)
    event, stage, bare = uuid4(), uuid4(), uuid4()

    def act(action: Any, **arguments: Any) -> None:
        action(Command(uuid4(), user), event, **arguments)

    act(
        actions.create_tournament, name="Benchmark", slug="benchmark", starts_on=date(2026, 11, 21),
        ruleset="kpgut-2016", organiser_name="Benchmark",
    )  # fmt: skip
    entries = [uuid4() for _ in range(PLAYERS)]
    players = [{"entry": uid, "name": f"Pelaaja {number:03}"} for number, uid in enumerate(entries, 1)]
    act(actions.enter_players, players=players)
    act(actions.plan_stage, stage=stage, kind="session", settings={"min_games": 1})
    act(actions.plan_stage, stage=bare, kind="session")
    tables = [uuid4() for _ in range(TABLES)]
    for number, table in enumerate(tables, 1):
        act(
            actions.seat_table, stage=stage, table=table, number=number, entries=entries[number - 1 :: TABLES]
        )
    act(actions.start_stage, stage=stage)

    def play(number: int, table: int) -> None:
        seated = entries[table::TABLES]
        seated = seated[number % len(seated) :] + seated[: number % len(seated)]
        results = [
            {"entry": uid, "outcome": "out", "elapsed_s": 300 + 97 * place}
            for place, uid in enumerate(seated[:-1])
        ]
        results.append({"entry": seated[-1], "outcome": "last"})
        act(
            actions.record_game,
            table=tables[table],
            play=uuid4(),
            number=number,
            ended="last",
            results=results,
        )

    for table in range(TABLES):
        play(1, table)

    def bump() -> dict[str, int]:
        Stage.objects.filter(uid=bare).update(version=F("version") + 1)
        return {str(bare): Stage.objects.get(uid=bare).version}

    path = f"/en/t/benchmark/stage/{stage}/"
    return {"stage": str(stage), "bare": str(bare), "path": path, "play": play, "bump": bump}


def serve_lastcard() -> None:
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0, interactive=False)
    call_command("collectstatic", verbosity=0, interactive=False)
    built = build()
    from django.db import connections

    from tournament.asgi import application
    from tournament.live import announce
    from tournament.live.server import Server, settle_process
    from tournament.live.versions import versions
    from tournament.management.commands.up import allow_many_connections

    connections.close_all()
    allow_many_connections()
    settle_process()
    listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
    number = 1

    def tell(**what: Any) -> None:
        print(json.dumps(what), flush=True)

    def asked() -> None:
        nonlocal number
        tell(port=listener.getsockname()[1], path=built["path"], scope=built["stage"], bare=built["bare"])
        for line in sys.stdin:
            if line.strip() == "save":
                number += 1
                began = time.monotonic()
                built["play"](number, 0)
            else:
                changed = built["bump"]()
                began = time.monotonic()
                announce(changed)
            saved = time.monotonic()
            scope = built["stage" if line.strip() == "save" else "bare"]
            tell(began=began, saved=saved, version=versions.known(scope))

    Server(application, threading.Thread(target=asked, daemon=True).start).run(sockets=[listener])


def serve_bare() -> None:
    """Uvicorn with an application that answers /200 with the bytes that Lastcard answered, and /304 with its 304."""
    import uvicorn

    listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
    print(json.dumps({"port": listener.getsockname()[1]}), flush=True)
    given = json.loads(sys.stdin.readline())
    body = bytes.fromhex(given["body"])
    starts = {
        f"/{status}": (
            {
                "type": "http.response.start",
                "status": int(status),
                "headers": [(name.encode(), value.encode()) for name, value in headers],
            },
            {"type": "http.response.body", "body": body if status == "200" else b""},
        )
        for status, headers in given["headers"].items()
    }

    async def application(scope: Any, _: Any, send: Any) -> None:
        start, rest = starts[scope["path"]]
        await send(start)
        await send(rest)

    print("{}", flush=True)
    uvicorn.Server(bare_config(application)).run(sockets=[listener])


def bare_config(application: Any) -> Any:
    import uvicorn

    return uvicorn.Config(
        application,
        interface="asgi3",
        lifespan="off",
        ws="none",
        log_config=None,
        log_level="critical",
        access_log=False,
        backlog=2048,
        timeout_keep_alive=65,  # seconds, as Lastcard's
        timeout_graceful_shutdown=1,
    )


def serve_hub() -> None:
    """The least that can be done for event streams: a coroutine and a queue for each, and nothing else.

    /live/... says a version and each later one; every other path answers the page that was given, as of the version.
    """
    import uvicorn

    listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
    raise_files()
    print(json.dumps({"port": listener.getsockname()[1]}), flush=True)
    page = bytes.fromhex(json.loads(sys.stdin.readline())["page"])
    print("{}", flush=True)
    queues: set[asyncio.Queue[int]] = set()
    version = 1
    stream_start = {
        "type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")],
    }  # fmt: skip
    answers: dict[int, tuple[dict[str, Any], dict[str, Any]]] = {}

    def answer() -> tuple[dict[str, Any], dict[str, Any]]:
        if version not in answers:
            body = gzip.compress(page.replace(b"VERSION", b"%d" % version), 6)
            headers = [
                (b"content-type", b"text/html"), (b"content-encoding", b"gzip"),
                (b"content-length", b"%d" % len(body)), (b"etag", b'"%d"' % version),
            ]  # fmt: skip
            start = {"type": "http.response.start", "status": 200, "headers": headers}
            answers[version] = (start, {"type": "http.response.body", "body": body})
        return answers[version]

    async def application(scope: Any, _: Any, send: Any) -> None:
        if not scope["path"].startswith("/live/"):
            start, body = answer()
            await send(start)
            await send(body)
            return
        await send(stream_start)
        queue: asyncio.Queue[int] = asyncio.Queue()
        queues.add(queue)
        told = version
        while True:
            data = b"event: version\ndata: %d\n\n" % told
            await send({"type": "http.response.body", "body": data, "more_body": True})
            told = await queue.get()

    def announce() -> None:
        nonlocal version
        version += 1
        for queue in queues:
            queue.put_nowait(version)

    def asked() -> None:
        for _line in sys.stdin:
            began = time.monotonic()
            told = version + 1
            server.loop.call_soon_threadsafe(announce)
            print(json.dumps({"began": began, "version": told}), flush=True)

    class Hub(uvicorn.Server):
        async def startup(self, sockets: Any = None) -> None:
            self.loop = asyncio.get_running_loop()
            await super().startup(sockets)
            threading.Thread(target=asked, daemon=True).start()

    server = Hub(bare_config(application))
    server.run(sockets=[listener])


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        {"lastcard": serve_lastcard, "bare": serve_bare, "hub": serve_hub}[sys.argv[1]]()
