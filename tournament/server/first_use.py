"""Modules that are loaded when somebody first uses them, so that the program starts without them.

The addresses name views, each of which is loaded when its address is first asked for:

    with on_first_use():
        from tournament.views.organiser import board, seats

    urlpatterns = [path("t/<slug:slug>/", board.board), ...]

A package offers names of its files, each of which is loaded when somebody first asks the package for the name:

    with offered_on_first_use():
        from tournament.results.faults import Fault, Refused

The imports are written as all others are, so that mypy, ruff and the rules of architecture read them; Python 3.15 has a
statement for it (`lazy from`, PEP 810). What does not load is found by `manage.py check`, which `prepare` runs too.
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
_importers: list[int] = []  # the id of the globals of each module that is inside `on_first_use`
_taken: list["Function"] = []
# Two threads that load modules which import each other's packages may each wait for the other: one loads at a time.
_loading = RLock()


class Function:
    """Stands for a function of a module, which is loaded when it is called or asked for an attribute."""

    def __init__(self, module: str, name: str) -> None:
        self.__module__, self.__name__, self.__qualname__ = module, name, name
        self.loaded = False

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self.load()(*arguments, **named)

    def __getattr__(self, name: str) -> Any:
        # Django asks each view for its class when it lists the addresses.
        if name == "view_class":
            raise AttributeError(name)
        return getattr(self.load(), name)

    def load(self) -> Any:
        """Give the function itself. ImportError or AttributeError where there is none."""
        if not self.loaded:
            with _loading:
                import_module(self.__module__)
            self.loaded = True
        return getattr(import_module(self.__module__), self.__name__)


class Module:
    """Stands for a module of functions, or for a name that a package offers."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __getattr__(self, name: str) -> Function:
        function = self.__dict__[name] = Function(self._path, name)
        _taken.append(function)
        return function


class Package:
    """Stands for a package, in a statement that imports from it."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Module:
        return Module(f"{self._name}.{name}")


@contextmanager
def on_first_use() -> Iterator[None]:
    """Let the modules that are imported inside load when one of their functions is first used."""
    with _later(sys._getframe(2).f_globals):  # of the module, above this function and contextlib's
        yield


@contextmanager
def offered_on_first_use() -> Iterator[None]:
    """Let the names that are imported inside, into a package, load when somebody first asks the package for them."""
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
    """Load every module of which a function was taken, with a rest after each. Raises an ExceptionGroup of one
    ImportError for each thing that is not there."""
    missing: dict[
        str, ImportError
    ] = {}  # by what Python says: a module that fails does so for all its functions
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
    """Let the import statements of a module, given by its names, bind what stands for modules."""
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
    """Import as always, but for the modules that are inside `_later`."""
    if fromlist and id(globals) in _importers:
        return Package(name)
    return _import(name, globals, locals, fromlist, level)
