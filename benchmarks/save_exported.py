#!/usr/bin/env python
"""A referee's save while the workbook of a big event is written, beside the same save with nothing else to do.

    python -m benchmarks.save_exported [players] [saves alone] [turns]

The event is that of big_event.py, on a temporary SQLite database. A save is the POST of one KPGUT game of ten players
to the desk. Saves are made in turns: alone, beside a job (a process of its own, as the server begins it), and beside a
thread of this process that writes the same workbook, which is what the job saves them from.
"""

import random
from collections.abc import Callable
from io import BytesIO
from statistics import median
from threading import Thread
from time import perf_counter

from django.db import connection
from django.test import Client

from benchmarks._data import in_another_process
from benchmarks._figures import report, run
from benchmarks.big_event import GAMES, Big, game_form, save, stored  # sets Django up
from tournament.extras.workbook.files import jobs, jobs as cache
from tournament.extras.workbook.files.sheets import write_workbook
from tournament.files.workbook.event import read_event
from tournament.models import Tournament
from tournament.server.database import snapshot

TURNS, ALONE = 2, 20  # of each kind; saves of a turn alone

Beside = Callable[[], Callable[[], bool]]  # begins the work; what it gives tells whether it goes on


def main(players: int = 1_000, saves_alone: int = ALONE, turns: int = TURNS) -> None:
    in_another_process("big_event", f"build(({players}, {GAMES}))")
    event, client, chance = stored(players, GAMES), Client(), random.Random(3)
    client.force_login(event.user)
    ways: dict[str, Beside] = {
        "alone": lambda: lambda: True,
        "beside a job": lambda: beside_job(event),
        "beside a thread": lambda: beside_thread(event),
    }
    took: dict[str, list[float]] = {name: [] for name in ways}
    save(client, game_form(event, event.tables[0], chance))  # what a new process has to learn first
    for name, begin in [each for _ in range(turns) for each in ways.items()]:
        goes_on, begun = begin(), perf_counter()
        found: list[float] = []
        while not found or (goes_on() and (name != "alone" or len(found) < saves_alone)):
            form = game_form(event, chance.choice(event.tables), chance)
            start = perf_counter()
            save(client, form)
            found.append((perf_counter() - start) * 1000)
        print(f"{name}: {len(found)} saves in {perf_counter() - begun:.1f} s")
        took[name] += found
    alone = took.pop("alone")
    for name, found in took.items():
        for percent in (50, 95, 100):
            one, other = percentile(found, percent), percentile(alone, percent)
            report(f"save {name}, {percent}%", one, "ms", reference=other, beside="alone")


def beside_job(event: Big) -> Callable[[], bool]:
    series = cache.Series(event.tournament, cache.ORGANISERS)
    assert jobs.begin(series, event.slug) == "begun"
    return lambda: jobs.look(series) is not None


def beside_thread(event: Big) -> Callable[[], bool]:
    def write() -> None:
        with snapshot():
            read = read_event(Tournament.objects.get(slug=event.slug), everything=True)
        write_workbook(read, BytesIO())
        connection.close()

    thread = Thread(target=write)
    thread.start()
    return thread.is_alive


def percentile(values: list[float], percent: int) -> float:
    return (
        sorted(values)[min(len(values) * percent // 100, len(values) - 1)]
        if percent != 50
        else median(values)
    )


if __name__ == "__main__":
    run(main, 10, 2, 1)
