"""Preview of a results workbook against recorded plays."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from rulesets import RULESETS, Ruleset
from scoring import Points, ResultAnswer
from tournament.actions.table.plays import preview_play
from tournament.extras.imports.files.problems import MOST_ENTERED
from tournament.extras.imports.files.results import (
    GAMES,
    HEATS,
    ROUNDS,
    SAID,
    CellProblem,
    PlayRead,
    ResultsRead,
    said_of,
    says_the_same,
)
from tournament.extras.imports.files.results_template import UNREAD, cell_text
from tournament.models import Play, Seat, Stage, Table, Tournament
from tournament.pages.components import Comparison, ComparisonRow, names_in
from tournament.pages.desk.play import Line, comparison, hand_text, lines_of, notes_of
from tournament.pages.desk.standings_changes import as_change, differing
from tournament.results import (
    Contest,
    Fault,
    GameEntry,
    PlayEntry,
    PlayFacts,
    Refused,
    contests_now,
    kind_of,
    number_or_none,
    stage_results,
)
from tournament.server.database import snapshot
from tournament.words.faults import fault_text
from tournament.words.kinds import KINDS
from tournament.words.text import as_read, listed

RECORD = {GAMES: "record_game", ROUNDS: "record_round", HEATS: "record_heat"}
CORRECT = {GAMES: "correct_game", ROUNDS: "correct_round", HEATS: "correct_heat"}
LONGEST_NUMBER = 4  # digits
WORKED_OUT = ("place", "points")  # shown, not read


@dataclass(frozen=True, slots=True)
class Wrong:
    """An error and its cell."""

    place: str
    text: str


@dataclass(slots=True)
class Planned:
    """A play to enter by `action` with `arguments`, unless `wrong`. New: `lines`, `notes`; corrected: `change`;
    `stale`: recorded after the file; `totals`: that change, given the results above."""

    label: str
    stage: str
    action: str = ""
    arguments: dict[str, Any] = field(default_factory=dict)
    lines: list[Line] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)
    change: Comparison | None = None
    counts_again: bool = False
    stale: bool = False
    moved: list[str] = field(default_factory=list)
    totals: list[ComparisonRow] = field(default_factory=list)
    wrong: list[Wrong] = field(default_factory=list)


@dataclass(slots=True)
class Plan:
    """Effects of a file. `same`: as recorded; `running`: at export; `absent`: recorded, not in it; `ignored`: cells
    unlike computed values."""

    planned: list[Planned] = field(default_factory=list)
    same: int = 0
    empty: int = 0
    running: int = 0
    absent: int = 0
    ignored: list[str] = field(default_factory=list)
    wrong: list[Wrong] = field(default_factory=list)

    @property
    def new(self) -> list[Planned]:
        """Plays not recorded yet."""
        return [each for each in self.planned if not each.wrong and not each.change]

    @property
    def corrected(self) -> list[Planned]:
        """Plays recorded differently."""
        return [each for each in self.planned if not each.wrong and each.change]

    @property
    def refused(self) -> list[Planned]:
        """Plays that cannot be entered."""
        return [each for each in self.planned if each.wrong]


def plan(tournament: Tournament, read: ResultsRead) -> Plan:
    """Plan what the file would do now."""
    with snapshot():
        return _Planner(tournament, read).plan()


@dataclass(frozen=True, slots=True)
class _Named:
    tournament: Tournament
    names: Mapping[str, str]
    ruleset: Ruleset


class _Planner:
    def __init__(self, tournament: Tournament, read: ResultsRead) -> None:
        self._read, self._done = read, Plan()
        self._scored = 0
        stages = list(Stage.objects.filter(tournament=tournament).select_related("tournament"))
        tables = Table.objects.filter(stage__in=stages).select_related("stage__tournament")
        self._tables = {table.uid: table for table in tables}
        contests = [contest for stage in stages for contest in contests_now(stage)]
        self._contests = {table: contest for contest in contests for table in contest.table_numbers}
        self._stored = {play.uid: play for contest in contests for play in contest.plays}
        self._at = {(play.table, play.number): play for play in self._stored.values()}
        self._answers = dict(_answers(stages))
        self._totals = dict(_totals(stages))
        self._named = _Named(tournament, names_in(tournament), RULESETS[tournament.ruleset])
        self._names_as_read = {as_read(name) for name in self._named.names.values()}

    def plan(self) -> Plan:
        done = self._done
        done.wrong = [Wrong(problem.place, cell_text(problem)) for problem in self._read.problems]
        known = [(play, *where) for play in self._read.plays if (where := self._where(play))]
        found = {current.uid if current else play.uid for play, _table, current, _number in known}
        for play, table, current, number in sorted(
            known, key=lambda each: (each[1].stage.number, each[3], each[1].number)
        ):
            self._one(play, table, current, number)
        if self._read.plays and not known and len(done.wrong) > len(self._read.problems):
            first = self._read.plays[0].place("play")
            done.wrong = [Wrong(first, cell_text(CellProblem("other_event", first)))]
        done.absent = sum(
            play.uid not in found and play.state != Play.State.RUNNING for play in self._stored.values()
        )
        return done

    def _where(self, play: PlayRead) -> tuple[Table, PlayFacts | None, int] | None:
        current = self._stored.get(play.uid)
        at = current.table if current else play.table
        table = self._tables.get(at) if at else None
        strangers = [entry for entry in play.rows if str(entry) not in self._named.names]
        if table is None or table.stage.kind in UNREAD or kind_of(table.stage.kind).rows != play.sheet:
            problem = CellProblem("unknown_play", play.place("play"))
        elif strangers:
            problem = CellProblem("unknown_entry", play.place("player", strangers[0]))
        elif current:
            return table, current, current.number
        else:
            text = play.first.cells["play"].text
            if number := number_or_none(text, longest=LONGEST_NUMBER):
                return table, self._at.get((table.uid, number)), number
            problem = CellProblem("not_whole", play.place("play"), {"text": text})
        self._done.wrong.append(Wrong(problem.place, cell_text(problem)))
        return None

    def _one(self, play: PlayRead, table: Table, current: PlayFacts | None, number: int) -> None:
        said = said_of(play)
        entry = said.entry
        if entry is None:
            self._done.empty += 1
            return
        if said.running:
            self._done.running += 1
            return
        if current:
            self._note_ignored(play, current)
        problems = [*said.problems, *self._other_names(play)]
        if not problems and current and says_the_same(entry, current, self._contests[table.uid]):
            self._done.same += 1
            return
        facts = current or PlayFacts(play.uid, table.uid, number, Play.State.ENTERED)
        planned = Planned(
            _label(self._contests[table.uid], facts),
            str(table.stage),
            CORRECT[play.sheet] if current else RECORD[play.sheet],
            {"play": current.uid, "version": current.version}
            if current
            else {"table": table.uid, "play": play.uid, "number": number},
        )
        # Rows of a template have no version: stale if another play took the number.
        planned.stale = current is not None and (
            play.uid != current.uid if play.version is None else play.version < current.version
        )
        problems += self._problems(play, table, current, number)
        planned.wrong = [Wrong(problem.place, cell_text(problem)) for problem in problems]
        if table.stage.state != Stage.State.RUNNING:
            fault = Fault("stage_not_running", "/table", {"state": str(table.stage.state)})
            planned.wrong.append(Wrong(play.place("play"), fault_text(fault)))
        if not planned.wrong and self._scored < MOST_ENTERED:  # the others wait
            self._score(planned, play, table, current, entry)
            self._scored += not planned.wrong
        self._done.planned.append(planned)

    def _problems(
        self, play: PlayRead, table: Table, current: PlayFacts | None, number: int
    ) -> Iterator[CellProblem]:
        if current is None:
            plays = self._contests[table.uid].plays
            following = max((each.number for each in plays if each.table == table.uid), default=0) + 1
            if number != following:
                yield CellProblem("number_gap", play.place("play"), {"next": following})
            return
        if current.state == Play.State.RUNNING:
            yield CellProblem("game_running", play.place("play"))
        missing = [row.entry for row in current.results if row.entry not in play.rows]
        if missing:
            yield CellProblem(
                "rows_missing", play.place("player"), {"players": listed([*map(self._name, missing)])}
            )
        if play.sheet == HEATS:
            return
        for row in current.results:
            held = {card: number for card, number in row.hand.items() if number}
            if row.entry in play.rows and not held.keys() <= play.rows[row.entry].hand.keys():
                yield CellProblem(
                    "hand_missing",
                    play.place("player", row.entry),
                    {"player": self._name(row.entry), "cards": hand_text(held, self._named.ruleset)},
                )

    def _name(self, entry: UUID) -> str:
        return self._named.names.get(str(entry), "")

    def _other_names(self, play: PlayRead) -> Iterator[CellProblem]:
        for entry, row in play.rows.items():
            cell = row.cells.get("player")
            if not cell or as_read(cell.text) == as_read(self._name(entry)):
                continue
            if as_read(cell.text) in self._names_as_read:
                yield CellProblem(
                    "another_player", cell.place, {"name": self._name(entry), "text": cell.text}
                )
            elif cell.text:
                self._done.ignored.append(cell.place)

    def _score(
        self,
        planned: Planned,
        play: PlayRead,
        table: Table,
        current: PlayFacts | None,
        entry: PlayEntry,
    ) -> None:
        contest = self._contests[table.uid]
        kept = self._kept(play.sheet, contest, table, current, entry)
        uid = current.uid if current else play.uid
        number = current.number if current else planned.arguments["number"]
        entry = replace(entry, **kept)
        try:
            settled = preview_play(table, entry, play=uid, number=number, contest=contest)
        except Refused as refused:
            planned.wrong = [self._wrong(play, fault) for fault in refused.faults]
            return
        arguments = entry.arguments()
        planned.arguments |= {name: arguments[name] for name in dict.fromkeys([*SAID[play.sheet], *kept])}
        after = settled.contest.play(uid)
        assert after is not None
        for each in contest.table_numbers:
            self._contests[each] = settled.contest
        before = self._totals.get(table.uid, {})
        totals: dict[str, Points | None] = {row.player: row.points for row in settled.answer.standings}
        self._totals |= dict.fromkeys(contest.table_numbers, totals)
        planned.totals = as_change(differing(self._named.names, before, totals))
        planned.moved = [_label(contest, each) for each in settled.moved if each.uid != after.uid]
        if current:
            planned.counts_again = current.state == Play.State.VOID
            compared = comparison(
                current, after, self._named, yours_by=_("recorded"), theirs_by=_("in the file")
            )
            was = _points(self._answers.get(current.uid, {}))
            rounds: Any = settled.answer.rounds
            rows = {
                row.player: row
                for scored, each in zip(settled.sheet.plays, rounds, strict=True)
                if scored and scored.uid == uid
                for row in each.results
            }
            gets = differing(self._named.names, was, _points(rows))
            planned.change = replace(compared, points=as_change(gets), totals=planned.totals)
        else:
            planned.lines = lines_of(after, self._named.names, self._named.ruleset)
            planned.notes = notes_of(after, self._named)

    def _kept(
        self,
        sheet: str,
        contest: Contest,
        table: Table,
        current: PlayFacts | None,
        entry: PlayEntry,
    ) -> dict[str, Any]:
        """Facts that are not in the file."""
        if isinstance(entry, GameEntry):
            timed = current is not None and entry.ended == Play.Ended.TIME
            kept = {"decks": current.decks if current else None}
            return kept | ({"duration_s": current.duration_s if current else None} if timed else {})
        if current is None:
            return {}
        here = [
            seat for seat in contest.seats if seat.table == table.number and seat.out_from == current.number
        ]
        out = {
            name: list(
                dict.fromkeys([*getattr(entry, name), *(seat.entry for seat in here if seat.out_as == how)])
            )
            for how, name in ((Seat.OutAs.REMOVED, "removed"), (Seat.OutAs.WITHDRAWN, "withdrawn"))
        }
        return {**out, "advance": current.advance} if sheet == HEATS else {**out}

    def _wrong(self, play: PlayRead, fault: Fault) -> Wrong:
        steps = fault.path.split("/")
        entry = next((entry for entry in play.rows if str(entry) in steps), None)
        key = next((card for card in play.first.hand if card in steps[2:]), "")
        if not key:
            keys = {"elapsed_s": "out_after", "ended": "ending", "duration_s": "duration", "drew": "drew"}
            keys |= {"last_cards": "last_cards", "hand": "cards", "hands": "cards"}
            key = next((keys[step] for step in reversed(steps) if step in keys), "")
        if key == "cards":
            key = next(iter(play.first.hand), "")
        if not key:
            key = {HEATS: "finish"}.get(play.sheet, "outcome") if entry else "play"
        return Wrong(play.place(key, entry), fault_text(fault, self._named.names))

    def _note_ignored(self, play: PlayRead, current: PlayFacts) -> None:
        answers = self._answers.get(current.uid, {})
        for entry, row in play.rows.items():
            for key in WORKED_OUT:
                cell = row.cells.get(key)
                ours = getattr(answers.get(str(entry)), key, None)
                if cell and not cell.lost and cell.text != ("" if ours is None else str(ours)):
                    self._done.ignored.append(cell.place)


def _label(contest: Contest, play: PlayFacts) -> str:
    return str(KINDS[contest.kind].play_at) % {
        "table": contest.table_numbers[play.table],
        "number": play.number,
    }


def _answers(stages: list[Stage]) -> Iterator[tuple[UUID, Mapping[str, ResultAnswer]]]:
    for stage in stages:
        for contest in stage_results(stage):
            for play, answer in contest.counted:
                yield play.uid, {row.player: row for row in answer.results}


def _totals(stages: list[Stage]) -> Iterator[tuple[UUID, dict[str, Points | None]]]:
    for stage in stages:
        for contest in stage_results(stage):
            totals: dict[str, Points | None] = {row.player: row.points for row in contest.answer.standings}
            yield from ((table, totals) for table in contest.contest.table_numbers)


def _points(rows: Mapping[str, ResultAnswer]) -> dict[str, Points | None]:
    return {player: getattr(row, "points", None) for player, row in rows.items()}


def numbered(plan: Plan) -> Iterator[tuple[int, Planned]]:
    """Plays to enter, as (tick number, play)."""
    return zip(count(1), (each for each in plan.planned if not each.wrong), strict=False)
