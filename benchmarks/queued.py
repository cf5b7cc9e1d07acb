"""How long 500 entries that waited on a phone take to arrive after its network returns.

    python -m benchmarks.queued [entries]

A real browser behind a network that is cut (tests/e2e/proxy.py), and a real server on SQLite; from the network's
return until the phone says that all are on the server: rounds of 25 matches in turn, and 500 rounds of a single match,
whose sheet grows with each. The reference is another phone's 500 entries, posted in the same batches by a bare client
to the same server; its first and last batch show how the cost grows.
"""

import json
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter

from playwright.sync_api import BrowserContext, sync_playwright

from benchmarks._data import folder
from benchmarks._figures import number, report, run
from tests.e2e.arranger import Arranger
from tests.e2e.browser import ARGUMENTS, PHONE, chromium
from tests.e2e.phones import Phone
from tests.e2e.proxy import Proxy
from tests.e2e.server import Server

ENTRIES, BATCH, MOST_SECONDS = 500, 50, 10
TABLES, SEATED = (25, 1), 3
PATIENCE = 120  # seconds


def main(entries: int = ENTRIES) -> None:
    with lastcard() as server, browser() as contexts:
        arranger, proxy = Arranger(server), Proxy(server.port)
        for tables in TABLES:
            size = {"tables": tables, "entries": entries}
            through_browser = arrived(queued(next(contexts), server, proxy, arranger, **size), proxy)
            batches = posted(queued(next(contexts), server, proxy, arranger, **size), server)
            report(
                f"{entries} entries of {tables} table{'s'[: tables > 1]} after the network returned",
                through_browser, "s",
                reference=sum(batches), beside="posted by a bare client", aim=f"{MOST_SECONDS} s",
            )  # fmt: skip
            print(f"  the first {BATCH} {number(batches[0])} s, the last {number(batches[-1])} s")
        arranger.close()
        proxy.close()


@contextmanager
def lastcard() -> Iterator[Server]:
    server = Server(folder())
    try:
        server.start()
        yield server
    finally:
        server.close()


@contextmanager
def browser() -> Iterator[Iterator[BrowserContext]]:
    """Each `next` is another phone."""
    with sync_playwright() as playwright:
        chrome = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        yield (chrome.new_context(**PHONE) for _ in range(ENTRIES))
        chrome.close()


def queued(
    context: BrowserContext, server: Server, proxy: Proxy, arranger: Arranger, *, tables: int, entries: int
) -> Phone:
    """A phone without network, with all those entries: rounds of each of the tables in turn."""
    names = [f"Player {number}" for number in range(tables * SEATED)]
    event = arranger.match(names=names, tables=tables)
    phone = Phone(context.new_page(), event, arranger.referee(event, "Rauha"), arranger)
    phone.who.sign_in(phone.page, server)
    proxy.does("through")
    phone.page.goto(f"{proxy.url}{event.table}")
    phone.says("Connected")
    proxy.does("drop")
    here = [name for uid in event.seats[0] for name, entry in event.entries.items() if entry == uid]
    phone.round(here[0], "0", names=here)
    phone.many(entries - 1)
    phone.says(f"{entries} waiting")
    return phone


def arrived(phone: Phone, proxy: Proxy) -> float:
    """Seconds from the network's return until the phone says that everything is on the server."""
    proxy.does("through")
    began = perf_counter()
    phone.look()
    phone.says("Saved on the server", seconds=PATIENCE)
    seconds = perf_counter() - began
    phone.all_arrived()
    return seconds


def posted(phone: Phone, server: Server) -> list[float]:
    """Seconds that a bare client takes for each batch of what waits on this phone."""
    cookies = {each["name"]: each["value"] for each in phone.page.context.cookies()}
    headers = {
        "Content-Type": "application/json",
        "X-CSRFToken": cookies["csrftoken"],
        "Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()),
    }
    entries = phone.entries()
    seconds = []
    for start in range(0, len(entries), BATCH):
        batch = entries[start : start + BATCH]
        began = perf_counter()
        body = json.dumps({"user": batch[0]["user"], "now": batch[0]["queued"], "entries": batch}).encode()
        request = urllib.request.Request(f"{server.url}/en/desk/send/", body, headers)
        with urllib.request.urlopen(request) as answer:
            assert {each["state"] for each in json.load(answer)["answers"]} == {"saved"}
        seconds.append(perf_counter() - began)
    return seconds


if __name__ == "__main__":
    run(main, 5)
