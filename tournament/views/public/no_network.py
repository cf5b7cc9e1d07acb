"""What a browser shows where no page comes and none was kept: static/lastcard/js/service_worker.js puts it there."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from tournament.live.pages import lasting_page


@require_safe
def no_network(request: HttpRequest) -> HttpResponse:
    """The page that says so, the same for everybody."""
    return lasting_page(request, "public/no_network.html", {})
