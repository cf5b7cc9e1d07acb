"""The answers to errors outside of a view: a problem for a program at an address of the API, a page for a person."""

import sys

from django.http import HttpRequest, HttpResponse
from django.template import loader
from django.views.defaults import bad_request

from tournament.api.problems import ADDRESSES, RETRY_S, UNAVAILABLE, broken
from tournament.server.database import is_away, is_full
from tournament.server.logs import request_id


def page_of_error(request: HttpRequest) -> HttpResponse:
    """Answer an error outside of an address's own view: a problem for a program, a page for a person; 503 where the
    database does not answer or the disk is full."""
    raised = sys.exception()
    if request.path.startswith(ADDRESSES):
        return broken(raised, request).answer()
    if is_away(raised):
        return unavailable(request, raised)
    # The request's id is on the page: by it the log tells more.
    return HttpResponse(loader.get_template("500.html").render({"request_id": request_id()}), status=500)


def page_of_bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request that Django refuses; a session that could not be kept because the database is gone is no fault
    of its owner."""
    return unavailable(request, exception) if is_away(exception) else bad_request(request, exception)


def unavailable(request: HttpRequest, raised: BaseException | None) -> HttpResponse:
    """Show a person the page that says whether the database does not answer or the disk is full; a page that was only
    read asks again by itself."""
    page = loader.get_template("503.html").render(
        {"again": RETRY_S if request.method in {"GET", "HEAD"} else None, "full": is_full(raised)}
    )
    return HttpResponse(page, status=UNAVAILABLE, headers={"Retry-After": str(RETRY_S)})
