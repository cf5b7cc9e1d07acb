"""Tiles of the board.

Red only for action: a call for the head referee; a result contested, or proposed over two minutes ago; plays set aside;
a game's start in doubt; its hour up; no referee, in an event with some; all heats played, one without qualifiers.

Quiet: no entry for twice the stage's usual gap, at least 15 minutes.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import pairwise
from statistics import median
from uuid import UUID

from django.db.models import Prefetch
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext

from rulesets import RULESETS
from tournament.ledger.past import entry_rows
from tournament.models import (
    Call,
    Entry,
    LedgerRow,
    Membership,
    Play,
    Proposal,
    Seat,
    Stage,
    Table,
    Tournament,
    User,
)
from tournament.pages.components import Tile
from tournament.pages.desk.play import held_starts
from tournament.pages.public.scenes import RoomClock, clock_shown
from tournament.pages.public.standings import isolated
from tournament.queries.advancing import Level, difference_lines, level_of
from tournament.queries.chain import NO_MORE, Chain
from tournament.queries.incidents import seen_text, waits
from tournament.queries.programme import bell_stops, clock_of, planned_minutes, plays_by_clock
from tournament.results import COUNTS, ContestResults, PlayFacts, grouped, kind_of, stage_results
from tournament.server.clock import now
from tournament.words.kinds import KINDS
from tournament.words.sources import source_text
from tournament.words.text import listed

State = Stage.State
QUIET = timedelta(minutes=15)  # minimum
PATIENCE = timedelta(minutes=2)  # wait of a proposed result
MOST_NAMED = 2  # referees


@dataclass(frozen=True, slots=True)
class Watch:
    """Facts of an event: by table key `referees`, `calls`, times of `proposals`; by stage uid when it `started`."""

    now: datetime
    referees: Mapping[int, Sequence[str]]
    everywhere: Sequence[str]
    started: Mapping[str, datetime]
    calls: frozenset[int] = frozenset()
    proposals: Mapping[int, datetime] = field(default_factory=dict)
    reader: User | None = None

    @classmethod
    def of(cls, tournament: Tournament, reader: User | None = None) -> "Watch":
        """Load the tournament's facts as of now."""
        here: dict[int, list[str]] = {}
        everywhere: list[str] = []
        roles = Membership.objects.filter(tournament=tournament).exclude(role=Membership.Role.ORGANISER)
        for membership in roles.select_related("user").order_by("pk"):
            names = here.setdefault(membership.table_id, []) if membership.table_id else everywhere
            names.append(membership.user.display_name())
        starts = LedgerRow.objects.filter(tournament=tournament, action="start_stage").order_by("sequence")
        calls = Call.objects.filter(
            table__stage__tournament=tournament, kind=Call.Kind.HELP, answered_at=None
        ).values_list("table_id", flat=True)
        proposed = Proposal.objects.filter(
            table__stage__tournament=tournament, state=Proposal.State.WAITING
        ).values_list("table_id", "at")
        return cls(
            now(),
            here,
            everywhere,
            {
                uid: at
                for at, payload in starts.values_list("at", "payload")
                for uid in payload.get("stage", ())
            },
            frozenset(calls),
            dict(proposed),
            reader,
        )

    def at(self, table: Table) -> Sequence[str]:
        """The table's own referees, else the event's."""
        named, count = self.referees.get(table.pk), len(self.everywhere)
        if named or count <= MOST_NAMED:
            return named or self.everywhere
        return [gettext("any of %(n)d") % {"n": count}]

    def lacks_referee(self, table: Table) -> bool:
        """Whether it lacks a referee, where others have one."""
        return bool(self.referees) and not self.everywhere and table.pk not in self.referees


