"""One moment and one seed for everything that a record keeps. Import it before Django: what takes `datetime` or `time`
by name keeps what it took."""

import datetime
import os
import random
import re
import time
from collections.abc import Callable
from typing import Any
from uuid import UUID

REAL = datetime.datetime
BEGIN = REAL(2026, 5, 9, 10, tzinfo=datetime.UTC).timestamp()


UUID_BYTES = 16
ID = re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b|\b[0-9a-f]{32}\b")


class _Now:
    seconds = BEGIN
    seed = ""
    steps = 0


class _Also(type):
    """A real datetime is an instance of the fixed class too."""

    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, REAL)

    def __subclasscheck__(cls, other: type) -> bool:
        return issubclass(other, REAL)


class Fixed(REAL, metaclass=_Also):
    """`datetime.datetime`, except that its clock stands still."""

    __slots__ = ()

    @classmethod
    def now(cls, tz: Any = None) -> Any:
        return cls.fromtimestamp(_Now.seconds, tz)

    @classmethod
    def utcnow(cls) -> Any:
        return cls.now(datetime.UTC).replace(tzinfo=None)

    @classmethod
    def today(cls) -> Any:
        return cls.now()


Fixed.__module__, Fixed.__name__, Fixed.__qualname__ = "datetime", "datetime", "datetime"
_chance = random.Random()
_drawn: list[bytes] = []  # since the last `begin`


class _Call:
    """A function that a class may hold without binding it, as it may the ones of C."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def __call__(self, *arguments: Any) -> Any:
        return self._function(*arguments)


def install() -> None:
    """Replace the clock and the sources of chance of this process."""
    datetime.datetime = Fixed  # type: ignore[misc]  # for every module that asks for the time
    time.time = _Call(lambda: _Now.seconds)
    time.time_ns = _Call(lambda: int(_Now.seconds * 10**9))
    os.urandom = _Call(_draw)  # uuid4
    random._urandom = os.urandom  # type: ignore[attr-defined]  # secrets; the stubs leave it out
    begin("install")


def begin(seed: str) -> None:
    """Go back to the first moment and draw from this seed, so that no answer depends on what was asked before it."""
    _Now.seconds, _Now.seed, _Now.steps = BEGIN, seed, 0
    _drawn.clear()
    _seed(seed)


def numbered(text: str) -> str:
    """The text with each id that was drawn since `begin` named by its first place in it: which of a page's ids is drawn
    first is nothing that anybody sees."""
    ids = {str(UUID(bytes=each, version=4)) for each in _drawn}
    numbers: dict[str, int] = {}

    def named(found: re.Match[str]) -> str:
        known = str(UUID(found[0]))
        return f"<new {numbers.setdefault(known, len(numbers) + 1)}>" if known in ids else found[0]

    return ID.sub(named, text)


def _draw(size: int) -> bytes:
    made = _chance.randbytes(size)
    if size == UUID_BYTES:
        _drawn.append(made)
    return made


def tick() -> None:
    """Let a second pass, and draw from a seed of that second: an action that draws once more changes no later one."""
    _Now.seconds += 1
    step()


def step() -> None:
    """Draw from a new seed."""
    _Now.steps += 1
    _seed(f"{_Now.seed} {_Now.steps}")


def _seed(seed: str) -> None:
    _chance.seed(seed)
    random.seed(seed)
