"""Sheet "Results": each player once, podium, figures.

| rule | where |
| --- | --- |
| later stages first, each player once | `reached` |
| within a stage by standings, in heats by place | `_in_stage` |
| places only for the last stage played | `reached` |
| disqualified players without a place last | `reached` |
| medals only for earned places | `podium` |
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext as _, ngettext, pgettext

from scoring import PlayAnswer, RaceAnswer
from tournament.files.results_file.facts import KINDS as NUMBERS, Extras, exact
from tournament.files.results_file.sheets import (
    LONGEST_ABOVE,
    MEDALS,
    NARROWEST,
    WIDE,
    Column,
    Look,
    Row,
    Value,
)
from tournament.files.workbook.event import Event, StageRead
from tournament.models import Decision, Entry, Play, Result, Tournament
from tournament.results import ContestResults, kind_of, lowest_wins, target_of
from tournament.words.faults import ruleset_name, table_text
from tournament.words.kinds import DECIDING, KINDS, STATUSES, goal_text, race_text
from tournament.words.text import inside, listed

MOST_NAMED = 3  # of a shared podium place
SCALES = [DECIDING[word].unit for word in ("average", "total", "cards")]  # which each stage has of its own
SEPARATOR = "\N{NO-BREAK SPACE}· "  # stays at the end of a line


@dataclass(frozen=True, slots=True)
class Reached:
    """How far a player came. `where`: stages in order; `place` in the event; `line` of the last answer; `through`: text
    for heats."""

    player: str
    where: str = ""
    place: int | None = None
    line: Any = None
    numbers: Mapping[str, Value] = field(default_factory=dict)
    through: str = ""

    @property
    def status(self) -> str:
        """Status in the standings, default "ranked"."""
        return getattr(self.line, "status", "ranked")

    @property
    def medal(self) -> str:
        """Medal of an earned place, or ""."""
        earned = self.place is not None and self.place <= len(MEDALS) and self.line.earned
        return MEDALS[self.place - 1] if earned and self.place else ""


def reached(event: Event) -> list[Reached]:
    """All players, best first."""
    found: dict[str, Reached] = {}
    for read in reversed(_played(event)):
        last = not found
        for player, each in _in_stage(read, _headings(event)[read.stage.number]).items():
            if later := found.get(player):
                found[player] = replace(
                    later,
                    where=f"{each.where} → {later.where}",
                    numbers={**each.numbers, **later.numbers},
                )
            else:
                found[player] = each if last else replace(each, place=None)
    for player in event.entries:
        found.setdefault(player, Reached(player))
    return sorted(
        found.values(),
        key=lambda each: (
            each.place is None and "disqualified" in {each.status, event.entries[each.player].state}
        ),
    )


def _played(event: Event) -> list[StageRead]:
    return [read for read in event.stages if read.results]


def _headings(event: Event) -> dict[int, list[str]]:
    played = [
        (read.stage, [str(heading) for heading in NUMBERS[read.results[0].answer.kind].headings])
        for read in _played(event)
    ]
    found = Counter(heading for _stage, own in played for heading in own)
    return {
        stage.number: [
            f"{stage}: {inside(heading)}" if found[heading] > 1 and heading in SCALES else heading
            for heading in own
        ]
        for stage, own in played
    }


def _in_stage(read: StageRead, headings: Sequence[str]) -> dict[str, Reached]:
    words, found = through_words(read), dict[str, Reached]()
    for contest in read.results:
        title, numbers = contest_title(read, contest), NUMBERS[contest.answer.kind].numbers(contest)
        lines = [(line, title) for line in contest.answer.standings] or _heat_lines(contest)
        for line, where in lines:
            player = line.player
            place = line.place if player in numbers else None
            own = dict(zip(headings, numbers.get(player, ()), strict=False))
            found.setdefault(player, Reached(player, where, place, line, own, words.get(player, "")))
    of_heats = kind_of(read.stage.kind).one_play
    for seat in (seat for contest in read.results for seat in contest.contest.seats):
        player = str(seat.entry)
        found.setdefault(player, Reached(player, _heat(seat.table) if of_heats else str(read.stage)))
    return found


def contest_title(read: StageRead, contest: ContestResults) -> str:
    """Its stage, and the table if there are several."""
    number = contest.table_number
    if number is None or len(read.results) == 1:
        return str(read.stage)
    return table_text(read.stage, number)


def _heat_lines(contest: ContestResults) -> Iterator[tuple[Any, str]]:
    tables = contest.contest.table_numbers
    found = [(line, tables[play.table]) for play, heat in contest.counted for line in heat.results]
    for line, table in sorted(found, key=lambda each: (each[0].place is None, each[0].place or 0, each[1])):
        yield line, _heat(table)


def _heat(table: int) -> str:
    return str(KINDS["heats"].play) % {"table": table}


def notes(event: Event, extras: Extras, reached: Reached) -> str:
    """Decision without its reason, status, walk-in."""
    player, entry = reached.player, event.entries[reached.player]
    said = [
        decision_word(event, player) or reached.through,
        state_word(event, entry, reached.status) or ("" if reached.where else str(entry.get_state_display())),
        inside(_("Walk-in")) if player in extras.walk_ins else "",
    ]
    return ", ".join(dict.fromkeys(filter(None, said)))


def decision_word(event: Event, player: str, *, why: bool = False) -> str:
    """Decision on advancing, with level players decided otherwise; `why`: with reason and author."""
    for read in event.stages:
        level = read.lot(player)
        if player in read.decided | read.steps_back or (level and player not in read.reserves):
            kind = Decision.Kind.ADVANCE if player in read.decided else Decision.Kind.STEPS_BACK
            word, reasons = str(kind.label), [read.reasons.get(each) for each in (player, *level) if why]
            if level:
                word = _("%(decision)s, level with %(players)s") % {
                    "decision": word,
                    "players": named([event.entries[each] for each in level], MOST_NAMED),
                }
            return _because(word, next(filter(None, reasons), None))
        if player in read.reserves and player not in read.through:
            return _("reserve (%(rank)s)") % {"rank": read.reserves[player]}
    return ""


def through_words(read: StageRead) -> dict[str, str]:
    """Return {player: through or not} for finished heats, else {}."""
    if not kind_of(read.stage.kind).one_play:
        return {}
    through = read.through
    yes, no = inside(pgettext("state", "Through")), inside(pgettext("state", "Not through"))
    lines = (line for each in read.results for line in each.answer.lines)
    return {line.player: yes if line.player in through else no for line in lines}


def state_word(event: Event, entry: Entry, status: str = "ranked") -> str:
    """Why a player is out or unplaced. A no-show has not left."""
    if status == "ranked" or entry.state == Entry.State.NO_SHOW:
        return _because(entry.get_state_display(), event.removals.get(str(entry.uid))) if entry.is_out else ""
    if status == "too_few_games" and event.tournament.state != Tournament.State.FINISHED:
        return _("too few games so far")
    return _because(STATUSES[status], event.removals.get(str(entry.uid)))


def _because(word: object, reason: str | None) -> str:
    return str(word) if reason is None else ": ".join([str(word), reason or _("no reason given")])


def _stage_note(event: Event, player: str, status: str = "ranked") -> str | None:
    words = [decision_word(event, player, why=True), state_word(event, event.entries[player], status)]
    return ", ".join(filter(None, words)) or None


def above(event: Event, extras: Extras, people: Sequence[Reached]) -> Iterator[Row]:
    """Lines above the table: event, figures, podium."""
    tournament = event.tournament
    yield [tournament.name]
    if tournament.rehearsal:
        yield [f"{_('Rehearsal')}: {_('Nothing here is official.')}"]
    day = date_format(tournament.starts_on, "SHORT_DATE_FORMAT")
    yield _line(
        [day, tournament.place, _("Rules: %(ruleset)s") % {"ruleset": ruleset_name(tournament.ruleset)}]
    )
    yield _line(figures(event, extras))
    yield _line(exceptions(event, extras))
    yield from ([rule] for rule in [rule_text(event)] if rule)
    if len(stages := _played(event)) > 1:
        headings = [heading for own in _headings(event).values() for heading in own]
        rule = (
            _("%(stage)s gives the places.")
            if len({*headings}) == len(headings)
            else _(
                "%(stage)s gives the places. Numbers without a stage’s name are from a player’s last stage."
            )
        )
        yield [rule % {"stage": stages[-1].stage}]
    if event.frozen_at:
        at = date_format(event.frozen_at.astimezone(tournament.zone), "SHORT_DATETIME_FORMAT")
        yield [_("Standings frozen at (%(zone)s): %(at)s") % {"zone": tournament.time_zone, "at": at}]
    if tournament.state != Tournament.State.FINISHED and any(each.medal for each in people):
        yield [_("The event is not over. Standings so far:")]
    yield from podium(event, people)


def _line(parts: Iterable[str]) -> Row:
    """Parts on one line, each unbroken where it is short enough."""
    return [
        SEPARATOR.join(
            part.replace(" ", "\N{NO-BREAK SPACE}") if len(part) <= LONGEST_ABOVE else part
            for part in parts
            if part
        )
    ]


def rule_text(event: Event) -> str:
    """Ranking rule of the last stage played; "" for heats."""
    for contest in [contest for read in event.stages for contest in read.results][-1:]:
        if kind_of(contest.answer.kind).by_average:
            return _("Points a game. The lowest average is best.")
        if target := target_of(contest.sheet.data):
            return goal_text(target, lowest=lowest_wins(contest.sheet.data))
        if isinstance(contest.answer, RaceAnswer):
            return race_text(contest.sheet.data["settings"])
    return ""


def figures(event: Event, extras: Extras) -> Iterator[str]:
    """Counts of players, plays, void plays, corrections; the state."""
    players = len(event.entries)
    yield ngettext("%(n)s player", "%(n)s players", players) % {"n": players}
    plays: dict[str, int] = {}
    for each in (each for read in event.stages for each in read.results):
        plays[each.answer.kind] = plays.get(each.answer.kind, 0) + len(each.counted)
    yield from (KINDS[kind].plays(count) for kind, count in plays.items())
    contests = [each.contest for read in event.stages for each in read.results]
    void = sum(play.state == Play.State.VOID for contest in contests for play in contest.plays)
    if void:
        yield ngettext("%(n)s void, not counted", "%(n)s void, not counted", void) % {"n": void}
    made = extras.corrections
    yield ngettext("%(n)s correction", "%(n)s corrections", made) % {"n": made}
    yield str(event.tournament.get_state_display())


def exceptions(event: Event, extras: Extras) -> Iterator[str]:
    """Counts of disqualified players, leavers and walk-ins."""
    states = Counter(entry.state for entry in event.entries.values())
    out, left = states[Entry.State.DISQUALIFIED], states[Entry.State.LEFT]
    walked = sum(player in extras.walk_ins for player in event.entries)
    yield ngettext("%(n)s disqualified", "%(n)s disqualified", out) % {"n": out}
    yield ngettext("%(n)s left early", "%(n)s left early", left) % {"n": left}
    yield ngettext("%(n)s walk-in", "%(n)s walk-ins", walked) % {"n": walked}


def podium(event: Event, people: Sequence[Reached]) -> Iterator[Row]:
    """Lines for the first three places."""
    for place, medal in enumerate(MEDALS, 1):
        best = [each for each in people if each.place == place and each.medal]
        if best:
            names = named([event.entries[each.player] for each in best], MOST_NAMED)
            line = best[0].line
            yield [Look(place, medal), f"{names} – {DECIDING[line.decided_by].said(line.value)}"]


def named(entries: Sequence[Entry], most: int) -> str:
    """Names; of too many, the first and a count."""
    names, more = [entry.shown_name for entry in entries], len(entries) - most
    if more > 1:
        names = [*names[:most], ngettext("%(n)d more", "%(n)d more", more) % {"n": more}]
    return listed(names)


def table(event: Event, extras: Extras, people: Sequence[Reached]) -> tuple[list[Column], list[Row]]:
    """Table of all players."""
    headings = dict.fromkeys(each for own in reversed(_headings(event).values()) for each in own)
    several = len({each.where for each in people}) > 1
    columns = [
        place_column(),
        Column(_("Player"), whole=True),
        Column(_("Club or group"), 20),
        *map(Column, headings),
        Column(_("Stages"), 20, whole=True),
        Column(_("Note"), 23),
    ]
    return columns, [
        [
            Look(each.place, each.medal) if each.medal else each.place,
            entry.shown_name,
            entry.club or None,
            *(each.numbers.get(heading) for heading in headings),
            each.where if several and each.where else None,
            notes(event, extras, each) or None,
        ]
        for each in people
        for entry in [event.entries[each.player]]
    ]


def place_column() -> Column:
    """Narrow for phones."""
    return Column(pgettext("narrow column", "Place"), NARROWEST, stays=True)


# ---- Stage sheets ----

KEPT_NAME = 17  # frozen name column: a third of a 390-pixel phone
NO_POINTS = Look("–", "whole")  # ejected player


def heats_table(event: Event, read: StageRead) -> tuple[list[Column], list[Row]]:
    """A row per player of every heat."""
    rows: list[Row] = []
    words, through = through_words(read), read.through
    for contest in read.results:
        heats = {play.table: heat for play, heat in contest.counted}
        for table, number in sorted(contest.contest.table_numbers.items(), key=lambda item: item[1]):
            for player, place in _places(contest, heats.get(table), number).items():
                word = words.get(player)
                shown: Value = Look(word, "through") if player in through and word else word
                entry, note = event.entries[player], _stage_note(event, player)
                rows.append([number, place, entry.shown_name, entry.club or None, shown, note])
    headings = [_("Player"), _("Club or group"), _("Goes through"), _("Note")]
    return [Column(_("Heat"), stays=True), place_column(), *map(Column, headings)], rows


def _places(contest: ContestResults, heat: PlayAnswer | None, number: int) -> dict[str, int | None]:
    if heat is None:
        return {str(seat.entry): None for seat in contest.contest.seats if seat.table == number}
    found = {row.player: row.place for row in heat.results}
    return dict(sorted(found.items(), key=lambda item: (item[1] is None, item[1] or 0)))


@dataclass(frozen=True, slots=True)
class Courses:
    """A contest's points. `plays`: column headings; `numbers`: play numbers; `cells`: {player: {column: points}}."""

    plays: Sequence[str]
    numbers: Sequence[int]
    cells: Mapping[str, Mapping[int, Value]]

    def scored(self, player: str) -> list[int]:
        """Columns with points of the player."""
        return [at for at, value in self.cells[player].items() if value != NO_POINTS]