@dataclass(frozen=True, slots=True)
class AtTable:
    """Table with plays by number. `rows`: ledger rows by play uid; `undecided`: open decision; `through`: all heats'
    qualifiers; `starts`: see `held_starts`."""

    stage: Stage
    table: Table
    plays: Sequence[PlayFacts]
    rows: Mapping[UUID, LedgerRow]
    over: bool
    undecided: str = ""
    through: frozenset[str] = frozenset()
    everything_over: bool = False  # at all tables of the stage
    usual: timedelta = field(default=QUIET)
    starts: Sequence[tuple[str, str]] = ()

    @property
    def state(self) -> str:
        """ready, waiting, stopped, finished or running."""
        if self.stage.state == State.PLANNED:
            return "ready" if len(self.seats) >= 2 else "waiting"
        if self.table.stopped:
            return "stopped"
        if not self.running:
            return "finished"
        return "ready" if kind_of(self.stage.kind).timed and not self.game else "running"

    @property
    def running(self) -> bool:
        """Whether the stage runs and this table is not done."""
        return self.stage.state == State.RUNNING and not self.over and not self.table.stopped

    @property
    def game(self) -> PlayFacts | None:
        """The running KPGUT game."""
        return next((play for play in self.plays if play.state == Play.State.RUNNING), None)

    @property
    def played(self) -> int:
        return sum(play.state in COUNTS for play in self.plays)

    @property
    def set_aside(self) -> list[int]:
        """Numbers of plays set aside."""
        return [play.number for play in self.plays if play.state == Play.State.SET_ASIDE]

    def acceptable(self, reader: User | None) -> list[str]:
        """Provisional plays that the reader may accept, as `seen_text`."""
        return [
            seen_text(play)
            for play in self.plays
            if waits(play) and play.second_look == Play.SecondLook.WANTED
            if reader and (row := self.rows.get(play.uid)) and row.actor_id != reader.pk
        ]

    def looks(self, look: str) -> list[int]:
        """Numbers of plays with this second look ("wanted", "contested")."""
        return [play.number for play in self.plays if waits(play) and play.second_look == look]

    @property
    def last(self) -> LedgerRow | None:
        """The last entry."""
        rows = (self.rows[play.uid] for play in self.plays if play.uid in self.rows)
        return max(rows, key=lambda row: row.sequence, default=None)

    @property
    def seats(self) -> list[Seat]:
        return [seat for seat in self.table.seats.all() if seat.plays_on]


def tile_of(here: AtTable, watch: Watch) -> Tile:
    """The table as a tile."""
    begun = here.game.started_at if here.running and here.game else None
    since = begun if here.game else _last_at(here, watch) if here.running else None
    through = [
        seat.entry.shown_name for seat in here.table.seats.all() if str(seat.entry.uid) in here.through
    ]
    note = last = ""
    if here.over and through:
        note = gettext("Through: %(names)s") % {"names": isolated(through)}
    elif here.stage.state != State.PLANNED and not kind_of(here.stage.kind).one_play:
        note = KINDS[kind_of(here.stage.kind).sheet].plays(here.played)
    if here.last:
        last = gettext("Last entry %(time)s by %(who)s") % {
            "time": date_format(timezone.localtime(here.last.at), "TIME_FORMAT"),
            "who": here.last.actor.display_name(),
        }
    return Tile(
        key=str(here.table.uid),
        number=here.table.number,
        title=gettext("Table %(number)d") % {"number": here.table.number},
        state=here.state,
        url=reverse("table", args=[here.table.uid]),
        note=note,
        people=[seat.entry.shown_name for seat in here.seats],
        last=last,
        act=_act(here, watch, begun),
        elapsed_s=int((watch.now - since).total_seconds()) if since and since <= watch.now else None,
        entered=bool(here.last) and not here.game,
        referees=watch.at(here.table) if here.running or here.stage.state == State.PLANNED else (),
        waits=_waits(here, watch),
        quiet=_quiet(here, watch),
        acceptable=here.acceptable(watch.reader) if here.stage.state == State.RUNNING else (),
        starts=here.starts if here.stage.state == State.RUNNING else (),
    )


def urgency(tile: Tile) -> tuple[bool, bool, bool, int]:
    """Sort key: action needed, then quiet; finished last."""
    return not tile.act, not tile.quiet, tile.state in {"finished", "stopped"}, tile.number


def usual_gap(stage: Stage, tables: Sequence[AtTable], watch: Watch) -> timedelta:
    """Median gap between entries of the stage; QUIET

    2 before any.
    """
    began = watch.started.get(str(stage.uid))
    gaps: list[float] = []
    for here in tables:
        entered = [here.rows[play.uid].at for play in here.plays if play.uid in here.rows]
        times = sorted([began, *entered] if began else entered)
        gaps += [(after - before).total_seconds() for before, after in pairwise(times)]
    return timedelta(seconds=median(gaps)) if gaps else QUIET / 2


