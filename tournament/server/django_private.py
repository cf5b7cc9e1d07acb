"""What we use of Django 5.2 that its documentation does not promise; tests/test_private_names.py names what an upgrade
has moved.

| name | reason |
| --- | --- |
| `URLResolver._populate` | Resolving any name would load every namespace: 0.3 s of the start for API and admin. |
| `QuerySet._raw_delete` | `delete` reads all rows, and those that refer to them, where none can. |
| `HttpRequest._cached_user` | A log line must not query for the user. |
| `DatabaseWrapper.transaction_mode` | SQLite: IMMEDIATE would take the write lock for a snapshot. |
| `BaseDatabaseWrapper.close_at` | PostgreSQL: free this connection after the request. |
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.http import HttpRequest
from django.urls import URLResolver
from django.urls.resolvers import RoutePattern
from django.utils.functional import SimpleLazyObject


class LazyNamespace(URLResolver):
    """`include` of a URL module with a namespace, loaded when an address below it is resolved or reversed."""

    def __init__(self, route: str, module: str, namespace: str) -> None:
        super().__init__(RoutePattern(route), module, app_name=namespace, namespace=namespace)

    def _populate(self) -> None:
        """Skip: names are looked up in the namespace."""


def delete_rows(rows: Any) -> None:
    """Delete a queryset in one statement, where no row refers to them."""
    rows._raw_delete(connection.alias)


def loaded_user(request: HttpRequest) -> object:
    """The request's user if it was loaded, else None."""
    user = vars(request).get("user")
    return vars(request).get("_cached_user") if type(user) is SimpleLazyObject else user


@contextmanager
def beginning_as_reader() -> Iterator[None]:
    """Begin SQLite transactions as a reader, without the write lock."""
    connection.ensure_connection()
    usual = connection.transaction_mode  # type: ignore[attr-defined]  # SQLite's wrapper has it
    connection.transaction_mode = "DEFERRED"  # type: ignore[attr-defined]
    try:
        yield
    finally:
        connection.transaction_mode = usual  # type: ignore[attr-defined]


def close_after_request(opened: BaseDatabaseWrapper) -> None:
    """Close the connection when its request ends."""
    opened.close_at = 0.0
