"""From one save to the refetched page, for 1,000 open streams, beside a bare announcement on the same streams.

    python benchmarks/streams.py [streams] [saves]

Each reader is a phone with two connections: a stream of the stage's standings (100 rows), and one on which it fetches
the page when the stream tells a new version. A save is a whole action: one KPGUT game of ten players. The reference is
how long a change without save or page takes to be on every stream.
"""

import asyncio
import sys
import time
from typing import Any

import uvloop
from _serving import Process, fetch, percentile, request_bytes, server

APART = 1.0  # seconds between two saves, more than the hub's own pause


class Connection(asyncio.Protocol):
    """Bytes from one connection; `on_data` is told of them."""

    def __init__(self) -> None:
        self.on_data: Any = lambda _: None

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.on_data(data)


class Reader:
    """One phone. `saw` and `shown` are when (time.monotonic) it heard of a version and had its page."""

    def __init__(self, path: str, scope: str) -> None:
        self._get = request_bytes(path, {"Accept-Encoding": "gzip"})
        self._listen = request_bytes(f"/live/{scope}", {"Accept": "text/event-stream"})
        self.stream, self.page = Connection(), Connection()
        self.fetches = True
        self._answer = b""

    async def open(self, port: int) -> None:
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: self.stream, "127.0.0.1", port)
        if self.fetches:
            await loop.create_connection(lambda: self.page, "127.0.0.1", port)
        first = loop.create_future()
        self.stream.on_data = lambda data: (
            b"event: version" in data and not first.done() and first.set_result(None)
        )
        self.stream.transport.write(self._listen)
        async with asyncio.timeout(30):
            await first
        self.stream.on_data = self._heard
        self.page.on_data = self._fetched

    def expect(self) -> "asyncio.Future[float]":
        self.done: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        return self.done

    def close(self) -> None:
        self.stream.transport.abort()
        if self.fetches:
            self.page.transport.abort()

    def _heard(self, data: bytes) -> None:
        if b"event: version" not in data:
            return
        if self.fetches:
            self._answer = b""
            self.page.transport.write(self._get)
        elif not self.done.done():
            self.done.set_result(time.monotonic())

    def _fetched(self, data: bytes) -> None:
        self._answer += data
        head, ended, body = self._answer.partition(b"\r\n\r\n")
        if not ended or self.done.done():
            return
        assert head.startswith(b"HTTP/1.1 200"), head
        length = int(head.lower().split(b"content-length: ")[1].split(b"\r\n")[0])
        if len(body) >= length:
            self.done.set_result(time.monotonic())


class Bare(Reader):
    """Hears of a version and fetches nothing."""

    def __init__(self, path: str, scope: str) -> None:
        super().__init__(path, scope)
        self.fetches = False


async def delays(
    lastcard: Process, readers: list[Reader], what: str, times: int
) -> tuple[list[float], list[float]]:
    """Milliseconds from the beginning of a save to each reader's page, and those of the save itself."""
    for start in range(0, len(readers), 50):
        await asyncio.gather(*(reader.open(lastcard.port) for reader in readers[start : start + 50]))
    found, saves = [], []
    for _ in range(times):
        await asyncio.sleep(APART)
        waiting = asyncio.gather(*(reader.expect() for reader in readers))
        told = await asyncio.to_thread(lastcard.ask, what)
        async with asyncio.timeout(30):
            found += [(shown - told["began"]) * 1000 for shown in await waiting]
        saves.append((told["saved"] - told["began"]) * 1000)
    for reader in readers:
        reader.close()
    return found, saves


def main(streams: int = 1000, saves: int = 5) -> None:
    from tournament.management.commands.up import allow_many_connections

    allow_many_connections()
    with server("lastcard") as lastcard:
        path, scope, bare = (lastcard.told[key] for key in ("path", "scope", "bare"))
        fetch(lastcard.port, path, {})  # as every phone did before it opened a stream
        announced, _ = uvloop.run(
            delays(lastcard, [Bare(path, bare) for _ in range(streams)], "announce", saves)
        )
        shown, took = uvloop.run(
            delays(lastcard, [Reader(path, scope) for _ in range(streams)], "save", saves)
        )
    print(
        f"{streams:,} streams, {saves} saves of {percentile(took, 50):.0f} ms each (within the delays below)"
    )
    for percent, aim in ((50, ""), (99, ", aim 250 ms")):
        ours, reference = percentile(shown, percent), percentile(announced, percent)
        print(
            f"from save to refetched page, {percent}%: {ours:.0f} ms "
            f"(bare announcement to stream {reference:.0f} ms, ratio {ours / reference:.1f}{aim})"
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
