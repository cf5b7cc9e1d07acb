"""Entering, correcting and voiding in any order gives what having entered it right at first gives: the standings, the
pages, what the API answers, the workbook and the archive.

The right facts are a generated score sheet, and who left when. Plays are entered with these or with other values,
corrected to still others, voided and taken back in; starts are corrected, departures are noted before and after the
plays that they belong to, and taken back; games of two tables come in any order. A command that cannot be true of the
other plays as they stand is refused and tried again later. At the end each play is as it should be, and the answer must
be scoring's of the right sheet. Then the same facts are entered at once and in order, with the same ids, from the same
seats: every surface must be as before, but for history and the moments of entry. Outside of a soak that is the archive
with its score sheets and answers, and one of the others.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from itertools import count
from typing import Any
from unittest import mock
from uuid import UUID, uuid4

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import given, strategies as st
from hypothesis.extra.django import TestCase

from scoring import score
from tests.depth import SOAK, events
from tests.scoring import sheets
from tests.support.asking_actions import results
from tests.support.factories import Event, add_stage, event
from tests.support.surfaces import SURFACES, surfaces
from tournament import actions
from tournament.actions.kernel import work
from tournament.models import Play, Seat
from tournament.results.faults import Refused
from tournament.results.settling import without_play

Json = dict[str, Any]

DEPARTURES = ("removed", "withdrawn")
HOURS = timedelta(hours=10)  # from the start of the stage until everything is entered


class Evening(ABC):
    """An event that is entered from a sheet. `plays` has the uid of each row's play, `voided` those that must end
    void; `entered` has what was entered last of each play, `again` the plays that were voided and played again."""

    rows: str
    kind: str

    def __init__(self, data: st.DataObject, sheet: Json) -> None:
        self.draw, self.sheet = data.draw, sheet
        made = event(sheet["ruleset"], len(sheet["players"]))
        made.act(actions.check_in, entries=made.uids)
        self.uids = {player["id"]: uid for player, uid in zip(sheet["players"], made.uids, strict=True)}
        self.began = timezone.now()
        self.made = self.seat(made)
        self.plays: dict[int, UUID] = {}
        self.voided: set[int] = set()
        self.entered: dict[UUID, Json] = {}
        self.again: dict[int, list[UUID]] = {}

    @abstractmethod
    def seat(self, made: Event) -> Event: ...

    @abstractmethod
    def asked(self, row: Json) -> Json:
        """The arguments with which this row is entered or corrected."""

    @abstractmethod
    def other(self, row: Json) -> Json:
        """The row with other values that could be true of it."""

    @property
    def order(self) -> list[int]:
        """The rows in the order in which they are entered."""
        return list(range(len(self.sheet[self.rows])))

    def enter(self, index: int, row: Json) -> None:
        uid = self.plays.get(index) or uuid4()
        self.made.act(
            self.record, table=self.table(index), play=uid, number=self.number(index), **self.asked(row)
        )
        self.plays[index], self.entered[uid] = uid, row

    def correct(self, index: int, row: Json) -> None:
        self.made.act(self.correction, **self.seen(index), reason="counted again", **self.asked(row))
        self.entered[self.plays[index]] = row

    def void(self, index: int) -> None:
        if Play.objects.get(uid=self.plays[index]).state != "void":
            self.made.act(actions.void_play, **self.seen(index), reason="cards were missing")

    def seen(self, index: int) -> Json:
        play = Play.objects.get(uid=self.plays[index])
        return {"play": play.uid, "version": play.version}

    def table(self, index: int) -> UUID:
        return self.made.tables[min(index, len(self.made.tables) - 1)].uid

    def number(self, index: int) -> int:
        return Play.objects.filter(table__uid=self.table(index)).count() + 1

    record: Callable[..., Any]
    correction: Callable[..., Any]

    def settle(self, indices: list[int]) -> None:
        """Make these plays what they should be, in this order; those that cannot be true yet come again, and so do
        those that a later correction sets aside and asks about. Where each stands against another's being right, what
        ejected its player is put right first."""
        held: list[int] = []
        while indices:
            waiting = [index for index in indices if not self.tried(self.finish, index)]
            if len(waiting) == len(indices):
                assert waiting != held, "no play can be put right"
                held = waiting
                for index in waiting:
                    self.tried(self.correct, index, without_ejections(self.entered[self.plays[index]]))
            indices = waiting
        for index, uid in self.plays.items():
            if Play.objects.get(uid=uid).state == "set_aside":
                self.finish(index)

    def finish(self, index: int) -> None:
        self.correct(index, self.sheet[self.rows][index])
        if index in self.voided:
            self.void(index)

    def tried(self, call: Callable[..., Any], *arguments: Any, **more: Any) -> bool:
        try:
            call(*arguments, **more)
        except Refused:
            return False
        return True

    def leave(self, player: str, how: str) -> None:
        """Note by itself that a player left or was removed."""
        action = actions.remove_player if how == "removed" else actions.player_leaves
        self.made.act(action, entry=self.uids[player], reason="disturbed")

    def come_and_go(self) -> None:
        """Somebody is noted as gone by mistake, and let back in."""
        player = self.draw(st.sampled_from(sorted(self.uids)), label="gone by mistake")
        if self.tried(self.leave, player, "withdrawn"):
            self.tried(self.made.act, actions.readmit_player, entry=self.uids[player])

    def play(self) -> None:
        rows = self.sheet[self.rows]
        for index in self.order:
            first = (
                self.other(rows[index]) if self.draw(st.booleans(), label="entered wrongly") else rows[index]
            )
            if not self.tried(self.enter, index, first):
                self.settle([each for each in self.order if each in self.plays])
                self.enter(index, rows[index])
        for index in self.draw(st.lists(st.sampled_from(range(len(rows))), max_size=5)) if rows else []:
            how = self.draw(st.sampled_from(("void", "correct", "come and go")))
            if how == "void":
                self.tried(self.void, index)
            elif how == "correct":
                self.tried(self.correct, index, self.other(rows[index]))
            else:
                self.come_and_go()
        self.voided = self.draw(st.sets(st.sampled_from(range(len(rows))), max_size=2)) if rows else set()
        self.before_the_end()
        self.settle(self.draw(st.permutations(range(len(rows))), label="put right"))
        self.end()

    def before_the_end(self) -> None:  # noqa: B027 - most know nothing
        """Note what may be known before all plays are right."""

    @abstractmethod
    def end(self) -> None:
        """Note everything that comes after the plays, as far as it is not noted yet."""

    def at_once(self) -> None:
        """Enter the same in order, with the same ids."""
        plays, self.plays = self.plays, {}
        for index, row in enumerate(self.sheet[self.rows]):
            for uid in self.again.get(index, []):
                self.plays[index] = uid
                self.enter(index, self.entered[uid])
                self.void(index)
            self.plays[index] = plays[index]
            self.enter(index, row)
            if index in self.voided:
                self.void(index)
        self.end()

    def named(self, answer: Json) -> Any:
        """An answer with the sheet's ids in the entries' place."""
        ids = {str(uid): player for player, uid in self.uids.items()}

        def walk(value: Any) -> Any:
            if isinstance(value, dict):
                return {key: walk(inner) for key, inner in value.items()}
            if isinstance(value, list):
                return [walk(inner) for inner in value]
            return ids.get(value, value)

        return walk(answer)


class Session(Evening):
    """Games at one or two tables, each with the minute in which it began; people leave and are removed between."""

    rows, kind = "games", "session"
    record, correction = staticmethod(actions.record_game), staticmethod(actions.correct_game)

    def __init__(self, data: st.DataObject, sheet: Json) -> None:
        games = sheet["games"]
        for index, game in enumerate(games):
            game["began"] = 10 * (index + 1)
        self.two = len(sheet["players"]) >= 4
        self.at = [data.draw(st.integers(0, 1)) if self.two else 0 for _game in games]
        super().__init__(data, sheet)
        ejected = {row["player"] for game in games for row in game["results"] if row["outcome"] == "ejected"}
        free = sorted(self.uids.keys() - ejected)
        gone = (
            self.draw(st.lists(st.sampled_from(free), max_size=2, unique=True), label="gone") if free else []
        )
        self.gone = {player: self.draw(st.sampled_from(DEPARTURES)) for player in gone}

    def seat(self, made: Event) -> Event:
        return add_stage(made, "session", tables=1 + self.two, **self.sheet["settings"])

    @property
    def order(self) -> list[int]:
        turns = self.draw(st.permutations(self.at), label="tables in turn")
        games = {table: iter([index for index, at in enumerate(self.at) if at == table]) for table in (0, 1)}
        return [next(games[table]) for table in turns]

    def table(self, index: int) -> UUID:
        return self.made.tables[self.at[index]].uid

    def asked(self, row: Json) -> Json:
        results = [{**result, "entry": self.uids[result["player"]]} for result in row["results"]]
        began = self.began + timedelta(minutes=row["began"])
        more = {"duration_s": row.get("duration_s"), "started_at": began}
        return {"ended": row["ended"], "results": results, **more}

    def other(self, row: Json) -> Json:
        how = self.draw(st.sampled_from((sheets._ended_last, sheets._stopped_game)))
        began = self.draw(st.sampled_from((row["began"], row["began"], 1, 25, 95)), label="began")
        return how(self.draw, [result["player"] for result in row["results"]]) | {"began": began}

    def enter(self, index: int, row: Json) -> None:
        """Who was removed may be noted before an earlier game comes in."""
        super().enter(index, row)
        if self.draw(st.booleans(), label="noted early") and index not in self.again:
            self.end()

    def end(self) -> None:
        for player, how in self.gone.items():
            self.tried(self.leave, player, how)

    def right(self) -> Json:
        games: list[Json] = []
        for index, game in enumerate(self.sheet["games"]):
            ejects = any(result["outcome"] == "ejected" for result in game["results"])
            if index not in self.voided:
                games.append({**game, "number": len(games) + 1})
            elif ejects:
                games.append({**game, "number": len(games) + 1, "ended": "void"})
        for game in games:
            if game["ended"] == "void":
                game["results"] = [
                    {**result, "outcome": "ejected" if result["outcome"] == "ejected" else "remaining"}
                    for result in game["results"]
                ]
        removed = [player for player, how in self.gone.items() if how == "removed"]
        return {**self.sheet, "games": games, "removed": removed}


class Match(Evening):
    """Rounds; who is out from one on is named by it, or was noted by itself before (`alone`). `last` are the departures
    after the last round in their order: each by itself, or together by a walkover's round."""

    rows, kind = "rounds", "match"
    record, correction = staticmethod(actions.record_round), staticmethod(actions.correct_round)

    def __init__(self, data: st.DataObject, sheet: Json) -> None:
        rounds = sheet["rounds"]
        walkover = rounds.pop() if rounds and "winner" not in rounds[-1] else {}
        super().__init__(data, sheet)
        self.alone = [self.draw(st.booleans(), label="noted by itself") for _row in rounds]
        going = [(player, how) for how in DEPARTURES for player in walkover.get(how, ())]
        gone = {player for row in (*rounds, walkover) for how in DEPARTURES for player in row.get(how, ())}
        more = self.draw(st.lists(st.sampled_from(sorted(self.uids)), max_size=3, unique=True), label="last")
        going += [(player, self.draw(st.sampled_from(DEPARTURES))) for player in more if player not in gone]
        left = len(self.uids) - len(gone | {player for player, _how in going})
        named = self.draw(st.integers(0, len(going)), label="by a walkover") if left <= 1 and rounds else 0
        self.walkover = uuid4()
        self.last, self.named_last = going[: len(going) - named], going[len(going) - named :]

    def seat(self, made: Event) -> Event:
        return add_stage(made, "match", **self.sheet["settings"])

    def asked(self, row: Json) -> Json:
        ids = {key: [self.uids[player] for player in row.get(key, ())] for key in (*DEPARTURES, "emptied")}
        return {
            "winner": self.uids[row["winner"]] if row["winner"] else None,
            "hands": {str(self.uids[player]): hand for player, hand in row["hands"].items()},
            "last_cards": row.get("last_cards"),
            "drew": self.uids.get(row.get("drew")),
            **ids,
        }

    def other(self, row: Json) -> Json:
        """Other hands; somebody who was out is in, or the reverse."""
        gone = {key: row[key] for key in DEPARTURES if key in row}
        here = [row["winner"], *row["hands"], *row.get("emptied", ())]
        departures = self.draw(st.sampled_from(("right", "none", "more")))
        if departures == "none":
            here, gone = [*here, *(player for key in gone for player in gone[key])], {}
        elif departures == "more":
            out, how = self.draw(st.sampled_from(sorted(here))), self.draw(st.sampled_from(DEPARTURES))
            here, gone = [player for player in here if player != out], gone | {how: [*gone.get(how, ()), out]}
        if len(here) < 2:
            return {"winner": None, "hands": {}, **gone}
        pile = Counter(sheets.DECKS[self.sheet["ruleset"]])
        winner = self.draw(st.sampled_from(sorted(here)))
        hands = {player: sheets._hand(self.draw, pile) for player in here if player != winner}
        return {"winner": winner, "hands": hands, **gone}

    def enter(self, index: int, row: Json) -> None:
        right = self.sheet["rounds"][index]
        for how in DEPARTURES if self.alone[index] else ():
            for player in right.get(how, ()):
                self.tried(self.leave, player, how)
        super().enter(index, row)

    def come_and_go(self) -> None:
        if self.draw(st.booleans(), label="stopped by mistake") and self.tried(self.stop):
            self.made.act(actions.resume_match, table=self.made.table.uid)
        else:
            super().come_and_go()

    def before_the_end(self) -> None:
        if self.draw(st.booleans(), label="left before it is put right"):
            self.note_last()

    def note_last(self) -> None:
        """Note the departures after the last round, in order, up to the first that is refused. A walkover is entered
        only if the right rounds leave the match undecided."""
        noted = set(Seat.objects.exclude(left_at=None).values_list("entry__uid", flat=True))
        for player, how in self.last:
            if self.uids[player] not in noted and not self.tried(self.leave, player, how):
                return
        walks_over = len(self.right()["rounds"]) > len(self.sheet["rounds"]) - len(self.voided)
        if self.named_last and walks_over and not Play.objects.filter(uid=self.walkover).exists():
            asked = self.asked({"winner": None, "hands": {}, **as_lists(self.named_last)})
            number, table = len(self.sheet["rounds"]) + 1, self.made.table.uid
            self.tried(self.made.act, self.record, table=table, play=self.walkover, number=number, **asked)

    def end(self) -> None:
        self.note_last()
        if self.sheet.get("stopped"):
            self.sheet["stopped"] = self.tried(self.stop)

    def stop(self) -> None:
        self.made.act(actions.stop_match, table=self.made.table.uid)

    def right(self) -> Json:
        """Departures of a voided round stand; those after the last round that counts are the sheet's own, but for
        those after the end."""
        rounds: list[Json] = []
        waiting: list[tuple[str, str]] = []
        in_play = set(self.uids)
        for index, row in enumerate(self.sheet["rounds"]):
            for group in groups(row, alone=self.alone[index]):
                waiting += group if len(in_play) > 1 else []
                in_play -= {player for player, _how in group} if len(in_play) > 1 else set()
            if index not in self.voided:
                rounds.append({**row, **as_lists([]), "number": len(rounds) + 1, **as_lists(waiting)})
                waiting = []
        for group in [*([each] for each in self.last), self.named_last]:
            waiting += group if len(in_play) > 1 else []
            in_play -= {player for player, _how in group} if len(in_play) > 1 else set()
        sheet = {**self.sheet, "rounds": rounds}
        if waiting and score({**sheet, "stopped": False}).complete:
            waiting = []
        if waiting and len(in_play) <= 1:
            rounds.append({"number": len(rounds) + 1, **as_lists(waiting)})
            waiting = []
        return {**sheet, **as_lists(waiting)}


