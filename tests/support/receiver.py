"""A receiver of webhooks as somebody would write it: an HTTP server in a thread, which keeps what it is sent."""

import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from tests.live.driver import PATIENCE

# A certificate for receiver.example, valid for a hundred years and used for nothing but tests.
CERTIFICATE = Path(__file__).parent / "receiver.pem"
EXPIRED = CERTIFICATE.with_name("receiver-expired.pem")  # of 2025


@dataclass
class Receiver:
    """Where it listens, the answer that it gives (raw bytes, once `answers` is set), those that it gives `first`, and
    the requests that came: path, headers, body."""

    port: int = 0
    answer: bytes = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine"
    first: list[bytes] = field(default_factory=list)
    answers: threading.Event = field(default_factory=threading.Event)
    came: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)


@contextmanager
def receiving(*, secure: bool = False, certificate: Path = CERTIFICATE) -> Iterator[Receiver]:
    """Listen on a free port of 127.0.0.1 until the end."""
    receiver = Receiver()
    receiver.answers.set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.came.append((self.path, dict(self.headers.items()), body))
            receiver.answers.wait(PATIENCE)
            self.wfile.write(receiver.first.pop(0) if receiver.first else receiver.answer)

        def do_GET(self) -> None:
            receiver.came.append((self.path, dict(self.headers.items()), b""))
            self.wfile.write(receiver.answer)

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:  # somebody who hangs up, or trusts no certificate
            pass

    server = Server(("127.0.0.1", 0), Handler)
    if secure:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        server.socket = context.wrap_socket(server.socket, server_side=True)
    receiver.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
