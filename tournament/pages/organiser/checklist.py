"""Checklist before the start."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from django.db.models import Prefetch
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _, ngettext

from rulesets import RULESETS
from scoring import decks_for
from tournament.backup import newest
from tournament.models import Entry, Membership, Seat, Stage, Table, Tick, Tournament
from tournament.pages.organiser.health import moment

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


def checklist_of(tournament: Tournament) -> Checklist | None:
    """Checklist of the next stage; None if nothing is left to start."""
    stages = Stage.objects.filter(tournament=tournament)
    stage = stages.filter(state=Stage.State.PLANNED, tables__isnull=False).order_by("number").first()
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
            title=_("Players checked in"),
            url=reverse("organise-players", args=[slug]),
            action=_("Check in players"),
            **_players(entries),
        ),
        Point(
            item=Item.REFEREES,
            title=_("A referee at each table"),
            url=reverse("organise-roles", args=[slug]),
            action=_("Referees and roles"),
            **_referees(tournament, tables),
        ),
        Point(
            item=Item.DECKS,
            title=_("Enough decks"),
            url=f"{reverse('organise-checklist', args=[slug])}#decks",
            action=_("Count the decks"),
            **_decks(tournament, stage, tables),
        ),
        Point(
            item=Item.PHONE,
            title=_("A phone connected over the venue’s wifi"),
            text=_("Scan the checklist’s code with a phone on the venue’s wifi."),
            url=f"{reverse('organise-checklist', args=[slug])}#phone",
            action=_("Show the code"),
        ),
        Point(
            item=Item.BACKUP,
            title=_("A fresh backup"),
            url=f"{reverse('organise-checklist', args=[slug])}#backup",
            action=_("Make a backup"),
            **_backup(tournament),
        ),
        Point(
            item=Item.AWAKE,
            title=_("This computer will not sleep"),
            text=_("Plug it in and switch off sleep mode. If it sleeps, nobody can enter anything."),
            url=f"{reverse('organise-checklist', args=[slug])}#awake",
            action=_("How to"),
        ),
    ]
    return Checklist(stage, tuple(_with_tick(point, ticks.get(point.item), tournament) for point in points))


def _players(states: Iterable[str]) -> dict[str, Any]:
    states = list(states)
    missing = sum(state in Entry.EXPECTED for state in states)
    here = sum(state == Entry.State.CHECKED_IN for state in states)
    if missing:
        return {"text": _("%(here)d here, %(missing)d expected.") % {"here": here, "missing": missing}}
    return {"text": _("%(here)d here.") % {"here": here}, "done": here > 0}


def _referees(tournament: Tournament, tables: list[Table]) -> dict[str, Any]:
    memberships = Membership.objects.filter(tournament=tournament)
    own = set(memberships.filter(table__in=tables).values_list("table_id", flat=True))
    everywhere = memberships.filter(table__isnull=True, role=Membership.Role.TABLE_REFEREE).count()
    lacking = sum(table.pk not in own for table in tables)
    if not tables:
        words = ngettext("%(n)d referee so far.", "%(n)d referees so far.", everywhere)
        return {"text": words % {"n": everywhere}}
    if not lacking:
        return {"text": _("Each table has its own referee."), "done": True}
    numbers = {"tables": lacking, "referees": everywhere}
    if everywhere >= lacking:
        return {"text": _("Referees: %(referees)d. Tables to cover: %(tables)d.") % numbers, "done": True}
    return {
        "text": _("Tables without a referee of their own: %(tables)d. Referees for all tables: %(referees)d.")
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
        return {"text": _("The number is known once everyone has a seat.")}
    if have is None:
        words = ngettext(
            "%(needed)d deck needed. Count yours.", "%(needed)d decks needed. Count yours.", needed
        )
        return {"text": words % {"needed": needed}}
    text = _("%(needed)d needed, %(have)d at hand.") % {"needed": needed, "have": have}
    return {"text": text, "done": have >= needed}


def _backup(tournament: Tournament) -> dict[str, Any]:
    made = newest()
    if made is None:
        return {"text": _("None yet.")}
    text = _("The newest is from %(time)s.") % {"time": moment(made, tournament)}
    since = tournament.ledger.filter(at__gt=made).count()
    if since:
        text += " " + ngettext("%(n)d change since then.", "%(n)d changes since then.", since) % {"n": since}
    return {"text": text, "done": timezone.now() - made < FRESH}


def _with_tick(point: Point, tick: Tick | None, tournament: Tournament) -> Point:
    if tick is None:
        return point
    by = "" if tick.item == Item.PHONE and tick.by.writes_by_link else tick.by.display_name()
    words = _("Ticked off %(time)s by %(who)s") if by else _("Connected %(time)s")
    return replace(point, ticked=words % {"time": moment(tick.at, tournament), "who": by})
