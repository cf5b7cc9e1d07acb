"""A match of two rounds, which the tests of each module here share."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import pytest
from django.db import models
from pytest_django import DjangoDbBlocker

from tests.support.factories import Event, recorded_round, running_match
from tests.support.shared import shared_rows


def _match() -> Event:
    made = running_match(players=4, tables=2)
    recorded_round(made)
    recorded_round(made)
    return made


@pytest.fixture(scope="module")
def match(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Event]:
    """The match that the tests of this module share."""
    with shared_rows(django_db_blocker, _match) as made:
        yield made


@pytest.fixture
def made(match: Event, db: None) -> Event:
    """This test's own view of a match of two rounds at the first of two tables."""
    return deepcopy(match)


def again(model: type[models.Model], *but: str) -> Callable[[Event], Any]:
    """Another row with the values of an existing one, except its keys and these fields."""

    def insert(made: Event) -> None:
        row: Any = model._default_manager.first()
        known = {field.attname: getattr(row, field.attname) for field in model._meta.concrete_fields}
        model._default_manager.create(
            **{name: value for name, value in known.items() if name not in {"id", "uid", *but}}
        )

    return insert
