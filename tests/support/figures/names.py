"""Figures of names: functions that one place uses, public names without a docstring, private names of libraries."""

import ast
import re
from collections import Counter
from collections.abc import Iterator

from .sources import PACKAGES, Function, Sources, nodes, parse

PRIVATE = re.compile(r"_[a-z]\w*")
DOCUMENTED = {"_meta", "_default_manager", "_base_manager", "_open", "_save"}  # Django promises these
UNDOCUMENTED = ("uvicorn.protocols.",)  # modules about which their library promises nothing
# The library of a name that is not read from an import. What only assigning makes private has no underscore.
LIBRARIES = {
    "_active": "django",
    "_cached_user": "django",
    "_declared_fields": "rest_framework",
    "_map_serializer": "drf_spectacular",
    "_prefixes": "django",
    "_raw_delete": "django",
    "_unset_keepalive_if_required": "uvicorn",
    "_urlconfs": "django",
    "executor": "a2wsgi",
}
BY_NAME = {"getattr", "setattr", "hasattr", "delattr"}


def named_once(sources: Sources) -> tuple[list[str], list[str]]:
    """The private functions and methods that are named once in their file, apart from their definition, and the public
    functions that are named once in the product. An import does not count, and of public functions neither do those
    with a decorator, which may be what calls them."""
    named = {path: _names(text) for path, text in sources.items()}
    everywhere = sum(named.values(), Counter[str]())
    private = [
        f"{path}:{node.lineno} {node.name}"
        for path, text in sources.items()
        for node in nodes(text)
        if isinstance(node, Function)
        and node.name.startswith("_")
        and not node.name.startswith("__")
        and named[path][node.name] == 1
    ]
    public = [
        f"{path}:{node.lineno} {node.name}"
        for path, node in _public(sources)
        if isinstance(node, Function) and not node.decorator_list and everywhere[node.name] == 1
    ]
    return private, public


def without_docstring(sources: Sources) -> list[str]:
    """The public functions and classes of modules that have no docstring."""
    return [
        f"{path}:{node.lineno} {node.name}"
        for path, node in _public(sources)
        if ast.get_docstring(node) is None
    ]


def private_names_of_libraries(sources: Sources) -> list[str]:
    """What the product uses of a library that its next version may drop, once for each file and name:

    - a private module or name that is imported, or a name of an undocumented module;
    - a private attribute that nothing in the product defines, also by its name in a string;
    - a private attribute of `super()`, in a class that inherits from something imported;
    - an attribute that is assigned on something imported.
    """
    ours = {name for text in sources.values() for name in _defined(text)}
    found = {
        f"{library}: {path} {name}"
        for path, text in sources.items()
        for library, name in _private_names(text, ours)
    }
    return sorted(found)


def _names(text: str) -> Counter[str]:
    """How often each name is read, alone or after a dot."""
    return Counter(
        node.id if isinstance(node, ast.Name) else node.attr
        for node in nodes(text)
        if isinstance(node, ast.Attribute) or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
    )


def _public(sources: Sources) -> Iterator[tuple[str, Function | ast.ClassDef]]:
    for path, text in sources.items():
        for node in parse(text).body:
            if isinstance(node, Function | ast.ClassDef) and not node.name.startswith("_"):
                yield path, node


def _defined(text: str) -> Iterator[str]:
    for node in nodes(text):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name
            case ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
                yield name


def _private_names(text: str, ours: set[str]) -> Iterator[tuple[str, str]]:
    """(library, name) of each."""
    imported: dict[str, str] = {}  # the library of each name that an import binds
    for node in nodes(text):
        if isinstance(node, ast.Import | ast.ImportFrom) and not getattr(node, "level", 0):
            module = node.module if isinstance(node, ast.ImportFrom) else None
            for alias in node.names:
                name = f"{module}.{alias.name}" if module else alias.name
                library = name.partition(".")[0]
                if library in PACKAGES:
                    continue
                imported[(alias.asname or alias.name).partition(".")[0]] = library
                if any(map(PRIVATE.fullmatch, name.split("."))) or name.startswith(UNDOCUMENTED):
                    yield library, name
    for node in nodes(text):
        match node:
            case ast.Attribute(value=value, attr=name, ctx=context) if name not in DOCUMENTED:
                library = imported.get(_first_name(value), "")
                assigned, private = isinstance(context, ast.Store), bool(PRIVATE.fullmatch(name))
                assigned = assigned and not name.isupper()  # a setting of ours
                if library and (assigned or private):
                    yield library, name
                elif private and name not in ours:
                    yield LIBRARIES.get(name, "unknown"), name
                elif assigned and name in LIBRARIES:
                    yield LIBRARIES[name], name
            case ast.ClassDef(bases=[base, *_]) if library := imported.get(_first_name(base), ""):
                for each in ast.walk(node):
                    match each:
                        case ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr=name):
                            if PRIVATE.fullmatch(name) and name not in DOCUMENTED:
                                yield library, name
            case ast.Constant(value=str(name)) if PRIVATE.fullmatch(name) and name in LIBRARIES:
                yield LIBRARIES[name], name
            case ast.Call(func=ast.Name(id=called), args=[_, ast.Constant(value=str(name)), *_]):
                if called in BY_NAME and PRIVATE.fullmatch(name) and name not in ours:
                    yield LIBRARIES.get(name, "unknown"), name


def _first_name(node: ast.expr) -> str:
    """`a` of `a.b.c`; "" if it does not begin with a name."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
