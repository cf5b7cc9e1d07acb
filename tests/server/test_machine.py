"""tournament/server/machine.py: the resources of a process."""

import ctypes
from collections.abc import Callable

import pytest

from tournament.server.machine import OPTIONS, hold_little


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Give the process this library of the system's."""

    def has(**functions: Callable[..., int]) -> None:
        monkeypatch.setattr(ctypes, "CDLL", lambda _: type("Library", (), functions))

    return has


def test_memory_that_nobody_uses_goes_back_to_the_system(library: Callable[..., None]) -> None:
    said: list[tuple[int, ...]] = []
    library(mallopt=lambda *given: said.append(given), malloc_trim=lambda *given: said.append(given))
    hold_little()
    assert said == [*OPTIONS.items(), (0,)]


def test_a_library_without_options_is_left_alone(library: Callable[..., None]) -> None:
    library()
    hold_little()


def test_a_system_without_a_library_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(_: None) -> None:
        raise TypeError  # Windows

    monkeypatch.setattr(ctypes, "CDLL", none)
    hold_little()
