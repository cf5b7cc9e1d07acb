"""From a stage's public view (queries/visible.py) to values for a page.

Uses only the stage's own rows, so that its version tells staleness.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from typing import TypeVar
from uuid import UUID

from django.urls import reverse
from django.utils.translation import get_language, gettext as _, gettext_lazy

from scoring import PlayAnswer, ResultAnswer
from tournament.models import Decision, Entry, Play, Result, Seat, Stage, Table, Tournament
from tournament.pages.components import Pages
from tournament.pages.pictures.chart import Picture
from tournament.pages.pictures.contests import contest_pictures
from tournament.pages.public.reveal import Finale, Reveal, finale_of, reveals_of
from tournament.pages.public.standings import Board, Column, LazyMapping, LazySequence, Person, board_of
from tournament.queries.chain import lives_of
from tournament.queries.draws import last_draw
from tournament.queries.incidents import waiting_in
from tournament.queries.stage_rules import line_text, moved_texts, needs_of, start_text, taken_out_text
from tournament.queries.visible import (
    Frozen,
    GoingOn,
    Shown,
    announced,
    freezing,
    going_on_to,
    leads_to,
    shown,
    still_sitting,
)
from tournament.results import Contest, ContestResults, PlayFacts, SeatFacts, kind_of
from tournament.words.kinds import KINDS
from tournament.words.sources import lives_text
from tournament.words.text import clock_text, elapsed_text, inside, listed

# ---- Public seats before play ----


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatTable:
    """Players of a table, clockwise, and its needs in one line."""

    number: int
    people: Sequence[Person]
    line: str = ""
    oldest: Person | None = None
    youngest: Person | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawNote:
    """A stage's last draw. `moved`: manual moves since; `whole`: `url` suffices to repeat it (separated pairs are not
    public)."""

    seed: str
    at: datetime | None
    moved: Sequence[str]
    whole: bool
    url: str


def seat_tables(
    seen: Shown, everybody: Mapping[str, Person], entries: Mapping[str, Entry]
) -> list[SeatTable]:
    """Tables of a stage not begun; people by uid. While frozen, without oldest and youngest: they would reveal
    seats."""
    rows = Table.objects.filter(stage=seen.stage).select_related("oldest", "youngest")
    tables = {} if seen.frozen else {table.number: table for table in rows}

    seats = still_sitting(seen, entries)
    here = {seat.entry for seat in seats}

    def named(entry: Entry | None) -> Person | None:
        return everybody[str(entry.uid)] if entry and entry.uid in here else None

    people = {
        number: [everybody[str(seat.entry)] for seat in sitting(seats, number)]
        for contest in seen.contests
        for number in sorted(contest.table_numbers.values())
    }
    return [
        SeatTable(
            number=number,
            people=at_table,
            line=line_text(needs_of(seen.stage, len(at_table))),
            oldest=named(tables[number].oldest) if number in tables else None,
            youngest=named(tables[number].youngest) if number in tables else None,
        )
        for number, at_table in people.items()
    ]


def sitting(seats: Sequence[SeatFacts], table: int) -> list[SeatFacts]:
    """Seats at table number `table`, clockwise."""
    return sorted((seat for seat in seats if seat.table == table), key=lambda seat: seat.position)


def is_known(stage: Stage, entry: UUID, table: int, stages: Sequence[Stage]) -> bool:
    """Whether the seat (`table`: number) is public: not if given after an earlier stage froze."""
    return freezing(stage, stages) in {None, stage} or any(
        seat.entry == entry and seat.table == table
        for contest in shown(stage, stages).contests
        for seat in contest.seats
    )


def draw_note(stage: Stage, entries: Mapping[str, Entry]) -> DrawNote | None:
    """Public facts of an unfrozen stage's draw, or None. `entries` by uid."""
    drawn = last_draw(stage)
    if drawn is None:
        return None
    return DrawNote(
        seed=drawn.record.seed,
        at=drawn.at,
        moved=moved_texts(drawn.moved, {uid: entry.shown_name for uid, entry in entries.items()}),
        whole=not drawn.record.apart,
        url=reverse("stage-draw", args=[stage.tournament.slug, stage.uid]),
    )


