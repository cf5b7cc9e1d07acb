"""Reads JSON objects, recording `malformed` faults.

Placeholders after a fault serve to find more; such sheets are never scored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeGuard, TypeVar

from .faults import Faults, Path

T = TypeVar("T")

# Bound, so that sums stay printable.
_MOST_INTEGER = 10**1000 - 1
_INTEGER = "a whole number, of at most 1000 digits"

_KINDS = {
    dict: "an object",
    list: "a list",
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    float: "a number that is not written as a whole one",
    type(None): "null",
}


def _is_integer(value: object) -> TypeGuard[int]:
    # bool is an int in Python.
    return type(value) is int and -_MOST_INTEGER <= value <= _MOST_INTEGER


class Reader:
    """A JSON object with its path."""

    __slots__ = ("data", "faults", "is_object", "path")

    def __init__(self, data: object, path: Path, faults: Faults) -> None:
        self.path = path
        self.faults = faults
        self.is_object = isinstance(data, dict)
        self.data: dict[str, object] = data if isinstance(data, dict) else {}
        if not self.is_object:
            self.malformed((), data, "an object")

    def malformed(self, below: Path, found: object, expected: str) -> None:
        """Record that `found` at `below` is not `expected`."""
        self.faults.add(
            "malformed", self.path + below, found=_KINDS.get(type(found), "something else"), expected=expected
        )

    def _missing(self, key: str, expected: str) -> None:
        if self.is_object:  # else already recorded
            self.faults.add("malformed", (*self.path, key), found="nothing", expected=expected)

    def text(self, key: str) -> str:
        """Read a required text."""
        if key not in self.data:
            self._missing(key, "a text")
        return self.optional_text(key) or ""

    def optional_text(self, key: str) -> str | None:
        """Read a text; None if absent."""
        if key not in self.data:
            return None
        value = self.data[key]
        if isinstance(value, str):
            return value
        self.malformed((key,), value, "a text")
        return None

    def one_of(self, key: str, allowed: tuple[str, ...], default: str | None = None) -> str:
        """Read one of the `allowed` texts."""
        value = self.data.get(key, default)
        if isinstance(value, str) and value in allowed:
            return value
        expected = "one of " + ", ".join(allowed)
        if key not in self.data:
            self._missing(key, expected)
        elif isinstance(value, str):
            self.faults.add("malformed", (*self.path, key), found="another text", expected=expected)
        else:
            self.malformed((key,), value, expected)
        return ""

    def integer(self, key: str, least: int | None = None, most: int | None = None) -> int:
        """Read a required integer from `least` to `most`."""
        if key not in self.data:
            self._missing(key, _INTEGER)
        return self.optional_integer(key, least, most) or 0

    def optional_integer(self, key: str, least: int | None = None, most: int | None = None) -> int | None:
        """Read an integer from `least` to `most`; None if absent."""
        if key not in self.data:
            return None
        value = self.data[key]
        if not _is_integer(value):
            self.malformed((key,), value, _INTEGER)
        elif (least is not None and value < least) or (most is not None and value > most):
            expected = f"at least {least}" if most is None else f"from {least} to {most}"
            self.malformed((key,), value, f"a whole number {expected}")
        else:
            return value
        return None

    def flag(self, key: str) -> bool:
        """Read a boolean; false if absent."""
        value = self.data.get(key, False)
        if isinstance(value, bool):
            return value
        self.malformed((key,), value, "true or false")
        return False

    def below(self, key: str) -> Reader:
        """The object at `key`, empty if absent."""
        return Reader(self.data.get(key, {}), (*self.path, key), self.faults)

    def items(self, key: str, read: Callable[[Reader], T]) -> tuple[T, ...]:
        """Read a required list of objects, each through `read`."""
        if key not in self.data:
            self._missing(key, "a list")
        path, faults = (*self.path, key), self.faults
        return tuple(read(Reader(item, (*path, index), faults)) for index, item in enumerate(self._list(key)))

    def texts(self, key: str) -> tuple[str, ...]:
        """Read a list of texts; empty if absent."""
        if key not in self.data:
            return ()
        values = self._list(key)
        for index, value in enumerate(values):
            if not isinstance(value, str):
                self.malformed((key, index), value, "a text")
        return tuple(value for value in values if isinstance(value, str))

    def required_texts(self, key: str) -> tuple[str, ...]:
        """Read a required list of texts."""
        if key not in self.data:
            self._missing(key, "a list")
        return self.texts(key)

    def counts(self) -> dict[str, int]:
        """Read the object as a hand: counts by card."""
        for key, value in self.data.items():
            if not _is_integer(value):
                self.malformed((key,), value, _INTEGER)
        return {key: value for key, value in self.data.items() if type(value) is int}

    def optional_counts(self, key: str) -> dict[str, int] | None:
        """Read the hand at `key`; None if absent."""
        return self.below(key).counts() if key in self.data else None

    def objects(self) -> Iterator[tuple[str, Reader]]:
        """Yield each key with its object's reader."""
        for key, value in self.data.items():
            yield key, Reader(value, (*self.path, key), self.faults)

    def _list(self, key: str) -> list[object]:
        value = self.data.get(key, [])
        if isinstance(value, list):
            return value
        self.malformed((key,), value, "a list")
        return []
