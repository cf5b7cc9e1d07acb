#!/usr/bin/env python
"""How long a save takes while the whole database is copied.

    python -m benchmarks.backup [MB] [saves a second] [saves]

A database of 50 MB, rounds saved five times a second in one thread, one backup after the other in another, as the
server's timer makes them. The reference are the same saves without a backup; a temporary SQLite database, or the one
that DATABASE_URL names.
"""

import threading
import time
from collections.abc import Iterator
from itertools import product
from statistics import median
from time import perf_counter
from uuid import UUID, uuid4

from django.db import connection, transaction

from benchmarks._figures import report, run
from benchmarks.save import founded  # sets Django up
from tournament import actions
from tournament.actions import Command
from tournament.backup import making, shelf
from tournament.models import Entry, Table, User

MEGABYTES, A_SECOND, SAVES = 50, 5.0, 40


def main(megabytes: int = MEGABYTES, a_second: float = A_SECOND, saves: int = SAVES) -> None:
    user, event = founded()
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("CREATE TABLE IF NOT EXISTS filler (content text)")
        for _ in range(megabytes):
            cursor.executemany("INSERT INTO filler VALUES (%s)", [(uuid4().hex * 31,)] * 1000)
    rounds = _rounds(user, event)
    alone = [_paced(rounds, a_second) for _ in range(saves)]
    over, took = threading.Event(), list[float]()

    def copy() -> None:
        while not over.is_set():
            began = perf_counter()
            making.make_backup()
            took.append(perf_counter() - began)
        connection.close()

    copying = threading.Thread(target=copy)
    copying.start()
    beside = [_paced(rounds, a_second) for _ in range(saves)]
    over.set()
    copying.join()
    size = shelf.kept()[0].size / 1e6
    for name, pick in (("median", median), ("longest", max)):
        report(
            f"a save while {megabytes} MB are copied on {connection.vendor}, {name}", pick(beside) * 1000, "ms",
            reference=pick(alone) * 1000, beside="alone",
        )  # fmt: skip
    report(f"a backup of {size:.0f} MB with its check, median", median(took), "s")


def _rounds(user: User, event: UUID) -> Iterator[None]:
    """Save a round at each table in turn, one for each step."""
    tables = list(Table.objects.filter(stage__tournament__uid=event))
    for number, table in product(range(1, 100), tables):
        players = list(table.seats.order_by("position").values_list("entry__uid", flat=True))
        winner = Entry.objects.only("uid").get(uid=players[number % len(players)]).uid
        hands = {str(player): {"1": 1} for player in players if player != winner}
        command = Command(uuid4(), user, "benchmark")
        actions.record_round(
            command, event, table=table.uid, play=uuid4(), number=number, winner=winner, hands=hands
        )
        yield


def _paced(rounds: Iterator[None], a_second: float) -> float:
    """Seconds that the next save takes; the pause after it is not counted."""
    began = perf_counter()
    next(rounds)
    took = perf_counter() - began
    time.sleep(max(0.0, 1 / a_second - took))
    return took


if __name__ == "__main__":
    run(main, 1, 20.0, 5)
