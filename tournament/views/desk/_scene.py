"""One table as its referee sees it: who sits there, what was played, what comes next."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import UUID

from django.urls import reverse

from rulesets import RULESETS, Ruleset
from tournament.bridge import COUNTS, Contest
from tournament.facts import PlayFacts
from tournament.models import Entry, Play, Result, Stage, Table, Tournament
from tournament.results import ContestResults, stage_results
from tournament.settle import Settled
from tournament.views.public.boards import Board, board_of
from tournament.views.public.stage_boards import columns_of, people_in, person, play_label


@dataclass(frozen=True)
class Scene:
    """A table with the contest it belongs to and that contest's answer."""

    table: Table
    results: ContestResults

    @property
    def stage(self) -> Stage:
        return self.table.stage

    @property
    def tournament(self) -> Tournament:
        return self.table.stage.tournament

    @property
    def contest(self) -> Contest:
        return self.results.contest

    @property
    def ruleset(self) -> Ruleset:
        return RULESETS[self.contest.ruleset]

    @property
    def names(self) -> dict[str, str]:
        """Public names by the entries' uids as text."""
        return self.results.names

    @property
    def url(self) -> str:
        return reverse("table", args=[self.table.uid])

    @cached_property
    def plays(self) -> list[PlayFacts]:
        """The plays of this table, the newest first."""
        here = [play for play in self.contest.plays if play.table == self.table.uid]
        return sorted(here, key=lambda play: -play.number)

    @property
    def next_number(self) -> int:
        return self.plays[0].number + 1 if self.plays else 1

    @property
    def running(self) -> PlayFacts | None:
        """The KPGUT game that is being played here."""
        return next((play for play in self.plays if play.state == Play.State.RUNNING), None)

    @property
    def counting(self) -> list[PlayFacts]:
        return [play for play in self.plays if play.state in COUNTS]

    @property
    def seated(self) -> list[UUID]:
        """Who sits here and may play on, clockwise: who is out, or was ejected from the session, may not."""
        number = self.table.number
        standings: Any = getattr(self.results.answer, "standings", ())
        ejected = {row.player for row in standings if row.status == "disqualified"}
        return [
            seat.entry
            for seat in self.contest.seats
            if seat.table == number and not seat.out_as and str(seat.entry) not in ejected
        ]

    @property
    def ejected(self) -> set[UUID]:
        """Who was ejected from a game of this session that counts, and so from the rest of it."""
        return {
            row.entry
            for play in self.contest.plays
            if play.state in COUNTS
            for row in play.with_outcome(Result.Outcome.EJECTED)
        }

    @property
    def ready(self) -> list[UUID]:
        """Who sits here and may play the next game."""
        ejected = self.ejected
        return [entry for entry in self.seated if entry not in ejected]

    @property
    def open(self) -> bool:
        """Whether something may be entered now."""
        return self.stage.state == Stage.State.RUNNING

    def named(self, entries: list[UUID]) -> list[tuple[str, str]]:
        """(uid as text, public name) of these players."""
        return [(str(entry), self.names.get(str(entry), "")) for entry in entries]

    def label(self, play: PlayFacts) -> str:
        return play_label(self.contest, play)

    @cached_property
    def entries(self) -> Mapping[str, Entry]:
        """The entries of this contest by their uid as text."""
        wanted = [player.entry for player in self.contest.players]
        return {str(entry.uid): entry for entry in Entry.objects.filter(uid__in=wanted)}

    def board(self, settled: Settled | None = None) -> Board | None:
        """Who leads and the standings, as they are or as they would be; None for heats, which have none."""
        if self.contest.kind == "heats":
            return None
        results = ContestResults(settled.contest, settled.sheet, settled.answer) if settled else self.results
        everybody = {uid: person(self.tournament, entry) for uid, entry in self.entries.items()}
        return board_of(
            results.answer,
            results.sheet.data,
            people_in(results.contest, everybody),
            columns_of(results),
            finished=self.stage.state == Stage.State.FINISHED,
        )

    def points(self, play: UUID, settled: Settled | None = None) -> dict[str, int | None]:
        """What each player got in one play, by the answer; empty for a play that does not count and for heats."""
        sheet, answer = (
            (settled.sheet, settled.answer) if settled else (self.results.sheet, self.results.answer)
        )
        rows: Any = answer.rounds
        for scored, row in zip(sheet.plays, rows, strict=True):
            if scored and scored.uid == play:
                return {result.player: getattr(result, "points", None) for result in row.results}
        return {}

    def context(self) -> dict[str, Any]:
        """What every page about this table wants."""
        return {"scene": self, "table": self.table, "stage": self.stage, "section": "desk"}


def scene_of(table: Table) -> Scene:
    """The scene at a table, from its stage's results."""
    for results in stage_results(table.stage):
        if results.table is None or results.table == table.uid:
            return Scene(table, results)
    raise LookupError(f"no contest at {table.uid}")
