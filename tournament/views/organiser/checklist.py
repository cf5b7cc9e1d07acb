"""The checklist before the start: what is done by the facts, what somebody ticked off, and what is still open."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from rulesets import RULESETS
from scoring import decks_for
from tournament import actions
from tournament.actions.event.checklist import MOST_DECKS
from tournament.backup import BackupFailed, make_backup, newest
from tournament.links import holds, token_for, uid_in
from tournament.models import Entry, Membership, Stage, Table, Tick, Tournament
from tournament.pages.organiser.health import backups_of, moment
from tournament.permissions import may
from tournament.results.typed import Typed, uuid_or_none
from tournament.server.venue import public_address, qr_svg
from tournament.views._access import by_link, device_of, get_tournament, signed_in_form, user_of
from tournament.views._answer import Attempt, attempt_action, attempt_call, page, receipt_of

Item = Tick.Item
FRESH = timedelta(hours=12)  # how old a backup may be at the start


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One point: `done` by the facts, or `ticked` by somebody; `url` leads to where it can be fixed."""

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
    """The points before the stage that comes next."""

    stage: Stage | None
    points: tuple[Point, ...]

    @property
    def open(self) -> int:
        return sum(not point.over for point in self.points)

    @property
    def decks(self) -> Point:
        return next(point for point in self.points if point.item == Item.DECKS)


def checklist_of(tournament: Tournament) -> Checklist | None:
    """The checklist of a tournament whose next stage has not begun; None if nothing is left to start."""
    stages = Stage.objects.filter(tournament=tournament)
    stage = stages.filter(state=Stage.State.PLANNED, tables__isnull=False).order_by("number").first()
    if stage is None and tournament.state != Tournament.State.PLANNED:
        return None
    tables = (
        list(Table.objects.filter(stage=stage).order_by("number").prefetch_related("seats__entry"))
        if stage
        else []
    )
    ticks = {tick.item: tick for tick in Tick.objects.filter(tournament=tournament).select_related("by")}
    entries = list(Entry.objects.filter(tournament=tournament).taking_part().values_list("state", flat=True))
    slug = tournament.slug
    points = [
        Point(
            item=Item.PLAYERS,
            title=_("Players are checked in"),
            url=reverse("organise-players", args=[slug]),
            action=_("Check players in"),
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
            title=_("Decks enough"),
            url=f"{reverse('organise-checklist', args=[slug])}#decks",
            action=_("Count the decks"),
            **_decks(tournament, stage, tables),
        ),
        Point(
            item=Item.PHONE,
            title=_("A phone got through over the venue’s wifi"),
            text=_("Scan the code of the checklist with a phone that is in the venue’s wifi."),
            url=f"{reverse('organise-checklist', args=[slug])}#phone",
            action=_("Show the code"),
        ),
        Point(
            item=Item.BACKUP,
            title=_("A backup is made"),
            url=f"{reverse('organise-checklist', args=[slug])}#backup",
            action=_("Make a backup"),
            **_backup(tournament),
        ),
        Point(
            item=Item.AWAKE,
            title=_("This computer will not sleep"),
            text=_("Plug it in and switch off its sleep: when it sleeps, nobody can enter anything."),
            url=f"{reverse('organise-checklist', args=[slug])}#awake",
            action=_("How to"),
        ),
    ]
    return Checklist(stage, tuple(_with_tick(point, ticks.get(point.item), tournament) for point in points))


@signed_in_form
def checklist(request: HttpRequest, slug: str) -> HttpResponse:
    """The checklist with its code; POST ticks a point off (`tick`), takes a tick back (`untick`), counts the decks
    (`decks`) or makes a backup (`backup`, for staff: it holds everybody's events)."""
    tournament = get_tournament(request, slug, Membership.Role.HEAD_REFEREE)
    if "backup" in request.POST:
        return _make_backup(request, tournament)
    typed = Typed(request.POST)
    if "decks" in request.POST:
        decks = typed.whole("decks", "/decks", most=MOST_DECKS)
        attempt = attempt_action(request, actions.set_decks, tournament.uid, typed=typed, decks=decks)
    elif "untick" in request.POST:
        attempt = attempt_action(request, actions.untick, tournament.uid, item=typed.text("untick"))
    else:
        attempt = attempt_action(request, actions.tick, tournament.uid, item=typed.text("tick"))
    url = reverse("organise-checklist", args=[slug])
    return attempt.answer(url, lambda: _page(request, tournament, attempt))


