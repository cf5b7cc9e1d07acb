"""Fixtures of the core's views, for the views of extras."""

from tests.views.conftest import browser, heats, match, organiser, planned, session  # noqa: F401 - fixtures