# ---- Public view of heats ----


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatRow:
    """Player (id in the answer); `place`: None if the heat ended first."""

    player: str
    person: Person
    place: int | None
    through: bool

    @property
    def status(self) -> str:
        """Key in STATES for the heat's outcome; disqualification takes precedence."""
        through = self.through and self.person.state != "disqualified"
        return "through" if through else self.person.state or "not_through"


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatCard:
    """A heat. `rows` in order of going out, at first as seated. `state`: key of STATES."""

    number: int
    state: str
    rows: Sequence[HeatRow]

    @property
    def entered(self) -> bool:
        return self.state == "finished"


def heat_rows(heat: PlayAnswer, people: Mapping[str, Person]) -> Sequence[HeatRow]:
    """Players in order of going out, then the others."""
    results: Sequence[ResultAnswer] = heat.results
    return [
        HeatRow(
            player=row.player,
            person=people[row.player],
            place=row.place,
            through=row.advances,
        )
        for row in sorted(results, key=lambda row: (row.place is None, row.place or 0))
    ]


def heat_cards(results: ContestResults, people: Mapping[str, Person], *, running: bool) -> Sequence[HeatCard]:
    """Cards by table number; `running`: the heats have begun."""
    entered = {play.table: heat_rows(heat, people) for play, heat in results.counted}
    return [
        HeatCard(
            number=number,
            state="finished" if table in entered else "running" if running else "waiting",
            rows=entered.get(table)
            or [
                HeatRow(
                    player=str(seat.entry),
                    person=people[str(seat.entry)],
                    place=None,
                    through=False,
                )
                for seat in sitting(results.contest.seats, number)
            ],
        )
        for table, number in sorted(results.contest.table_numbers.items(), key=lambda item: item[1])
    ]


def heat_sizes(results: ContestResults) -> list[tuple[int, int]]:
    """Heats as (table number, people), in card order."""
    played = {play.table: len(play.results) for play in results.sheet.plays if play is not None}
    contest = results.contest
    return [
        (number, played.get(table) or len(sitting(contest.seats, number)))
        for table, number in sorted(contest.table_numbers.items(), key=lambda item: item[1])
    ]


