"""Registration for an event; unpublished because of its form."""

from uuid import UUID, uuid4, uuid5

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from tournament import actions
from tournament.actions.people.roles import own_link_user
from tournament.forms.fields import add_faults
from tournament.forms.registration import JoinForm
from tournament.links import token_for
from tournament.models import Entry, Tournament
from tournament.queries.questions import questions_of
from tournament.queries.registration import is_open, places_left, registration_of
from tournament.results import uuid_or_none
from tournament.views import OK, UNPROCESSABLE, attempt_call, device_of, page, see_other
from tournament.words.faults import ruleset_name


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest, slug: str) -> HttpResponse:
    """POST registers and redirects to the player's page. Resending is idempotent, even if things changed meanwhile."""
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
    made = Entry.objects.filter(tournament=tournament, uid=entry).first()
    if made:
        token = token_for("player", made.uid, made.link_number)
        return see_other(f"{reverse('own', args=[token])}?new=1")
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
