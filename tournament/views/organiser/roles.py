"""Roles in a tournament: grant, revoke, assign tables."""

from typing import Any
from uuid import UUID, uuid4

from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone

from tournament import actions
from tournament.forms.people import RoleForm
from tournament.models import Invite, Membership, Stage, Tournament, User
from tournament.pages.organiser.roles import open_tables, people_of
from tournament.results import uuid_or_none
from tournament.views import (
    Attempt,
    attempt_action,
    attempt_form,
    get_row,
    get_table,
    get_tournament,
    new_uid,
    page,
    receipt_of,
    saved,
    signed_in_form,
    signed_in_page,
    user_of,
)


@signed_in_form
def roles(request: HttpRequest, slug: str) -> HttpResponse:
    """List roles; POST grants one by sign-in name."""
    tournament = get_tournament(request, slug)
    form = RoleForm(tournament, request.POST if request.method == "POST" else None)

    def arguments() -> dict[str, Any]:
        person = User.objects.filter(username=form.cleaned_data["username"], is_active=True).first()
        return {
            "membership": new_uid(request, "membership"),
            "user": person.uid if person else None,
            "role": form.cleaned_data["role"],
            "table": form.table(),
        }

    fields = {"user": "username", "__all__": "username"}
    attempt = attempt_form(request, form, actions.grant_role, tournament.uid, arguments, fields=fields)
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
    tables = [uid for text in request.POST.getlist("tables") if (uid := uuid_or_none(text))]
    attempt = attempt_action(
        request,
        actions.place_referee,
        tournament.uid,
        user=uuid_or_none(request.POST.get("user", "")),
        tables=tables,
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
        open_tables=open_tables(tournament),
        invites=[(invite, invite.revoked_at is None and invite.expires_at > now) for invite in invites],
        stages=[(stage, uuid4()) for stage in stages.distinct().order_by("number")],
        quick=uuid4(),
        form=form or RoleForm(tournament),
        command=uuid4(),
        at=receipt_of(request, tournament),
        **attempt.context(),
    )
