"""From scoring's answers to values for published pages and friends' tables."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar, assert_never, overload

from django.utils.formats import number_format
from django.utils.translation import gettext as _, ngettext

from scoring import (
    Answer,
    ClubStanding,
    HeatsAnswer,
    MatchAnswer,
    MatchStanding,
    RaceAnswer,
    RaceStanding,
    SessionAnswer,
    SessionStanding,
    StandingAnswer,
)
from tournament.models import Entry, PastResult, Stage, Tournament
from tournament.pages.components import StandingsRow, StandingsTable
from tournament.queries.clubs import StageClubs, clubs_in
from tournament.queries.visible import Frozen, Shown
from tournament.results import lowest_wins, points_missing, target_of
from tournament.words.clubs import rule_text
from tournament.words.kinds import DECIDING, KINDS, goal_text, race_text
from tournament.words.text import amount_text, average_text, listed, points_unit

Of = TypeVar("Of")
Row = TypeVar("Row")
Value = TypeVar("Value")


class LazySequence(Sequence[Row], Generic[Of, Row]):
    """Sequence of `make(item)` over `of`, built on access; slices are lists. Equal to a list of its rows."""

    def __init__(self, of: Sequence[Of], make: Callable[[Of], Row]) -> None:
        self._of, self._make = of, make

    def __len__(self) -> int:
        return len(self._of)

    @overload
    def __getitem__(self, at: int) -> Row: ...
    @overload
    def __getitem__(self, at: slice) -> list[Row]: ...
    def __getitem__(self, at: int | slice) -> Row | list[Row]:
        return (
            [self._make(each) for each in self._of[at]] if isinstance(at, slice) else self._make(self._of[at])
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # as a list's


class LazyMapping(Mapping[str, Value]):
    """Mapping of `make(key)`, built on access and cached."""

    def __init__(self, keys: Mapping[str, object], make: Callable[[str], Value]) -> None:
        self._keys, self._make = keys, make
        self._made: dict[str, Value] = {}

    def __getitem__(self, key: str) -> Value:
        if key not in self._made:
            if key not in self._keys:
                raise KeyError(key)
            self._made[key] = self._make(key)
        return self._made[key]

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)


# ---- Boards ----


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Public player; `state`: key of STATES if left or removed; `lives`: left in the chain, in words."""

    name: str
    club: str = ""
    url: str = ""
    state: str = ""
    lives: str = ""

    @property
    def about(self) -> str:
        """Club and lives."""
        return " · ".join(filter(None, (self.club, self.lives)))


MOST_NAMED = 6  # names per shared place
NO_SHOW = "no_show"  # expected, but did not come

