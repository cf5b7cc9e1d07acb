"""Which pages the help has: the files of docs/, in the order in which they are looked for; and where a link or a
picture of docs/ leads on a page."""

import logging
import re
import struct
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings
from django.templatetags.static import static
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

logger = logging.getLogger("tournament.help.links")

STATIC_PREFIX = "lastcard/help"  # of docs/images among the static files (settings.STATICFILES_DIRS)
_PNG_SIZE = struct.Struct(">8x4x4xII")  # signature, length and name of the first part; width, height
_SVG_SIZE = re.compile(rb'<svg [^>]*?width="(\d+)" height="(\d+)"')
DOCS: Path = settings.BASE_DIR / "docs"
IMAGES = DOCS / "images"
SOURCE_LANGUAGE = "en"

GUIDES = ("players", "referees", "organisers")  # for the three who use it, in every language
# What else there is, by who looks for it; what no group names stands in the last one.
GROUPS: tuple[tuple[str | Promise, tuple[str, ...]], ...] = (
    (_("How it is counted"), ("rulings", "draws", "glossary")),
    (_("Running the server"), ("operators", "rehearsal", "privacy", "security", "speed", "faults")),
    (_("Files and programs"), ("api", "score-sheet", "archive")),
    (_("How it is made"), ("contributors",)),
)
OUTSIDE = {"security": settings.BASE_DIR / "SECURITY.md"}  # pages that lie where others look for them


@dataclass(frozen=True, slots=True)
class Source:
    """One page's file, and the language that it is in."""

    slug: str
    path: Path
    language: str


def source(slug: str, language: str) -> Source | None:
    """The page of that name in this language, else in English; None if there is no such page."""
    if slug not in slugs():
        return None
    translated = DOCS / language / f"{slug}.md"
    if language != SOURCE_LANGUAGE and translated.exists():
        return Source(slug, translated, language)
    return Source(slug, OUTSIDE.get(slug, DOCS / f"{slug}.md"), SOURCE_LANGUAGE)


def slug_of(path: Path) -> str | None:
    """The page that a file is, in whichever language; None for a file that is no page."""
    outside = {file: slug for slug, file in OUTSIDE.items()}
    if path in outside:
        return outside[path]
    folders = {DOCS, *(DOCS / code for code, _name in settings.LANGUAGES)}
    return path.stem if path.suffix == ".md" and path.parent in folders and path.stem in slugs() else None


def slugs() -> frozenset[str]:
    return frozenset(path.stem for path in DOCS.glob("*.md")) | OUTSIDE.keys()


def groups() -> list[tuple[str | Promise, list[str]]]:
    """The pages beside the guides, each in one group."""
    rest = slugs() - set(GUIDES) - {slug for _title, named in GROUPS for slug in named}
    *first, (title, last) = GROUPS
    return [*((each, list(named)) for each, named in first), (title, [*last, *sorted(rest)])]


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture's address, and its width and height in its own pixels."""

    src: str
    width: int
    height: int


def target(page: Source, href: str) -> tuple[Path, str] | None:
    """The file that a link names, and its anchor; None for a link to another site."""
    parts = urlsplit(href)
    if parts.scheme:
        return None
    return ((page.path.parent / parts.path).resolve() if parts.path else page.path), parts.fragment


def address(page: Source, href: str) -> str | None:
    """The address of what a link names, in the language at hand. None for a file that is no page, as of the program."""
    named = target(page, href)
    if named is None:
        return href
    path, anchor = named
    slug = slug_of(path)
    if slug is None:
        return None
    fragment = f"#{anchor}" if anchor else ""
    return fragment if path == page.path else f"{reverse('help-page', args=[slug])}{fragment}"


def picture(page: Source, src: str) -> Picture | None:
    """A picture of docs/images; None if it lies elsewhere, is missing or cannot be read."""
    path = (page.path.parent / src).resolve()
    try:
        name = path.relative_to(IMAGES).as_posix()
        content = path.read_bytes()
        drawn = _SVG_SIZE.match(content)
        width, height = map(int, drawn.groups()) if drawn else _PNG_SIZE.unpack_from(content)
        return Picture(static(f"{STATIC_PREFIX}/{name}"), width, height)
    except (OSError, ValueError, struct.error) as error:
        logger.warning("%s shows no picture %s: %s", page.path.name, src, error)
        return None
