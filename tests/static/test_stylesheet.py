"""The style sheets hold nothing that no page asks for, and take every size, space and colour from css/tokens.css."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL.ImageColor import colormap

from tests.support.templates import template_files

ROOT = Path(__file__).parents[2]
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
    for path in template_files():
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


TOKENS = STATIC / "css/tokens.css"
SHEETS = [path for path in sorted(STATIC.rglob("*.css")) if path != TOKENS and "vendor" not in path.parts]
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
DECLARATION = re.compile(r"(?<![\w-])(--[\w-]+|[a-z-]+):\s*([^;{}]+)(?=[;}])")
MEDIA = re.compile(r"@media ([^{]+)")
NAMED = re.compile(r"var\(--[\w-]+\)|env\([\w-]+\)|\"[^\"]*\"")  # a token, an inset of the phone's, a text
SPACING = re.compile(
    r"(margin|padding)(-(block|inline)(-(start|end))?|-(top|right|bottom|left))?|(row-|column-)?gap"
)
LENGTH = re.compile(r"\d[\d.]*(?:%|[a-z]+)")
COLOUR = re.compile(
    rf"#[\da-f]{{3,8}}\b|\b(?:rgba?|hsla?|hwb|oklab|oklch|lab|lch)\(|\b(?:{'|'.join(colormap)})\b", re.I
)
WIDTHS = {
    "30rem",
    "46rem",
    "60rem",
    "100rem",
}  # large text on a phone; beside each other; a laptop; a projector
HEIGHTS = {"20rem", "30rem", "45rem"}  # large text on a phone; a phone that lies on its side; a small phone
BREAKPOINT = re.compile(r"(width|height)(?:\s*[<>]=?\s*|: )([\d.]+\w+)")


def raw(sheet: str) -> Iterator[str]:
    """Each value in a style sheet's text that is not from tokens.css: the line's number, the words, the mend."""
    text = COMMENT.sub(lambda found: "\n" * found[0].count("\n"), sheet)
    for found in DECLARATION.finditer(text):
        name, value = found[1], NAMED.sub("", found[2])
        where = f"{text.count(chr(10), 0, found.start()) + 1}: {name}: {found[2].strip()}"
        if name in {"font", "font-size"} and value.strip() not in {"", "inherit"}:
            yield f"{where}: name one of the eight sizes, var(--text-s) to var(--text-5xl)"
        if SPACING.fullmatch(name) and LENGTH.search(value):
            yield f"{where}: name one of the eight spaces, var(--space-1) to var(--space-8), or calc() with them"
        if COLOUR.search(value):
            yield f"{where}: give the colour a name in css/tokens.css"
    for found in MEDIA.finditer(text):
        for side, at in BREAKPOINT.findall(found[1]):
            if at not in (WIDTHS if side == "width" else HEIGHTS):
                line = text.count("\n", 0, found.start()) + 1
                known = ", ".join(sorted(WIDTHS if side == "width" else HEIGHTS))
                yield f"{line}: @media {found[1].strip()}: a page changes at a {side} of {known}"


def test_sizes_spaces_and_colours_are_tokens() -> None:
    wrong = [f"{path.relative_to(ROOT)}:{each}" for path in SHEETS for each in raw(path.read_text())]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    "planted",
    [
        "font-size: 17px;",
        "font-size: clamp(1rem, 2vw, 3rem);",
        "font: 1rem/1.5 serif;",
        "margin-block-start: 0.3rem;",
        "padding: var(--space-1) 5px;",
        "gap: 2mm 0;",
        "color: #0a5a39;",
        "background: linear-gradient(red, var(--felt));",
        "box-shadow: 0 1px rgb(0 0 0 / 0.2);",
        "--ink: white",
        "@media (width >= 40rem) { display: none; }",
        "@media (max-height: 25rem) { display: none; }",
    ],
)
def test_a_value_of_its_own_is_found(planted: str) -> None:
    found = list(raw(f"/* two\nlines */\n.it {{\n  margin: 0 auto;\n  {planted}\n}}"))
    assert len(found) == 1
    assert found[0].startswith("5: ")


def test_phone_wall_and_paper_name_the_same_eight_sizes() -> None:
    text = COMMENT.sub("", TOKENS.read_text())
    of = {
        medium: re.findall(
            r"--((?:text|space)-\w+):", text.partition(f"\n{medium} {{")[2].partition("\n}")[0]
        )
        for medium in [":root", ".on-screen", ".papers, .badges, .table-codes, .seat-sheet"]
    }
    phone, wall, paper = (dict.fromkeys(names) for names in of.values())
    sizes = [name for name in phone if name.startswith("text-")]
    assert (len(sizes), len(phone)) == (8, 16)
    assert (
        list(wall) == sizes
    )  # its spaces are those of the phone in a rem that is a share of the screen's height
    assert paper == phone


def test_every_token_that_is_named_is_there() -> None:
    text = "".join(path.read_text() for path in [*SHEETS, TOKENS])
    assert set(re.findall(r"var\((--[\w-]+)", text)) - set(re.findall(r"(--[\w-]+):", text)) == set()


def test_the_ring_of_the_focus_is_taken_away_only_where_another_part_has_it() -> None:
    paper, whole = ["certificate.css", "print.css"], ["choices.css", "tile.css"]  # a label, a tile
    without = re.compile(r"outline: (none|0);")
    assert {path.name for path in SHEETS if without.search(path.read_text())} == {*paper, *whole}


def test_a_components_sheet_holds_the_block_of_its_name() -> None:
    """A fragment, its view and its block share a noun: card-pad.css has <card-pad>, board.css .board-move."""
    without = []
    for path in (STATIC / "css/components").glob("*.css"):
        text = COMMENT.sub("", path.read_text())
        if not re.search(rf"(^|[\s,(.]){re.escape(path.stem)}(?![a-z])", text, re.MULTILINE):
            without.append(path.name)
    assert without == [], "name the sheet after its block, or move its rules to the block's sheet"