def _last_at(here: AtTable, watch: Watch) -> datetime | None:
    return here.last.at if here.last else watch.started.get(str(here.stage.uid))


def _act(here: AtTable, watch: Watch, begun: datetime | None) -> str:
    if request := _asked(here, watch):
        return request
    if here.undecided and here.everything_over:
        return gettext("Waiting for the organiser: %(what)s") % {"what": here.undecided}
    if not here.running:
        return ""
    if asked := [play.number for play in here.plays if play.other_start and play.state != Play.State.VOID]:
        return gettext("When did game %(numbers)s begin?") % {"numbers": _numbers(asked)}
    hour = timedelta(seconds=RULESETS[here.stage.tournament.ruleset].hour_s)
    if here.game and begun and watch.now - begun >= hour:
        return gettext("The hour is up. Waiting for the referee")
    lacks = watch.lacks_referee(here.table) and "open" not in here.stage.source
    return gettext("Needs a referee") if lacks else ""


def _asked(here: AtTable, watch: Watch) -> str:
    if here.table.pk in watch.calls:
        return gettext("Calling the head referee")
    if here.stage.state != State.RUNNING:
        return ""
    if contested := here.looks("contested"):
        text = ngettext("Contested: %(numbers)s", "Contested: %(numbers)s", len(contested))
        return text % {"numbers": _numbers(contested)}
    if here.set_aside:
        return gettext("On hold: %(numbers)s. Decide at the table.") % {"numbers": _numbers(here.set_aside)}
    proposed = _proposed_at(here, watch)
    if proposed is None or watch.now - proposed <= PATIENCE:
        return ""
    return gettext("Result proposed %(minutes)d min ago") % {
        "minutes": int((watch.now - proposed).total_seconds()) // 60
    }


def _numbers(numbers: Sequence[int]) -> str:
    return listed([str(number) for number in numbers])


def _proposed_at(here: AtTable, watch: Watch) -> datetime | None:
    return watch.proposals.get(here.table.pk) if here.stage.state == State.RUNNING else None


def _waits(here: AtTable, watch: Watch) -> list[str]:
    if here.stage.state == State.FINISHED:
        return []
    lines = []
    if here.undecided and not here.everything_over:
        lines.append(here.undecided)
    if here.stage.state == State.PLANNED and len(here.seats) < 2:
        lines.append(gettext("Waiting for the organiser to assign seats"))
    elif here.everything_over and not here.undecided:
        lines.append(gettext("Waiting for the organiser to finish the stage"))
    elif here.running and kind_of(here.stage.kind).timed and not here.game:
        lines.append(gettext("Waiting for the referee to start the next game"))
    if _proposed_at(here, watch):
        lines.append(gettext("Result proposed"))
    if wanted := here.looks("wanted"):
        text = ngettext("To be confirmed: %(numbers)s", "To be confirmed: %(numbers)s", len(wanted))
        lines.append(text % {"numbers": _numbers(wanted)})
    absent = [seat.entry for seat in here.seats if seat.entry.state in Entry.EXPECTED]
    late = [entry.shown_name for entry in absent if entry.state == Entry.State.LATE]
    other = [entry.shown_name for entry in absent if entry.state != Entry.State.LATE]
    if late and not here.over:
        text = ngettext("Late: %(names)s", "Late: %(names)s", len(late))
        lines.append(text % {"names": isolated(late)})
    if other and here.stage.state == State.PLANNED:
        if len(other) == len(here.seats):
            text = gettext("Nobody has checked in")
        elif len(other) > MOST_NAMED:
            text = ngettext("%(n)d expected", "%(n)d expected", len(other)) % {"n": len(other)}
        else:
            text = gettext("Expected: %(names)s") % {"names": isolated(other)}
        lines.append(text)
    return lines


def _quiet(here: AtTable, watch: Watch) -> str:
    if not here.running or here.game or not here.seats:
        return ""
    since = _last_at(here, watch)
    if since is None or watch.now - since < max(QUIET, 2 * here.usual):
        return ""
    return gettext("No entry for %(minutes)d min") % {
        "minutes": int((watch.now - since).total_seconds()) // 60
    }


