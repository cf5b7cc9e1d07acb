#!/usr/bin/env python
"""How long the save of one game takes in a big event, until everybody can read it.

A KPGUT session of 1,000 players with 10,000 results, one of 10,000 players and one of 1,000 with 100,000 results; ten
a table, some tables a few games ahead of others. A save is the POST of one game of ten players in the desk's outbox,
and then the stage's and the tournament's public pages, requested again. Beside it, as the reference, the same rows
written with plain SQL in one transaction, and an answer of as many bytes. Each figure is of wall time and of the
processor's time of this process; the pages' sizes are of the plain form. Memory is what the process grew by, from
before the first page to the last.

    python -m benchmarks.big_event [players of the smaller event] [saves]

The event is built through the actions, but for its games: these are written in bulk with their ledger rows, and
`verify` checks at the end that the ledger agrees with them and with the saves. On a temporary SQLite database, with
garbage collected as the server does.
"""

import gc
import json
import random
import resource
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any
from uuid import UUID, uuid4

from benchmarks._data import in_another_process, use_django

use_django()

from django.db import connection, transaction
from django.db.models import Max
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from benchmarks._figures import report, run
from tournament import actions
from tournament.actions import Command
from tournament.actions.people.players import MOST_AT_ONCE
from tournament.ledger.chain import digest_of
from tournament.ledger.verify import verify
from tournament.live.server import COLLECT
from tournament.models import Entry, LedgerRow, Play, Result, Stage, Table, Tournament, User
from tournament.results.facts import PlayFacts, ResultFacts
from tournament.seating import MOST_TABLES
from tournament.server.database import snapshot

PLAYERS, GAMES, TIMES = (
    1_000,
    10,
    10,
)  # in the smaller event; games of each player; how often as large the other is
SEATED, SAVES, MOST_MS = 10, 15, 300
AHEAD = (-2, -1, 0, 1, 2)  # games by which a table differs from the mean


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds, by the clock on the wall and by the processor's of this process."""

    wall: float
    cpu: float

    def __add__(self, other: "Spent") -> "Spent":
        return Spent(self.wall + other.wall, self.cpu + other.cpu)

    def __str__(self) -> str:
        return f"{self.wall * 1000:.0f} ms (processor {self.cpu * 1000:.0f} ms)"


@dataclass
class Big:
    """An event as this benchmark needs it: `seats` by table, `games` how many were played there."""

    user: User
    tournament: UUID
    slug: str
    stage: UUID
    tables: list[UUID]
    seats: dict[UUID, list[UUID]]
    games: dict[UUID, int] = field(default_factory=dict)


def main(players: int = PLAYERS, saves: int = SAVES) -> None:
    gc.set_threshold(*COLLECT)
    sizes = ((players, GAMES), (players * TIMES, GAMES), (players, GAMES * TIMES))
    in_another_process("big_event", f"build{sizes}")
    small, *larger = (measure(*size, saves) for size in sizes)
    for size, large in zip(sizes[1:], larger, strict=True):
        report(
            f"published, {sized(*size)}", large.cpu * 1000, "ms of the processor",
            reference=small.cpu * 1000, beside=sized(*sizes[0]), aim="ratio at most 1.5",
        )  # fmt: skip


def sized(players: int, games: int) -> str:
    return f"{players:,} players, {players * games:,} results"


def measure(players: int, games: int, count: int) -> Spent:
    """Report what a save costs in an event of this size; gives how long it took until it was published."""
    chance = random.Random(2)
    event = stored(players, games)
    print(f"{sized(players, games)} at {len(event.tables)} tables")
    client = Client()
    client.force_login(event.user)
    gc.collect()
    gc.freeze()
    before = memory()
    first = spent(lambda: pages(client, event))
    again = spent(lambda: pages(client, event, "fi"))
    saves, reads, references = [], [], []
    for _ in range(count):
        table = chance.choice(event.tables)
        form = game_form(event, table, chance)
        saves.append(spent(partial(save, client, form)))
        sizes: list[int] = []
        reads.append(spent(partial(read, client, event, sizes)))
        references.append(spent(partial(reference, event, table, sizes)))
    both = [one + other for one, other in zip(saves, reads, strict=True)]
    ours, bare, grown = mid(both), mid(references), memory() - before
    print(f"  first pages of a new process: {first}; in another language: {again}; memory {grown:.0f} MB")
    print(
        f"  save {mid(saves)}, both pages {mid(reads)}, {' and '.join(f'{size:,}' for size in sizes)} bytes"
    )
    print(f"  published: {ours}; slowest of {count}: {max(both, key=lambda one: one.wall)}")
    report(
        f"published, {sized(players, games)}, beside plain SQL", ours.cpu * 1000, "ms of the processor",
        reference=bare.cpu * 1000, beside="the same rows and bytes",
        aim=f"{MOST_MS} ms" if (players, games) == (PLAYERS, GAMES) else "",
    )  # fmt: skip
    with snapshot():
        found = verify(Tournament.objects.get(uid=event.tournament))
    assert not found, found[:3]
    return ours


