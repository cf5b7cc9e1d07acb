"""Fixtures of the tests of what knows the machine alone."""

from tests.support.house_rules import folder  # noqa: F401 - a fixture