def groups(row: Json, *, alone: bool) -> list[list[tuple[str, str]]]:
    """Those who are out from this round on; who left together are one group."""
    gone = [(player, how) for how in DEPARTURES for player in row.get(how, ())]
    return [[each] for each in gone] if alone else [gone]


def as_lists(gone: list[tuple[str, str]]) -> Json:
    return {key: [player for player, how in gone if how == key] for key in DEPARTURES}


class Heats(Evening):
    """Heats; who was removed is named by the heat."""

    rows, kind = "heats", "heats"
    record, correction = staticmethod(actions.record_heat), staticmethod(actions.correct_heat)

    def __init__(self, data: st.DataObject, sheet: Json) -> None:
        super().__init__(data, sheet)
        seated = [player for heat in sheet["heats"] for player in heat["players"]]
        removed = {player for heat in sheet["heats"] for player in heat.get("removed", ())}
        free = [player for player in seated if player not in removed]
        self.gone = self.draw(
            st.lists(st.sampled_from(free), max_size=2, unique=True), label="gone afterwards"
        )

    def seat(self, made: Event) -> Event:
        stage = uuid4()
        made.act(actions.plan_stage, stage=stage, kind="heats", settings=self.sheet["settings"])
        for number, heat in enumerate(self.sheet["heats"], 1):
            entries = [self.uids[player] for player in heat["players"]]
            made.act(actions.seat_table, stage=stage, table=uuid4(), number=number, entries=entries)
        made.stage = made.tournament.stages.get()
        made.act(actions.start_stage, stage=stage)
        return made.refresh()

    def asked(self, row: Json) -> Json:
        order = [self.uids[player] for player in row["finish_order"]]
        removed = [self.uids[player] for player in row.get("removed", ())]
        return {"finish_order": order, "removed": removed, "advance": self.own_advance(row)}

    def own_advance(self, row: Json) -> int | None:
        return min(row["advance"], len(row["players"])) if "advance" in row else None

    def other(self, row: Json) -> Json:
        removed = self.draw(st.lists(st.sampled_from(row["players"]), max_size=1))
        left = [player for player in row["players"] if player not in removed]
        return {**row, "removed": removed, "finish_order": self.draw(st.permutations(left))}

    def finish(self, index: int) -> None:
        """A voided heat is played again, or corrected: its removals stand, so that a replay may be impossible."""
        voided = Play.objects.get(uid=self.plays[index]).state == "void"
        if voided and self.draw(st.booleans(), label="played again"):
            before = self.plays.pop(index)
            if self.tried(self.enter, index, self.sheet["heats"][index]):
                self.again.setdefault(index, []).append(before)
            else:
                self.plays[index] = before
        super().finish(index)

    def end(self) -> None:
        """A player whom a voided heat removed cannot leave."""
        for player in self.gone:
            self.tried(self.leave, player, "withdrawn")

    def right(self) -> Json:
        counting = [heat for index, heat in enumerate(self.sheet["heats"]) if index not in self.voided]
        return {**self.sheet, "heats": [{**heat, "number": at} for at, heat in enumerate(counting, 1)]}


