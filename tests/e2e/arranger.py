"""Events, people and rounds made beside a running server without clicking; see arrange.py for what each call does."""

import json
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page

from tests.e2e.server import ROOT, Server

PLAYERS = ["Aino", "Börje", "Çağla", "Dima"]


@dataclass(frozen=True)
class Person:
    """Somebody with an account."""

    username: str
    session: str

    def sign_in(self, page: Page, server: Server) -> None:
        """Give the page's browser this person's session."""
        page.context.add_cookies([{"name": "sessionid", "value": self.session, "url": server.url}])


@dataclass(frozen=True)
class Arranged:
    """An event with one stage: uids as text, `entries` by name, `seats` table by table."""

    slug: str
    stage: str
    tables: list[str]
    entries: dict[str, str]
    organiser: Person
    seats: list[list[str]]

    @property
    def table(self) -> str:
        """The address of the first table's page."""
        return f"/en/desk/table/{self.tables[0]}/"

    @property
    def public(self) -> str:
        """The address that everybody may see."""
        return f"/en/t/{self.slug}/"


class Arranger:
    """The process that sets up; ends with the server whose data it shares."""

    def __init__(self, server: Server) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.e2e.arrange"],
            cwd=ROOT, env=server.env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def close(self) -> None:
        self._process.communicate(timeout=60)

    def __call__(self, call: str, **arguments: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"call": call, "arguments": arguments}) + "\n")
        self._process.stdin.flush()
        said = json.loads(self._process.stdout.readline())
        assert "answer" in said, said["error"]
        return said["answer"]

    def event(self, kind: str, ruleset: str, **more: Any) -> Arranged:
        """A tournament with one stage, everybody seated and the stage running."""
        return self._arranged(self("event", **{"kind": kind, "ruleset": ruleset, "names": PLAYERS, **more}))

    def match(self, **more: Any) -> Arranged:
        """A match by Mattel's rules to 500 points, no round entered."""
        return self.event("match", "mattel-108", **more)

    def session(self, **more: Any) -> Arranged:
        """A KPGUT session, no game started."""
        return self.event("session", "kpgut-2016", **more)

    def next_stage(self, event: Arranged, kind: str, **settings: Any) -> Arranged:
        """Finish the event's stage; gives the event with the stage that follows."""
        return self._arranged(self("next_stage", slug=event.slug, kind=kind, settings=settings))

    def referee(self, event: Arranged, name: str) -> Person:
        return Person(**self("referee", slug=event.slug, name=name))

    def states(self, event: Arranged) -> list[str]:
        """The states of the event's plays, in the order of their numbers."""
        return [play["state"] for play in self("plays", slug=event.slug)]

    @staticmethod
    def _arranged(answer: dict[str, Any]) -> Arranged:
        return Arranged(**answer | {"organiser": Person(**answer["organiser"])})
