"""Scenes of a big screen, for templates/screen/.

| scene | shows |
| --- | --- |
| welcome | event, and its address for phones |
| seats | seats by name |
| clock | room clock, running games, else the next part |
| standings | standings, or qualifiers by heat |
| bracket | whole event |
| final | points towards the target |
| calls | tables waiting for a referee |
| results | newest plays |
| programme | published parts |
| season | the event's public season that began last (extras/season) |

Results come from `shown`, so freezes apply; game starts and calls are no results.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _

from rulesets import RULESETS
from scoring import PlayAnswer
from tournament.models import (
    Call,
    Decision,
    Entry,
    HallClock,
    Play,
    Registration,
    Screen,
    Seat,
    Stage,
    Table,
    Tournament,
)
from tournament.pages.components import StandingsRow
from tournament.pages.public.stage import (
    RunningGame,
    StageBoard,
    everybody_in,
    matters_now,
    people_in,
    play_label,
    sitting,
    stage_board,
)
from tournament.pages.public.standings import People, Person
from tournament.queries.programme import Part, clock_of, programme
from tournament.queries.registration import is_announced, registration_of
from tournament.queries.visible import Shown, freezing, leads_to, shown, still_sitting
from tournament.results import Contest, ContestResults, PlayFacts, kind_of
from tournament.server.extras import added, buttons
from tournament.words.kinds import KINDS, Text
from tournament.words.text import amount_text, in_alphabet, initial

FEW_IN_LEVEL = 32  # players; larger levels list only qualifiers
ROWS = 24  # text lines per wall column
COLUMNS = 4  # most wall columns per level

Tables = Mapping[str, int]  # table numbers by entry uid


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketPlayer:
    """Player at a table. `next_table`: if the next level has several; `won`: won the last level."""

    key: str
    person: Person
    place: int | None = None
    goes_on: bool = False
    next_table: int | None = None
    won: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketTable:
    """Table of a level: listed players, best first, and `more`; `settled`: has a result."""

    number: int
    players: Sequence[BracketPlayer]
    more: int
    settled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketLevel:
    """Stage. `state`: key of STATES; `coming`: known qualifiers from the level before; `columns`: on a wall; `dense`: a
    line per table."""

    title: str
    url: str
    state: str
    tables: Sequence[BracketTable]
    coming: int
    columns: int
    dense: bool


Bracket = Sequence[BracketLevel]  # in order of play; the last decides


def has_bracket(stages: Sequence[Stage]) -> bool:
    """Whether stages lead to each other: at least two, not only unchained sessions."""
    return len(stages) > 1 and any(kind_of(each.kind).filled or each.source for each in stages)


def bracket_of(tournament: Tournament, stages: Sequence[Shown], people: People) -> Bracket | None:
    """Bracket of all stages; None unless `has_bracket`. `people` by entry uid."""
    if not has_bracket([seen.stage for seen in stages]):
        return None
    levels: list[BracketLevel] = []
    coming = Counter[int]()
    for seen in stages:
        to = leads_to(seen.stage, [each.stage for each in stages])
        after = [
            each for each in stages if each.stage.number == seen.stage.number + 1 and not each.stage.source
        ]
        following = next((each for each in stages if each.stage == to), after[0] if after else None)
        goes_on = _goes_on(seen, following) if following else set()
        known = coming[seen.stage.number]
        levels.append(_level(tournament, seen, following, goes_on=goes_on, people=people, coming=known))
        if following:
            coming[following.stage.number] += len(goes_on)
    return levels


def _goes_on(seen: Shown, following: Shown) -> set[str]:
    """Once the following stage has started, its seats decide; before that, also heats and decisions."""
    goes_on = set(_tables(following))
    if following.state == Stage.State.PLANNED:
        decided = {
            kind: {str(each.entry) for each in following.decisions if each.kind == kind}
            for kind in Decision.Kind
        }
        for results in seen.results:
            goes_on.update(set(results.answer.finalists) - decided[Decision.Kind.STEPS_BACK])
        goes_on |= decided[Decision.Kind.ADVANCE]
    return goes_on & _tables(seen).keys()


def _tables(seen: Shown) -> Tables:
    return {str(seat.entry): seat.table for contest in seen.contests for seat in contest.seats}


def _level(
    tournament: Tournament,
    seen: Shown,
    following: Shown | None,
    *,
    goes_on: set[str],
    people: People,
    coming: int,
) -> BracketLevel:
    sits_next = _tables(following) if following else {}
    next_tables = sits_next if len(set(sits_next.values())) > 1 else {}
    few = len(_tables(seen)) <= FEW_IN_LEVEL
    results = {each.table: each for each in seen.results}
    tables = [
        table
        for contest in seen.contests
        for table in _tables_of(
            contest,
            _outcome(seen, results.get(contest.table), last=following is None),
            people,
            goes_on=goes_on,
            next_tables=next_tables,
            few=few,
        )
    ]
    dense = len(tables) > ROWS
    lines = len(tables) if dense else sum(len(table.players) + 2 for table in tables)
    return BracketLevel(
        title=str(seen.stage),
        url=reverse("stage", args=[tournament.slug, seen.stage.uid]),
        state=seen.state,
        tables=sorted(tables, key=lambda table: table.number),
        coming=coming,
        columns=max(1, min(-(-lines // ROWS), COLUMNS)),
        dense=dense,
    )


@dataclass(frozen=True, slots=True)
class _Outcome:
    places: Mapping[str, int | None]
    settled: frozenset[int] = frozenset()
    winners: Sequence[str] = ()


def _outcome(seen: Shown, results: ContestResults | None, *, last: bool) -> _Outcome:
    if results is None:
        return _Outcome({})
    answer, numbers = results.answer, results.contest.table_numbers
    places = {row.player: row.place for row in answer.lines} if answer.rounds else {}
    if kind_of(answer.kind).one_play:
        return _Outcome(places, frozenset(numbers[play.table] for play in results.sheet.plays if play))
    if answer.complete or seen.state == Stage.State.FINISHED:
        return _Outcome(places, frozenset(numbers.values()), answer.winners if last else ())
    return _Outcome(places)


def _tables_of(
    contest: Contest,
    outcome: _Outcome,
    people: People,
    *,
    goes_on: set[str],
    next_tables: Tables,
    few: bool,
) -> Iterator[BracketTable]:
    known = people_in(contest, people)
    for number in contest.table_numbers.values():
        players = [
            BracketPlayer(
                key=player,
                person=known[player],
                place=outcome.places.get(player),
                goes_on=player in goes_on,
                next_table=next_tables.get(player),
                won=player in outcome.winners,
            )
            for player in (str(seat.entry) for seat in sitting(contest.seats, number))
        ]
        players.sort(key=lambda player: (player.place is None, player.place or 0))
        listed = [player for player in players if few or player.goes_on or player.won]
        yield BracketTable(
            number=number,
            players=listed,
            more=len(players) - len(listed),
            settled=number in outcome.settled,
        )


# ---- Hall clock for pages ----


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomClock:
    """Clock of the room of event `slug`, or of `table` with `extra` minutes. `stage`: None in a break. `until`: None
    while held (`left_s` seconds left) or in an open break. `bell`: what follows. `tables`: with extra minutes, by
    number."""

    slug: str
    title: str
    stage: UUID | None
    started_at: datetime
    until: datetime | None
    bell: Text = ""
    left_s: int | None = None
    goes_on_at: datetime | None = None
    last_hand: int = 0
    table: int | None = None
    extra: int = 0
    tables: Sequence["RoomClock"] = field(default_factory=tuple)

    @property
    def held(self) -> bool:
        """Whether play is held; a break is not."""
        return self.left_s is not None

    @property
    def left(self) -> str:
        """Time left while held, mm:ss."""
        return f"{(self.left_s or 0) // 60:02d}:{(self.left_s or 0) % 60:02d}"

    def at(self, table: int) -> "RoomClock":
        """The table's clock, else this one."""
        return next((each for each in self.tables if each.table == table), self)


