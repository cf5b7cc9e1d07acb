"""Export an event (archive or static pages); import an archive."""

from collections.abc import Callable
from threading import BoundedSemaphore
from typing import IO, Any, cast

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from tournament.extras.archive.actions import import_event
from tournament.extras.archive.files.reading import Archive
from tournament.extras.archive.files.schema import NotImported, People, refusal_text
from tournament.extras.archive.files.static_copy import NotPublished, StillFrozen, write_zip
from tournament.extras.archive.files.stored import export_event
from tournament.extras.archive.forms import MOST_BYTES, ExportForm, ImportForm
from tournament.models import Tournament
from tournament.views import (
    BUSY,
    OK,
    UNPROCESSABLE,
    capped_upload,
    get_tournament,
    page,
    signed_in_form,
    signed_in_page,
    slot,
    user_of,
)
from tournament.views.public.workbook import spooled

MOST_UNPACKED = 256 * 1024 * 1024  # bytes

# one at a time: seconds of CPU each
_working = BoundedSemaphore(1)


@signed_in_page
def archive(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose export and personal data."""
    return choose(request, get_tournament(request, slug))


@signed_in_page
def archive_file(request: HttpRequest, slug: str) -> HttpResponse:
    """The archive, as of now."""
    tournament = get_tournament(request, slug)
    form = ExportForm(request.GET)
    if not form.is_valid():
        return choose(request, tournament, form, status=UNPROCESSABLE)
    people = People(form.cleaned_data["people"])
    return send_file(
        request, tournament, people.file_of(slug), lambda out: export_event(tournament, out, people)
    )


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


@capped_upload(MOST_BYTES)
@signed_in_form
def import_archive(request: HttpRequest) -> HttpResponse:
    """Form of an archive to bring in; POST imports it (staff)."""
    if not user_of(request).is_staff:
        raise PermissionDenied
    if request.method != "POST":
        return _bring(request, ImportForm())
    form = ImportForm(request.POST, request.FILES)
    if not form.is_valid():
        return _bring(request, form, status=UNPROCESSABLE)
    with slot(_working) as free:
        if not free:
            form.add_error("file", _busy_words())
            return _bring(request, form, status=BUSY)
        try:
            imported = import_event(
                Archive(form.cleaned_data["file"], most_bytes=MOST_UNPACKED), by=user_of(request)
            )
        except NotImported as refusal:
            form.add_error("file", refusal_text(refusal))
            return _bring(request, form, status=UNPROCESSABLE)
    return _bring(request, ImportForm(), imported=imported)


def choose(
    request: HttpRequest,
    tournament: Tournament,
    form: ExportForm | None = None,
    *,
    said: str = "",
    status: int = OK,
) -> HttpResponse:
    """The archive's page; `said`: what went wrong."""
    return page(
        request,
        "archive/archive.html",
        tournament,
        status=status,
        section="events",
        export=form or ExportForm(),
        errors=[{"text": said, "href": ""}] if said else [],
    )


def _bring(request: HttpRequest, form: ImportForm, *, imported: Any = None, status: int = OK) -> HttpResponse:
    context = {"section": "events", "form": form, "imported": imported}
    if imported:
        context["url"] = reverse("organise-board", args=[imported.slug])
        context["name"] = Tournament.objects.get(uid=imported.tournament).name
    return render(request, "archive/import_archive.html", context, status=status)


def send_file(
    request: HttpRequest, tournament: Tournament, name: str, write: Callable[[IO[bytes]], None]
) -> HttpResponse:
    """The zip that `write` fills, or the page that says that another is being written."""
    with slot(_working) as free:
        if not free:
            return choose(request, tournament, said=_busy_words(), status=BUSY)
        sent = spooled(write, as_attachment=True, filename=name, content_type="application/zip")
    return cast("HttpResponse", sent)


def _busy_words() -> str:
    return _("Another archive is being processed. Try again in a minute.")
