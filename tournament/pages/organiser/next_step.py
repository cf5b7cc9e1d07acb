"""The board's next step: the first row of `STEPS` that holds. Its only primary button."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from django.db.models import Prefetch
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _, ngettext, ngettext_lazy

from rulesets import RULESETS
from scoring import decks_for
from tournament.backup import newest
from tournament.models import Entry, LedgerRow, Membership, Seat, Stage, Table, Tick, Tournament
from tournament.pages.components import Tile
from tournament.pages.organiser.health import moment
from tournament.pages.organiser.tiles import StageView
from tournament.pages.public.reveal import Reveal, reveal_of
from tournament.pages.public.stage import StageBoard, stage_board
from tournament.pages.public.standings import Person
from tournament.queries.programme import outgrown
from tournament.queries.visible import freezing, left_of, shown, taking_part, truth, unveiled
from tournament.results import ContestResults, kind_of, stage_results
from tournament.server.database import snapshot

State = Stage.State


@dataclass(frozen=True, slots=True)
class NextStep:
    """Next thing to do. `state`: row of `STEPS`; `needs`: permitted action; `first`: optional, before it."""

    state: str
    text: str
    action: str
    url: str
    needs: str
    first: "NextStep | None" = None


@dataclass(frozen=True, slots=True)
class Evening:
    """The event: `views` of stages in order, `entries`: players per state."""

    tournament: Tournament
    views: Sequence[StageView]
    entries: Mapping[str, int]

    @property
    def entered(self) -> int:
        return sum(count for state, count in self.entries.items() if state not in Entry.ASKING)

    @property
    def begun(self) -> bool:
        return any(view.stage.state != State.PLANNED for view in self.views)

    @property
    def ahead(self) -> bool:
        """Whether the event's day is in the future."""
        return self.tournament.starts_on > timezone.localdate(timezone=self.tournament.zone)

    @property
    def here(self) -> StageView | None:
        """First unfinished stage, after those whose players come to it."""
        left = [view for view in self.views if view.stage.state != State.FINISHED]
        return next(
            (view for view in left if view.level is None or view.level.heats_over), left[0] if left else None
        )

    @property
    def differing(self) -> StageView | None:
        """First stage seated with others than go through."""
        return next((view for view in self.views if view.differs), None)

    @property
    def acting(self) -> Tile | None:
        """First table with an `act`."""
        return next((tile for view in self.views for tile in view.tiles if tile.act), None)

    def count(self, state: Entry.State) -> int:
        return self.entries.get(state, 0)

    def planned(self, *, seated: bool, later: bool = False) -> bool:
        """Whether the next stage is planned; `later`: from another."""
        view = self.here
        return (
            view is not None
            and view.stage.state == State.PLANNED
            and bool(view.seated) == seated
            and (seated or (view.level is not None) == later)
        )

    def over(self, *, waiting: bool) -> bool:
        """Whether all is played, perhaps with `waiting` results."""
        return self.here is not None and self.here.over and bool(self.here.waiting) == waiting

    @property
    def between_games(self) -> bool:
        """Whether a session's tables rest, or a race has played equally often everywhere."""
        view = self.here
        if (
            view is None
            or view.stage.state != State.RUNNING
            or "open" in view.stage.source
            or not kind_of(view.stage.kind).seats_change
        ):
            return False
        still = all(tile.state != "running" for tile in view.tiles)
        level = len({tile.note for tile in view.tiles}) == 1
        return any(tile.last for tile in view.tiles) and (still if kind_of(view.stage.kind).timed else level)


@dataclass(frozen=True, slots=True)
class Row:
    """A state: when it `holds`, its `text`, and `action` at `url`."""

    state: str
    holds: Callable[[Evening], object]
    text: Callable[[Evening], str]
    action: str | Promise
    url: Callable[[Evening], str]
    needs: str


def next_step(
    tournament: Tournament, views: Sequence[StageView], entries: Mapping[str, int]
) -> NextStep | None:
    """Next step; None with players but no stages."""
    evening = Evening(tournament, views, entries)
    row = next((row for row in STEPS if row.holds(evening)), None)
    if row is None:
        return None
    action = str(row.action) % {"table": evening.acting.number if evening.acting else ""}
    first = None
    if evening.here and evening.planned(seated=False):
        here, late = (evening.count(state) for state in (Entry.State.CHECKED_IN, Entry.State.LATE))
        if text := outgrown(evening.here.stage, here, late):  # another number of heats
            page = reverse("organise-levels", args=[tournament.slug])
            first = NextStep("outgrown", text, gettext("Plan again"), page, "set_levels")
    return NextStep(row.state, row.text(evening), action, row.url(evening), row.needs, first)


def _said(text: str | Promise) -> Callable[[Evening], str]:
    return lambda evening: str(text) % {"stage": evening.here.stage if evening.here else ""}


