"""One table as its referee sees it: its players, its plays, the next step."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils import timezone

from rulesets import RULESETS, Ruleset
from scoring import GameResult
from tournament.models import Call, Entry, Play, Stage, Table, Tournament
from tournament.pages.desk.play import held_starts
from tournament.pages.public.hall_clock import clock_at
from tournament.pages.public.stage import columns_of, people_in, person, play_label, plays_label
from tournament.pages.public.standings import Board, board_of
from tournament.results import (
    COUNTS,
    Contest,
    ContestResults,
    PlayFacts,
    Settled,
    kind_of,
    stage_contests,
    stage_results,
    starts_of,
)

TOLD_WITHIN = timedelta(minutes=10)  # how long a table reads who answered its call


@dataclass(frozen=True)
class Scene:
    """A table with the contest it belongs to and, once the stage has started, that contest's answer."""

    table: Table
    contest: Contest
    results: ContestResults | None

    @property
    def stage(self) -> Stage:
        return self.table.stage

    @property
    def tournament(self) -> Tournament:
        return self.table.stage.tournament

    @property
    def ruleset(self) -> Ruleset:
        return RULESETS[self.contest.ruleset]

    @property
    def names(self) -> dict[str, str]:
        """Public names by the entries' uids as text."""
        return self.contest.names

    @property
    def url(self) -> str:
        return reverse("table", args=[self.table.uid])

    @cached_property
    def plays(self) -> list[PlayFacts]:
        """The plays of this table, the newest first."""
        return [play for play in reversed(self.contest.in_order) if play.table == self.table.uid]

    def play(self, uid: UUID) -> PlayFacts:
        """The play of this table. Raises Play.DoesNotExist if it was removed since it was looked up."""
        found = next((play for play in self.plays if play.uid == uid), None)
        if found is None:
            raise Play.DoesNotExist
        return found

    @property
    def next_number(self) -> int:
        return max((play.number for play in self.plays), default=0) + 1

    @property
    def running(self) -> PlayFacts | None:
        """The KPGUT game that is being played here."""
        return next((play for play in self.plays if play.state == Play.State.RUNNING), None)

    @property
    def counting(self) -> list[PlayFacts]:
        return [play for play in self.plays if play.state in COUNTS]

    @property
    def undecided(self) -> list[tuple[PlayFacts, str, list[tuple[str, str]]]]:
        """The plays that were set aside and wait for a decision, each with its label and `held_starts`, in the order of
        playing."""
        aside = [play for play in reversed(self.plays) if play.state == Play.State.SET_ASIDE]
        return [(play, self.label(play), self.starts(play)) for play in aside] if self.open else []

    @property
    def undecided_label(self) -> str:
        """The label of all of them: "Rounds 4 to 8"."""
        return self.labels([play for play, *_more in self.undecided])

    @property
    def seated(self) -> list[UUID]:
        """The players who sit here and are not out, clockwise."""
        seats = [seat for seat in self.contest.seats if seat.table == self.table.number]
        return [seat.entry for seat in seats if seat not in self.contest.out]

    @property
    def ejected(self) -> set[UUID]:
        """The players ejected from a game, the running one too, and so from the rest of the session, by the answer."""
        standings = self.results.answer.standings if self.results else ()
        now = self.running.ejected if self.running else ()
        return {UUID(row.player) for row in standings if row.status == "disqualified"}.union(now)

    @property
    def ready(self) -> list[UUID]:
        """The players who sit here and may play the next game."""
        ejected = self.ejected
        return [entry for entry in self.seated if entry not in ejected]

    @property
    def open(self) -> bool:
        """Whether something may be entered now."""
        return self.stage.state == Stage.State.RUNNING

    @property
    def complete(self) -> bool:
        """Whether the match is over."""
        return self.results is not None and self.results.complete

    def named(self, entries: list[UUID]) -> list[tuple[str, str]]:
        """(uid as text, public name) of these players."""
        return [(str(entry), self.names.get(str(entry), "")) for entry in entries]

    def label(self, play: PlayFacts) -> str:
        return play_label(self.contest, play)

    def starts(self, play: PlayFacts) -> list[tuple[str, str]]:
        return held_starts(self.contest, play, self.tournament.zone)

    def labels(self, plays: Sequence[PlayFacts]) -> str:
        return plays_label(self.contest, plays)

    @cached_property
    def entries(self) -> Mapping[str, Entry]:
        """The entries of this contest by their uid as text."""
        entries = Entry.objects.filter(uid__in=[player.entry for player in self.contest.players])
        return {str(entry.uid): entry for entry in entries}

    def board(self, settled: Settled | None = None) -> Board | None:
        """The leader and the standings, as they are or as they would be; None for heats, which have none, and before
        the start."""
        results = ContestResults(settled.contest, settled.sheet, settled.answer) if settled else self.results
        if results is None or kind_of(self.contest.kind).one_play:
            return None
        return board_of(
            results.answer,
            results.sheet.data,
            people_in(
                results.contest,
                {uid: person(self.tournament, entry) for uid, entry in self.entries.items()},
            ),
            columns_of(results),
            finished=self.stage.state == Stage.State.FINISHED,
            gained=results.places_gained,
        )

    def points(self, play: UUID, settled: Settled | None = None) -> dict[str, int | None]:
        """Each player's points in one play, by the answer; empty for a play that does not count and for heats."""
        return {player: result.points for player, result in self._rows(play, settled).items()}

    def scored(self, play: UUID, settled: Settled | None = None) -> dict[str, GameResult]:
        """Each player's place in one KPGUT game, and what decided it; empty for other plays."""
        rows = self._rows(play, settled)
        return {player: result for player, result in rows.items() if isinstance(result, GameResult)}

    def _rows(self, play: UUID, settled: Settled | None) -> dict[str, Any]:
        """The answer's row of each player in one play."""
        results = settled or self.results
        if results is None:
            return {}
        rows: Any = results.answer.rounds
        for scored, row in zip(results.sheet.plays, rows, strict=True):
            if scored and scored.uid == play:
                return {result.player: result for result in row.results}
        return {}

    @cached_property
    def call(self) -> Call | None:
        """The last call for the head referee from this table: open, or answered a moment ago."""
        last = (
            Call.objects.filter(table=self.table, kind=Call.Kind.HELP)
            .select_related("answered_by")
            .order_by("-pk")
            .first()
        )
        stale = last is not None and last.answered_at and timezone.now() - last.answered_at > TOLD_WITHIN
        return None if stale else last

    def context(self) -> dict[str, Any]:
        """The context that every page about this table needs."""
        here = {"scene": self, "table": self.table, "stage": self.stage, "section": "desk"}
        return here | {"hall_clock": clock_at(self.table) if self.open else None}


def scene_of(table: Table) -> Scene:
    """The scene at a table, from its stage's results; for a stage that has not started, from its contests. Raises
    Table.DoesNotExist if it was removed since it was looked up."""
    for results in stage_results(table.stage):
        if table.uid in results.contest.table_numbers:
            return Scene(table, results.contest, results)
    for contest in stage_contests(table.stage):
        if table.uid in contest.table_numbers:
            return Scene(table, contest, None)
    raise Table.DoesNotExist


def asked_starts(plays: Iterable[tuple[PlayFacts | Play, str]]) -> list[dict[str, Any]]:
    """The questions when these games began, each with its label: which clock was wrong only people know. A moment to
    choose has its form's value, in milliseconds; of two in one minute, which read alike, only the later is there."""
    return [
        {
            "play": play.uid,
            "label": label,
            "running": play.state == Play.State.RUNNING,
            "moments": [
                (int(at.timestamp() * 1000), at)
                for at in {at.replace(second=0, microsecond=0): at for at in sorted(starts_of(play))}.values()
            ],
        }
        for play, label in plays
        if play.other_start and play.state != Play.State.VOID
    ]
