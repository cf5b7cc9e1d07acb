"""Whether a command has written something already: then it is ahead of what the ledger says."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.db import connection


class _Writes:
    """Notes whether anything but questions was sent to the database."""

    any = False

    def __call__(self, execute: Callable[..., Any], sql: str, *arguments: Any) -> Any:
        self.any = self.any or not sql.startswith("SELECT")
        return execute(sql, *arguments)


_command: ContextVar[_Writes | None] = ContextVar("_command", default=None)


@contextmanager
def command() -> Iterator[None]:
    """What happens inside is one command, which ends with its row in the ledger or is rolled back."""
    writes = _Writes()
    before = _command.set(writes)
    try:
        with connection.execute_wrapper(writes):
            yield
    finally:
        _command.reset(before)


def has_written() -> bool:
    """Whether the command that is open has sent anything but questions to the database."""
    writes = _command.get()
    return writes is not None and writes.any
