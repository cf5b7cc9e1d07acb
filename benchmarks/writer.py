#!/usr/bin/env python
"""How long the bulk commands, at their largest sizes, keep all other writers waiting at a time.

Beside each, as the reference, a bare bulk_create of the rows that it wrote or changed. An import, a practice and a
sheet that becomes an event are many short transactions, or write many rows: their longest transaction is beside all of
their rows. Another event of 500 players is in the same temporary SQLite database: `python -m benchmarks.writer`.
"""

import gc
from collections.abc import Callable, Iterable
from datetime import date
from io import BytesIO
from time import perf_counter
from typing import Any
from uuid import UUID, uuid4, uuid5

from benchmarks._data import use_django

use_django()

from django.db import connection, transaction

from benchmarks._figures import report, run
from tests.support.archives import archived, forget
from tournament import actions
from tournament.actions import Command
from tournament.actions.upkeep import begin_practice
from tournament.extras.archive.actions import import_event
from tournament.extras.archive.files.reading import Archive
from tournament.extras.friends.actions import found_event
from tournament.ledger.purge import purge
from tournament.live.server import COLLECT
from tournament.models import LEDGER_KINDS, Entry, LedgerRow, Player, Result, Table, Tournament, User
from tournament.practice.events import make
from tournament.results import Refused
from tournament.server import metrics

PLAYERS, ROWS, SEATED, MOST_MS = 1_000, 60, 4, 200
SHEET = {
    "sheet": 1,
    "kind": "session",
    "ruleset": "kpgut-2016",
    "players": [{"id": f"p{number}", "name": f"Player {number}"} for number in range(15)],
}


