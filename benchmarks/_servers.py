"""The servers of the benchmarks, each a process of its own: `python -m benchmarks._servers lastcard|bare|hub`.

lastcard    serve on a free port; a line on standard input asks for a save or an announcement
bare        uvicorn that answers what it was given
hub         uvicorn with a queue for each event stream, and one page
"""

import asyncio
import contextlib
import gzip
import json
import resource
import socket
import sys
import threading
import time
from datetime import date
from typing import Any
from uuid import uuid4

PLAYERS, TABLES = 100, 10


def build() -> dict[str, Any]:
    """A KPGUT session of 100 players at ten tables, one game entered at each; gives what `save` needs.

    A second stage, which nobody plays, is announced bare.
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
    for number, uid in enumerate(tables, 1):
        act(actions.seat_table, stage=stage, table=uid, number=number, entries=entries[number - 1 :: TABLES])
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

    django.setup()
    built = build()
    from django.db import connections

    from tournament.asgi import application
    from tournament.live import announce
    from tournament.live.server import Server, settle_process
    from tournament.live.store import versions
    from tournament.queries.live import games_need_time

    connections.close_all()
    settle_process(games_need_time)
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


def raise_files() -> None:
    """Let this process open as many files as the machine allows."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


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
            hub.loop.call_soon_threadsafe(announce)
            print(json.dumps({"began": began, "version": told}), flush=True)

    class Hub(uvicorn.Server):
        async def startup(self, sockets: Any = None) -> None:
            self.loop = asyncio.get_running_loop()
            await super().startup(sockets)
            threading.Thread(target=asked, daemon=True).start()

    hub = Hub(bare_config(application))
    hub.run(sockets=[listener])


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        {"lastcard": serve_lastcard, "bare": serve_bare, "hub": serve_hub}[sys.argv[1]]()
