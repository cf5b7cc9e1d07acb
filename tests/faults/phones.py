"""Phones at the tables: each enters one round after the other and sends it until it has the server's own answer.

Half of them send as the desk's outbox does, half by the API with an idempotency key. Now and then somebody gives up
an entry whose answer was lost, and enters the round again: a conflict then shows whether the first one arrived.
"""

import http.client
import json
import random
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

PATIENCE = 15  # seconds for an answer, as the outbox's
BUSY = 60  # seconds in which a busy machine does anything; how long is not what is asked
AGAIN = 0.02  # seconds until it is sent again
TRIES = 4  # versions of one round, each with another hand
CSRF = "0123456789abcdefghijklmnopqrstuv"
LOST = (OSError, http.client.HTTPException)


@dataclass(frozen=True)
class Said:
    """An answer."""

    status: int
    headers: Any
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def asked(
    port: int,
    method: str,
    path: str,
    body: str | None = None,
    *,
    patience: float = BUSY,
    source: str = "127.0.0.1",
    **headers: str,
) -> Said:
    """The answer to one request on a connection of its own, from the address `source`; a name of a header is written
    with _. Raises LOST."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=patience, source_address=(source, 0))
    try:
        connection.request(
            method, path, body, {name.replace("_", "-"): value for name, value in headers.items()}
        )
        answer = connection.getresponse()
        return Said(answer.status, answer.headers, answer.read())
    finally:
        connection.close()


def get(port: int, path: str, **headers: Any) -> Said:
    return asked(port, "GET", path, **headers)


@dataclass
class Phone:
    """A referee's phone at one table of two players; with a `token` it is a program's."""

    port: int
    table: str
    seats: Sequence[str]
    user: str
    session: str
    token: str = ""
    chance: random.Random = field(default_factory=lambda: random.Random(1))
    gives_up: float = 0.2  # of the entries whose answer was lost
    number: int = 1  # the round that comes next
    commands: list[str] = field(default_factory=list)  # that were ever sent
    plays: list[str] = field(default_factory=list)  # that they made
    points: str = ""  # how many places the last answer passed at which it could have been killed
    acknowledged: dict[str, int] = field(default_factory=dict)  # the ledger row that the server named
    broken: list[str] = field(default_factory=list)  # answers that nobody may ever see
    waited: list[str] = field(default_factory=list)  # answers that say "later"
    lost: int = 0  # answers
    cookies: dict[str, str] = field(default_factory=dict)  # that the server set on this phone

    def enter(self, going: Callable[[], bool] = lambda: True) -> None:
        """Enter the next round and send it until it is decided, as long as `going` says so."""
        for version in range(TRIES):
            command, play = self.new()
            while going():
                try:
                    outcome = self.send(command, play, version)
                except LOST:
                    self.lost += 1
                    time.sleep(AGAIN)
                    if version < TRIES - 1 and self.chance.random() < self.gives_up:
                        break
                    continue
                if outcome == "wait":
                    time.sleep(AGAIN)
                    continue
                self.number += 1  # a conflict: an earlier version had arrived
                return

    def new(self) -> tuple[str, str]:
        """The ids of a new entry."""
        self.commands.append(str(uuid4()))
        self.plays.append(str(uuid4()))
        return self.commands[-1], self.plays[-1]

    def send(self, command: str, play: str, version: int = 0, **headers: str) -> str:
        """Send one version of the round; "saved", "conflict" or "wait". Raises LOST."""
        said = (self._as_program if self.token else self._as_desk)(command, play, version, headers)
        self.points = said.headers.get("X-Fault-Points", "")
        if said.status == 503:
            assert said.headers["Retry-After"]
            self.waited.append(said.text)
            return "wait"
        if said.status >= 500:
            self.broken.append(f"{said.status} {said.text}")
            return "wait"
        if self.token:
            outcome = {200: "saved", 201: "saved", 409: "conflict"}[said.status]
            sequence = said.json.get("receipt", said.json).get("sequence")
        else:
            (answer,) = said.json["answers"]
            outcome, sequence = answer["state"], answer.get("sequence")
        if outcome == "saved":
            assert self.acknowledged.setdefault(command, sequence) == sequence
        elif outcome == "wait":
            self.waited.append(said.text)
        else:
            assert outcome == "conflict", said.text
        return str(outcome)

    def hands(self, version: int) -> tuple[str, str, int]:
        """Give the winner, the player who holds zeros, and how many."""
        winner, other = self.seats
        return winner, other, version + 1

    def entry(self, command: str, play: str, version: int) -> dict[str, Any]:
        """The round as the outbox keeps it."""
        winner, other, zeros = self.hands(version)
        fields = {
            "command": command, "play": play, "number": self.number, "version": 0, "step": "save", "winner": winner,
            f"hand-{other}-0": zeros,
        }  # fmt: skip
        return {
            "command": command,
            "kind": "round",
            "url": f"/en/desk/table/{self.table}/record/",
            "fields": [[name, str(value)] for name, value in fields.items()],
            "queued": round(time.time() * 1000),
        }

    def asking(self) -> dict[str, Any]:
        """The facts that a batch carries beside its entries."""
        return {}

    def desk(self, entries: Sequence[dict[str, Any]], **headers: Any) -> Said:
        """Send a batch to the desk."""
        body = {"user": self.user, "now": round(time.time() * 1000), "entries": list(entries)} | self.asking()
        cookies = self.cookies | {"sessionid": self.session, "csrftoken": CSRF}
        own: dict[str, Any] = {
            "Content_Type": "application/json",
            "Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()),
            "X_CSRFToken": CSRF,
        }
        said = asked(self.port, "POST", "/en/desk/send/", json.dumps(body), **own, **headers)
        for line in said.headers.get_all("Set-Cookie", ()):
            name, _, value = line.partition(";")[0].partition("=")
            self.cookies[name] = value
        return said

    def _as_desk(self, command: str, play: str, version: int, headers: dict[str, str]) -> Said:
        return self.desk([self.entry(command, play, version)], **headers)

    def _as_program(self, command: str, play: str, version: int, headers: dict[str, Any]) -> Said:
        winner, other, zeros = self.hands(version)
        body = {"play": play, "number": self.number, "winner": winner, "hands": {other: {"0": zeros}}}
        own: dict[str, Any] = {
            "Content_Type": "application/json",
            "Authorization": f"Bearer {self.token}",
            "Idempotency_Key": command,
        }
        return asked(
            self.port,
            "POST",
            f"/api/v1/tables/{self.table}/rounds",
            json.dumps(body),
            **own,
            **headers,
        )


class Referees:
    """All phones entering at once, each in a thread of its own; `resting()` lets each finish what it has begun."""

    def __init__(self, phones: Sequence[Phone]) -> None:
        self.phones = phones
        self._may = threading.Event()
        self._stop = False
        self._idle = threading.Condition()
        self._working = 0
        self.failed: list[BaseException] = []
        self._threads = [threading.Thread(target=self._enter, args=(phone,), daemon=True) for phone in phones]
        for thread in self._threads:
            thread.start()

    def begin(self) -> None:
        self._may.set()

    def rest(self, seconds: float = 3 * BUSY) -> None:
        """Wait until each has the answer to what it sent last."""
        self._may.clear()
        with self._idle:
            assert self._idle.wait_for(lambda: not self._working, seconds), "an entry was never answered"
        assert self.failed == []

    def end(self) -> None:
        self._stop = True
        self._may.set()
        for thread in self._threads:
            thread.join(3 * BUSY)
        for failure in self.failed:
            raise failure

    def _enter(self, phone: Phone) -> None:
        try:
            while True:
                self._may.wait()
                with self._idle:
                    self._working += 1
                try:
                    if self._stop:
                        return
                    if self._may.is_set():
                        phone.enter()
                finally:
                    with self._idle:
                        self._working -= 1
                        self._idle.notify_all()
        except BaseException as error:
            self.failed.append(error)


@contextmanager
def referees(phones: Sequence[Phone]) -> Any:
    """Referees who enter from here on, and have all answers at the end."""
    entering = Referees(phones)
    entering.begin()
    try:
        yield entering
    finally:
        entering.end()
