"""Rows that the tests of a module or a class share, so that what takes long to make is made once."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from django.db import transaction
from django.utils import translation
from pytest_django import DjangoDbBlocker

T = TypeVar("T")

_open: list[object] = []  # what is shared now


@contextmanager
def shared_rows(blocker: DjangoDbBlocker, make: Callable[[], T]) -> Iterator[T]:
    """Give what `make` makes, in a transaction that stays open: each test's own is inside it and is rolled back alone.

    For a fixture of a module or class that asks for `django_db_setup`. Every test there sees the rows, so all of them
    ask for the fixture, whatever their order; none may be transactional. Objects that a test changes in memory are
    copied for it.
    """
    shared: Any = transaction.atomic()
    shared._from_testcase = True  # as TestCase's own: a durable block may lie inside
    with blocker.unblock():
        shared.__enter__()
    try:
        with blocker.unblock(), translation.override("en"):
            made = make()
        _open.append(made)
        yield made
    finally:
        _open.clear()
        with blocker.unblock():
            transaction.set_rollback(True)
            shared.__exit__(None, None, None)


def is_shared() -> bool:
    """Whether rows of a module or class are in the database now."""
    return bool(_open)