def room_clock(tournament: Tournament) -> RoomClock | None:
    """The tournament's clock; None without one."""
    row = clock_of(tournament)
    return clock_shown(row) if row else None


def clock_shown(row: HallClock) -> RoomClock:
    """Clock of a row already read."""
    longer = sorted(map(int, row.extra))
    return _of(row, tables=[_of(row, table=number, extra=row.extra_of(number)) for number in longer])


def clock_at(table: Table) -> RoomClock | None:
    """The table's clock or a break's; None during another stage."""
    clock = room_clock(table.stage.tournament)
    return clock.at(table.number) if clock and clock.stage in {None, table.stage.uid} else None


def clock_for(entry: Entry, tournament: Tournament) -> RoomClock | None:
    """The clock of the player's table, else the room's."""
    clock = room_clock(tournament)
    if clock is None or clock.stage is None or not clock.tables:
        return clock
    seat = Seat.objects.filter(entry=entry, table__stage__uid=clock.stage).select_related("table").last()
    return clock.at(seat.table.number) if seat else clock


def _of(
    row: HallClock, *, table: int | None = None, extra: int = 0, tables: Sequence[RoomClock] = ()
) -> RoomClock:
    ends_at = row.ends_at if table is None else row.ends_for(table)
    left = ends_at - row.held_at if ends_at and row.held_at else None
    return RoomClock(
        slug=row.tournament.slug,
        title=str(row),
        stage=row.stage.uid if row.stage else None,
        started_at=row.started_at,
        until=(row.goes_on_at if row.stage is None else None) if row.held_at else ends_at,
        bell=KINDS[kind_of(row.stage.kind).sheet].bell if row.stage else "",
        left_s=None if left is None else max(0, round(left.total_seconds())),
        goes_on_at=row.goes_on_at if row.held_at else None,
        last_hand=row.last_hand,
        table=table,
        extra=extra,
        tables=tables,
    )


