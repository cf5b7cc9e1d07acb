"""The graph of imports: imports that run up, circles between files, the knot of rooms.

An import inside a function or under TYPE_CHECKING counts like any other, and so do `import_string("...")`,
`import_module("...")` and `get_model(...)`. `from package import name` is an import of the module `package/name.py`,
where there is none of `package/__init__.py`; the packages around an imported module are not counted, though Python runs
them too.
"""

import ast
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence

from tests.support.rooms import as_core

from .sources import Sources, nodes

Graph = Mapping[str, set[str]]
Rooms = Sequence[Collection[str]]


def import_graph(sources: Sources) -> Graph:
    """The files that each file imports."""
    modules = {module_of(path): path for path in sources}
    return {
        path: {
            found
            for name in imported_names(path, text)
            if (found := file_of(name, modules)) and found != path
        }
        for path, text in sources.items()
    }


def module_of(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def file_of(name: str, modules: Mapping[str, str]) -> str | None:
    """The file that a dotted name leads to: a module, or the module that holds it."""
    while name and name not in modules:
        name = name.rpartition(".")[0]
    return modules.get(name)


def imported_names(path: str, text: str) -> Iterator[str]:
    package = path.removesuffix(".py").split("/")[:-1]
    for node in nodes(text):
        match node:
            case ast.Import():
                yield from (alias.name for alias in node.names)
            case ast.ImportFrom():
                above = package[: len(package) - node.level + 1] if node.level else []
                module = ".".join([*above, *([node.module] if node.module else [])])
                yield from (f"{module}.{alias.name}" for alias in node.names)
            case ast.Call(args=[ast.Constant(value=str(name)), *_]):
                called = (
                    node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                )
                if called in {"import_string", "import_module"}:
                    yield name
                elif called == "get_model":
                    yield f"{name.partition('.')[0]}.models"


def importers(graph: Graph) -> Counter[str]:
    """How many files import each file."""
    return Counter(target for targets in graph.values() for target in targets)


def room_of(path: str) -> str:
    """The folder or module of tournament/ that a file belongs to, of an extra as in the core, or the package beside it;
    "" for tournament/__init__.py, which belongs to none."""
    package, _, rest = as_core(path).partition("/")
    if package != "tournament":
        return package
    return rest.partition("/")[0].removesuffix(".py").replace("__init__", "")


def room_graph(graph: Graph) -> Graph:
    rooms: dict[str, set[str]] = defaultdict(set)
    for path, targets in graph.items():
        rooms[room_of(path)] |= {room_of(target) for target in targets} - {room_of(path), ""}
    rooms.pop("", None)
    return rooms


def imports_up(graph: Graph, rooms: Rooms) -> list[str]:
    """Each import of a room that is not on a lower floor; nothing is known about rooms that the list does not name."""
    floor = {room: at for at, row in enumerate(rooms) for room in row}
    return [
        f"{path} imports {target}"
        for path, targets in sorted(graph.items())
        for target in sorted(targets)
        if (here := room_of(path)) != (there := room_of(target))
        and {here, there} <= floor.keys()
        and floor[there] >= floor[here]
    ]


def circles(graph: Graph) -> list[list[str]]:
    """The sets of more than one node that all lead to each other, the largest first (Tarjan)."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_: list[str] = []
    found: list[list[str]] = []

    def visit(node: str) -> None:
        number[node] = lowest[node] = len(number)
        open_.append(node)
        for target in sorted(graph.get(node, ())):
            if target not in number:
                visit(target)
                lowest[node] = min(lowest[node], lowest[target])
            elif target in open_:
                lowest[node] = min(lowest[node], number[target])
        if lowest[node] == number[node]:
            at = open_.index(node)
            if len(open_) - at > 1:
                found.append(sorted(open_[at:]))
            del open_[at:]

    for node in sorted(graph):
        if node not in number:
            visit(node)
    return sorted(found, key=len, reverse=True)
