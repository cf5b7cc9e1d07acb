"""The changes that are made: from one node of the syntax tree to what may stand in its place.

| operator | before | after |
| --- | --- | --- |
| comparison | `<` `<=` `>` `>=` `==` `!=` `in` `is` | `<=` `<` `>=` `>` `!=` `==` `not in` `is not`, and back |
| boolean | `and`, `or` | `or`, `and` |
| not | `not x` | `x` |
| arithmetic | `+` `*` `//` `/` `%` `-x`, `+=` | `-` `//` `*` `*` `*` `x`, `-=`, and back |
| integer | `n` | `n + 1` |
| text | `"code"` | `"code?"`; prose (a text with a space) stays |
| truth | `True`, `False` | `False`, `True` |
| condition | of if, while, a ternary, a comprehension | negated, where no operator above does that |
| statement | a call, `x += 1`, `x[k] = 1`, `raise`, `continue`, `break` | left out |
| return | `return x` | `return None` |
| argument | `f(x, key=y)` | `f(x)`, unless the parameter is known to have no default |
| builtin | `min`, `any`, `sorted(x)` | `max`, `all`, `sorted(x, reverse=True)`, and back |
"""

from __future__ import annotations

import ast
import copy
import inspect
from collections.abc import Iterator, Mapping
from typing import TypeGuard, TypeVar

Node = TypeVar("Node", bound=ast.AST)
Change = tuple[str, ast.AST]  # the operator's name, what stands in the node's place

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
OPPOSITES = (ast.Eq, ast.NotEq, ast.In, ast.NotIn, ast.Is, ast.IsNot)  # changed, they are negated already
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.Mult,
}
BUILTINS = {"min": "max", "max": "min", "any": "all", "all": "any"}
SORTING = {"sorted", "sort"}
# Arguments that say what is so anyway: of zip, that its parts are as long; of save(), that nothing else was changed and
# that the row is new. An action has locked what it writes, so that saving all of it says the same.
ASSERTS = {"strict", "update_fields", "force_insert"}


def changes(node: ast.AST, names: Mapping[str, object]) -> Iterator[Change]:
    """Everything that may stand in the place of `node`. `names` are the module's, by which a called function's
    parameters are looked up."""
    match node:
        case ast.Compare():
            yield from _comparisons(node)
        case ast.BoolOp():
            yield "boolean", _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
        case ast.UnaryOp(op=ast.Not()):
            yield "not", node.operand
        case ast.UnaryOp(op=ast.USub()):
            yield "arithmetic", node.operand
        case ast.BinOp() | ast.AugAssign() if type(node.op) in ARITHMETIC:
            yield "arithmetic", _with(node, op=ARITHMETIC[type(node.op)]())
        case ast.Constant():
            yield from _constant(node)
        case ast.Return(value=ast.expr() as value) if not _is_false(value):
            yield "return", _with(node, value=ast.Constant(None))
        case ast.Call():
            yield from _call(node, names)
    yield from _negated(node)
    if _left_out(node):
        yield "statement", ast.If(ast.Constant(False), [node], [])


def _left_out(node: ast.AST) -> TypeGuard[ast.stmt]:
    """Whether the statement can be left out without taking a name's only value away."""
    match node:
        case ast.Expr() | ast.AugAssign() | ast.Raise() | ast.Continue() | ast.Break() | ast.Delete():
            return True
        case ast.Assign(targets=targets):
            return all(isinstance(target, ast.Attribute | ast.Subscript) for target in targets)
    return False


def _with(node: Node, **fields: object) -> Node:
    """A copy with some fields changed, in the same place."""
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _is_false(node: ast.expr) -> bool:
    """Whether this is None, or the False that it would be taken for."""
    return isinstance(node, ast.Constant) and (node.value is None or node.value is False)


def _comparisons(node: ast.Compare) -> Iterator[Change]:
    for index, op in enumerate(node.ops):
        if type(op) in COMPARISONS:
            ops = [*node.ops[:index], COMPARISONS[type(op)](), *node.ops[index + 1 :]]
            yield "comparison", _with(node, ops=ops)


def _constant(node: ast.Constant) -> Iterator[Change]:
    value = node.value
    if isinstance(value, bool):
        yield "truth", _with(node, value=not value)
    elif isinstance(value, int):
        yield "integer", _with(node, value=value + 1)
    elif isinstance(value, str) and not any(map(str.isspace, value)):
        yield "text", _with(node, value=value + "?")


def _negated(node: ast.AST) -> Iterator[Change]:
    match node:
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            if not _negates_itself(test):
                yield "condition", _with(node, test=ast.UnaryOp(ast.Not(), test))
        case ast.comprehension(ifs=ifs):
            for index, test in enumerate(ifs):
                if not _negates_itself(test):
                    negated = [*ifs[:index], ast.UnaryOp(ast.Not(), test), *ifs[index + 1 :]]
                    yield "condition", _with(node, ifs=negated)


def _negates_itself(test: ast.expr) -> bool:
    """Whether another operator turns the condition into its contrary."""
    match test:
        case ast.UnaryOp(op=ast.Not()) | ast.Constant():
            return True
        case ast.Compare(ops=[op]):
            return isinstance(op, OPPOSITES)
    return False


def _call(node: ast.Call, names: Mapping[str, object]) -> Iterator[Change]:
    for index, keyword in enumerate(node.keywords):
        if keyword.arg is not None and _may_be_absent(node.func, keyword.arg, names):
            yield "argument", _with(node, keywords=[*node.keywords[:index], *node.keywords[index + 1 :]])
    name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    if isinstance(node.func, ast.Name) and name in BUILTINS:
        yield "builtin", _with(node, func=_with(node.func, id=BUILTINS[name]))
    if name in SORTING and not any(keyword.arg == "reverse" for keyword in node.keywords):
        backwards = ast.keyword("reverse", ast.Constant(True))
        yield "builtin", _with(node, keywords=[*node.keywords, backwards])


def _may_be_absent(function: ast.expr, keyword: str, names: Mapping[str, object]) -> bool:
    """Whether a call may do without this argument; true also where nobody can tell which function it is."""
    if keyword in ASSERTS:
        return False
    found = _named(function, names)
    try:
        parameters = inspect.signature(found).parameters if callable(found) else {}
    except (TypeError, ValueError):
        return True
    return keyword not in parameters or parameters[keyword].default is not inspect.Parameter.empty


def _named(node: ast.expr, names: Mapping[str, object]) -> object:
    """Look up a name, or an attribute of one, in the module; None for anything else."""
    match node:
        case ast.Name(id=name):
            return names.get(name)
        case ast.Attribute(value=value, attr=attribute):
            owner = _named(value, names)
            return None if owner is None else getattr(owner, attribute, None)
    return None
