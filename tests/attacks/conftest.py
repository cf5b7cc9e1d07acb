"""`hall`: a server with a match, its referee and a player, for all tests of a process; `small_hall`: one that may open
few files."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.attacks.hall import Hall

FEW = 400  # files


@pytest.fixture(scope="session")
def hall(prepared: Path) -> Iterator[Hall]:
    hall = Hall(prepared, warming=1)
    yield hall
    hall.close()


@pytest.fixture(scope="session")
def small_hall(prepared: Path) -> Iterator[Hall]:
    hall = Hall(prepared, FEW, warming=1)
    yield hall
    hall.close()
