#!/usr/bin/env python
"""How long a match round takes to save, beside a bare Django insert of the same rows in a transaction of its own.

Prints the median and the 99th percentile of both, in milliseconds, and their ratio, from one run on the database that
DATABASE_URL names (a temporary SQLite database without it). The two take turns, so that whatever
else the machine does is shared fairly.
"""

import random
from collections.abc import Callable
from datetime import UTC, date, datetime
from functools import partial
from statistics import median, quantiles
from time import perf_counter
from uuid import UUID, uuid4

from benchmarks._data import use_django

use_django()

from django.db import connection, transaction

from benchmarks._figures import report, run
from tournament import actions
from tournament.actions import Command
from tournament.models import Entry, LedgerRow, Play, Result, Table, Tournament, User

TABLES, PLAYERS, ROUNDS = 25, 6, 12  # an evening: 25 tables of six, twelve rounds each


def main(rounds: int = ROUNDS, at_tables: int = TABLES) -> None:
    user, event = founded(at_tables)
    tables = list(Table.objects.filter(stage__tournament__uid=event))
    chance = random.Random(1)
    saved: list[float] = []
    inserted: list[float] = []
    bare = BareInserts(user)
    for number in range(1, rounds + 1):
        for table in tables:
            players = [
                str(uid) for uid in table.seats.order_by("position").values_list("entry__uid", flat=True)
            ]
            winner = chance.choice(players)
            hands = {player: {str(chance.randint(0, 9)): 1} for player in players if player != winner}
            call = partial(
                actions.record_round, Command(uuid4(), user, "benchmark"), event, table=table.uid, play=uuid4(),
                number=number, winner=UUID(winner), hands=hands,
            )  # fmt: skip
            saved.append(timed(call))
            inserted.append(timed(bare.insert))
    for name, pick in (("median", median), ("p99", lambda times: quantiles(times, n=100)[98])):
        ours, reference = pick(saved) * 1000, pick(inserted) * 1000
        report(
            f"round saved on {connection.vendor}, {name}", ours, "ms", reference=reference, beside="bare insert",
            aim="ratio 3" if name == "median" else "",
        )  # fmt: skip


def timed(call: Callable[[], object]) -> float:
    start = perf_counter()
    call()
    return perf_counter() - start


def founded(tables: int = TABLES) -> tuple[User, UUID]:
    """A running match stage with every table seated."""
    user = User.objects.create(username=f"benchmark-{uuid4().hex[:8]}", is_staff=True)
    event, stage = uuid4(), uuid4()
    entries = [{"entry": uuid4(), "name": f"Player {number}"} for number in range(tables * PLAYERS)]

    def act(action: Callable[..., object], **arguments: object) -> None:
        action(Command(uuid4(), user), event, **arguments)

    act(
        actions.create_tournament,
        name="Benchmark",
        starts_on=date(2026, 1, 1),
        ruleset="mattel-108",
        organiser_name="Benchmark",
        slug=f"benchmark-{event.hex[:8]}",
    )
    act(actions.plan_stage, stage=stage, kind="match", settings={"target": 100_000})
    act(actions.enter_players, players=entries)
    for number in range(tables):
        seated = [entry["entry"] for entry in entries[number * PLAYERS : (number + 1) * PLAYERS]]
        act(actions.seat_table, stage=stage, table=uuid4(), number=number + 1, entries=seated)
    act(actions.start_stage, stage=stage)
    return user, event


class BareInserts:
    """The rows of a saved round, inserted with nothing around them: a play, six results, a ledger row."""

    def __init__(self, user: User) -> None:
        self.user = user
        self.tournament = Tournament.objects.create(
            organiser=Tournament.objects.latest("pk").organiser,
            slug=f"bare-{uuid4().hex[:8]}",
            name="Bare",
            starts_on=date(2026, 1, 1),
            ruleset="mattel-108",
            ruleset_revision="1",
        )
        stage = self.tournament.stages.create(number=1, kind="match")
        self.table = stage.tables.create(number=1)
        self.entries = list(Entry.objects.order_by("pk")[:PLAYERS])
        self.number = 0

    def insert(self) -> None:
        self.number += 1
        with transaction.atomic():
            play = Play.objects.create(table=self.table, number=self.number, state="entered")
            rows = [
                Result(play=play, entry=entry, outcome="holds" if index else "won", hand={"7": 1})
                for index, entry in enumerate(self.entries)
            ]
            Result.objects.bulk_create(rows)
            facts = {"entry": str(uuid4()), "hand": {"7": 1}, "outcome": "holds", "uid": str(uuid4())}
            LedgerRow.objects.create(
                tournament=self.tournament,
                sequence=self.number,
                at=datetime.now(UTC),
                actor=self.user,
                command=uuid4(),
                action="record_round",
                payload={"play": {str(play.uid): {"results": [facts] * PLAYERS}}},
                content="0" * 64,
                digest="0" * 64,
            )


if __name__ == "__main__":
    run(main, 2, 2)
