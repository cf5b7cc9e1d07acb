"""A whole play (round, heat, game) as a form, new or corrected."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC
from functools import cached_property
from typing import Protocol
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

from rulesets import RULESETS, ByKind, Ruleset
from scoring import cards_available, decks_for
from tournament.actions.table.plays import preview_play
from tournament.forms.fields import local_time, offered_readings
from tournament.ledger.past import seated_then
from tournament.models import Play, Stage, Table
from tournament.results import (
    ABSENT,
    Contest,
    Fault,
    GameEntry,
    HeatEntry,
    PlayEntry,
    PlayFacts,
    RoundEntry,
    RoundRules,
    Settled,
    Typed,
    kind_of,
    read_game,
    read_heat,
    read_round,
    seated_at,
    typed_game,
    typed_heat,
    typed_round,
    uuid_or_none,
)
from tournament.words.text import reason_in


class AtTable(Protocol):
    """What a form needs of its table."""

    @property
    def table(self) -> Table: ...
    @property
    def contest(self) -> Contest: ...
    @property
    def next_number(self) -> int: ...


@dataclass
class PlayForm(ABC):
    """A form for a play; `current`: the stored one to correct."""

    scene: AtTable
    current: PlayFacts | None
    data: Mapping[str, str]

    def __post_init__(self) -> None:
        if self.current and "version" not in self.data:
            self.data = self.stored(self.current) | dict(self.data)
        self.typed = Typed(self.data)
        self.play = self.current.uid if self.current else self.typed.uid("play", "/play") or uuid4()
        number = self.typed.whole("number", "/number", most=30_000, least=1)
        self.number = self.current.number if self.current else number or self.scene.next_number

    @property
    def ruleset(self) -> Ruleset:
        return RULESETS[self.scene.contest.ruleset]

    @abstractmethod
    def stored(self, play: PlayFacts) -> dict[str, str]:
        """A stored play as form data."""

    @abstractmethod
    def read(self) -> PlayEntry:
        """Parse the data; adds to `typed.faults`."""

    @cached_property
    def entry(self) -> PlayEntry:
        """Result of `read`; a correction without reason adds a fault."""
        entry = self.read()
        if self.current and not self.reason:
            self.typed.faults.append(Fault("missing_reason", "/reason"))
        return entry

    @property
    def reason(self) -> str:
        return reason_in(self.data)

    def settled(self, entry: PlayEntry, contest: Contest | None = None) -> Settled:
        """Preview the contest with this play; Refused with scoring's faults."""
        return preview_play(self.scene.table, entry, play=self.play, number=self.number, contest=contest)


class RoundForm(PlayForm):
    """A match's round or a race's game, as a card pad."""

    @cached_property
    def rules(self) -> RoundRules:
        contest = self.scene.contest
        return RoundRules.of(
            self.ruleset,
            contest.settings.get("decks") or decks_for(self.ruleset, len(contest.players)),
            contest.settings,
            race=kind_of(contest.kind).seats_change,
        )

    @property
    def players(self) -> list[UUID]:
        """Players who were in as the round began. A correction adds those out since; a new round those named though
        they left. Of a race's game: as shown, else all seated here."""
        if self.rules.race:
            contest, here = self.scene.contest, seated_at(self.scene.contest, self.scene.table.uid)
            if shown := [each.entry for each in contest.players if self.data.get(f"plays-{each.entry}")]:
                return [
                    *(entry for entry in here if entry in shown),
                    *(entry for entry in shown if entry not in here),
                ]
            out = {seat.entry for seat in contest.out}
            return [entry for entry in here if entry not in out]
        said = " ".join([*self.data, *self.data.values()])
        return [
            seat.entry
            for seat in self.scene.contest.seats
            if seat.out_from is None
            or (seat.out_from >= self.number and (self.current or str(seat.entry) in said))
        ]

    def stored(self, play: PlayFacts) -> dict[str, str]:
        """Of a race also who was seated then and did not play."""
        typed = typed_round(RoundEntry.stored(play, self.scene.contest))
        there = seated_then(self.scene.table, play.uid) if self.rules.race else ()
        for absent in (entry for entry in there if f"plays-{entry}" not in typed):
            typed |= {f"plays-{absent}": "1", f"out-{absent}": ABSENT}
        return typed

    def read(self) -> PlayEntry:
        return read_round(self.typed, by_text(self.players), self.rules, uuid_or_none)


