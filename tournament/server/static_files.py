"""Static files: `collectstatic` hashes names and minifies ours; WhiteNoise serves them."""

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
except ModuleNotFoundError:  # Linux wheels only: elsewhere unminified

    def jsmin(script: str) -> str:
        return script


OURS = re.compile(r"lastcard/(?:[\w./-]+\.(css)|js/[\w./]+\.(js))")
# Parts of app.css, before and after Django hashes their names.
_PART = re.compile(r'@import url\("(?P<part>css/[\w/-]+)(?:\.\w{12})?\.css"\) layer\((?P<layer>\w+)\);')


class StaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # its base has no types
    """Rewrites imports in our scripts, else a module would run twice under two names. Django's own way fails on
    comments in third-party scripts."""

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
        """Hashed name; without manifest or from the source tree the plain one."""
        plain = settings.WHITENOISE_USE_FINDERS or not self.hashed_files
        return name if plain else str(super().stored_name(name))

    def _save(self, name: str, content: "File[Any]") -> str:
        if kind := OURS.fullmatch(name):
            strip = strip_css if kind[1] else jsmin
            content.seek(0)
            content = ContentFile(strip(whole(content.read().decode())).encode())
        return str(super()._save(name, content))


class Served(WhiteNoiseMiddleware):  # type: ignore[misc]  # its base has no types
    """WhiteNoise that prepares files at first request; uncollected ones come from the finders."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        super().__init__(get_response)
        collected = (Path(settings.STATIC_ROOT) / StaticFiles.manifest_name).is_file()
        if settings.WHITENOISE_USE_FINDERS or not collected:
            self.autorefresh = self.use_finders = True
            self.max_age = 0  # seconds: edits show on reload

    def add_files(self, root: str, prefix: str) -> None:
        """Register a folder without scanning it."""
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
    """Run `collect` unless the files are unchanged: it takes seconds."""
    stamp = Path(settings.STATIC_ROOT) / "collected"
    found = hashlib.sha256()
    paths = [
        Path(storage.path(name)) for finder in finders.get_finders() for name, storage in finder.list([])
    ]
    for path in sorted({*paths, Path(__file__)}):
        about = path.stat()
        found.update(f"{path}\n{about.st_size} {about.st_mtime_ns}\n".encode())
    files = found.hexdigest()
    if stamp.is_file() and stamp.read_text() == files:
        return
    stamp.unlink(missing_ok=True)
    collect()
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(files)


def whole(text: str) -> str:
    """Inline the parts of app.css with their layers; other text unchanged."""

    def part(found: re.Match[str]) -> str:
        source = Path(finders.find(f"lastcard/{found['part']}.css") or "").read_text()
        return f"@layer {found['layer']} {{\n{source}}}"

    return _PART.sub(part, text)


# String (retained) or comment.
_STRING_OR_COMMENT = re.compile(r"""("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|/\*.*?\*/""", re.DOTALL)


def strip_css(text: str) -> str:
    """CSS without comments, indents and needless line ends."""
    stripped = _STRING_OR_COMMENT.sub(lambda found: found[1] or "", text)
    lines = filter(None, map(str.strip, stripped.splitlines()))
    return "".join(line if line.endswith((";", "{", "}", ",")) else f"{line}\n" for line in lines)