NEWEST = 40  # plays
Name = Screen.Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRow:
    """A seat. `first`: first name under its `letter`."""

    letter: str
    first: bool
    person: Person
    table: int
    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockRow:
    """Running game; `number` and `game` only if public."""

    table: int
    number: int | None
    started_at: datetime
    limit_s: int
    game: RunningGame | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRow:
    """Table waiting for a referee; `contested`: players dispute a result."""

    table: int
    stage: str
    contested: bool
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRow:
    """Play with its winners (heats: qualifiers) and their points."""

    label: str
    people: Sequence[Person]
    points: str = ""
    through: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A scene. `board`: its stage's or None; other fields as its template needs."""

    name: str
    title: str
    board: StageBoard | None = None
    seats: Sequence[SeatRow] = ()
    hall: RoomClock | None = None
    clocks: Sequence[ClockRow] = ()
    calls: Sequence[CallRow] = ()
    results: Sequence[ResultRow] = ()
    parts: Sequence[Part] = ()
    next: Part | None = None
    bracket: Bracket | None = None
    registration: Registration | None = None
    rows: Sequence[StandingsRow] | None = None

    @property
    def template(self) -> str:
        return f"screen/_{self.name}.html"

    @property
    def one_table(self) -> bool:
        """Whether all sit at one table."""
        return len({row.table for row in self.seats}) == 1

    @property
    def shows_results(self) -> bool:
        """Whether a freeze hides something here."""
        return self.name in {Name.STANDINGS, Name.FINAL, Name.RESULTS}


@dataclass(slots=True)
class Hall:
    """Data of the scenes, loaded on demand within the page's snapshot."""

    tournament: Tournament
    entries: Mapping[str, Entry]
    stages: Sequence[Stage]
    chosen: Stage | None
    seen: Sequence[Shown] = field(init=False)
    _boards: dict[int, StageBoard] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.seen = [shown(stage, self.stages) for stage in self.stages]

    @property
    def current(self) -> Shown | None:
        """The chosen stage, else the one that matters now."""
        if self.chosen is not None:
            return next((each for each in self.seen if each.stage.pk == self.chosen.pk), None)
        return matters_now(self.seen)

    @property
    def final(self) -> Shown | None:
        """The chosen stage, else the last final that has begun, else `current`."""
        finals = [
            each
            for each in self.seen
            if kind_of(each.stage.kind).all_together and each.state != Stage.State.PLANNED
        ]
        return finals[-1] if finals and self.chosen is None else self.current

    def holds_back(self, stage: Stage) -> bool:
        """Whether the stage's public view is frozen."""
        return freezing(stage, self.stages) is not None

    def board(self, seen: Shown | None) -> StageBoard | None:
        """The stage's board with pictures, cached."""
        if seen is None:
            return None
        key = seen.stage.pk
        if key not in self._boards:
            self._boards[key] = stage_board(
                self.tournament, seen.stage, self.entries, self.stages, seen, pictures=True
            )
        return self._boards[key]

    def everybody(self, seen: Shown) -> Mapping[str, Person]:
        return everybody_in(self.tournament, self.entries, seen)


def scenes_of(screen: Screen, hall: Hall) -> Iterator[Scene]:
    """The screen's scenes in order; unknown names are skipped. Extras add theirs at `scene-<name>`."""
    for name in screen.scenes:
        if name in SCENES:
            yield SCENES[name](hall)
        for _template, more in buttons(f"scene-{name}", {"tournament": hall.tournament}):
            yield Scene(name=name, **more)


def scenes_to_show() -> set[str]:
    """Names of the scenes of the core and of the extras."""
    return {*SCENES, *(place.removeprefix("scene-") for place, *_button in added("buttons"))}


def _welcome(hall: Hall) -> Scene:
    registration = registration_of(hall.tournament)
    return Scene(
        name=Name.WELCOME,
        title=_("Welcome"),
        registration=registration if is_announced(registration) else None,
    )


def _seats(hall: Hall) -> Scene:
    seen = hall.current
    rows: list[SeatRow] = []
    people = hall.everybody(seen) if seen else {}
    named = [(people[str(seat.entry)], seat) for seat in (still_sitting(seen, hall.entries) if seen else ())]
    language = hall.tournament.language
    named.sort(key=lambda pair: (in_alphabet(pair[0].name, language), pair[1].table))
    for person, seat in named:
        letter = initial(person.name, language)
        rows.append(
            SeatRow(
                letter=letter,
                first=not rows or rows[-1].letter != letter,
                person=person,
                table=seat.table,
                seat=seat.position,
            )
        )
    return Scene(name=Name.SEATS, title=_("Seats"), board=hall.board(seen), seats=rows)


