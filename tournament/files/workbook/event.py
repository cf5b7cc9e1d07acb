"""Workbook data."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.utils import timezone, translation

from tournament.ledger.past import entry_rows
from tournament.models import Decision, Entry, Incident, LedgerRow, Stage, Table, Tournament
from tournament.queries.chain import decided_in
from tournament.queries.incidents import Line, lines_of
from tournament.queries.visible import GoingOn, Shown, going_on_to, leads_to, shown, taking_part, truth
from tournament.results import Contest, ContestResults

ABOUT = ("seat", "incident", "decision")  # fact kinds that name an entry
MOST_NAMED = 12  # players listed per ledger row


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """A readable ledger row. `stage`, `table`, `plays`: numbers, several as "1, 2"; `players`: names."""

    sequence: int
    at: datetime
    who: str
    device: str
    action: str
    replaces: int | None
    digest: str
    note: str
    stage: int | str | None = None
    table: int | str | None = None
    plays: int | str | None = None
    players: str = ""


@dataclass(frozen=True, slots=True)
class StageRead:
    """A stage with scored contests. Entry ids: `decided` (advanced by decision), `steps_back` (not advancing by
    decision), `reserves` (with rank). `contests`: seats, also if planned; `going_on`: qualifiers of heats; `reasons` of
    the decisions."""

    stage: Stage
    state: str
    results: tuple[ContestResults, ...]
    decided: frozenset[str]
    steps_back: frozenset[str]
    reserves: Mapping[str, int] = field(default_factory=dict)
    contests: tuple[Contest, ...] = ()
    going_on: GoingOn | None = None
    reasons: Mapping[str, str] = field(default_factory=dict)

    @property
    def through(self) -> frozenset[str]:
        """Ids of the heats' final qualifiers."""
        if self.going_on:
            return frozenset(self.going_on.through)
        finalists = {player for each in self.results for player in each.answer.finalists}
        return frozenset((finalists | self.decided) - self.steps_back)

    def lot(self, player: str) -> list[str]:
        """Players level with `player` whom a decision treated otherwise."""
        places = {
            line.player: (at, line.place)
            for at, each in enumerate(self.results if self.decided else ())
            for line in each.answer.standings
            if line.place
        }
        return [
            other
            for other, place in places.items()
            if place == places.get(player) and (other in self.decided) != (player in self.decided)
        ]


@dataclass(frozen=True, slots=True)
class Event:
    """A tournament at one moment. `entries` by uid; `entered`: last change by play. For the public, `ledger` and
    `incidents` (oldest first) are None and `entry_rows` empty. `frozen_at`: earliest effective freeze; `language`: ""
    for the tournament's; `removals`: why players were disqualified; `answers`: whether registration answers may be
    read."""

    tournament: Tournament
    entries: Mapping[str, Entry]
    stages: tuple[StageRead, ...]
    entered: Mapping[UUID, datetime]
    ledger: tuple[LedgerLine, ...] | None
    read_at: datetime
    frozen_at: datetime | None = None
    incidents: tuple[Line, ...] | None = None
    language: str = ""
    entry_rows: Mapping[UUID, int] = field(default_factory=dict)
    removals: Mapping[str, str] = field(default_factory=dict)
    answers: bool = False

    @property
    def standing_incidents(self) -> list[Line]:
        return [line for line in self.incidents or () if not line.withdrawn]


