"""Entering, correcting and voiding in any order gives the standings of having entered it right at first.

The right facts are a generated score sheet. Plays are entered with these or with other values, corrected to still
others, voided and taken back in, in any order; a command that cannot be true of the other plays as they stand is
refused and tried again later. At the end each play is as it should be, and the answer must be scoring's of the right
sheet.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

from hypothesis import given, strategies as st
from hypothesis.extra.django import TestCase

from scoring import score
from tests.depth import examples
from tests.scoring import sheets
from tests.support.asking_actions import results
from tests.support.factories import Event, add_stage, event
from tournament import actions
from tournament.models import Play
from tournament.results.faults import Refused
from tournament.results.settling import without_play

Json = dict[str, Any]

DEPARTURES = ("removed", "withdrawn")


class Evening(ABC):
    """An event that is entered from a sheet. `plays` has the uid of each row's play, `voided` those that must end
    void."""

    rows: str
    kind: str

    def __init__(self, data: st.DataObject, sheet: Json) -> None:
        self.draw, self.sheet = data.draw, sheet
        made = event(sheet["ruleset"], len(sheet["players"]))
        self.uids = {player["id"]: uid for player, uid in zip(sheet["players"], made.uids, strict=True)}
        self.made = self.seat(made)
        self.plays: dict[int, UUID] = {}
        self.voided: set[int] = set()

    @abstractmethod
    def seat(self, made: Event) -> Event: ...

    @abstractmethod
    def asked(self, row: Json) -> Json:
        """The arguments with which this row is entered or corrected."""

    @abstractmethod
    def other(self, row: Json) -> Json:
        """The row with other values that could be true of it."""

    def enter(self, index: int, row: Json) -> None:
        uid = self.plays.get(index) or uuid4()
        self.made.act(
            self.record, table=self.table(index), play=uid, number=self.number(index), **self.asked(row)
        )
        self.plays[index] = uid

    def correct(self, index: int, row: Json) -> None:
        self.made.act(self.correction, **self.seen(index), reason="counted again", **self.asked(row))

    def void(self, index: int) -> None:
        if Play.objects.get(uid=self.plays[index]).state != "void":
            self.made.act(actions.void_play, **self.seen(index), reason="cards were missing")

    def seen(self, index: int) -> Json:
        play = Play.objects.get(uid=self.plays[index])
        return {"play": play.uid, "version": play.version}

    def table(self, index: int) -> UUID:
        return self.made.tables[min(index, len(self.made.tables) - 1)].uid

    def number(self, index: int) -> int:
        return index + 1

    record: Callable[..., Any]
    correction: Callable[..., Any]

    def settle(self, indices: list[int]) -> None:
        """Make these plays what they should be, in this order; those that cannot be true yet come again."""
        while indices:
            waiting = [index for index in indices if not self.tried(self.finish, index)]
            assert len(waiting) < len(indices), "no play can be put right"
            indices = waiting

    def finish(self, index: int) -> None:
        self.correct(index, self.sheet[self.rows][index])
        if index in self.voided:
            self.void(index)

    def tried(self, call: Callable[..., None], *arguments: Any) -> bool:
        try:
            call(*arguments)
        except Refused:
            return False
        return True

    def play(self) -> None:
        rows = self.sheet[self.rows]
        for index, row in enumerate(rows):
            first = self.other(row) if self.draw(st.booleans(), label="entered wrongly") else row
            if not self.tried(self.enter, index, first):
                self.settle(list(range(index)))
                self.enter(index, row)
        for index in self.draw(st.lists(st.sampled_from(range(len(rows))), max_size=5)) if rows else []:
            if self.draw(st.booleans(), label="void"):
                self.tried(self.void, index)
            else:
                self.tried(self.correct, index, self.other(rows[index]))
        self.voided = self.draw(st.sets(st.sampled_from(range(len(rows))), max_size=2)) if rows else set()
        self.settle(self.draw(st.permutations(range(len(rows))), label="put right"))

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
    rows, kind = "games", "session"
    record, correction = staticmethod(actions.record_game), staticmethod(actions.correct_game)

    def seat(self, made: Event) -> Event:
        return add_stage(made, "session", **self.sheet["settings"])

    def asked(self, row: Json) -> Json:
        results = [{**result, "entry": self.uids[result["player"]]} for result in row["results"]]
        return {"ended": row["ended"], "duration_s": row.get("duration_s"), "results": results}

    def other(self, row: Json) -> Json:
        how = self.draw(st.sampled_from((sheets._ended_last, sheets._stopped_game)))
        return how(self.draw, [result["player"] for result in row["results"]])

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
        return {**self.sheet, "games": games}


class Match(Evening):
    rows, kind = "rounds", "match"
    record, correction = staticmethod(actions.record_round), staticmethod(actions.correct_round)

    def __init__(self, data: st.DataObject, sheet: Json) -> None:
        rounds = sheet["rounds"]
        self.walkover = rounds.pop() if rounds and "winner" not in rounds[-1] else {}
        going = [gone for row in (*rounds, self.walkover) for key, gone in row.items() if key in DEPARTURES]
        if sum(map(len, going)) == len(sheet["players"]):
            going[-1].pop()  # the last one left has won, and may go then
        super().__init__(data, sheet)

    def seat(self, made: Event) -> Event:
        return add_stage(made, "match", **self.sheet["settings"])

    def asked(self, row: Json) -> Json:
        ids = {key: [self.uids[player] for player in row.get(key, ())] for key in (*DEPARTURES, "emptied")}
        return {
            "winner": self.uids[row["winner"]],
            "hands": {str(self.uids[player]): hand for player, hand in row["hands"].items()},
            "last_cards": row.get("last_cards"),
            "drew": self.uids.get(row.get("drew")),
            **ids,
        }

    def other(self, row: Json) -> Json:
        in_play = [row["winner"], *row["hands"], *row.get("emptied", ())]
        pile = Counter(sheets.DECKS[self.sheet["ruleset"]])
        winner = self.draw(st.sampled_from(sorted(in_play)))
        hands = {player: sheets._hand(self.draw, pile) for player in in_play if player != winner}
        gone = {key: row[key] for key in DEPARTURES if key in row}
        return {"winner": winner, "hands": hands, **gone}

    def enter(self, index: int, row: Json) -> None:
        """A player who is out from this round on may have left before it was entered."""
        if self.draw(st.booleans(), label="gone before"):
            self.tried(self.leave, row)
        super().enter(index, row)

    def leave(self, row: Json) -> None:
        for player in row.get("removed", ()):
            self.made.act(actions.remove_player, entry=self.uids[player], reason="disturbed")
        for player in row.get("withdrawn", ()):
            self.made.act(actions.player_leaves, entry=self.uids[player])

    def play(self) -> None:
        super().play()
        self.leave(self.walkover)
        if self.sheet.pop("stopped", False) and self.tried(self.stop):
            self.sheet["stopped"] = True

    def stop(self) -> None:
        self.made.act(actions.stop_match, table=self.made.table.uid)

    def right(self) -> Json:
        """Departures of a voided round stand; those after the last round that counts are the sheet's own."""
        rounds: list[Json] = []
        waiting: dict[str, list[str]] = {}
        in_play = set(self.uids)
        for index, row in enumerate([*self.sheet["rounds"], self.walkover]):
            for key in DEPARTURES:
                waiting.setdefault(key, []).extend(row.get(key, ()))
                in_play -= set(row.get(key, ()))
            if row.get("winner") and index not in self.voided:
                rounds.append({**row, "number": len(rounds) + 1, **waiting})
                waiting = {}
        sheet = {**self.sheet, "rounds": rounds}
        if any(waiting.values()) and len(in_play) <= 1:
            rounds.append({"number": len(rounds) + 1, **waiting})
            waiting = {}
        return {**sheet, **waiting}


