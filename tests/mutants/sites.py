"""The places of changes, and the way to write one down: every node inside the functions of one file.

Left out are what runs when a module is imported (its level, classes' bodies, decorators, defaults), annotations,
assertions (also arguments that only say what is so anyway), docstrings, what gettext translates and what `cast` names.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from .operators import ASSERTS, changes

TRANSLATES = {"_", "gettext", "gettext_lazy", "ngettext", "ngettext_lazy", "pgettext", "npgettext"}
FIRST_IS_A_TYPE = {"cast"}
NO_PART = {"annotation", "returns", "decorator_list", "format_spec"}
AROUND = 24  # characters of the statement that a mutant's text shows on each side, at the least
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Site:
    """A node's place in its parent: an attribute, or an item of one that is a list."""

    parent: Any
    field: str
    index: int | None

    def put(self, node: ast.AST) -> None:
        """Put `node` in this place."""
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: in which function (by its qualified name, methods with their class), on which of the lines of its
    statement; `before` and `after` are the statement's text, cut down to the change and what is next to it."""

    file: str
    function: str
    line: int
    lines: range  # of the statement, of a compound one the head's
    operator: str
    before: str
    after: str
    tree: ast.Module
    site: Site
    node: ast.AST

    @property
    def text(self) -> str:
        """The change on one line, by which an accepted survivor is known again."""
        return f"{self.before} → {self.after}"


def mutants_of(source: str, file: str, names: Mapping[str, object]) -> list[Mutant]:
    """All changes to the functions of a file, from its first line to its last; `names` are the module's own."""
    tree = ast.parse(source)
    return [
        mutant
        for name, function in functions(tree.body)
        for index, statement in enumerate(function.body)
        for mutant in _Walk(file, name, tree, names).below(
            Site(function, "body", index), statement, statement
        )
    ]


def functions(body: list[ast.stmt], prefix: str = "") -> Iterator[tuple[str, Function]]:
    """The outermost functions, and the methods of classes, each with its qualified name."""
    for node in body:
        if isinstance(node, Function):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from functions(node.body, f"{prefix}{node.name}.")


@dataclass(frozen=True, slots=True)
class _Walk:
    """One function of a file, gone through from the outside in."""

    file: str
    function: str
    tree: ast.Module
    names: Mapping[str, object]

    def below(self, site: Site, node: ast.AST, statement: ast.stmt) -> Iterator[Mutant]:
        """The changes to a node and to all below it; `statement` is the one around it."""
        if _stays(node):
            return
        if isinstance(node, ast.stmt):
            statement = node
        for operator, changed in changes(node, self.names):
            yield Mutant(
                self.file,
                self.function,
                _first_line(node),
                _head(statement),
                operator,
                *_texts(site, node, changed, statement),
                self.tree,
                site,
                changed,
            )
        for below, child in _children(node):
            yield from self.below(below, child, statement)


def _children(node: ast.AST) -> Iterator[tuple[Site, ast.AST]]:
    """The parts of a node that may be changed, each with its place."""
    for field, value in ast.iter_fields(node):
        if field in NO_PART or (field == "args" and isinstance(node, Function | ast.Lambda)):
            continue
        for index, item in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(item, ast.AST) and not _is_prose(node, item) and not _is_type(node, field, index):
                yield Site(node, field, index), item


def _is_prose(node: ast.AST, part: ast.AST) -> bool:
    """Whether this is the written part of a text with values in it."""
    return isinstance(node, ast.JoinedStr) and isinstance(part, ast.Constant)


def _is_type(node: ast.AST, field: str, index: int | None) -> bool:
    return isinstance(node, ast.Call) and _name(node) in FIRST_IS_A_TYPE and (field, index) == ("args", 0)


def _stays(node: ast.AST) -> bool:
    """Whether neither a node nor anything below it is changed."""
    match node:
        case ast.Assert() | ast.Expr(value=ast.Constant()):
            return True
        case ast.keyword(arg=str() as name):
            return name in ASSERTS
        case ast.Raise(exc=ast.Call(func=ast.Name(id="AssertionError"))):
            return True  # never runs
        case ast.Call():
            return _name(node) in TRANSLATES
    return False


def _name(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")


def _first_line(node: ast.AST) -> int:
    """The first line of a node; of one that has none itself, of the first one below it."""
    own: int | None = getattr(node, "lineno", None)
    return own or min(below.lineno for below in ast.walk(node) if isinstance(below, ast.expr))


def _head(statement: ast.stmt) -> range:
    """The lines of a statement, of a compound one those before its body."""
    body = getattr(statement, "body", None) or getattr(statement, "cases", None)
    end = (statement.end_lineno or statement.lineno) + 1
    if isinstance(body, list):
        first = body[0].pattern if isinstance(body[0], ast.match_case) else body[0]
        end = max(first.lineno, statement.lineno + 1)
    return range(statement.lineno, end)


def _texts(site: Site, node: ast.AST, changed: ast.AST, statement: ast.stmt) -> tuple[str, str]:
    before = _shown(statement)
    if node is statement:
        return _cut(before, _shown(changed))
    site.put(changed)
    after = _shown(statement)
    site.put(node)
    return _cut(before, after)


def _shown(statement: ast.AST) -> str:
    """The statement on one line, of a compound one its head; `pass` for one that is left out."""
    match statement:
        case ast.If(test=ast.Constant(value=False)):
            return "pass"
    text = ast.unparse(ast.fix_missing_locations(statement))
    lines = text.splitlines()
    decorators = len(getattr(statement, "decorator_list", ()))
    return lines[decorators] if hasattr(statement, "body") or hasattr(statement, "cases") else " ".join(lines)


def _cut(before: str, after: str) -> tuple[str, str]:
    """Both texts without what is far from where they differ."""
    if after in ("pass", "return None"):
        return before if len(before) <= 3 * AROUND else before[: 3 * AROUND].rsplit(" ", 1)[0] + " …", after
    alike = _alike(before, after)
    most = min(len(before), len(after)) - alike
    behind = min(_alike(before[::-1], after[::-1]), most)
    start = before.rfind(" ", 0, max(alike - AROUND, 0)) + 1
    found = before.find(" ", len(before) - behind + AROUND)
    end = len(before) - found if found >= 0 else 0

    def part(text: str) -> str:
        return ("… " if start else "") + text[start : len(text) - end] + (" …" if end else "")

    return part(before), part(after)


def _alike(one: str, other: str) -> int:
    """How many characters both texts begin with."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
