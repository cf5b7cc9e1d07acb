"""Invites: create, show code, revoke; post referees."""

from datetime import UTC, datetime, time, timedelta
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from tournament import actions
from tournament.forms.people import InviteForm
from tournament.links import token_for
from tournament.models import Invite, Tournament
from tournament.pages.organiser.roles import invite_tables
from tournament.server.venue import public_address, qr_svg
from tournament.views import (
    Attempt,
    attempt_action,
    attempt_form,
    get_row,
    get_stage,
    get_tournament,
    new_uid,
    page,
    receipt_of,
    signed_in_form,
    signed_in_page,
)
from tournament.views._access import signed_in
from tournament.views.organiser.roles import roles_page

INVITES = Invite.objects.select_related("tournament")


@signed_in_form
def invites(request: HttpRequest, slug: str) -> HttpResponse:
    """Create an invite; with `role` alone: any number of people, until the day after."""
    tournament = get_tournament(request, slug)
    form = InviteForm(tournament, request.POST if request.method == "POST" else None)
    invite = new_uid(request, "invite") if form.is_bound else UUID(int=0)
    attempt = attempt_form(
        request,
        form,
        actions.create_invite,
        tournament.uid,
        lambda: {
            "invite": invite,
            "role": form.cleaned_data["role"],
            "tables": form.tables(),
            "label": form.cleaned_data["label"],
            "most": form.cleaned_data["most"],
            "expires_at": _expiry(tournament, form.days(), invite),
        },
    )
    return attempt.answer(
        reverse("organise-invite", args=[invite]),
        lambda: page(
            request,
            "organiser/invites.html",
            tournament,
            status=attempt.status,
            section="events",
            form=form,
            command=uuid4(),
        ),
    )


@signed_in_page
def invite(request: HttpRequest, invite: UUID) -> HttpResponse:
    """An invite: code, acceptances, revocation."""
    return _page(request, get_row(request, INVITES, uid=invite), Attempt())


@signed_in_form
def revoke(request: HttpRequest, invite: UUID) -> HttpResponse:
    """Revoke an invite; `with_roles` also revokes its roles."""
    row = get_row(request, INVITES, uid=invite)
    if request.method != "POST":
        return redirect("organise-invite", invite=row.uid)
    attempt = attempt_action(
        request,
        actions.revoke_invite,
        row.tournament.uid,
        invite=row.uid,
        with_roles=bool(request.POST.get("with_roles")),
    )
    return attempt.answer(
        reverse("organise-roles", args=[row.tournament.slug]), lambda: _page(request, row, attempt)
    )


@signed_in
@require_POST
def post(request: HttpRequest, stage: UUID) -> HttpResponse:
    """Assign referees to all tables."""
    row = get_stage(request, stage)
    attempt = attempt_action(request, actions.post_referees, row.tournament.uid, stage=row.uid)
    url = reverse("organise-roles", args=[row.tournament.slug])
    return attempt.answer(url, lambda: roles_page(request, row.tournament, attempt))


def _expiry(tournament: Tournament, days: int | None, invite: UUID) -> datetime:
    """In `days`, else the end of the day after event or today, the later. Resent forms reuse the stored moment
    (idempotency)."""
    sent = Invite.objects.filter(uid=invite).values_list("expires_at", flat=True).first()
    if sent:
        return sent
    if days:
        return timezone.now() + timedelta(days=days)
    zone = tournament.zone
    last = max(tournament.starts_on, timezone.localdate(timezone=zone)) + timedelta(days=2)
    return datetime.combine(last, time(), tzinfo=zone).astimezone(UTC)


def _page(request: HttpRequest, row: Invite, attempt: Attempt) -> HttpResponse:
    address = public_address(request, f"/i/{token_for('invite', row.uid)}/")
    now = timezone.now()
    memberships = row.memberships.select_related("user", "table__stage").order_by("pk")
    return page(
        request,
        "organiser/invite.html",
        row.tournament,
        status=attempt.status,
        section="events",
        invite=row,
        address=address,
        qr=qr_svg(address),
        tables=invite_tables(row),
        accepted=list(dict.fromkeys(membership.user.display_name() for membership in memberships)),
        over=row.revoked_at is not None or row.expires_at <= now,
        command=uuid4(),
        at=receipt_of(request, row.tournament),
        **attempt.context(),
    )
