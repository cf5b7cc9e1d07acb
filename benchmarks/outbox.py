"""How long 500 queued entries take to arrive, beside a reference: `python -m benchmarks.outbox [entries]`.

Rounds of 25 tables of six, as phones kept them through an afternoon without network, go through the view that takes an
outbox in batches of 50; the reference is the same rounds by bare calls of the action. The two take turns, batch by
batch, on the database that DATABASE_URL names (a temporary SQLite database without it).
"""

import json
from collections.abc import Iterator
from time import perf_counter
from uuid import UUID, uuid4

from benchmarks._data import use_django

use_django()

from django.db import connection
from django.test import Client
from django.urls import reverse

from benchmarks._figures import report, run
from benchmarks.save import TABLES, founded
from tournament import actions
from tournament.actions import Command
from tournament.models import Play, Table

ENTRIES, BATCH, MOST_SECONDS = 500, 50, 10


def main(queued: int = ENTRIES, at_tables: int = TABLES) -> None:
    user, event = founded(at_tables)
    other, reference = founded(at_tables)
    client = Client()
    client.force_login(user)
    kept, bare = list(rounds(event, queued)), list(rounds(reference, queued))
    sending = calling = 0.0
    for start in range(0, queued, BATCH):
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
    assert Play.objects.count() == 2 * queued
    report(
        f"{queued} queued entries arrive on {connection.vendor}", sending, "s",
        reference=calling, beside="bare actions", aim=f"{MOST_SECONDS} s",
    )  # fmt: skip


def rounds(event: UUID, count: int) -> Iterator[tuple[Table, int, UUID, dict[str, dict[str, int]]]]:
    """`count` rounds, in turn at each table: (table, number, winner, hands)."""
    tables = list(Table.objects.filter(stage__tournament__uid=event))
    players = {
        table: list(table.seats.order_by("position").values_list("entry__uid", flat=True)) for table in tables
    }
    for index in range(count):
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
    run(main, 10, 2)
