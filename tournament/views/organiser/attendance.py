"""Attendance: check-in by tap, badge or all at once; other states after a preview."""

from typing import Any
from uuid import UUID, uuid4

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _, pgettext

from tournament import actions
from tournament.forms.fields import was_accepted
from tournament.models import Entry, Tournament
from tournament.pages.components import errors_context
from tournament.pages.organiser.attendance import UNPAID, Row, consent_missing, expected, seats_of
from tournament.pages.organiser.undo import Line, lines_of
from tournament.permissions import may
from tournament.queries.consequences import What, consequences
from tournament.results import Fault, uuid_or_none
from tournament.views import (
    Attempt,
    Role,
    asks_for_part,
    attempt_action,
    attempt_before,
    get_entry,
    get_tournament,
    page,
    reason_of,
    receipt_of,
    refused,
    saved,
    signed_in_form,
    site_page,
    user_of,
)
from tournament.views.organiser.players import (
    counts_context,
    fees_in,
    names_of,
    players_page,
)

State = Entry.State
WITHDRAW = "withdraw"


@signed_in_form
def check_in(request: HttpRequest, slug: str) -> HttpResponse:
    """Check in `entry` or `all` expected; `not_here` takes it back."""
    tournament = get_tournament(request, slug, Role.HEAD_REFEREE)
    if request.method != "POST":
        return redirect("organise-players", slug=slug)
    here, not_here = (uuid_or_none(request.POST.get(name, "")) for name in ("entry", "not_here"))
    if here:
        attempt = attempt_action(request, actions.check_in, tournament.uid, entries=[here])
    elif not_here:
        attempt = attempt_action(request, actions.take_back_check_in, tournament.uid, entries=[not_here])
    elif request.POST.get("all"):
        present = [row.uid for row in expected(tournament)]
        if not present or was_accepted(request.POST, tournament=tournament):
            return redirect("organise-players", slug=slug)
        attempt = attempt_action(request, actions.check_in, tournament.uid, entries=present)
    else:
        attempt = refused(Fault("nobody_chosen", "/entry"))
    one = here or not_here
    if one and asks_for_part(request):
        return _row(request, tournament, one, attempt)
    return attempt.answer(
        reverse("organise-board" if request.POST.get("back") == "board" else "organise-players", args=[slug]),
        lambda: players_page(request, tournament, attempt),
    )


@signed_in_form
def paid(request: HttpRequest, slug: str) -> HttpResponse:
    """Mark `paid` or `unpaid`; `back`: `player` or `arrive`."""
    tournament = get_tournament(request, slug, Role.HEAD_REFEREE)
    if request.method != "POST":
        return redirect("organise-players", slug=slug)
    has, has_not = (uuid_or_none(request.POST.get(name, "")) for name in ("paid", "unpaid"))
    one = has or has_not
    attempt = attempt_action(
        request, actions.mark_paid, tournament.uid, entries=[one] if one else [], paid=bool(has)
    )
    if one and asks_for_part(request):
        return _row(request, tournament, one, attempt)
    back = request.POST.get("back")
    to_one = one and back in {"player", "arrive"}
    return attempt.answer(
        reverse(f"organise-{back}", args=[one]) if to_one else reverse("organise-players", args=[slug]),
        lambda: players_page(request, tournament, attempt),
        **({"state": UNPAID} if "fees" in request.POST and not to_one else {}),
    )


@signed_in_form
def no_shows(request: HttpRequest, slug: str) -> HttpResponse:
    """Mark expected players as no-shows."""
    tournament = get_tournament(request, slug, Role.HEAD_REFEREE)
    rows = expected(tournament)
    # only those listed: others may have come since
    chosen = request.POST.getlist("shown" if "all" in request.POST else "entries")
    named = [uid for text in chosen if (uid := uuid_or_none(text))]
    if request.method == "POST" and not named:
        attempt = refused(Fault("nobody_chosen", "/entries"))
    else:
        attempt = attempt_action(request, actions.no_show, tournament.uid, entries=named)
    if attempt.receipt:
        return saved(reverse("organise-players", args=[slug]), attempt.receipt)
    found = consequences(tournament, rows, What.NO_SHOW)
    return page(
        request,
        "organiser/player_no_shows.html",
        tournament,
        status=attempt.status,
        section="events",
        rows=rows,
        named=named,
        late=sum(row.state == State.LATE for row in rows),
        follows=lines_of(found, What.NO_SHOW, seats=may(user_of(request), "seat_table", tournament)),
        possible=found.possible,
        command=uuid4(),
        **errors_context(attempt.faults, names_of(list(Entry.objects.filter(tournament=tournament)))),
    )


