"""Servers and readers for benchmarks: Lastcard with a standings page of 100 rows, bare servers beside it, and load.

The servers (_servers.py) are processes of their own, so that they share no interpreter with the load.
"""

import asyncio
import contextlib
import http.client
import json
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import uvloop

from benchmarks._data import ROOT, environment, folder

CONNECTIONS = 32
PATIENCE = 120  # seconds for an answer from a busy machine


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
    """Run `lastcard`, `bare`, `hub` or the `watchers`, with data of its own, until the end of the block."""
    command = [sys.executable, "-m", "benchmarks._servers", kind]
    if kind == "watchers":
        command = [sys.executable, "-m", "tournament.extras.rehearsal.watchers"]
    with subprocess.Popen(
        command, cwd=ROOT, env=environment(folder()), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as popen:
        process = Process(popen, 0, {})
        try:
            process.told = process._line()
            process.port = process.told.get("port", 0)
            yield process
        finally:
            popen.terminate()
            popen.wait()


def fetch(port: int, path: str, headers: dict[str, str]) -> tuple[http.client.HTTPResponse, bytes]:
    """One request."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
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
    """Load from CONNECTIONS connections on loopback."""
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
        await loop.create_connection(partial(_given, asker), "127.0.0.1", port)
    begin, before = time.perf_counter(), sum(asker.answers for asker in askers)
    await asyncio.sleep(seconds)
    counted, took = sum(asker.answers for asker in askers) - before, time.perf_counter() - begin
    for asker in askers:
        asker.transport.abort()
    return counted / took


def _given(asker: Asker) -> Asker:
    return asker


def percentile(values: list[float], percent: int) -> float:
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]
