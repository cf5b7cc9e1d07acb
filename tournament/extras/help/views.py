"""The help: docs/ as pages, translated where possible.

Rendered as on GitHub, without HTML but `<img src="..." width="..." alt="...">` and without comment lines.
"""

import logging
import re
import struct
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext_lazy as _, override
from django.views.decorators.http import require_safe

from tournament.extras.help.pages import LONGEST_QUERY, search
from tournament.extras.help.words import DOCS, GUIDES, SOURCE_LANGUAGE, anchor, ids
from tournament.live.pages import lasting_page

if TYPE_CHECKING:  # slow imports
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

logger = logging.getLogger("tournament.help.links")

STATIC_PREFIX = "lastcard/help"  # of docs/images (STATICFILES_DIRS)
_PNG_SIZE = struct.Struct(">8x4x4xII")  # signature, chunk length and type; width, height
_SVG_SIZE = re.compile(rb'<svg [^>]*?width="(\d+)" height="(\d+)"')
IMAGES = DOCS / "images"

# By reader; other pages join the last group.
GROUPS: tuple[tuple[str | Promise, tuple[str, ...]], ...] = (
    (_("How it is counted"), ("rulings", "draws", "glossary")),
    (
        _("Running the server"),
        ("release", "changelog", "operators", "rehearsal", "privacy", "security", "speed", "faults"),
    ),
    (_("Files and programs"), ("api", "score-sheet", "archive")),
    (_("How Lastcard is built"), ("contributors", "testing", "adding", "inside")),
)
OUTSIDE = {
    "security": settings.BASE_DIR / "SECURITY.md",
    "changelog": settings.BASE_DIR / "CHANGELOG.md",
}
CLIENT = DOCS / "client.py"


@dataclass(frozen=True, slots=True)
class Source:
    """A page's file and language."""

    slug: str
    path: Path
    language: str


def source(slug: str, language: str) -> Source | None:
    """The page in this language, else English, if it exists."""
    if slug not in slugs():
        return None
    translated = DOCS / language / f"{slug}.md"
    if language != SOURCE_LANGUAGE and translated.exists():
        return Source(slug, translated, language)
    return Source(slug, OUTSIDE.get(slug, DOCS / f"{slug}.md"), SOURCE_LANGUAGE)


def slug_of(path: Path) -> str | None:
    """The page's slug, in any language; None for other files."""
    outside = {file: slug for slug, file in OUTSIDE.items()}
    if path in outside:
        return outside[path]
    folders = {DOCS, *(DOCS / code for code, _name in settings.LANGUAGES)}
    return path.stem if path.suffix == ".md" and path.parent in folders and path.stem in slugs() else None


def slugs() -> frozenset[str]:
    return frozenset(path.stem for path in DOCS.glob("*.md")) | OUTSIDE.keys()


def groups() -> list[tuple[str | Promise, list[str]]]:
    """Pages other than guides, each in one group."""
    rest = slugs() - set(GUIDES) - {slug for _title, named in GROUPS for slug in named}
    *first, (title, last) = GROUPS
    return [*((each, list(named)) for each, named in first), (title, [*last, *sorted(rest)])]


@dataclass(frozen=True, slots=True)
class Picture:
    """Address, width and height in pixels."""

    src: str
    width: int
    height: int


def target(page: Source, href: str) -> tuple[Path, str] | None:
    """The linked file and anchor; None for another site."""
    parts = urlsplit(href)
    if parts.scheme:
        return None
    return ((page.path.parent / parts.path).resolve() if parts.path else page.path), parts.fragment


def address(page: Source, href: str) -> str | None:
    """The link's address in the active language; None for other files."""
    named = target(page, href)
    if named is None:
        return href
    path, wanted = named
    if path == CLIENT:
        return reverse("help-client")
    slug = slug_of(path)
    if slug is None:
        return None
    fragment = f"#{_ids(path).get(unquote(wanted), wanted)}" if wanted else ""
    return fragment if path == page.path else f"{reverse('help-page', args=[slug])}{fragment}"


def _ids(path: Path) -> dict[str, str]:
    """Translated anchor to original section id; empty for English."""
    original = DOCS / path.name
    return ids(path, original) if path.parent.parent == DOCS and original.exists() else {}


def picture(page: Source, src: str) -> Picture | None:
    """A picture of docs/images; None (logged) if missing or unreadable."""
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


_IMG = re.compile(r'<img src="(?P<src>[^"]+)" width="(?P<width>\d+)" alt="(?P<alt>[^"]*)">')
_COMMENT = re.compile(r"^<!--.*-->\n", re.MULTILINE)
FOLDED_FROM = 4  # sections
END_OF_PART = "</div></details>\n"
_SENTENCE = re.compile(r"(.*?[.!?])(?:\s|$)")
_TAKEN = ("main", "messages")  # ids of every page


@dataclass(frozen=True, slots=True)
class Heading:
    """Depth (2, 3), anchor and text."""

    depth: int
    anchor: str
    text: str


@dataclass(frozen=True, slots=True)
class Page:
    """A help page; `lead`: its first sentence as plain text."""

    title: str
    lead: str
    html: SafeString
    headings: tuple[Heading, ...]


@cache
def page(source: Source, language: str) -> Page:
    """Render a file with links to pages in this language."""
    with _once:
        markdown = _markdown()
    with override(language):
        tokens = markdown.parse(_COMMENT.sub("", source.path.read_text(encoding="utf-8")))
        title, lead = _text(tokens[1]), _lead(tokens)
        headings = tuple(_anchored(tokens, _ids(source.path)))
        for token in tokens:
            for child in token.children or ():
                _placed(child, source)
            if token.children:
                token.children = list(_led(token.children, source))
        body = tokens[3:]
        if sum(heading.depth == 2 for heading in headings) >= FOLDED_FROM:
            body = list(_folded(body))
        html = markdown.renderer.render(list(_boxed(body)), markdown.options, {})
    return Page(title, lead, SafeString(html), headings)