def _counted(text: Promise, count: Callable[[Evening], int]) -> Callable[[Evening], str]:
    return lambda evening: str(text % dict.fromkeys(("n", "count"), count(evening)))


def _event(name: str, more: str = "") -> Callable[[Evening], str]:
    return lambda evening: reverse(name, args=[evening.tournament.slug]) + more


def _stage(name: str, more: str = "") -> Callable[[Evening], str]:
    return lambda evening: reverse(name, args=[evening.here.stage.uid]) + more if evening.here else ""


def _table_in_play(evening: Evening) -> str:
    """The only table in play, else the event's tables on the desk."""
    tiles = evening.here.tiles if evening.here else ()
    playing = [tile for tile in tiles if tile.state not in {"finished", "stopped"}]
    if len(playing) == 1:
        return playing[0].url
    return reverse("desk") + "?" + urlencode({"q": evening.tournament.name})


STEPS = (
    Row(
        "asked",
        lambda evening: not evening.begun and evening.count(Entry.State.APPLIED),
        _counted(
            ngettext_lazy(
                "%(n)d person is asking to take part.", "%(n)d people are asking to take part.", "n"
            ),
            lambda evening: evening.count(Entry.State.APPLIED),
        ),
        _("Answer"),
        _event("organise-registration"),
        "approve_entries",
    ),
    Row(
        "no players",
        lambda evening: not evening.entered,
        _said(_("No players yet.")),
        _("Add players"),
        _event("organise-players", "#enter"),
        "enter_players",
    ),
    Row(
        "others sit",
        lambda evening: evening.differing,
        _said(_("The players with seats are not the ones who went through.")),
        _("Decide"),
        lambda evening: (
            reverse("organise-stage", args=[evening.differing.stage.uid]) if evening.differing else ""
        ),
        "fill_stage",
    ),
    Row(
        "finished",
        lambda evening: evening.views and evening.here is None,
        _said(_("Everything has been played, and the results are official.")),
        _("Show on a big screen"),
        _event("organise-screens"),
        "set_screen",
    ),
    Row(
        "day ahead",
        lambda evening: not evening.begun and evening.ahead and evening.count(Entry.State.REGISTERED),
        _counted(
            ngettext_lazy(
                "%(n)d player so far. Check-in is on the day of the event.",
                "%(n)d players so far. Check-in is on the day of the event.",
                "n",
            ),
            lambda evening: evening.entered,
        ),
        _("See the players"),
        _event("organise-players"),
        "check_in",
    ),
    Row(
        "players expected",
        lambda evening: not evening.begun and evening.count(Entry.State.REGISTERED),
        _counted(
            ngettext_lazy(
                "%(count)d player is not checked in.", "%(count)d players are not checked in.", "count"
            ),
            lambda evening: evening.count(Entry.State.REGISTERED),
        ),
        _("Check in players"),
        _event("organise-players"),
        "check_in",
    ),
    Row(
        "open tables",
        lambda evening: (
            evening.here and evening.here.stage.state == State.PLANNED and "open" in evening.here.stage.source
        ),
        _said(_("%(stage)s: players sit down when they like.")),
        _("Check and start"),
        _stage("organise-stage"),
        "start_stage",
    ),
    Row(
        "seats missing",
        lambda evening: evening.planned(seated=False),
        _said(_("%(stage)s: nobody has a seat yet.")),
        _("Seat the players"),
        _stage("organise-seats"),
        "seat_stage",
    ),
    Row(
        "through to decide",
        lambda evening: evening.planned(seated=False, later=True),
        _said(_("%(stage)s: who plays is known.")),
        _("See who goes through"),
        _stage("organise-stage"),
        "fill_stage",
    ),
    Row(
        "seated",
        lambda evening: evening.planned(seated=True),
        _said(_("%(stage)s: everyone has a seat.")),
        _("Check and start"),
        _stage("organise-stage"),
        "start_stage",
    ),
    Row(
        "second looks",
        lambda evening: evening.over(waiting=True),
        _counted(
            ngettext_lazy(
                "%(n)s result is waiting for confirmation", "%(n)s results are waiting for confirmation", "n"
            ),
            lambda evening: evening.here.waiting if evening.here else 0,
        ),
        _("Check these"),
        _stage("organise-stage", "#unaccepted"),
        "accept_plays",
    ),
    Row(
        "everything played",
        lambda evening: evening.over(waiting=False),
        _said(_("%(stage)s: everything has been played.")),
        _("Finish the stage"),
        _stage("organise-stage"),
        "finish_stage",
    ),
    Row(
        "table needs somebody",
        lambda evening: evening.acting,
        lambda evening: f"{evening.acting.title}: {evening.acting.act}" if evening.acting else "",
        _("Go to table %(table)s"),
        lambda evening: (evening.acting.url or "") if evening.acting else "",
        "accept_plays",
    ),
    Row(
        "between games",
        lambda evening: evening.between_games,
        _said(_("%(stage)s: no game is running.")),
        _("Draw next game’s seats"),
        _stage("organise-seats", "?draw=1"),
        "seat_stage",
    ),
    Row(
        "running",
        lambda evening: evening.here,
        _said(_("Now running: %(stage)s.")),
        _("Enter a result"),
        _table_in_play,
        "accept_plays",
    ),
)


