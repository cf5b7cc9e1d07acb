"""Tour contribution per kind of contest.

Ejected, removed or departed players are left out. Players who gave up share a game's last place, like unfinished ones
in heats.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

from rulesets import ByKind
from scoring import SessionStanding
from tournament.models import PastResult, Stage
from tournament.results import ContestResults

Places = Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A player's result in a finished contest: `place` among `ranked` (per heat) after `plays`.

    `status` as in scoring ("": heats); `table`: of separate contests; `points`: match; `average`: session, race;
    `decided_by` that `value` (None if a result file lacks it).
    """

    stage: str  # "" if unnamed
    kind: str
    place: int | None
    ranked: int
    plays: int
    status: str = ""
    table: int | None = None
    decided_by: str = ""
    value: Fraction | None = None
    points: int | None = None
    average: Fraction | None = None
    through: bool = False

    @property
    def total(self) -> Fraction | None:
        """Points of all plays; None where there are none to add up."""
        if self.average is not None:
            return self.average * self.plays
        return None if self.points is None else Fraction(self.points)


@dataclass(frozen=True, slots=True)
class Kind:
    """`played`: results by entry; `orders`: places per rated contest; `lines`: session standings."""

    played: Callable[[Stage, ContestResults], Iterator[tuple[str, Played]]]
    orders: Callable[[ContestResults], Iterator[Places]]
    lines: Callable[[Any], Iterable[SessionStanding]] = lambda _answer: ()


def _ranked(
    stage: Stage, results: ContestResults, told: Callable[[Any], dict[str, Any]]
) -> Iterator[tuple[str, Played]]:
    answer = results.answer
    plays = Counter(row.player for each in answer.rounds for row in each.results)
    ranked = sum(row.place is not None for row in answer.standings)
    for row in answer.standings:
        if plays[row.player]:
            how = Played(
                stage=stage.name,
                kind=stage.kind,
                place=row.place,
                ranked=ranked,
                plays=plays[row.player],
                status=row.status,
                table=results.table_number,
                decided_by=row.decided_by,
                value=row.value,
            )
            yield row.player, replace(how, **told(row))


def _in_heats(stage: Stage, results: ContestResults) -> Iterator[tuple[str, Played]]:
    for _play, heat in results.counted:
        for row in heat.results:
            yield (
                row.player,
                Played(
                    stage=stage.name,
                    kind=stage.kind,
                    place=row.place,
                    ranked=len(heat.results),
                    plays=1,
                    through=row.advances,
                ),
            )


def brought_in(row: PastResult, kind: str, ranked: int) -> Played:
    """An imported result as one contest of this kind, the whole event."""
    session = kind == Stage.Kind.SESSION
    points = int(row.points) if not session and row.points.lstrip("-").isdecimal() else None
    return Played(
        stage="",
        kind=kind,
        place=row.place,
        ranked=ranked,
        plays=row.games or 0,
        decided_by="average" if session else "total",
        value=row.per_game if session else None if points is None else Fraction(points),
        points=points,
        average=row.per_game if session else None,
    )


def lines_of(rows: Iterable[PastResult], people: Mapping[str, str]) -> list[SessionStanding]:
    """Season lines of imports with games and points per game; averages are rounded, points whole."""
    return [
        SessionStanding(player, row.place, "ranked", row.games, round(average * row.games), average)
        for row in rows
        if (player := people.get(str(row.entry.uid))) and row.games and (average := row.per_game) is not None
    ]


def _games(results: ContestResults) -> Iterator[Places]:
    for _play, game in results.counted:
        yield {row.player: row.place for row in game.results if row.place is not None}


def _whole(results: ContestResults) -> Iterator[Places]:
    if results.answer.rounds:
        yield {row.player: row.place for row in results.answer.standings if row.place is not None}


def _heats(results: ContestResults) -> Iterator[Places]:
    for (_play, heat), sheet in zip(results.counted, results.sheet.data["heats"], strict=True):
        removed, last = sheet.get("removed", ()), len(heat.results) + 1
        yield {row.player: row.place or last for row in heat.results if row.player not in removed}


KINDS: ByKind[Kind] = ByKind(
    "extras/season/queries/kinds.py",
    {
        "session": Kind(
            partial(_ranked, told=lambda row: {"plays": row.games, "average": row.average}),
            _games,
            lambda answer: answer.standings,
        ),
        "match": Kind(partial(_ranked, told=lambda row: {"points": row.points}), _whole),
        "heats": Kind(_in_heats, _heats),
        "race": Kind(partial(_ranked, told=lambda row: {"plays": row.games, "average": row.average}), _whole),
    },
)
