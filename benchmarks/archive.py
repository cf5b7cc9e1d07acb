#!/usr/bin/env python
"""How long an event of 1,000 players and 10,000 results takes to leave as an archive and to come back, verified.

Beside it Django's own dumpdata and loaddata of the same tables, which check nothing; and a copy of the public pages.
Seconds, megabytes of the file, and by how many megabytes the process grew meanwhile, from one run on the database that
the settings name (a temporary SQLite database when LASTCARD_DATA is not set). `archive.py 100` for 100 players.
"""

import os
import random
import resource
import sys
import tempfile
from collections.abc import Callable
from datetime import date
from pathlib import Path
from time import perf_counter
from uuid import uuid4

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournament.settings")
os.environ.setdefault("LASTCARD_DATA", tempfile.mkdtemp(prefix="lastcard-benchmark-"))

import django

django.setup()

from django.core.management import call_command
from django.db import connection

from tests.archive.archives import forget_everything
from tournament import actions
from tournament.actions import Command
from tournament.archive.reading import Archive
from tournament.archive.static import write_zip
from tournament.archive.stored import export_event
from tournament.models import Result, Table, Tournament, User

AT_A_TABLE, ROUNDS = 5, 10


def main(players: int) -> None:
    call_command("migrate", verbosity=0)
    call_command("collectstatic", verbosity=0, interactive=False)
    event = played(players)
    print(
        f"{players} players, {Result.objects.count()} results, {event.version} ledger rows, {connection.vendor}"
    )
    folder = Path(tempfile.mkdtemp(prefix="lastcard-benchmark-"))
    file, dump, copy = folder / "event.zip", folder / "dump.json", folder / "pages.zip"
    with file.open("wb") as out:
        measured("export", lambda: export_event(event, out), file)
    measured("  dumpdata", lambda: call_command("dumpdata", "tournament", output=str(dump)), dump)
    forget_everything()
    with file.open("rb") as archive:
        measured("import", lambda: actions.import_event(Archive(archive), by=None), file)
    forget_everything()
    measured("  loaddata", lambda: call_command("loaddata", str(dump), verbosity=0), dump)
    with copy.open("wb") as out:
        measured("copy of the pages, three languages", lambda: write_zip(Tournament.objects.get(), out), copy)


def measured(what: str, do: Callable[[], object], file: Path) -> None:
    before, start = memory(), perf_counter()
    do()
    took = perf_counter() - start
    print(
        f"{what}: {took:.2f} s, file {file.stat().st_size / 1e6:.1f} MB, memory +{memory() - before:.0f} MB"
    )


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
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
