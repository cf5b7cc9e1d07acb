"""Response contents for a viewer; call in the `snapshot()` that read the tournament.

Public results: `tournament.queries.visible`; current ones for who runs the event, and for referees at own tables.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from scoring import ResultAnswer, StandingAnswer
from tournament.extras.programs.api import auth, base, serializers
from tournament.models import (
    Entry,
    Membership,
    Play,
    Stage,
    Table,
    Tournament,
)
from tournament.permissions import RANK, Role
from tournament.queries.programme import clock_of, programme as programme_of
from tournament.queries.visible import Shown, freezing, shown, taking_part, truth
from tournament.results import COUNTS, ContestResults, PlayFacts, kind_of, plays_in, stage_contests

Json = dict[str, Any]

Entries = Mapping[str, Entry]
Line = StandingAnswer | ResultAnswer


@dataclass(frozen=True)
class Reader:
    """Viewer of a tournament: `runs` it, sees `private` data, referees `own` tables (None: all)."""

    tournament: Tournament
    runs: bool
    private: bool
    own: frozenset[UUID] | None

    @classmethod
    def of(cls, viewer: auth.Viewer, tournament: Tournament) -> "Reader":
        rank = viewer.rank(tournament)
        runs, organises = (rank >= RANK[each] for each in (Role.HEAD_REFEREE, Role.ORGANISER))
        roles = Membership.objects.filter(user=viewer.user, tournament=tournament).values_list(
            "table__uid", flat=True
        )
        asked = viewer.user is not None and not runs and viewer.finds(tournament)
        tables = {*roles} if asked else set()
        own = None if runs or None in tables else frozenset(tables)
        return cls(tournament, runs, organises and viewer.has(auth.Scope.ORGANISE), own)

    @cached_property
    def frozen(self) -> Mapping[str, Entry] | None:
        """While a stage is frozen, the entries in their public state by uid; else, or for who runs it, None."""
        stages = Stage.objects.filter(tournament=self.tournament, frozen_after__isnull=False)
        return taking_part(self.tournament, stages) if not self.runs and stages.exists() else None

    def referees_at(self, table: UUID) -> bool:
        return self.own is None or table in self.own

    @property
    def sees(self) -> str:
        """What the viewer sees, as one word for the ETag."""
        if self.runs:
            return "organiser" if self.private else "head"
        if self.own is None:
            return "referee"
        return f"referee-{base.history_of(sorted(self.own))}" if self.own else "everybody"

    def tag(self, version: int) -> str:
        return base.tag_of(version, self.sees, base.history_at(self.tournament, version))


def seen(reader: Reader, stage: Stage, stages: Iterable[Stage] | None = None) -> Shown:
    """The stage as visible to the reader."""
    return truth(stage) if reader.runs else shown(stage, stages)


def entries(reader: Reader) -> QuerySet[Entry]:
    """The entries by start number."""
    rows = Entry.objects.filter(tournament=reader.tournament).order_by("start_number")
    if reader.runs:
        return rows.select_related("player")
    return rows.taking_part() if reader.frozen is None else rows.filter(uid__in=[*reader.frozen])


def stages(reader: Reader) -> list[Json]:
    """The stages in order."""
    rows = list(reader.tournament.stages.order_by("number"))
    return [stage_json(reader, row, rows) for row in rows]


def stage_json(reader: Reader, stage: Stage, stages: Iterable[Stage] | None = None) -> Json:
    """A stage without results; `stages`: preloaded stages of the tournament."""
    frozen = freezing(stage, stages) is not None
    return {
        "uid": str(stage.uid),
        "tournament": str(reader.tournament.uid),
        "number": stage.number,
        "kind": stage.kind,
        "name": stage.name,
        "state": shown(stage, stages).state if frozen and not reader.runs else stage.state,
        "settings": stage.settings,
        "card_texts": stage.card_texts,
        "second_look": stage.second_look,
        "source": stage.source,
        "players_clock": stage.players_clock,
        "frozen": frozen,
        "version": stage.version,
    }


def tables_json(reader: Reader, stage: Stage) -> list[Json]:
    """The stage's tables with seats."""
    stated = {row.uid: row for row in Table.objects.filter(stage=stage).select_related(*Table.ROLES)}
    return [
        {
            "uid": str(uid),
            "stage": str(contest.stage),
            "number": number,
            "stopped": contest.stopped,
            "seats": [
                {
                    "entry": str(seat.entry),
                    "position": seat.position,
                    "out_as": str(seat.out_as),
                    "out_from": seat.out_from,
                }
                for seat in sorted(contest.seats, key=lambda seat: seat.position)
                if seat.table == number
            ],
            "roles": table and {name: (row := getattr(table, name)) and str(row.uid) for name in Table.ROLES},
        }
        for contest in seen(reader, stage).contests
        for uid, number in sorted(contest.table_numbers.items(), key=lambda item: item[1])
        for table in [stated.get(uid) if reader.referees_at(uid) else None]
    ]


