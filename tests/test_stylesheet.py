"""The stylesheet holds nothing that no page asks for."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
STATIC = ROOT / "tournament/static/lastcard"

RULE = re.compile(r"([^{}]+)\{")
CLASS = re.compile(r"\.(-?[a-zA-Z_][\w-]*)")
STRING = re.compile(r""""((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`([^`]*)`""")
CLASSES = re.compile(r'class="((?:\{%.*?%\}|\{\{.*?\}\}|[^"])*)"')
CLASS_BLOCK = re.compile(r"\{% block \w*class %\}(.*?)\{% endblock")
TAG = re.compile(r"\{%.*?%\}")
VALUE = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|\$?\{[^}]*\}")
# A modifier that a value completes: "status--{{ sign }}", `scene--${name}`, f"card--{size}".
BEGUN = re.compile(r"([a-z][\w-]*--)(?:\{\{|\$\{|\{)")


def _styled() -> set[str]:
    """Every class that a rule of app.css is about."""
    found = set[str]()
    for path in (STATIC / "css").rglob("*.css"):
        text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
        for selector in RULE.findall(text):
            if not selector.strip().startswith("@"):
                found.update(CLASS.findall(re.sub(r'"[^"]*"', "", selector)))
    return found


def _strings(text: str) -> Iterator[str]:
    return ("".join(parts) for parts in STRING.findall(text))


def _named() -> Iterator[str]:
    """Every text in which a class may be named: a class attribute, a string of a tag's, a script's or Python's."""
    for path in (ROOT / "templates").rglob("*.html"):
        text = path.read_text()
        yield from CLASSES.findall(text)
        yield from CLASS_BLOCK.findall(text)
        for tag in TAG.findall(text):
            yield from _strings(tag)
    for path in [*(ROOT / "tournament").rglob("*.py"), *(STATIC / "js").rglob("*.js")]:
        yield from _strings(path.read_text())


def test_every_class_that_is_styled_is_named_by_a_template_a_script_or_python() -> None:
    named, begun = set[str](), set[str]()
    for text in _named():
        named.update(re.findall(r"[\w-]+", VALUE.sub(" ", text)))
        begun.update(BEGUN.findall(text))
    unused = {name for name in _styled() - named if not name.startswith(tuple(begun))}
    assert sorted(unused) == []
