"""A player's page by their own link."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4, uuid5

from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from tournament import actions
from tournament.actions.people.roles import own_link_user
from tournament.forms.fields import add_faults
from tournament.forms.registration import JoinForm, OwnDataForm
from tournament.links import holds, token_for, uid_in
from tournament.models import ENTRY, Entry, LedgerRow, Seat, Stage, Table, Tournament, can
from tournament.pages.components import Problem
from tournament.pages.public.player import found_for, what_follows
from tournament.pages.public.scenes import clock_for
from tournament.pages.public.stage import sitting
from tournament.queries.people import erased_among, stays_for
from tournament.queries.registration import (
    check_in_now,
    is_open,
    numbered_name,
    place_in_line,
    places_left,
    questions_of,
    registration_of,
)
from tournament.queries.visible import shown, still_sitting, taking_part
from tournament.results import uuid_or_none
from tournament.server.venue import public_address, qr_svg
from tournament.views import (
    NOT_FOUND,
    OK,
    UNPROCESSABLE,
    Attempt,
    attempt_call,
    by_link,
    device_of,
    page,
    refused,
    remember_link,
    saved,
    see_other,
    sequence_of,
)
from tournament.views.public.pages import MOST_SPREAD_S
from tournament.views.public.practice import over
from tournament.words.faults import ruleset_name

State = Entry.State

Words = str | Promise

# Per status: heading and meaning.
STANDS: dict[str, tuple[Words, Words]] = {
    State.APPLIED: (
        _("You have asked to take part"),
        _(
            "An organiser will accept or decline your request. Check back here: the answer will be on"
            " this page."
        ),
    ),
    State.WAITING: (
        _("You are on the waiting list"),
        _(
            "All places are taken. When someone cancels, the first player on the list gets the place."
            " You will see it on this page."
        ),
    ),
    State.CANCELLED: (_("You are not taking part"), _("You are not on the list of players.")),
    State.REGISTERED: (_("You are registered"), _("See you there.")),
    State.LATE: (_("Running late"), _("The organisers know. Check in when you arrive.")),
    State.CHECKED_IN: (_("You are checked in"), _("The organisers know that you are here.")),
    State.NO_SHOW: (
        _("You were marked as a no-show"),
        _("Are you here? Tell a referee or an organiser, and they will let you in."),
    ),
    State.LEFT: (_("You have left"), _("Everything you have played stays in the results.")),
    State.DISQUALIFIED: (_("You were removed"), _("Ask the referees or the contact person about it.")),
}


@dataclass(frozen=True, slots=True)
class OwnSeat:
    """A player's seat; names of `others` go clockwise."""

    stage: Stage
    table: int
    position: int
    others: tuple[str, ...]


@by_link
@require_safe
def own(request: HttpRequest, token: str) -> HttpResponse:
    """Status and actions; once merged, the other's public page."""
    entry = entry_of(token)
    if entry and (stays := stays_for(entry)) and stays.is_in:
        return redirect("entry", entry.tournament.slug, stays.uid)
    return _own_page(request, entry, token, Attempt()) if entry else unknown(request, token)


@by_link
@require_http_methods(["GET", "HEAD", "POST"])
def move(request: HttpRequest, token: str, what: str) -> HttpResponse:
    """POST: `check-in`, `late` or `back`."""
    entry = entry_of(token)
    moves: dict[str, Callable[..., actions.Receipt]] = {
        "check-in": actions.check_in_self,
        "late": actions.come_late,
        "back": actions.come_back_self,
    }
    if entry is None or what not in moves:
        return unknown(request, token)
    attempt = attempt_of(request, entry, moves[what], token=token)
    return attempt.answer_button(
        request, reverse("own", args=[token]), lambda: _own_page(request, entry, token, attempt)
    )


@by_link
@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: HttpRequest, token: str) -> HttpResponse:
    """Preview the consequences; POST cancels or leaves."""
    entry = entry_of(token)
    if entry is None:
        return unknown(request, token)
    if not may_leave(entry):
        return redirect("own", token=token)
    attempt = attempt_of(
        request, entry, actions.cancel_self if cancels(entry) else actions.leave_self, token=token
    )
    if attempt.receipt:
        return saved(reverse("own", args=[token]), attempt.receipt)
    found = found_for(entry)
    return page(
        request,
        "public/own_leave.html",
        entry.tournament,
        status=attempt.status,
        entry=entry,
        token=token,
        cancels=cancels(entry),
        follows=what_follows(entry, found, cancels=cancels(entry)),
        possible=found.possible,
        command=uuid4(),
        **errors_of(entry, attempt),
    )


