"""The own link's page that erases its player, and the file of what is kept about them."""

from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from tournament import actions
from tournament.queries.registration import numbered_name
from tournament.views._access import by_link
from tournament.views._answer import Attempt, page
from tournament.views._person import data_file, take_away_workbooks
from tournament.views.public.own_entry import attempt_of, entry_of, errors_of, unknown


@by_link
@require_safe
def own_file(request: HttpRequest, token: str) -> HttpResponse:
    """My data as JSON, to take with me; without what is frozen."""
    entry = entry_of(token)
    return data_file(entry, all_results=False) if entry else unknown(request)


@by_link
@require_http_methods(["GET", "HEAD", "POST"])
def erase(request: HttpRequest, token: str) -> HttpResponse:
    """What is erased and what stays; POST does it, and ends this link."""
    entry = entry_of(token)
    if entry is None:
        return unknown(request)
    attempt = Attempt()
    if request.method == "POST":
        attempt = attempt_of(request, entry, actions.erase_self, token=token)
        if attempt.receipt:
            take_away_workbooks(entry)
            return redirect(f"{reverse('own', args=[token])}?erased=1")
    context = {
        "entry": entry,
        "token": token,
        "becomes": numbered_name(entry),
        "command": uuid4(),
        **errors_of(entry, attempt),
    }
    return page(request, "public/own_erase.html", context, entry.tournament, status=attempt.status)
