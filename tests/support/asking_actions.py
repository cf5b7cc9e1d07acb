"""Short ways to ask for something and to read what came of it."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from scoring import Points
from tests.support.factories import Event
from tournament.actions import Receipt
from tournament.ledger.verify import verify
from tournament.models import Entry, LedgerRow
from tournament.results.answer import ContestResults, stage_results
from tournament.results.facts import ResultFacts
from tournament.results.faults import Conflict, Refused, Version


def refusal(made: Event, action: Callable[..., Receipt], **arguments: Any) -> list[tuple[str, str]]:
    """The codes and paths with which the organiser is refused; nothing was stored."""
    rows = LedgerRow.objects.count()
    with pytest.raises(Refused) as refused:
        made.act(action, **arguments)
    assert LedgerRow.objects.count() == rows
    return [(fault.code, fault.path) for fault in refused.value.faults]


def conflict(made: Event, action: Callable[..., Receipt], **arguments: Any) -> Conflict:
    """The conflict that the organiser gets."""
    with pytest.raises(Conflict) as conflicting:
        made.act(action, **arguments)
    return conflicting.value


def result_in(side: Version, entry: UUID) -> ResultFacts:
    """A player's result in one of the two versions of a conflict."""
    found = side.play.result_of(entry)
    assert found
    return found


def agrees(made: Event) -> bool:
    """Whether the facts are as the ledger says."""
    return verify(made.refresh().tournament) == []


def results(made: Event) -> ContestResults:
    """The first contest of the stage, scored; facts and ledger agree."""
    assert agrees(made)
    return stage_results(made.stage)[0]


def standings(made: Event) -> dict[str, tuple[int | None, str, Points]]:
    """Place, status and points by the players' names."""
    scored = results(made)
    return {scored.names[row.player]: (row.place, row.status, row.points) for row in scored.answer.standings}


def states(made: Event) -> list[str]:
    """The states of the first table's plays, by number."""
    return list(made.table.plays.order_by("number").values_list("state", flat=True))


def state_of(entry: UUID) -> str:
    return Entry.objects.get(uid=entry).state


def version(made: Event, play: UUID) -> int:
    return made.play(play).version


def agree(made: Event) -> bool:
    """Whether the facts of an event without a stage are as the ledger says."""
    made.tournament.refresh_from_db()
    return verify(made.tournament) == []
