"""A server and browsers, as the core's tests in a browser have them."""

from tests.e2e.conftest import (  # noqa: F401 - fixtures
    _arranger,
    _clean,
    _server,
    arranger,
    browser,
    faults,
    laptop,
    lastcard,
    open_page,
    phone,
    screenshot,
    second_phone,
    shoot,
)
