"""How long 500 queued entries take to arrive, beside a reference: `python benchmarks/outbox.py`.

Rounds of 25 tables of six, as phones kept them through an afternoon without network, go through the view that takes an
outbox in batches of 50; the reference is the same rounds by bare calls of the action. The two take turns, batch by
batch, on the database that the settings name (a temporary SQLite database when LASTCARD_DATA is not set).
"""

import json
import os
import sys
import tempfile
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
from django.test import Client
from django.urls import reverse

from benchmarks.save import founded
from tournament import actions
from tournament.actions import Command
from tournament.models import Play, Table

ENTRIES, BATCH, MOST_SECONDS = 500, 50, 10


def main() -> None:
    call_command("migrate", verbosity=0)
    user, event = founded()
    other, reference = founded()
    client = Client()
    client.force_login(user)
    kept, bare = list(rounds(event)), list(rounds(reference))
    sending = calling = 0.0
    for start in range(0, ENTRIES, BATCH):
        batch = [entry(*each) for each in kept[start : start + BATCH]]
        body = json.dumps({"user": str(user.uid), "now": 1, "entries": batch})
        began = perf_counter()
        answer = client.post(reverse("desk-send"), body, content_type="application/json").json()
        sending += perf_counter() - began
        assert {each["state"] for each in answer["answers"]} == {"saved"}, answer
        began = perf_counter()
        for table, number, winner, hands in bare[start : start + BATCH]:
            command = Command(uuid4(), other, "benchmark")
            actions.record_round(
                command, reference, table=table.uid, play=uuid4(), number=number, winner=winner, hands=hands
            )
        calling += perf_counter() - began
    assert Play.objects.count() == 2 * ENTRIES
    print(
        f"{ENTRIES} queued entries arrive on {connection.vendor}: {sending:.1f} s of {MOST_SECONDS} "
        f"(bare actions {calling:.1f} s, ratio {sending / calling:.2f})"
    )


def rounds(event: object) -> object:
    """So many rounds, in turn at each table: (table, number, winner, hands)."""
    tables = list(Table.objects.filter(stage__tournament__uid=event))
    players = {
        table: list(table.seats.order_by("position").values_list("entry__uid", flat=True)) for table in tables
    }
    for index in range(ENTRIES):
        table, number = tables[index % len(tables)], index // len(tables) + 1
        winner, *others = players[table]
        yield table, number, winner, {str(uid): {str(number % 9 + 1): 1} for uid in others}


def entry(table: Table, number: int, winner: object, hands: dict[str, dict[str, int]]) -> dict[str, object]:
    """A round as the phone keeps it."""
    command = str(uuid4())
    fields = {"command": command, "play": uuid4(), "number": number, "version": 0, "winner": winner}
    cards = {f"hand-{player}-{card}": count for player, hand in hands.items() for card, count in hand.items()}
    return {
        "command": command,
        "kind": "round",
        "url": reverse("table-record", args=[table.uid]),
        "fields": [[name, str(value)] for name, value in {**fields, **cards}.items()],
        "queued": 1,
    }


if __name__ == "__main__":
    main()