class Heats(Evening):
    rows, kind = "heats", "heats"
    record, correction = staticmethod(actions.record_heat), staticmethod(actions.correct_heat)

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

    def number(self, index: int) -> int:
        return Play.objects.filter(table__uid=self.table(index)).count() + 1

    def finish(self, index: int) -> None:
        """A voided heat is played again, or corrected: its removals stand, so that a replay may be impossible."""
        voided = Play.objects.get(uid=self.plays[index]).state == "void"
        if voided and self.draw(st.booleans(), label="played again"):
            before = self.plays.pop(index)
            if not self.tried(self.enter, index, self.sheet["heats"][index]):
                self.plays[index] = before
        super().finish(index)

    def right(self) -> Json:
        counting = [heat for index, heat in enumerate(self.sheet["heats"]) if index not in self.voided]
        return {**self.sheet, "heats": [{**heat, "number": at} for at, heat in enumerate(counting, 1)]}


def without_voids(sheet: Json) -> Json:
    games = [game for game in sheet["games"] if game["ended"] != "void"]
    return {**sheet, "games": [{**game, "number": at} for at, game in enumerate(games, 1)]}


class TestAnyOrder(TestCase):
    """Each example is rolled back by itself."""

    def check(self, evening: Session | Match | Heats) -> None:
        evening.play()
        answer = results(evening.made).answer.as_json()
        assert evening.named(answer) == without_play(score(evening.right())).as_json()

    @examples(25)
    @given(data=st.data(), sheet=sheets.sessions(most_games=4).map(without_voids))
    def test_a_session(self, data: st.DataObject, sheet: Json) -> None:
        self.check(Session(data, sheet))

    @examples(25)
    @given(data=st.data(), sheet=sheets.matches())
    def test_a_match(self, data: st.DataObject, sheet: Json) -> None:
        self.check(Match(data, sheet))

    @examples(25)
    @given(data=st.data(), sheet=sheets.heats().filter(lambda sheet: sheet["heats"]))
    def test_heats(self, data: st.DataObject, sheet: Json) -> None:
        self.check(Heats(data, sheet))
