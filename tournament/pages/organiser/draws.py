"""Proposed seats: drawn, dealt by start numbers, or levelled."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.core import signing

from tournament.models import Entry, Membership, Play, Stage
from tournament.queries.chain import Chain
from tournament.queries.draws import (
    evening_of,
    may_sit,
    pairs_apart,
    played_all,
    played_before,
    seating_now,
)
from tournament.queries.programme import heats_off
from tournament.results import kind_of
from tournament.seating import (
    COMFORTABLE,
    MOST_GAMES,
    DrawRecord,
    Impossible,
    Move,
    Person,
    Sizes,
    deal,
    level,
    met_in,
    plan_tables,
    repeated,
)

SALT = "tournament.draw"


@dataclass(frozen=True, slots=True)
class Situation:
    """A stage to seat; people are uids as text. `entries` may have a seat. `begun` tables stay (a session's only during
    games), `played` ones are never removed. `filled` from other stages. `done`: with no game of a race left. `evening`:
    the draw of all games, of which `game` is next."""

    stage: Stage
    entries: Mapping[str, Entry]
    tables: Mapping[int, Sequence[str]]
    begun: frozenset[int]
    played: frozenset[int]
    apart: Sequence[tuple[str, str]]
    past: Sequence[Sequence[Sequence[str]]] = field(repr=False)
    filled: bool = False
    done: frozenset[str] = frozenset()
    evening: DrawRecord | None = None
    game: int = 1

    @property
    def games(self) -> int:
        """How many games can be seated at once: as drawn; before the first, as many as the settings say and one
        table is not all there can be; else 0."""
        if self.evening:
            return 0 if self.begun or self.game > len(self.evening.evening) else len(self.evening.evening)
        known = self.stage.settings.get("max_games") or self.stage.settings.get("min_games") or 0
        kind = kind_of(self.stage.kind)
        several = len(self.to_draw) >= 2 * kind.least  # tables
        return known if kind.seats_change and several and not self.played and 1 < known <= MOST_GAMES else 0

    @property
    def free(self) -> dict[int, list[str]]:
        """Players at tables not begun."""
        return {
            number: [player for player in table if player in self.entries]
            for number, table in self.tables.items()
            if number not in self.begun
        }

    @property
    def to_draw(self) -> list[Entry]:
        """Players not at a begun table, with a game left."""
        seated = {player for number in self.begun for player in self.tables[number]}
        return [entry for uid, entry in self.entries.items() if uid not in seated | self.done]

    @property
    def present(self) -> int:
        """Number of checked-in players to draw."""
        return sum(entry.state == Entry.State.CHECKED_IN for entry in self.to_draw)

    @property
    def groups(self) -> bool:
        """Whether any club or group is known."""
        return any(entry.club for entry in self.entries.values())

    @property
    def met(self) -> set[frozenset[str]]:
        """Pairs who have sat at one table."""
        return set(met_in(self.past))

    def together(self, tables: Mapping[int, Sequence[str]]) -> set[tuple[str, str]]:
        """Separated pairs that would share a table."""
        at = {player: number for number, table in tables.items() for player in table}
        return {pair for pair in self.apart if pair[0] in at and at[pair[0]] == at.get(pair[1])}


@dataclass(frozen=True, slots=True)
class Proposal:
    """Proposed seats: players by table number. `moves`: of levelling; `again`: repeated meetings."""

    tables: Mapping[int, Sequence[str]]
    record: DrawRecord | None = None
    moves: Sequence[Move[str, int]] = ()
    again: int = 0


def situation_of(stage: Stage) -> Situation:
    """The stage as it is now."""
    plays = list(Play.objects.filter(table__stage=stage).order_by().values_list("table__number", "state"))
    played = frozenset(number for number, _state in plays)
    tables = seating_now(stage)
    begun = played
    if stage.state == Stage.State.FINISHED:
        begun = frozenset(tables)
    elif kind_of(stage.kind).seats_change:
        begun = frozenset(number for number, state in plays if state == Play.State.RUNNING)
    games = Counter(number for number, state in plays if state != Play.State.VOID)
    evening = evening_of(stage)
    return Situation(
        stage,
        may_sit(stage),
        tables,
        begun,
        played,
        [(str(one), str(other)) for one, other in pairs_apart(stage.tournament)],
        played_before(stage.tournament),
        bool(Chain(stage.tournament).sources[stage.number].parts),
        played_all(stage),
        evening,
        evening.game + (max(games.values(), default=0) >= evening.game) if evening else 1,
    )


def usual_draw(situation: Situation) -> dict[str, Any]:
    """Default values of the draw form's fields."""
    return {
        "who": "present" if situation.present and not situation.filled else "expected",
        "order": "drawn",
        "groups": situation.groups,
        "meet": bool(situation.past),
        "games": situation.games if situation.evening else 0,
    }


