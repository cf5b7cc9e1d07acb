"""The attacks, each by connections of one address: `python -m tests.attacks.strangers NAME PORT SOURCE CONNECTIONS
SECONDS [--small]`. A process of its own, as polite to the processor as one that is elsewhere: the bytes are prepared.

The last line that it writes is JSON: how many answers of which status the strangers got, "closed" for a connection that
the server closed without one, "silent" for one without an answer, "open" for one that was open at the end.
"""

import argparse
import contextlib
import json
import os
import select
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any
from uuid import uuid4

from tests.attacks.sheets import PLAYERS, ROWS, names, session
from tests.attacks.visitors import FORM, PATIENCE, Visitor
from tournament.server.machine import most_files

KB, MB = 1024, 1024 * 1024
PIECE = 64 * KB
MADE_UP = "Cookie: sessionid=aaaabbbbccccddddeeeeffff00001111\r\n"
OVERTIME = 1.0  # seconds in which an answer on its way still counts; in small the first one always does
PAUSE = 0.05  # seconds before another connection after one that was refused


class Stranger:
    """One connection's part of an attack; `said` is shared by all of them."""

    def __init__(self, options: argparse.Namespace, number: int, ends: float, said: "Counter[str]") -> None:
        self.port: int = options.port
        self.source: str = options.source
        self.connections: int = options.connections
        self.small: bool = options.small
        self.number, self.ends, self.said = number, ends, said
        self.kept: dict[str, Any] = {}  # from one turn of an attack to the next

    @property
    def left(self) -> float:
        """Seconds to the end."""
        return max(0.0, self.ends - time.monotonic())

    def connect(self) -> socket.socket:
        made = socket.create_connection(
            ("127.0.0.1", self.port), timeout=max(self.left, 0.01), source_address=(self.source, 0)
        )
        made.settimeout(max(self.left, 0.01))
        return made

    def talk(self, *pieces: bytes | Iterable[bytes]) -> bytes:
        """Send this on a new connection and count what came back; gives it."""
        with self.connect() as connection:
            with contextlib.suppress(ConnectionError):  # it may have answered before it closed
                for piece in pieces:
                    for part in [piece] if isinstance(piece, bytes) else piece:
                        connection.sendall(part)
            return self.hear(connection)

    def hear(self, connection: socket.socket) -> bytes:
        """Count the answer; gives its first bytes."""
        try:
            heard = connection.recv(PIECE)
        except ConnectionError:
            heard = b""
        self.said[heard[9:12].decode("ascii", "replace") if heard else "closed"] += 1
        if not heard or heard[9:10] in b"45":
            time.sleep(min(PAUSE, self.left))  # the attacker's own pace
        return heard

    def visit(self) -> Visitor:
        """This stranger's browser."""
        visitor: Visitor = self.kept.setdefault("visitor", Visitor(self.port, self.source))
        return visitor

    def count(self, status: int) -> None:
        self.said[str(status) if status else "closed"] += 1
        if status >= 400:
            time.sleep(min(PAUSE, self.left))  # the attacker's own pace


def head(path: str, *lines: str, method: str = "GET") -> bytes:
    """A request without a body; each line ends itself."""
    return f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{''.join(lines)}\r\n".encode()


