"""Rewrites our pages for offline use: relative links, no scripts. Attribute values are quoted, and brackets in them
escaped."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from html import escape, unescape
from posixpath import dirname, relpath
from urllib.parse import urlsplit

Attributes = tuple[tuple[str, str | None], ...]

# Removed, since they need scripts or a server: tag and class.
TAGS = frozenset({"script", "template", "form", "button", "out-now"})
CLASSES = frozenset(
    {"site-nav", "site-footer__links", "rules__others", "bottom-bar", "find-me__field", "live", "said"}
)
# Removed if the target is not copied; other links become text.
BUTTONS = frozenset({"button", "page-head__back"})
VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)
LEADING = frozenset({"href", "src"})
LINKS = frozenset({"stylesheet", "icon"})

# `file:`, since not every browser matches 'self' on disk.
POLICY = "; ".join(
    [
        "default-src 'none'",
        "style-src 'self' file:",
        "img-src 'self' file:",
        "base-uri 'none'",
        "form-action 'none'",
    ]
)

# A script, a comment or a tag.
TOKEN = re.compile(
    r"""<script\b.*?</script\s*>|<!--.*?-->|</?[a-zA-Z](?:[^"'>]++|"[^"]*+"|'[^']*+')*+>""", re.DOTALL
)
NAME = re.compile(r"</?([a-zA-Z][^\s/>]*)")
ATTRIBUTE = re.compile(r"""([^\s=>"'/]+)(?:=("[^"]*"|'[^']*'|[^\s"'>]+))?""")


@dataclass(frozen=True, slots=True)
class Tag:
    """A start tag; an `empty` element has no end tag."""

    text: str
    name: str
    attributes: Attributes
    classes: frozenset[str]
    empty: bool

    def get(self, name: str) -> str:
        """Value of an attribute, "" without it."""
        return dict(self.attributes).get(name) or ""

    def leading_to(self, target: str) -> str:
        """HTML of the same tag with another target."""
        return _written(
            self.name, ((key, target if key in LEADING else value) for key, value in self.attributes)
        )


class Rewriter:
    """Rewrites one page. `name`: its file; `home`: target of the wordmark; `file_of`: path to file, None if not copied;
    `note`: appended to the footer."""

    def __init__(self, name: str, home: str, file_of: Callable[[str], str | None], note: str) -> None:
        self._folder, self._home, self._file_of, self._note = dirname(name) or ".", home, file_of, note
        self._out: list[str] = []
        self._left_out: list[str] = []  # open tags within a removed part
        self._unlinked: list[bool] = []  # per open link: whether it is removed

    def rewritten(self, html: str) -> str:
        """Return the rewritten page."""
        at = 0
        for found in TOKEN.finditer(html):
            self._keep(html[at : found.start()])
            at, token = found.end(), found[0]
            if token.startswith("</"):
                self._end(token)
            elif not token.startswith(("<!--", "<script")):
                self._begin(_tag(token))
        self._keep(html[at:])
        return "".join(self._out)

    def _begin(self, tag: Tag) -> None:
        if tag.name == "a" and tag.classes & BUTTONS:
            needless = self._target(tag) is None
        else:
            needless = tag.name in TAGS or not CLASSES.isdisjoint(tag.classes)
        if self._left_out or needless:
            if not tag.empty:
                self._left_out.append(tag.name)
        elif tag.name == "a":
            target = self._target(tag)
            self._unlinked.append(target is None)
            if target is not None:
                self._out.append(tag.leading_to(target))
        elif tag.name == "link":
            if tag.get("rel") in LINKS:
                target = self._target(tag)
                self._out.append(tag.text if target is None else tag.leading_to(target))
        elif tag.name == "img":
            target = self._target(tag)
            self._out.append(tag.text if target is None else tag.leading_to(target))
        elif tag.name == "head":
            self._out.append(
                tag.text + _written("meta", (("http-equiv", "Content-Security-Policy"), ("content", POLICY)))
            )
        elif tag.name == "body":
            self._out.append(
                _written("body", (each for each in tag.attributes if not each[0].startswith("data-")))
            )
        else:
            self._out.append(tag.text)

    def _end(self, token: str) -> None:
        name = _name(token)
        if self._left_out:
            while self._left_out and self._left_out.pop() != name:
                pass
        elif name == "a":
            if not self._unlinked.pop():
                self._out.append(token)
        else:
            self._out.append((self._note if name == "footer" else "") + token)

    def _keep(self, text: str) -> None:
        if not self._left_out:
            self._out.append(text)

    def _target(self, tag: Tag) -> str | None:
        if "wordmark" in tag.classes:
            return relpath(self._home, self._folder)
        href = tag.get("href") or tag.get("src")
        if href.startswith("#"):
            return href
        parts = urlsplit(href)
        if parts.scheme or parts.netloc or parts.query:
            return None
        file, place = self._file_of(parts.path), f"#{parts.fragment}" if parts.fragment else ""
        return None if file is None else relpath(file, self._folder) + place


def _name(token: str) -> str:
    return found[1].lower() if (found := NAME.match(token)) else ""


@lru_cache(maxsize=20_000)
def _tag(text: str) -> Tag:
    name = _name(text)
    attributes = tuple(
        (key.lower(), unescape(value.strip("\"'")) if value else None)
        for key, value in ATTRIBUTE.findall(text, len(name) + 1)
    )
    classes = frozenset((dict(attributes).get("class") or "").split())
    return Tag(text, name, attributes, classes, name in VOID or text.endswith("/>"))


def _written(name: str, attributes: Iterable[tuple[str, str | None]]) -> str:
    said = "".join(
        f" {attribute}" if value is None else f' {attribute}="{escape(value)}"'
        for attribute, value in attributes
    )
    return f"<{name}{said}>"
