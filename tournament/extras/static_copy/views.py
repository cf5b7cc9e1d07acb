"""Download the copy of an event's pages."""

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from tournament.extras.static_copy.files import NotPublished, StillFrozen, write_zip
from tournament.views import UNPROCESSABLE, get_tournament, signed_in_page
from tournament.views.organiser.files.archive import choose, send_file


@signed_in_page
def static_copy(request: HttpRequest, slug: str) -> HttpResponse:
    """Published pages as a zip."""
    tournament = get_tournament(request, slug)
    beside = bool(request.GET.get("archive"))
    try:
        return send_file(
            request, tournament, f"{slug}-pages.zip", lambda out: write_zip(tournament, out, archive=beside)
        )
    except StillFrozen:
        said = _("The archive would give the frozen standings away. Copy the pages without it.")
    except NotPublished:
        said = _("A hidden rehearsal has no public pages.")
    return choose(request, tournament, said=said, status=UNPROCESSABLE)
