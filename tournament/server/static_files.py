"""Static files: `collectstatic` stores each under a name by its content, so that a browser keeps it for good, and
strips ours; WhiteNoise serves them. Where nothing was collected, and by `runserver`, the source tree is served."""

import hashlib
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.files.base import ContentFile, File
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage

try:
    from rjsmin import jsmin
except ModuleNotFoundError:  # it has wheels for Linux alone: elsewhere scripts keep their comments

    def jsmin(script: str) -> str:
        return script


OURS = re.compile(r"lastcard/(?:[\w./-]+\.(css)|js/[\w./]+\.(js))")
# Which parts app.css is made of: as it is written, and as Django words it once the part has its name by content.
_PART = re.compile(r'@import url\("(?P<part>css/[\w/-]+)(?:\.\w{12})?\.css"\) layer\((?P<layer>\w+)\);')


class StaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # its base has no types
    """Our own scripts too, where one imports from another: under two names it would run twice on one page.

    Django's switch for this (`support_js_module_import_aggregation`) stumbles over comments in others' scripts.
    """

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        (
            "lastcard/js/*.js",
            (
                (r'(?P<matched>from ?"(?P<url>\.{1,2}/[\w./-]+\.js)";)', 'from"%(url)s";'),
                (r'(?P<matched>import\("(?P<url>\.{1,2}/[\w./-]+\.js)"\))', 'import("%(url)s")'),
            ),
        ),
    )

    def stored_name(self, name: str) -> str:
        """The collected file's name; without a manifest, or where the source tree is served, the file's own."""
        plain = settings.WHITENOISE_USE_FINDERS or not self.hashed_files
        return name if plain else str(super().stored_name(name))

    def _save(self, name: str, content: "File[Any]") -> str:
        if kind := OURS.fullmatch(name):
            strip = strip_css if kind[1] else jsmin
            content.seek(0)
            content = ContentFile(strip(whole(content.read().decode())).encode())
        return str(super()._save(name, content))


class Served(WhiteNoiseMiddleware):  # type: ignore[misc]  # its base has no types
    """WhiteNoise, which prepares the answer for a file when the file is first asked for, not those for all of them when
    the program starts. Where nothing was collected, each file is looked up with the finders at each request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        super().__init__(get_response)
        collected = (Path(settings.STATIC_ROOT) / StaticFiles.manifest_name).is_file()
        if settings.WHITENOISE_USE_FINDERS or not collected:
            self.autorefresh = self.use_finders = True
            self.max_age = 0  # seconds: an edited file shows when the page is loaded again

    def add_files(self, root: str, prefix: str) -> None:
        """Note where files lie, and look at none of them yet."""
        self.directories.insert(0, (f"{Path(root).absolute()}{os.sep}", prefix))

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        path = request.path_info
        if path.startswith(self.static_prefix) and path not in self.files and not self.autorefresh:
            found = self.find_file(path)
            if found is not None:
                self.files[path] = found
        answer: HttpResponseBase = super().__call__(request)
        return answer


def collect_once(collect: Callable[[], object]) -> None:
    """Collect the static files unless that was done for just these: 1,500 files take seconds to pack and hash."""
    stamp = Path(settings.STATIC_ROOT) / "collected"
    files = _digest_of_files()
    if stamp.is_file() and stamp.read_text() == files:
        return
    stamp.unlink(missing_ok=True)
    collect()
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(files)


def _digest_of_files() -> str:
    """A digest of the names, sizes and times of all static files, and of the program that strips them."""
    found = hashlib.sha256()
    paths = [
        Path(storage.path(name)) for finder in finders.get_finders() for name, storage in finder.list([])
    ]
    for path in sorted({*paths, Path(__file__)}):
        about = path.stat()
        found.update(f"{path}\n{about.st_size} {about.st_mtime_ns}\n".encode())
    return found.hexdigest()


def whole(text: str) -> str:
    """app.css with its parts in it, each in its layer: one request for all of them. Another text as it is."""

    def part(found: re.Match[str]) -> str:
        source = Path(finders.find(f"lastcard/{found['part']}.css") or "").read_text()
        return f"@layer {found['layer']} {{\n{source}}}"

    return _PART.sub(part, text)


# A string, which is kept, or a comment. Neither runs over the end of a string's line.
_STRING_OR_COMMENT = re.compile(r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|/\*.*?\*/""", re.DOTALL)


def strip_css(text: str) -> str:
    """A style sheet without its comments, indents and empty lines: a fifth less to send, packed as it is."""
    stripped = _STRING_OR_COMMENT.sub(lambda found: found[1] or "", text)
    return "".join(f"{line.strip()}\n" for line in stripped.splitlines() if line.strip())
