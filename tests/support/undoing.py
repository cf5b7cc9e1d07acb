"""Undoing and its facts, for tests: the facts of an event compared before and after."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import transaction

from tests.support.factories import Event, event, recorded_heat, running_heats
from tournament import actions
from tournament.actions import Command
from tournament.actions.kernel.work import Work
from tournament.ledger.past import Facts
from tournament.ledger.verify import stored_facts, verify
from tournament.models import Entry, LedgerRow, Stage, Tournament
from tournament.results.faults import Refused


def tournament_of(made: Event) -> Tournament:
    """Read the tournament from the database."""
    return Tournament.objects.get(pk=made.tournament.pk)


def facts(made: Event) -> Facts:
    """The facts of every row, without the order in which they were written."""
    stored = stored_facts(tournament_of(made))
    return {kind: dict(sorted(rows.items())) for kind, rows in stored.items()}


def agrees(made: Event) -> bool:
    """Whether the facts are as the ledger says."""
    return verify(tournament_of(made)) == []


def last_row(made: Event) -> int:
    return LedgerRow.objects.filter(tournament=made.tournament).count()


def undo(made: Event, row: int | None = None) -> int:
    """Undo a row, the last one where none is named; gives the undo's own."""
    return made.act(actions.undo, row=row or last_row(made)).sequence


def seated(made: Event) -> list[dict[str, Any]]:
    """Everybody at two tables."""
    return [{"number": number, "entries": made.uids[number - 1 :: 2]} for number in (1, 2)]


def planned(kind: str = "heats", players: int = 8) -> Event:
    """Nothing but players and a planned stage."""
    made = event("tite-2022", players=players)
    stage = uuid4()
    made.act(actions.plan_stage, stage=stage, kind=kind)
    made.stage = Stage.objects.get(uid=stage)
    return made


def heats_over() -> tuple[Event, UUID]:
    """Heats of which two go through, played and finished, and the planned final after them."""
    made = running_heats(players=8, tables=2, advance=2)
    final = uuid4()
    made.act(actions.plan_stage, stage=final, kind="final", settings={"target": 300})
    for table in made.tables:
        recorded_heat(made, table)
    made.act(actions.finish_stage, stage=made.stage.uid)
    return made, final


def put_into(made: Event, state: str) -> None:
    """Give everybody the state, as a check-in."""
    with transaction.atomic():
        locked = Tournament.objects.select_for_update().get(pk=made.tournament.pk)
        work = Work(Command(uuid4(), made.user), "check_in", "", locked)
        for row in Entry.objects.filter(tournament=locked).select_related("player"):
            work.update(row, state=state)
        work.close()


def fault(made: Event, row: int) -> dict[str, Any]:
    """The parameters of the one fault with which undoing the row is refused."""
    with pytest.raises(Refused) as refused:
        made.act(actions.undo, row=row)
    (only,) = refused.value.faults
    return {"code": only.code, **only.parameters}
