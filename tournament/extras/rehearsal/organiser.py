"""Organiser's client of the JSON API, by session or organising token."""

import http.client
import json
import re
import ssl
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.cookies import SimpleCookie
from typing import Any
from urllib.parse import urlencode, urlsplit
from uuid import uuid4

from tournament.extras.rehearsal.plan import KINDS, Size, dealt

PATIENCE = 120  # response timeout in seconds
EACH_INVITE = 50  # referees per link: its rate limit per minute
LIST = 500  # rows per page


class Impossible(Exception):
    """The rehearsal cannot run; the text is the reason."""


@dataclass(frozen=True, slots=True)
class Address:
    """Server address."""

    host: str
    port: int
    tls: bool

    @classmethod
    def of(cls, url: str) -> "Address":
        """Parse a URL. Raises Impossible."""
        parts = urlsplit(url)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            raise Impossible(f"{url} is not an address. Write http://host:port or https://host.")
        tls = parts.scheme == "https"
        host = "127.0.0.1" if parts.hostname == "localhost" else parts.hostname
        return cls(host, parts.port or (443 if tls else 80), tls)

    @property
    def url(self) -> str:
        return f"http{'s' * self.tls}://{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Event:
    """The event: uids, `seats` by table, `links`: an invite path per referee."""

    uid: str
    slug: str
    stage: str
    seats: Mapping[str, Sequence[str]]
    links: Sequence[str]

    @property
    def page(self) -> str:
        return f"/en/t/{self.slug}/"

    def stage_page(self, number: int) -> str:
        return f"{self.page}stage/{self.stage}/" + (f"{number}/" if number > 1 else "")


@dataclass
class Organiser:
    """A client, one connection per request."""

    address: Address
    token: str = ""
    _cookies: dict[str, str] = field(default_factory=dict)

    def sign_in(self, user: str, password: str) -> None:
        """Sign in by form. Raises Impossible if refused."""
        self._ask("GET", "/en/sign-in/")
        sent = {
            "username": user, "password": password, "csrfmiddlewaretoken": self._cookies.get("csrftoken", "")
        }  # fmt: skip
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        status, _ = self._ask("POST", "/en/sign-in/", urlencode(sent).encode(), kind)
        if status != 302:
            raise Impossible(f"{self.address.url} does not accept this user and password ({status}).")

    def real_events(self) -> int:
        """Number of non-rehearsal events."""
        return sum(not each["rehearsal"] for each in self.all("tournaments"))

    def found(self, size: Size, name: str) -> Event:
        """Create the event with players, seats, invites; start its stage."""
        kind, key = KINDS[size.kind], str(uuid4())
        details = {
            "name": name, "starts_on": f"{datetime.now(UTC):%Y-%m-%d}", "ruleset": kind.ruleset, "listed": False,
            "rehearsal": True, "organiser_name": "Rehearsal",
            "stages": [{"kind": size.kind, "settings": dict(kind.settings)}],
        }  # fmt: skip
        self.write("POST", "tournaments", details, key)
        event = f"tournaments/{key}"
        players = [
            {"entry": str(uuid4()), "public_name": f"Player {number}"}
            for number in range(1, size.players + 1)
        ]
        self.write("POST", f"{event}/entries", {"players": players})
        stage = self.all(f"{event}/stages")[0]["uid"]
        seated = dealt([each["entry"] for each in players], size.tables)
        tables = [{"number": number, "entries": entries} for number, entries in enumerate(seated, 1)]
        self.write("PUT", f"stages/{stage}/tables", {"tables": tables})
        self.write("POST", f"stages/{stage}/start", {})
        ends = (datetime.now(UTC) + timedelta(days=1)).isoformat()
        for _ in range(0, size.referees, EACH_INVITE):
            self.write("POST", f"{event}/invites", {"role": "table_referee", "expires_at": ends})
        links = [each["link"] for each in self.all(f"{event}/invites")]
        made = sorted(self.all(f"stages/{stage}/tables"), key=lambda table: int(table["number"]))
        return Event(
            uid=key,
            slug=self.read(event)["slug"],
            stage=stage,
            seats={table["uid"]: seats for table, seats in zip(made, seated, strict=True)},
            links=[links[number // EACH_INVITE] for number in range(size.referees)],
        )

    def page(self, path: str) -> bytes:
        """A public page. Raises Impossible unless 200."""
        status, body = self._ask("GET", path)
        if status != 200:
            raise Impossible(f"{self.address.url} answered {status} to {path}.")
        return body

    def put_away(self, event: Event) -> None:
        """Hide the rehearsal; `manage.py purge` deletes it."""
        self.write("POST", f"tournaments/{event.uid}/put-away", {})

    def write(self, method: str, path: str, body: Any, key: str = "") -> Any:
        """Send an API command. Raises Impossible with the error."""
        headers = {"Content-Type": "application/json", "Idempotency-Key": key or str(uuid4())}
        return self._said(*self._ask(method, f"/api/v1/{path}", json.dumps(body).encode(), headers), path)

    def read(self, path: str) -> Any:
        """Read from the API. Raises Impossible on errors."""
        return self._said(*self._ask("GET", f"/api/v1/{path}"), path)

    def all(self, path: str) -> list[Any]:
        """All rows of a paginated list."""
        rows: list[Any] = []
        path += f"?limit={LIST}"
        while True:
            part = self.read(path)
            if isinstance(part, list):
                return part
            rows += part["results"]
            if not part["next"]:
                return rows
            path = part["next"].partition("/api/v1/")[2]

    def _said(self, status: int, body: bytes, path: str) -> Any:
        if status >= 300:
            raise Impossible(f"{self.address.url} answered {status} to {path}: {body.decode()[:300]}")
        return json.loads(body) if body else None

    def _ask(
        self, method: str, path: str, body: bytes = b"", headers: Mapping[str, str] | None = None
    ) -> tuple[int, bytes]:
        where = self.address
        connection = (
            http.client.HTTPSConnection(
                where.host, where.port, timeout=PATIENCE, context=ssl.create_default_context()
            )
            if where.tls
            else http.client.HTTPConnection(where.host, where.port, timeout=PATIENCE)
        )
        sent = {"Referer": f"{where.url}/", **(headers or {})}
        if self.token:
            sent["Authorization"] = f"Bearer {self.token}"
        elif self._cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
            sent["X-CSRFToken"] = self._cookies.get("csrftoken", "")
        try:
            connection.request(method, path, body or None, sent)
            answer = connection.getresponse()
            said = answer.read()
        except OSError as error:
            raise Impossible(f"{where.url} does not answer: {error}") from error
        finally:
            connection.close()
        for line in answer.headers.get_all("Set-Cookie") or []:
            self._cookies |= {name: morsel.value for name, morsel in SimpleCookie(line).items()}
        return answer.status, said


def number_of_parts(page: bytes) -> int:
    """Number of a stage's pages."""
    return max(map(int, re.findall(rb"/stage/[0-9a-f-]{36}/(\d+)/", page)), default=1)
