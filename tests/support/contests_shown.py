"""A contest as everybody sees it, without a database: what the words about one player are made from."""

from datetime import UTC, datetime
from typing import Any

from tests.support.contests import STAGE, contest
from tournament.models import Stage
from tournament.queries.visible import Frozen, Shown
from tournament.results.answer import ContestResults, scored
from tournament.results.facts import PlayFacts, SeatFacts

FROZEN = Frozen(after=7, at=datetime(2026, 5, 9, 18, tzinfo=UTC), by_earlier=False)


def seen_contest(
    kind: str,
    *plays: PlayFacts,
    seats: list[SeatFacts],
    state: str = "running",
    frozen: Frozen | None = None,
    **more: Any,
) -> tuple[Shown, ContestResults]:
    """The stage, and its one contest scored."""
    results = scored(contest(kind, *plays, seats=seats, **more))
    stage = Stage(uid=STAGE, number=1, kind=kind, state=state)
    return Shown(stage, state, (results.contest,), (results,), (), frozen), results


def plain(text: str) -> str:
    """Remove the marks that isolate a name from its sentence."""
    return text.replace("\N{FIRST STRONG ISOLATE}", "").replace("\N{POP DIRECTIONAL ISOLATE}", "")
