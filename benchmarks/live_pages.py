"""From a tap until the open pages that it concerns show it: a save on a second phone, a call answered, a stage started,
an announcement, the hall clock.

    python -m benchmarks.live_pages [rounds]

Each person has a browser of their own. A row is the 95th percentile of the slowest page, beside the answer to the tap
(the page after it, or what the server says to it). Half way the server is killed, as by a loss of power, and started
again; the pages stay open. How far the hall clocks of the pages are apart is read after each round.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks._data import folder
from benchmarks._figures import report, run
from benchmarks._serving import percentile
from tests.e2e.arranger import Arranged, Arranger
from tests.e2e.browser import ARGUMENTS, LAPTOP, PHONE, WALL, chromium
from tests.e2e.server import Server

ROUNDS = 20
AIM = "1 s"
COME_BACK_MS = 8000  # the longest that an open page waits before it looks for the server again
NAMES = [f"Player {number}" for number in range(1, 9)]

# When a page's clock is at zero, in seconds of the computer's time.
ZERO = "() => (Date.now() + document.querySelector('hall-clock').left) / 1000"

ANNOUNCED = "document.querySelectorAll('#said [data-announcement]').length"
CALL = "document.querySelector('#call [role=status]')?.textContent ?? ''"
CLOCK = "document.querySelector('hall-clock')?.dataset.ends ?? ''"
OUT = "document.querySelectorAll('.tap:disabled').length"
PLANNED = "document.querySelector('[data-planned]') === null"


@dataclass(frozen=True, slots=True)
class Hall:
    """The pages of an evening, and `took`: seconds of each moment until its slowest page showed it, and until the tap
    was answered."""

    browser: Browser
    server: Server
    arranger: Arranger
    took: dict[str, list[tuple[float, float]]] = field(default_factory=dict)
    apart_s: list[float] = field(default_factory=list)

    @contextmanager
    def opened(self, event: Arranged, *pages: tuple[str, dict[str, Any]]) -> Iterator[list[Page]]:
        """The pages at these addresses, each in a browser of its own that the organiser has signed in."""
        contexts = [self.browser.new_context(base_url=self.server.url, **size) for _, size in pages]
        opened = []
        for context, (address, _) in zip(contexts, pages, strict=True):
            page = context.new_page()
            event.organiser.sign_in(page, self.server)
            page.goto(address)
            opened.append(page)
        yield opened
        for context in contexts:
            context.close()

    def shows(self, name: str, tapped: Page, button: str, pages: Mapping[Page, str]) -> None:
        """Tap once, and wait until each of `pages` gives another value of its expression."""
        before = {page: page.evaluate(says) for page, says in pages.items()}
        with tapped.expect_response(lambda said: said.request.method == "POST") as answer:
            began = tapped.evaluate(
                "css => {document.querySelector(css).click(); return Date.now() / 1000;}", button
            )
        for page, says in pages.items():
            page.wait_for_function(f"before => ({says}) !== before", arg=before[page])
        shown = time.time()
        timing = answer.value.request.timing
        answered = (timing["startTime"] + timing["responseStart"]) / 1000
        self.took.setdefault(name, []).append((shown - began, answered - began))


def clock(hall: Hall) -> Iterator[None]:
    """The organiser starts the hall clock, adds minutes and stops it: wall, desk and player."""
    event = hall.arranger.event("heats", "tite-2022", tables=2, names=NAMES)
    wall = hall.arranger("screen", slug=event.slug, scenes=["clock"])
    player = f"{event.public}player/{event.entries[NAMES[0]]}/"
    board = f"/en/organise/t/{event.slug}/"
    with hall.opened(event, (board, LAPTOP), (wall, WALL), (event.table, PHONE), (player, PHONE)) as pages:
        organiser, *others = pages
        while True:
            for name, what in (
                ("the clock starts", "start"), ("Add 5 minutes", "extend"), ("the clock stops", "stop"),
            ):  # fmt: skip
                organiser.goto(board)
                button = f"#hall-clock form[action$='/{what}/'] button"
                hall.shows(
                    f"{name}, on wall, desk and player's page",
                    organiser,
                    button,
                    dict.fromkeys(others, CLOCK),
                )
                organiser.wait_for_url("**?saved=*")
                if what == "extend":
                    organiser.wait_for_timeout(3000)
                    zeros = [page.evaluate(ZERO) for page in others]
                    hall.apart_s.append(max(zeros) - min(zeros))
            yield


def announcement(hall: Hall) -> Iterator[None]:
    """The organiser announces something: spectator, referee and wall."""
    event = hall.arranger.match(tables=2, names=NAMES)
    wall = hall.arranger("screen", slug=event.slug, scenes=["standings"])
    announce, stage = f"/en/organise/t/{event.slug}/announcements/", f"{event.public}stage/{event.stage}/"
    with hall.opened(event, (announce, LAPTOP), (stage, PHONE), (event.table, PHONE), (wall, WALL)) as pages:
        organiser, *others = pages
        while True:
            organiser.get_by_label("Announcement", exact=True).fill("Food is served")
            button = "[aria-labelledby=say] .button--primary"
            hall.shows(
                "an announcement, on phone, desk and wall",
                organiser,
                button,
                dict.fromkeys(others, ANNOUNCED),
            )
            organiser.get_by_role("button", name="Take down").click()
            for page in pages:
                page.locator("[data-announcement]").wait_for(state="detached")
            yield


def save(hall: Hall) -> Iterator[None]:
    """A referee taps who went out, and takes it back: the second phone at the table."""
    event = hall.arranger.session(names=NAMES)
    hall.arranger("start_game", slug=event.slug)
    with hall.opened(event, (event.table, PHONE), (event.table, PHONE)) as (first, second):
        while True:
            for button, many in ((".tap:enabled", 1), (".taps__back:not([hidden]) .button", 0)):
                first.wait_for_timeout(1000)  # a second tap at once is no decision
                hall.shows("a save, on a second phone", first, button, {second: OUT})
                for page in (first, second):
                    page.wait_for_function(f"{OUT} === {many}")
            yield


def call(hall: Hall) -> Iterator[None]:
    """A head referee answers a call: the table that called."""
    event = hall.arranger.match(names=NAMES)
    board = f"/en/organise/t/{event.slug}/"
    with hall.opened(event, (board, LAPTOP), (event.table, PHONE)) as (organiser, table):
        while True:
            table.locator("#call-button").click()
            table.locator("#call[data-waits] [role=status]").wait_for()
            organiser.goto(board)
            hall.shows("a call answered, at its table", organiser, ".calls form .button", {table: CALL})
            yield


def start(hall: Hall) -> Iterator[None]:
    """The organiser starts a stage: the table's page that waits for it."""
    while True:
        event = hall.arranger.match(names=NAMES, start=False)
        with hall.opened(event, (event.table, PHONE), (event.table, PHONE)) as (first, second):
            hall.shows("a stage started, at its table", first, "form.action-bar .button", {second: PLANNED})
        yield


MOMENTS: tuple[Callable[[Hall], Iterator[None]], ...] = (save, call, start, announcement, clock)


def main(rounds: int = ROUNDS) -> None:
    server = Server(folder())
    server.start()
    arranger = Arranger(server)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
            hall = Hall(browser, server, arranger)
            moments = [moment(hall) for moment in MOMENTS]
            for number in range(rounds):
                if number == rounds // 2:
                    server.kill()
                    server.start()
                    time.sleep(COME_BACK_MS / 1000)
                for moment in moments:
                    next(moment)
            browser.close()
    finally:
        arranger.close()
        server.close()
    for name, each in hall.took.items():
        shown, answered = zip(*each, strict=True)
        report(
            f"{name}, 95%", percentile([*shown], 95), "s",
            reference=percentile([*answered], 95), beside="the answer to the tap", aim=AIM,
        )  # fmt: skip
    report("clocks of wall, desk and player apart, worst", max(hall.apart_s), "s", aim=AIM)


if __name__ == "__main__":
    run(main, 2)
