"""An invite: offer and the guest's name."""

from uuid import uuid4

from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from tournament.actions import accept_invite
from tournament.actions.people.roles import has_accepted, invite_of, open_invite
from tournament.models import LedgerRow, Tournament, User
from tournament.pages.components import errors_context
from tournament.pages.organiser.roles import invite_tables
from tournament.results import Fault, Refused, uuid_or_none
from tournament.views import OK, UNPROCESSABLE, Role, by_link, device_of, page, with_device
from tournament.words.faults import fault_text

NOT_FOUND, GONE = 404, 410


# By role: question, button, confirmation.
ROLE_WORDS: dict[Role, dict[str, str | Promise]] = {
    Role.TABLE_REFEREE: {
        "asked": _("You are invited to referee"),
        "accept": _("Become a referee"),
        "done": _("You are now a referee, %(name)s."),
    },
    Role.HEAD_REFEREE: {
        "asked": _("You are invited to be a head referee"),
        "accept": _("Become a head referee"),
        "done": _("You are now a head referee, %(name)s."),
    },
    Role.ORGANISER: {
        "asked": _("You are invited to organise"),
        "accept": _("Become an organiser"),
        "done": _("You are now an organiser, %(name)s."),
    },
}


@by_link
@require_http_methods(["GET", "HEAD", "POST"])
def invite(request: HttpRequest, token: str) -> HttpResponse:
    """The offer; POST accepts, signs in and redirects to the desk, as do users with all its roles."""
    # Practice newcomers count as visitors.
    user = request.user if isinstance(request.user, User) and not request.user.is_newcomer else None
    if request.method != "POST":
        row = invite_of(token)
        open_to = row if row and row.tournament.state != Tournament.State.FINISHED else None
        taken = open_to and user and has_accepted(open_to, user)
        return redirect("desk") if taken else _page(request, token, user)
    device = device_of(request) or uuid4().hex
    try:
        accepted = accept_invite(
            uuid_or_none(request.POST.get("command", "")) or uuid4(),
            token,
            name=request.POST.get("name", ""),
            user=user,
            device=device,
        )
    except Refused as refused:
        return _page(request, token, user, refused)
    if user is None:
        login(request, accepted.user, backend="django.contrib.auth.backends.ModelBackend")
    if row := invite_of(token):
        messages.success(request, ROLE_WORDS[Role(row.role)]["done"] % {"name": accepted.user.display_name()})
    return with_device(request, redirect("desk"), device)


def _name_on(request: HttpRequest, tournament: Tournament) -> str:
    device = device_of(request)
    taken = LedgerRow.objects.filter(tournament=tournament, action="take_role", device=device)
    row = taken.select_related("actor").last() if device else None
    return row.actor.display_name() if row else ""


def _page(
    request: HttpRequest, token: str, user: User | None, refused: Refused | None = None
) -> HttpResponse:
    row = invite_of(token)
    if row is None:
        return render(request, "public/invite_unknown.html", status=NOT_FOUND)
    closed: tuple[Fault, ...] = ()
    try:
        open_invite(row.tournament, token, timezone.now())
    except Refused as said:
        closed = said.faults
    return page(
        request,
        "public/invite.html",
        row.tournament,
        status=GONE if closed else UNPROCESSABLE if refused else OK,
        invite=row,
        words=ROLE_WORDS[Role(row.role)],
        closed=[fault_text(fault) for fault in closed],
        tables=invite_tables(row),
        name=request.POST.get("name", _name_on(request, row.tournament)),
        user_name=user.display_name() if user else "",
        command=uuid_or_none(request.POST.get("command", "")) or uuid4(),
        **errors_context(refused.faults if refused and not closed else ()),
    )