# ---- Checklist before the start ----

Item = Tick.Item
FRESH = timedelta(hours=12)  # maximum age of a backup


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A point, `done` by facts or `ticked` off; `url`: where to fix it."""

    item: str
    title: str
    text: str
    done: bool = False
    ticked: str = ""
    url: str = ""
    action: str = ""

    @property
    def over(self) -> bool:
        return self.done or bool(self.ticked)


@dataclass(frozen=True, slots=True)
class Checklist:
    """Points before the next stage."""

    stage: Stage | None
    points: tuple[Point, ...]

    @property
    def open(self) -> int:
        return sum(not point.over for point in self.points)

    @property
    def decks(self) -> Point:
        return next(point for point in self.points if point.item == Item.DECKS)


def checklist_of(tournament: Tournament, stages: Iterable[Stage]) -> Checklist | None:
    """Checklist of the event's next stage, if any."""
    planned = [stage.pk for stage in stages if stage.state == Stage.State.PLANNED]
    stage = Stage.objects.filter(pk__in=planned, tables__isnull=False).order_by("number").first()
    if stage is None and tournament.state != Tournament.State.PLANNED:
        return None
    seats = Prefetch("seats", Seat.objects.select_related("entry"))
    tables = list(
        Table.objects.filter(stage=stage).order_by("number").prefetch_related(seats) if stage else ()
    )
    ticks = {tick.item: tick for tick in Tick.objects.filter(tournament=tournament).select_related("by")}
    entries = list(Entry.objects.filter(tournament=tournament).taking_part().values_list("state", flat=True))
    slug = tournament.slug
    points = [
        Point(
            item=Item.PLAYERS,
            title=gettext("Players checked in"),
            url=reverse("organise-players", args=[slug]),
            action=gettext("Check in players"),
            **_players(entries),
        ),
        Point(
            item=Item.REFEREES,
            title=gettext("A referee at each table"),
            url=reverse("organise-roles", args=[slug]),
            action=gettext("Referees and roles"),
            **_referees(tournament, tables),
        ),
        Point(
            item=Item.DECKS,
            title=gettext("Enough decks"),
            url=f"{reverse('organise-checklist', args=[slug])}#decks",
            action=gettext("Count the decks"),
            **_decks(tournament, stage, tables),
        ),
        Point(
            item=Item.PHONE,
            title=gettext("A phone connected over the venue’s wifi"),
            text=gettext("Scan the checklist’s code with a phone on the venue’s wifi."),
            url=f"{reverse('organise-checklist', args=[slug])}#phone",
            action=gettext("Show the code"),
        ),
        Point(
            item=Item.BACKUP,
            title=gettext("A fresh backup"),
            url=f"{reverse('organise-checklist', args=[slug])}#backup",
            action=gettext("Make a backup"),
            **_backup(tournament),
        ),
        Point(
            item=Item.AWAKE,
            title=gettext("This computer will not sleep"),
            text=gettext("Plug it in and switch off sleep mode. If it sleeps, nobody can enter anything."),
            url=f"{reverse('organise-checklist', args=[slug])}#awake",
            action=gettext("How to"),
        ),
    ]
    return Checklist(stage, tuple(_with_tick(point, ticks.get(point.item), tournament) for point in points))


def _players(states: Sequence[str]) -> dict[str, Any]:
    missing = sum(state in Entry.EXPECTED for state in states)
    here = sum(state == Entry.State.CHECKED_IN for state in states)
    if missing:
        return {"text": gettext("%(here)d here, %(missing)d expected.") % {"here": here, "missing": missing}}
    return {"text": gettext("%(here)d here.") % {"here": here}, "done": here > 0}


def _referees(tournament: Tournament, tables: list[Table]) -> dict[str, Any]:
    memberships = Membership.objects.filter(tournament=tournament)
    own = set(memberships.filter(table__in=tables).values_list("table_id", flat=True))
    everywhere = memberships.filter(table__isnull=True, role=Membership.Role.TABLE_REFEREE).count()
    lacking = sum(table.pk not in own for table in tables)
    if not tables:
        words = ngettext("%(n)d referee so far.", "%(n)d referees so far.", everywhere)
        return {"text": words % {"n": everywhere}}
    if not lacking:
        return {"text": gettext("Each table has its own referee."), "done": True}
    numbers = {"tables": lacking, "referees": everywhere}
    if everywhere >= lacking:
        return {
            "text": gettext("Referees: %(referees)d. Tables to cover: %(tables)d.") % numbers,
            "done": True,
        }
    return {
        "text": gettext(
            "Tables without a referee of their own: %(tables)d. Referees for all tables: %(referees)d."
        )
        % numbers
    }


