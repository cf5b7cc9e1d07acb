"""Where a link or a picture of docs/ leads on a page of the help."""

import logging
import re
import struct
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from django.templatetags.static import static
from django.urls import reverse

from tournament.views.help.pages import IMAGES, Source, slug_of

logger = logging.getLogger("tournament.help.links")

STATIC_PREFIX = "lastcard/help"  # of docs/images among the static files (settings.STATICFILES_DIRS)
_PNG_SIZE = struct.Struct(">8x4x4xII")  # signature, length and name of the first part; width, height
_SVG_SIZE = re.compile(rb'<svg [^>]*?width="(\d+)" height="(\d+)"')


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
    """A picture of docs/images. None for one that lies elsewhere, is not there or is none."""
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
