"""The Excel workbook of a tournament, at one address for everybody in each language.

Results are as public as the pages: while standings are frozen it shows what they were. Everything as it is, and the
ledger with the names of those who entered and the reasons they gave, is for those who may read it on its page:
organisers, head referees and staff. Table referees, even of all tables, do not get it: scanning an invite makes one.

The workbook of a small event is written at once. That of a big one is written by a process of its own
(`tournament.files.workbook.jobs`) while a page shows the progress, and cached: the next request gets it at once. No
page here sets a cookie, and none is published, since they show the present moment.
"""

import tempfile
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from threading import BoundedSemaphore
from typing import IO, Any, cast
from urllib.parse import quote

from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import get_language, gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.files.workbook import jobs
from tournament.files.workbook.cache import EVERYBODY, ORGANISERS, Kept, Wanted, newest, wanted
from tournament.files.workbook.event import Event, read_event
from tournament.models import Membership, Tournament, User
from tournament.permissions import RANK, rank
from tournament.server.database import snapshot
from tournament.server.rate_limits import WorkbookThrottle

CONTENT_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
IN_MEMORY = 2 * 1024 * 1024  # bytes; a longer workbook goes through a file
WAIT_S = 10

# Writing a workbook keeps a core busy: never more than these at once beside those who enter results.
_writing = BoundedSemaphore(2)


@dataclass(frozen=True, slots=True)
class Asked:
    """The workbook that somebody asks for: a big one that is `wanted`, or the small one of an `event`."""

    tournament: Tournament
    everything: bool
    wanted: Wanted | None = None
    event: Event | None = None


