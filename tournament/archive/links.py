"""A page of ours as one that opens from a disk: links to other pages of the copy lead to their files, what needs a
server is left out, and nothing is fetched from anywhere."""

from collections.abc import Callable, Sequence
from html import escape
from html.parser import HTMLParser
from posixpath import dirname, relpath
from urllib.parse import urlsplit

Attributes = list[tuple[str, str | None]]

# What is of no use without scripts or a server, by tag and by class.
TAGS = frozenset({"script", "template", "form", "button", "out-now"})
CLASSES = frozenset(
    {"site-nav", "site-footer__links", "rules__others", "bottom-bar", "find-me__field", "live"}
)
# A link to a page that is not copied goes with its words where it is a button, else its words stay.
BUTTONS = frozenset({"button", "page-head__back"})
VOID = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
)
LINKS = frozenset({"stylesheet", "icon"})


class Rewriter(HTMLParser):
    """One page, rewritten. `name` is its file in the copy; `file_of` gives the file of another page or part by its
    path, None for what is not copied; `home` is the file that the program's own mark leads to. `note` is put at the end
    of the page's footer."""

    def __init__(self, name: str, home: str, file_of: Callable[[str], str | None], note: str) -> None:
        super().__init__(convert_charrefs=False)
        self._name, self._home, self._file_of, self._note = name, home, file_of, note
        self._out: list[str] = []
        self._left_out: list[str] = []  # tags that are open in a part that is left out
        self._unlinked: list[bool] = []  # of each open link, whether its tags are left out

    def rewritten(self, html: str) -> str:
        """The page as a file of the copy."""
        self.feed(html)
        self.close()
        return "".join(self._out)

    def handle_starttag(self, tag: str, attributes: Attributes) -> None:
        if self._left_out or self._leaves_out(tag, attributes):
            if tag not in VOID:
                self._left_out.append(tag)
        elif tag == "a":
            self._link(attributes)
        elif tag == "link":
            if dict(attributes).get("rel") in LINKS:
                self._out.append(_tag(tag, self._here(attributes)))
        elif tag == "body":
            self._out.append(_tag(tag, [each for each in attributes if not each[0].startswith("data-")]))
        else:
            self._out.append(self.get_starttag_text() or "")

    def handle_startendtag(self, tag: str, attributes: Attributes) -> None:
        if not self._left_out and not self._leaves_out(tag, attributes):
            self._out.append(self.get_starttag_text() or "")

    def handle_endtag(self, tag: str) -> None:
        if self._left_out:
            while self._left_out and self._left_out.pop() != tag:
                pass
        elif tag == "a":
            if not self._unlinked.pop():
                self._out.append("</a>")
        else:
            self._out.append((self._note if tag == "footer" else "") + f"</{tag}>")

    def handle_data(self, data: str) -> None:
        self._keep(data)

    def handle_entityref(self, name: str) -> None:
        self._keep(f"&{name};")

    def handle_charref(self, name: str) -> None:
        self._keep(f"&#{name};")

    def handle_decl(self, declaration: str) -> None:
        self._keep(f"<!{declaration}>")

    def _keep(self, text: str) -> None:
        if not self._left_out:
            self._out.append(text)

    def _leaves_out(self, tag: str, attributes: Attributes) -> bool:
        classes = _classes(attributes)
        if tag == "a" and classes & BUTTONS:
            return self._target(attributes) is None
        return tag in TAGS or bool(classes & CLASSES)

    def _link(self, attributes: Attributes) -> None:
        target = self._target(attributes)
        self._unlinked.append(target is None)
        if target is not None:
            kept = [(name, target if name == "href" else value) for name, value in attributes]
            self._out.append(_tag("a", kept))

    def _here(self, attributes: Attributes) -> Attributes:
        target = self._target(attributes)
        return [(name, target if name == "href" else value) for name, value in attributes]

    def _target(self, attributes: Attributes) -> str | None:
        """Where a link leads in the copy, relative to this page; None for what is not in it."""
        if "wordmark" in _classes(attributes):
            return self._relative(self._home)
        href = dict(attributes).get("href") or ""
        if href.startswith("#"):
            return href
        parts = urlsplit(href)
        if parts.scheme or parts.netloc or parts.query:
            return None
        file = self._file_of(parts.path)
        if file is None:
            return None
        return self._relative(file) + (f"#{parts.fragment}" if parts.fragment else "")

    def _relative(self, file: str) -> str:
        return relpath(file, dirname(self._name) or ".")


def _classes(attributes: Attributes) -> set[str]:
    return set((dict(attributes).get("class") or "").split())


def _tag(name: str, attributes: Sequence[tuple[str, str | None]]) -> str:
    said = "".join(
        f" {attribute}" if value is None else f' {attribute}="{escape(value)}"'
        for attribute, value in attributes
    )
    return f"<{name}{said}>"
