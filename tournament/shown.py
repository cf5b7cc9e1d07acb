"""What everybody may see of a stage: the one answer that public pages, exports, streams and screens ask for.

An organiser may freeze the standings before the last games. From then on everybody sees the stage, and every stage
after it (whose seats would tell who went through), as they were after the row of the ledger that froze it. The reveal
then shows the true places step by step from the last; its final step lifts the freeze. Referees read the truth from
`tournament.results`.

| step | a session or a match | heats |
| --- | --- | --- |
| the reveal begins | who has no place | nothing |
| each step | the last place still hidden, with all who share it; at several tables each table's | the next heat |
| the final step | the first place, and with it everything | the last heat, and with it everything |
"""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from threading import Lock
from uuid import UUID

from scoring import Answer, HeatAnswer, HeatsAnswer, MatchStanding, SessionStanding
from tournament.bridge import Contest
from tournament.ledger.past import Facts, contests_in, past_of
from tournament.models import Decision, Entry, LedgerRow, Stage
from tournament.results import ContestResults, scored, stage_contests, stage_results

KEPT = 20  # frozen stages


@dataclass(frozen=True, slots=True)
class Unveiled:
    """What the reveal has shown of one contest: `standings` in their order, those of the places in `hidden` left out.
    Of heats: `heats`, and the tables' numbers of those `hidden`. `table_number` as in `ContestResults`."""

    table_number: int | None
    hidden: tuple[int, ...]
    standings: tuple[SessionStanding | MatchStanding, ...] = ()
    heats: tuple[HeatAnswer, ...] = ()


@dataclass(frozen=True, slots=True)
class Frozen:
    """How a stage is frozen: as it was `after` that row of the ledger, written `at`; `by_earlier` where an earlier
    stage is the one that was frozen. `unveiled` is what the reveal has shown of each contest, None before it began;
    `left` the steps that are still to come, the final one included."""

    after: int
    at: datetime
    by_earlier: bool
    unveiled: tuple[Unveiled, ...] | None = None
    left: int = 0


@dataclass(frozen=True, slots=True)
class DecisionShown:
    """See `tournament.models.Decision`."""

    kind: str
    entry: UUID
    rank: int | None


@dataclass(frozen=True, slots=True)
class Shown:
    """A stage as everybody sees it. `results` are empty while it is planned, `contests` then tell who sits where."""

    stage: Stage
    state: str
    contests: tuple[Contest, ...]
    results: tuple[ContestResults, ...]
    decisions: tuple[DecisionShown, ...]
    frozen: Frozen | None = None


_kept: OrderedDict[tuple[UUID, int, int], tuple[ContestResults, ...]] = OrderedDict()
_lock = Lock()


def shown(stage: Stage, stages: Iterable[Stage] | None = None) -> Shown:
    """The stage as everybody sees it. `stages` are its tournament's, where the caller has them.

    Read the stage and call this in one `snapshot()`.
    """
    frozen_by = freezing(stage, stages)
    if frozen_by is not None:
        return _as_of(stage, frozen_by)
    results = stage_results(stage)
    contests = tuple(each.contest for each in results) or tuple(stage_contests(stage))
    decisions = Decision.objects.filter(stage=stage).select_related("entry").order_by("rank", "id")
    decided = tuple(DecisionShown(str(row.kind), row.entry.uid, row.rank) for row in decisions)
    return Shown(stage, str(stage.state), contests, results, decided)


def freezing(stage: Stage, stages: Iterable[Stage] | None = None) -> Stage | None:
    """The stage whose freeze decides what everybody sees of this one: of itself and those before it the one that was
    frozen first. None where everybody sees it as it is."""
    if stages is None:
        stages = Stage.objects.filter(
            tournament=stage.tournament_id, number__lte=stage.number, frozen_after__isnull=False
        )
    frozen = [each for each in stages if each.frozen_after is not None and each.number <= stage.number]
    return min(frozen, key=lambda each: each.frozen_after or 0, default=None)


def steps_of(answers: Sequence[Answer]) -> int:
    """How many steps it takes to reveal these contests of one stage, the final one included."""
    return max((len(_places(answer)) for answer in answers), default=0)


def _as_of(stage: Stage, frozen_by: Stage) -> Shown:
    after = frozen_by.frozen_after
    assert after is not None
    past = past_of(stage.tournament, after)
    facts = past.facts
    row = LedgerRow.objects.filter(tournament=stage.tournament, sequence=after).only("at").get()
    then = facts["stage"].get(str(stage.uid))
    frozen = Frozen(after, row.at, by_earlier=frozen_by.pk != stage.pk)
    if then is None:  # planned since
        return Shown(stage, Stage.State.PLANNED, (), (), (), frozen)
    contests = tuple(_named(stage, contests_in(facts, str(stage.uid), past.written)))
    results: tuple[ContestResults, ...] = ()
    if then["state"] != Stage.State.PLANNED:
        results = _scored(stage, after, contests)
    if stage.revealed is not None and not frozen.by_earlier:
        truth = stage_results(stage)
        steps = steps_of([each.answer for each in truth])
        left = max(steps - stage.revealed, 0)
        unveiled = tuple(_unveiled(each, left) for each in truth)
        frozen = replace(frozen, unveiled=unveiled, left=left)
    return Shown(stage, then["state"], contests, results, _decisions(facts, stage), frozen)


def _named(stage: Stage, contests: Iterable[Contest]) -> Iterable[Contest]:
    """The contests with the names that their players have today; with tables only."""
    names = dict(Entry.objects.filter(tournament=stage.tournament_id).values_list("uid", "public_name"))
    for contest in contests:
        if contest.table_numbers:
            players, others = (
                tuple(replace(player, name=names.get(player.entry, "–")) for player in group)
                for group in (contest.players, contest.others)
            )
            yield replace(contest, players=players, others=others)


def _scored(stage: Stage, after: int, contests: Iterable[Contest]) -> tuple[ContestResults, ...]:
    key = (stage.uid, stage.version, after)
    with _lock:
        if key in _kept:
            _kept.move_to_end(key)
            return _kept[key]
    results = tuple(scored(contest) for contest in contests)
    with _lock:
        _kept[key] = results
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
    return results


def _decisions(facts: Facts, stage: Stage) -> tuple[DecisionShown, ...]:
    rows = [row for row in facts.get("decision", {}).values() if row["stage"] == str(stage.uid)]
    rows.sort(key=lambda row: (row.get("rank") is None, row.get("rank") or 0))
    return tuple(DecisionShown(row["kind"], UUID(row["entry"]), row.get("rank")) for row in rows)


def _places(answer: Answer) -> list[int]:
    """What the reveal shows one by one, in the order of the list: the places, of heats their numbers."""
    if isinstance(answer, HeatsAnswer):
        return [heat.number for heat in answer.rounds]
    return sorted({row.place for row in answer.standings if row.place is not None})


def _unveiled(results: ContestResults, left: int) -> Unveiled:
    """What is shown of a contest while `left` steps are still to come."""
    answer = results.answer
    places = _places(answer)
    if isinstance(answer, HeatsAnswer):
        hidden = places[max(len(places) - left, 0) :]
        heats = tuple(heat for heat in answer.rounds if heat.number not in hidden)
        return Unveiled(None, tuple(hidden), heats=heats)
    best = set(places[:left])
    hidden = [row.place for row in answer.standings if row.place is not None and row.place in best]
    standings = tuple(row for row in answer.standings if row.place not in best)
    return Unveiled(results.table_number, tuple(hidden), standings)
