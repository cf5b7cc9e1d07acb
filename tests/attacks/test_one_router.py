"""A hall behind one router: every table proposes its round in the same minute, from one address, while a referee saves
and somebody behind the same router sends without end. Nobody is refused. In small here; in `make soak` with 250 tables,
on a server that gets a fifth of a processor."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import cycle
from random import Random
from uuid import uuid4

import pytest

from tests.attacks.hall import Habit, Hall
from tests.attacks.visitors import FORM, Visitor
from tests.depth import SOAK, dear

pytestmark = pytest.mark.server

SHARE, SLICE_S = 0.2, 0.05  # the part of a processor that a slowed server gets, in turns so long
WAIT_S, SAVE_S = 3.0, 1.0  # how long 95 of 100 wait at most


@contextmanager
def slowed(hall: Hall, *, share: float) -> Iterator[None]:
    """Give the server only this share of its time."""
    ended = threading.Event()

    def stop_and_go() -> None:
        for now, seconds in cycle(
            ((signal.SIGSTOP, SLICE_S * (1 - share)), (signal.SIGCONT, SLICE_S * share))
        ):
            os.kill(hall.server.pid, now)
            if ended.wait(seconds) and now == signal.SIGCONT:
                return

    thread = threading.Thread(target=stop_and_go)
    if share < 1:
        thread.start()
    try:
        yield
    finally:
        ended.set()
        if share < 1:
            thread.join()
            os.kill(hall.server.pid, signal.SIGCONT)


def proposed(phone: Visitor, link: str, winner: str, other: str) -> tuple[float, int]:
    """Propose a round on the table's page, which is open; gives the seconds and the status."""
    fields = {"command": uuid4(), "play": uuid4(), "proposal": uuid4(), "number": 1, "winner": winner}
    body = "&".join(f"{name}={value}" for name, value in {**fields, f"hand-{other}-7": 1}.items())
    began = time.monotonic()
    said = phone.ask("POST", f"{link}propose/", body, Content_Type=FORM)
    return time.monotonic() - began, said.status


@pytest.mark.parametrize("joker", [False, True], ids=["in peace", "beside a joker"])
@pytest.mark.parametrize("size", [(8, 0.5, 1.0), *dear((250, 60.0, SHARE))], ids=["small", "whole"])
def test_nobody_behind_one_router_is_refused(
    hall: Hall, size: tuple[int, float, float], *, joker: bool
) -> None:
    tables, within_s, share = size
    names = [f"Player {number}" for number in range(2 * tables)]
    event = hall.arranger.match(names=names, tables=tables)
    links, source, random = hall.arranger("table_links", slug=event.slug), hall.stranger(), Random(7)

    open_pages = [Visitor(hall.server.port, source) for _ in links]
    for phone, link in zip(open_pages, links, strict=True):
        assert phone.ask("GET", link).status == 200

    def send(at: int) -> tuple[float, int]:
        time.sleep(random.uniform(0, within_s))
        return proposed(open_pages[at], links[at], *event.seats[at][:2])

    habit = Habit(lambda: hall.referee.status(hall.referee.save), 1.0)
    began, saving = time.monotonic(), habit.start()
    with ThreadPoolExecutor(tables) as phones, slowed(hall, share=share):
        joking = Habit(lambda: Visitor(hall.server.port, source).send("/api/v1/score", {}).status, 0.0)
        jokes = joking.start() if joker else None
        said = [*phones.map(send, range(tables))]
        joking.end()
        if jokes:
            jokes.join()
    habit.end()
    saving.join()
    waited, saves = sorted(seconds for seconds, _status in said), habit.between(began, time.monotonic())
    print(f"{tables} tables: p95 {waited[len(waited) * 95 // 100]:.2f} s, a save p95 {saves.at(95):.0f} ms")
    assert [status for _seconds, status in said if status != 303] == []
    assert saves.broken == []
    if SOAK:
        assert waited[len(waited) * 95 // 100] <= WAIT_S
        assert saves.at(95) <= SAVE_S * 1000