def undecided_at(stage: Stage, levels: Iterable[Level]) -> dict[int, str]:
    """Open decisions by table number, of heats; once seated, of the next stage."""
    places = grouped(
        (place.heat, place.gone.shown_name if place.gone else "")
        for level in levels
        for place in (() if level.sits else level.undecided)
        if place.stage == stage and place.why != NO_MORE
    )
    return {
        heat: gettext("decide who replaces %(names)s") % {"names": isolated([*filter(None, gone)])}
        if any(gone)
        else gettext("decide who goes through")
        for heat, gone in places.items()
    }


def by_table(tables: Sequence[Table], plays: Sequence[PlayFacts]) -> dict[UUID, list[PlayFacts]]:
    """Plays by table uid."""
    found: dict[UUID, list[PlayFacts]] = {table.uid: [] for table in tables}
    for play in plays:
        found[play.table].append(play)
    return found


# ---- A stage at a glance ----


@dataclass(frozen=True, slots=True)
class StageView:
    """Stage with its `tiles`. `over`: ready to finish; `waiting`, `proposed`: results for a second person, a referee;
    `level`: how it follows from others; `differs`: where not; `source`: who plays, in words."""

    stage: Stage
    tiles: tuple[Tile, ...]
    seated: int
    over: bool
    summary: Sequence[str] = ()
    waiting: int = 0
    winners: tuple[str, ...] = ()
    level: Level | None = None
    differs: tuple[str, ...] = ()
    source: str = ""
    proposed: int = 0

    @property
    def acts(self) -> int:
        """Number of tables that need action."""
        return sum(bool(tile.act) for tile in self.tiles)


def stage_views(tournament: Tournament, reader: User | None = None) -> list[StageView]:
    """All stages in order, as `reader` sees them."""
    watch, chain = Watch.of(tournament, reader), Chain(tournament)
    stages = chain.stages.values()
    levels = {stage.number: level_of(stage, chain) for stage in stages}
    views = []
    for stage, level in zip(stages, levels.values(), strict=True):
        leads_to = filter(None, (levels[each.number] for each in chain.fed(stage.number)))
        views.append(
            replace(
                stage_view(stage, watch, leads_to),
                level=level,
                differs=tuple(difference_lines(level)) if level else (),
                source=source_text(stage, chain.stages),
            )
        )
    return views


def stage_view(stage: Stage, watch: Watch | None = None, leads_to: Iterable[Level] = ()) -> StageView:
    """Stage with its tiles; `leads_to`: whose players come from here."""
    watch = watch or Watch.of(stage.tournament)
    seats = Prefetch("seats", Seat.objects.select_related("entry"))
    tables = list(Table.objects.filter(stage=stage).order_by("number").prefetch_related(seats))
    results = stage_results(stage)
    plays = by_table(tables, [play for contest in results for play in contest.contest.in_order])
    done = {
        uid
        for contest in results
        for uid in contest.contest.table_numbers
        if (
            contest.complete
            if kind_of(stage.kind).to_target
            else kind_of(stage.kind).one_play and any(play.state in COUNTS for play in plays[uid])
        )
    }
    over = (
        bool(tables)
        and kind_of(stage.kind).rows != "games"
        and all(table.uid in done for table in tables)
        and not any(play.state == Play.State.SET_ASIDE for at_table in plays.values() for play in at_table)
    )
    rows = entry_rows(
        (stage.tournament_id, play.uid, play.version) for at_table in plays.values() for play in at_table
    )
    starts = grouped(
        (play.table, line)
        for contest in results
        for play in contest.contest.in_order
        for line in held_starts(contest.contest, play, stage.tournament.zone)
    )
    undecided = undecided_at(stage, leads_to)
    everywhere = [
        AtTable(
            stage=stage,
            table=table,
            plays=plays[table.uid],
            rows=rows,
            over=table.uid in done,
            undecided=undecided.get(table.number, ""),
            through=frozenset(uid for contest in results for uid in contest.answer.finalists),
            starts=starts.get(table.uid, ()),
            everything_over=stage.state == State.FINISHED or (over and stage.state == State.RUNNING),
        )
        for table in tables
    ]
    usual = usual_gap(stage, everywhere, watch)
    tiles = tuple(tile_of(replace(here, usual=usual), watch) for here in everywhere)
    seated = sum(len(here.seats) for here in everywhere)
    return StageView(
        stage,
        tiles,
        seated,
        over,
        _summary(everywhere, seated),
        sum(waits(play) for at_table in plays.values() for play in at_table),
        _winners(results, tables) if stage.state == State.FINISHED else (),
        proposed=sum(table.pk in watch.proposals for table in tables),
    )


