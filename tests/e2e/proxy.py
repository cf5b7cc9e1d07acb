"""Bad wifi: a proxy between the phones and the server that does to each request what a test says, at once.

    proxy.does("through")                 what the server says arrives
    proxy.does("lose")                    the server carries it out, and its answer is lost
    proxy.does_any_of(["drop", "portal"], seed=7)     by chance, the same at every run

One request on each connection, so that every request meets the mode of its moment.
"""

import random
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from socketserver import BaseRequestHandler, ThreadingTCPServer

SLOW_SECONDS = 0.4  # that a request is held up by "delay"
EVENTS_LOST = 0.5  # of all
PIECE = 65_536  # bytes read at once
PATIENCE = 60  # seconds without a byte, longer than any stream of the server's is silent
PORTAL = b"<!doctype html><title>Hotel</title><h1>Welcome to our wifi</h1><p>Accept our terms to go on.</p>"

MODES = {
    "through": "as if the proxy were not there",
    "delay": "arrives, a while later",
    "drop": "the connection ends before the server hears of it",
    "portal": "a page that is not the server's, as if all were well",
    "redirect": "sent on to such a page",
    "bad gateway": "502, by something between phone and server",
    "lose": "the server carries it out and answers; the answer does not arrive",
    "buffer": "an event stream is kept back for an end that never comes; all else goes through",
    "lose events": "of an event stream each event but the first may be lost, by chance; all else goes through",
}
HEARD = {"through", "delay", "lose", "buffer", "lose events"}  # by the server


class Proxy:
    """A running proxy: its address, what it does, and how often it did what."""

    def __init__(self, port: int) -> None:
        self.did: Counter[str] = Counter()
        self._upstream = ("127.0.0.1", port)
        self._choices, self._random = ["through"], random.Random(0)
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        proxy = self

        class Handler(BaseRequestHandler):
            def handle(self) -> None:
                with suppress(OSError):  # somebody may end a connection in the middle
                    proxy._answer(self.request)

        class Listener(ThreadingTCPServer):
            daemon_threads = True
            request_queue_size = 128

            def handle_error(self, request: object, client_address: object) -> None:
                """Ignore the error: a phone that left is no trouble."""

        self._listener = Listener(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._listener.server_address[1]}"
        threading.Thread(target=self._listener.serve_forever, args=(0.05,), daemon=True).start()

    def close(self) -> None:
        self._listener.shutdown()
        self._listener.server_close()
        self._cut()

    def does(self, mode: str) -> None:
        """Do this to every later request; where the server is out of reach, streams that run end."""
        self.does_any_of([mode])

    def does_any_of(self, modes: list[str], *, seed: int = 0) -> None:
        """Do one of these by chance to each later request."""
        assert MODES.keys() >= set(modes)
        with self._lock:
            self._choices, self._random = modes, random.Random(seed)
            self.did.clear()
        if "through" not in modes:
            self._cut()

    def _cut(self) -> None:
        """End every connection."""
        with self._lock:
            connections = list(self._open)
        for each in connections:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def _answer(self, phone: socket.socket) -> None:
        with self._kept(phone):
            request = read_request(phone)
            if not request:
                return
            with self._lock:
                mode = self._random.choice(self._choices)
            if mode in HEARD:
                self._forward(phone, request, mode)
            elif mode == "portal":
                phone.sendall(page("200 OK"))
            elif mode == "redirect":
                phone.sendall(
                    page("302 Found", f"Location: {self.url.replace('127.0.0.1', 'localhost')}/wifi")
                )
            elif mode == "bad gateway":
                phone.sendall(page("502 Bad Gateway"))
            self.did[mode] += 1

    def _forward(self, phone: socket.socket, request: bytes, mode: str) -> None:
        if mode == "delay":
            time.sleep(SLOW_SECONDS)
        with socket.create_connection(self._upstream) as server, self._kept(server):
            server.sendall(request)
            lost = self._loses(mode, streams=request.startswith(b"GET /live/"))
            while piece := server.recv(PIECE):
                if not lost(piece):
                    phone.sendall(piece)

    def _loses(self, mode: str, *, streams: bool) -> Callable[[bytes], bool]:
        """Whether a piece of an answer is lost in a mode; the pieces of a stream are its events."""
        if mode == "lose" or (mode == "buffer" and streams):
            return lambda _: True
        if mode == "lose events" and streams:
            return lambda piece: (
                not piece.startswith(b"HTTP/") and b"retry:" not in piece and self._loses_one()
            )
        return lambda _: False

    def _loses_one(self) -> bool:
        with self._lock:
            lost = self._random.random() < EVENTS_LOST
            self.did["lost events"] += lost
        return lost

    @contextmanager
    def _kept(self, connection: socket.socket) -> Iterator[None]:
        """Known while it is open."""
        connection.settimeout(PATIENCE)
        with self._lock:
            self._open.add(connection)
        try:
            yield
        finally:
            with self._lock:
                self._open.discard(connection)


def read_request(phone: socket.socket) -> bytes:
    """A whole request, told to be the last one on its connection; nothing when the phone asks for nothing."""
    head = b""
    while b"\r\n\r\n" not in head:
        piece = phone.recv(PIECE)
        if not piece:
            return b""
        head += piece
    head, _, body = head.partition(b"\r\n\r\n")
    lines = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"connection:")]
    for line in lines:
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            while len(body) < int(value):
                body += phone.recv(PIECE)
    return b"\r\n".join([*lines, b"Connection: close", b"", body])


def page(status: str, *headers: str) -> bytes:
    """The answer of something that is not the server."""
    lines = [f"HTTP/1.1 {status}", *headers, "Content-Type: text/html", f"Content-Length: {len(PORTAL)}"]
    return "\r\n".join([*lines, "Connection: close", "", ""]).encode() + PORTAL