People = Mapping[str, Person]  # by ids of the answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Leader:
    """Leader or winner (components/_winner.html), several if tied."""

    label: str
    names: Sequence[str]
    value: str
    unit: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """Column of a play; `table`: if several play the same contest."""

    number: int
    table: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """A player's points in one play; `best`: winner; `place`: sessions only."""

    points: str
    place: int | None = None
    best: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoresRow:
    """A player's points in column order."""

    person: Person
    total: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """Points per player and play, newest first; `unit` names a column."""

    caption: str
    unit: str
    columns: Sequence[Column]
    rows: Sequence[ScoresRow]


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A contest's leader, standings and points. `state`: key of STATES; `last`: highest average, by a session's
    rules."""

    state: str
    leader: Leader | None = None
    last: Leader | None = None
    note: str = ""
    table: StandingsTable | None = None
    scores: Scores | None = None


def board_of(
    answer: Answer,
    sheet: dict[str, Any],
    people: People,
    columns: Sequence[Column],
    *,
    finished: bool,
    gained: Mapping[str, int],
    anchor: str = "",
) -> Board:
    """Board of a session, match or race, rows lazy. `columns`: the answer's rounds; `finished`: no game follows;
    `gained`: places; `anchor`: see `StandingsTable`. Raises ValueError for heats."""
    match answer:
        case SessionAnswer():
            board = _session(answer, people, columns, gained, finished=finished)
        case MatchAnswer():
            board = _match(answer, sheet, people, columns, gained)
        case RaceAnswer():
            board = _race(answer, sheet, people, columns, gained, finished=finished)
        case HeatsAnswer():
            raise ValueError(sheet["kind"])
        case _:
            assert_never(answer)
    return replace(board, table=replace(board.table, anchor=anchor)) if board.table else board


def _session(
    answer: SessionAnswer,
    people: People,
    columns: Sequence[Column],
    gained: Mapping[str, int],
    *,
    finished: bool,
) -> Board:
    leader = last = None
    losers = answer.losers
    if answer.winners:
        leader = Leader(
            label=_("Winner with the lowest average") if finished else _("Leads with the lowest average"),
            names=named(answer.winners, people),
            value=average_text(answer.standings[0].average),
            unit=_("points a game"),
        )
    if losers and losers != answer.winners:
        last = Leader(
            label=_("Loser") if finished else _("Last place so far"),
            names=named(losers, people),
            value=average_text(next(row.average for row in answer.standings if row.player == losers[0])),
        )
    return Board(
        state="finished" if finished else "running",
        leader=leader,
        last=last,
        table=StandingsTable(
            caption=_("Standings, lowest average points per game first"),
            unit=_("Average"),
            rows=LazySequence(
                answer.standings, lambda row: _row(row, people, gained, begun=bool(answer.rounds))
            ),
            extras=[_("Games"), _("Points")],
        ),
        scores=_scores(
            answer,
            columns,
            people,
            unit=_("Game"),
            caption=_("Points in each game, newest first. The best in each game is underlined"),
        ),
    )


def _match(
    answer: MatchAnswer,
    sheet: dict[str, Any],
    people: People,
    columns: Sequence[Column],
    gained: Mapping[str, int],
) -> Board:
    target = target_of(sheet)
    standings = answer.standings
    leaders = answer.winners or tuple(row.player for row in standings if row.place == 1 and answer.rounds)
    leader = None
    if leaders and (answer.complete or any(row.points for row in standings)):
        points = next(row.points for row in standings if row.player == leaders[0])
        leader = Leader(
            label=_("Winner") if answer.complete else _("Leads"),
            names=named(leaders, people),
            value=str(points),
            unit=points_unit(points),
        )
    begun = bool(answer.rounds)
    stopped = bool(sheet.get("stopped")) and (target is None or all(row.points < target for row in standings))
    return Board(
        state=("stopped" if stopped else "finished") if answer.complete else "running",
        leader=leader,
        note=_target_note(answer, sheet, people),
        table=StandingsTable(
            caption=_("Standings, lowest total first")
            if lowest_wins(sheet)
            else _("Standings, highest total first"),
            unit=_("Points"),
            rows=LazySequence(standings, lambda row: _match_row(row, people, gained, target, begun=begun)),
            extras=[_("Rounds won")],
        ),
        scores=_scores(
            answer,
            columns,
            people,
            unit=_("Round"),
            caption=_("Points in each round, newest first. The winner is underlined"),
            winners=[str(row.get("winner", "")) for row in sheet["rounds"]],
        ),
    )


def _race(
    answer: RaceAnswer,
    sheet: dict[str, Any],
    people: People,
    columns: Sequence[Column],
    gained: Mapping[str, int],
    *,
    finished: bool,
) -> Board:
    leader, words, extras = None, DECIDING[answer.decided_by], _race_extras(sheet)
    if answer.winners:
        value = next(row.value for row in answer.standings if row.player == answer.winners[0])
        leader = Leader(
            label=_("Winner") if finished else _("Leads"),
            names=named(answer.winners, people),
            value=words.text(value),
            unit=words.worth(value),
        )
    return Board(
        state="finished" if finished else "running",
        leader=leader,
        note=race_text(sheet["settings"]),
        table=StandingsTable(
            caption=_("Standings"),
            unit=str(words.unit),
            rows=LazySequence(
                answer.standings,
                lambda row: _row(row, people, gained, extras, begun=bool(answer.rounds)),
            ),
            extras=[_("Games") if word == "games" else str(DECIDING[word].unit) for word in extras],
        ),
        scores=_scores(
            answer,
            columns,
            people,
            unit=_("Game"),
            caption=_("Points in each game, newest first. The winner is underlined"),
            winners=[str(row.get("winner", "")) for row in sheet["games"]],
        ),
    )


def _race_extras(sheet: dict[str, Any]) -> list[str]:
    """Columns after the deciding one: the others, games, points."""
    _first, *others = sheet["settings"].get("rank", ["average"])
    return list(dict.fromkeys([*others, "games", "total"] if _first != "total" else [*others, "games"]))


def row_of(
    answer: SessionAnswer | RaceAnswer,
    sheet: dict[str, Any],
    person: Person,
    player: str,
    gained: Mapping[str, int],
) -> StandingsRow:
    """The player's row of a session or race; `gained` as in `board_of`."""
    row = next(row for row in answer.standings if row.player == player)
    words = _race_extras(sheet) if isinstance(row, RaceStanding) else ()
    return _row(row, {player: person}, gained, words, begun=bool(answer.rounds))


