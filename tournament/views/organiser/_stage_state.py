"""What an organiser wants to know of a stage at a glance: each table as a tile, and what to do next."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from tournament.bridge import COUNTS
from tournament.facts import PlayFacts
from tournament.models import Entry, LedgerRow, Play, Stage, Table, Tournament
from tournament.results import ContestResults, stage_results
from tournament.views.components import Tile

State = Stage.State


@dataclass(frozen=True, slots=True)
class NextStep:
    """The next thing to do, and where. `text` says why."""

    text: str | Promise
    action: str | Promise
    url: str


@dataclass(frozen=True, slots=True)
class StageView:
    """A stage with its tables as tiles. `over`: everything was played that a finish needs."""

    stage: Stage
    tiles: tuple[Tile, ...]
    seated: int
    over: bool


def stage_views(tournament: Tournament) -> list[StageView]:
    """Every stage of the tournament, in order."""
    stages = Stage.objects.filter(tournament=tournament).select_related("tournament").order_by("number")
    return [stage_view(stage) for stage in stages]


def stage_view(stage: Stage) -> StageView:
    """The stage with a tile a table."""
    tables = list(Table.objects.filter(stage=stage).order_by("number").prefetch_related("seats__entry"))
    results = stage_results(stage)
    plays: dict[UUID, list[PlayFacts]] = {table.uid: [] for table in tables}
    complete: dict[UUID, bool] = {}
    for contest in results:
        for play in contest.contest.in_order():
            plays[play.table].append(play)
        for uid in contest.contest.table_numbers:
            complete[uid] = _complete(contest, plays[uid])
    rows = _rows(stage, [play.version for at_table in plays.values() for play in at_table[-1:]])
    tiles = [_tile(stage, table, plays[table.uid], complete.get(table.uid, False), rows) for table in tables]
    over = bool(tables) and _all_over(stage, plays, complete)
    seated = sum(not seat.out_as for table in tables for seat in table.seats.all())
    return StageView(stage, tuple(tiles), seated, over)


def next_step(
    tournament: Tournament, views: Iterable[StageView], entries: Mapping[str, int]
) -> NextStep | None:
    """The next thing that the event waits for, if it is the organiser's. `entries` counts them by state."""
    views = list(views)
    if not sum(entries.values()):
        url = reverse("organise-players", args=[tournament.slug])
        return NextStep(_("Nobody is entered yet."), _("Enter players"), url)
    view = next((view for view in views if view.stage.state != State.FINISHED), None)
    if view is None:
        return None
    return _of_players(tournament, views, entries) or _of_stage(view)


def _of_players(
    tournament: Tournament, views: list[StageView], entries: Mapping[str, int]
) -> NextStep | None:
    waiting = entries.get(Entry.State.REGISTERED, 0)
    if not waiting or any(view.stage.state != State.PLANNED for view in views):
        return None
    text = ngettext(
        "%(count)d player is not checked in.", "%(count)d players are not checked in.", waiting
    ) % {"count": waiting}
    return NextStep(text, _("Check players in"), reverse("organise-players", args=[tournament.slug]))


def _of_stage(view: StageView) -> NextStep | None:
    name = {"stage": str(view.stage)}
    page = reverse("organise-stage", args=[view.stage.uid])
    if view.stage.state == State.PLANNED and not view.seated:
        if view.stage.number > 1:
            return NextStep(gettext("%(stage)s: the heats are over.") % name, _("See who goes through"), page)
        url = reverse("organise-seats", args=[view.stage.uid])
        return NextStep(gettext("%(stage)s: nobody has a seat.") % name, _("Seat the players"), url)
    if view.stage.state == State.PLANNED:
        return NextStep(gettext("%(stage)s: everybody is seated.") % name, _("Look it over and start"), page)
    if view.over:
        return NextStep(gettext("%(stage)s: everything is played.") % name, _("Finish it"), page)
    return None


def _complete(contest: ContestResults, plays: list[PlayFacts]) -> bool:
    if contest.contest.kind == "match":
        return contest.complete
    return contest.contest.kind == "heats" and any(play.state in COUNTS for play in plays)


def _all_over(stage: Stage, plays: Mapping[UUID, list[PlayFacts]], complete: Mapping[UUID, bool]) -> bool:
    """Whether nothing is left to play. A session has no such end: people play on until they have enough."""
    return stage.kind != Stage.Kind.SESSION and all(complete.get(uid, False) for uid in plays)


def _rows(stage: Stage, sequences: list[int]) -> dict[int, LedgerRow]:
    rows = LedgerRow.objects.filter(tournament=stage.tournament, sequence__in=sequences)
    return {row.sequence: row for row in rows.select_related("actor")}


def _tile(
    stage: Stage, table: Table, plays: list[PlayFacts], complete: bool, rows: Mapping[int, LedgerRow]
) -> Tile:
    people = [seat.entry.public_name for seat in table.seats.all() if not seat.out_as]
    row = rows.get(plays[-1].version) if plays else None
    return Tile(
        key=str(table.uid),
        number=table.number,
        title=gettext("Table %(number)d") % {"number": table.number},
        state=_table_state(stage, table, plays, complete, len(people)),
        url=reverse("table", args=[table.uid]),
        note=_played(stage, sum(play.state in COUNTS for play in plays)),
        people=people,
        last=_last(row),
    )


def _table_state(stage: Stage, table: Table, plays: list[PlayFacts], complete: bool, people: int) -> str:
    if stage.state == State.PLANNED:
        return "ready" if people >= 2 else "waiting"
    if table.stopped:
        return "stopped"
    if complete or stage.state == State.FINISHED:
        return "finished"
    session = stage.kind == Stage.Kind.SESSION
    running = any(play.state == Play.State.RUNNING for play in plays)
    return "running" if running or not session else "waiting"


def _played(stage: Stage, count: int) -> str:
    if stage.state == State.PLANNED or stage.kind == Stage.Kind.HEATS:
        return ""
    if stage.kind == Stage.Kind.SESSION:
        return ngettext("%(count)d game", "%(count)d games", count) % {"count": count}
    return ngettext("%(count)d round", "%(count)d rounds", count) % {"count": count}


def _last(row: LedgerRow | None) -> str:
    if row is None:
        return ""
    time = date_format(timezone.localtime(row.at), "TIME_FORMAT")
    return gettext("Last entry %(time)s by %(who)s") % {"time": time, "who": row.actor.display_name()}
