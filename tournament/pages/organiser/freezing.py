"""A stage's freeze for its organiser."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from tournament.models import LedgerRow, Stage
from tournament.pages.public.reveal import Reveal, reveal_of
from tournament.pages.public.stage import StageBoard, stage_board
from tournament.pages.public.standings import Person
from tournament.queries.visible import freezing, left_of, shown, taking_part, truth, unveiled
from tournament.results import ContestResults, stage_results
from tournament.server.database import snapshot


@dataclass(frozen=True, slots=True, kw_only=True)
class Freeze:
    """A stage publicly shown as `at` that time. `by`: the frozen stage; `own`: frozen itself."""

    stage: Stage
    by: Stage
    at: datetime

    @property
    def own(self) -> bool:
        return self.stage.frozen_after is not None

    @property
    def by_earlier(self) -> bool:
        return self.by.pk != self.stage.pk

    @property
    def begun(self) -> bool:
        """Whether the reveal has begun."""
        return self.stage.revealed is not None

    @property
    def may_begin(self) -> bool:
        over = self.stage.state == Stage.State.FINISHED
        return self.own and over and not self.begun and not self.by_earlier


@dataclass(frozen=True, slots=True, kw_only=True)
class Revealing:
    """Reveal: steps `left`, what the `next` shows per contest, what was `seen`."""

    left: int
    next: Sequence[Reveal]
    seen: Sequence[Reveal]


def freeze_of(stage: Stage, stages: Iterable[Stage] | None = None) -> Freeze | None:
    """The stage's freeze, else None. `stages`: the tournament's, if loaded."""
    by = freezing(stage, stages)
    if by is None or by.frozen_after is None:
        return None
    at = LedgerRow.objects.values_list("at", flat=True).get(
        tournament=stage.tournament_id, sequence=by.frozen_after
    )
    return Freeze(stage=stage, by=by, at=at)


def true_board(stage: Stage) -> StageBoard:
    """The unfrozen board, for the event's staff."""
    with snapshot():
        row = Stage.objects.select_related("tournament").get(pk=stage.pk)
        return stage_board(row.tournament, row, taking_part(row.tournament, ()), seen=truth(row))


def revealing(stage: Stage) -> Revealing | None:
    """The reveal in progress, else None."""
    with snapshot():
        row = Stage.objects.select_related("tournament").get(pk=stage.pk)
        frozen = shown(row).frozen
        if frozen is None or frozen.unveiled is None:
            return None
        results = stage_results(row)
    people = {uid: Person(name=name) for each in results for uid, name in each.names.items()}
    left = left_of(row, results)
    return Revealing(
        left=left,
        next=[reveal for each in results if (reveal := _next(each, left, people))],
        seen=[reveal_of(each, people) for each in frozen.unveiled],
    )


def _next(results: ContestResults, left: int, people: dict[str, Person]) -> Reveal | None:
    now, then = unveiled(results, left), unveiled(results, left - 1)
    known = {row.player for row in now.standings}
    rows = tuple(row for row in then.standings if row.player not in known)
    heats = then.heats[len(now.heats) :]
    return reveal_of(replace(then, standings=rows, heats=heats), people) if rows or heats else None