@by_link
@require_http_methods(["GET", "HEAD", "POST"])
def phone_check(request: HttpRequest, token: str) -> HttpResponse:
    """The phone check: a page with one button, which js/watch/phone_check.js presses; POST ticks the point off. A phone
    that comes right after another gets through all the same."""
    tournament = get_object_or_404(Tournament.objects.visible(), uid=uid_in(token))
    if not holds(token, "hello", tournament.uid):
        raise Http404
    said = request.method == "POST"
    if said:
        command = actions.Command(
            uuid_or_none(request.POST.get("command", "")) or uuid4(),
            actions.own_link_user(),
            device_of(request),
        )
        attempt = attempt_call(lambda: actions.say_hello(command, tournament.uid, token=token))
        said = all(fault.code == "ticked_already" for fault in attempt.faults)
    return render(request, "public/hello.html", {"tournament": tournament, "said": said, "command": uuid4()})


def _make_backup(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    if not user_of(request).is_staff:
        raise Http404
    try:
        made = make_backup()
    except (BackupFailed, OSError) as failed:
        messages.error(request, _("No backup was made: %(why)s") % {"why": failed})
    else:
        messages.success(request, _("The backup is made: %(file)s") % {"file": made.name})
    return redirect("organise-checklist", slug=tournament.slug)


def _page(request: HttpRequest, tournament: Tournament, attempt: Attempt) -> HttpResponse:
    address = public_address(request, f"/hello/{token_for('hello', tournament.uid)}/")
    user = user_of(request)
    found = checklist_of(tournament)
    words = attempt.context()
    context = {
        "section": "events",
        "checklist": found,
        "points": [(point, uuid4()) for point in found.points] if found else [],
        "count": uuid4(),
        "wrong_decks": words["wrong"].get("/decks", ""),
        "decks": request.POST.get("decks", "" if tournament.decks is None else tournament.decks),
        "address": address,
        "qr": qr_svg(address),
        "staff": user.is_staff,
        "backups": backups_of(tournament, staff=user.is_staff),
        "may_count": may(user, "set_decks", tournament),
        "at": receipt_of(request, tournament),
        **words,
    }
    return page(request, "organiser/checklist.html", context, tournament, status=attempt.status)


def _players(states: Iterable[str]) -> dict[str, Any]:
    states = list(states)
    missing = sum(state in Entry.EXPECTED for state in states)
    here = sum(state == Entry.State.CHECKED_IN for state in states)
    words = ngettext("%(here)d is here", "%(here)d are here", here) % {"here": here}
    if missing:
        more = ngettext("%(missing)d is not", "%(missing)d are not", missing) % {"missing": missing}
        return {"text": f"{words}, {more}."}
    return {"text": f"{words}.", "done": here > 0}


def _referees(tournament: Tournament, tables: list[Table]) -> dict[str, Any]:
    memberships = Membership.objects.filter(tournament=tournament)
    own = set(memberships.filter(table__in=tables).values_list("table_id", flat=True))
    everywhere = memberships.filter(table__isnull=True, role=Membership.Role.TABLE_REFEREE).count()
    lacking = sum(table.pk not in own for table in tables)
    if not tables:
        text = ngettext("%(n)d referee so far.", "%(n)d referees so far.", everywhere) % {"n": everywhere}
        return {"text": text}
    if not lacking:
        return {"text": _("Each table has one of its own."), "done": True}
    numbers = {"tables": lacking, "referees": everywhere}
    if everywhere >= lacking:
        return {"text": _("%(referees)d referees for %(tables)d tables.") % numbers, "done": True}
    return {
        "text": _("%(tables)d tables have none of their own; %(referees)d referees are for all.") % numbers
    }


def _decks(tournament: Tournament, stage: Stage | None, tables: list[Table]) -> dict[str, Any]:
    ruleset = RULESETS[tournament.ruleset]
    fixed = stage.settings.get("decks") if stage else None
    needed = sum(
        fixed or decks_for(ruleset, sum(seat.plays_on for seat in table.seats.all())) for table in tables
    )
    have = tournament.decks
    if not tables:
        return {"text": _("How many are needed is known once everybody has a seat.")}
    if have is None:
        words = ngettext("%(needed)d is needed. Count yours.", "%(needed)d are needed. Count yours.", needed)
        return {"text": words % {"needed": needed}}
    text = _("%(needed)d needed, %(have)d at hand.") % {"needed": needed, "have": have}
    return {"text": text, "done": have >= needed}


def _backup(tournament: Tournament) -> dict[str, Any]:
    made = newest()
    if made is None:
        return {"text": _("None yet.")}
    text = _("The newest is of %(time)s.") % {"time": moment(made, tournament)}
    since = tournament.ledger.filter(at__gt=made).count()
    if since:
        text += " " + ngettext("%(n)d change since.", "%(n)d changes since.", since) % {"n": since}
    return {"text": text, "done": timezone.now() - made < FRESH}


def _with_tick(point: Point, tick: Tick | None, tournament: Tournament) -> Point:
    if tick is None:
        return point
    by = "" if tick.item == Item.PHONE and tick.by.writes_by_link else tick.by.display_name()
    at = moment(tick.at, tournament)
    words = _("Ticked off %(time)s by %(who)s") if by else _("Got through %(time)s")
    return replace(point, ticked=words % {"time": at, "who": by})
