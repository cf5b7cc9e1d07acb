"""Data of a tournament as a workbook or CSV. A big event's workbook is written by a process behind a progress page,
then cached. Who gets it: tournament/views/public/workbook.py."""

from dataclasses import dataclass
from typing import Any

from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournament.extras.workbook.files import jobs
from tournament.extras.workbook.files.jobs import EVERYBODY, ORGANISERS, Kept, Wanted, newest, wanted
from tournament.models import Tournament
from tournament.server.database import snapshot
from tournament.server.rate_limits import WorkbookThrottle
from tournament.views import asks_for_part
from tournament.views.public.workbook import EXCEL, Download, at_once, seen, with_headers

DATA = Download(" data.xlsx", EXCEL)
CSV = Download(" data.zip", "application/zip")


@dataclass(frozen=True, slots=True)
class Asked:
    """A request's event; `wanted`: its workbook if big."""

    tournament: Tournament
    everything: bool
    wanted: Wanted | None


@require_safe
def data_csv(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Data as a zip of CSV files."""
    from tournament.extras.workbook.files.sheets import write_csv  # imports XlsxWriter

    return at_once(request, slug, CSV, write_csv)


@require_safe
def data(request: HttpRequest, slug: str) -> HttpResponseBase:
    """Data as an Excel workbook; for big events cached, else the progress page."""
    from tournament.extras.workbook.files.sheets import write_workbook  # imports XlsxWriter

    asked = _asked(request, slug)
    if asked.wanted is None:
        return at_once(request, slug, DATA, write_workbook)
    kept = newest(asked.wanted, asked.wanted.version)
    if kept:
        return _kept(request, asked.tournament, kept)
    if request.method == "GET":
        _begin(asked, asked.wanted)
    return _see_other(reverse("workbook-status", args=[slug, asked.wanted.version]))


@require_safe
@never_cache
def status(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Progress of a big workbook of at least this version, then the file."""
    asked = _asked(request, slug)
    if asked.wanted is None:
        return _see_other(reverse("data", args=[slug]))
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
def kept_file(request: HttpRequest, slug: str, version: int) -> HttpResponseBase:
    """The cached workbook of this version, else redirect to the newest."""
    asked = _asked(request, slug)
    kept = newest(asked.wanted, version) if asked.wanted else None
    return _kept(request, asked.tournament, kept) if kept else _see_other(reverse("data", args=[slug]))


def _asked(request: HttpRequest, slug: str) -> Asked:
    with snapshot():
        tournament, everything = seen(request, slug)
        audience = ORGANISERS if everything else EVERYBODY
        big = jobs.is_big(tournament)
        return Asked(tournament, everything, wanted(tournament, audience) if big else None)


def _begin(asked: Asked, wanted: Wanted) -> str:
    """Start the job; "" or the reason (`jobs.Job`). Visitors are rate limited."""
    begun = jobs.begin(
        wanted.series, asked.tournament.slug, lambda: asked.everything or WorkbookThrottle().allows()
    )
    return "" if begun in {"begun", "waits"} else begun


def _kept(request: HttpRequest, tournament: Tournament, kept: Kept) -> HttpResponseBase:
    try:
        file = kept.file.open("rb")
    except FileNotFoundError:  # evicted meanwhile
        return _see_other(reverse("data", args=[tournament.slug]))
    if request.method == "HEAD":
        file.close()
        return with_headers(HttpResponse(), tournament, DATA)
    return with_headers(FileResponse(file), tournament, DATA)


def _ready(request: HttpRequest, asked: Asked, wanted: Wanted, kept: Kept) -> HttpResponse:
    """The download starts by itself."""
    response = _page(request, asked, kept=kept, ready=True, newer=kept.version != wanted.version)
    response["Refresh"] = f"0; url={reverse('workbook-kept', args=[asked.tournament.slug, kept.version])}"
    if asks_for_part(request):
        del response["Refresh"]
        response["HX-Refresh"] = "true"  # full reload, which starts the download
    return response


def _page(request: HttpRequest, asked: Asked, **more: Any) -> HttpResponse:
    """For htmx, the changing part only."""
    template = "workbook/_status.html" if asks_for_part(request) else "workbook/status.html"
    return render(request, template, {"tournament": asked.tournament, **more})


def _see_other(address: str) -> HttpResponse:
    return HttpResponse(status=303, headers={"Location": address, "Cache-Control": "no-store"})
