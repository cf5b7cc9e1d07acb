"""How many examples of a property the tests try: a thirtieth, CI an eighth, `make properties` all of them, `make soak`
twenty times as many. Few where the tests run against each mutant. Also the cases that only `make soak` tries."""

import os
from typing import Any

import pytest
from hypothesis import Phase, settings

SOAK = os.environ.get("LASTCARD_SOAK") == "1"
FULL = SOAK or os.environ.get("LASTCARD_FULL") == "1"
MUTANTS = os.environ.get("LASTCARD_MUTANTS") == "1"
FEWEST = 3
PART = 8 if os.environ.get("LASTCARD_CI") else 30
# The number of examples for a property that does not set its own:
SHEETS = 10_000 if SOAK else 500 if FULL else 30 if MUTANTS else 500 // PART


def deep(full: int, fewest: int = FEWEST) -> int:
    """How many examples this run takes of a property that has so many in full."""
    return full * 20 if SOAK else full if FULL else max(fewest, full // PART)


def examples(full: int) -> settings:
    """For a property that needs the database: outside of a soak the smallest example that fails is not looked for,
    since each takes a while."""
    if SOAK:
        return settings(max_examples=deep(full))
    return settings(max_examples=deep(full), phases=[Phase.explicit, Phase.reuse, Phase.generate])


def events(few: int, soak: int) -> settings:
    """For a property of whole events, which take half a second each: so many, or so many in a soak."""
    if SOAK:
        return settings(max_examples=soak)
    return settings(
        max_examples=FEWEST if MUTANTS else few, phases=[Phase.explicit, Phase.reuse, Phase.generate]
    )


def dear(*cases: Any) -> list[Any]:
    """Parameters that only `make soak` takes: they tell little more than the test's other ones."""
    return [pytest.param(case, marks=pytest.mark.soak) for case in cases]
