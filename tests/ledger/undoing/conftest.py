"""Undoing is an action: the checks after every action's test are made here too."""

from tests.actions.conftest import (  # noqa: F401 - fixtures that every test here uses
    _known_is_what_the_rows_say,
    _readers_are_told,
    _refusals_are_told,
    _the_ledger_says_what_there_is,
)