def _row(
    row: SessionStanding | RaceStanding,
    people: People,
    gained: Mapping[str, int],
    words: Sequence[str] = (),
    *,
    begun: bool,
) -> StandingsRow:
    """No row is "not played" before play has `begun`. `words`: a race's further columns, also as `brief`."""
    person, brief = people[row.player], ""
    waits = not begun and row.status == "not_played"
    extras: tuple[str, ...]
    if isinstance(row, RaceStanding):
        further = [(DECIDING[word], row.by(word)) for word in words if word != "games" and row.games]
        texts = [f"{named.text(value)} {named.worth(value)}" for named, value in further]
        brief = " · ".join([str(KINDS["race"].plays(row.games)), *texts])
        extras = tuple(
            str(row.games) if word == "games" else DECIDING[word].text(row.by(word)) for word in words
        )
    else:
        extras = (str(row.games), str(row.points))
    return StandingsRow(
        key=row.player,
        place=row.place,
        name=person.name,
        club=person.about,
        brief=brief,
        url=person.url,
        state=person.state if row.status == "ranked" or waits else _state(row.status, person),
        moved=gained.get(row.player),
        value=DECIDING[row.decided_by].text(row.value),
        extras=extras,
    )


def _match_row(
    row: MatchStanding, people: People, gained: Mapping[str, int], target: int | None, *, begun: bool
) -> StandingsRow:
    person = people[row.player]
    return StandingsRow(
        key=row.player,
        place=row.place if begun else None,
        name=person.name,
        club=person.about,
        url=person.url,
        state=_state(row.status, person)
        if row.status != "ranked"
        else person.state
        if person.state == "disqualified"
        else "",
        moved=gained.get(row.player),
        value=str(row.points),
        percent=max(0, min(100, row.points * 100 // target)) if target else None,
        extras=(str(row.rounds_won),),
    )


def _state(status: str, person: Person) -> str:
    """Scoring does not tell no-shows from leaving; readers do."""
    return NO_SHOW if person.state == NO_SHOW else status


def _target_note(answer: MatchAnswer, sheet: dict[str, Any], people: People) -> str:
    target = target_of(sheet)
    if answer.complete and not answer.winners:
        return _("Everyone left, so nobody won.")
    if target is None:
        return _("The target will be chosen before the start.")
    missing = points_missing(sheet, answer)
    if missing is None:
        return goal_text(target, lowest=lowest_wins(sheet))
    nearest, points = missing
    values = {"target": target, "names": isolated(named(nearest, people)), "points": points}
    if lowest_wins(sheet):
        text = ngettext(
            "The match ends at %(target)s points, and the lowest total wins. %(names)s is %(points)s away.",
            "The match ends at %(target)s points, and the lowest total wins. %(names)s are %(points)s away.",
            len(nearest),
        )
    else:
        text = ngettext(
            "First to %(target)s. %(names)s needs %(points)s more.",
            "First to %(target)s. %(names)s need %(points)s more.",
            len(nearest),
        )
    return text % values


def _scores(
    answer: SessionAnswer | MatchAnswer | RaceAnswer,
    columns: Sequence[Column],
    people: People,
    *,
    unit: str,
    caption: str,
    winners: Sequence[str] = (),
) -> Scores | None:
    if not answer.rounds:
        return None
    totals: Sequence[StandingAnswer] = answer.standings
    scored = answer.results
    most = max(map(len, scored.values()))
    own = len(columns) > 2 * most  # many tables: most cells would be empty
    if own:
        caption = _("Points in each player’s own games, newest first. The best in each game is underlined")
        columns = [Column(number=number) for number in range(1, most + 1)]
    nothing = Cell(points="")

    def made(row: StandingAnswer) -> ScoresRow:
        cells = {
            at if own else index: Cell(
                points="–" if result.points is None else amount_text(result.points),
                place=result.place,
                best=result.place == 1 or result.player == (winners[index] if index < len(winners) else ""),
            )
            for at, (index, result) in enumerate(scored[row.player])
        }
        return ScoresRow(
            person=people[row.player],
            total=amount_text(row.points),
            cells=tuple(cells.get(index, nothing) for index in reversed(range(len(columns)))),
        )

    return Scores(
        caption=caption, unit=unit, columns=list(reversed(columns)), rows=LazySequence(totals, made)
    )


def named(players: Sequence[str], people: People) -> list[str]:
    """Names sharing a place; beyond MOST_NAMED a count."""
    more = len(players) - MOST_NAMED
    if more <= 1:
        return [people[player].name for player in players]
    named = [people[player].name for player in players[:MOST_NAMED]]
    return [*named, ngettext("%(n)d more", "%(n)d more", more) % {"n": more}]


def isolated(names: Sequence[str]) -> str:
    """Names for a sentence, in Unicode isolates: no script changes its direction."""
    return listed([f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}" for name in names])


def past_results(tournament: Tournament) -> StandingsTable | None:
    """Table of imported results with the file's columns; None without any."""
    rows = PastResult.objects.filter(entry__tournament=tournament).select_related("entry")
    averages = any(row.average for row in rows)
    columns = {"points": _("Points"), "games": _("Games"), "wins": _("Wins")}
    shown = {name: [_number(getattr(row, name)) for row in rows] for name in columns}
    deciding = [_number(row.average) for row in rows] if averages else shown.pop("points")
    extras = {name: cells for name, cells in shown.items() if any(cells)}
    table = StandingsTable(
        caption=_("Results from a file"),
        unit=_("Average") if averages else _("Points") if any(deciding) else "",
        rows=[
            StandingsRow(
                key=str(row.entry.uid),
                place=row.place,
                name=row.entry.shown_name,
                club=" · ".join(filter(None, (row.entry.club, row.note))),
                value=deciding[at],
                extras=tuple(cells[at] for cells in extras.values()),
            )
            for at, row in enumerate(rows)
        ],
        extras=[columns[name] for name in extras],
    )
    return table if table.rows else None


def _number(value: str | int | None) -> str:
    return "" if value in {None, ""} else number_format(str(value))


# ---- Club standings of a stage, with their rule ----


@dataclass(frozen=True, slots=True)
class ClubBoard:
    """Club standings of a stage. `rule`: how a club's result follows from its players'."""

    stage: Stage
    rule: str
    table: StandingsTable
    frozen: Frozen | None = None


def club_boards(seen: Sequence[Shown], entries: Mapping[str, Entry]) -> list[ClubBoard]:
    """Boards of stages with club results, in order. `seen`: all stages."""
    frozen = {each.stage.pk: each.frozen for each in seen}
    return [_board(clubs, entries, frozen[clubs.stage.pk]) for clubs in clubs_in(seen, entries)]


def _board(clubs: StageClubs, entries: Mapping[str, Entry], frozen: Frozen | None) -> ClubBoard:
    """No names where every player counts (heats)."""

    def row(line: ClubStanding) -> StandingsRow:
        best = () if clubs.rule.everybody else line.counted
        return StandingsRow(
            key=line.club,
            place=line.place,
            name=clubs.names[line.club],
            value=average_text(line.value) if clubs.rule.mean else amount_text(line.value),
            club=", ".join(entries[player].shown_name for player in best),
            extras=(str(line.players),),
        )

    rule = rule_text(clubs.kind, clubs.rule, clubs.best)
    table = StandingsTable(
        caption=rule,
        unit=str(DECIDING[clubs.decided_by].unit),
        rows=[row(line) for line in clubs.lines],
        extras=[_("Players")],
    )
    return ClubBoard(clubs.stage, rule, table, frozen)
