"""What the extras (tournament/extras) add to the core, from five lists of their AppConfigs.

| list | an item | read by |
| --- | --- | --- |
| `addresses` | module with `urlpatterns` below /<language>/, `without_language`, `handler500` | tournament/urls.py |
| `buttons` | place in a page, template, and perhaps a function | `{% extras "place" %}` |
| `actions` | module of actions | tournament/actions/every.py |
| `api` | module of reads, commands, links, examples (`with_extras`) | extras/programs |
| `jobs` | class to start and stop with the server | tournament/asgi.py |

Dotted paths load at first use. A button's function takes the page's context and returns what else the template needs,
or None for no button.
"""

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, TypeVar

from django.apps import apps
from django.core.exceptions import ImproperlyConfigured
from django.utils.module_loading import import_string

PACKAGE = "tournament.extras"

Value = TypeVar("Value")
List = Literal["addresses", "buttons", "actions", "api", "jobs"]


def installed(folder: Path, names: Iterable[str]) -> list[str]:
    """App names of extras in this folder, for INSTALLED_APPS. Raises ImproperlyConfigured for a missing one."""
    for name in names:
        if not (folder / name / "apps.py").is_file():
            raise ImproperlyConfigured(
                f"EXTRAS in tournament/settings.py names {name}, but {folder / name} is not there: "
                f"delete its line, or bring the folder back."
            )
    return [f"{PACKAGE}.{name}" for name in names]


def added(what: List) -> list[Any]:
    """Items of all installed extras in one of the lists."""
    extras = (app for app in apps.get_app_configs() if app.name.startswith(PACKAGE))
    return [item for app in extras for item in getattr(app, what, ())]


def modules(what: List) -> list[ModuleType]:
    """The modules that such a list names."""
    return [import_module(path) for path in added(what)]


def with_extras(name: str, core: Mapping[str, Value]) -> dict[str, Value]:
    """A mapping of the core with those of this name in modules of the list `api`.

    | name | key |
    | --- | --- |
    | `EVENT_READS`, `LINKS` | name in an event's address, name of an event's link |
    | `READ_TEXTS`, `TEXTS`, `SENT` | place of a read, action, operation (for rows in `READS`, `WRITES`) |
    | `EXAMPLES`, `MESSAGES` | operation of a read, type of a webhook's message |
    """
    of_extras = (getattr(module, name, {}) for module in modules("api"))
    return {**core, **{key: value for each in of_extras for key, value in each.items()}}


def buttons(place: str, context: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """Templates that extras add at a place, and what each needs besides."""
    for at, template, *function in added("buttons"):
        if at == place and (more := import_string(function[0])(context) if function else {}) is not None:
            yield template, more
