#!/usr/bin/env python
"""What the check of each minute costs in an event of 10,000 plays: `python benchmarks/ledger_check.py`.

The first look of a process reads and compares everything; the next ones, with a save or a hundred between them, read it
and compare what is new. Beside them, as the reference, `verify`. Times are of the wall and of the processor; `held` is
how long one moment of the database was read, while SQLite's writers wait for the end of their commit.
"""

from contextlib import contextmanager
from random import Random
from time import perf_counter

import big_event
from big_event import Spent, build, call_command, game_form, save, snapshot, spent, stored
from django.test import Client

from tournament.ledger import look as looking
from tournament.ledger.look import Known, look
from tournament.ledger.verify import verify
from tournament.models import Tournament

PLAYERS, RESULTS, MOST_S = 10_000, 100_000, 1.0


def main() -> None:
    call_command("migrate", verbosity=0)
    build(PLAYERS, RESULTS)
    event = stored(PLAYERS)
    pk = Tournament.objects.get(uid=event.tournament).pk
    held: list[float] = []

    @contextmanager
    def timed():
        begun = perf_counter()
        with snapshot():
            yield
        held.append(perf_counter() - begun)

    looking.snapshot = timed
    known = Known()

    def once(what: str) -> Spent:
        nonlocal known

        def call() -> None:
            nonlocal known
            seen = look(pk, known)
            assert not seen.findings, seen.findings[:3]
            known = seen.known

        took = spent(call)
        print(f"  {what}: {took}, held {held[-1] * 1000:.0f} ms")
        return took

    print(f"{PLAYERS:,} players, {RESULTS:,} results")
    once("first look of a process")
    quiet = once("nothing new")
    client, chance = Client(), Random(3)
    client.force_login(event.user)
    save(client, game_form(event, event.tables[0], chance))
    once("after a save")
    for _ in range(100):
        save(client, game_form(event, chance.choice(event.tables), chance))
    busy = once("after a hundred saves")

    def whole() -> None:
        with snapshot():
            assert not verify(Tournament.objects.get(pk=pk))

    print(f"  verify, the reference: {spent(whole)}")
    print(f"processor a minute: {max(quiet.cpu, busy.cpu):.2f} s of {MOST_S:.0f} s")


if __name__ == "__main__":
    assert big_event
    main()
