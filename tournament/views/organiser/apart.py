"""Who is not to sit at one table with whom: for the organisers' eyes only."""

from uuid import UUID, uuid4

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from tournament import actions
from tournament.forms.fields import add_faults
from tournament.forms.seats import ApartForm
from tournament.models import Apart, Entry, Membership, Tournament
from tournament.views._access import get_tournament, refuse_below, signed_in, user_of
from tournament.views._answer import OK, UNPROCESSABLE, Attempt, attempt_action, page, receipt_of, saved
from tournament.words.text import in_alphabet


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def apart(request: HttpRequest, slug: str) -> HttpResponse:
    """The pairs that are kept apart, and a form for one more."""
    tournament = get_tournament(request, slug)
    if request.method != "POST":
        return _page(request, tournament)
    form = ApartForm(_people(tournament), request.POST)
    if not form.is_valid():
        return _page(request, tournament, form=form, status=UNPROCESSABLE)
    first, second = form.pair()
    attempt = attempt_action(request, actions.keep_apart, tournament.uid, first=first, second=second)
    if attempt.receipt:
        return saved(reverse("organise-apart", args=[slug]), attempt.receipt)
    add_faults(form, attempt.faults)
    return _page(request, tournament, form=form, status=attempt.status)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def no_more(request: HttpRequest, pair: UUID) -> HttpResponse:
    """Two people may share a table again."""
    row = Apart.objects.filter(uid=pair).select_related("tournament").first()
    if row is None:
        raise Http404
    tournament = row.tournament
    refuse_below(user_of(request), tournament, Membership.Role.ORGANISER)
    if request.method != "POST":
        return redirect("organise-apart", slug=tournament.slug)
    attempt = attempt_action(request, actions.no_longer_apart, tournament.uid, pair=row.uid)
    if attempt.receipt:
        return saved(reverse("organise-apart", args=[tournament.slug]), attempt.receipt)
    return _page(request, tournament, attempt=attempt, status=attempt.status)


def _people(tournament: Tournament) -> list[Entry]:
    rows = Entry.objects.filter(tournament=tournament).to_seat().order_by("start_number")
    return sorted(rows, key=lambda row: in_alphabet(row.public_name, tournament.language))


def _page(
    request: HttpRequest,
    tournament: Tournament,
    *,
    form: ApartForm | None = None,
    attempt: Attempt | None = None,
    status: int = OK,
) -> HttpResponse:
    people = _people(tournament)
    pairs = Apart.objects.filter(tournament=tournament).select_related("first", "second")
    context = {
        "section": "events",
        "pairs": [(pair, uuid4()) for pair in pairs],
        "form": form or ApartForm(people),
        "people": len(people),
        "command": uuid4(),
        "at": receipt_of(request, tournament),
        **(attempt.context() if attempt else {}),
    }
    return page(request, "organiser/apart.html", context, tournament, status=status)