def _clock(hall: Hall) -> Scene:
    board = hall.board(hall.current)
    limit_s = RULESETS[hall.tournament.ruleset].hour_s
    running = Play.objects.filter(
        table__stage__tournament=hall.tournament, state=Play.State.RUNNING
    ).order_by("table__stage__number", "table__number")
    told = {
        game.started_at: game
        for table in (board.tables if board and not board.frozen else ())
        for game in table.running
    }
    clocks = [
        ClockRow(
            table=play.table.number,
            number=None if hall.holds_back(play.table.stage) else play.number,
            started_at=play.started_at,
            limit_s=limit_s,
            game=told.get(play.started_at),
        )
        for play in running.select_related("table__stage")
        if play.started_at
    ]
    planned = [
        part
        for part in (() if clocks else programme(hall.tournament).shown)
        if part.first and part.plan.starts_at and part.stage.state == Stage.State.PLANNED
    ]
    return Scene(
        name=Name.CLOCK,
        title=_("Clock"),
        board=board,
        hall=room_clock(hall.tournament),
        clocks=clocks,
        next=min(planned, key=lambda part: part.stage.number, default=None),
    )


def _bracket(hall: Hall) -> Scene:
    people = {uid: person for seen in hall.seen for uid, person in hall.everybody(seen).items()}
    return Scene(
        name=Name.BRACKET,
        title=_("Road to the final"),
        bracket=bracket_of(hall.tournament, hall.seen, people),
    )


def _final(hall: Hall) -> Scene:
    board = hall.board(hall.final)
    return Scene(name=Name.FINAL, title=board.title if board else _("Final"), board=board)


def _calls(hall: Hall) -> Scene:
    calls = Call.objects.filter(table__stage__tournament=hall.tournament, answered_at=None)
    return Scene(
        name=Name.CALLS,
        title=_("Referee calls"),
        calls=[
            CallRow(
                table=call.table.number,
                stage=str(call.table.stage),
                contested=call.kind == Call.Kind.CONTEST and not hall.holds_back(call.table.stage),
                at=call.at,
            )
            for call in calls.select_related("table__stage").order_by("at", "pk")
        ],
    )


def _results(hall: Hall) -> Scene:
    seen = hall.current
    people = hall.everybody(seen) if seen else {}
    contests = seen.results if seen else ()
    found = [(results, play, row) for results in contests for play, row in results.counted]
    found.sort(key=lambda each: (each[1].version, each[1].number), reverse=True)
    rows = []
    for results, play, answered in found[:NEWEST]:
        label = play_label(results.contest, play)
        if len(contests) > 1 and results.contest.table:
            label = str(KINDS[results.contest.kind].play_at) % {
                "table": results.contest.table_numbers[play.table],
                "number": play.number,
            }
        rows.append(result_row(results, play, answered, people, label=label))
    return Scene(name=Name.RESULTS, title=_("Latest results"), board=hall.board(seen), results=rows)


def result_row(
    results: ContestResults,
    play: PlayFacts,
    answered: PlayAnswer,
    everybody: Mapping[str, Person],
    *,
    label: str,
) -> ResultRow:
    """A play's winners with their points, or who went through."""
    if kind_of(results.contest.kind).one_play:
        through = [row for row in answered.results if row.advances]
        through.sort(key=lambda row: (row.place is None, row.place or 0))
        return ResultRow(label=label, people=[everybody[row.player] for row in through], through=True)
    won = {str(row.entry) for row in play.with_outcome("won")}
    best = [row for row in answered.results if row.player in won or row.place == 1]
    return ResultRow(
        label=label,
        people=[everybody[row.player] for row in best],
        points="" if not best or best[0].points is None else amount_text(best[0].points),
    )


def _programme(hall: Hall) -> Scene:
    now = programme(hall.tournament)
    return Scene(name=Name.PROGRAMME, title=_("Programme"), parts=now.shown if now.published else ())


SCENES: Mapping[str, Callable[[Hall], Scene]] = {
    Name.WELCOME: _welcome,
    Name.SEATS: _seats,
    Name.CLOCK: _clock,
    Name.STANDINGS: lambda hall: Scene(
        name=Name.STANDINGS, title=_("Standings"), board=hall.board(hall.current)
    ),
    Name.BRACKET: _bracket,
    Name.FINAL: _final,
    Name.CALLS: _calls,
    Name.RESULTS: _results,
    Name.PROGRAMME: _programme,
}
