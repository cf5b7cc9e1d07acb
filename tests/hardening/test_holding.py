"""How long one command keeps other writers waiting, counted in statements: as few for many rows as for one."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from tests.support.factories import Event, event, recorded_heat
from tests.support.sheets import found
from tournament import actions
from tournament.actions import Command
from tournament.actions.kernel import work
from tournament.models import Entry, Table

pytestmark = pytest.mark.django_db

MOST = 60  # statements of one transaction
PLAYERS = 120


@contextmanager
def longest() -> Iterator[list[int]]:
    """Count the statements of each outermost transaction inside."""
    counts: list[int] = []
    open_: list[str] = []

    def count(execute: Callable[..., Any], sql: str, *more: Any) -> Any:
        if sql.startswith("SAVEPOINT"):
            if not open_:
                counts.append(0)
            open_.append(sql)
        elif sql.startswith(("RELEASE", "ROLLBACK TO")) and open_:
            open_.pop()
        elif open_:
            counts[-1] += 1
        return execute(sql, *more)

    with connection.execute_wrapper(count):
        yield counts


def entered(made: Event, count: int = PLAYERS) -> list[Any]:
    new = [{"entry": uuid4(), "name": f"Player {number}"} for number in range(count)]
    made.act(actions.enter_players, players=new)
    return [each["entry"] for each in new]


def undone(made: Event) -> None:
    made.tournament.refresh_from_db()
    made.act(actions.undo, row=made.tournament.version)


@pytest.mark.sweep
def test_commands_that_enter_or_move_many_need_few_statements() -> None:
    made, stage = event("tite-2022"), uuid4()
    most: dict[str, int] = {}

    def held(what: str, do: Callable[[], object]) -> None:
        with longest() as counts:
            do()
        most[what] = max(counts)

    held("enter", lambda: entered(made))
    held("undo enter", lambda: undone(made))
    uids = entered(made)
    Entry.objects.filter(uid__in=uids).update(state=Entry.State.APPLIED)
    held("approve", lambda: made.act(actions.approve_entries, entries=uids))
    held("no-show", lambda: made.act(actions.no_show, entries=uids))
    held("undo no-show", lambda: undone(made))
    held("check in", lambda: made.act(actions.check_in, entries=uids))
    held("undo check in", lambda: undone(made))
    made.act(actions.check_in, entries=uids)
    made.act(actions.plan_stage, stage=stage, kind="heats", settings={"advance": 2})
    tables: list[dict[str, Any]] = [
        {"number": n, "entries": uids[2 * n - 2 : 2 * n]} for n in range(1, PLAYERS // 2 + 1)
    ]
    held("seat", lambda: made.act(actions.seat_stage, stage=stage, tables=tables))
    held("undo seat", lambda: undone(made))
    made.act(actions.seat_stage, stage=stage, tables=tables)
    turned = [{**table, "entries": table["entries"][::-1]} for table in tables]
    held("seat otherwise", lambda: made.act(actions.seat_stage, stage=stage, tables=turned))
    held("undo seat otherwise", lambda: undone(made))
    final = uuid4()
    made.act(actions.plan_stage, stage=final, kind="heats", settings={"advance": 1})
    made.act(actions.start_stage, stage=stage)
    for table in Table.objects.filter(stage__uid=stage):
        recorded_heat(made, table, advance=1)
    held("finish", lambda: made.act(actions.finish_stage, stage=stage))
    held("reopen", lambda: made.act(actions.reopen_stage, stage=stage, reason="a correction"))
    held("undo reopen", lambda: undone(made))
    out = uids[1::2]
    held("reserves", lambda: made.act(actions.name_reserves, stage=final, entries=out, reason="asked"))
    held("undo reserves", lambda: undone(made))
    held("fill", lambda: made.act(actions.fill_stage, stage=final, seed="4711", decided=out, reason="all"))
    held("undo fill", lambda: undone(made))
    copied = Command(uuid4(), made.user)
    details: dict[str, Any] = {"name": "II", "starts_on": date(2027, 1, 1), "players": True, "roles": True}
    held("copy", lambda: actions.copy_event(copied, made.tournament.uid, **details))
    Entry.objects.filter(uid__in=uids).update(state=Entry.State.WAITING)
    held("places", lambda: made.act(actions.set_registration, opened=True, most=PLAYERS))
    assert {what: count for what, count in most.items() if count > MOST} == {}


def test_what_was_checked_ahead_is_checked_again_where_somebody_wrote_since(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made, written = event("tite-2022"), work._written

    def late(once: Callable[[bool], Any]) -> Any:
        monkeypatch.setattr(work, "_written", written)
        entered(made, 2)
        return written(once)

    monkeypatch.setattr(work, "_written", late)
    entered(made, 2)
    numbers = made.tournament.entries.order_by("pk").values_list("start_number", flat=True)
    assert list(numbers) == list(range(1, len(numbers) + 1))


def test_players_are_checked_before_others_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[bool] = []
    made, usual = event("tite-2022"), Entry.clean_fields

    def clean(entry: Entry, *more: Any, **named: Any) -> None:
        waits.append(bool(counts))
        usual(entry, *more, **named)

    monkeypatch.setattr(Entry, "clean_fields", clean)
    with longest() as counts:
        entered(made, 3)
    assert waits == [False] * 3


def test_a_sheet_becomes_an_event_in_short_transactions() -> None:
    def statements(games: int) -> int:
        players = [{"id": f"p{number}", "name": f"Player {number}"} for number in range(5)]
        results = [
            {"player": f"p{number}", "outcome": "out", "elapsed_s": 60 + number} for number in range(4)
        ]
        played = [*results, {"player": "p4", "outcome": "last"}]
        rows = [{"number": number, "ended": "last", "results": played} for number in range(1, games + 1)]
        sheet = {"sheet": 1, "kind": "session", "ruleset": "kpgut-2016", "players": players, "games": rows}
        with longest() as counts:
            found({**sheet, "settings": {}})
        assert len(counts) > games
        return max(counts)

    few = statements(2)
    assert statements(12) == few <= MOST
