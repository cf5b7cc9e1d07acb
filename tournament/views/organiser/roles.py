"""Roles in a tournament: grant, revoke, assign tables."""

from datetime import UTC, datetime, time, timedelta
from uuid import UUID, uuid4

from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from tournament import actions
from tournament.forms.players import InviteForm, RoleForm, table_choices
from tournament.links import token_for
from tournament.models import Invite, Membership, Stage, Tournament, User
from tournament.pages.organiser.roles import invite_tables, people_of
from tournament.results import uuid_or_none
from tournament.server.venue import public_address, qr_svg
from tournament.views import (
    Attempt,
    attempt_action,
    attempt_form,
    get_row,
    get_stage,
    get_table,
    get_tournament,
    new_uid,
    page,
    receipt_of,
    saved,
    signed_in,
    signed_in_form,
    signed_in_page,
    user_of,
)


@signed_in_form
def roles(request: HttpRequest, slug: str) -> HttpResponse:
    """List roles; POST grants one by sign-in name."""
    tournament = get_tournament(request, slug)
    form = RoleForm(tournament, request.POST if request.method == "POST" else None)
    people = User.objects.filter(is_active=True).values_list("uid", flat=True)
    attempt = attempt_form(
        request,
        form,
        actions.grant_role,
        tournament.uid,
        lambda: {
            "membership": new_uid(request, "membership"),
            "user": people.filter(username=form.cleaned_data["username"]).first(),
            "role": form.cleaned_data["role"],
            "table": form.table(),
        },
        fields={"user": "username", "__all__": "username"},
    )
    return attempt.answer(
        reverse("organise-roles", args=[slug]), lambda: roles_page(request, tournament, attempt, form)
    )


@signed_in_form
def revoke(request: HttpRequest, membership: UUID) -> HttpResponse:
    row = get_row(request, Membership.objects.select_related("tournament"), uid=membership)
    tournament = row.tournament
    url = reverse("organise-roles", args=[tournament.slug])
    attempt = attempt_action(request, actions.revoke_role, tournament.uid, membership=row.uid)
    if attempt.receipt and row.user_id == user_of(request).pk:
        return saved(reverse("organise"), attempt.receipt)
    return attempt.answer_button(request, url, lambda: roles_page(request, tournament, attempt))


@signed_in_form
def place(request: HttpRequest, slug: str) -> HttpResponse:
    """Set the `tables` of `user`; return to board or roles."""
    tournament = get_tournament(request, slug)
    attempt = attempt_action(
        request,
        actions.place_referee,
        tournament.uid,
        user=uuid_or_none(request.POST.get("user", "")),
        tables=[uid for text in request.POST.getlist("tables") if (uid := uuid_or_none(text))],
    )
    name = "organise-board" if request.POST.get("back") == "board" else "organise-roles"
    return attempt.answer_button(
        request, reverse(name, args=[slug]), lambda: roles_page(request, tournament, attempt)
    )


@signed_in_page
def table_referee(request: HttpRequest, table: UUID) -> HttpResponse:
    """Choose this table's referee among roles."""
    row = get_table(request, table, Membership.Role.ORGANISER)
    tournament = row.stage.tournament
    return page(
        request,
        "organiser/table_referee.html",
        tournament,
        section="events",
        table=row,
        people=people_of(tournament),
        at=receipt_of(request, tournament),
    )


def roles_page(
    request: HttpRequest, tournament: Tournament, attempt: Attempt, form: RoleForm | None = None
) -> HttpResponse:
    now = timezone.now()
    invites = Invite.objects.filter(tournament=tournament).annotate(
        accepted=Count("memberships__user", distinct=True)
    )
    stages = Stage.objects.filter(tournament=tournament, tables__isnull=False).exclude(
        state=Stage.State.FINISHED
    )
    return page(
        request,
        "organiser/roles.html",
        tournament,
        status=attempt.status,
        section="events",
        people=people_of(tournament),
        open_tables=table_choices(tournament),
        invites=[(invite, invite.revoked_at is None and invite.expires_at > now) for invite in invites],
        stages=[(stage, uuid4()) for stage in stages.distinct().order_by("number")],
        quick=uuid4(),
        form=form or RoleForm(tournament),
        command=uuid4(),
        at=receipt_of(request, tournament),
        **attempt.context(),
    )


# ---- Invites ----


INVITES = Invite.objects.select_related("tournament")


@signed_in_form
def invites(request: HttpRequest, slug: str) -> HttpResponse:
    """Create an invite; `role` alone: for any number of people, until the day after."""
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
def revoke_invite(request: HttpRequest, invite: UUID) -> HttpResponse:
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
    """In `days`, else at the end of the day after event or today, the later. Resent forms reuse the stored moment."""
    if sent := Invite.objects.filter(uid=invite).values_list("expires_at", flat=True).first():
        return sent
    if days:
        return timezone.now() + timedelta(days=days)
    zone = tournament.zone
    last = max(tournament.starts_on, timezone.localdate(timezone=zone)) + timedelta(days=2)
    return datetime.combine(last, time(), tzinfo=zone).astimezone(UTC)


def _page(request: HttpRequest, row: Invite, attempt: Attempt) -> HttpResponse:
    address = public_address(request, f"/i/{token_for('invite', row.uid)}/")
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
        over=row.revoked_at is not None or row.expires_at <= timezone.now(),
        command=uuid4(),
        at=receipt_of(request, row.tournament),
        **attempt.context(),
    )