def main(players: int = PLAYERS, rows: int = ROWS) -> None:
    gc.set_threshold(*COLLECT)  # as in a server
    user = User.objects.create(username=f"benchmark-{uuid4().hex[:8]}", is_superuser=True, is_staff=True)
    Event(user).enter(players // 2)
    every_command(Event(user), players)
    asking(Event(user), players)
    imported(Event(user), players)
    put_away(Event(user, rehearsal=True), players)
    sheet = {**SHEET, "games": [game(number) for number in range(1, rows + 1)]}
    founded = uuid4()
    details: dict[str, Any] = {
        "name": "Ours",
        "guest_name": "A guest",
        "starts_on": date(2026, 5, 9),
        "language": "en",
    }
    timed(
        f"a sheet of 15 players and {rows} games becomes an event",
        lambda: found_event(founded, sheet, user=None, reason="as on the sheet", **details),
        lambda: LedgerRow.objects.filter(tournament__uid=uuid5(founded, "tournament")),
    )
    before = list(Tournament.objects.values_list("pk", flat=True))
    timed(
        "a practice begins",
        lambda: begin_practice(uuid4(), make),
        lambda: LedgerRow.objects.exclude(tournament__in=before),
    )


class Event:
    """An event whose organiser is the user; `entries` are those whom `enter` enters."""

    def __init__(self, user: User, **details: Any) -> None:
        self.user, self.uid, self.entries = user, uuid4(), list[UUID]()
        usual = {"name": "Benchmark", "starts_on": date(2026, 1, 1), "ruleset": "tite-2022"}
        self.act(actions.create_tournament, organiser_name="Benchmark", **usual | details)

    def act(self, action: Callable[..., object], **arguments: Any) -> None:
        action(Command(uuid4(), self.user), self.uid, **arguments)

    def timed(self, what: str, action: Callable[..., object], **arguments: Any) -> None:
        last = Tournament.objects.get(uid=self.uid).version
        rows = LedgerRow.objects.filter(tournament__uid=self.uid, sequence__gt=last)
        timed(what, lambda: self.act(action, **arguments), lambda: rows)

    def undone(self, what: str) -> None:
        self.timed(f"undo: {what}", actions.undo, row=Tournament.objects.get(uid=self.uid).version)

    def enter(self, count: int) -> list[dict[str, Any]]:
        new = people(count)
        self.act(actions.enter_players, players=new)
        self.entries = [each["entry"] for each in new]
        return new

    def play_heats(self, stage: UUID) -> None:
        for table in Table.objects.filter(stage__uid=stage):
            order = list(table.seats.values_list("entry__uid", flat=True))[:2]
            self.act(
                actions.record_heat, table=table.uid, play=uuid4(), number=1, finish_order=order, advance=2
            )


def people(count: int) -> list[dict[str, Any]]:
    return [{"entry": uuid4(), "name": f"Player {number}", "club": "Club"} for number in range(count)]


def every_command(event: Event, players: int) -> None:
    """An evening of heats and of what follows, by the commands that enter or move many at once."""
    what = f"{players:,} players"
    new = people(players)
    event.timed(f"{what} entered", actions.enter_players, players=new)
    event.undone("entered")
    event.entries = [each["entry"] for each in new]
    event.timed(f"{what} entered again", actions.enter_players, players=new)
    event.timed(f"{what} checked in", actions.check_in, entries=event.entries)
    event.undone("here")
    event.timed(f"{what} did not come", actions.no_show, entries=event.entries)
    event.undone("no-show")
    levels: list[dict[str, Any]] = [
        {"stage": uuid4(), "kind": "heats", "settings": {"advance": 2}, "plan": {"minutes": 40}}
        for _ in range(20)
    ]
    event.timed("20 levels planned", actions.set_levels, levels=levels)
    event.timed("20 levels published", actions.publish_programme)
    event.act(actions.check_in, entries=event.entries)
    stage, following = levels[0]["stage"], levels[1]["stage"]
    tables: list[dict[str, Any]] = [
        {"number": number, "entries": event.entries[first : first + SEATED]}
        for number, first in enumerate(range(0, players, SEATED), 1)
    ]
    event.timed(f"{what} seated", actions.seat_stage, stage=stage, tables=tables)
    event.undone("seated")
    event.act(actions.seat_stage, stage=stage, tables=tables)
    event.timed(
        f"{what} seated otherwise",
        actions.seat_stage,
        stage=stage,
        tables=[{**table, "entries": table["entries"][::-1]} for table in tables],
    )
    event.undone("seated otherwise")
    event.timed(f"{what} start", actions.start_stage, stage=stage)
    event.play_heats(stage)
    event.timed(f"{players // SEATED} heats finished", actions.finish_stage, stage=stage)
    event.timed("heats opened again", actions.reopen_stage, stage=stage, reason="a correction")
    event.undone("heats opened again")
    event.timed(f"{players // 2} players go through", actions.fill_stage, stage=following, seed="4711")
    event.undone("go through")
    last = event.entries[3::SEATED]
    event.timed(
        f"{len(last)} named in reserve", actions.name_reserves, stage=following, entries=last, reason="asked"
    )
    copy = Command(uuid4(), event.user)
    timed(
        f"an event of {what} copied",
        lambda: actions.copy_event(
            copy, event.uid, name="II", starts_on=date(2027, 1, 1), players=True, roles=True
        ),
        lambda: LedgerRow.objects.filter(tournament__uid=copy.id),
    )
    event.timed("a player erased", actions.erase_person, entry=event.entries[0])


def asking(event: Event, players: int) -> None:
    """Many who ask, many who wait."""
    event.enter(players)
    Entry.objects.filter(uid__in=event.entries).update(state=Entry.State.APPLIED)
    event.timed(f"{players:,} players approved", actions.approve_entries, entries=event.entries)
    Entry.objects.filter(uid__in=event.entries).update(state=Entry.State.WAITING)
    event.timed(f"{players:,} players get places", actions.set_registration, opened=True, most=10_000)


def imported(event: Event, players: int) -> None:
    """An archive of a played session, brought back."""
    entries = [each["entry"] for each in event.enter(players)]
    stage = uuid4()
    event.act(actions.plan_stage, stage=stage, kind="heats", settings={"advance": 2})
    tables = [
        {"number": number, "entries": entries[first : first + SEATED]}
        for number, first in enumerate(range(0, players, SEATED), 1)
    ]
    event.act(actions.seat_stage, stage=stage, tables=tables)
    event.act(actions.start_stage, stage=stage)
    event.play_heats(stage)
    archive = archived(Tournament.objects.get(uid=event.uid))
    forget(Tournament.objects.get(uid=event.uid))
    timed(
        f"an archive of {players:,} players and {players // SEATED} heats imported",
        lambda: import_event(Archive(BytesIO(archive)), by=None),
        lambda: LedgerRow.objects.filter(tournament__uid=event.uid),
    )


def put_away(event: Event, players: int) -> None:
    event.enter(players)
    event.act(actions.put_away)
    what = f"a rehearsal of {players:,} players deleted"
    started = perf_counter()
    purge([event.uid])
    report(what, (perf_counter() - started) * 1000, "ms", aim=f"{MOST_MS} ms")


def game(number: int) -> dict[str, Any]:
    results = [{"player": f"p{each}", "outcome": "out", "elapsed_s": 60 + each} for each in range(14)]
    return {"number": number, "ended": "last", "results": [*results, {"player": "p14", "outcome": "last"}]}


def timed(what: str, act: Callable[[], object], written: Callable[[], Iterable[LedgerRow]]) -> None:
    """Report the longest transaction of `act`, beside the rows of the ledger rows that it `written`."""
    held: list[float] = []
    usual, watched = metrics.holds.observe, metrics.holds  # type: Any, Any
    watched.observe = held.append
    try:
        act()
    except Refused as refused:
        print(f"{what}: refused {refused.faults[:2]}")
    finally:
        watched.observe = usual
    print(f"  {len(held)} transactions, {sum(held) * 1000:.0f} ms in all")
    if held:
        report(
            what,
            max(held) * 1000,
            "ms",
            reference=bare(written()) * 1000,
            beside="bare bulk_create",
            aim=f"{MOST_MS} ms",
        )


def bare(written: Iterable[LedgerRow]) -> float:
    """Seconds in which bulk_create stores these rows again; they are rolled back."""
    uids: dict[str, set[str]] = {}
    for row in written:
        for kind, facts in row.payload.items():
            uids.setdefault(kind, set()).update(facts)
    took = 0.0
    with transaction.atomic():
        for kind, model in LEDGER_KINDS.items():
            rows: Any = model._default_manager.filter(uid__in=uids.get(kind, ()))
            took += stored_again(rows)
            if kind == "entry":
                took += stored_again(Player.objects.filter(entries__in=rows).distinct())
            if kind == "play":
                took += stored_again(Result.objects.filter(play__in=rows))
        transaction.set_rollback(True)
    return took


def stored_again(rows: Any) -> float:
    found = list(dict.fromkeys(rows))
    rows.model._default_manager.filter(pk__in=[row.pk for row in found])._raw_delete(connection.alias)
    started = perf_counter()
    rows.model._default_manager.bulk_create(found)
    return perf_counter() - started


if __name__ == "__main__":
    run(main, 20, 2)
