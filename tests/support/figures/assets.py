"""Figures of files other than Python: stylesheets, scripts, templates, the contributors' map."""

import re
from collections.abc import Mapping

from .sources import ROOT

TOKENS = "tokens.css"
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
DECLARATION = re.compile(r"(?<![\w-])([a-z-]+)\s*:\s*([^;{}]+?)\s*(?=[;}])")
FONT_SHORTHAND = re.compile(r"(?:^|\s)([\d.]+(?:px|rem|em|pt|%|vw|vh))")
SIZED = re.compile(r"font|font-size|(?:row-|column-)?gap|(?:margin|padding)(?:-\w+)*")
LENGTH = re.compile(
    r"(?<![\w.-])-?(?=[\d.]*[1-9])[\d.]+(?:px|rem|em|pt|mm|cm|%|ch|ex|d?v[wh]|vmin|vmax|cq\w+)"
)

QUESTIONS = re.compile(r"^\| question \|.*\n\|[ -|]+\|\n((?:\|.*\n)+)", re.MULTILINE)

TEMPLATE_LITERAL = r"`(?:\\.|[^`\\])*`"
for _ in range(2):  # literals inside a literal's ${}
    TEMPLATE_LITERAL = rf"`(?:\\.|\$\{{(?:[^`{{}}]|\{{[^{{}}]*\}}|{TEMPLATE_LITERAL})*\}}|[^`\\])*`"
COMMENT_OR_LITERAL = re.compile(
    rf"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|{TEMPLATE_LITERAL}"""
    r"""|(?<=[\s(\[{,=:?!&|])/(?![\s*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/""",
    re.DOTALL,
)
COMPOUND = re.compile(
    r"(?<![.\w$])(?:if|for|while|switch|try)\b(?= ?[({]| await)"
    r"|(?:^|[;{}]|\bexport|\bdefault)\s*(?:async )?(?:function|class)\b"
)
FOR_WITH_SEMICOLONS = re.compile(r"\bfor \((?:[^;(){}]|\([^()]*\))*;")


def read_assets(folder: str, ending: str) -> dict[str, str]:
    return {
        path.relative_to(ROOT).as_posix(): path.read_text()
        for path in sorted((ROOT / folder).rglob(f"*{ending}"))
    }


def declarations(sheet: str) -> list[tuple[str, str]]:
    """(property, value) of each declaration, custom properties left out."""
    return [
        (name, " ".join(value.split()))
        for name, value in DECLARATION.findall(COMMENT.sub("", sheet))
        if not name.startswith("--")
    ]


def font_sizes(sheets: Mapping[str, str]) -> set[str]:
    """The different sizes that text is given, as they are written; `inherit` is none. Those of tokens.css are
    the root of each medium and the number of a printed page."""
    found = set()
    for path, sheet in sheets.items():
        if path.endswith(TOKENS):
            continue
        for name, value in declarations(sheet):
            if name == "font-size" and value != "inherit":
                found.add(value)
            elif name == "font":
                found.update(FONT_SHORTHAND.findall(value))
    return found


def raw_sizes(sheets: Mapping[str, str]) -> list[str]:
    """Declarations of font sizes, gaps, margins and padding, outside of tokens.css, with a length of their own."""
    return [
        f"{path} {name}: {value}"
        for path, sheet in sheets.items()
        if not path.endswith(TOKENS)
        for name, value in declarations(sheet)
        if SIZED.fullmatch(name) and LENGTH.search(value)
    ]


def questions(page: str) -> int:
    """The rows of the table of questions and where their answers stand."""
    table = QUESTIONS.search(page)
    return table[1].count("\n") if table else 0


def script_statements(script: str) -> int:
    """Count statements of JavaScript in our layout: a compound one counts once, and each one inside it; so do fields of
    a class. Checked once against a parser (espree), with the same number for each script without such fields."""
    code = COMMENT_OR_LITERAL.sub("", script)
    return code.count(";") - 2 * len(FOR_WITH_SEMICOLONS.findall(code)) + len(COMPOUND.findall(code))
