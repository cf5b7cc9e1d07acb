"""Repeatable record of a draw in JSON, ids and numbers only.

| rule | where |
| --- | --- |
| same record, same seats | `DrawRecord.seats` |
| refuse other versions | `DrawRecord.from_json` |
| no names: uids, start and group numbers | `DrawRecord.of` |
| later moves | `DrawRecord.moved` |
| all games of an evening, of which one is seated | `DrawRecord.with_games` |
"""

from bisect import bisect_left
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tournament.seating.drawing import Person, draw
from tournament.seating.evening import draw_evening, repair_evening
from tournament.seating.positions import Seating, beside_in, met_in, positions_in

VERSION = 1  # raise whenever a record would give other seats


@dataclass(frozen=True, slots=True)
class Moved:
    """A player not seated as drawn; table numbers (None: no seat), equal if only the position differs."""

    player: str
    origin: int | None
    goal: int | None


@dataclass(frozen=True, slots=True)
class DrawRecord:
    """A stage's draw, stored by `as_json`; players are uids as text.

    `people` with groups "1", "2" ... or ""; `tables`: numbers; `sizes`: players at each; `fixed`: players of begun
    tables by number; `apart`: pairs; `past` seatings, None for players not drawn. `evening`: tables by game where all
    were drawn at once; `game` (from 1) is seated.
    """

    seed: str
    people: tuple[Person[str], ...]
    tables: tuple[int, ...]
    sizes: tuple[int, ...]
    apart: tuple[tuple[str, str], ...] = ()
    past: tuple[tuple[tuple[str | None, ...], ...], ...] = ()
    fixed: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    version: int = VERSION
    evening: tuple[tuple[tuple[str, ...], ...], ...] = ()
    game: int = 1

    @classmethod
    def of(
        cls,
        people: Iterable[Person[Any]],
        sizes: Iterable[int],
        seed: str,
        *,
        tables: Iterable[int] | None = None,
        apart: Iterable[Collection[Hashable]] = (),
        past: Iterable[Seating[Any]] = (),
        fixed: Mapping[int, Sequence[Hashable]] | None = None,
    ) -> "DrawRecord":
        """Record for `draw`; ids may be UUIDs; group names are dropped.

        `tables`: numbers, default 1, 2 ...; `fixed` by number; `past`: seatings to avoid.
        """
        begun = {number: tuple(map(str, table)) for number, table in (fixed or {}).items()}
        seated = {player for table in begun.values() for player in table}
        groups: dict[str, str] = {}
        drawn = tuple(
            Person(
                str(person.id),
                person.number,
                groups.setdefault(person.group, str(len(groups) + 1)) if person.group else "",
            )
            for person in sorted(people, key=lambda each: each.number)
            if str(person.id) not in seated
        )
        known = {person.id for person in drawn}
        pairs = {tuple(sorted(map(str, pair))) for pair in apart}
        each = tuple(sizes)
        return cls(
            seed=seed,
            people=drawn,
            tables=tuple(tables) if tables is not None else tuple(range(1, len(each) + 1)),
            sizes=each,
            apart=tuple(sorted((one, other) for one, other in pairs if {one, other} <= known)),
            past=tuple(
                tuple(
                    tuple(str(player) if str(player) in known else None for player in table)
                    for table in seating
                    if any(str(player) in known for player in table)
                )
                for seating in past
            ),
            fixed=begun,
        )

    def with_games(self, games: int, before: "DrawRecord | None" = None, game: int = 1) -> "DrawRecord":
        """The record with seats for all `games`, `game` being next: drawn, or those of `before` from that game on,
        changed for the people and tables of this one. Takes seconds. Raises `Impossible` as `draw_evening`."""
        if before is None:
            drawn = draw_evening(self.people, len(self.tables), games, self.seed, apart=self.apart)
        else:
            here = {person.id for person in self.people}
            planned = [
                [[player for player in table if player in here] for table in tables]
                for tables in before.evening
            ]
            drawn = repair_evening(
                planned, self.people, len(self.tables), self.seed, begun=game - 1, apart=self.apart
            )
        return replace(
            self, evening=tuple(tuple(tuple(table) for table in tables) for tables in drawn), game=game
        )

    def seats(self) -> dict[int, list[str]]:
        """Players by table number, clockwise. Raises `Impossible` and ValueError like `draw`."""
        if self.evening:
            return dict(zip(self.tables, map(list, self.evening[self.game - 1]), strict=True))
        index = {number: at for at, number in enumerate(self.tables)}
        dealt = draw(
            self.people,
            self.sizes,
            self.seed,
            apart=self.apart,
            met=met_in(self.past),
            positions=positions_in(self.past),
            beside=beside_in(self.past),
            fixed={index.get(number, -1): table for number, table in self.fixed.items()},
        )
        return dict(zip(self.tables, dealt, strict=True))

    def moved(self, now: Mapping[int, Sequence[str]], out: Collection[str] = ()) -> list[Moved]:
        """Players moved since the draw; `now`: tables by number, clockwise.

        Ignores players in `out` and shifts due to departures.
        """
        drawn = {
            number: [each for each in table if each not in out] for number, table in self.seats().items()
        }
        there = {number: [each for each in table if each not in out] for number, table in now.items()}
        was = {player: number for number, table in drawn.items() for player in table}
        sits = {player: number for number, table in there.items() for player in table}
        moved = {player for player in {**was, **sits} if was.get(player) != sits.get(player)}
        for number, table in there.items():
            stayed = [drawn[number].index(player) for player in table if was.get(player) == number]
            in_order = _longest_rise(stayed)
            moved |= {drawn[number][at] for at in stayed if at not in in_order}
        return [
            Moved(player, was.get(player), sits.get(player)) for player in {**was, **sits} if player in moved
        ]

    def as_json(self) -> dict[str, Any]:
        """The record as JSON: people as [uid, start number, group or 0], `past` by index."""
        index: dict[str | None, int | None] = {person.id: at for at, person in enumerate(self.people)}
        evening = [[[index.get(player) for player in table] for table in tables] for tables in self.evening]
        return {
            "version": self.version,
            "seed": self.seed,
            "people": [[person.id, person.number, int(person.group or 0)] for person in self.people],
            "tables": list(self.tables),
            "sizes": list(self.sizes),
            "apart": [list(pair) for pair in self.apart],
            "past": [[[index.get(player) for player in table] for table in seating] for seating in self.past],
            "fixed": {str(number): list(table) for number, table in self.fixed.items()},
            **({"evening": evening, "game": self.game} if evening else {}),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "DrawRecord":
        """Parse the JSON of `as_json`; ValueError for another version or invalid data."""
        if not isinstance(data, Mapping) or data.get("version") != VERSION:
            raise ValueError("no draw, or one of another version")
        try:
            people = tuple(
                Person(str(uid), int(number), str(group) if group else "")
                for uid, number, group in data["people"]
            )
            ids = dict(enumerate(person.id for person in people))
            evening = tuple(
                tuple(tuple(ids[at] for at in table) for table in tables)
                for tables in data.get("evening", ())
            )
            game = int(data.get("game", 1))
            if evening and not 1 <= game <= len(evening):
                raise ValueError(f"no game {game}")
            return cls(
                seed=str(data["seed"]),
                people=people,
                tables=tuple(map(int, data["tables"])),
                sizes=tuple(map(int, data["sizes"])),
                apart=tuple((str(one), str(other)) for one, other in data["apart"]),
                past=tuple(
                    tuple(tuple(None if at is None else ids[at] for at in table) for table in seating)
                    for seating in data["past"]
                ),
                fixed={int(number): tuple(map(str, table)) for number, table in data["fixed"].items()},
                evening=evening,
                game=game,
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"no record of a draw: {error!r}") from error


def _longest_rise(numbers: Sequence[int]) -> set[int]:
    ends: list[list[int]] = []  # best ending by length
    for number in numbers:
        at = bisect_left([rise[-1] for rise in ends], number)
        ends[at : at + 1] = [[*(ends[at - 1] if at else []), number]]
    return set(ends[-1]) if ends else set()