class HeatForm(PlayForm):
    """A heat, as the order of going out."""

    @property
    def usual(self) -> int:
        """How many advance by default."""
        return int(self.scene.contest.settings.get("advance", 1))

    @property
    def players(self) -> list[UUID]:
        return seated_at(self.scene.contest, self.scene.table.uid)

    def stored(self, play: PlayFacts) -> dict[str, str]:
        return typed_heat(HeatEntry.stored(play, self.scene.contest), self.usual)

    def read(self) -> PlayEntry:
        chosen = self.current and self.current.advance  # an explicit number stays explicit
        return read_heat(self.typed, by_text(self.players), None if chosen else self.usual)


class GameForm(PlayForm):
    """A session's game, as on paper."""

    @cached_property
    def players(self) -> list[UUID]:
        """Players of the stored game, seated here, or named in the form."""
        contest, table = self.scene.contest, self.scene.table.number
        wanted = [row.entry for row in self.current.results] if self.current else []
        wanted += [seat.entry for seat in contest.seats if seat.table == table and not seat.out_as]
        named = {key.removeprefix("outcome-") for key in self.data} - {str(entry) for entry in wanted}
        joined = named & contest.names.keys()
        wanted += [
            each.entry for each in contest.players if joined and self.data.get(f"outcome-{each.entry}")
        ]
        return list(dict.fromkeys(wanted))

    @property
    def zone(self) -> ZoneInfo:
        return self.scene.table.stage.tournament.zone

    def stored(self, play: PlayFacts) -> dict[str, str]:
        game = typed_game(GameEntry.stored(play, self.scene.contest))
        began = play.started_at
        clock = began.astimezone(UTC).replace(second=0, microsecond=0).isoformat() if began else ""
        return game | {"began": local_time(began, self.zone), "clock-began": clock}

    @property
    def began_readings(self) -> list[tuple[str, str, bool]]:
        typed = Typed(self.data)
        return offered_readings(typed.at("began", "", self.zone) or typed.text("began"), self.zone)

    def read(self) -> PlayEntry:
        entry = self._read(self.typed)
        if self.current:
            entry = self._with_what_is_not_shown(entry, GameEntry.stored(self.current, self.scene.contest))
        stored = self.current.started_at if self.current else None
        began = self.typed.at("began", "/started_at", self.zone) if "began" in self.data else stored
        as_it_was = stored and began == stored.replace(second=0, microsecond=0)  # the field shows minutes
        return replace(entry, started_at=stored if as_it_was else began)

    def _read(self, typed: Typed) -> GameEntry:
        return read_game(typed, by_text(self.players), self.ruleset)

    def _with_what_is_not_shown(self, entry: GameEntry, stored: GameEntry) -> GameEntry:
        """Restore what the form does not show: times of unchanged results; the duration, if nothing else changed or
        time ended the game."""
        before = self._read(Typed(typed_game(stored)))
        known = {row["entry"]: row for row in stored.results}
        results = [known[row["entry"]] if row in before.results else row for row in entry.results]
        same = replace(entry, decks=before.decks) == before or entry.ended == before.ended == Play.Ended.TIME
        return replace(entry, results=results, duration_s=stored.duration_s if same else entry.duration_s)


PLAY_FORMS: ByKind[type[PlayForm]] = ByKind(
    "forms/plays.py",
    {
        Stage.Kind.SESSION: GameForm,
        Stage.Kind.HEATS: HeatForm,
        Stage.Kind.MATCH: RoundForm,
        Stage.Kind.FINAL: RoundForm,
        Stage.Kind.RACE: RoundForm,
        Stage.Kind.RACES: RoundForm,
    },
)


def by_text(entries: Iterable[UUID]) -> dict[str, UUID]:
    """Entries by their uid as text."""
    return {str(entry): entry for entry in entries}


def cards_in_play(contest: Contest, players: int, decks: int | None = None) -> dict[str, int]:
    """Number of cards of each kind, all decks together."""
    ruleset = RULESETS[contest.ruleset]
    return cards_available(ruleset, decks or contest.settings.get("decks") or decks_for(ruleset, players))