def mid(times: list[Spent]) -> Spent:
    return Spent(median(one.wall for one in times), median(one.cpu for one in times))


def spent(call: Callable[[], object]) -> Spent:
    wall, cpu = perf_counter(), process_time()
    call()
    return Spent(perf_counter() - wall, process_time() - cpu)


def memory() -> float:
    """Megabytes that this process has in use."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def save(client: Client, form: dict[str, Any]) -> None:
    answer = client.post("/en/desk/send/", json.dumps(form), content_type="application/json")
    said = answer.json()["answers"]
    assert [each["state"] for each in said] == ["saved"], said


def pages(client: Client, event: Big, language: str = "en") -> list[int]:
    """The stage's and the tournament's public pages; gives their sizes."""
    sizes = []
    for address in (f"/{language}/t/{event.slug}/stage/{event.stage}/", f"/{language}/t/{event.slug}/"):
        answer = client.get(address)
        assert answer.status_code == 200, address
        sizes.append(len(answer.content))
    return sizes


def read(client: Client, event: Big, sizes: list[int]) -> None:
    sizes += pages(client, event)


def game_form(event: Big, table: UUID, chance: random.Random) -> dict[str, Any]:
    """A table's next game as a phone's outbox sends it."""
    event.games[table] += 1
    fields = [["play", str(uuid4())], ["number", str(event.games[table])], ["ended", "last"]]
    for result in game(event.seats[table], chance):
        fields.append([f"outcome-{result.entry}", result.outcome])
        if result.elapsed_s is not None:
            fields.append([f"time-{result.entry}", f"{result.elapsed_s // 60}:{result.elapsed_s % 60:02}"])
    entry = {
        "command": str(uuid4()),
        "kind": "paper",
        "url": f"/en/desk/table/{table}/record/",
        "fields": fields,
        "queued": 0,
    }
    return {"user": str(event.user.uid), "now": 0, "entries": [entry]}


def game(seated: list[UUID], chance: random.Random) -> list[ResultFacts]:
    """Everybody goes out, one after the other, but the last."""
    order = chance.sample(seated, len(seated))
    times = sorted(chance.sample(range(300, 3600), len(seated) - 1))
    out = [ResultFacts(uuid4(), entry, "out", at) for entry, at in zip(order[:-1], times, strict=True)]
    return [*out, ResultFacts(uuid4(), order[-1], "last")]


# ---- the reference ----


def reference(event: Big, table: UUID, sizes: list[int]) -> None:
    """As many rows as a save writes, in plain SQL and one transaction, and answers of as many bytes."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("CREATE TABLE IF NOT EXISTS bare (id INTEGER PRIMARY KEY, a TEXT, b TEXT, c INTEGER)")
        cursor.execute("INSERT INTO bare (a, b, c) VALUES (%s, %s, %s)", [str(uuid4()), str(table), 1])
        rows = [(str(uuid4()), str(entry), 1) for entry in event.seats[table]]
        cursor.executemany("INSERT INTO bare (a, b, c) VALUES (%s, %s, %s)", rows)
        payload = json.dumps({"results": rows * 2})
        cursor.execute("INSERT INTO bare (a, b, c) VALUES (%s, %s, %s)", [str(uuid4()), payload, 1])
        for _ in range(2):  # the versions of the stage and of the tournament
            cursor.execute("UPDATE bare SET c = c + 1 WHERE id = 1")
    for size in sizes:
        assert len(HttpResponse(b"." * size).content) == size


# ---- the event ----


def stored(players: int, games: int) -> Big:
    """The event with so many players, and games of each."""
    user = User.objects.get(username=f"benchmark-{players}-{games}")
    tournament = Tournament.objects.get(slug=f"big-{players}-{games}")
    stage = tournament.stages.get()
    event = Big(user, tournament.uid, tournament.slug, stage.uid, [], {})
    tables = Table.objects.filter(stage=stage).order_by("number")
    for uid, played in tables.annotate(games=Max("plays__number")).values_list("uid", "games"):
        event.tables.append(uid)
        event.seats[uid], event.games[uid] = [], played
    for uid, entry in tables.order_by("seats__position").values_list("uid", "seats__entry__uid"):
        event.seats[uid].append(entry)
    return event


