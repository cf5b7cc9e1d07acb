"""Qualifying from the heats as recorded: a place for each of the first ones out, and who has it.

Read from the one answer (tournament/results/answer.py); people's decisions about it are in
tournament/queries/advancing.py.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from tournament.models import Entry, Stage
from tournament.results import kind_of, stage_results

# Reasons why a place is open.
LEFT = "left"  # the qualifier is out of the event
STEPS_BACK = "steps_back"  # the qualifier steps back by a decision
NOBODY = "nobody"  # the heat ended without a result
ONE_LEFT = "one_left"  # likewise, since only one player was left
FEWER = "fewer"  # fewer went out than go through


@dataclass(frozen=True, slots=True)
class Decided:
    """The author, time and reason of a decision; see `tournament.models.Decision`."""

    who: str
    at: datetime
    reason: str


@dataclass(frozen=True, slots=True)
class Comer:
    """A qualifier. `heat`: its table's number. `place`: the finishing position in the heat, from 1; None for a player
    who did not go out. `decided`: the decision, if people made one."""

    entry: Entry
    heat: int
    place: int | None = None
    decided: Decided | None = None

    @property
    def key(self) -> str:
        return str(self.entry.uid)


@dataclass(frozen=True, slots=True)
class OpenPlace:
    """A place of a heat that nobody takes by the heats alone. `gone` went through, but is out or steps back.

    `candidates` are the players who could take it, the first `own` of them from that heat; `taken` is the player who
    has it by a decision.
    """

    heat: int
    place: int
    why: str
    gone: Entry | None = None
    candidates: tuple[Entry, ...] = ()
    own: int = 0
    taken: Comer | None = None

    @property
    def key(self) -> str:
        return f"{self.heat}-{self.place}"


@dataclass(frozen=True, slots=True)
class HeatsRecorded:
    """The heats as recorded. `places` are all that they give: `gone` is the player who finished there."""

    places: tuple[OpenPlace, ...]
    heat_of: Mapping[UUID, int]
    place_of: Mapping[UUID, int]
    entries: Mapping[UUID, Entry]
    unsettled: frozenset[int]  # heats without a result, while the heats are played
    known: bool

    @classmethod
    def of(cls, heats: Stage, entries: Mapping[int, Entry]) -> "HeatsRecorded":
        by_uid = {entry.uid: entry for entry in entries.values()}
        results = stage_results(heats)
        if not results or not kind_of(heats.kind).one_play:
            return cls((), {}, {}, by_uid, frozenset(), known=False)
        contest = results[0].contest
        at_table: dict[int, list[Entry]] = {number: [] for number in sorted(contest.table_numbers.values())}
        still_in: dict[int, int] = dict.fromkeys(at_table, 0)
        for seat in contest.seats:
            at_table[seat.table].append(by_uid[seat.entry])
            still_in[seat.table] += not (seat.out_as or by_uid[seat.entry].is_out)
        order: dict[int, list[UUID]] = {}
        advance: dict[int, int] = {}
        usual = int(contest.settings.get("advance") or 1)
        for play in results[0].sheet.plays:
            assert play is not None
            number = contest.table_numbers[play.table]
            finished = sorted((row for row in play.results if row.finish), key=lambda row: row.finish or 0)
            order[number] = [row.entry for row in finished]
            advance[number] = play.advance or usual
        over = heats.state == Stage.State.FINISHED
        places: list[OpenPlace] = []
        for number, players in at_table.items():
            if number not in order and not over:
                continue
            nobody = ONE_LEFT if still_in[number] == 1 else NOBODY
            for place in range(1, min(advance.get(number, usual), len(players)) + 1):
                through = order.get(number, [])
                if place <= len(through):
                    places.append(OpenPlace(number, place, "", by_uid[through[place - 1]]))
                else:
                    places.append(OpenPlace(number, place, FEWER if through else nobody))
        return cls(
            places=tuple(places),
            heat_of={entry.uid: number for number, players in at_table.items() for entry in players},
            place_of={uid: place for row in order.values() for place, uid in enumerate(row, 1)},
            entries=by_uid,
            unsettled=frozenset() if over else frozenset(at_table.keys() - order.keys()),
            known=True,
        )

    def comer(self, entry: Entry, decided: Decided | None = None) -> Comer:
        """Give the player with their heat and their place in it."""
        return Comer(entry, self.heat_of.get(entry.uid, 0), self.place_of.get(entry.uid), decided)

    def everybody(self) -> list[Comer]:
        """List everybody in the heats by finishing place, those who did not go out last."""
        return sorted(
            (self.comer(self.entries[uid]) for uid in self.heat_of),
            key=lambda one: (one.place is None, one.place or 0, one.heat, one.entry.start_number),
        )


def assigned(places: Iterable[OpenPlace], comers: Iterable[Comer]) -> list[OpenPlace]:
    """Assign the open places: first to players from the same heat, then in order."""
    left = list(comers)
    filled = []
    for place in places:
        own = next((comer for comer in left if comer.heat == place.heat), None)
        if own:
            left.remove(own)
        filled.append(replace(place, taken=own))
    return [place if place.taken or not left else replace(place, taken=left.pop(0)) for place in filled]