def _winners(results: Iterable[ContestResults], tables: Iterable[Table]) -> tuple[str, ...]:
    names = {str(seat.entry.uid): seat.entry.shown_name for table in tables for seat in table.seats.all()}
    won = (uid for contest in results for uid in contest.answer.winners)
    return tuple(names[uid] for uid in won if uid in names)


def _summary(tables: Sequence[AtTable], seated: int) -> list[str]:
    """Progress: "8 of 11 heats done", "3 to go"."""
    if not tables:
        return []
    stage, every = tables[0].stage, len(tables)
    if stage.state == State.PLANNED:
        return [
            ngettext("%(n)d table", "%(n)d tables", every) % {"n": every},
            ngettext("%(n)d player seated", "%(n)d players seated", seated) % {"n": seated},
        ]
    done = sum(not here.running for here in tables)
    if kind_of(stage.kind).rows == "games":
        games = sum(here.played for here in tables)
        said = ngettext("%(n)d game played", "%(n)d games played", games) % {"n": games}
        if not kind_of(stage.kind).timed:
            return [said]
        begun = sum(here.game is not None for here in tables)
        rest = gettext("%(n)d waiting for the next game")
    elif kind_of(stage.kind).one_play:
        # which heats have begun is unknown
        said = ngettext("%(done)d of %(every)d heat done", "%(done)d of %(every)d heats done", every) % {
            "done": done,
            "every": every,
        }
        begun, rest = 0, gettext("%(n)d to go")
    else:
        said = ngettext(
            "%(done)d of %(every)d match finished", "%(done)d of %(every)d matches finished", every
        ) % {"done": done, "every": every}
        begun, rest = (
            sum(here.running and bool(here.played) for here in tables),
            gettext("%(n)d without a round yet"),
        )
    counts = [(gettext("%(n)d running"), begun), (rest, every - done - begun)]
    return [said, *(text % {"n": count} for text, count in counts if count)]


# ---- Hall clock for organisers ----


STEP, BREAK = 5, 15  # minutes: rounding, usual break


@dataclass(frozen=True, slots=True)
class Start:
    """Stage whose clock can start, with planned minutes."""

    stage: Stage
    minutes: int


@dataclass(frozen=True, slots=True)
class HallPanel:
    """Public `clock`; `starts`: stages that can start one; `stops`: tables whose match ends with it; `goes_on`:
    resumption, by default after a break."""

    clock: RoomClock | None
    starts: Sequence[Start]
    over: bool
    stops: Sequence[Table]
    tables: Sequence[Table]
    goes_on: str


def hall_panel(tournament: Tournament, stages: Iterable[Stage]) -> HallPanel | None:
    """Panel of the `stages` in order; None unless the event runs."""
    if tournament.state != Tournament.State.RUNNING:
        return None
    at, row = now(), clock_of(tournament)
    over = row is not None and row.over(at)
    free = stages if row is None or row.stage is None or over else ()
    if row and row.goes_on_at:
        goes_on = timezone.localtime(row.goes_on_at, tournament.zone)
    else:
        goes_on = timezone.localtime(at + timedelta(minutes=BREAK), tournament.zone)
        goes_on += timedelta(minutes=-goes_on.minute % STEP)  # rounded up
    return HallPanel(
        clock=clock_shown(row) if row else None,
        starts=[Start(stage, planned_minutes(stage)) for stage in free if plays_by_clock(stage)],
        over=over,
        stops=bell_stops(row, at) if row else (),
        tables=list(Table.objects.filter(stage=row.stage).order_by("number")) if row and row.stage else [],
        goes_on=f"{goes_on:%H:%M}",
    )
