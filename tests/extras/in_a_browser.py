"""Fixtures of the core's tests in a browser, for those of extras: `from tests.extras.in_a_browser import *`."""

from tests.e2e.conftest import (
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

__all__ = [
    "_arranger",
    "_clean",
    "_server",
    "arranger",
    "browser",
    "faults",
    "laptop",
    "lastcard",
    "open_page",
    "phone",
    "screenshot",
    "second_phone",
    "shoot",
]