def build(*sizes: tuple[int, int]) -> None:
    """Store an event for each number of players and of their games."""
    for players, games in sizes:
        build_one(players, games)


def build_one(players: int, games: int) -> None:
    """A running session with all players seated and this many results each."""
    chance = random.Random(1)
    user = User.objects.create_user(f"benchmark-{players}-{games}", is_staff=True)
    event = Big(user, uuid4(), f"big-{players}-{games}", uuid4(), [], {})

    def act(action: Callable[..., object], **arguments: Any) -> None:
        action(Command(uuid4(), user), event.tournament, **arguments)

    act(
        actions.create_tournament, name="A big event", slug=event.slug, starts_on=date(2026, 11, 21),
        ruleset="kpgut-2016", organiser_name="Benchmark",
    )  # fmt: skip
    uids = [uuid4() for _ in range(players)]
    entries = [{"entry": uid, "name": f"Pelaaja {number:05}"} for number, uid in enumerate(uids, 1)]
    for first in range(0, players, MOST_AT_ONCE):
        act(actions.enter_players, players=entries[first : first + MOST_AT_ONCE])
    act(actions.plan_stage, stage=event.stage, kind="session", settings={"min_games": 1})
    tables = min(players // SEATED, MOST_TABLES)
    seats = [uids[table::tables] for table in range(tables)]
    seated = [{"number": number, "entries": each} for number, each in enumerate(seats, 1)]
    act(actions.seat_stage, stage=event.stage, tables=seated)
    act(actions.start_stage, stage=event.stage)
    event.tables += (
        Table.objects.filter(stage__uid=event.stage).order_by("number").values_list("uid", flat=True)
    )
    event.seats = dict(zip(event.tables, seats, strict=True))
    add_games(event, games, chance)


def add_games(event: Big, mean: int, chance: random.Random) -> None:
    """Write in bulk what `record_game` would have written: plays, results, ledger rows, versions."""
    tournament = Tournament.objects.get(uid=event.tournament)
    tables = {table.uid: table for table in Table.objects.filter(stage__uid=event.stage)}
    entries = {entry.uid: entry.pk for entry in Entry.objects.filter(tournament=tournament)}
    for index, table in enumerate(event.tables):
        event.games[table] = mean + AHEAD[index % len(AHEAD)]
    with transaction.atomic():
        rows, plays = [], []
        for facts in games(event, chance):
            row = ledger_row(tournament, event.user, facts)
            tournament.version, tournament.ledger_head = row.sequence, row.digest
            rows.append(row)
            plays.append((facts, row.sequence))
        LedgerRow.objects.bulk_create(rows, batch_size=500)
        stored = Play.objects.bulk_create(
            (
                Play(
                    uid=facts.uid, table=tables[facts.table], number=facts.number, state=facts.state,
                    ended=facts.ended, version=version,
                )
                for facts, version in plays
            ),
            batch_size=500,
        )  # fmt: skip
        results = (
            Result(
                uid=each.uid, play=play, entry_id=entries[each.entry], outcome=each.outcome,
                elapsed_s=each.elapsed_s, hand={},
            )
            for play, (facts, _) in zip(stored, plays, strict=True)
            for each in facts.results
        )  # fmt: skip
        Result.objects.bulk_create(results, batch_size=500)
        tournament.save(update_fields=["version", "ledger_head"])
        Stage.objects.filter(uid=event.stage).update(version=tournament.version)


def games(event: Big, chance: random.Random) -> Iterator[PlayFacts]:
    for number in range(1, max(event.games.values()) + 1):
        for table in event.tables:
            if number <= event.games[table]:
                results = tuple(game(event.seats[table], chance))
                yield PlayFacts(uuid4(), table, number, "entered", results, ended="last")


def ledger_row(tournament: Tournament, user: User, facts: PlayFacts) -> LedgerRow:
    row = LedgerRow(
        tournament=tournament,
        sequence=tournament.version + 1,
        at=timezone.now() - timedelta(hours=1),
        actor=user,
        command=uuid4(),
        action="record_game",
        payload={"play": {str(facts.uid): facts.as_json()}},
        content="0" * 64,
        previous=tournament.ledger_head,
    )
    row.digest = digest_of(row)
    return row


if __name__ == "__main__":
    run(main, 10, 2)
