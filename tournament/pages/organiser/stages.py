"""A stage at a glance: tables as tiles, progress."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from django.db.models import Prefetch
from django.utils.translation import gettext, ngettext

from tournament.ledger.authors import entry_rows
from tournament.models import Play, Seat, Stage, Table, Tournament, User
from tournament.pages.components import Tile
from tournament.pages.desk.play import held_starts
from tournament.pages.organiser.tiles import AtTable, Watch, by_table, tile_of, undecided_of, usual_gap
from tournament.queries.advancing import Level, difference_lines, level_of
from tournament.queries.second_look import waits
from tournament.results import COUNTS, ContestResults, PlayFacts, grouped, kind_of, stage_results

State = Stage.State


@dataclass(frozen=True, slots=True)
class StageView:
    """Stage with its `tiles`. `over`: ready to finish; `waiting`: number of results awaiting a second person;
    `winners`: once finished; `level`: how it follows from heats; `differs`: where it does not."""

    stage: Stage
    tiles: tuple[Tile, ...]
    seated: int
    over: bool
    summary: Sequence[str] = ()
    waiting: int = 0
    winners: tuple[str, ...] = ()
    level: Level | None = None
    differs: tuple[str, ...] = ()

    @property
    def acts(self) -> int:
        """Number of tables that need action."""
        return sum(bool(tile.act) for tile in self.tiles)


def stage_views(tournament: Tournament, reader: User | None = None) -> list[StageView]:
    """All stages in order, as `reader` sees them."""
    stages = list(Stage.objects.filter(tournament=tournament).select_related("tournament").order_by("number"))
    watch = Watch.of(tournament, reader)
    levels = {stage.pk: level_of(stage) for stage in stages}
    return [
        replace(
            stage_view(stage, watch, levels[following.pk] if following else None),
            level=level,
            differs=tuple(difference_lines(level)) if level else (),
        )
        for stage, following, level in zip(stages, [*stages[1:], None], levels.values(), strict=False)
    ]


def stage_view(stage: Stage, watch: Watch | None = None, next_level: Level | None = None) -> StageView:
    """Stage with a tile per table; `next_level`: where these heats lead."""
    watch = watch or Watch.of(stage.tournament)
    seats = Prefetch("seats", Seat.objects.select_related("entry"))
    tables = list(Table.objects.filter(stage=stage).order_by("number").prefetch_related(seats))
    results = stage_results(stage)
    plays = by_table(tables, [play for contest in results for play in contest.contest.in_order])
    done = {
        uid for contest in results for uid in contest.contest.table_numbers if _complete(contest, plays[uid])
    }
    over = (
        bool(tables)
        and not kind_of(stage.kind).seats_change
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
    open_places = _open_places(next_level)
    everywhere = [
        AtTable(
            stage=stage,
            table=table,
            plays=plays[table.uid],
            rows=rows,
            over=table.uid in done,
            undecided=undecided_of(open_places, table),
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
    )


def _complete(contest: ContestResults, plays: Sequence[PlayFacts]) -> bool:
    if kind_of(contest.contest.kind).sheet_each_table:
        return contest.complete
    return kind_of(contest.contest.kind).one_play and any(play.state in COUNTS for play in plays)


def _winners(results: Iterable[ContestResults], tables: Iterable[Table]) -> tuple[str, ...]:
    names = {str(seat.entry.uid): seat.entry.shown_name for table in tables for seat in table.seats.all()}
    won = (uid for contest in results for uid in contest.answer.winners)
    return tuple(names[uid] for uid in won if uid in names)


def _open_places(level: Level | None) -> dict[int, list[str]]:
    """Per heat (table number): players who left an open place, "" for one never given. Once seated, the next stage
    asks."""
    return grouped(
        (place.heat, place.gone.shown_name if place.gone else "")
        for place in (level.undecided if level and not level.sits else ())
    )


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
    if kind_of(stage.kind).seats_change:
        games = sum(here.played for here in tables)
        said = ngettext("%(n)d game played", "%(n)d games played", games) % {"n": games}
        begun = sum(here.game is not None for here in tables)
        rest = gettext("%(n)d waiting for the next game")
    elif kind_of(stage.kind).one_play:
        # Heats are entered when over: which have begun is unknown.
        words = ngettext("%(done)d of %(every)d heat done", "%(done)d of %(every)d heats done", every)
        said = words % {"done": done, "every": every}
        begun, rest = 0, gettext("%(n)d to go")
    else:
        words = ngettext(
            "%(done)d of %(every)d match finished", "%(done)d of %(every)d matches finished", every
        )
        said = words % {"done": done, "every": every}
        begun, rest = sum(here.running and bool(here.played) for here in tables), gettext("%(n)d to start")
    counts = [(gettext("%(n)d running"), begun), (rest, every - done - begun)]
    return [said, *(text % {"n": count} for text, count in counts if count)]
