"""The Excel workbook of a tournament, at one address for everybody.

Results are as public as the pages: while standings are frozen it shows what they were. Everything as it is, and the
ledger with the names of those who entered and the reasons they gave, is for those who may read it on its page:
organisers, head referees and staff. Not for a table referee, be it of every table: whoever scans an invite is one.
"""

import tempfile
import unicodedata
from threading import BoundedSemaphore
from typing import IO, cast
from urllib.parse import quote

from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournament.exports.cells import safe_text
from tournament.exports.reading import Event, read_event
from tournament.exports.workbook import write_workbook
from tournament.live.snapshot import snapshot
from tournament.models import Membership, Tournament, User
from tournament.permissions import RANK, rank

CONTENT_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
IN_MEMORY = 2 * 1024 * 1024  # bytes; a longer workbook goes through a file
WAIT_S = 10

# Writing a long workbook keeps a core busy for seconds: never more than these at once beside those who enter results.
_writing = BoundedSemaphore(2)


@require_safe
def workbook(request: HttpRequest, slug: str) -> HttpResponseBase:
    """The tournament of this address as an Excel workbook, as of one moment; 404 where there is none."""
    with snapshot():
        tournament = get_object_or_404(Tournament.objects.visible(), slug=slug)
        # request.user may be anonymous, which has rank 0.
        everything = rank(cast("User", request.user), tournament) >= RANK[Membership.Role.HEAD_REFEREE]
        event = read_event(tournament, everything=everything)
    if request.method == "HEAD":
        return _with_headers(HttpResponse(content_type=CONTENT_TYPE), event)
    if not _writing.acquire(timeout=WAIT_S):
        return _busy()
    try:
        file = cast("IO[bytes]", tempfile.SpooledTemporaryFile(max_size=IN_MEMORY))  # noqa: SIM115 - the response closes it
        write_workbook(event, file)
    finally:
        _writing.release()
    file.seek(0)
    return _with_headers(FileResponse(file, content_type=CONTENT_TYPE), event)


def _busy() -> HttpResponse:
    response = HttpResponse(
        _("Many workbooks are being written just now. Try again in a minute."),
        status=503,
        content_type="text/plain; charset=utf-8",
    )
    response["Retry-After"] = "60"
    response["Cache-Control"] = "no-store"
    return response


def _with_headers(response: HttpResponseBase, event: Event) -> HttpResponseBase:
    response["Cache-Control"] = "no-store"
    response["Content-Disposition"] = content_disposition(event)
    return response


def content_disposition(event: Event) -> str:
    """The file's name, twice: the slug for every browser, and the tournament's own name in any script."""
    tournament = event.tournament
    day = event.read_at.astimezone(tournament.zone).date().isoformat()
    named = quote(f"{_file_name(tournament.name) or tournament.slug} {day}.xlsx", safe="")
    return f"attachment; filename=\"{tournament.slug}-{day}.xlsx\"; filename*=UTF-8''{named}"


def _file_name(name: str) -> str:
    """The name without what a file system refuses or a reader could be misled by (marks that turn the direction)."""
    spaced = "".join(" " if letter in '\\/:*?"<>|%' else letter for letter in safe_text(name))
    kept = "".join(
        letter for letter in spaced if unicodedata.category(letter) != "Cf" or letter in "\u200c\u200d"
    )
    return " ".join(kept.split()).strip(". ")[:80]