@by_link
@require_http_methods(["GET", "HEAD", "POST"])
def data(request: HttpRequest, token: str) -> HttpResponse:
    """Change my data; nickname and club are public."""
    entry = entry_of(token)
    if entry is None:
        return unknown(request, token)
    form = OwnDataForm(questions_of(entry.tournament), entry, request.POST or None)
    attempt = Attempt() if request.method != "POST" else refused()
    if form.is_valid() and not form.has_changed():
        attempt = Attempt(unchanged=True)
    elif form.is_valid():
        attempt = attempt_of(
            request, entry, actions.change_own_entry, token=token, **form.changes(form.arguments())
        )
        add_faults(form, attempt.faults, fields=form.answer_fields)
    return attempt.answer(
        reverse("own", args=[token]),
        lambda: page(
            request,
            "public/own_data.html",
            entry.tournament,
            status=attempt.status,
            entry=entry,
            token=token,
            form=form,
            command=_command(request),
        ),
    )


def entry_of(token: str) -> Entry | None:
    """The token's entry; None if invalid or put away."""
    uid = uid_in(token)
    entries = Entry.objects.select_related("tournament", "player")
    entry = entries.filter(uid=uid, tournament__put_away=False).first() if uid else None
    if entry is None or not holds(token, "player", entry.uid, entry.link_number):
        return None
    remember_link(token, entry.tournament)
    return entry


def may_leave(entry: Entry) -> bool:
    return not (
        entry.is_out or entry.state == State.CANCELLED or entry.tournament.state == Tournament.State.FINISHED
    )


def cancels(entry: Entry) -> bool:
    """Leaving is a cancellation before check-in and play."""
    planned = entry.tournament.state == Tournament.State.PLANNED
    return not entry.is_in or (planned and entry.state in Entry.EXPECTED)


def _own_page(request: HttpRequest, entry: Entry, token: str, attempt: Attempt) -> HttpResponse:
    tournament = entry.tournament
    registration = registration_of(tournament)
    address = public_address(request, reverse("short-own", args=[token]))
    heading, meaning = STANDS[entry.state]
    return page(
        request,
        "public/own_entry.html",
        tournament,
        status=attempt.status,
        entry=entry,
        token=token,
        heading=heading,
        hall_clock=clock_for(entry, tournament),
        meaning=meaning,
        in_line=place_in_line(entry) if entry.state == State.WAITING else None,
        seats=own_seats(entry),
        check_in=check_in_now(registration, timezone.now()) if entry.state in Entry.EXPECTED else None,
        may_be_late=entry.state == State.REGISTERED and tournament.state != Tournament.State.FINISHED,
        may_leave=may_leave(entry),
        cancels=cancels(entry),
        may_come_back=can(ENTRY, entry.state, "come_back") and tournament.state == Tournament.State.PLANNED,
        contact_person=registration.contact_person,
        numbered=entry.public_name == numbered_name(entry),
        may_rename=tournament.state == Tournament.State.PLANNED,
        address=address,
        qr=qr_svg(address),
        new="new" in request.GET,
        command=uuid4(),
        at=_stored_at(request, entry),
        **errors_of(entry, attempt),
        # no reload over errors
        **({} if attempt.faults else {"scope": str(tournament.uid), "version": tournament.version}),
        spread=MOST_SPREAD_S,
    )


def _stored_at(request: HttpRequest, entry: Entry) -> datetime | None:
    row = LedgerRow.objects.filter(tournament=entry.tournament, sequence__in=[sequence_of(request)]).first()
    return row.at if row and str(entry.uid) in row.payload.get("entry", {}) else None


def unknown(request: HttpRequest, token: str = "") -> HttpResponse:
    """Invalid link, or erased data."""
    return over(request) or render(request, "public/own_unknown.html", _erased_by(token), status=NOT_FOUND)


def _erased_by(token: str) -> dict[str, Any]:
    uid = uid_in(token)
    entry = Entry.objects.select_related("tournament").filter(uid=uid).first() if uid else None
    erased = erased_among(entry.tournament, [entry]) if entry else []
    if entry is None or not erased or not holds(token, "player", entry.uid, entry.link_number - 1):
        return {}
    return {"tournament": entry.tournament, "erased": erased, "takes_part": entry.is_in}


