"""Who gets other points by one answer of scoring than by another: in one play, and in all."""

from collections.abc import Mapping
from uuid import UUID

from django.utils.translation import ngettext

from tournament.pages.components import ComparisonRow
from tournament.pages.desk.table import Scene
from tournament.results.answer import ContestResults
from tournament.results.settle import Settled


def in_play(scene: Scene, play: UUID, settled: Settled) -> list[tuple[str, str, str]]:
    """(name, as it stands, as it would be) of those who get other points in this play then."""
    return _differing(scene, scene.points(play), scene.points(play, settled))


def in_all(scene: Scene, settled: Settled) -> list[tuple[str, str, str]]:
    """The same of everybody's points together; none in heats, which give no points."""
    return _differing(scene, _totals(scene.results), _totals(settled))


def as_change(rows: list[tuple[str, str, str]]) -> list[ComparisonRow]:
    """To be read as before and after."""
    return [ComparisonRow(what=name, yours=before, theirs=after) for name, before, after in rows]


def _totals(results: ContestResults | Settled | None) -> dict[str, int | None]:
    rows = results.answer.standings if results else ()
    return {row.player: row.points for row in rows}


def _differing(
    scene: Scene, before: Mapping[str, int | None], after: Mapping[str, int | None]
) -> list[tuple[str, str, str]]:
    rows = []
    for player in dict.fromkeys([*after, *before]):
        was, now = before.get(player) or 0, after.get(player) or 0
        if was != now:
            said = ngettext("%(n)d point (%(more)+d)", "%(n)d points (%(more)+d)", now)
            rows.append(
                (
                    scene.names.get(player, ""),
                    ngettext("%(n)d point", "%(n)d points", was) % {"n": was},
                    said % {"n": now, "more": now - was},
                )
            )
    return rows