@require_safe
def workbook(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Give the tournament of this address as an Excel workbook, as of one moment; 404 if there is none. For a big event
    the cached workbook, else the page on which to wait for it."""
    asked = _asked(request, slug)
    if asked.event is not None:
        return _at_once(request, asked.event)
    assert asked.wanted is not None
    kept = newest(asked.wanted, asked.wanted.version)
    if kept:
        return _kept(request, asked.tournament, kept)
    if request.method == "GET":
        _begin(asked, asked.wanted)
    return _see_other(reverse("workbook-status", args=[slug, asked.wanted.version]))


@require_safe
@never_cache
def workbook_status(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Progress of the workbook of a big event, as of this version or a later one; then the workbook."""
    asked = _asked(request, slug, read=False)
    if asked.wanted is None:
        return _see_other(reverse("workbook", args=[slug]))
    if version > asked.wanted.version:
        raise Http404
    kept = newest(asked.wanted)
    if kept and kept.version >= version:
        return _ready(request, asked, asked.wanted, kept)
    job, why = jobs.look(asked.wanted.series), ""
    if job is None and request.method == "GET":
        why = _begin(asked, asked.wanted)
        job = jobs.look(asked.wanted.series)
    return _page(request, asked, job=job, kept=kept, why=job.why if job else why)


@require_safe
def workbook_kept(request: HttpRequest, slug: str, version: int) -> HttpResponseBase:
    """The cached workbook of a big event as of this version; else a redirect to the newest."""
    asked = _asked(request, slug, read=False)
    kept = newest(asked.wanted, version) if asked.wanted else None
    return _kept(request, asked.tournament, kept) if kept else _see_other(reverse("workbook", args=[slug]))


def content_disposition(tournament: Tournament, at: datetime) -> str:
    """The file's name, twice: the slug for every browser, and the tournament's own name in any script."""
    day = at.astimezone(tournament.zone).date().isoformat()
    named = quote(f"{_file_name(tournament.name) or tournament.slug} {day}.xlsx", safe="")
    return f"attachment; filename=\"{tournament.slug}-{day}.xlsx\"; filename*=UTF-8''{named}"


def _asked(request: HttpRequest, slug: str, *, read: bool = True) -> Asked:
    """The workbook of the tournament at this address that this reader may see, as of one moment; a small event is read
    here if `read`."""
    language = get_language() or ""
    with snapshot():
        tournament = get_object_or_404(Tournament.objects.visible(), slug=slug)
        # request.user may be anonymous, which has rank 0.
        everything = rank(cast("User", request.user), tournament) >= RANK[Membership.Role.HEAD_REFEREE]
        if jobs.is_big(tournament):
            audience = ORGANISERS if everything else EVERYBODY
            return Asked(tournament, everything, wanted(tournament, audience, language=language))
        event = read_event(tournament, everything=everything, language=language) if read else None
        return Asked(tournament, everything, event=event)


def _begin(asked: Asked, wanted: Wanted) -> str:
    """Start writing the workbook; "" or why not, as in `jobs.Job`. Visitors are rate limited, those who run the event
    are not."""

    def allowed() -> bool:
        return asked.everything or WorkbookThrottle().allows()

    try:
        begun = jobs.begin(wanted.series, asked.tournament.slug, allowed)
    except jobs.NotBegun as problem:
        return problem.why
    return "refused" if begun == "refused" else ""


def _at_once(request: HttpRequest, event: Event) -> HttpResponseBase:
    if request.method == "HEAD":
        return _with_headers(HttpResponse(content_type=CONTENT_TYPE), event.tournament, event.read_at)
    from tournament.files.workbook.sheets import write_workbook  # and openpyxl

    if not _writing.acquire(timeout=WAIT_S):
        return _busy()
    try:
        file = cast("IO[bytes]", tempfile.SpooledTemporaryFile(max_size=IN_MEMORY))  # noqa: SIM115 - the response closes it
        write_workbook(event, file)
    finally:
        _writing.release()
    file.seek(0)
    return _with_headers(FileResponse(file, content_type=CONTENT_TYPE), event.tournament, event.read_at)


def _kept(request: HttpRequest, tournament: Tournament, kept: Kept) -> HttpResponseBase:
    try:
        file = kept.file.open("rb")
    except FileNotFoundError:  # taken away just now
        return _see_other(reverse("workbook", args=[tournament.slug]))
    if request.method == "HEAD":
        file.close()
        return _with_headers(HttpResponse(content_type=CONTENT_TYPE), tournament, kept.at)
    return _with_headers(FileResponse(file, content_type=CONTENT_TYPE), tournament, kept.at)


def _ready(request: HttpRequest, asked: Asked, wanted: Wanted, kept: Kept) -> HttpResponse:
    """Show the page of a finished workbook: its download starts by itself."""
    response = _page(request, asked, kept=kept, ready=True, newer=kept.version != wanted.version)
    response["Refresh"] = f"0; url={reverse('workbook-kept', args=[asked.tournament.slug, kept.version])}"
    if request.headers.get("HX-Request"):
        del response["Refresh"]
        response["HX-Refresh"] = "true"  # reloads the whole page, which then begins the download
    return response


def _page(request: HttpRequest, asked: Asked, **more: Any) -> HttpResponse:
    """Show the page to wait on; for htmx only the part that changes."""
    template = "public/_workbook.html" if request.headers.get("HX-Request") else "public/workbook.html"
    return render(request, template, {"tournament": asked.tournament, **more})


def _see_other(address: str) -> HttpResponse:
    return HttpResponse(status=303, headers={"Location": address, "Cache-Control": "no-store"})


def _busy() -> HttpResponse:
    response = HttpResponse(
        _("Many Excel files are being created just now. Try again in a minute."),
        status=503,
        content_type="text/plain; charset=utf-8",
    )
    response["Retry-After"] = "60"
    response["Cache-Control"] = "no-store"
    return response


def _with_headers(response: HttpResponseBase, tournament: Tournament, at: datetime) -> HttpResponseBase:
    response["Cache-Control"] = "no-store"
    response["Content-Disposition"] = content_disposition(tournament, at)
    return response


def _file_name(name: str) -> str:
    """The name without characters that a file system refuses or that mislead a reader (marks that turn the
    direction)."""
    from tournament.files.workbook.cells import safe_text  # and openpyxl

    spaced = "".join(" " if letter in '\\/:*?"<>|%' else letter for letter in safe_text(name))
    kept = "".join(
        letter for letter in spaced if unicodedata.category(letter) != "Cf" or letter in "\u200c\u200d"
    )
    return " ".join(kept.split()).strip(". ")[:80]