HOW = {
    Result.Outcome.OUT: gettext_lazy("out"),
    Result.Outcome.LAST: gettext_lazy("last one left"),
    Result.Outcome.REMAINING: gettext_lazy("cards left"),
    Result.Outcome.GAVE_UP: gettext_lazy("gave up"),
    Result.Outcome.EJECTED: gettext_lazy("ejected"),
    Result.Outcome.WON: gettext_lazy("won the round"),
}
AFTER = {
    Result.Outcome.OUT: gettext_lazy("out after %(time)s"),
    Result.Outcome.GAVE_UP: gettext_lazy("gave up after %(time)s"),
    Result.Outcome.EJECTED: gettext_lazy("ejected after %(time)s"),
}
OUT_STATES = {Seat.OutAs.REMOVED: "disqualified", Seat.OutAs.WITHDRAWN: "left"}


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningGame:
    """Running game. `gone`: others, "out after 12 min 30 s"; `void`: void games before it."""

    label: str
    void: str
    started_at: datetime | None
    playing: tuple[Person, ...]
    gone: tuple[tuple[Person, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Aside:
    """Play that is void, or set aside by a correction."""

    label: str
    state: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unaccepted:
    """Counting plays with `state` "wanted" (provisional until a second person accepts) or "contested"."""

    state: str
    labels: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableBoard:
    """Board of a contest. `number`: of a table that is a match of its own."""

    number: int | None
    board: Board
    running: Sequence[RunningGame]
    asides: Sequence[Aside]
    unaccepted: Sequence[Unaccepted] = ()
    pictures: Sequence[Picture] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StageBoard:
    """A stage's page. `state`: key of STATES; `decided`, `steps_back`: by decision; `gone`, `instead`: see
    `going_on`."""

    uid: UUID
    kind: str
    title: str
    state: str
    url: str
    tables: Sequence[TableBoard] = ()
    heats: Sequence[HeatCard] = ()
    through: Sequence[Person] = ()
    gone: Sequence[Person] = ()
    instead: Sequence[Person] = ()
    asides: Sequence[Aside] = ()
    seats: Sequence[SeatTable] = ()
    start: str = ""
    taken_out: str = ""
    decided: Sequence[Person] = field(default=())
    steps_back: Sequence[Person] = ()
    reserves: Sequence[Person] = ()
    unaccepted: Sequence[Unaccepted] = ()  # of heats; else per table
    frozen: Frozen | None = None
    reveal: Sequence[Reveal] = ()
    finale: Finale | None = None
    pages: Pages | None = None  # if one of several parts

    @property
    def several(self) -> bool:
        """Whether several tables are contests of their own."""
        return len(self.tables) > 1 or bool(self.pages and self.pages.of == "tables")


def stage_board(
    tournament: Tournament,
    stage: Stage,
    entries: Mapping[str, Entry],
    stages: Iterable[Stage] | None = None,
    seen: Shown | None = None,
    *,
    pictures: bool = False,
) -> StageBoard:
    """Public board. `entries` by uid; `stages`, `seen` (public view): if loaded."""
    seen = seen or shown(stage, stages)
    among = list(stages if stages is not None else tournament.stages.all())
    freezes = any(each.frozen_after is not None for each in among)  # and hides results
    everybody = everybody_in(tournament, entries, seen, {} if freezes else lives_of(tournament, among))
    board = StageBoard(
        uid=stage.uid,
        kind=stage.kind,
        title=str(stage),
        state=seen.state,
        url=reverse("stage", args=[tournament.slug, stage.uid]),
        decided=_decided(seen, Decision.Kind.ADVANCE, everybody),
        steps_back=_decided(seen, Decision.Kind.STEPS_BACK, everybody),
        reserves=_decided(seen, Decision.Kind.RESERVE, everybody),
        frozen=seen.frozen,
        reveal=reveals_of(seen, everybody),
        finale=finale_of(seen, announced(seen)),
    )
    if not seen.results:
        return replace(
            board,
            seats=seat_tables(seen, everybody, entries),
            start=start_text(tournament.ruleset),
            taken_out=taken_out_text(stage),
        )
    if kind_of(stage.kind).one_play:
        results = seen.results[0]
        people = people_in(results.contest, everybody)
        return replace(
            board,
            heats=heat_cards(results, people, running=board.state == Stage.State.RUNNING),
            through=[people[player] for player in results.answer.finalists],
            asides=_asides(results.contest),
            unaccepted=unaccepted_in(results.contest),
        )
    return replace(board, tables=[_table(seen, each, everybody, pictures=pictures) for each in seen.results])


Seen = TypeVar("Seen", StageBoard, Shown)


def matters_now(stages: Sequence[Seen]) -> Seen | None:
    """The last running stage, else the last finished, else the first."""
    running, finished = (
        [each for each in stages if each.state == state]
        for state in (Stage.State.RUNNING, Stage.State.FINISHED)
    )
    return next(reversed(running or finished or stages[:1]), None)


def everybody_in(
    tournament: Tournament, entries: Mapping[str, Entry], seen: Shown, lives: Mapping[str, int] = {}
) -> Mapping[str, Person]:
    """People by entry uid, with players who left since a freeze; `lives`: by uid."""
    names: dict[str, str] = {}
    for contest in seen.contests:
        names |= contest.names

    def made(uid: str) -> Person:
        entry = entries.get(uid)
        return person(tournament, entry, lives.get(uid)) if entry else Person(name=names[uid])

    return LazyMapping({**entries, **names}, made)


def _decided(seen: Shown, kind: str, everybody: Mapping[str, Person]) -> list[Person]:
    return [
        person for each in seen.decisions if each.kind == kind and (person := everybody.get(str(each.entry)))
    ]


def person(tournament: Tournament, entry: Entry, lives: int | None = None) -> Person:
    """Public player; `state` only if out; `lives`: left."""
    return Person(
        name=entry.shown_name,
        club=entry.club,
        url=entry_url(tournament.slug, entry.uid, get_language()),
        state=entry.state if entry.is_out else "",
        lives=lives_text(lives),
    )


@lru_cache(20_000)
def entry_url(slug: str, entry: UUID, language: str | None) -> str:
    """URL of a player's page, cached per active `language`: an event has thousands."""
    del language
    return reverse("entry", args=[slug, entry])


def why_anchor(stage: Stage) -> str:
    """Anchor of the explanation on player pages."""
    return f"why-{stage.number}"


def play_label(contest: Contest, play: PlayFacts) -> str:
    """Label of a play: "Game 3", "Table 2, game 3"."""
    kind = KINDS[contest.kind]
    return str(kind.play_at if len(contest.table_numbers) > 1 else kind.play) % {
        "number": play.number,
        "table": contest.table_numbers[play.table],
    }


def plays_label(contest: Contest, plays: Sequence[PlayFacts]) -> str:
    """Label of plays: "Rounds 4 to 8" if consecutive, else "Round 4 and round 6"."""
    numbers = sorted(play.number for play in plays)
    run = KINDS[contest.kind].run if len(contest.table_numbers) == 1 and len(numbers) > 2 else ""
    if run and numbers[-1] - numbers[0] == len(numbers) - 1:
        return str(run) % {"first": numbers[0], "last": numbers[-1]}
    first, *others = (play_label(contest, play) for play in plays)
    return listed([first, *map(inside, others)])


def how_text(outcome: str, elapsed_s: int | None, *, by_clock: bool = False) -> str:
    """Outcome: "out after 23 min 10 s", "" if points or place say it; `by_clock`: "out 23:10"."""
    known = Result.Outcome(outcome)
    word = str(HOW.get(known, ""))
    if elapsed_s is None or known not in AFTER:
        return word
    return (
        f"{word} {clock_text(elapsed_s)}"
        if by_clock
        else str(AFTER[known]) % {"time": elapsed_text(elapsed_s)}
    )


def decided_text(results: Sequence[ResultAnswer], player: str, names: Mapping[str, str]) -> str:
    """Tie-break (special situation 6) behind the player before, in words, or ""."""
    row = next((each for each in results if each.player == player), None)
    if row is None or row.decided is None or row.place is None:
        return ""
    ahead = [each.place for each in results if each.place is not None and each.place < row.place]
    place = row.place if row.decided == "level" or not ahead else max(ahead)
    others = (each.player for each in results if each.place == place and each.player != player)
    words = {
        "cards": _("Behind %(names)s: more cards"),
        "numbers": _("Behind %(names)s: same number of cards, more number cards"),
        "level": _("Tied with %(names)s: shared place"),
    }
    fewer = _("Behind %(names)s: same number of cards, fewer %(number)ss")
    return words.get(row.decided, fewer) % {
        "names": listed([names.get(other, "") for other in others]),
        "number": row.decided,
    }


def people_in(contest: Contest, everybody: Mapping[str, Person]) -> Mapping[str, Person]:
    """People of a contest, marked by `state` if out."""
    out: dict[str, str] = {}
    for seat in contest.out:
        out.setdefault(str(seat.entry), OUT_STATES[Seat.OutAs(seat.out_as)])

    def made(uid: str) -> Person:
        person = everybody[uid]
        return replace(person, state=out[uid]) if uid in out and not person.state else person

    return LazyMapping(contest.names, made)


def columns_of(results: ContestResults) -> Sequence[Column]:
    """Columns by table numbers; a walkover that ends a match takes the next."""
    numbers = results.contest.table_numbers
    several = len(numbers) > 1

    def made(play: PlayFacts | None) -> Column:
        if play is None:
            return Column(number=max((other.number for other in results.contest.plays), default=0) + 1)
        return Column(number=play.number, table=numbers[play.table] if several else None)

    return LazySequence(results.sheet.plays, made)


def _table(
    seen: Shown, results: ContestResults, everybody: Mapping[str, Person], *, pictures: bool
) -> TableBoard:
    people = people_in(results.contest, everybody)
    return TableBoard(
        number=results.table_number,
        board=board_of(
            results.answer,
            results.sheet.data,
            people,
            columns_of(results),
            finished=seen.state == Stage.State.FINISHED,
            gained=results.places_gained,
            anchor=why_anchor(seen.stage),
        ),
        running=LazySequence(  # on the first part only
            [play for play in results.contest.in_order if play.state == Play.State.RUNNING],
            lambda play: _running(results.contest, play, people),
        ),
        asides=_asides(results.contest),
        unaccepted=unaccepted_in(results.contest),
        pictures=contest_pictures(results, everybody) if pictures else (),
    )


def void_before(contest: Contest, table: UUID, number: int | None = None) -> str:
    """Name void plays before `number`, to explain gaps, or ""."""
    found = [
        str(play.number)
        for play in contest.in_order
        if play.table == table and play.state == Play.State.VOID and (number is None or play.number < number)
    ]
    return KINDS[contest.kind].void(len(found)) % {"numbers": listed(found)} if found else ""


def _running(contest: Contest, play: PlayFacts, people: Mapping[str, Person]) -> RunningGame:
    return RunningGame(
        label=play_label(contest, play),
        void=void_before(contest, play.table, play.number),
        started_at=play.started_at,
        playing=tuple(people[str(row.entry)] for row in play.with_outcome(Result.Outcome.PLAYING)),
        gone=tuple(
            (people[str(row.entry)], how_text(row.outcome, row.elapsed_s))
            for row in sorted(play.results, key=lambda row: row.elapsed_s or 0)
            if row.outcome != Result.Outcome.PLAYING
        ),
    )


def _asides(contest: Contest) -> list[Aside]:
    return [
        Aside(label=play_label(contest, play), state=play.state)
        for play in contest.in_order
        if play.state in {Play.State.VOID, Play.State.SET_ASIDE}
    ]


def unaccepted_in(contest: Contest) -> list[Unaccepted]:
    """Plays awaiting a second person, contested first."""
    waiting = waiting_in([contest])
    found = {
        state: [play_label(contest, play) for _contest, play in waiting if play.second_look == state]
        for state in ("contested", "wanted")
    }
    return [Unaccepted(state=state, labels=labels) for state, labels in found.items() if labels]


# ---- Players who advance from heats, by the next stage's seats and by decisions ----


def goes_on(heats: Shown, stages: Sequence[Stage]) -> GoingOn | None:
    """Players who advance from these heats; None unless they lead to another stage. `stages`: in order."""
    following = leads_to(heats.stage, stages)
    return going_on_to(heats, shown(following, stages)) if following else None


def going_on(
    tournament: Tournament, board: StageBoard, stages: Sequence[Stage], entries: Mapping[str, Entry]
) -> StageBoard:
    """Fill in `through`, `gone` and `instead` (see `GoingOn`) of heats."""
    if not board.heats:
        return board
    heats = shown(next(stage for stage in stages if stage.uid == board.uid), stages)
    found = goes_on(heats, stages)
    if found is None:
        return board
    everybody = everybody_in(tournament, entries, heats)
    return replace(
        board,
        heats=[
            replace(heat, rows=[replace(row, through=row.player in found.through) for row in heat.rows])
            for heat in board.heats
        ],
        through=[everybody[player] for player in found.through],
        gone=[everybody[player] for player in found.gone],
        instead=[everybody[player] for player in found.instead],
    )
