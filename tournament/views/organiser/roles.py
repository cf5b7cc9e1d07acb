"""Who may do what in this tournament: give a user a role, take it back."""

from uuid import UUID, uuid4, uuid5

from django.db.models import Count
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from tournament import actions
from tournament.forms.fields import add_faults
from tournament.forms.people import RoleForm
from tournament.models import Invite, Membership, Stage, Tournament, User
from tournament.results.faults import Fault
from tournament.results.typed import uuid_or_none
from tournament.views._access import get_tournament, refuse_below, signed_in, user_of
from tournament.views._answer import OK, UNPROCESSABLE, Attempt, attempt_action, page, receipt_of, saved


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def roles(request: HttpRequest, slug: str) -> HttpResponse:
    """Everybody's roles, and a form to give one to a user by their name for the sign-in."""
    tournament = get_tournament(request, slug)
    if request.method != "POST":
        return roles_page(request, tournament)
    form = RoleForm(tournament, request.POST)
    if not form.is_valid():
        return roles_page(request, tournament, form=form, status=UNPROCESSABLE)
    command = uuid_or_none(request.POST.get("command", "")) or uuid4()
    person = User.objects.filter(username=form.cleaned_data["username"], is_active=True).first()
    if person is None:
        add_faults(form, [Fault("unknown_user", "/username")])
        return roles_page(request, tournament, form=form, status=UNPROCESSABLE)
    attempt = attempt_action(
        request,
        actions.grant_role,
        tournament.uid,
        membership=uuid5(command, "membership"),
        user=person.uid,
        role=form.cleaned_data["role"],
        table=form.table(),
    )
    if attempt.receipt:
        return saved(reverse("organise-roles", args=[slug]), attempt.receipt)
    add_faults(form, attempt.faults, fields={"user": "username", "__all__": "username"})
    return roles_page(request, tournament, form=form, status=attempt.status)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def revoke(request: HttpRequest, membership: UUID) -> HttpResponse:
    """Take a role back."""
    row = Membership.objects.select_related("tournament").filter(uid=membership).first()
    if row is None:
        raise Http404
    tournament = row.tournament
    refuse_below(user_of(request), tournament, Membership.Role.ORGANISER)
    if request.method != "POST":
        return redirect("organise-roles", slug=tournament.slug)
    attempt = attempt_action(request, actions.revoke_role, tournament.uid, membership=row.uid)
    if attempt.receipt:
        own = row.user_id == user_of(request).pk
        url = reverse("organise") if own else reverse("organise-roles", args=[tournament.slug])
        return saved(url, attempt.receipt)
    return roles_page(request, tournament, attempt=attempt, status=attempt.status)


def roles_page(
    request: HttpRequest,
    tournament: Tournament,
    *,
    form: RoleForm | None = None,
    attempt: Attempt | None = None,
    status: int = OK,
) -> HttpResponse:
    memberships = Membership.objects.filter(tournament=tournament).select_related("user", "table__stage")
    now = timezone.now()
    invites = Invite.objects.filter(tournament=tournament).annotate(
        accepted=Count("memberships__user", distinct=True)
    )
    stages = Stage.objects.filter(tournament=tournament, tables__isnull=False).exclude(
        state=Stage.State.FINISHED
    )
    context = {
        "section": "events",
        "rows": [(membership, uuid4()) for membership in memberships],
        "invites": [(invite, invite.revoked_at is None and invite.expires_at > now) for invite in invites],
        "stages": [(stage, uuid4()) for stage in stages.distinct().order_by("number")],
        "quick": uuid4(),
        "form": form or RoleForm(tournament),
        "command": uuid4(),
        "at": receipt_of(request, tournament),
        **(attempt.context() if attempt else {}),
    }
    return page(request, "organiser/roles.html", context, tournament, status=status)
