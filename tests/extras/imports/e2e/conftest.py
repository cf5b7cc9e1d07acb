"""A server and browsers, as the core's tests in a browser have them."""

from tests.extras.in_a_browser import *  # noqa: F403 - all are fixtures
