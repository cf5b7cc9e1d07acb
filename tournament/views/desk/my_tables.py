"""My tables, most urgent first."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import get_language, gettext as _, ngettext

from rulesets import RULESETS
from tournament.ledger.past import entry_rows
from tournament.models import (
    Announcement,
    Entry,
    LedgerRow,
    Membership,
    Play,
    Seat,
    Stage,
    Table,
    Tournament,
    User,
)
from tournament.pages.calls import queue_of, scope_of
from tournament.pages.components import Tile
from tournament.pages.desk.table import waiting_tables
from tournament.pages.public.scenes import RoomClock, room_clock
from tournament.permissions import RANK
from tournament.results import COUNTS, grouped, kind_of, number_or_none, stage_results
from tournament.server.clock import now
from tournament.views import signed_in_page, site_page, user_of
from tournament.views.desk._page import forget
from tournament.words.faults import table_text
from tournament.words.formats import to_the_minute
from tournament.words.kinds import KINDS
from tournament.words.text import clean, in_alphabet

MANY_TABLES = 6  # from which a search is offered
OVER = frozenset({"finished", "stopped"})
MOST_SEARCHED = 60  # characters
LONGEST_NUMBER = 4  # digits


@dataclass(frozen=True, slots=True)
class MyEvent:
    """A tournament with its tiles; `board`: visible; `again`: finished tables of an event listed above."""

    name: str
    slug: str
    rehearsal: bool
    tiles: Sequence[Tile] = ()
    board: bool = False
    to_accept: int = 0  # results
    again: bool = False
    hall_clock: RoomClock | None = None
    time_zone: str = "UTC"


def tables_of(user: User) -> QuerySet[Table]:
    """Tables that a user may referee now; for staff all but practice."""
    tables = Table.objects.filter(stage__tournament__in=Tournament.objects.visible()).exclude(
        stage__tournament__state=Tournament.State.FINISHED
    )
    if user.is_staff or user.is_superuser:
        return tables.filter(stage__tournament__in=Tournament.objects.without_practice())
    roles = Membership.objects.filter(user=user)
    return tables.filter(
        Q(stage__tournament__in=roles.filter(table__isnull=True).values("tournament"))
        | Q(pk__in=roles.filter(table__isnull=False).values("table"))
    )


@signed_in_page
def desk(request: HttpRequest) -> HttpResponse:
    """My tables as tiles by event."""
    user = user_of(request)
    queue = queue_of(user) or scope_of(_refereed(user))
    searched = clean(request.GET.get("q", ""))[:MOST_SEARCHED]
    mine = tables_of(user)
    count = mine.count()
    found = _search(mine, searched).select_related("stage__tournament")
    tables = list(
        found.prefetch_related(
            Prefetch("seats", Seat.objects.select_related("entry").order_by("position")),
            Prefetch("plays", Play.objects.order_by("-number")),
        )
    )
    own = set(Membership.objects.filter(user=user, table__isnull=False).values_list("table_id", flat=True))
    response = site_page(
        request,
        "desk/tables.html",
        **queue,
        section="desk",
        events=_events(tables, own, _led(user)),
        said=Announcement.objects.filter(tournament__in=_refereed(user)).standing(now()),
        unseated=[] if searched else _unseated(user),
        searched=searched,
        searchable=count > MANY_TABLES or bool(searched),
        count=count,
    )
    return forget(request, response)


def _refereed(user: User) -> QuerySet[Tournament]:
    return (
        Tournament.objects.visible()
        .exclude(state=Tournament.State.FINISHED)
        .filter(pk__in=Membership.objects.filter(user=user).values("tournament"))
    )


def _unseated(user: User) -> list[MyEvent]:
    roles = Membership.objects.filter(
        ~Exists(Table.objects.filter(stage__tournament=OuterRef("tournament"))),
        user=user,
        table__isnull=True,
        tournament__in=Tournament.objects.visible().exclude(state=Tournament.State.FINISHED),
    ).select_related("tournament")
    language = get_language()
    ranks: dict[Tournament, int] = {}
    for role in roles.order_by("tournament"):
        ranks[role.tournament] = max(ranks.get(role.tournament, 0), RANK[Membership.Role(role.role)])
    return [
        MyEvent(event.name, event.slug, event.rehearsal, board=rank >= RANK[Membership.Role.HEAD_REFEREE])
        for event, rank in sorted(ranks.items(), key=lambda each: in_alphabet(each[0].name, language))
    ]


def _search(tables: QuerySet[Table], searched: str) -> QuerySet[Table]:
    """By table number, or name of stage, event or player: "Matti #1"."""
    if not searched:
        return tables
    named = Entry.objects.filter(seats__table__in=tables).names().items()
    wanted = (
        Q(seats__entry__uid__in=[uid for uid, name in named if searched.casefold() in name.casefold()])
        | Q(stage__name__icontains=searched)
        | Q(stage__tournament__name__icontains=searched)
    )
    number = number_or_none(searched, longest=LONGEST_NUMBER)
    if number is not None:
        wanted |= Q(number=number)
    return tables.filter(wanted).distinct()


def _led(user: User) -> set[int]:
    if user.is_staff:
        return set(Tournament.objects.values_list("pk", flat=True))
    leads = [role for role, rank in RANK.items() if rank >= RANK[Membership.Role.HEAD_REFEREE]]
    return set(Membership.objects.filter(user=user, role__in=leads).values_list("tournament_id", flat=True))


def _events(tables: Sequence[Table], own: set[int], led: set[int]) -> list[MyEvent]:
    last = _last_entries(tables)
    waiting = waiting_tables(tables)
    stages = {table.stage_id: table.stage for table in tables if table.stage.state == Stage.State.RUNNING}
    matches = [stage for stage in stages.values() if kind_of(stage.kind).to_target]
    complete = {each.table for stage in matches for each in stage_results(stage) if each.complete}
    tiles = {
        table.pk: replace(
            _tile(table, last.get(table.pk), done=table.uid in complete),
            waits=[ngettext("%(n)s result to confirm", "%(n)s results to confirm", n) % {"n": n}]
            if (n := waiting.get(table.pk, 0))
            else [],
        )
        for table in tables
    }
    events = grouped(
        ((tiles[table.pk].state in OVER, table.stage.tournament_id), table)
        for table in sorted(tables, key=lambda table: _urgency(table, tiles[table.pk], own))
    )
    to_accept: dict[int, int] = defaultdict(int)
    for table in tables:
        to_accept[table.stage.tournament_id] += waiting.get(table.pk, 0)
    return [
        MyEvent(
            name=group[0].stage.tournament.name,
            slug=group[0].stage.tournament.slug,
            rehearsal=group[0].stage.tournament.rehearsal,
            tiles=[tiles[table.pk] for table in group],
            board=event in led and not again,
            to_accept=0 if again else to_accept[event],
            again=again,
            hall_clock=None if again else room_clock(group[0].stage.tournament),
            time_zone=group[0].stage.tournament.time_zone,
        )
        for (over, event), group in events.items()
        for again in [over and (False, event) in events]
    ]


def _urgency(table: Table, tile: Tile, own: set[int]) -> tuple[Any, ...]:
    """Sort key: own, longest running game, in play, ready, planned, over."""
    stage = table.stage
    game = _running(table)
    return (
        tile.state in OVER,
        stage.state == Stage.State.PLANNED,
        table.pk not in own,
        game is None,
        (game.started_at if game and game.started_at else datetime.max.replace(tzinfo=ZoneInfo("UTC"))),
        tile.state == "ready",
        -stage.number if stage.state == Stage.State.RUNNING else stage.number,
        table.number,
    )


def _running(table: Table) -> Play | None:
    return next((play for play in table.plays.all() if play.state == Play.State.RUNNING), None)


def _last_entries(tables: Sequence[Table]) -> dict[int, LedgerRow]:
    found = entry_rows(
        (table.stage.tournament_id, play.uid, play.version) for table in tables for play in table.plays.all()
    )
    last: dict[int, LedgerRow] = {}
    for table in tables:
        if rows := [found[play.uid] for play in table.plays.all() if play.uid in found]:
            last[table.pk] = max(rows, key=lambda row: row.sequence)
    return last


def _tile(table: Table, last: LedgerRow | None, *, done: bool) -> Tile:
    stage = table.stage
    tile = Tile(
        key=str(table.uid),
        number=table.number,
        title=table_text(stage, table.number),
        state="waiting",
        url=reverse("table", args=[table.uid]),
        people=[seat.entry.shown_name for seat in table.seats.all() if seat.plays_on],
    )
    if last:
        words = {
            "time": to_the_minute(last.at.astimezone(stage.tournament.zone)),
            "who": last.actor.display_name(),
        }
        tile = replace(tile, last=_("Last entry %(time)s by %(who)s") % words)
    if stage.state == Stage.State.FINISHED or done or table.stopped:
        return replace(tile, state="stopped" if table.stopped else "finished")
    if stage.state == Stage.State.PLANNED:
        return tile
    played = sum(play.state in COUNTS for play in table.plays.all())
    game = _running(table)
    if game and game.started_at:
        minutes = int((now() - game.started_at).total_seconds()) // 60
        if minutes * 60 >= RULESETS[stage.tournament.ruleset].hour_s:
            return replace(tile, state="act", act=_("The hour is up: count the hands"))
        return replace(tile, state="running", note=_("%(minutes)s min") % {"minutes": minutes})
    if kind_of(stage.kind).one_play:
        return replace(tile, state="finished" if played else "running")
    note = KINDS[kind_of(stage.kind).sheet].plays(played) if played else ""
    return replace(tile, state="ready" if kind_of(stage.kind).timed else "running", note=note)