def attempt_of(
    request: HttpRequest, entry: Entry, action: Callable[..., actions.Receipt], **arguments: Any
) -> Attempt:
    """Call an action for the link's holder."""
    if request.method != "POST":
        return Attempt()
    asked = actions.Command(_command(request), own_link_user(), device_of(request))
    return attempt_call(lambda: action(asked, entry.tournament.uid, **arguments))


def _command(request: HttpRequest) -> UUID:
    return uuid_or_none(request.POST.get("command", "")) or uuid4()


def errors_of(entry: Entry, attempt: Attempt) -> dict[str, Any]:
    """Faults, worded for the player."""
    if any(fault.code == "in_running_game" for fault in attempt.faults):
        text = _(
            "You are in a game now. Tell the referee at your table, who will record that you are giving up."
        )
        return {"errors": [Problem(str(text))]}
    return attempt.context({str(entry.uid): entry.shown_name})


def own_seats(entry: Entry) -> list[OwnSeat]:
    """Seats in unfinished stages; while frozen, only with public neighbours."""
    stages = list(Stage.objects.filter(tournament=entry.tournament).select_related("tournament"))
    rows = (
        Seat.objects.playing_on()
        .filter(entry=entry)
        .exclude(table__stage__state=Stage.State.FINISHED)
        .select_related("table__stage__tournament")
        .prefetch_related(Prefetch("table__seats", Seat.objects.select_related("entry")))
    )
    frozen = any(stage.frozen_after is not None for stage in stages)
    return [
        found
        for seat in rows.order_by("-table__stage__number")
        if (found := _known_seat(seat.table, entry, stages) if frozen else _own_seat(seat))
    ]


def _own_seat(seat: Seat) -> OwnSeat:
    table = [each for each in seat.table.seats.all() if each.plays_on]
    at = table.index(seat)
    return OwnSeat(
        seat.table.stage,
        seat.table.number,
        seat.position,
        tuple(each.entry.shown_name for each in [*table[at + 1 :], *table[:at]]),
    )


def _known_seat(table: Table, entry: Entry, stages: Sequence[Stage]) -> OwnSeat | None:
    seen = shown(table.stage, stages)
    names = {uid: name for contest in seen.contests for uid, name in contest.names.items()}
    there = {seat.entry for contest in seen.contests for seat in sitting(contest.seats, table.number)}
    seats = sitting(still_sitting(seen, taking_part(entry.tournament, stages, there)), table.number)
    at = next((index for index, seat in enumerate(seats) if seat.entry == entry.uid), None)
    if at is None:
        return None
    return OwnSeat(
        table.stage,
        table.number,
        seats[at].position,
        tuple(names[str(seat.entry)] for seat in [*seats[at + 1 :], *seats[:at]]),
    )


# ---- Registration for an event ----


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, slug: str) -> HttpResponse:
    """POST registers and leads to the player's page."""
    tournament = get_object_or_404(Tournament.objects.visible(), slug=slug)
    command = uuid_or_none(request.POST.get("command", "")) or uuid4()
    entry = uuid5(command, "entry")
    questions = questions_of(tournament)
    if request.method != "POST":
        return _page(request, tournament, JoinForm(questions), command)
    form = JoinForm(questions, request.POST)
    asked = actions.Command(command, own_link_user(), device_of(request))
    status = UNPROCESSABLE
    if form.is_valid():
        attempt = attempt_call(
            lambda: actions.register(asked, tournament.uid, entry=entry, **form.arguments())
        )
        if not attempt.receipt:
            add_faults(form, attempt.faults, fields=form.answer_fields)
            status = attempt.status
    if made := Entry.objects.filter(tournament=tournament, uid=entry).first():
        return see_other(reverse("own", args=[token_for("player", made.uid, made.link_number)]) + "?new=1")
    return _page(request, tournament, form, command, status)


def _page(
    request: HttpRequest, tournament: Tournament, form: JoinForm, command: UUID, status: int = OK
) -> HttpResponse:
    registration = registration_of(tournament)
    opened = is_open(registration, timezone.now())
    return page(
        request,
        "public/join.html",
        tournament,
        status=status,
        registration=registration,
        open=opened,
        left=places_left(registration) if opened else None,
        ruleset=ruleset_name(tournament.ruleset),
        form=form if opened or form.is_bound else None,
        command=command,
    )
