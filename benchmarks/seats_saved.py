#!/usr/bin/env python
"""How long it takes to seat 500 players, from the POST of the organiser's form to the answer, beside a bare bulk_create
of the same seats in a transaction of its own; and how long the draw before it takes, from the GET to the page.

Prints the best and the slowest of five, on the database that DATABASE_URL names (a temporary SQLite database without
it). The two take turns, so that whatever else the machine does is shared fairly. It runs in one process, through every
layer but the network.
"""

import re
from collections.abc import Callable
from datetime import date
from html import unescape
from time import perf_counter
from uuid import UUID, uuid4

from benchmarks._data import use_django

use_django()

from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from benchmarks._figures import report, run
from tournament import actions
from tournament.actions import Command
from tournament.models import Entry, Seat, Table, User

PLAYERS, CLUBS, TIMES = 500, 30, 5
FIELD = re.compile(r'<input[^>]* name="([^"]+)"(?:[^>]*? value="([^"]*)")?')


def main(times: int = TIMES, players: int = PLAYERS) -> None:
    user = User.objects.create(username=f"benchmark-{uuid4().hex[:8]}", is_superuser=True, is_staff=True)
    client = Client(HTTP_HOST="localhost")
    client.force_login(user)
    event, stage = founded(user, players)
    other = founded(user, players)[1]
    page = reverse("organise-seats", args=[stage])
    drawn, saved, bare = [], [], []
    for seed in range(times):
        start = perf_counter()
        answer = client.get(f"{page}?draw=1&seed={seed}")
        drawn.append(perf_counter() - start)
        form = answer.content.decode().partition("data-guard")[2]
        data = {name: unescape(value) for name, value in FIELD.findall(form)}
        start = perf_counter()
        answer = client.post(page, data)
        saved.append(perf_counter() - start)
        assert answer.status_code == 303, answer.status_code
        bare.append(inserted(stage, other))
    assert Seat.objects.filter(table__stage__uid=stage, entry__tournament__uid=event).count() == players
    for name, found in (("drawn and shown", drawn), ("saved", saved)):
        report(
            f"{players} players {name} on {connection.vendor}, best", min(found), "s",
            reference=min(bare), beside="bare bulk_create",
        )  # fmt: skip
        print(f"  slowest {max(found):.3f} s")


def founded(user: User, count: int) -> tuple[UUID, UUID]:
    """An event with its players here, and its planned heats."""
    event, stage = uuid4(), uuid4()

    def act(action: Callable[..., object], **arguments: object) -> None:
        action(Command(uuid4(), user), event, **arguments)

    act(
        actions.create_tournament,
        name="Benchmark",
        starts_on=date(2026, 1, 1),
        ruleset="tite-2022",
        organiser_name="Benchmark",
        slug=f"benchmark-{event.hex[:8]}",
    )
    players = [
        {"entry": uuid4(), "name": f"Player {number}", "club": f"Club {number % CLUBS}"}
        for number in range(count)
    ]
    act(actions.enter_players, players=players)
    act(actions.check_in, entries=[player["entry"] for player in players])
    act(actions.plan_stage, stage=stage, kind="heats")
    return event, stage


def inserted(stage: UUID, other: UUID) -> float:
    """Seconds for the tables and seats of the first stage, stored for the other one with nothing around them."""
    tables = Table.objects.filter(stage__uid=stage).prefetch_related("seats")
    entries = list(Entry.objects.filter(tournament__stages__uid=other))
    rows = [(table.number, len(table.seats.all())) for table in tables]
    Seat.objects.filter(table__stage__uid=other).delete()
    Table.objects.filter(stage__uid=other).delete()
    there = Table.objects.filter(stage__uid=other)
    stage_id = type(tables[0].stage).objects.get(uid=other).pk
    start = perf_counter()
    with transaction.atomic():
        Table.objects.bulk_create([Table(stage_id=stage_id, number=number) for number, _size in rows])
        people = iter(entries)
        Seat.objects.bulk_create(
            [
                Seat(table=table, entry=next(people), position=position)
                for table, (_number, size) in zip(there.order_by("number"), sorted(rows), strict=True)
                for position in range(1, size + 1)
            ]
        )
    return perf_counter() - start


if __name__ == "__main__":
    run(main, 1, 60)
