"""The Python of the product, and what a single file says about itself."""

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parents[3]
PACKAGES = ("rulesets", "scoring", "tournament")
SMALL = 50  # lines
DIALECT = re.compile(r"\b(?:somebody|nobody|everybody|whoever|those\s+who|beside|kept|told)\b", re.IGNORECASE)

Function = ast.FunctionDef | ast.AsyncFunctionDef
Sources = Mapping[str, str]  # text by path, as "tournament/actions/table/games.py"


def read_sources() -> Sources:
    """Read all sources but the migrations."""
    return {
        path.relative_to(ROOT).as_posix(): path.read_text()
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        if "migrations" not in path.parts
    }


@cache
def parse(text: str) -> ast.Module:
    return ast.parse(text)


@cache
def nodes(text: str) -> list[ast.AST]:
    return list(ast.walk(parse(text)))


def lines(text: str) -> int:
    return len(text.splitlines())


def statements(text: str) -> int:
    """Count statements without docstrings; a compound one counts once, and each one inside it."""
    count = 0
    for node in nodes(text):
        count += isinstance(node, ast.stmt)
        if isinstance(node, ast.Module | ast.ClassDef | Function):
            count -= ast.get_docstring(node, clean=False) is not None
    return count


@cache
def prose(text: str) -> str:
    """The docstrings and comments."""
    comments = [
        token.string.lstrip("#")
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT
    ]
    docstrings = [
        ast.get_docstring(node) or ""
        for node in nodes(text)
        if isinstance(node, ast.Module | ast.ClassDef | Function)
    ]
    return "\n".join(docstrings + comments)


def words(text: str) -> int:
    return len(re.findall(r"\w+", prose(text)))


def dialect(text: str) -> int:
    """Count the words of DIALECT: a sentence that needs one says in other words what the field has a term for."""
    return len(DIALECT.findall(prose(text)))


def functions(sources: Sources) -> Iterator[tuple[int, str]]:
    """The lines of each function, its decorators left out, and where it is."""
    for path, text in sources.items():
        for node in nodes(text):
            if isinstance(node, Function):
                yield (node.end_lineno or node.lineno) - node.lineno + 1, f"{path}:{node.lineno} {node.name}"


def files_by_folder(sources: Sources) -> Counter[str]:
    """Python files directly in each folder."""
    return Counter(str(PurePosixPath(path).parent) for path in sources)


def small_modules(sources: Sources) -> list[str]:
    """Modules of at most 50 lines, except empty ones."""
    return [path for path, text in sources.items() if 0 < lines(text) <= SMALL]
