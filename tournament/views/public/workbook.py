"""Results of a tournament as a file for people, and what downloads of its data share.

Public files respect frozen standings. Full data, with the ledger's names and reasons, only for organisers, head
referees and staff; answers of registrations only for organisers.
"""

import re
import tempfile
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from threading import BoundedSemaphore
from typing import IO, Any, cast
from urllib.parse import quote

from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.translation import get_language, gettext as _
from django.views.decorators.http import require_safe

from tournament.files.workbook.event import Event, read_event
from tournament.files.workbook.writer import safe_text
from tournament.models import Membership, Tournament, User
from tournament.permissions import RANK, rank
from tournament.server.database import snapshot
from tournament.views import BUSY, slot

EXCEL = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
IN_MEMORY = 2 * 1024 * 1024  # bytes, then spooled to disk

# concurrent writers: CPU-bound
_writing = BoundedSemaphore(2)


@dataclass(frozen=True, slots=True)
class Download:
    """A file; its name ends with date and `ending`."""

    ending: str
    content_type: str


RESULTS = Download(".xlsx", EXCEL)


@require_safe
def results(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Results as an Excel file."""
    from tournament.files.results_file.results_file import results_file  # imports openpyxl

    return at_once(request, slug, RESULTS, lambda event, file: file.write(results_file(event)))


def content_disposition(tournament: Tournament, ending: str) -> str:
    """Header with both file names: slug, and UTF-8 name, without characters that file systems refuse, or bidi marks."""
    day = f"{tournament.starts_on.isoformat()}{ending}"
    spaced = re.sub(r'[\\/:*?"<>|%]', " ", safe_text(tournament.name))
    safe = (each for each in spaced if unicodedata.category(each) != "Cf" or each in "\u200c\u200d")
    name = " ".join("".join(safe).split()).strip(". ")[:80]
    named = quote(f"{name or tournament.slug} {day}", safe="")
    plain = f"{tournament.slug}-{day.replace(' ', '-')}"
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{named}"


def seen(request: HttpRequest, slug: str) -> tuple[Tournament, bool]:
    """The event, and whether the reader gets its current results. Raises Http404."""
    tournament = get_object_or_404(Tournament.objects.visible(), slug=slug)
    # anonymous users have rank 0
    return tournament, rank(cast("User", request.user), tournament) >= RANK[Membership.Role.HEAD_REFEREE]


def at_once(
    request: HttpRequest, slug: str, download: Download, write: Callable[[Event, IO[bytes]], object]
) -> HttpResponseBase:
    """The file, which `write` writes within the request."""
    with snapshot():
        tournament, everything = seen(request, slug)
        if request.method == "HEAD":
            return with_headers(HttpResponse(), tournament, download)
        organises = rank(cast("User", request.user), tournament) >= RANK[Membership.Role.ORGANISER]
        event = read_event(
            tournament, everything=everything, language=get_language() or "", answers=organises
        )
    with slot(_writing) as free:
        if not free:
            return HttpResponse(
                _("Many Excel files are being created just now. Try again in a minute."),
                status=BUSY,
                content_type="text/plain; charset=utf-8",
                headers={"Retry-After": "60", "Cache-Control": "no-store"},
            )
        return with_headers(spooled(partial(write, event)), tournament, download)


def spooled(write: Callable[[IO[bytes]], object], **options: Any) -> FileResponse:
    """The file that `write` fills, in memory or, beyond IN_MEMORY, on disk; `options` of FileResponse."""
    file = cast("IO[bytes]", tempfile.SpooledTemporaryFile(max_size=IN_MEMORY))  # noqa: SIM115 - the response closes it
    write(file)
    file.seek(0)
    return FileResponse(file, **options)


def with_headers(response: HttpResponseBase, tournament: Tournament, download: Download) -> HttpResponseBase:
    """The response as a download that nothing caches."""
    response["Content-Type"] = download.content_type
    response["Cache-Control"] = "no-store"
    response["Content-Disposition"] = content_disposition(tournament, download.ending)
    return response
