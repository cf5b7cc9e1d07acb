"""Buffers request bodies in the event loop, within bounds.

| limit | scope | status |
| --- | --- | --- |
| `MOST`, for `UPLOADS` `MOST_UPLOAD` | body, or Content-Length | 413 |
| `BEGIN_S` + 1 s per `RATE` bytes | transfer time | 408 |
| `MOST_EACH`, `MOST_ALL` | unanswered bodies per address, of all untrusted clients | 503 |

Bodies up to `SMALL` are exempt from the last limit: connections limit them.
"""

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tournament.live.hub import Message, Receive

MB = 1024 * 1024
MOST = 2 * MB  # bytes; Django's form limit
MOST_UPLOAD = 16 * MB  # forms check their own limits
UPLOADS = re.compile(r"/[a-z]+/organise/(import-archive|t/[^/]+/(import|results-import))/")
MOST_EACH, MOST_ALL, SMALL = 48 * MB, 192 * MB, MB // 16
BEGIN_S, RATE = 30.0, 50_000  # seconds; bytes a second


class Refused(Exception):
    """The body is refused; `args` are status and message."""


class Bodies:
    """Request bodies in memory, counted per address."""

    def __init__(self) -> None:
        self._held: Counter[str | None] = Counter()  # bytes by address; None: proved clients

    @asynccontextmanager
    async def read(self, scope: Message, receive: Receive, address: str | None) -> AsyncIterator[bytes]:
        """Yield the body, counted for `address` (None: unlimited). Raises Refused, or IncompleteReadError on
        disconnect."""
        most = MOST_UPLOAD if UPLOADS.fullmatch(scope["path"]) else MOST
        too_large = Refused(413, b"That is too large. At most %d MB can be sent here." % (most // MB))
        if any(name == b"content-length" and int(value) > most for name, value in scope["headers"]):
            raise too_large
        body, begun, more = bytearray(), asyncio.get_running_loop().time(), True
        try:
            async with asyncio.timeout_at(begun + BEGIN_S) as patience:
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise asyncio.IncompleteReadError(bytes(body), None)
                    piece, more = message.get("body", b""), message.get("more_body", False)
                    body += piece
                    self._held[address] += len(piece)
                    if len(body) > most:
                        raise too_large
                    strangers = self._held.total() - self._held[None]
                    if (
                        address
                        and len(body) > SMALL
                        and (self._held[address] > MOST_EACH or strangers > MOST_ALL)
                    ):
                        raise Refused(503, b"Too much is being sent at the moment. Try again.")
                    patience.reschedule(begun + BEGIN_S + len(body) / RATE)
                patience.reschedule(None)
                yield bytes(body)
        except TimeoutError:
            raise Refused(408, b"That took too long. Try again.") from None
        finally:
            self._held[address] -= len(body)
            self._held += Counter()
