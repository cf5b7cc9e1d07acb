"""What is checked and counted after each test."""

import pytest
from pytest_django import DjangoDbBlocker

from tests.support.cost import Cost
from tests.support.factories import UserFactory

pytestmark = pytest.mark.django_db


def after_a_test(item: pytest.Item, blocker: DjangoDbBlocker) -> None:
    """Ask what is asked once everything of a test was torn down."""
    cost = Cost()
    cost.blocker = blocker
    teardown = cost.pytest_runtest_teardown(item)
    next(teardown)
    next(teardown, None)


def test_rows_that_are_left_are_named_with_the_test_and_the_mend(
    request: pytest.FixtureRequest, django_db_blocker: DjangoDbBlocker
) -> None:
    UserFactory()
    with pytest.raises(
        AssertionError, match=r"test_cost.py::test_rows_.* left rows in tournament_user: mark it"
    ):
        after_a_test(request.node, django_db_blocker)


def test_no_rows_are_no_fault(request: pytest.FixtureRequest, django_db_blocker: DjangoDbBlocker) -> None:
    after_a_test(request.node, django_db_blocker)