def parts(size: int, piece: bytes = b"x" * PIECE) -> Iterable[bytes]:
    for _ in range(size // len(piece)):
        yield piece


def ready(connections: list[socket.socket], events: int, seconds: float) -> list[socket.socket]:
    """Those of the connections of which one of the events is true within so many seconds."""
    poll, by_file = select.poll(), {each.fileno(): each for each in connections}
    for file in by_file:
        poll.register(file, events)
    return [by_file[file] for file, _ in poll.poll(seconds * 1000)]


# ---- H1, H2: what a request is made of

QUADRATIC = f'Content-Type: a; b="{";" * 30_000}\r\n'


def content_type(me: Stranger) -> None:
    me.talk(head("/en/sign-in/", QUADRATIC))


def content_type_with_a_cookie(me: Stranger) -> None:
    me.talk(head("/en/sign-in/", MADE_UP, QUADRATIC))


def header_of_100_mb(me: Stranger) -> None:
    me.talk(head("/healthz")[:-2] + b"X-Long: ", parts((4 if me.small else 100) * MB), b"\r\n\r\n")


def accept_encoding(me: Stranger) -> None:
    """Each of another value, in case that it is remembered."""
    begins = f"Accept-Encoding: {uuid4()}".encode()
    me.talk(head("/en/")[:-2] + begins, parts((1 if me.small else 20) * MB), b"\r\n\r\n")


def unfinished_bodies(me: Stranger) -> None:
    size = (1 if me.small else 15) * MB
    with me.connect() as connection:
        lines = f"Content-Type: {FORM}\r\nContent-Length: {size}\r\n"
        try:
            connection.sendall(head("/en/sign-in/", lines, method="POST"))
            for part in parts(size - PIECE):
                connection.sendall(part)
            while not ready([connection], select.POLLIN, 1):
                connection.sendall(b"x")
                if not me.left:
                    me.said["open"] += 1
                    return
        except ConnectionError:
            pass
        me.hear(connection)


def pipelines(me: Stranger) -> None:
    """Thousands of questions in one go, and no answer read."""
    path = "/en/score/" if me.number % 2 else "/api/v1/me"
    with me.connect() as connection:
        try:
            connection.sendall(head(path) * (200 if me.small else 8000))
            while me.left and not ready([connection], select.POLLHUP | select.POLLERR, min(1, me.left)):
                pass
        except (ConnectionError, TimeoutError):
            pass
        me.hear(connection) if me.left else me.said.update(["open"])


# ---- H3, M2: commands of guests


def found(me: Stranger, players: int, rows: int) -> int:
    """Make an event of a score sheet, and become its guest; gives the status."""
    me.kept.pop("visitor", None)
    body = f"do=event&name=Ours&event={uuid4()}&sheet={session(players, rows)}"
    return me.visit().ask("POST", "/en/score/", body, Content_Type=FORM).status


def sheets_of_300_games(me: Stranger) -> None:
    me.count(found(me, PLAYERS, ROWS))


def event_of_a_guest(me: Stranger) -> str:
    """The event of this stranger, who is a guest; "" where none was allowed."""
    if "event" not in me.kept and found(me, 3, 1) == 302:
        (role,) = me.visit().ask("GET", "/api/v1/me").json["roles"]
        me.kept["event"] = role["tournament"]
    return str(me.kept.get("event", ""))


def enter(me: Stranger, many: int) -> None:
    if event := event_of_a_guest(me):
        rows = [{"name": name} for name in names(many)]
        me.count(me.visit().send(f"/api/v1/tournaments/{event}/entries", {"players": rows}).status)
    else:
        me.count(429)


def names_5000(me: Stranger) -> None:
    enter(me, 5000)


def names_1000(me: Stranger) -> None:
    enter(me, 1000)


def backups(me: Stranger) -> None:
    """One name each: a bulk command, before which a backup is made."""
    enter(me, 1)


def events_of_guests(me: Stranger) -> None:
    if event_of_a_guest(me):
        new = {"name": "Ours", "starts_on": "2026-09-05", "ruleset": "tite-2022"}
        me.count(me.visit().send("/api/v1/tournaments", new | {"listed": False}).status)
    else:
        me.count(429)


# ---- M1, M3 to M5: many

SLOW = ["/en/score/", "/en/help/", "/en/sign-in/", "/api/v1/schema"]


def made_up_sessions(me: Stranger) -> None:
    """Slow pages, asked by somebody who says to be signed in."""
    for path in SLOW:
        if me.left:
            me.talk(head(path, MADE_UP, "Connection: close\r\n"))


def flood(me: Stranger) -> None:
    for path in SLOW:
        if me.left:
            me.talk(head(path, "Connection: close\r\n"))


def hold(me: Stranger, many: int, asks: bytes) -> None:
    """Hold so many connections, each of which asks this first; another one for each that ends."""
    held: list[socket.socket] = []
    while me.left:
        while len(held) < many // me.connections and me.left:
            try:
                held.append(me.connect())
                held[-1].sendall(asks)
            except OSError:
                me.said["closed"] += 1
                time.sleep(min(PAUSE, me.left))  # the attacker's own pace
                break
        ended = []
        for each in ready(held, select.POLLIN, min(0.2, me.left)):
            try:
                heard = each.recv(PIECE)
            except OSError:
                heard = b""
            if heard and (heard[9:12] == b"200" or not heard.startswith(b"HTTP/")):
                continue  # an answer after which it stays open, or what a stream says
            me.said[heard[9:12].decode() or "closed"] += 1
            ended.append(each)
        for each in ended:
            held.remove(each)
            each.close()
        if ended:
            time.sleep(min(PAUSE, me.left))  # the attacker's own pace
    me.said["open"] += len(held)
    for each in held:
        each.close()


def silent(me: Stranger) -> None:
    hold(me, 1000, b"")


def silent_after_a_question(me: Stranger) -> None:
    hold(me, 1000, head("/healthz"))


def streams(me: Stranger) -> None:
    hold(me, 1000, head("/live/site"))


def sign_ins(me: Stranger) -> None:
    form = f"username={uuid4().hex[:12]}&password=korttipakka-{me.number}"
    me.count(Visitor(me.port, me.source).ask("POST", "/en/sign-in/", form, Content_Type=FORM).status)


ATTACKS: dict[str, Callable[[Stranger], None]] = {
    each.__name__: each
    for each in (
        content_type,
        content_type_with_a_cookie,
        header_of_100_mb,
        accept_encoding,
        unfinished_bodies,
        pipelines,
        sheets_of_300_games,
        names_5000,
        names_1000,
        events_of_guests,
        made_up_sessions,
        backups,
        silent,
        silent_after_a_question,
        streams,
        sign_ins,
        flood,
    )
}


def run(options: argparse.Namespace) -> "Counter[str]":
    said: Counter[str] = Counter()
    ends = time.monotonic() + options.seconds

    def attack(number: int) -> None:
        me = Stranger(options, number, ends, said)
        while me.left:
            try:
                ATTACKS[options.name](me)
            except TimeoutError:
                said["silent"] += 1
            except (OSError, ValueError):
                said["closed"] += 1
                time.sleep(min(PAUSE, me.left))  # the attacker's own pace

    threads = [threading.Thread(target=attack, args=(n,), daemon=True) for n in range(options.connections)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0, ends + OVERTIME - time.monotonic()))
    while options.small and not said and time.monotonic() < ends + PATIENCE:
        time.sleep(PAUSE)
    return said


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("name", choices=ATTACKS)
    parser.add_argument("port", type=int)
    parser.add_argument("source")
    parser.add_argument("connections", type=int)
    parser.add_argument("seconds", type=float)
    parser.add_argument("--small", action="store_true")
    os.nice(10)
    most_files()
    print(json.dumps(run(parser.parse_args())), flush=True)
    os._exit(0)  # not waiting for those who still wait for an answer


if __name__ == "__main__":
    main()
