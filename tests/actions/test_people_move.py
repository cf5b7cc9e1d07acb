"""Evenings on which people change tables, leave, are removed and come back, and matches are stopped and go on.

Whatever happens in whatever order:

- leaving after the end of a match, or of a stage, changes nothing in its standings;
- a game that begins now takes no earlier game away, and a game that moves to another table at its time changes nothing;
- a correction that is legal with the plays before it is accepted in one command: what it makes impossible behind it is
  set aside, and never the reason to refuse it.

A seed gives the same evening each time.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest

from scoring import SheetInvalid, score
from tests.depth import FEWEST, MUTANTS, SOAK
from tests.support.factories import Event, running_match, running_session
from tournament import actions
from tournament.models import Entry, Play, Stage, Table
from tournament.results.answer import ContestResults, stage_results
from tournament.results.bridge import COUNTS, Contest, sheet_of
from tournament.results.contests import contest_now
from tournament.results.facts import PlayFacts
from tournament.results.faults import Refused
from tournament.results.given import GameEntry, RoundEntry
from tournament.results.settling import settle, with_departures, without_departures_afterwards

pytestmark = [pytest.mark.django_db, pytest.mark.hypothesis]

EVENINGS = 500 if SOAK else FEWEST if MUTANTS else 25
STEPS = 12
HANDS: list[dict[str, int]] = [{"0": 1}, {"7": 1}, {"9": 2}, {"draw2": 1}, {"wild": 1, "3": 1}]
Json = dict[str, Any]


def is_legal(contest: Contest, changed: PlayFacts) -> bool:
    """Whether the play is legal with those before it, as they count, and before anybody left since."""
    order = contest.with_play(changed).in_order
    before = order[: next(at for at, play in enumerate(order) if play.uid == changed.uid)]
    sheet = sheet_of(without_departures_afterwards(replace(contest, plays=(*before, changed))))
    try:
        score(sheet.data)
    except SheetInvalid:
        return False
    return True


class Evening(ABC):
    """A stage at which everything is pressed; what is refused changes nothing."""

    made: Event

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    @abstractmethod
    def steps(self) -> list[Callable[[], object]]:
        """List the moves that may follow; one that is listed twice happens twice as often."""

    @abstractmethod
    def corrected(self, table: Table, play: PlayFacts) -> tuple[Json, Contest, PlayFacts] | None:
        """Another content for the play as the arguments of a correction, the contest with who left by it, and the
        play with it; None if it names somebody who was out in another way."""

    correction: Callable[..., Any]

    def tried(self, action: Callable[..., Any], **arguments: Any) -> bool:
        try:
            self.made.act(action, **arguments)
        except Refused:
            return False
        return True

    def results(self) -> list[ContestResults]:
        return list(stage_results(Stage.objects.get(pk=self.made.stage.pk)))

    def table(self) -> Table:
        return self.chance.choice(self.made.tables)

    def some(self, *states: str) -> UUID | None:
        entries = Entry.objects.filter(tournament=self.made.tournament, state__in=states).order_by("pk")
        found = list(entries.values_list("uid", flat=True))
        return self.chance.choice(found) if found else None

    def play(self) -> tuple[Table, Contest, PlayFacts] | None:
        table = self.table()
        contest = contest_now(table)
        plays = [play for play in contest.plays if play.table == table.uid]
        return (table, contest, self.chance.choice(plays)) if plays else None

    def leave(self) -> None:
        if entry := self.some("registered", "checked_in"):
            if self.chance.random() < 0.5:
                self.tried(actions.player_leaves, entry=entry)
            else:
                self.tried(actions.remove_player, entry=entry, reason="disturbed")

    def come_back(self) -> None:
        if entry := self.some("left", "disqualified"):
            self.tried(actions.readmit_player, entry=entry)

    def void(self) -> None:
        if found := self.play():
            play = found[2]
            self.tried(actions.void_play, play=play.uid, version=play.version, reason="never played")

    def correct(self) -> None:
        found = self.play()
        changed = self.corrected(found[0], found[2]) if found else None
        if not found or not changed:
            return
        asked, contest, offered = changed
        if is_legal(contest, offered):
            seen = {"play": offered.uid, "version": found[2].version, "reason": "counted again"}
            self.made.act(self.correction, **seen, **asked)
            assert Play.objects.get(uid=offered.uid).state == Play.State.ENTERED

    def go_home(self) -> None:
        """The stage is over: whoever leaves, the standings stay."""
        if not self.tried(actions.finish_stage, stage=self.made.stage.uid):
            return
        before = [each.answer for each in self.results()]
        for _each in range(3):
            self.leave()
        assert [each.answer for each in self.results()] == before

    def spend(self) -> None:
        for _step in range(STEPS):
            self.chance.choice(self.steps())()
            for table in self.made.tables:
                table.refresh_from_db()
        self.go_home()


class Match(Evening):
    """Matches of three or four at two tables, to a target that is reached soon."""

    correction = staticmethod(actions.correct_round)

    def __init__(self, chance: random.Random) -> None:
        super().__init__(chance)
        self.made = running_match(
            players=7, tables=2, target=60, scoring=chance.choice(["winner_takes", "own_hand"])
        )

    def steps(self) -> list[Callable[[], object]]:
        often = [self.round] * 4 + [self.correct] * 3 + [self.leave] * 2
        return [*often, self.leave_after_the_end, self.come_back, self.void, self.stop, self.go_on]

    def content(self, here: list[UUID]) -> Json:
        """A round of those who are here, from which on somebody may be out; a walkover if one is left or none."""
        gone = [uid for uid in here if self.chance.random() < 0.1]
        left = [uid for uid in here if uid not in gone]
        how = self.chance.choice(["removed", "withdrawn"])
        said: Json = {"winner": None, "hands": {}, "removed": [], "withdrawn": [], how: gone}
        if len(left) > 1:
            winner = self.chance.choice(left)
            hands = {str(uid): self.chance.choice(HANDS) for uid in left if uid != winner}
            said |= {"winner": winner, "hands": hands}
        return said

    def round(self) -> None:
        table = self.table()
        contest = contest_now(table)
        here = [seat.entry for seat in contest.seats if not seat.out_as]
        number = max((play.number for play in contest.plays), default=0) + 1
        content = self.content(here)
        self.tried(actions.record_round, table=table.uid, play=uuid4(), number=number, **content)

    def corrected(self, table: Table, play: PlayFacts) -> tuple[Json, Contest, PlayFacts] | None:
        contest = contest_now(table)
        here = [seat.entry for seat in contest.seats if seat.out_from is None or seat.out_from >= play.number]
        said = self.content(here)
        departures: Mapping[UUID, str] = {
            entry: how for how in ("removed", "withdrawn") for entry in said[how]
        }
        try:
            after = with_departures(contest, table, play.number, departures, editing=True)
        except Refused:
            return None
        entry = RoundEntry(**said)
        return said, after, entry.facts(contest, replace(play, state=Play.State.ENTERED), [])

    def leave_after_the_end(self) -> None:
        for index, each in enumerate(self.results()):
            here = [seat.entry for seat in each.contest.seats if not seat.out_as]
            if each.complete and here:
                self.tried(actions.player_leaves, entry=self.chance.choice(here))
                after = self.results()[index].answer
                assert (after.standings, after.winners) == (each.answer.standings, each.answer.winners)

    def stop(self) -> None:
        self.tried(actions.stop_match, table=self.table().uid)

    def go_on(self) -> None:
        self.tried(actions.resume_match, table=self.table().uid)


class Session(Evening):
    """A session at two tables, between which people change."""

    correction = staticmethod(actions.correct_game)

    def __init__(self, chance: random.Random) -> None:
        super().__init__(chance)
        self.made = running_session(players=7, tables=2)

    def steps(self) -> list[Callable[[], object]]:
        often = [self.game] * 4 + [self.correct] * 3 + [self.change_tables] * 3
        return [*often, self.leave, self.come_back, self.void, self.shift, self.move]

    def content(self, players: list[UUID]) -> Json:
        """A game that ends with one of them left, or at the hour."""
        outcomes = [self.chance.choice(["out", "out", "out", "gave_up", "ejected"]) for _each in players]
        ended = self.chance.choice(["last", "time"])
        outcomes[0] = "last" if ended == "last" else "remaining"
        if ended == "time":
            outcomes[1] = "remaining"
        results: list[Json] = [
            {"entry": uid, "outcome": outcome} for uid, outcome in zip(players, outcomes, strict=True)
        ]
        for row in results:
            if row["outcome"] == "out":
                row["elapsed_s"] = 60 * self.chance.randint(1, 50)
            elif row["outcome"] == "remaining":
                row["hand"] = self.chance.choice(HANDS)
        return {
            "ended": ended,
            "duration_s": 3600 if {"gave_up", "ejected"} & {*outcomes} or ended == "time" else None,
            "results": results,
        }

    def game(self) -> None:
        table = self.table()
        contest = contest_now(table)
        here = [seat.entry for seat in contest.seats if seat.table == table.number and not seat.out_as]
        if len(here) < 2:
            return
        self.chance.shuffle(here)
        states = {play.uid: play.state for play in contest.plays}
        number = sum(play.table == table.uid for play in contest.plays) + 1
        self.tried(actions.record_game, table=table.uid, play=uuid4(), number=number, **self.content(here))
        now = {play.uid: play.state for play in contest_now(table).plays}
        assert {uid: now[uid] for uid in states} == states

    def corrected(self, table: Table, play: PlayFacts) -> tuple[Json, Contest, PlayFacts] | None:
        players = [row.entry for row in play.results]
        self.chance.shuffle(players)
        said = self.content(players)
        contest = contest_now(table)
        offered = GameEntry(**said).facts(contest, replace(play, state=Play.State.ENTERED), [])
        return said, contest, offered

    def seat(self, first: list[UUID], second: list[UUID]) -> bool:
        dealt = [{"number": number, "entries": entries} for number, entries in ((1, first), (2, second))]
        return self.tried(actions.seat_stage, stage=self.made.stage.uid, tables=dealt)

    def seated(self) -> list[UUID]:
        found = [seat.entry for seat in contest_now(self.made.table).seats if not seat.out_as]
        self.chance.shuffle(found)
        return found

    def change_tables(self) -> None:
        people = self.seated()
        cut = self.chance.randint(2, max(2, len(people) - 2))
        self.seat(people[:cut], people[cut:])

    def shift(self) -> None:
        """The same game, had it been entered at the other table."""
        if found := self.play():
            table, contest, play = found
            other = next(each for each in self.made.tables if each.pk != table.pk)
            number = sum(each.table == other.uid for each in contest.plays) + 1
            shifted = settle(contest.with_play(replace(play, table=other.uid, number=number)))
            assert shifted.answer == settle(contest).answer

    def move(self) -> None:
        """Move a game to the other table, at which its players sit by now."""
        found = self.play()
        if not found or found[2].state not in COUNTS:
            return
        table, _contest, play = found
        other = next(each for each in self.made.tables if each.pk != table.pk)
        people = self.seated()
        there = [uid for uid in people if play.result_of(uid)]
        here = [uid for uid in people if uid not in there]
        self.seat(*((here, there) if other.number == 2 else (there, here)))
        before = self.results()[0].answer
        asked = {"play": play.uid, "version": play.version, "to": other.uid, "new": uuid4()}
        if self.tried(actions.move_play, **asked, reason="the wrong table"):
            after = self.results()[0].answer
            assert after.standings == before.standings


@pytest.mark.sweep
@pytest.mark.parametrize("seed", sorted({*range(EVENINGS), 489}))  # the last one left behind another who had
def test_whoever_moves_and_leaves_what_was_played_stands(seed: int) -> None:
    kind = Match if seed % 2 else Session
    kind(random.Random(seed)).spend()
