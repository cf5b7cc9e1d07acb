#!/usr/bin/env python
"""The cost of the check of each minute in an event of 10,000 plays: `python -m benchmarks.ledger_check [players]`.

The first look of a process reads and compares everything; the next ones, with a save or a hundred between them, read it
and compare what is new. The reference is `verify`. Times are of the processor; `held` is how long one moment of the
database was read, while SQLite's writers wait for the end of their commit.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from time import perf_counter, thread_time

from django.test import Client

from benchmarks._figures import report, run
from benchmarks.big_event import GAMES, Spent, build, game_form, save, spent, stored  # sets Django up
from tournament.ledger import look as looking
from tournament.ledger.look import Known, look
from tournament.ledger.verify import verify
from tournament.models import Tournament
from tournament.server.database import snapshot

PLAYERS, SAVES, MOST_S, MOST_HELD_MS = 10_000, 100, 1.0, 100


def main(players: int = PLAYERS, saves: int = SAVES) -> None:
    build((players, GAMES))
    event = stored(players, GAMES)
    pk = Tournament.objects.get(uid=event.tournament).pk
    held: list[tuple[float, float]] = []

    @contextmanager
    def timed() -> Iterator[None]:
        worked, begun = thread_time(), perf_counter()
        with snapshot():
            yield
        held.append((thread_time() - worked, perf_counter() - begun))

    looking.snapshot = timed  # type: ignore[attr-defined]
    known = Known()
    longest: list[float] = []

    def once(what: str) -> Spent:
        nonlocal known

        def call() -> None:
            nonlocal known
            seen = look(pk, known)
            assert not seen.findings, seen.findings[:3]
            known = seen.known

        held.clear()
        took = spent(call)
        worked, waited = (1000 * max(each) for each in zip(*held, strict=True))
        longest.append(worked)
        print(f"  {what}: {took}, held {worked:.0f} ms of the processor, {waited:.0f} ms by the clock")
        return took

    def whole() -> None:
        with snapshot():
            assert not verify(Tournament.objects.get(pk=pk))

    print(f"{players:,} players, {players * GAMES:,} results")
    found = {"first look of a process": once("first look of a process"), "nothing new": once("nothing new")}
    client, chance = Client(), Random(3)
    client.force_login(event.user)
    for count in (1, saves):
        for _ in range(count):
            save(client, game_form(event, chance.choice(event.tables), chance))
        what = f"after {count} save{'s'[: count > 1]}"
        found[what] = once(what)
    reference = spent(whole)
    for what, each in found.items():
        aim = "" if what.startswith("first") else f"{MOST_S:.0f} s"
        report(what, each.cpu, "s of the processor", reference=reference.cpu, beside="verify", aim=aim)
    report("longest hold of the database", max(longest), "ms of the processor", aim=f"{MOST_HELD_MS} ms")


if __name__ == "__main__":
    run(main, 20, 2)
