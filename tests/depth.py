"""How much the tests ask. `make test` takes a sample at each change; CI, and pytest by itself, every test. Either takes
an eighth of each property's examples, `make properties` all of them, `make soak` twenty times as many. Few where the
tests run against each mutant."""

import os
from collections import defaultdict
from collections.abc import Mapping
from zlib import crc32

from hypothesis import Phase, settings

SOAK = os.environ.get("LASTCARD_SOAK") == "1"
FULL = SOAK or os.environ.get("LASTCARD_FULL") == "1"
MUTANTS = os.environ.get("LASTCARD_MUTANTS") == "1"
SAMPLE = os.environ.get("LASTCARD_SAMPLE") == "1" and not (FULL or MUTANTS)  # `make test` sets it, but in CI
# What the sample takes of the tests of pages, of those of browsers, servers and killed processes, of those that ask
# PostgreSQL what SQLite is asked as well, and of the sets of parameters of any that asks a database: one in so many.
OF_PAGES = 2
OF_REAL = 4
AGAIN = 6
OF_SETS = 4
FEWEST = 3
PART = 8
# Of a property that does not say how many:
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


def sample(tests: Mapping[str, int]) -> set[str]:
    """Which tests the sample takes, of their ids each with how many of its like there is to be one of: at least one set
    of the parameters of a test that has several. It is spread over all by their names, so the same at every run."""
    alike: dict[tuple[str, int], list[str]] = defaultdict(list)
    for test, one_in in tests.items():
        alike[test.partition("[")[0], one_in].append(test)
    taken: set[str] = set()
    for (name, one_in), sets in alike.items():
        step = one_in if len(sets) == 1 else one_in * OF_SETS
        turn = crc32(name.encode()) % (step if len(sets) == 1 else min(step, len(sets)))
        taken.update(sets[turn::step])
    return taken