def plays_json(reader: Reader, stage: Stage) -> list[Json]:
    """A stage's plays in sheet order; current state at own tables."""
    plays = [play for contest in seen(reader, stage).contests for play in contest.in_order]
    if not reader.runs and reader.own != frozenset():
        true = [play for contest in stage_contests(stage) for play in contest.in_order]
        plays = [
            *(play for play in plays if not reader.referees_at(play.table)),
            *(play for play in true if reader.referees_at(play.table)),
        ]
    return [_play(reader, play) for play in plays]


def _play(reader: Reader, play: PlayFacts) -> Json:
    data = serializers.play_json(play)
    if play.state not in COUNTS | {Play.State.RUNNING} and not reader.referees_at(play.table):
        data |= {"results": [], "last_cards": {}, "drew": None, "duration_s": None}
    return data


def play_written(viewer: auth.Viewer, play: UUID | None) -> Json | None:
    """Current play for its table's referee, else None."""
    row = play and Play.objects.select_related("table__stage__tournament").filter(uid=play).first()
    if not row or not Reader.of(viewer, row.table.stage.tournament).referees_at(row.table.uid):
        return None
    return serializers.play_json(plays_in(Play.objects.filter(pk=row.pk))[0])


def standings_json(reader: Reader, stage: Stage) -> Json:
    """Lines with names, and scoring's unchanged answers."""
    found = seen(reader, stage)
    entries = {str(row.uid): row for row in Entry.objects.filter(tournament=reader.tournament)}
    return {
        "stage": str(stage.uid),
        "state": found.state,
        "version": stage.version,
        "frozen": found.frozen
        and {
            "after": found.frozen.after,
            "at": found.frozen.at,
            "by_earlier": found.frozen.by_earlier,
            "left": found.frozen.left,
            "unveiled": found.frozen.unveiled
            and [
                {
                    "table": each.table_number,
                    "hidden": list(each.hidden),
                    "standings": [_named(row, entries) for row in each.standings],
                    "heats": [
                        {
                            "table": table,
                            "heat": {
                                "number": heat.number,
                                "results": [_named(row, entries) for row in heat.results],
                            },
                        }
                        for table, heat in each.heats
                    ],
                }
                for each in found.frozen.unveiled
            ],
        },
        "standings": [row for results in found.results for row in _rows(results, entries)],
        "contests": [
            {"table": results.table, "answer": results.answer.as_json()} for results in found.results
        ],
    }


def _rows(results: ContestResults, entries: Entries) -> Iterator[Json]:
    lines: list[tuple[UUID | None, Line]] = [(results.table, line) for line in results.answer.lines]
    if kind_of(results.answer.kind).one_play:
        lines = [(play.table, line) for play, heat in results.counted for line in heat.results]
    for table, line in lines:
        yield {
            "table": table,
            "table_number": table and results.contest.table_numbers[table],
            **_named(line, entries),
        }


def _named(line: Line, entries: Entries) -> Json:
    row = entries.get(line.player) or Entry(public_name="–")
    return {
        "entry": line.player,
        "public_name": row.public_name,
        "display_name": row.shown_name,
        "club": row.club,
        "start_number": row.start_number,
        **line.as_json(),
    }


def sheets_json(reader: Reader, stage: Stage) -> Json:
    """Score sheets of a stage's contests."""
    return {
        "stage": str(stage.uid),
        "version": stage.version,
        "sheets": [
            {
                "table": results.table,
                "sheet": results.sheet.data,
                "plays": [play and play.uid for play in results.sheet.plays],
            }
            for results in seen(reader, stage).results
        ],
    }


def programme_json(reader: Reader) -> Json:
    """The programme; empty for the public until published."""
    data: Json = serializers.ProgrammeSerializer(programme_of(reader.tournament)).data
    return data if data["published"] or reader.runs else {**data, "parts": []}


def clock_json(reader: Reader) -> Json:
    """Public hall clock, or null."""
    row = clock_of(reader.tournament)
    return {
        "clock": row
        and {
            "stage": row.stage and row.stage.uid,
            "started_at": row.started_at,
            "ends_at": row.ends_at,
            "paused_at": row.held_at,
            "goes_on_at": row.goes_on_at,
            "last_hand": row.last_hand,
            "extra": [
                {"table": int(number), "minutes": row.extra[number]} for number in sorted(row.extra, key=int)
            ],
        }
    }
