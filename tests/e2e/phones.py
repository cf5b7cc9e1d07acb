"""A referee's phone at its tables: what is entered on it, what its status line says, and whether that is true."""

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from playwright.sync_api import Page, expect

from tests.e2e.arranger import Arranged, Arranger, Person
from tests.e2e.browser import save_by_key

OUT = "lastcard:out:"  # how the outbox names what it keeps
MOST_SECONDS = 60  # for whatever waits to arrive; how fast it is, is measured in benchmarks/queued.py

# The line and what is kept, read in one moment.
READ = """prefix => {
    const keys = Object.keys(localStorage).filter(key => key.startsWith(prefix)).sort();
    return {
        line: document.querySelector("desk-outbox").innerText,
        entries: keys.map(key => ({key, ...JSON.parse(localStorage.getItem(key))})),
    };
}"""
# Many rounds after one that was entered by hand, as if each had been: only the play, its number and command differ.
MANY = """([key, text, copies]) => {
    const at = Number(key.slice("lastcard:out:".length, -37));
    const uids = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
    copies.forEach(([command, play, number, others], index) => {
        const first = JSON.parse(text.replace(uids, (uid) => others[uid] ?? uid));
        const change = {command, play, number: String(number)};
        const fields = first.fields.map(([name, value]) => [name, change[name] ?? value]);
        const name = `lastcard:out:${String(at + index + 1).padStart(13, "0")}:${command}`;
        localStorage.setItem(name, JSON.stringify({...first, command, number, fields, state: "waiting"}));
    });
    document.dispatchEvent(new Event("outbox:ask"));
}"""


# Nobody finds a key that came under their finger sooner; before that it is a double tap (double_tap.js).
READ_MS = 600


@dataclass
class Phone:
    """A referee at the tables of one event; `entered` counts what was entered by hand."""

    page: Page
    event: Arranged
    who: Person
    arranger: Arranger
    entered: int = 0

    # ---- entering

    def round(
        self, winner: str, card: str = "1", *, page: Page | None = None, names: Sequence[str] = ()
    ) -> None:
        """A round of a match, where everybody else holds this card."""
        page = page or self.page
        page.bring_to_front()
        pad = page.locator("card-pad")
        seated = list(names or self.event.entries)
        first = seated.index(winner)
        pad.locator(".pad__winner").get_by_text(winner, exact=True).tap()
        page.wait_for_timeout(READ_MS)
        for name in seated[first + 1 :] + seated[:first]:
            expect(pad.locator(".pad__who")).to_have_text(name)
            pad.locator(f".pad__key[data-add='{card}']").tap()
            pad.locator(".pad__key--next").tap()
        page.locator("[data-save]").press("Control+Enter")
        self.entered += 1

    def start(self, number: int) -> None:
        """A game of a session, with everybody."""
        self._part().get_by_role("button", name=f"Start game {number}").tap()
        expect(self.page.locator("game-clock")).to_contain_text(f"Game {number}")
        self.entered += 1

    def out(self, name: str) -> None:
        self._part().locator(".tap:enabled", has_text=name).tap()
        self.entered += 1

    def heat(self, first: str, *, page: Page) -> None:
        """A heat of which one goes through."""
        page.bring_to_front()
        page.locator(".heat__tap").get_by_text(first, exact=True).tap()
        save_by_key(page)
        self.entered += 1

    def many(self, number: int) -> None:
        """So many more rounds after the first table’s first, which waits, in turn at each table of the event. Nobody
        taps their cards."""
        first = self.entries()[-1]
        text = self.page.evaluate("key => localStorage.getItem(key)", first["key"])
        tables = [
            dict(zip(self._ids(0), self._ids(each), strict=True)) for each in range(len(self.event.tables))
        ]
        copies = [
            [
                str(uuid4()),
                str(uuid4()),
                first["number"] + (each + 1) // len(tables),
                tables[(each + 1) % len(tables)],
            ]
            for each in range(number)
        ]
        self.page.evaluate(MANY, [first["key"], text, copies])
        self.entered += number

    def _ids(self, table: int) -> list[str]:
        """The uids of a table and of those who sit there."""
        return [self.event.tables[table], *self.event.seats[table]]

    def _part(self) -> Any:
        return self.page.locator("game-table > [data-part]")

    # ---- what it keeps and says

    def entries(self) -> list[dict[str, Any]]:
        """The entries that the phone keeps, oldest first."""
        kept: list[dict[str, Any]] = self.page.evaluate(READ, OUT)["entries"]
        return kept

    def says(self, words: str | re.Pattern[str], *, seconds: float = MOST_SECONDS) -> None:
        expect(self.page.locator("desk-outbox")).to_contain_text(words, timeout=seconds * 1000)

    def says_nothing_of(self, words: str) -> None:
        expect(self.page.locator("desk-outbox")).not_to_contain_text(words)

    def look(self) -> None:
        """Pick the phone up, which makes it try at once."""
        self.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")

    def tells_the_truth(self) -> None:
        """Check that the line agrees with what the phone keeps, and that entries it takes for arrived are in the
        ledger."""
        until(self._true)

    def _true(self) -> str:
        """List what is not true; "" when everything is."""
        now = self.page.evaluate(READ, OUT)
        rows = self.arranger("rows", slug=self.event.slug, username=self.who.username)
        states = [entry["state"] for entry in now["entries"]]
        waiting = sum(state in {"waiting", "wait"} for state in states)
        said = re.search(r"(?:sending|to send) (\d+)|(\d+) waiting", now["line"])
        claimed = int(said[1] or said[2]) if said else 0
        for entry in now["entries"]:
            if entry["state"] == "confirmed" and rows.get(entry["command"]) != entry["sequence"]:
                return f"confirmed, and not in the ledger: {entry}"
        if len(states) != self.entered:
            return f"{self.entered} were entered, and {len(states)} are kept"
        if claimed != waiting or (waiting and "Saved on the server" in now["line"]):
            return f"{waiting} wait, and the line says: {now['line']}"
        return ""

    def all_arrived(self) -> None:
        """Check that everything entered is on the server exactly once, and that the line says so."""
        self.look()
        arrived = re.compile(r"Connected.*Saved on the server \d{1,2}:\d\d:\d\d", re.DOTALL)
        self.says(arrived)
        self.tells_the_truth()
        rows = self.arranger("rows", slug=self.event.slug, username=self.who.username)
        assert sorted(rows) == sorted(entry["command"] for entry in self.entries())
        assert len(rows) == self.entered


def until_page(page: Page, so: str) -> None:
    """Ask again and again until this expression of a script is true. Playwright's own way evaluates text in the page,
    which our policy for scripts forbids."""
    until(lambda: "" if page.evaluate(so) else f"not so: {so}")


def until(wrong: Callable[[], str], seconds: float = MOST_SECONDS) -> None:
    """Ask again and again until nothing is wrong."""
    give_up = time.monotonic() + seconds
    while said := wrong():
        assert time.monotonic() < give_up, said
        time.sleep(0.02)  # seconds
