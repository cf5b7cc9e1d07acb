"""The order of tests in a run of several processes: each begins with its share of the modules that use a browser or a
server, which take long and wait much, and ends with short tests, so that no processor is idle at the end.

pytest-xdist's `worksteal` gives each process a piece of the list of the same length, and later the rest of others'."""

import os
from collections.abc import Iterable, Sequence
from itertools import chain, groupby
from typing import Protocol, TypeVar

LONG = ("browser", "server")  # markers


class Test(Protocol):
    @property
    def nodeid(self) -> str: ...

    def get_closest_marker(self, name: str) -> object: ...


T = TypeVar("T", bound=Test)


def shared_out(tests: Sequence[T], processes: int) -> list[T]:
    """Give the tests in the order of the pieces that `worksteal` makes for so many processes. A module's tests stay
    together and in order: they share its server and its browser."""
    modules = [list(group) for _, group in groupby(tests, key=lambda test: test.nodeid.partition("::")[0])]
    shares: list[list[T]] = [[] for _ in range(processes)]
    for module in sorted(filter(_is_long, modules), key=len, reverse=True):
        min(shares, key=len).extend(module)
    rest = chain.from_iterable(module for module in modules if not _is_long(module))
    sizes = [(len(tests) + number) // processes for number in range(processes)]
    for share, size in zip(shares, sizes, strict=True):
        share.extend(test for _, test in zip(range(size - len(share)), rest, strict=False))
    return [*chain.from_iterable(shares), *rest]


def processes_of_run() -> int:
    """How many processes share the tests of this run; 1 for a run in one."""
    return int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))


def _is_long(module: Iterable[Test]) -> bool:
    return any(test.get_closest_marker(name) for test in module for name in LONG)
