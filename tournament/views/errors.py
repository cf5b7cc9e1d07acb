"""Pages of errors outside views."""

import sys

from django.http import HttpRequest, HttpResponse
from django.template import loader
from django.views.defaults import bad_request

from tournament.server.database import RETRY_S, UNAVAILABLE, is_away, is_full
from tournament.server.extras import modules
from tournament.server.logs import request_id


def page_of_error(request: HttpRequest) -> HttpResponse:
    """Error 500: an extra's answer, else a page; 503 if the database is away or the disk full."""
    for handler in filter(None, (getattr(module, "handler500", None) for module in modules("addresses"))):
        answer: HttpResponse | None = handler(request)
        if answer:
            return answer
    raised = sys.exception()
    if is_away(raised):
        return unavailable(request, raised)
    # The id leads to the log.
    return HttpResponse(loader.get_template("500.html").render({"request_id": request_id()}), status=500)


def page_of_bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Error 400; 503 if the database is away."""
    return unavailable(request, exception) if is_away(exception) else bad_request(request, exception)


def unavailable(request: HttpRequest, raised: BaseException | None) -> HttpResponse:
    """Page with 503 and Retry-After; a GET reloads itself."""
    page = loader.get_template("503.html").render(
        {"again": RETRY_S if request.method in {"GET", "HEAD"} else None, "full": is_full(raised)}
    )
    return HttpResponse(page, status=UNAVAILABLE, headers={"Retry-After": str(RETRY_S)})
