"""Download files of a tournament: results for people, data for programs.

Public files respect frozen standings. Full data, with the ledger's names and reasons, only for organisers, head
referees and staff; answers of registrations only for organisers.

A process writes big events' data workbooks (files/workbook/jobs.py) behind a progress page, then they are cached.
Unpublished, no cookies.
"""

import re
import tempfile
import unicodedata
from dataclasses import dataclass
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
from tournament.files.workbook.event import read_event
from tournament.files.workbook.jobs import EVERYBODY, ORGANISERS, Kept, Wanted, newest, wanted
from tournament.files.workbook.writer import safe_text
from tournament.models import Membership, Tournament, User
from tournament.permissions import RANK, rank
from tournament.server.database import snapshot
from tournament.server.rate_limits import WorkbookThrottle
from tournament.views import asks_for_part

EXCEL = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
IN_MEMORY = 2 * 1024 * 1024  # bytes, then spooled to disk
WAIT_S = 10

# concurrent writers: CPU-bound
_writing = BoundedSemaphore(2)


@dataclass(frozen=True, slots=True)
class Download:
    """A file; its name ends with date and `ending`."""

    ending: str
    content_type: str


RESULTS = Download(".xlsx", EXCEL)
DATA = Download(" data.xlsx", EXCEL)
CSV = Download(" data.zip", "application/zip")


@dataclass(frozen=True, slots=True)
class Asked:
    """A request's event; `wanted`: its workbook if big."""

    tournament: Tournament
    everything: bool
    wanted: Wanted | None


@require_safe
def results(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Results as an Excel file."""
    return _at_once(request, slug, RESULTS)


@require_safe
def data_csv(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Data as a zip of CSV files."""
    return _at_once(request, slug, CSV)


@require_safe
def data(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Data as a workbook; big events' cached, else the progress page."""
    asked = _asked(request, slug)
    if asked.wanted is None:
        return _at_once(request, slug, DATA)
    if kept := newest(asked.wanted, asked.wanted.version):
        return _kept(request, asked.tournament, kept)
    if request.method == "GET":
        _begin(asked, asked.wanted)
    return _see_other(reverse("workbook-status", args=[slug, asked.wanted.version]))


@require_safe
@never_cache
def workbook_status(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Progress of a big workbook of this version or later, then the file."""
    asked = _asked(request, slug)
    if asked.wanted is None:
        return _see_other(reverse("data", args=[slug]))
    if version > asked.wanted.version:
        raise Http404
    kept = newest(asked.wanted)
    if kept and kept.version >= version:
        response = _page(request, asked, kept=kept, ready=True, newer=kept.version != asked.wanted.version)
        if asks_for_part(request):
            response["HX-Refresh"] = "true"  # full reload, which starts the download
        else:
            response["Refresh"] = f"0; url={reverse('workbook-kept', args=[slug, kept.version])}"
        return response
    job, why = jobs.look(asked.wanted.series), ""
    if job is None and request.method == "GET":
        why = _begin(asked, asked.wanted)
        job = jobs.look(asked.wanted.series)
    return _page(request, asked, job=job, kept=kept, why=job.why if job else why)


@require_safe
def workbook_kept(request: HttpRequest, slug: str, version: int) -> HttpResponseBase:
    """The cached workbook of this version, else redirect to the newest."""
    asked = _asked(request, slug)
    kept = newest(asked.wanted, version) if asked.wanted else None
    return _kept(request, asked.tournament, kept) if kept else _see_other(reverse("data", args=[slug]))


def content_disposition(tournament: Tournament, ending: str) -> str:
    """Header with both file names: slug, and UTF-8 name without bidi marks and what file systems refuse."""
    day = f"{tournament.starts_on.isoformat()}{ending}"
    spaced = re.sub(r'[\\/:*?"<>|%]', " ", safe_text(tournament.name))
    safe = (each for each in spaced if unicodedata.category(each) != "Cf" or each in "\u200c\u200d")
    name = " ".join("".join(safe).split()).strip(". ")[:80]
    named = quote(f"{name or tournament.slug} {day}", safe="")
    plain = f"{tournament.slug}-{day.replace(' ', '-')}"
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{named}"


def _asked(request: HttpRequest, slug: str) -> Asked:
    with snapshot():
        tournament, everything = _seen(request, slug)
        audience = ORGANISERS if everything else EVERYBODY
        return Asked(
            tournament, everything, wanted(tournament, audience) if jobs.is_big(tournament) else None
        )


def _seen(request: HttpRequest, slug: str) -> tuple[Tournament, bool]:
    tournament = get_object_or_404(Tournament.objects.visible(), slug=slug)
    # anonymous users have rank 0
    return tournament, rank(cast("User", request.user), tournament) >= RANK[Membership.Role.HEAD_REFEREE]


def _begin(asked: Asked, wanted: Wanted) -> str:
    """Start the job; "" or the reason (`jobs.Job`). Visitors are rate limited."""
    try:
        begun = jobs.begin(
            wanted.series,
            asked.tournament.slug,
            lambda: asked.everything or WorkbookThrottle().allows(),
        )
    except jobs.NotBegun as problem:
        return problem.why
    return "refused" if begun == "refused" else ""


def _at_once(request: HttpRequest, slug: str, download: Download) -> HttpResponseBase:
    from tournament.files.results_file.results_file import results_file  # imports openpyxl
    from tournament.files.workbook.sheets import write_csv, write_workbook  # imports XlsxWriter

    with snapshot():
        tournament, everything = _seen(request, slug)
        if request.method == "HEAD":
            return _with_headers(HttpResponse(), tournament, download)
        event = read_event(
            tournament,
            everything=everything,
            language=get_language() or "",
            answers=rank(cast("User", request.user), tournament) >= RANK[Membership.Role.ORGANISER],
        )
    if not _writing.acquire(timeout=WAIT_S):
        return HttpResponse(
            _("Many Excel files are being created just now. Try again in a minute."),
            status=503,
            content_type="text/plain; charset=utf-8",
            headers={"Retry-After": "60", "Cache-Control": "no-store"},
        )
    try:
        file = cast("IO[bytes]", tempfile.SpooledTemporaryFile(max_size=IN_MEMORY))  # noqa: SIM115 - the response closes it
        if download is RESULTS:
            file.write(results_file(event))
        else:
            (write_csv if download is CSV else write_workbook)(event, file)
    finally:
        _writing.release()
    file.seek(0)
    return _with_headers(FileResponse(file), tournament, download)


def _kept(request: HttpRequest, tournament: Tournament, kept: Kept) -> HttpResponseBase:
    try:
        file = kept.file.open("rb")
    except FileNotFoundError:  # evicted meanwhile
        return _see_other(reverse("data", args=[tournament.slug]))
    if request.method == "HEAD":
        file.close()
        return _with_headers(HttpResponse(), tournament, DATA)
    return _with_headers(FileResponse(file), tournament, DATA)


def _page(request: HttpRequest, asked: Asked, **more: Any) -> HttpResponse:
    """For htmx, the changing part only."""
    template = "public/_workbook.html" if asks_for_part(request) else "public/workbook.html"
    return render(request, template, {"tournament": asked.tournament, **more})


def _see_other(address: str) -> HttpResponse:
    return HttpResponse(status=303, headers={"Location": address, "Cache-Control": "no-store"})


def _with_headers(response: HttpResponseBase, tournament: Tournament, download: Download) -> HttpResponseBase:
    response["Content-Type"] = download.content_type
    response["Cache-Control"] = "no-store"
    response["Content-Disposition"] = content_disposition(tournament, download.ending)
    return response
