"""Static copy of an event's public pages in every language, rendered by their own views."""

import shutil
from collections import deque
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO
from urllib.parse import unquote
from zipfile import ZIP_DEFLATED, ZipFile

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.handlers.wsgi import WSGIRequest
from django.http import Http404, HttpResponseBase
from django.template.loader import render_to_string
from django.urls import Resolver404, ResolverMatch, resolve, reverse
from django.utils import timezone
from django.utils.translation import override

from tournament.extras.archive.files.links import Rewriter
from tournament.extras.archive.files.schema import People
from tournament.extras.archive.files.stored import CHUNK, LEVEL, entry, export_event
from tournament.files.workbook.event import read_event
from tournament.models import Stage, Tournament
from tournament.server.database import snapshot

# URL names; their argument must match the event.
OF_EVENT = frozenset(
    {"tournament", "programme", "players", "bracket", "clubs", "stage", "stage-page", "entry"}
)
RULES, WORKBOOK = "rules", "workbook"
FILES = frozenset({"stage-draw", "stage-podium", "event-logo", "event-colour"})
ARCHIVE_FILE, WORKBOOK_FILE, FIRST_FILE = "archive.zip", "results.xlsx", "index.html"
PARTS = "parts"  # styles, images, fonts


class NotPublished(Exception):
    """No pages to copy: an archived rehearsal."""


class StillFrozen(Exception):
    """An archive would reveal frozen standings."""


def write_folder(tournament: Tournament, folder: Path, *, archive: bool = False) -> int:
    """Write the copy into an empty or new folder; returns the number of files. `archive` adds the archive without
    personal data. Raises NotPublished, StillFrozen, OSError."""
    _refuse_frozen(tournament, archive=archive)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise FileExistsError(folder)
    count = 0
    for name, content in copied_pages(tournament):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
        count += 1
    if archive:
        with (folder / ARCHIVE_FILE).open("wb") as out:
            export_event(tournament, out, People.PUBLIC_NAMES)
    return count + archive


def write_zip(tournament: Tournament, out: IO[bytes], *, archive: bool = False) -> None:
    """Like write_folder, as a zip."""
    _refuse_frozen(tournament, archive=archive)
    with ZipFile(out, "w", ZIP_DEFLATED, compresslevel=LEVEL) as target:
        for name, content in copied_pages(tournament):
            target.writestr(entry(name), content)
        if archive:
            with TemporaryFile() as file, target.open(entry(ARCHIVE_FILE), "w") as beside:
                export_event(tournament, file, People.PUBLIC_NAMES)
                file.seek(0)
                shutil.copyfileobj(file, beside, CHUNK)


def _refuse_frozen(tournament: Tournament, *, archive: bool) -> None:
    if archive and Stage.objects.filter(tournament=tournament, frozen_after__isnull=False).exists():
        raise StillFrozen(tournament.slug)


def copied_pages(tournament: Tournament) -> Iterator[tuple[str, bytes]]:
    """Yield (name, content), the start page first. Raises NotPublished."""
    if tournament.put_away:
        raise NotPublished(tournament.slug)
    copy = _Copy(tournament)
    yield FIRST_FILE, copy.page(copy.front(tournament.language), tournament.language, FIRST_FILE)
    for language, _name in settings.LANGUAGES:
        copy.wants(copy.front(language))
    yield from copy.everything()


class _Copy:
    """State of one copy: files and queued paths."""

    def __init__(self, tournament: Tournament) -> None:
        self._tournament = tournament
        self._made_at = timezone.now()
        self._seen: set[str] = set()
        self._coming: deque[str] = deque()
        self._files: dict[str, str | None] = {}

    def front(self, language: str) -> str:
        with override(language):
            return reverse("tournament", args=[self._tournament.slug])

    def wants(self, path: str) -> str | None:
        file = self._file_of(path)
        if file is not None and file not in self._seen:
            self._seen.add(file)
            self._coming.append(path)
        return file

    def everything(self) -> Iterator[tuple[str, bytes]]:
        while self._coming:
            path = self._coming.popleft()
            name = self._file_of(path)
            assert name is not None
            if path.startswith(settings.STATIC_URL):
                yield name, _static(path)
            elif name.endswith(".html"):
                yield name, self.page(path, _language(path), name)
            elif name == WORKBOOK_FILE:
                from tournament.files.results_file.results_file import results_file  # imports openpyxl

                with snapshot():
                    event = read_event(self._tournament, everything=False)
                yield name, results_file(event)
            else:
                yield name, _body(_answer(path, _language(path)))

    def page(self, path: str, language: str, name: str) -> bytes:
        html = _body(_answer(path, language)).decode()
        live = f"{settings.PUBLIC_URL}{path}" if settings.PUBLIC_URL else ""
        with override(language), timezone.override(self._tournament.zone):
            note = render_to_string("archive/_copied.html", {"made_at": self._made_at, "live": live})
        home = self._file_of(self.front(language)) or FIRST_FILE
        return Rewriter(name, home, self.wants, note).rewritten(html).encode()

    def _file_of(self, path: str) -> str | None:
        if path not in self._files:
            self._files[path] = self._find_file_of(path)
        return self._files[path]

    def _find_file_of(self, path: str) -> str | None:
        if path.startswith(settings.STATIC_URL):
            return f"{PARTS}/{path.removeprefix(settings.STATIC_URL)}"
        match = _match(path)
        if match is None or not self._is_copied(match):
            return None
        if match.url_name == WORKBOOK:
            return WORKBOOK_FILE
        language, _slash, rest = path.strip("/").partition("/")
        rest = unquote(rest).removeprefix(f"t/{self._tournament.slug}").strip("/")
        name = "/".join(part for part in (language, rest) if part)
        return name if match.url_name in FILES else f"{name}/index.html"

    def _is_copied(self, match: ResolverMatch) -> bool:
        if match.url_name == RULES:
            return match.kwargs.get("ruleset") == self._tournament.ruleset
        of_event = OF_EVENT | FILES | {WORKBOOK}
        return match.kwargs.get("slug") == self._tournament.slug and match.url_name in of_event


def _language(path: str) -> str:
    return path.strip("/").partition("/")[0]


def _match(path: str) -> ResolverMatch | None:
    language = _language(path)
    if language not in dict(settings.LANGUAGES):
        return None
    with override(language):
        try:
            return resolve(path)
        except Resolver404:
            return None


def _answer(path: str, language: str) -> HttpResponseBase:
    """Call the view as an anonymous visitor. Raises Http404."""
    with override(language):
        request = WSGIRequest({"REQUEST_METHOD": "GET", "PATH_INFO": path, "wsgi.input": BytesIO()})
        request.user = AnonymousUser()
        match = request.resolver_match = resolve(path)
        answer: HttpResponseBase = match.func(request, *match.args, **match.kwargs)
    if answer.status_code != 200:
        raise Http404(path)
    return answer


def _body(answer: HttpResponseBase) -> bytes:
    """Content of a response; close() would end the surrounding request."""
    return bytes(answer.getvalue())


def _static(path: str) -> bytes:
    name = path.removeprefix(settings.STATIC_URL)
    if staticfiles_storage.exists(name):
        with staticfiles_storage.open(name) as file:
            return bytes(file.read())
    found = finders.find(name)
    if not isinstance(found, str):
        raise FileNotFoundError(name)
    return Path(found).read_bytes()
