"""A player's personal data for their organiser: as a file to give to them, and erased for good."""

from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from tournament import actions
from tournament.models import Membership
from tournament.queries.registration import numbered_name
from tournament.views._access import get_entry, signed_in
from tournament.views._answer import Attempt, attempt_action, page, saved
from tournament.views._person import data_file, take_away_workbooks

ORGANISER = Membership.Role.ORGANISER


@signed_in
@require_safe
def player_data(request: HttpRequest, entry: UUID) -> HttpResponse:
    """Everything that is kept about a player, as JSON."""
    return data_file(get_entry(request, entry, ORGANISER), all_results=True)


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def erase(request: HttpRequest, entry: UUID) -> HttpResponse:
    """What is erased and what stays; POST does it."""
    row = get_entry(request, entry, ORGANISER)
    attempt = Attempt()
    if request.method == "POST":
        attempt = attempt_action(request, actions.erase_person, row.tournament.uid, entry=row.uid)
        if attempt.receipt:
            take_away_workbooks(row)
            return saved(reverse("organise-player", args=[row.uid]), attempt.receipt)
    context = {
        "section": "events",
        "entry": row,
        "becomes": numbered_name(row),
        "command": uuid4(),
        **attempt.context({str(row.uid): row.public_name}),
    }
    return page(request, "organiser/player_erase.html", context, row.tournament, status=attempt.status)