def courses(contest: ContestResults) -> Courses:
    """One column per round, or per own game if rows would be mostly empty."""
    points: dict[str, list[tuple[int, Value]]] = {line.player: [] for line in contest.answer.standings}
    for at, (play, answer) in enumerate(contest.counted):
        won = {str(row.entry) for row in play.with_outcome(Result.Outcome.WON)}
        for row in answer.results:
            value: Value = NO_POINTS if row.points is None else exact(row.points)
            is_first = row.place == 1 or row.player in won
            points[row.player].append((at, Look(value, "won") if is_first else value))
    most = max(map(len, points.values()), default=0)
    words, tables = KINDS[contest.answer.kind], contest.contest.table_numbers
    own, several = len(contest.counted) > 2 * most, len(tables) > 1
    numbers = range(1, (most if own else len(contest.counted)) + 1)
    if own:
        heads = [str(words.play) % {"number": number} for number in numbers]
    else:
        head, plays = (
            str(words.play_at if several else words.play),
            [play for play, _answer in contest.counted],
        )
        heads = [head % {"number": play.number, "table": tables[play.table]} for play in plays]
    cells = {
        player: {nth if own else at: value for nth, (at, value) in enumerate(found)}
        for player, found in points.items()
    }
    return Courses(
        heads, numbers if own or several else [play.number for play, _answer in contest.counted], cells
    )


def crosstable(event: Event, contest: ContestResults) -> tuple[list[Column], list[Row]]:
    """Points per round or game, and totals."""
    course, answer = courses(contest), contest.answer
    kind = NUMBERS[answer.kind]
    numbers, of_session = kind.numbers(contest), kind_of(answer.kind).by_average
    headings = [*course.plays, *([_("Points")] if of_session else []), *map(str, kind.headings)]
    rows: list[Row] = [
        [
            Look(event.entries[line.player].shown_name, "name"),
            Look(line.place, MEDALS[line.place - 1])
            if line.earned and line.place and line.place <= len(MEDALS)
            else line.place,
            *(course.cells[line.player].get(at) for at in range(len(course.plays))),
            *([line.points] if of_session else []),
            *numbers[line.player],
            _stage_note(event, line.player, line.status),
        ]
        for line in answer.standings
    ]
    note = Column(_("Note"), WIDE)
    return [Column(_("Player"), KEPT_NAME), place_column(), *map(Column, headings), note], rows
