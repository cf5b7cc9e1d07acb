"""Fixtures for tests of the interface: a fresh rate limit, and a championship with its askers."""

from collections.abc import Iterator
from copy import deepcopy

import pytest
from django.core.cache import cache
from pytest_django import DjangoDbBlocker

from tests.extras.programs.api.championship import People, championship, everybody
from tests.support.shared import shared_rows


@pytest.fixture(autouse=True)
def _fresh_throttle() -> None:
    cache.clear()


@pytest.fixture(scope="module")
def everyone(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[People]:
    """The championship that the tests of this module share, and who asks."""
    with shared_rows(django_db_blocker, lambda: everybody(championship())) as made:
        yield made


@pytest.fixture
def people(everyone: People, db: None) -> People:
    """This test's own view of them."""
    return deepcopy(everyone)