def usual_bounds(situation: Situation, players: int) -> tuple[int, int]:
    """(least, most) players per table: as planned; between games as they sit."""
    kind = kind_of(situation.stage.kind)
    plan = situation.stage.plan
    least, most = kind.least, int(plan.get("most") or COMFORTABLE[situation.stage.kind])
    if kind.one_play and plan.get("tables") and plan.get("players"):
        least = min(least, plan["players"] // plan["tables"])
    sizes = [len(table) for table in situation.free.values() if table]
    if kind.all_together:
        most = max(most, players)
    elif sizes and situation.stage.state == Stage.State.RUNNING:
        least, most = min(least, *sizes), max(sizes)
    least = max(2, min(least, most, players))
    return least, max(least, most)


def sizes_of(situation: Situation, players: int, wanted: Mapping[str, int | None]) -> Sizes:
    """Sizes of tables not begun: as `wanted` (`tables` includes begun ones), else as planned if that fits with at most
    one heat more or fewer, else the fewest. Raises Impossible."""
    least, most = usual_bounds(situation, players)
    begun, asked = len(situation.begun), {name: wanted.get(name) for name in ("tables", "least", "most")}
    planned = situation.stage.plan.get("tables") if kind_of(situation.stage.kind).one_play else None
    tables = asked["tables"]
    if tables:
        most = max(most, players)  # a wish overrides the usual
    elif kind_of(situation.stage.kind).all_together:
        tables = 1 + begun
    elif planned and planned > begun and not any(asked.values()):
        rest, everyone = (
            planned - begun,
            players + sum(len(situation.tables[number]) for number in situation.begun),
        )
        fits = least * rest <= players <= most * rest
        tables = planned if fits and heats_off(situation.stage, everyone) <= 1 else None
    return plan_tables(
        players,
        least=asked["least"] or least,
        most=asked["most"] or most,
        tables=None if tables is None else tables - begun,
    )


def referees_of(situation: Situation) -> int:
    """Number of referees of the event."""
    return (
        Membership.objects.filter(
            tournament=situation.stage.tournament,
            role__in=[Membership.Role.HEAD_REFEREE, Membership.Role.TABLE_REFEREE],
        )
        .order_by()
        .values("user")
        .distinct()
        .count()
    )


def drawn(situation: Situation, wanted: Mapping[str, Any], seed: str) -> Proposal:
    """Draw seats at tables not begun as `wanted` (DrawForm data). Raises Impossible."""
    people = [
        entry
        for entry in situation.to_draw
        if wanted["who"] == "expected" or entry.state == Entry.State.CHECKED_IN
    ]
    begun = {number: list(situation.tables[number]) for number in sorted(situation.begun)}
    games, evening = int(wanted.get("games") or 0), situation.evening
    if games and evening and not wanted["tables"]:
        wanted = {**wanted, "tables": len(evening.tables)}
    try:
        sizes = sizes_of(situation, len(people), wanted)
    except Impossible as impossible:
        asked = impossible.parameters
        if "have" not in asked or not begun:
            raise
        have = int(asked["have"]) + len(begun)  # begun tables too
        raise Impossible(impossible.code, {**asked, "have": have, "begun": len(begun)}) from None
    numbers = [number for number in range(1, len(sizes) + len(begun) + 1) if number not in begun][
        : len(sizes)
    ]
    room = dict(zip(numbers, sizes, strict=True)) | {number: len(table) for number, table in begun.items()}
    if wanted["order"] == "numbers":
        dealt = deal([str(entry.uid) for entry in people], len(sizes))
        return Proposal(_whole(situation, begun | dict(zip(numbers, dealt, strict=True))))
    past = situation.past if wanted["meet"] and not games else ()
    record = DrawRecord.of(
        [
            Person(str(entry.uid), entry.start_number, group_of(entry) if wanted["groups"] else "")
            for entry in people
        ],
        [room[number] for number in sorted(room)],
        seed,
        tables=sorted(room),
        apart=situation.apart,
        past=past,
        fixed=begun,
    )
    tables = record.seats()
    if games:
        before = evening.as_json() if evening else None
        record = _searched(json.dumps([record.as_json(), games, before, situation.game]))
        return Proposal(_whole(situation, record.seats()), record, again=repeated(met_in(record.evening)))
    return Proposal(
        _whole(situation, tables),
        record,
        again=repeated(met_in([*past, tables.values()])) - repeated(met_in(past)),
    )


@lru_cache(maxsize=8)  # a reload shows the same
def _searched(asked: str) -> DrawRecord:
    """Search in a process of its own, which computes for seconds."""
    done = subprocess.run(
        [sys.executable, "-m", "tournament.seating"],
        cwd=settings.CODE_DIR,
        input=asked,
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    return DrawRecord.from_json(json.loads(done.stdout))


def levelled(situation: Situation, *, least: int, most: int) -> Proposal:
    """Level tables not begun with the fewest moves. Raises Impossible."""
    tables = {
        number: list(situation.tables[number]) if number in situation.begun else table
        for number, table in (dict(situation.tables) | situation.free).items()
    }
    answer = level(tables, least=least, most=most, begun=situation.begun, apart=situation.apart)
    return Proposal(_whole(situation, answer.tables), moves=answer.moves)


def uneven(situation: Situation) -> bool:
    """Whether tables not begun differ by more than one player."""
    sizes = [len(table) for table in situation.free.values() if table]
    return bool(sizes) and max(sizes) - min(sizes) > 1


def group_of(entry: Entry) -> str:
    """Club or group, ignoring case and spacing."""
    return " ".join(entry.club.casefold().split())


def signed(situation: Situation, record: DrawRecord) -> str:
    """Signed record for a hidden form field."""
    return signing.dumps([str(situation.stage.uid), record.as_json()], salt=SALT, compress=True)


def unsigned(stage: Stage, text: str) -> DrawRecord | None:
    """The form's draw; None unless signed for this stage."""
    try:
        uid, record = signing.loads(text, salt=SALT)
        return DrawRecord.from_json(record) if uid == str(stage.uid) else None
    except (signing.BadSignature, ValueError, TypeError):
        return None


def _whole(situation: Situation, tables: Mapping[int, Sequence[str]]) -> dict[int, list[str]]:
    """Tables with plays stay."""
    kept = {number: list(table) for number, table in tables.items() if table}
    return dict(sorted(({number: [] for number in situation.played} | kept).items()))
