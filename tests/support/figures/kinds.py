"""Branches on the kind of contest: session, match (a final is one) or heats.

Counted, once each:

- a comparison with a kind, or with a set that holds one: `kind == Stage.Kind.HEATS`, `"session" in ruleset.kinds`;
- `isinstance` with a class that stands for a kind (`SessionSheet`, `HeatsAnswer`), in an assertion too;
- a dict with at least two kinds among its keys;
- a `match` over kinds that ends in `assert_never`; of one that does not, each case that names a kind;
- reading a property that asks for a kind: `stage.is_heats`.

Not counted: a kind that is handed over, as in `filter(kind=Stage.Kind.HEATS)` or `open_table(work, table, Kind.MATCH)`.
It says which one is meant and decides nothing. Templates are not read.
"""

import ast
import re

from .sources import Sources, nodes

NAMES = {"session", "match", "heats", "final"}
CLASS = re.compile(r"(Session|Match|Heats?)(Answer|Needs|Sheet|Standing|Why)")
PROPERTY = re.compile(r"is_(a_)?(session|match|heats?|final)|each_table_is_a_match")
# The objects of the kinds: files whose paths begin so hold one kind's own code, or the dict in which a room finds it.
OBJECTS = (
    "scoring/kinds.py",
    "tournament/files/results_file/facts.py",
    "tournament/extras/workbook/files/standings_by_kind.py",
    "tournament/extras/friends/pages/kinds.py",
    "tournament/pages/pictures/contests.py",
    "tournament/extras/season/queries/kinds.py",
    "tournament/results/kinds.py",
    "tournament/words/kinds.py",
    "tournament/forms/plays.py",
    "tournament/views/desk/tables.py",
)


def branches_on_kind(sources: Sources, objects: tuple[str, ...] = OBJECTS) -> list[str]:
    """List where the code outside the kinds' objects branches on a kind, as "path:line what"."""
    return [
        f"{path}:{node.lineno} {ast.unparse(node).splitlines()[0][:80]}"
        for path, text in sources.items()
        if not path.startswith(objects or "\0")
        for node in nodes(text)
        for _ in range(_branches(node))
        if isinstance(node, ast.expr | ast.stmt)
    ]


def _branches(node: ast.AST) -> int:
    match node:
        case ast.Compare():
            return any(map(_is_kind, [node.left, *node.comparators]))
        case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, classes]):
            return any(map(_is_class, ast.walk(classes)))
        case ast.Dict():
            return sum(key is not None and _is_kind(key) for key in node.keys) > 1
        case ast.Match():
            naming = sum(_names_kind(case.pattern) for case in node.cases)
            return min(naming, 1) if "assert_never(" in ast.unparse(node.cases[-1]) else naming
        case ast.Attribute(ctx=ast.Load()):
            return bool(PROPERTY.fullmatch(node.attr))
        case _:
            return 0


def _is_kind(node: ast.expr) -> bool:
    match node:
        case ast.Constant():
            return node.value in NAMES
        case ast.Attribute(value=ast.Name(id="Kind") | ast.Attribute(attr="Kind")):
            return node.attr.lower() in NAMES
        case ast.Set() | ast.Tuple() | ast.List():
            return any(map(_is_kind, node.elts))
        case _:
            return False


def _is_class(node: ast.AST) -> bool:
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return bool(CLASS.fullmatch(name))


def _names_kind(pattern: ast.pattern) -> bool:
    return any(
        (isinstance(part, ast.MatchValue) and _is_kind(part.value))
        or (isinstance(part, ast.MatchClass) and _is_class(part.cls))
        for part in ast.walk(pattern)
    )
