"""Reads the bodies of requests in the event loop: no thread waits for somebody's network, and memory is bounded.

| limit | of | answer |
| --- | --- | --- |
| `MOST`, at the addresses of `UPLOADS` `MOST_UPLOAD` | a body, before it comes where it announces more | 413 |
| `BEGIN_S`, and a second more for each `RATE` bytes | the time of a body | 408 |
| `MOST_EACH`, `MOST_ALL` | bodies of an address, of all strangers, until they are answered | 503 |

A body below `SMALL` is always taken: there are as many as connections.
"""

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tournament.live.hub import Message, Receive

MB = 1024 * 1024
MOST = 2 * MB  # bytes; Django takes no longer form
MOST_UPLOAD = 16 * MB  # forms say by themselves what is too large for them
UPLOADS = re.compile(r"/[a-z]+/organise/(import-archive|t/[^/]+/(import|results-import))/")
MOST_EACH, MOST_ALL, SMALL = 48 * MB, 192 * MB, MB // 16
BEGIN_S, RATE = 30.0, 50_000  # seconds; bytes a second


class Refused(Exception):
    """The body is not taken; its arguments are the answer's status and words."""


class Bodies:
    """The bodies in memory: unfinished, or waiting for their answer."""

    def __init__(self) -> None:
        self._held: Counter[str | None] = Counter()  # bytes by address; of those who proved themselves: None

    @asynccontextmanager
    async def read(self, scope: Message, receive: Receive, address: str | None) -> AsyncIterator[bytes]:
        """Give the whole body, which counts for its address until the block ends; without one it never is too much.

        Raises Refused, and IncompleteReadError where the client went away: half a form is none.
        """
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
            self._held += Counter()  # without those that hold nothing