def without_ejections(row: Json) -> Json:
    ended = (
        "gave_up" if each["outcome"] == "ejected" else each["outcome"] for each in row.get("results", ())
    )
    results = [{**each, "outcome": how} for each, how in zip(row.get("results", ()), ended, strict=True)]
    return {**row, "results": results} if results else row


def without_voids(sheet: Json) -> Json:
    games = [game for game in sheet["games"] if game["ended"] != "void"]
    return {**sheet, "games": [{**game, "number": at} for at, game in enumerate(games, 1)]}


@contextmanager
def taken_back(began: datetime) -> Iterator[None]:
    """Everything that happens within, a second apart from when all is over, is rolled back at the end."""
    moments = (began + HOURS + timedelta(seconds=second) for second in count())
    with mock.patch.object(work, "now", moments.__next__), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.mark.sweep
class TestAnyOrder(TestCase):
    """Each example is rolled back by itself."""

    def check(self, evening: Session | Match | Heats) -> None:
        with taken_back(evening.began):
            evening.play()
            answer = results(evening.made).answer.as_json()
            assert evening.named(answer) == without_play(score(evening.right())).as_json()
            others = [name for name in SURFACES if name != "archive"]
            names = SURFACES if SOAK else ("archive", evening.draw(st.sampled_from(others)))
            found = surfaces(evening.made, *names)
        with taken_back(evening.began):
            evening.at_once()
            wanted = surfaces(evening.made, *names)
        for name, surface in wanted.items():
            for part in surface:
                assert found[name][part] == surface[part], f"{name}: {part}"

    @events(9, 720)
    @given(data=st.data(), sheet=sheets.sessions(most_games=4).map(without_voids))
    def test_a_session(self, data: st.DataObject, sheet: Json) -> None:
        self.check(Session(data, sheet))

    @events(9, 720)
    @given(data=st.data(), sheet=sheets.matches())
    def test_a_match(self, data: st.DataObject, sheet: Json) -> None:
        self.check(Match(data, sheet))

    @events(7, 560)
    @given(data=st.data(), sheet=sheets.heats().filter(lambda sheet: sheet["heats"]))
    def test_heats(self, data: st.DataObject, sheet: Json) -> None:
        self.check(Heats(data, sheet))
