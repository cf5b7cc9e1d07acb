"""Qualifying places from recorded heats; decisions: tournament/queries/advancing.py."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from tournament.models import Entry, Stage
from tournament.results import kind_of, stage_results

# Why a place is open.
LEFT = "left"  # qualifier out of the event
STEPS_BACK = "steps_back"  # qualifier declined by decision
NOBODY = "nobody"  # heat without a result
ONE_LEFT = "one_left"  # likewise, since one player was left
FEWER = "fewer"  # fewer finished than qualify


@dataclass(frozen=True, slots=True)
class Decided:
    """Author, time and reason of a `tournament.models.Decision`."""

    who: str
    at: datetime
    reason: str


@dataclass(frozen=True, slots=True)
class Comer:
    """A qualifier. `heat`: table number; `place`: finish from 1, or None; `decided`: by decision."""

    entry: Entry
    heat: int
    place: int | None = None
    decided: Decided | None = None

    @property
    def key(self) -> str:
        return str(self.entry.uid)


@dataclass(frozen=True, slots=True)
class OpenPlace:
    """A place without an available qualifier. `gone`: its finisher, out or stepped back.

    `candidates`: first `own` from that heat; `taken`: filled by decision.
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
    """The heats as recorded. `places`: all qualifying places, with their finishers as `gone`."""

    places: tuple[OpenPlace, ...]
    heat_of: Mapping[UUID, int]
    place_of: Mapping[UUID, int]
    entries: Mapping[UUID, Entry]
    unsettled: frozenset[int]  # running heats without a result
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
        """The entry with heat and finishing place."""
        return Comer(entry, self.heat_of.get(entry.uid, 0), self.place_of.get(entry.uid), decided)

    def everybody(self) -> list[Comer]:
        """All heat players by finishing place, unfinished last."""
        return sorted(
            (self.comer(self.entries[uid]) for uid in self.heat_of),
            key=lambda one: (one.place is None, one.place or 0, one.heat, one.entry.start_number),
        )


def assigned(places: Iterable[OpenPlace], comers: Iterable[Comer]) -> list[OpenPlace]:
    """Assign `comers` to the open places: same heat first, then in order."""
    left = list(comers)
    filled = []
    for place in places:
        own = next((comer for comer in left if comer.heat == place.heat), None)
        if own:
            left.remove(own)
        filled.append(replace(place, taken=own))
    return [place if place.taken or not left else replace(place, taken=left.pop(0)) for place in filled]