def _img(state: "StateInline", silent: bool) -> bool:
    found = _IMG.match(state.src, state.pos)
    if not found:
        return False
    if not silent:
        token = state.push("image", "img", 0)
        token.attrs = {"src": found["src"], "alt": "", "width": found["width"]}
        alt = type(token)("text", "", 0)
        alt.content = found["alt"]
        token.content, token.children = found["alt"], [alt]
    state.pos = found.end()
    return True


def _anchored(tokens: Sequence["Token"], known: dict[str, str]) -> Iterator[Heading]:
    """Set heading ids: GitHub's anchors, or the original's (`known`)."""
    seen = Counter(_TAKEN)
    for opening, inline in pairwise(tokens):
        if opening.type != "heading_open" or opening.tag == "h1":
            continue
        own = anchor(_text(inline))
        own = known.get(own, own)
        number = seen[own]
        seen[own] += 1
        own = f"{own}-{number}" if number else own
        opening.attrSet("id", own)
        yield Heading(int(opening.tag[1]), own, _text(inline))


def _placed(token: "Token", source: Source) -> None:
    if token.type != "image":
        return
    found = picture(source, str(token.attrs["src"]))
    if found is None:
        token.type = "text"
        return
    width = int(token.attrs.get("width", found.width))
    token.attrs = {
        "src": found.src,
        "alt": "",  # set by the renderer
        "width": width,
        "height": round(width * found.height / found.width),
        "loading": "lazy",
    }


def _led(tokens: Sequence["Token"], source: Source) -> Iterator["Token"]:
    """A link to a file that is no page leaves its text."""
    dropped: list[bool] = []
    for token in tokens:
        if token.type == "link_open":
            href = address(source, str(token.attrs["href"]))
            dropped.append(href is None)
            if href is None:
                continue
            token.attrSet("href", href)
        elif token.type == "link_close" and dropped.pop():
            continue
        yield token


def _boxed(tokens: Sequence["Token"]) -> Iterator["Token"]:
    heading, cell = "", "th"
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type == "heading_open":
            heading = str(token.attrs["id"])
        elif token.type in {"th_open", "td_open"} and token.attrs.pop("style", "") == "text-align:right":
            token.attrSet("class", "num")
        if token.type == "th_open":
            cell = "th" if following and following.content else "td"  # no empty headings
        if token.type in {"th_open", "th_close"}:
            token.tag = cell
        elif token.type == "table_open":
            label = format_html(' aria-labelledby="{}"', heading) if heading else ""
            yield _html(format_html('<div class="help__table" role="group" tabindex="0"{}>', label))
        yield token
        if token.type == "table_close":
            yield _html("</div>\n")


def _folded(tokens: Sequence["Token"]) -> Iterator["Token"]:
    """Fold h2 sections. The fold has the id, so links open it without a script."""
    own = ""
    for token in tokens:
        second = token.tag == "h2"
        if second and token.type == "heading_open":
            yield _html(f'{END_OF_PART if own else ""}<details class="panel"><summary>')
            own = str(token.attrs["id"])
            token.attrSet("id", f"{own}-heading")
        yield token
        if second and token.type == "heading_close":
            yield _html(format_html('</summary><div class="help__text" id="{}">\n', own))
    yield _html(END_OF_PART)


def _html(text: str) -> "Token":
    from markdown_it.token import Token

    token = Token("html_block", "", 0)
    token.content = text
    return token


def _lead(tokens: Sequence["Token"]) -> str:
    for opening, inline in pairwise(tokens):
        if opening.type == "paragraph_open":
            text = _text(inline)
            found = _SENTENCE.match(text)
            return found[1] if found else f"{text.rstrip(':')}."
    return ""


def _text(inline: "Token") -> str:
    return "".join(
        " " if child.type == "softbreak" else child.content
        for child in inline.children or ()
        if child.type in {"text", "code_inline", "softbreak"}
    )


_once = Lock()


@cache
def _markdown() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    made = MarkdownIt("commonmark", {"html": False}).enable("table")
    made.inline.ruler.before("html_inline", "img", _img)
    made.normalizeLink("/")  # fill mdurl's escape table, which is not thread-safe
    return made


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """All pages by group; guide sections found for ?q=."""
    question = request.GET.get("q", "").strip()[:LONGEST_QUERY]
    context = {
        "q": question,
        "found": [(section, _page(section.guide)[0].title) for section in search(question, get_language())],
        "guides": [(slug, *_page(slug)) for slug in GUIDES],
        "groups": [(title, [(slug, *_page(slug)) for slug in slugs]) for title, slugs in groups()],
    }
    return lasting_page(request, "help/index.html", context)


@require_safe
def help_page(request: HttpRequest, topic: str) -> HttpResponse:
    """One page; in English, with a note, if untranslated."""
    shown, language = _page(topic)
    context = {
        "page": shown,
        "language": language,
        "guide": topic if topic in GUIDES else "",
    }
    return lasting_page(request, "help/page.html", context)


@require_safe
def client(_request: HttpRequest) -> HttpResponse:
    """The API's small client, as text."""
    return HttpResponse(CLIENT.read_bytes(), content_type="text/plain; charset=utf-8")


def _page(slug: str) -> tuple[Page, str]:
    found = source(slug, get_language())
    if found is None:
        raise Http404
    return page(found, get_language()), found.language