@signed_in_form
def arrive(request: HttpRequest, entry: UUID) -> HttpResponse:
    """A badge's page for organisers and head referees."""
    row = get_entry(request, entry, Role.HEAD_REFEREE)
    attempt = _let_in(request, row)
    return attempt.answer(
        reverse("organise-arrive", args=[row.uid]),
        lambda: page(
            request,
            "organiser/arrive.html",
            row.tournament,
            status=attempt.status,
            section="events",
            entry=row,
            real_name="" if row.player.name == row.public_name else row.player.name,
            seats=seats_of(row),
            expected=row.state in Entry.EXPECTED,
            asking=row.state in {State.APPLIED, State.WAITING},
            may_approve=may(
                user_of(request),
                "approve_entries" if row.state == State.APPLIED else "take_from_waiting",
                row.tournament,
            ),
            may_register=may(user_of(request), "set_registration", row.tournament),
            consent_missing=consent_missing(row),
            fees=fees_in(row.tournament),
            command=uuid4(),
            at=receipt_of(request, row.tournament),
            **errors_context(attempt.faults, names_of([row])),
        ),
    )


@signed_in_form
def move(request: HttpRequest, entry: UUID, what: str) -> HttpResponse:
    """`late`, `no-show`, `leave`, `back`, `remove`, `withdraw` (a mistake): preview; POST acts."""
    if what not in {*What, WITHDRAW}:
        raise Http404
    row = get_entry(request, entry, Role.ORGANISER if what == WITHDRAW else Role.HEAD_REFEREE)
    reason = reason_of(request)
    moves: dict[str, tuple[Any, dict[str, Any]]] = {
        What.LATE: (actions.comes_late, {"entry": row.uid}),
        What.NO_SHOW: (actions.no_show, {"entries": [row.uid]}),
        What.LEAVE: (actions.player_leaves, {"entry": row.uid, "reason": reason}),
        What.REMOVE: (actions.remove_player, {"entry": row.uid, "reason": request.POST.get("reason", "")}),
        What.BACK: (actions.readmit_player, {"entry": row.uid}),
        WITHDRAW: (actions.withdraw_entry, {"entry": row.uid}),
    }
    action, arguments = moves[what]
    attempt = attempt_action(request, action, row.tournament.uid, **arguments)
    return attempt.answer(
        reverse("organise-players", args=[row.tournament.slug]),
        lambda: page(
            request,
            "organiser/player_move.html",
            row.tournament,
            status=attempt.status,
            **_confirmation(request, row, what),
            section="events",
            entry=row,
            what=what,
            reason=reason,
            command=request.POST.get("command") or uuid4(),
            **errors_context(attempt.faults, names_of([row])),
        ),
    )


def _row(request: HttpRequest, tournament: Tournament, entry: UUID, attempt: Attempt) -> HttpResponse:
    row = get_object_or_404(Entry.objects.select_related("player"), tournament=tournament, uid=entry)
    problems = attempt.context(names_of([row]))["errors"]
    found = list(Entry.objects.filter(tournament=tournament).values_list("state", "paid"))
    fees = "fees" in request.POST or any(paid for _state, paid in found)
    return site_page(
        request,
        "organiser/_player_swap.html",
        status=attempt.status,
        **counts_context(tournament, found, fees=fees),
        tournament=tournament,
        organises=may(user_of(request), "edit_entry", tournament),
        row=Row(row, uuid4(), "; ".join(problem.text for problem in problems), fees),
        command=uuid4(),
    )


def _let_in(request: HttpRequest, row: Entry) -> Attempt:
    """Check in, after approval and waiting list if needed."""
    if request.method != "POST":
        return Attempt()
    steps: tuple[tuple[str, Any, dict[str, Any]], ...] = (
        (State.APPLIED, actions.approve_entries, {"entries": [row.uid]}),
        (State.WAITING, actions.take_from_waiting, {"entry": row.uid}),
    )
    for state, action, arguments in steps:
        if row.state == state:
            attempt = attempt_before(request, action, row.tournament.uid, **arguments)
            if attempt.faults:
                return attempt
            row.refresh_from_db(fields=["state"])
    return attempt_action(request, actions.check_in, row.tournament.uid, entries=[row.uid])


def _confirmation(request: HttpRequest, row: Entry, what: str) -> dict[str, Any]:
    question, action = {
        What.LATE: (_("Is %(name)s running late?"), pgettext("button", "Late")),
        What.NO_SHOW: (_("Mark %(name)s as a no-show?"), _("No-show")),
        What.LEAVE: (_("Has %(name)s left the event?"), _("Mark as left")),
        What.REMOVE: (_("Remove %(name)s from the event?"), _("Remove")),
        What.BACK: (_("Let %(name)s back in?"), _("Let back in")),
        WITHDRAW: (_("Remove the registration of %(name)s?"), _("Remove the registration")),
    }[what]
    if what == WITHDRAW:
        follows = [
            Line(_("The registration is removed completely, with its start number, badge and link.")),
            Line(_("Only for someone who never had a seat. Mark anyone who played here as left instead.")),
        ]
        possible = True
    else:
        found = consequences(row.tournament, [row], What(what))
        seats = may(user_of(request), "seat_table", row.tournament)
        follows, possible = lines_of(found, What(what), seats=seats), found.possible
    return {
        "question": question % {"name": row.shown_name},
        "action": action,
        "follows": follows,
        "possible": possible,
        "danger": what in {What.REMOVE, WITHDRAW},
        "reason_wanted": what in {What.REMOVE, What.LEAVE},
        "reason_optional": what == What.LEAVE,
    }
