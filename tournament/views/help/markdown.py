"""A file of docs/ as a page: the Markdown that GitHub shows the same way, without HTML.

One piece of HTML is taken, since Markdown cannot say how wide a picture is: `<img src="..." width="..." alt="...">`.
Comments in lines of their own are left out.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import override
from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from tournament.views.help.pages import Source, address, picture

_IMG = re.compile(r'<img src="(?P<src>[^"]+)" width="(?P<width>\d+)" alt="(?P<alt>[^"]*)">')
_COMMENT = re.compile(r"^<!--.*-->\n", re.MULTILINE)
_NOT_IN_ANCHORS = re.compile(r"[^\w\- ]")
_SENTENCE = re.compile(r"(.*?[.!?])(?:\s|$)")
_TAKEN = ("main", "messages")  # ids that every page has


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading as a link of the contents: of which depth (2, 3), its anchor and its words."""

    depth: int
    anchor: str
    text: str


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the help; `lead` is the first sentence as plain text, for lists of pages."""

    title: str
    lead: str
    html: SafeString
    headings: tuple[Heading, ...]


@cache
def page(source: Source, language: str) -> Page:
    """This file as a page for readers of a language: its links lead to pages in that language."""
    with override(language):
        tokens = _MARKDOWN.parse(_COMMENT.sub("", source.path.read_text(encoding="utf-8")))
        title, lead = _text(tokens[1]), _lead(tokens)
        headings = tuple(_anchored(tokens))
        for token in tokens:
            for child in token.children or ():
                _placed(child, source)
            if token.children:
                token.children = list(_led(token.children, source))
        html = _MARKDOWN.renderer.render(list(_boxed(tokens[3:])), _MARKDOWN.options, {})
    return Page(title, lead, SafeString(html), headings)


def anchors(source: Source) -> set[str]:
    """The anchors on this page, as in the address behind the #."""
    return {heading.anchor for heading in _anchored(_MARKDOWN.parse(source.path.read_text(encoding="utf-8")))}


def _img(state: StateInline, silent: bool) -> bool:
    """Markdown's own rules end here for the one piece of HTML that is taken."""
    found = _IMG.match(state.src, state.pos)
    if not found:
        return False
    if not silent:
        token = state.push("image", "img", 0)
        token.attrs = {"src": found["src"], "alt": "", "width": found["width"]}
        alt = Token("text", "", 0)
        alt.content = found["alt"]
        token.content, token.children = found["alt"], [alt]
    state.pos = found.end()
    return True


def _anchored(tokens: Sequence[Token]) -> Iterator[Heading]:
    """Give every heading below the title the anchor that GitHub gives it."""
    seen = Counter(_TAKEN)
    for opening, inline in pairwise(tokens):
        if opening.type != "heading_open" or opening.tag == "h1":
            continue
        anchor = _NOT_IN_ANCHORS.sub("", _text(inline).lower()).replace(" ", "-")
        number = seen[anchor]
        seen[anchor] += 1
        anchor = f"{anchor}-{number}" if number else anchor
        opening.attrSet("id", anchor)
        yield Heading(int(opening.tag[1]), anchor, _text(inline))


def _placed(token: Token, source: Source) -> None:
    """A picture with its address among the static files and its size, so that nothing moves when it loads; a missing
    one leaves its words."""
    if token.type != "image":
        return
    found = picture(source, str(token.attrs["src"]))
    if found is None:
        token.type = "text"
        return
    width = int(token.attrs.get("width", found.width))
    token.attrs = {
        "src": found.src,
        "alt": "",  # the renderer fills it in
        "width": width,
        "height": round(width * found.height / found.width),
        "loading": "lazy",
    }


def _led(tokens: Sequence[Token], source: Source) -> Iterator[Token]:
    """The same with links that lead to pages; a link to a file that is no page leaves its words."""
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


def _boxed(tokens: Sequence[Token]) -> Iterator[Token]:
    """Tables in a box that scrolls by itself on a narrow screen, named by the heading above it; no inline style."""
    heading, cell = "", "th"
    for token, following in zip(tokens, [*tokens[1:], None], strict=True):
        if token.type == "heading_open":
            heading = str(token.attrs["id"])
        elif token.type in {"th_open", "td_open"} and token.attrs.pop("style", "") == "text-align:right":
            token.attrSet("class", "num")
        if token.type == "th_open":
            cell = "th" if following and following.content else "td"  # a column without a word has no heading
        if token.type in {"th_open", "th_close"}:
            token.tag = cell
        elif token.type == "table_open":
            label = format_html(' aria-labelledby="{}"', heading) if heading else ""
            yield _html(format_html('<div class="help__table" role="group" tabindex="0"{}>', label))
        yield token
        if token.type == "table_close":
            yield _html("</div>\n")


def _html(text: str) -> Token:
    token = Token("html_block", "", 0)
    token.content = text
    return token


def _lead(tokens: Sequence[Token]) -> str:
    for opening, inline in pairwise(tokens):
        if opening.type == "paragraph_open":
            text = _text(inline)
            found = _SENTENCE.match(text)
            return found[1] if found else f"{text.rstrip(':')}."
    return ""


def _text(inline: Token) -> str:
    """The words of a line without their marks."""
    return "".join(
        " " if child.type == "softbreak" else child.content
        for child in inline.children or ()
        if child.type in {"text", "code_inline", "softbreak"}
    )


def _made() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False}).enable("table")
    made.inline.ruler.before("html_inline", "img", _img)
    return made


_MARKDOWN = _made()
