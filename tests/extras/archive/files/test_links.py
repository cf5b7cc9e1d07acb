"""Links and tags of a page that is copied."""

import pytest

from tournament.extras.archive.files.links import Rewriter


def rewritten(html: str, name: str = "en/index.html") -> str:
    files = {
        "/en/t/cup/": "en/index.html",
        "/en/t/cup/players/": "en/players/index.html",
        "/static/a.css": "parts/a.css",
    }
    return Rewriter(name, "en/index.html", files.get, "<p>note</p>").rewritten(html)


@pytest.mark.parametrize(
    ("html", "there"),
    [
        ('<a href="/en/t/cup/players/">P</a>', '<a href="players/index.html">P</a>'),
        ('<a href="/en/t/cup/players/#b">P</a>', '<a href="players/index.html#b">P</a>'),
        ('<a class="x" href="#main">M</a>', '<a class="x" href="#main">M</a>'),
        ('<p><a href="/en/o/1/">Aino</a></p>', "<p>Aino</p>"),
        ('<p><a class="button" href="/en/o/1/">All <b>events</b></a></p>', "<p></p>"),
        ('<a href="https://elsewhere.example/">E</a>', "E"),
        ('<a href="//elsewhere.example/">E</a>', "E"),
        ('<a href="javascript:alert(1)">E</a>', "E"),
        ('<a href="/en/t/cup/?q=1">E</a>', "E"),
        ('<link rel="stylesheet" href="/static/a.css">', '<link rel="stylesheet" href="../parts/a.css">'),
        ('<link rel="alternate" href="/static/a.css">', ""),
        ("<script>if (a < b) x();</script>", ""),
        ('<form><input name="a"><p>b</p></form><p>c</p>', "<p>c</p>"),
        ('<nav class="site-nav"><nav>a</nav></nav>b', "b"),
        ('<body data-live="1" class="x">', '<body class="x">'),
        ("<p>a &amp; b &#39; c &lt;i&gt;</p>", "<p>a &amp; b &#39; c &lt;i&gt;</p>"),
        ('<svg viewBox="0 0 1 1"><path d="M0 0"/></svg>', '<svg viewBox="0 0 1 1"><path d="M0 0"/></svg>'),
        ("<!doctype html><!-- c --><footer>f</footer>", "<!doctype html><footer>f<p>note</p></footer>"),
        ('<a title="&quot;&lt;" href="/en/t/cup/">x</a>', '<a title="&quot;&lt;" href="index.html">x</a>'),
    ],
)  # fmt: skip
def test_a_part_of_a_page(html: str, there: str) -> None:
    assert rewritten(html) == there
