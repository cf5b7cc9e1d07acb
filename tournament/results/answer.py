"""Stage results for pages, live updates, API, Excel and print.

Cached with each contest (tournament/results/contests.py).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast
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
    """A contest with its sheet and answer.

    `table` (uid), `table_number`: None unless each table has its own match. `impossible` as in `Settled`.
    """

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
        """Public names by player id."""
        return self.contest.names

    @property
    def complete(self) -> bool:
        """Whether the match is over; sessions and heats end with their stage."""
        return self.answer.complete

    def once(self, name: str, make: Callable[["ContestResults"], T]) -> T:
        """Return `make(self)`, cached with the contest by name."""
        if name not in self.contest.kept:
            self.contest.kept[name] = make(self)
        return cast("T", self.contest.kept[name])

    @property
    def places_gained(self) -> dict[str, int]:
        """The function `places_gained`, cached."""
        return self.once("places gained", lambda own: places_gained(own.sheet.data, own.answer))

    @property
    def counted(self) -> list[tuple[PlayFacts, PlayAnswer]]:
        """Counted plays with their answers, without walkovers."""
        rounds: tuple[PlayAnswer, ...] = self.answer.rounds
        return [(play, each) for play, each in zip(self.sheet.plays, rounds, strict=True) if play]

    def why_not(self, play: PlayFacts) -> str:
        """Why the play does not count: `running`, `void` or one of IMPOSSIBLE; "" if it does."""
        return self.impossible.get(play.uid) or ("" if play.state in COUNTS else str(play.state))

    def play_of_round(self, number: int) -> PlayFacts | None:
        """Play behind the answer's round; None for a walkover."""
        return self.sheet.plays[number - 1]


def stage_results(stage: Stage) -> tuple[ContestResults, ...]:
    """Results of every contest; empty while planned (target or players may be missing).

    Read the stage and call this in one `snapshot()`.
    """
    return () if stage.state == Stage.State.PLANNED else tuple(map(scored, stage_contests(stage)))


def stage_contests(stage: Stage) -> list[Contest]:
    """Contests with tables, as one snapshot: per table in match stages, else one."""
    return [contest for contest in contests_now(stage) if contest.table_numbers]


def scored(contest: Contest) -> ContestResults:
    """Results of the contest, cached."""
    if "results" not in contest.kept:
        settled = settle(contest)
        other = settled.contest if settled.moved else None  # avoids a reference cycle
        contest.kept["results"] = (other, settled.sheet, settled.answer, settled.impossible)
    other, *rest = contest.kept["results"]
    return ContestResults(other or contest, *rest)


def places_gained(sheet: dict[str, Any], answer: Answer) -> dict[str, int]:
    """Places gained (negative: lost) by the last game or round, by ranked player; empty for heats."""
    rows = ROWS[sheet["kind"]]
    if kind_of(sheet["kind"]).one_play or len(sheet[rows]) < 2:
        return {}
    before = {key: value for key, value in sheet.items() if key != "stopped"}
    return places_between(score({**before, rows: sheet[rows][:-1]}), answer)


def places_between(was: Answer, now: Answer) -> dict[str, int]:
    """Places gained from one answer to the other; empty if nothing had been played."""
    before = _places(was) if was.rounds else {}
    return {player: before[player] - place for player, place in _places(now).items() if player in before}


def target_of(sheet: dict[str, Any]) -> int | None:
    """Points that end a match; None if not chosen, and of other kinds."""
    if not kind_of(sheet["kind"]).to_target:
        return None
    target = sheet.get("settings", {}).get("target")
    return RULESETS[sheet["ruleset"]].default_target if target is None else int(target)


def points_missing(sheet: dict[str, Any], answer: Answer) -> tuple[list[str], int] | None:
    """Players closest to the target and points missing; None without rounds or target, or once over."""
    target = target_of(sheet)
    if target is None or answer.complete or not answer.rounds:
        return None
    in_play = [row for row in answer.standings if row.place is not None]
    most = max((int(row.points) for row in in_play), default=0)
    return [row.player for row in in_play if row.points == most], target - most


def lowest_wins(sheet: dict[str, Any]) -> bool:
    """Whether players collect their own hands (lowest total wins)."""
    return bool(sheet.get("settings", {}).get("scoring", RULESETS[sheet["ruleset"]].scorings[0]) == OWN_HAND)


def _places(answer: Answer) -> dict[str, int]:
    return {row.player: row.place for row in answer.standings if row.place is not None}
