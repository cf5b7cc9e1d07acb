"""Forms of seats: the draw, a player's seat, separated pairs."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from tournament.forms.fields import offer
from tournament.models import Entry
from tournament.queries.advancing import Level, usual_tables
from tournament.queries.chain import OpenPlace
from tournament.results import Fault, Typed, kind_of, uuid_or_none
from tournament.seating import MOST_TABLES

MOST_AT_TABLE = 100
ASKED = "asked"  # in sent forms, where unticked means no; absent in typed URLs


class DrawForm(forms.Form):
    """Options of a draw, sent by GET; nothing is stored."""

    who = forms.ChoiceField(label=_("Who"), widget=forms.RadioSelect)
    tables = forms.IntegerField(
        label=_("Number of tables"),
        min_value=1,
        max_value=MOST_TABLES,
        required=False,
    )
    most = forms.IntegerField(
        label=_("Maximum players per table"), min_value=1, max_value=MOST_AT_TABLE, required=False
    )
    least = forms.IntegerField(
        label=_("Minimum players per table"), min_value=1, max_value=MOST_AT_TABLE, required=False
    )
    order = forms.ChoiceField(
        label=_("How to seat"),
        choices=[("drawn", _("drawn by lot")), ("numbers", _("by start number"))],
        widget=forms.RadioSelect,
    )
    groups = forms.BooleanField(label=_("Spread clubs and groups across tables"), required=False)
    meet = forms.BooleanField(
        label=_("Meet new people and sit in new places"),
        required=False,
        help_text=_("Based on what has been played in this event so far."),
    )
    seed = forms.CharField(
        label=_("Seed"),
        max_length=20,
        required=False,
        help_text=_("The same seed gives the same seats again. Leave empty for a new one."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "class": "input--short"}),
    )

    games = forms.ChoiceField(required=False)

    def __init__(
        self, query: QueryDict, usual: Mapping[str, Any], present: int, expected: int, games: int = 0
    ) -> None:
        """`usual`: values of missing fields; `present`, `expected`: numbers of players; `games`: how many can be drawn
        at once."""
        data: dict[str, Any] = (
            {} if ASKED in query else {name: value for name, value in usual.items() if value}
        )
        data.update(query.items())
        super().__init__(data)
        self.people = present + expected
        self.several = bool(present and expected)
        offer(self, "games", [(str(games), "")] if games else [])
        offer(
            self,
            "who",
            [
                ("present", _("Players here (%(n)d)") % {"n": present}),
                ("expected", _("Players here and expected (%(n)d)") % {"n": present + expected}),
            ],
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRow:
    """A player's `table` and `seat`; `apart`: separated players' uids; `lives`: left, in words."""

    entry: Entry
    table: str
    seat: str
    wrong: str = ""
    apart: str = ""
    lives: str = ""

    @property
    def key(self) -> str:
        return str(self.entry.uid)


class ApartForm(forms.Form):
    """Two players who may not share a table."""

    first = forms.ChoiceField(label=_("Player"))
    second = forms.ChoiceField(label=_("Second player"))

    def __init__(self, entries: list[Entry], *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        players = [(str(entry.uid), f"{entry.public_name} ({entry.start_number})") for entry in entries]
        for name in ("first", "second"):
            offer(self, name, [("", "—"), *players])

    def pair(self) -> tuple[UUID, UUID]:
        return UUID(self.cleaned_data["first"]), UUID(self.cleaned_data["second"])


def typed_seats(tables: Mapping[int, Sequence[str]]) -> dict[str, str]:
    """Seats (player uids by table number) as form data."""
    return {
        name: text
        for number, players in tables.items()
        for position, uid in enumerate(players, 1)
        for name, text in ((f"table-{uid}", str(number)), (f"seat-{uid}", str(position)))
    }


# ---- Forms of advancing ----

OPEN = "open"  # the place stays open


@dataclass(frozen=True, slots=True)
class Question:
    """An open place and its candidates; `chosen`: a uid, `open`, or ""."""

    place: OpenPlace
    chosen: str
    wrong: bool = False

    @property
    def of_heat(self) -> list[tuple[str, str]]:
        """Candidates of the place's own table or shared place, (uid, name)."""
        return _named(self.place.candidates[: self.place.own])

    @property
    def of_others(self) -> list[tuple[str, str]]:
        """Other candidates, (uid, name)."""
        return _named(self.place.candidates[self.place.own :])


def _named(entries: Iterable[Entry]) -> list[tuple[str, str]]:
    return [(str(entry.uid), entry.shown_name) for entry in entries]


@dataclass
class FillForm:
    """Fill a stage from others: open places, decisions, tables, the draw."""

    level: Level
    data: Mapping[str, str] = field(default_factory=dict)
    decided: tuple[UUID, ...] = ()
    faults: list[Fault] = field(default_factory=list)
    typed: bool = False
    seed: str = field(default_factory=lambda: f"{secrets.randbelow(1_000_000):06d}")  # to read aloud
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
                Fault("places_open", f"/places/{place.key}", {"where": place.where})
                for place, answer in zip(level.open_places, chosen, strict=True)
                if answer != OPEN and uuid_or_none(answer) is None
            ),
            *(
                Fault("duplicate_player", f"/places/{place.key}", {"player": answer})
                for index, (place, answer) in enumerate(zip(level.open_places, chosen, strict=True))
                if uuid_or_none(answer) and answer in chosen[:index]
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
        """Who takes the place, typed or stored."""
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
        return any(ticked for _uid, _name, ticked in self.also)

    @property
    def dealt(self) -> bool:
        return self.data.get("order") == "dealt"

    @property
    def reason(self) -> str:
        return str(self.data.get("reason", ""))

    @property
    def tables(self) -> str:
        """Number of tables as typed, else as usual for all places."""
        if self.typed:
            return str(self.data.get("tables", ""))
        players = sum(not comer.entry.is_out for comer in self.level.comes)
        return str(usual_tables(self.level.stage, players + len(self.level.undecided)))

    @property
    def one_table(self) -> bool:
        return kind_of(self.level.stage.kind).all_together

    @property
    def also(self) -> list[tuple[str, str, bool]]:
        """Players who may also advance by decision, (uid, name, ticked)."""
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
    """A possible reserve; `rank` is stored, typed or suggested; `where` from."""

    entry: Entry
    rank: str
    where: str


def reserve_rows(level: Level, data: Mapping[str, str] | None = None) -> list[ReserveRow]:
    """Possible reserves: present ones in order, then the next by place."""
    ranks = {reserve.entry.pk: str(reserve.rank) for reserve in level.reserves}
    if not ranks:
        ranks = {entry.pk: str(rank) for rank, entry in enumerate(level.suggested_reserves, 1)}
    return [
        ReserveRow(
            comer.entry,
            ranks.get(comer.entry.pk, "") if data is None else data.get(f"rank-{comer.key}", ""),
            comer.where,
        )
        for comer in map(level.comer, level.candidates)
    ]


def read_reserves(level: Level, typed: Typed) -> list[UUID]:
    """Uids of entries with a number, in that order."""
    ranked = []
    for place, entry in enumerate(level.candidates):
        rank = typed.whole(f"rank-{entry.uid}", f"/entries/{entry.uid}", least=1, most=9999)
        if rank is not None:
            ranked.append((rank, place, entry.uid))
    return [uid for _rank, _place, uid in sorted(ranked)]
