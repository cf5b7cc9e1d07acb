"""The checklist before the start."""

from uuid import uuid4

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tournament import actions
from tournament.actions.event.checklist import MOST_DECKS
from tournament.actions.people.roles import own_link_user
from tournament.backup import BackupFailed, make_backup
from tournament.links import holds, token_for, uid_in
from tournament.models import Membership, Tournament
from tournament.pages.organiser.health import backups_of
from tournament.pages.organiser.next_step import checklist_of
from tournament.permissions import may
from tournament.results import Typed, uuid_or_none
from tournament.server.venue import public_address, qr_svg, reach
from tournament.views import (
    Attempt,
    attempt_action,
    attempt_call,
    by_link,
    device_of,
    get_tournament,
    page,
    receipt_of,
    see_other,
    signed_in_form,
    user_of,
)


@signed_in_form
def checklist(request: HttpRequest, slug: str) -> HttpResponse:
    """The checklist. POST: `tick`, `untick`, `decks`, or `backup` (staff)."""
    tournament = get_tournament(request, slug, Membership.Role.HEAD_REFEREE)
    if "backup" in request.POST:
        return _make_backup(request, tournament)
    typed = Typed(request.POST)
    if "decks" in request.POST:
        attempt = attempt_action(
            request,
            actions.set_decks,
            tournament.uid,
            typed=typed,
            decks=typed.whole("decks", "/decks", most=MOST_DECKS),
        )
    elif "untick" in request.POST:
        attempt = attempt_action(request, actions.untick, tournament.uid, item=typed.text("untick"))
    else:
        attempt = attempt_action(request, actions.tick, tournament.uid, item=typed.text("tick"))
    return attempt.answer(
        reverse("organise-checklist", args=[slug]), lambda: _page(request, tournament, attempt)
    )


@by_link
@require_http_methods(["GET", "HEAD", "POST"])
def phone_check(request: HttpRequest, token: str) -> HttpResponse:
    """Phone check (js/watch/phone_check.js); POST ticks the point."""
    tournament = get_object_or_404(Tournament.objects.visible(), uid=uid_in(token))
    if not holds(token, "hello", tournament.uid):
        raise Http404
    said = request.method == "POST"
    if said:
        command = actions.Command(
            uuid_or_none(request.POST.get("command", "")) or uuid4(),
            own_link_user(),
            device_of(request),
        )
        attempt = attempt_call(lambda: actions.say_hello(command, tournament.uid, token=token))
        said = all(fault.code == "ticked_already" for fault in attempt.faults)
    return render(request, "public/hello.html", {"tournament": tournament, "said": said, "command": uuid4()})


NO_PHONE = "no-phone"  # session key: the warning was dismissed


@signed_in_form
def no_phone(request: HttpRequest) -> HttpResponse:
    """Dismiss the warning that no phone connects."""
    if request.method == "POST":
        request.session[NO_PHONE] = True
    back = request.POST.get("back", "")
    known = url_has_allowed_host_and_scheme(back, allowed_hosts=None)
    return see_other(back if known and back.startswith("/") else reverse("organise"))


def no_phone_address(request: HttpRequest) -> str:
    """The public address while no phone has reached it, or ""."""
    if not reach.nobody or request.session.get(NO_PHONE):
        return ""
    return public_address(request)


def _make_backup(request: HttpRequest, tournament: Tournament) -> HttpResponse:
    if not user_of(request).is_staff:
        raise Http404
    try:
        made = make_backup()
    except (BackupFailed, OSError) as failed:
        messages.error(request, _("Backup failed: %(why)s") % {"why": failed})
    else:
        messages.success(request, _("Backup saved: %(file)s") % {"file": made.name})
    return redirect("organise-checklist", slug=tournament.slug)


def _page(request: HttpRequest, tournament: Tournament, attempt: Attempt) -> HttpResponse:
    address = public_address(request, f"/hello/{token_for('hello', tournament.uid)}/")
    user = user_of(request)
    found = checklist_of(tournament, tournament.stages.all())
    words = attempt.context()
    return page(
        request,
        "organiser/checklist.html",
        tournament,
        status=attempt.status,
        section="events",
        checklist=found,
        points=[(point, uuid4()) for point in found.points] if found else [],
        count=uuid4(),
        wrong_decks=words["wrong"].get("/decks", ""),
        decks=request.POST.get("decks", "" if tournament.decks is None else tournament.decks),
        address=address,
        qr=qr_svg(address),
        staff=user.is_staff,
        backups=backups_of(tournament),
        no_phone=no_phone_address(request),
        may_count=may(user, "set_decks", tournament),
        at=receipt_of(request, tournament),
        **words,
    )
