"""Any bytes that come as HTTP are answered or refused, by whom they were sent to, and leave nothing behind."""

import asyncio
import time
from pathlib import Path

import pytest

from tests.attacks.hall import MB, Hall
from tests.attacks.heads import Asked, Case, case
from tests.attacks.wire import Wire
from tests.depth import SOAK

CASES = 20_000 if SOAK else 500
PART = 5000  # cases between two looks at the server's memory
WAIT = 20  # seconds in which a server lets go of what nobody holds any more
FILES = 8  # that it may open meanwhile for its own work: connections to the database
SHOWN = 5  # faults
# Cases that the fuzzer found: how the connection ends, and the pieces that were sent on it.
KNOWN = [
    # A form that cannot be read, sent where nothing is: 500.
    (
        "waits",
        [
            b"POST * HTTP/1.1\r\nContent-Length: 3016\r\nContent-Type: multipart/form-data; boundary=b\r\n"
            b"Cookie: csrftoken=0123456789abcdefghijklmnopqrstuv\r\nX-CSRFToken: 0123456789abcdefghijklmnopqrstuv\r\n"
            b"\r\n--b\r\n",
            b"X: y\r\n" * 500 + b"\r\n\r\n--b--\r\n",
        ],
    ),
]

pytestmark = pytest.mark.server


def sent(hall: Hall, cases: list[Case]) -> None:
    """Send these cases; nothing is wrong with any answer, and the log has no error."""
    wire = Wire(hall.server.port)
    asyncio.run(wire.send(cases))
    assert wire.faults == [], f"{len(wire.faults)} faults:\n" + "\n".join(wire.faults[:SHOWN])
    log = hall.server.log.read_text()
    for trouble in ("Traceback", "Internal Server Error"):
        where = log.find(trouble)
        assert where < 0, log[max(0, where - 1000) : where + 4000]


def files(hall: Hall) -> int:
    return len(list(Path(f"/proc/{hall.server.pid}/fd").iterdir()))


@pytest.mark.parametrize(("ends", "pieces"), KNOWN)
def test_what_was_found_once(hall: Hall, ends: str, pieces: list[bytes]) -> None:
    sent(hall, [Case("known", [Asked(b"".join(pieces), "GET", "known", False)], pieces, ends)])


@pytest.mark.sweep
def test_any_bytes_are_answered_or_refused(hall: Hall) -> None:
    sent(hall, [case(seed) for seed in range(-100, 0)])  # the first ones load what the server needs
    held, opened = hall.memory, files(hall)
    for start in range(0, CASES, PART):
        sent(hall, [case(seed) for seed in range(start, min(start + PART, CASES))])
        give_up = time.monotonic() + WAIT
        while files(hall) > opened + FILES and time.monotonic() < give_up:
            time.sleep(0.1)  # the server is another process: it is asked again
        assert files(hall) <= opened + FILES
        assert hall.memory < held * 1.1 + 20 * MB
