"""Forms of advancing: open places, the draw, reserves, corrected heats."""

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.http import QueryDict

from tournament.models import Entry
from tournament.queries.advancing import Level, usual_tables
from tournament.queries.qualifying import OpenPlace
from tournament.results import Fault, Typed, kind_of, uuid_or_none
from tournament.seating import MOST_TABLES

OPEN = "open"  # the place stays open


@dataclass(frozen=True, slots=True)
class Question:
    """An open place and its candidates; `chosen`: an entry's uid, `open`, or "" if undecided."""

    place: OpenPlace
    chosen: str
    wrong: bool = False

    @property
    def of_heat(self) -> list[tuple[str, str]]:
        """Candidates from the place's own heat, as (uid, name)."""
        return _named(self.place.candidates[: self.place.own])

    @property
    def of_others(self) -> list[tuple[str, str]]:
        """Other candidates, as (uid, name)."""
        return _named(self.place.candidates[self.place.own :])


def _named(entries: Iterable[Entry]) -> list[tuple[str, str]]:
    return [(str(entry.uid), entry.shown_name) for entry in entries]


@dataclass
class FillForm:
    """Fill a stage from heats: open places, players advanced by decision, tables, the draw."""

    level: Level
    data: Mapping[str, str] = field(default_factory=dict)
    decided: tuple[UUID, ...] = ()
    faults: list[Fault] = field(default_factory=list)
    typed: bool = False
    seed: str = field(
        default_factory=lambda: f"{secrets.randbelow(1_000_000):06d}"
    )  # short enough to read aloud
    arguments: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, level: Level, post: QueryDict) -> "FillForm":
        """Parse a post; sets `faults`, and `arguments` of `fill_stage`."""
        typed = Typed({name: str(value) for name, value in post.items()})
        form = cls(level, typed.data, typed=True)
        form.seed = typed.text("seed")[:20] or form.seed
        tables = typed.whole("tables", "/tables", least=1, most=MOST_TABLES)
        chosen = [form.chosen(place) for place in level.open_places]
        decided = map(uuid_or_none, [*chosen, *post.getlist("decided")])
        form.decided = tuple(dict.fromkeys(uid for uid in decided if uid))
        form.faults = [
            *typed.faults,
            *(
                Fault("places_open", f"/places/{place.key}", {"heat": place.heat})
                for place, answer in zip(level.open_places, chosen, strict=True)
                if answer != OPEN and uuid_or_none(answer) is None
            ),
        ]
        form.arguments = {
            "tables": tables,
            "seed": "" if form.dealt else form.seed,
            "decided": form.decided,
            "leave_open": OPEN in chosen,
            "keep_apart": typed.text("apart") != "meet",
            "reason": typed.text("reason"),
        }
        return form

    def chosen(self, place: OpenPlace) -> str:
        """Who takes the place, as typed, else as stored."""
        if self.typed:
            return str(self.data.get(f"place-{place.key}", ""))
        return place.taken.key if place.taken else ""

    @property
    def questions(self) -> list[Question]:
        wrong = {fault.path for fault in self.faults}
        return [
            Question(place, self.chosen(place), f"/places/{place.key}" in wrong)
            for place in self.level.open_places
        ]

    @property
    def ticked(self) -> bool:
        """Whether any in `also` is ticked."""
        return any(ticked for _uid, _name, ticked in self.also)

    @property
    def dealt(self) -> bool:
        return self.data.get("order") == "dealt"

    @property
    def reason(self) -> str:
        return str(self.data.get("reason", ""))

    @property
    def tables(self) -> str:
        """Number of tables as typed, else as usual for all places, open ones included."""
        if self.typed:
            return str(self.data.get("tables", ""))
        players = sum(not comer.entry.is_out for comer in self.level.comes)
        return str(usual_tables(self.level.stage, players + len(self.level.undecided)))

    @property
    def one_table(self) -> bool:
        return kind_of(self.level.stage.kind).all_together

    @property
    def also(self) -> list[tuple[str, str, bool]]:
        """Players who may advance by decision besides the open places, as (uid, name, ticked)."""
        before = {comer.entry.uid for comer in self.level.let_through} - {
            place.taken.entry.uid for place in self.level.open_places if place.taken
        }
        ticked = set(self.decided) if self.typed else before
        asked = {self.chosen(place) for place in self.level.open_places}
        people = [*self.level.candidates, *(comer.entry for comer in self.level.let_through)]
        return [
            (str(entry.uid), entry.shown_name, entry.uid in ticked)
            for entry in people
            if str(entry.uid) not in asked
        ]


@dataclass(frozen=True, slots=True)
class ReserveRow:
    """A possible reserve; `rank` is stored, typed or suggested."""

    entry: Entry
    rank: str
    heat: int
    place: int | None


def reserve_rows(level: Level, data: Mapping[str, str] | None = None) -> list[ReserveRow]:
    """Possible reserves: present ones in order, then the next to go out."""
    ranks = {reserve.entry.pk: str(reserve.rank) for reserve in level.reserves}
    if not ranks:
        ranks = {entry.pk: str(rank) for rank, entry in enumerate(level.suggested_reserves, 1)}
    return [
        ReserveRow(
            comer.entry,
            ranks.get(comer.entry.pk, "") if data is None else data.get(f"rank-{comer.key}", ""),
            comer.heat,
            comer.place,
        )
        for comer in map(level.comer, level.candidates)
    ]


def read_reserves(level: Level, typed: Typed) -> list[UUID]:
    """Uids of the entries with a number, in that order."""
    ranked = []
    for place, entry in enumerate(level.candidates):
        rank = typed.whole(f"rank-{entry.uid}", f"/entries/{entry.uid}", least=1, most=9999)
        if rank is not None:
            ranked.append((rank, place, entry.uid))
    return [uid for _rank, _place, uid in sorted(ranked)]
