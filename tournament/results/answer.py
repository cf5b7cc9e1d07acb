"""The one answer that pages, live updates, API, Excel and print all show.

`stage_results` scores a stage's contests as this process knows them (tournament/results/contests.py). The answer is
kept with its contest, so that the many readers of one version share one computation.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar
from uuid import UUID

from rulesets import OWN_HAND, RULESETS
from scoring import Answer, PlayAnswer, score
from tournament.models import Stage
from tournament.results.bridge import COUNTS, ROWS, Contest, Sheet
from tournament.results.contests import contests_now
from tournament.results.facts import PlayFacts
from tournament.results.kinds import kind_of
from tournament.results.settling import settle

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ContestResults:
    """One contest with its score sheet and scoring's answer. `table` is the table's uid if the contest is one table's
    match, else None; `table_number` likewise. `impossible` as in `Settled`."""

    contest: Contest
    sheet: Sheet
    answer: Answer
    impossible: Mapping[UUID, str] = field(default_factory=dict)

    @property
    def table(self) -> UUID | None:
        return self.contest.table

    @property
    def table_number(self) -> int | None:
        return self.contest.table_numbers[self.contest.table] if self.contest.table else None

    @property
    def names(self) -> dict[str, str]:
        """Public names by the players' ids in the answer."""
        return self.contest.names

    @property
    def complete(self) -> bool:
        """Whether the match is over; a session and heats are over when their stage is finished."""
        return self.answer.complete

    def once(self, name: str, make: Callable[["ContestResults"], T]) -> T:
        """Return `make(self)`, cached under the name with the contest."""
        if name not in self.contest.kept:
            self.contest.kept[name] = make(self)
        made: T = self.contest.kept[name]
        return made

    @property
    def places_gained(self) -> dict[str, int]:
        """The places that each ranked player gained with the last game or round; see `places_gained`."""
        return self.once("places gained", lambda own: places_gained(own.sheet.data, own.answer))

    @property
    def counted(self) -> list[tuple[PlayFacts, PlayAnswer]]:
        """The plays that count, each with its part of the answer, without a walkover, which nobody played."""
        rounds: tuple[PlayAnswer, ...] = self.answer.rounds
        return [(play, each) for play, each in zip(self.sheet.plays, rounds, strict=True) if play is not None]

    def why_not(self, play: PlayFacts) -> str:
        """Give why a play does not count: it is `running` or `void`, or one of settling's IMPOSSIBLE; "" if it
        counts."""
        return self.impossible.get(play.uid) or ("" if play.state in COUNTS else str(play.state))

    def play_of_round(self, number: int) -> PlayFacts | None:
        """Find the play from which the answer's round of this number was scored; None for a walkover."""
        return self.sheet.plays[number - 1]


def stage_results(stage: Stage) -> tuple[ContestResults, ...]:
    """Score every contest of the stage. Empty while the stage is only planned: facts that scoring needs (a target, a
    second player) may be missing until it starts.

    Read the stage and call this in one `snapshot()`, so that both are as of one moment.
    """
    return () if stage.state == Stage.State.PLANNED else tuple(map(scored, stage_contests(stage)))


def stage_contests(stage: Stage) -> list[Contest]:
    """List every contest of the stage, also before it starts: the seats and plays as of one moment. One for each table
    in match stages, else one; none for a stage without tables."""
    return [contest for contest in contests_now(stage) if contest.table_numbers]


def scored(contest: Contest) -> ContestResults:
    """Score the contest; the answer is cached with it."""
    if "results" not in contest.kept:
        settled = settle(contest)
        other = settled.contest if settled.moved else None  # a reference cycle would be freed late
        contest.kept["results"] = (other, settled.sheet, settled.answer, settled.impossible)
    other, *rest = contest.kept["results"]
    return ContestResults(other or contest, *rest)


def places_gained(sheet: dict[str, Any], answer: Answer) -> dict[str, int]:
    """Compute the places that each ranked player gained with the sheet's last game or round (negative: lost), by
    scoring the sheet without it; empty for heats and if there is nothing to compare with."""
    rows = ROWS[sheet["kind"]]
    if kind_of(sheet["kind"]).one_play or len(sheet[rows]) < 2:
        return {}
    was, now = _places(score({**sheet, rows: sheet[rows][:-1], "stopped": False})), _places(answer)
    return {player: was[player] - place for player, place in now.items() if player in was}


def target_of(sheet: dict[str, Any]) -> int | None:
    """Give the points that end a match; None while they are not chosen."""
    target = sheet.get("settings", {}).get("target")
    return RULESETS[sheet["ruleset"]].default_target if target is None else int(target)


def points_missing(sheet: dict[str, Any], answer: Answer) -> tuple[list[str], int] | None:
    """Give the players nearest to the target of a running match and the points that they still need; None where no
    round was played, the match is over or has no target."""
    target = target_of(sheet)
    if not kind_of(answer.kind).sheet_each_table or target is None or answer.complete or not answer.rounds:
        return None
    in_play = [row for row in answer.standings if row.place is not None]
    most = max((int(row.points) for row in in_play), default=0)
    return [row.player for row in in_play if row.points == most], target - most


def lowest_wins(sheet: dict[str, Any]) -> bool:
    """Tell whether everybody collects their own hand, so that the lowest total of the match wins."""
    return bool(sheet.get("settings", {}).get("scoring", RULESETS[sheet["ruleset"]].scorings[0]) == OWN_HAND)


def _places(answer: Answer) -> dict[str, int]:
    return {row.player: row.place for row in answer.standings if row.place is not None}
