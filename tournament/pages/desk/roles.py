"""Oldest and youngest deal, keep the time and open (kpgut-2016, Roles).

Birth dates decide if all are known, else taps at the table; dates are never shown. Players out have no role;
latecomers from the next game on.
"""

from dataclasses import dataclass
from uuid import UUID

from tournament.models import Entry, LedgerRow, Result
from tournament.pages.desk.table import Scene
from tournament.queries.table_setup import by_age
from tournament.results import PlayFacts

GONE = {Result.Outcome.GAVE_UP, Result.Outcome.EJECTED}


@dataclass(frozen=True, slots=True)
class Roles:
    """Names of the oldest and youngest; `ask`: the table must say who."""

    oldest: str
    youngest: str
    ask: bool


def roles_at(scene: Scene) -> Roles:
    """Roles in the running game, else in the next."""
    game = scene.running
    bearers = _bearers(scene, game) if game else scene.ready
    known = by_age(list(Entry.objects.filter(uid__in=bearers).select_related("player")))
    if known and len(known) == len(bearers):
        return Roles(
            oldest=scene.names[str(known[0].uid)], youngest=scene.names[str(known[-1].uid)], ask=False
        )
    oldest, youngest = (
        entry.uid if entry and entry.uid in bearers else None
        for entry in (scene.table.oldest, scene.table.youngest)
    )
    return Roles(
        oldest=scene.names.get(str(oldest), ""),
        youngest=scene.names.get(str(youngest), ""),
        ask=oldest is None or youngest is None,
    )


def _bearers(scene: Scene, game: PlayFacts) -> list[UUID]:
    began = _began(scene, game)
    return [row.entry for row in game.results if row.entry in began and row.outcome not in GONE]


def _began(scene: Scene, game: PlayFacts) -> set[UUID]:
    start = LedgerRow.objects.filter(
        tournament=scene.tournament, action="start_game", payload__play__has_key=str(game.uid)
    ).first()
    if start is None:
        return {row.entry for row in game.results}
    return {UUID(row["entry"]) for row in start.payload["play"][str(game.uid)]["results"]}
