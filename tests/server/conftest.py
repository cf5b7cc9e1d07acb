"""Fixtures for tests of modules that know only the machine."""

from tests.support.house_rules import folder  # noqa: F401 - a fixture
