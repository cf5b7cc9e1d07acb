#!/usr/bin/env python
"""A referee's save while the workbook of 10,000 results is written, beside the same save with nothing else to do.

    python benchmarks/save_exported.py [players] [results]

The event is that of big_event.py, on a temporary SQLite database. A save is the POST of one KPGUT game of ten players
to the desk. Saves are made in turns: alone, beside a job (a process of its own, as the server begins it), and beside a
thread of this process that writes the same workbook, which is what the job saves them from.
"""

import random
import subprocess
import sys
from collections.abc import Callable
from io import BytesIO
from statistics import median
from threading import Thread
from time import perf_counter

import big_event
from big_event import Big, Client, call_command, connection, game_form, save, stored

from tournament.exports import jobs, kept
from tournament.exports.reading import read_event
from tournament.exports.workbook import write_workbook
from tournament.live.snapshot import snapshot
from tournament.models import Tournament

TURNS, ALONE = 2, 20  # turns of each kind; saves of a turn alone

Beside = Callable[[], Callable[[], bool]]  # begins the work; what it gives tells whether it goes on


def main(players: int = 1_000, results: int = 10_000) -> None:
    call_command("migrate", verbosity=0)
    subprocess.run([sys.executable, big_event.__file__, "build", str(players), str(results)], check=True)
    event, client, chance = stored(players), Client(), random.Random(3)
    client.force_login(event.user)
    ways: dict[str, Beside] = {
        "alone": lambda: lambda: True,
        "beside a job": lambda: beside_job(event),
        "beside a thread": lambda: beside_thread(event),
    }
    took: dict[str, list[float]] = {name: [] for name in ways}
    save(client, game_form(event, event.tables[0], chance))  # what a new process has to learn first
    for name, begin in [each for _ in range(TURNS) for each in ways.items()]:
        goes_on, begun, found = begin(), perf_counter(), []
        while goes_on() and (name != "alone" or len(found) < ALONE):
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
            print(f"save {name}, {percent}%: {one:.0f} ms (alone {other:.0f} ms, ratio {one / other:.2f})")


def beside_job(event: Big) -> Callable[[], bool]:
    series = kept.Series(event.tournament, kept.ORGANISERS, "en")
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
    main(*map(int, sys.argv[1:4]))
