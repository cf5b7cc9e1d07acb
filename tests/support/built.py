"""The usual events, built once in a process: later tests get the same rows by the statements that wrote them.

The first test that calls a function marked `@built_once` builds the event through the actions, and the statements that
write are noted. They are executed again wherever a test asks for the same event. Rows keep their ids, uids and times,
so the database must be as it was: empty, or holding what such calls built and nothing else. Otherwise the event is
built anew, as it is in a transactional test, with an argument that is neither plain nor a row, while a test sets the
clock, and once a minute, so that an event has always just begun.
"""

import pickle
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from functools import wraps
from typing import Any, ParamSpec, TypeVar
from unittest.mock import patch

from django.db import connection
from django.utils import timezone

from tests.support.models import stored_models
from tournament.actions.kernel import work
from tournament.models.base import PublicModel
from tournament.server import clock

P = ParamSpec("P")
T = TypeVar("T")

PLAIN = (str, int, date, type(None))
TABLES = [model._meta.db_table for model in stored_models()]
GIVEN = {
    "sqlite": "SELECT name, seq FROM sqlite_sequence WHERE name LIKE 'tournament_%' AND seq ORDER BY name",
    "postgresql": "SELECT sequencename, last_value FROM pg_sequences WHERE sequencename LIKE 'tournament_%'"
    " AND last_value IS NOT NULL ORDER BY sequencename",
}
RESTART = (
    "SELECT setval(oid::regclass, 1, false) FROM pg_class WHERE relkind = 'S' AND relname LIKE 'tournament_%'"
)
NEW_S = 60.0  # seconds for which a building is used again
CLOCKS: list[tuple[Any, object]] = [(timezone, timezone.now), (work, clock.now)]


@dataclass(slots=True)
class Built:
    """The statements that write, with their values; what the function returned, pickled; the ids given until then; when
    it was built, by the clock that never jumps."""

    statements: list[tuple[str, Any, bool]] = field(default_factory=list)
    returned: bytes = b""
    ids: object = None
    at: float = field(default_factory=time.monotonic)

    def note(self, execute: Callable[..., T], sql: str, values: Any, many: bool, context: object) -> T:
        """Note a statement that writes, as a wrapper of what executes it."""
        if sql.startswith(("INSERT", "UPDATE", "DELETE")):
            self.statements.append((sql, values, many))
        return execute(sql, values, many, context)

    def write(self) -> Any:
        """Execute the statements again; gives what the function returned."""
        with connection.cursor() as cursor:
            for sql, values, many in self.statements:
                (cursor.executemany if many else cursor.execute)(sql, values)
                if cursor.description:  # of RETURNING: until it is read the statement stays open
                    cursor.fetchall()
        return pickle.loads(self.returned)


_built: dict[object, Built] = {}
_ever: list[Built] = []  # so that no id returns
_of_this_test: list[tuple[object, Built]] = []


def built_once(function: Callable[P, T]) -> Callable[P, T]:
    """Mark a function that builds an event or a part of one."""

    @wraps(function)
    def build(*arguments: P.args, **named: P.kwargs) -> T:
        if not connection.in_atomic_block:
            return function(*arguments, **named)
        try:
            values = (
                tuple(map(_plain, arguments)),
                tuple((name, _plain(named[name])) for name in sorted(named)),
            )
        except TypeError:
            return function(*arguments, **named)
        call, ids = (function.__qualname__, *values), given_ids()
        usual = _of_this_test[-1][1].ids if _of_this_test else []
        if ids != usual or any(module.now is not now for module, now in CLOCKS):
            return function(*arguments, **named)
        before = list(_of_this_test)
        calls = [*(earlier for earlier, _ in before), call]
        key = (call, *(id(earlier) for _, earlier in before))
        built = _built.get(key)
        if built and time.monotonic() - built.at < NEW_S:
            returned: T = built.write()
        else:
            built, chance = Built(), random.Random(repr(calls))  # the same uids in every process and run
            with (
                patch("os.urandom", chance.randbytes),
                patch("random._urandom", chance.randbytes),
                connection.execute_wrapper(built.note),
            ):
                returned = function(*arguments, **named)
            built.returned, built.ids = pickle.dumps(returned), given_ids()
            _built[key] = built
            _ever.append(built)
        _of_this_test[:] = [*before, (call, built)]  # what it called to build is a part of it
        return returned

    return build


def _plain(value: object) -> object:
    """What tells an argument from another; TypeError where that is unknown."""
    row = getattr(value, "tournament", value) if not isinstance(value, PublicModel) else value
    if isinstance(row, PublicModel):
        return type(row).__name__, str(row.uid)
    if isinstance(value, PLAIN):
        return value
    raise TypeError(value)


def forget_events() -> None:
    """Begin a test: it has built nothing."""
    _of_this_test.clear()


def given_ids() -> list[tuple[str, int]]:
    """The last id that was given in each of our tables. PostgreSQL, whose sequences no rollback takes back, begins anew
    where all are empty."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql" and not _of_this_test and not any(filled()):
            cursor.execute(RESTART)
        cursor.execute(GIVEN[connection.vendor])
        return list(cursor.fetchall())


def filled() -> tuple[bool, ...]:
    """Whether each of TABLES has a row."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(f'EXISTS (SELECT 1 FROM {table})' for table in TABLES)}")
        row: tuple[bool, ...] = cursor.fetchone()
    return row
