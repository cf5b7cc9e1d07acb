"""Rehearsal of an event day by HTTP (docs/rehearsal.md).

| module | role |
| --- | --- |
| `plan.py` | size, entries |
| `organiser.py` | set-up, removal by JSON API |
| `phones.py` | process: referees' phones |
| `watchers.py` | process: watching phones |
| `own_server.py` | own server, killed midway |
| `report.py` | verdict |
"""

import json
import os
import platform
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, datetime
from random import Random
from typing import Any

from tournament.extras.rehearsal.organiser import Event, Impossible, Organiser, number_of_parts
from tournament.extras.rehearsal.own_server import ROOT, OwnServer
from tournament.extras.rehearsal.phones import Sent
from tournament.extras.rehearsal.plan import Size, day_at
from tournament.extras.rehearsal.report import (
    Report,
    Spread,
    compare,
    counted,
    differing,
    memory_of_processes,
)
from tournament.server.machine import memory

CUT_SHARE, CUT_EVERY = 0.01, 10.0  # share of streams, seconds
SAMPLE = 0.5  # seconds between memory samples
RESTART = 0.5  # share of the day
CROWDED = 30  # watchers per page connection, as behind a proxy
FEWEST = 8

Say = Callable[[str], None]


class Helper:
    """Child process with a line-based JSON protocol."""

    def __init__(self, module: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", f"tournament.extras.rehearsal.{module}"],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self._heard()

    def ask(self, **what: Any) -> Any:
        """Request and answer. Raises Impossible if the process ended."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(what) + "\n")
        self._process.stdin.flush()
        return self._heard()

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()

    def _heard(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise Impossible("The rehearsal's phones stopped; see above.")
        return json.loads(line)


class Watching(threading.Thread):
    """Samples the own server's memory and kills it once midway."""

    def __init__(self, own: OwnServer, size: Size) -> None:
        super().__init__(daemon=True)
        self.samples: list[tuple[float, int, float]] = []
        self._own, self._size = own, size
        self._ended = threading.Event()
        self.failed = ""

    def run(self) -> None:
        kill_at = time.monotonic() + self._size.seconds * RESTART
        restarts = self._size.faults
        while not self._ended.wait(SAMPLE):
            if restarts and time.monotonic() >= kill_at:
                restarts = False
                self._own.kill()
                try:
                    self._own.start()
                except Impossible as why:
                    self.failed = str(why)
                    return
            if held := memory(self._own.pid):
                self.samples.append((time.monotonic(), self._own.pid, held / 2**20))

    def end(self) -> None:
        self._ended.set()
        self.join()


def rehearse(organiser: Organiser, size: Size, own: OwnServer | None, say: Say) -> Report:
    """Run the rehearsal; `own`: its own server, if any. Raises Impossible."""
    if size.problem():
        raise Impossible(size.problem())
    began = datetime.now(UTC)
    name = f"Rehearsal {began:%Y-%m-%d %H:%M:%S}"
    say(f"{name}: {size.players:,} players at {size.tables} tables are seated.")
    event = organiser.found(size, name)
    phones, watchers = Helper("phones"), Helper("watchers")
    watching = Watching(own, size) if own else None
    try:
        say(f"{size.referees} referees join with their phones.")
        phones.ask(do="join", to=asdict(organiser.address), links=event.links, seed=size.seed)
        say(f"{size.watchers:,} phones open their pages.")
        _open_pages(organiser, event, size, watchers)
        say(f"The day begins. It takes {size.seconds:.0f} s.")
        if size.faults:
            watchers.ask(do="cut", share=CUT_SHARE, every=CUT_EVERY)
        played, took = _play(event, size, phones, watching)
        sent = [Sent(**each) for each in played["sent"]]
        acknowledged = sorted((each.at, each.sequence) for each in sent if each.state == "saved")
        fresh = watchers.ask(do="freshness", acknowledged=acknowledged)
        parts: Sequence[float] = fresh["spread"] or [0.0] * 1001
        say("The day is over. Checking every acknowledged entry.")
        found = compare(sent, organiser.all(f"tournaments/{event.uid}/ledger"))
        wrong = [f"The ledger has no row {gap}." for gap in found.gaps[:10]]
        wrong += [f"Refused: {each.said}" for each in sent if each.state == "refused"][:10]
        return Report(
            name=name,
            began=f"{began:%Y-%m-%d %H:%M} UTC",
            machine=f"{os.cpu_count()} processors, {platform.system()}, Python {platform.python_version()}",
            size=size,
            took=took,
            statuses=played["answers"],
            freshness=Spread(fresh["pairs"], parts[500], parts[950], parts[990], parts[1000]),
            never_fresh=fresh["never"],
            behind=fresh["behind"],
            streams_cut=fresh["cut"],
            memory=memory_of_processes(watching.samples, size.seconds) if watching else (),
            load=os.getloadavg() if hasattr(os, "getloadavg") else (),
            wrong=[*wrong, *_wrong_results(organiser, event, own)],
            **counted(sent, found),
        )
    finally:
        if watching and watching.is_alive():
            watching.end()
        phones.close()
        watchers.close()
        with suppress(Impossible):  # do not mask the original error
            organiser.put_away(event)


def _open_pages(organiser: Organiser, event: Event, size: Size, watchers: Helper) -> None:
    """Half watch the first standings page, an eighth the event, `own_pages` a player."""
    parts = number_of_parts(organiser.page(event.stage_page(1)))
    own_pages = round(size.watchers * size.own_pages)
    left = size.watchers - own_pages
    looking = Counter({(event.stage_page(1), event.stage): left // 2, (event.page, event.uid): left // 8})
    later = range(2, parts + 1) if parts > 1 else [1]
    for watcher in range(left - left // 2 - left // 8):
        looking[event.stage_page(later[watcher % len(later)]), event.stage] += 1
    players = [player for seats in event.seats.values() for player in seats]
    for number in range(own_pages):
        looking[f"{event.page}player/{players[number % len(players)]}/", event.uid] += 1
    for (path, scope), streams in looking.items():
        if streams:
            watched = asdict(organiser.address) | {
                "path": path, "scope": scope, "fetches": True, "history": True
            }  # fmt: skip
            watchers.ask(
                do="open",
                streams=streams,
                watched=watched,
                pages=min(streams, max(FEWEST, size.watchers // CROWDED)),
            )


def _play(event: Event, size: Size, phones: Helper, watching: Watching | None) -> tuple[Any, float]:
    """Returns (phones' report, seconds). Raises Impossible."""
    random = Random(size.seed)
    tables = [
        [asdict(entry) for entry in day_at(table, players, size, random)]
        for table, players in event.seats.items()
    ]
    if watching:
        watching.start()
    played = phones.ask(do="play", tables=tables, seconds=size.seconds, faults=size.faults)
    took = time.monotonic() - played["begin"]
    if watching:
        watching.end()
        if watching.failed:
            raise Impossible(watching.failed)
    return played, took


def _wrong_results(organiser: Organiser, event: Event, own: OwnServer | None) -> list[str]:
    """Standings that differ from score sheets; of an own server also errors."""
    shown = organiser.read(f"stages/{event.stage}/standings")
    wrong = [
        f"The standings differ from the score sheet ({table})."
        for table in differing(organiser.read(f"stages/{event.stage}/sheets"), shown)
    ]
    if own:
        if "Traceback" in own.log.read_text():
            wrong.append(f"The server's log has an error:\n{own.log.read_text()[-3000:]}")
        own.kill()
        own.begin()
        try:
            own.manage("verify", event.slug)
        except Impossible as found:
            wrong.append(str(found))
        own.wait()
        if organiser.read(f"stages/{event.stage}/standings") != shown:
            wrong.append("The standings differ from those of a freshly started server.")
    return wrong
