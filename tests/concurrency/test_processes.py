"""Two server processes with four writers each, all at one table: each round has one accepted version, a writer who was
too late got a conflict that names it, and nothing is lost. 2,000 rounds with LASTCARD_SOAK=1, on either database."""

import os
import subprocess
import sys
from collections import Counter

import pytest

from tests.depth import SOAK
from tests.support.factories import running_match
from tests.support.processes import on_this_database
from tournament.ledger.verify import verify
from tournament.models import LedgerRow, Play

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]

PROCESSES, WRITERS = 2, 4
TABLES, ROUNDS = (20, 100) if SOAK else (1, 8)  # at each table one after the other

# Every writer writes every round, with a winner of its own choice, and tells what became of it.
WRITER = """
import sys, uuid
from threading import Lock, Thread
import django
django.setup()
from django.db import connection
from tournament import actions
from tournament.results.faults import Conflict
from tournament.models import Table, User
tables = [Table.objects.select_related("stage__tournament").get(uid=uid) for uid in sys.argv[4:]]
user = User.objects.get(uid=sys.argv[1])
rounds, writers, said = int(sys.argv[2]), int(sys.argv[3]), Lock()

def say(*words):
    with said:
        print(*words, flush=True)

def write(writer):
    try:
        for table in tables:
            seated = list(table.seats.order_by("position").values_list("entry__uid", flat=True))
            for number in range(1, rounds + 1):
                play, winner = uuid.uuid4(), seated[(writer + number) % len(seated)]
                try:
                    actions.record_round(
                        actions.Command(uuid.uuid4(), user), table.stage.tournament.uid, table=table.uid, play=play,
                        number=number, winner=winner, hands={str(uid): {"0": 1} for uid in seated if uid != winner},
                    )
                    say("accepted", table.uid, number, play)
                except Conflict as conflict:
                    say("conflict", table.uid, number, conflict.current.play.uid)
    finally:
        connection.close()

say("ready")
sys.stdin.readline()
threads = [Thread(target=write, args=(writer,)) for writer in range(writers)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""


@pytest.mark.sweep
def test_each_round_has_one_version_and_the_others_are_told_which() -> None:
    made = running_match(players=2 * TABLES, tables=TABLES)
    before = made.tournament.version
    tables = [str(table.uid) for table in made.tables]
    told = [line.split() for line in _written([str(made.user.uid), str(ROUNDS), str(WRITERS), *tables])]
    assert Counter(outcome for outcome, *_rest in told) == {
        "accepted": TABLES * ROUNDS,
        "conflict": TABLES * ROUNDS * (PROCESSES * WRITERS - 1),
    }
    stored = {
        (str(table), str(number)): str(play)
        for table, number, play in Play.objects.values_list("table__uid", "number", "uid")
    }
    assert all(stored[table, number] == play for _outcome, table, number, play in told)
    made.refresh()
    sequences = LedgerRow.objects.filter(tournament=made.tournament).values_list("sequence", flat=True)
    assert list(sequences) == list(range(1, before + TABLES * ROUNDS + 1))
    assert verify(made.tournament) == []


def _written(arguments: list[str]) -> list[str]:
    """Start the writers of both processes at the same moment and give their output."""
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, *arguments],
            env=os.environ | on_this_database(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(PROCESSES)
    ]
    for process in processes:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
    for process in processes:  # both begin before either is waited for
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    said = [process.communicate() for process in processes]
    assert [errors for _said, errors in said if errors] == []
    return [line for output, _errors in said for line in output.splitlines()]