def _decks(tournament: Tournament, stage: Stage | None, tables: list[Table]) -> dict[str, Any]:
    ruleset = RULESETS[tournament.ruleset]
    fixed = stage.settings.get("decks") if stage else None
    needed = sum(
        fixed or decks_for(ruleset, sum(seat.plays_on for seat in table.seats.all())) for table in tables
    )
    have = tournament.decks
    if not tables:
        return {"text": gettext("The number is known once everyone has a seat.")}
    if have is None:
        words = ngettext(
            "%(needed)d deck needed. Count yours.", "%(needed)d decks needed. Count yours.", needed
        )
        return {"text": words % {"needed": needed}}
    return {
        "text": gettext("%(needed)d needed, %(have)d at hand.") % {"needed": needed, "have": have},
        "done": have >= needed,
    }


def _backup(tournament: Tournament) -> dict[str, Any]:
    made = newest()
    if made is None:
        return {"text": gettext("None yet.")}
    text = gettext("The newest is from %(time)s.") % {"time": moment(made, tournament)}
    if since := tournament.ledger.filter(at__gt=made).count():
        text += " " + ngettext("%(n)d change since then.", "%(n)d changes since then.", since) % {"n": since}
    return {"text": text, "done": timezone.now() - made < FRESH}


def _with_tick(point: Point, tick: Tick | None, tournament: Tournament) -> Point:
    if tick is None:
        return point
    by = "" if tick.item == Item.PHONE and tick.by.writes_by_link else tick.by.display_name()
    words = gettext("Ticked off %(time)s by %(who)s") if by else gettext("Connected %(time)s")
    return replace(point, ticked=words % {"time": moment(tick.at, tournament), "who": by})


# ---- A stage's freeze for its organiser ----


@dataclass(frozen=True, slots=True, kw_only=True)
class Freeze:
    """A stage publicly shown as `at` that time. `by`: the frozen stage."""

    stage: Stage
    by: Stage
    at: datetime

    @property
    def own(self) -> bool:
        return self.stage.frozen_after is not None

    @property
    def by_earlier(self) -> bool:
        return self.by.pk != self.stage.pk

    @property
    def begun(self) -> bool:
        """Whether the reveal has begun."""
        return self.stage.revealed is not None

    @property
    def may_begin(self) -> bool:
        return (
            self.own and self.stage.state == Stage.State.FINISHED and not self.begun and not self.by_earlier
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Revealing:
    """Reveal: steps `left`, what the `next` shows per contest, what was `seen`."""

    left: int
    next: Sequence[Reveal]
    seen: Sequence[Reveal]


def freeze_of(stage: Stage, stages: Iterable[Stage] | None = None) -> Freeze | None:
    """The stage's freeze, else None."""
    by = freezing(stage, stages)
    if by is None or by.frozen_after is None:
        return None
    return Freeze(
        stage=stage,
        by=by,
        at=LedgerRow.objects.values_list("at", flat=True).get(
            tournament=stage.tournament_id, sequence=by.frozen_after
        ),
    )


def true_board(stage: Stage) -> StageBoard:
    """The unfrozen board, for the event's staff."""
    with snapshot():
        row = Stage.objects.select_related("tournament").get(pk=stage.pk)
        return stage_board(row.tournament, row, taking_part(row.tournament, ()), seen=truth(row))


def revealing(stage: Stage) -> Revealing | None:
    """The reveal in progress, else None."""
    with snapshot():
        row = Stage.objects.select_related("tournament").get(pk=stage.pk)
        frozen = shown(row).frozen
        if frozen is None or frozen.unveiled is None:
            return None
        results = stage_results(row)
    people = {uid: Person(name=name) for each in results for uid, name in each.names.items()}
    left = left_of(row, results)
    return Revealing(
        left=left,
        next=[reveal for each in results if (reveal := _next(each, left, people))],
        seen=[reveal_of(each, people) for each in frozen.unveiled],
    )


def _next(results: ContestResults, left: int, people: dict[str, Person]) -> Reveal | None:
    now, then = unveiled(results, left), unveiled(results, left - 1)
    known = {row.player for row in now.standings}
    rows = tuple(row for row in then.standings if row.player not in known)
    heats = then.heats[len(now.heats) :]
    return reveal_of(replace(then, standings=rows, heats=heats), people) if rows or heats else None
