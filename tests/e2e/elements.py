"""What a page consists of, whatever its language."""

from collections import Counter
from html.parser import HTMLParser
from typing import Any


class Elements(HTMLParser):
    """The elements of a page, each counted with what does not change with the language: what it is, and whether it has
    words."""

    NAMES = ("aria-label", "alt", "title", "placeholder")
    KINDS = ("class", "id", "role", "type", "for", "aria-labelledby", "aria-hidden", "name")
    ALONE = frozenset(
        ["br", "hr", "img", "input", "link", "meta", "path", "use", "wbr", "col", "circle", "rect"]
    )

    def __init__(self) -> None:
        super().__init__()
        self.language = ""
        self.counted: Counter[tuple[Any, ...]] = Counter()
        self._open: list[tuple[str, tuple[Any, ...], list[bool]]] = []

    @classmethod
    def of(cls, text: str) -> "Elements":
        elements = cls()
        elements.feed(text)
        elements.close()
        return elements

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = dict(attrs)
        if tag == "html":
            self.language = has.get("lang") or ""
        kind = (tag, *(has.get(key) for key in self.KINDS), *(bool(has.get(key)) for key in self.NAMES))
        if tag in self.ALONE:
            self.counted[kind] += 1
            self._says(any(has.get(key) for key in self.NAMES))
        else:
            self._open.append((tag, kind, [any(has.get(key) for key in self.NAMES)]))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in self.ALONE:
            self.handle_endtag(tag)

    def handle_data(self, data: str) -> None:
        self._says(bool(data.strip()))

    def handle_endtag(self, tag: str) -> None:
        while self._open:
            opened, kind, words = self._open.pop()
            self.counted[(*kind, words[0])] += 1
            self._says(words[0])
            if opened == tag:
                return

    def _says(self, words: bool) -> None:
        if words and self._open:
            self._open[-1][2][0] = True
