"""A page as the lines that a browser makes of it: one for each tag, attribute, class and text.

How the source of a page is broken into lines tells nothing, so white space is one space in a text, and none beside a
block or what nobody sees. A space between two inline elements is a line of its own, since a reader sees it.
"""

import re
from html.parser import HTMLParser

MARKUP = re.compile(r"<(?:!doctype|[a-z][\w-]*[ >])", re.IGNORECASE)
SPACE = "␣"
INLINE = re.compile(
    "a|abbr|b|bdi|button|cite|code|data|em|i|img|input|kbd|label|meter|output|q|s|samp|select|small|span|strong|"
    "sub|sup|svg|textarea|time|u|wbr"
)
AS_IT_STANDS = frozenset({"script", "style", "pre", "textarea"})


def as_lines(text: str) -> list[str]:
    """`<a>`, `a[href="/en/"]`, `a.wordmark`, `Lastcard`, `</a>`; a text that is no markup stays as its lines."""
    if not MARKUP.search(text):
        return text.split("\n")
    page = _Page()
    page.feed(text)
    page.close()
    return page.lines


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.lines: list[str] = []
        self._space = False  # after the last line
        self._inline = False  # the last line is one that a space may follow
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in AS_IT_STANDS:
            self._inside = tag
        self._line(f"<{tag}>", bool(INLINE.fullmatch(tag)) and ("type", "hidden") not in attrs)
        self.lines += sorted(
            f'{tag}[{name}="{" ".join(value.split())}"]' if value else f"{tag}[{name}]"
            for name, value in attrs
            if name != "class"
        )
        self.lines += sorted(f"{tag}.{word}" for word in (dict(attrs).get("class") or "").split())

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""
        self._line(f"</{tag}>", bool(INLINE.fullmatch(tag)))

    def handle_data(self, data: str) -> None:
        if self._inside:
            for line in data.strip().split("\n"):
                self._line(line.strip(), inline=False)
            return
        if data[:1].isspace():
            self._space = True
        if words := " ".join(data.split()):
            self._line(words, inline=True)
            self._space = data[-1].isspace()

    def handle_entityref(self, name: str) -> None:
        self._line(f"&{name};", inline=True)

    def handle_charref(self, name: str) -> None:
        self._line(f"&#{name};", inline=True)

    def handle_decl(self, decl: str) -> None:
        self._line(f"<!{decl}>", inline=False)

    def handle_comment(self, data: str) -> None:
        self._line(f"<!--{data}-->", inline=False)

    def _line(self, line: str, inline: bool) -> None:
        if self._space and self._inline and inline:
            self.lines.append(SPACE)
        self.lines.append(line)
        self._space, self._inline = False, inline
