"""Roles and fixtures that tests of extras add to those of the core."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from tournament.settings import EXTRAS


def of_extras(module: str, name: str) -> dict[str, Any]:
    """The mappings `name` in `tests/extras/*/<module>.py`, as one."""
    paths = (f"tests.extras.{extra}.{module}" for extra in EXTRAS)
    found = (getattr(import_module(path), name, {}) for path in paths if find_spec(path))
    return {key: value for each in found for key, value in each.items()}