def read_event(
    tournament: Tournament, *, everything: bool, language: str = "", answers: bool = False
) -> Event:
    """Read the tournament, within its `snapshot()`. `everything`: true state and ledger, else the public view;
    `language`, `answers` as in `Event`."""
    stages = list(Stage.objects.filter(tournament=tournament).select_related("tournament").order_by("number"))
    seen = [truth(stage) if everything else shown(stage, stages) for stage in stages]
    entries = taking_part(tournament, () if everything else stages)
    for player in (player for each in seen for contest in each.contests for player in contest.players):
        gone = Entry(uid=player.entry, public_name=player.name, start_number=player.start_number)
        entries.setdefault(str(player.entry), gone)
    plays = (play for each in seen for contest in each.contests for play in contest.plays)
    rows = entry_rows((tournament.pk, play.uid, play.version) for play in plays)
    reasons = _reasons(tournament) if everything else {}
    with translation.override(language or tournament.language):
        incidents = tuple(lines_of(tournament, Incident.objects.all())[::-1]) if everything else None
    return Event(
        tournament=tournament,
        entries=entries,
        stages=tuple(
            _stage_read(each, following, reasons.get(following.stage.pk, {}) if following else {})
            for each in seen
            for to in [leads_to(each.stage, stages)]
            for following in [next((other for other in seen if other.stage == to), None)]
        ),
        entered={uid: row.at for uid, row in rows.items()},
        ledger=_ledger(tournament, entries) if everything else None,
        read_at=timezone.now(),
        frozen_at=min((each.frozen.at for each in seen if each.frozen), default=None),
        incidents=incidents,
        language=language,
        answers=answers,
        entry_rows={uid: row.sequence for uid, row in rows.items()} if everything else {},
        removals={
            str(line.entry): line.text or (line.title if line.rule else "")
            for line in incidents or ()
            if line.kind == Incident.Kind.EJECTION and not line.withdrawn
        },
    )


def _stage_read(seen: Shown, following: Shown | None, reasons: Mapping[str, str]) -> StageRead:
    """Decisions belong to the `following` stage, heats to this one."""
    decisions = following.decisions if following else ()

    def decided(kind: str) -> frozenset[str]:
        return frozenset(str(each.entry) for each in decisions if each.kind == kind)

    return StageRead(
        seen.stage,
        seen.state,
        seen.results,
        decided(Decision.Kind.ADVANCE),
        decided(Decision.Kind.STEPS_BACK),
        {str(each.entry): each.rank or 0 for each in decisions if each.kind == Decision.Kind.RESERVE},
        seen.contests,
        going_on_to(seen, following) if following else None,
        reasons,
    )


def _reasons(tournament: Tournament) -> dict[int, dict[str, str]]:
    """{stage key: {entry uid: reason and author of the last decision}}."""
    rows = Decision.objects.filter(stage__tournament=tournament).order_by("stage", "id")
    decisions = {
        str(uid): (stage, str(entry)) for uid, stage, entry in rows.values_list("uid", "stage", "entry__uid")
    }
    found: dict[int, dict[str, str]] = {}
    for uid, decided in decided_in(tournament.pk, decisions.keys()).items():
        stage, entry = decisions[uid]
        found.setdefault(stage, {})[entry] = f"{decided.reason} ({decided.who})".lstrip()
    return found


def _ledger(tournament: Tournament, entries: Mapping[str, Entry]) -> tuple[LedgerLine, ...]:
    found = Table.objects.filter(stage__tournament=tournament).values_list("uid", "stage__number", "number")
    tables = {str(uid): numbers for uid, *numbers in found}
    rows = LedgerRow.objects.filter(tournament=tournament).order_by("sequence")
    rows = rows.select_related("actor", "note")
    return tuple(_line(row, tables, entries) for row in rows.iterator())


def _line(row: LedgerRow, tables: Mapping[str, list[int]], entries: Mapping[str, Entry]) -> LedgerLine:
    touched = [tables[uid] for uid in row.tables if uid in tables]
    about = [facts["entry"] for kind in ABOUT for facts in row.payload.get(kind, {}).values() if facts]
    players = dict.fromkeys(uid for uid in (*row.payload.get("entry", ()), *about) if uid in entries)
    names = [entries[uid].shown_name for uid in players]
    return LedgerLine(
        row.sequence,
        row.at,
        row.actor.display_name(),
        row.device,
        row.action,
        row.replaces,
        row.digest,
        row.note.text if hasattr(row, "note") else "",
        stage=_joined(stage for stage, _number in touched),
        table=_joined(number for _stage, number in touched),
        plays=_joined([facts["number"] for facts in row.payload.get("play", {}).values() if facts]),
        players=", ".join(names) if len(names) <= MOST_NAMED else "",
    )


def _joined(numbers: Iterable[int]) -> int | str | None:
    found = sorted(set(numbers))
    return ", ".join(map(str, found)) if len(found) > 1 else next(iter(found), None)
