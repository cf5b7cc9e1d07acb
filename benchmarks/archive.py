#!/usr/bin/env python
"""How long an event of 1,000 players and 10,000 results takes to leave as an archive and to come back, verified.

Beside it Django's own dumpdata and loaddata of the same tables, which check nothing; and a copy of the public pages.
Each also says the size of the file and by how much the process grew meanwhile. One run on the database that
DATABASE_URL names (a temporary SQLite database without it): `python -m benchmarks.archive [players]`.
"""

import random
import resource
import tempfile
from collections.abc import Callable
from datetime import date
from pathlib import Path
from time import perf_counter
from uuid import uuid4

from benchmarks._data import use_django

use_django()

from django.core.management import call_command
from django.db import connection

from benchmarks._figures import report, run
from tests.support.archives import forget_everything
from tournament import actions
from tournament.actions import Command
from tournament.extras.archive.actions import import_event
from tournament.extras.archive.files.reading import Archive
from tournament.extras.archive.files.static_copy import write_zip
from tournament.extras.archive.files.stored import export_event
from tournament.models import Result, Table, Tournament, User

AT_A_TABLE, ROUNDS = 5, 10


def main(players: int = 1000) -> None:
    event = played(players)
    print(
        f"{players} players, {Result.objects.count()} results, {event.version} ledger rows, {connection.vendor}"
    )
    with tempfile.TemporaryDirectory(prefix="lastcard-benchmark-") as name:
        folder = Path(name)
        file, dump, copy = folder / "event.zip", folder / "dump.json", folder / "pages.zip"
        with file.open("wb") as out:
            exported = seconds("export", lambda: export_event(event, out), file)
        dumped = seconds("dumpdata", lambda: call_command("dumpdata", "tournament", output=str(dump)), dump)
        forget_everything()
        with file.open("rb") as archive:
            imported = seconds("import", lambda: import_event(Archive(archive), by=None), file)
        forget_everything()
        loaded = seconds("loaddata", lambda: call_command("loaddata", str(dump), verbosity=0), dump)
        with copy.open("wb") as out:
            copied = seconds("pages", lambda: write_zip(Tournament.objects.get(), out), copy)
    report(f"{players} players exported", exported, "s", reference=dumped, beside="dumpdata")
    report(f"{players} players imported", imported, "s", reference=loaded, beside="loaddata")
    report(
        f"{players} players' pages copied, three languages", copied, "s", reference=dumped, beside="dumpdata"
    )


def seconds(what: str, do: Callable[[], object], file: Path) -> float:
    before, start = memory(), perf_counter()
    do()
    took = perf_counter() - start
    print(f"{what}: file {file.stat().st_size / 1e6:.1f} MB, memory +{memory() - before:.0f} MB")
    return took


def memory() -> float:
    """The most that this process ever held, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def played(players: int) -> Tournament:
    """A match stage in which every table has played its rounds."""
    user = User.objects.create(username=f"benchmark-{uuid4().hex[:8]}", is_staff=True)
    event, stage, chance = uuid4(), uuid4(), random.Random(1)
    entries = [{"entry": uuid4(), "name": f"Player {number}"} for number in range(players)]

    def act(action: Callable[..., object], **arguments: object) -> None:
        action(Command(uuid4(), user), event, **arguments)

    act(actions.create_tournament, name="Benchmark", starts_on=date(2026, 1, 1), ruleset="mattel-108")
    act(actions.plan_stage, stage=stage, kind="match", settings={"target": 100_000})
    act(actions.enter_players, players=entries)
    for number, first in enumerate(range(0, players, AT_A_TABLE), 1):
        seated = [entry["entry"] for entry in entries[first : first + AT_A_TABLE]]
        act(actions.seat_table, stage=stage, table=uuid4(), number=number, entries=seated)
    act(actions.start_stage, stage=stage)
    for table in Table.objects.filter(stage__uid=stage):
        seated = list(table.seats.order_by("position").values_list("entry__uid", flat=True))
        for number in range(1, ROUNDS + 1):
            winner = chance.choice(seated)
            hands = {str(each): {str(chance.randint(0, 9)): 1} for each in seated if each != winner}
            act(
                actions.record_round, table=table.uid, play=uuid4(), number=number, winner=winner, hands=hands
            )
    return Tournament.objects.get(uid=event)


if __name__ == "__main__":
    run(main, 10)
