"""The forms of advancing: a question for each open place, the draw, the order of the reserves, what to do about a
corrected heat."""

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
    """An open place with the people who could take it; `chosen` is an entry's uid as text, `open`, or "" for nothing
    yet."""

    place: OpenPlace
    chosen: str
    wrong: bool = False

    @property
    def of_heat(self) -> list[tuple[str, str]]:
        """The uids and names of those of the place's own heat."""
        return _named(self.place.candidates[: self.place.own])

    @property
    def of_others(self) -> list[tuple[str, str]]:
        """The uids and names of everybody else who could take the place."""
        return _named(self.place.candidates[self.place.own :])


def _named(entries: Iterable[Entry]) -> list[tuple[str, str]]:
    return [(str(entry.uid), entry.shown_name) for entry in entries]


@dataclass
class FillForm:
    """The form that seats a stage from its heats: open places, whom else people let through, tables, the draw."""

    level: Level
    data: Mapping[str, str] = field(default_factory=dict)
    decided: tuple[UUID, ...] = ()
    faults: list[Fault] = field(default_factory=list)
    typed: bool = False
    seed: str = field(default_factory=lambda: f"{secrets.randbelow(1_000_000):06d}")  # for people to read out
    arguments: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, level: Level, post: QueryDict) -> "FillForm":
        """Read what was typed; `faults` hold what cannot be read, `arguments` those of `fill_stage`."""
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
        """Give who takes the place, as it was typed or decided before."""
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
        """Whether somebody is let through beside the open places."""
        return any(ticked for _uid, _name, ticked in self.also)

    @property
    def dealt(self) -> bool:
        return self.data.get("order") == "dealt"

    @property
    def reason(self) -> str:
        return str(self.data.get("reason", ""))

    @property
    def tables(self) -> str:
        """The number of tables as typed, or the usual one for all places, with the open ones."""
        if self.typed:
            return str(self.data.get("tables", ""))
        players = sum(not comer.entry.is_out for comer in self.level.comes)
        return str(usual_tables(self.level.stage, players + len(self.level.undecided)))

    @property
    def one_table(self) -> bool:
        return kind_of(self.level.stage.kind).all_together

    @property
    def also(self) -> list[tuple[str, str, bool]]:
        """Those whom people could let through beside the open places: uid, name, whether they do."""
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
    """Somebody who could be in reserve; `rank` as it is, was typed or is suggested."""

    entry: Entry
    rank: str
    heat: int
    place: int | None


def reserve_rows(level: Level, data: Mapping[str, str] | None = None) -> list[ReserveRow]:
    """List everybody who could be in reserve: those who are, in their order, then those who went out next."""
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
    """The entries in the order of the numbers typed; those without a number are not in reserve."""
    ranked = []
    for place, entry in enumerate(level.candidates):
        rank = typed.whole(f"rank-{entry.uid}", f"/entries/{entry.uid}", least=1, most=9999)
        if rank is not None:
            ranked.append((rank, place, entry.uid))
    return [uid for _rank, _place, uid in sorted(ranked)]
