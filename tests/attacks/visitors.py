"""People who ask by HTTP and keep their cookies: a visitor without an account, and a referee who signs in."""

import json
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from tests.faults.phones import CSRF, LOST, Said, asked

if TYPE_CHECKING:  # it loads a browser's driver
    from tests.e2e.arranger import Arranged

PATIENCE = 60  # seconds until somebody gives an answer up
FORM = "application/x-www-form-urlencoded"
PASSWORD = "an evening at the tables"  # that tests/e2e/arrange.py gives everybody


class Visitor:
    """A browser at the address `source`."""

    def __init__(self, port: int, source: str) -> None:
        self.port = port
        self.source = source
        self.cookies = {"csrftoken": CSRF}

    def ask(self, method: str, path: str, body: str | None = None, **headers: str) -> Said:
        """The answer, on a connection of its own. Raises LOST."""
        own = {
            "X_CSRFToken": self.cookies["csrftoken"],
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
        }
        said = asked(self.port, method, path, body, patience=PATIENCE, source=self.source, **own, **headers)
        for line in said.headers.get_all("Set-Cookie", ()):
            name, _, value = line.partition(";")[0].partition("=")
            self.cookies[name] = value
        return said

    def send(self, path: str, asks: Any, **headers: str) -> Said:
        """The answer to JSON."""
        own = {"Content_Type": "application/json", "Idempotency_Key": str(uuid4())}
        return self.ask("POST", path, json.dumps(asks), **own, **headers)

    def status(self, ask: Callable[[], Said]) -> int:
        """The status of an answer; 0 when there was none."""
        try:
            return ask().status
        except LOST:
            return 0


class Referee(Visitor):
    """Signed in by name and password, as a referee at the door is; enters one round after the other, in turn at each
    table, of two players each. The other player holds zeros: no match ends."""

    def __init__(self, port: int, source: str, event: "Arranged") -> None:
        super().__init__(port, source)
        self.event = event
        self.saved = 0
        form = f"username={event.organiser.username}&password={PASSWORD.replace(' ', '+')}"
        said = self.ask("POST", "/en/sign-in/", form, Content_Type=FORM)
        assert said.status == 302, said.text
        self.user = self.ask("GET", "/api/v1/me").json["user"]["uid"]

    def save(self) -> Said:
        """Send the next round, as the desk's outbox does."""
        round_, table = divmod(self.saved, len(self.event.tables))
        winner, other = self.event.seats[table]
        fields = {
            "command": uuid4(), "play": uuid4(), "number": round_ + 1, "version": 0, "step": "save", "winner": winner,
            f"hand-{other}-0": 1,
        }  # fmt: skip
        now = round(time.time() * 1000)
        entry = {
            "command": str(fields["command"]), "kind": "round", "queued": now,
            "url": f"/en/desk/table/{self.event.tables[table]}/record/",
            "fields": [[name, str(value)] for name, value in fields.items()],
        }  # fmt: skip
        said = self.send("/en/desk/send/", {"user": self.user, "now": now, "entries": [entry]})
        if said.status == 200:
            (answer,) = said.json["answers"]
            assert answer["state"] == "saved", said.text
            self.saved += 1
        return said
