"""Invites: make one, show its code, take it back; and post the referees at the tables of a stage."""

from datetime import UTC, datetime, time, timedelta
from uuid import UUID, uuid4, uuid5

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from tournament import actions
from tournament.forms.fields import add_faults
from tournament.forms.people import InviteForm
from tournament.links import token_for
from tournament.models import Invite, Membership, Table, Tournament
from tournament.results.typed import uuid_or_none
from tournament.server.venue import public_address, qr_svg
from tournament.views._access import get_stage, get_tournament, refuse_below, signed_in, user_of
from tournament.views._answer import OK, UNPROCESSABLE, Attempt, attempt_action, page, receipt_of, saved
from tournament.views.organiser.roles import roles_page

Role = Membership.Role


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def invites(request: HttpRequest, slug: str) -> HttpResponse:
    """A new invite; the quick one (no field sent but `role`) is for any number of people, until the day after."""
    tournament = get_tournament(request, slug)
    if request.method != "POST":
        return page(request, "organiser/invites.html", _new(InviteForm(tournament)), tournament)
    form = InviteForm(tournament, request.POST)
    command = uuid_or_none(request.POST.get("command", "")) or uuid4()
    status = UNPROCESSABLE
    if form.is_valid():
        invite = uuid5(command, "invite")
        attempt = attempt_action(
            request,
            actions.create_invite,
            tournament.uid,
            invite=invite,
            role=form.cleaned_data["role"],
            tables=form.tables(),
            label=form.cleaned_data["label"],
            most=form.cleaned_data["most"],
            expires_at=_expiry(tournament, form.days(), command),
        )
        if attempt.receipt:
            return saved(reverse("organise-invite", args=[invite]), attempt.receipt)
        add_faults(form, attempt.faults)
        status = attempt.status
    return page(request, "organiser/invites.html", _new(form), tournament, status=status)


@signed_in
@require_http_methods(["GET", "HEAD"])
def invite(request: HttpRequest, invite: UUID) -> HttpResponse:
    """One invite: its code to scan, who accepted it, and the way to take it back."""
    row = _invite(request, invite)
    return _page(request, row)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def revoke(request: HttpRequest, invite: UUID) -> HttpResponse:
    """Take the invite back, with the roles that came by it where `with_roles` is sent."""
    row = _invite(request, invite)
    if request.method != "POST":
        return redirect("organise-invite", invite=row.uid)
    attempt = attempt_action(
        request,
        actions.revoke_invite,
        row.tournament.uid,
        invite=row.uid,
        with_roles=bool(request.POST.get("with_roles")),
    )
    if attempt.receipt:
        return saved(reverse("organise-roles", args=[row.tournament.slug]), attempt.receipt)
    return _page(request, row, attempt=attempt)


@signed_in
@require_POST
def post(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Give every table of the stage a referee."""
    row = get_stage(request, stage)
    attempt = attempt_action(request, actions.post_referees, row.tournament.uid, stage=row.uid)
    if attempt.receipt:
        return saved(reverse("organise-roles", args=[row.tournament.slug]), attempt.receipt)
    return roles_page(request, row.tournament, attempt=attempt, status=attempt.status)


def _expiry(tournament: Tournament, days: int | None, command: UUID) -> datetime:
    """When the invite ends: after so many days, else at the end of the day after the event, or after today's. The same
    form gives the same moment again, since a form sent twice is one command."""
    sent = Invite.objects.filter(uid=uuid5(command, "invite")).values_list("expires_at", flat=True).first()
    if sent:
        return sent
    if days:
        return timezone.now() + timedelta(days=days)
    zone = tournament.zone
    last = max(tournament.starts_on, timezone.localdate(timezone=zone)) + timedelta(days=2)
    return datetime.combine(last, time(), tzinfo=zone).astimezone(UTC)


def _invite(request: HttpRequest, uid: UUID) -> Invite:
    row = Invite.objects.select_related("tournament").filter(uid=uid).first()
    if row is None:
        raise Http404
    refuse_below(user_of(request), row.tournament, Role.ORGANISER)
    return row


def _new(form: InviteForm) -> dict[str, object]:
    return {"section": "events", "form": form, "command": uuid4()}


def _page(request: HttpRequest, row: Invite, *, attempt: Attempt | None = None) -> HttpResponse:
    address = public_address(request, f"/i/{token_for('invite', row.uid)}/")
    now = timezone.now()
    memberships = row.memberships.select_related("user", "table__stage").order_by("pk")
    context = {
        "section": "events",
        "invite": row,
        "address": address,
        "qr": qr_svg(address),
        "tables": Table.objects.filter(uid__in=row.tables)
        .select_related("stage")
        .order_by("stage", "number"),
        "accepted": list(dict.fromkeys(membership.user.display_name() for membership in memberships)),
        "over": row.revoked_at is not None or row.expires_at <= now,
        "command": uuid4(),
        "at": receipt_of(request, row.tournament),
        **(attempt.context() if attempt else {}),
    }
    status = attempt.status if attempt else OK
    return page(request, "organiser/invite.html", context, row.tournament, status=status)
