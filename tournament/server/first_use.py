"""Lazy imports for a fast start.

    with on_first_use():
        from tournament.views.organiser import board, seats  # loaded at their first request

    with offered_on_first_use():  # in a package's __init__
        from tournament.results.faults import Fault, Refused  # loaded at first access

Normal import syntax stays readable for mypy, ruff and architecture rules (Python 3.15: `lazy from`, PEP 810).
`manage.py check` (part of `prepare`) finds broken ones.
"""

import builtins
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from threading import Lock, RLock
from typing import Any

_import = builtins.__import__
_lock = Lock()
_importers: list[int] = []
_taken: list["Function"] = []
# Serialises loading: mutual imports in two threads could deadlock.
_loading = RLock()


class Function:
    """Proxy of a module's function, loaded at call or attribute access."""

    def __init__(self, module: str, name: str) -> None:
        self.__module__, self.__name__, self.__qualname__ = module, name, name
        self.loaded = False

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self.load()(*arguments, **named)

    def __getattr__(self, name: str) -> Any:
        # Django probes this when listing URLs.
        if name == "view_class":
            raise AttributeError(name)
        return getattr(self.load(), name)

    def load(self) -> Any:
        """Return the function. Raises ImportError or AttributeError."""
        if not self.loaded:
            with _loading:
                import_module(self.__module__)
            self.loaded = True
        return getattr(import_module(self.__module__), self.__name__)


class Module:
    """Proxy of a module or offered name."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __getattr__(self, name: str) -> Function:
        function = self.__dict__[name] = Function(self._path, name)
        _taken.append(function)
        return function


class Package:
    """Proxy of a package in an import."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Module:
        return Module(f"{self._name}.{name}")


@contextmanager
def on_first_use() -> Iterator[None]:
    """Lazily load modules imported inside, at a function's first use."""
    with _later(sys._getframe(2).f_globals):  # skips this frame and contextlib's
        yield


@contextmanager
def offered_on_first_use() -> Iterator[None]:
    """Lazily load names imported inside a package, at their first access."""
    package = sys._getframe(2).f_globals
    with _later(package):
        yield
    names = {name: value._path for name, value in package.items() if isinstance(value, Module)}
    for name in names:
        del package[name]

    def offered(name: str) -> object:
        if name not in names:
            raise AttributeError(f"{package['__name__']} offers no {name}")
        module, _dot, its_name = names[name].rpartition(".")
        package[name] = getattr(import_module(module), its_name)
        return package[name]

    package["__getattr__"] = offered


def load_all(rest: Callable[[], object] = lambda: None) -> None:
    """Load all lazy modules, calling `rest` after each. Raises an ExceptionGroup of one ImportError per fault."""
    missing: dict[str, ImportError] = {}  # by message: a broken module repeats it per function
    for function in [*_taken]:
        if not function.loaded:
            try:
                function.load()
            except (ImportError, AttributeError) as fault:
                path = f"{function.__module__}.{function.__name__}"
                error = missing.setdefault(str(fault), ImportError(f"{path} cannot be loaded: {fault}"))
                error.__cause__ = fault
            rest()
    if missing:
        raise ExceptionGroup("not everything could be loaded", [*missing.values()])


@contextmanager
def _later(importer: dict[str, Any]) -> Iterator[None]:
    with _lock:
        _importers.append(id(importer))
        builtins.__import__ = _import_later
    try:
        yield
    finally:
        with _lock:
            _importers.remove(id(importer))
            if not _importers:
                builtins.__import__ = _import


def _import_later(
    name: str,
    globals: Mapping[str, object] | None = None,  # noqa: A002 - named as in the function that it replaces
    locals: Mapping[str, object] | None = None,  # noqa: A002
    fromlist: Sequence[str] | None = (),
    level: int = 0,
) -> Any:
    if fromlist and id(globals) in _importers:
        return Package(name)
    return _import(name, globals, locals, fromlist, level)
