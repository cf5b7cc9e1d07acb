"""Which sheets there are, and where everything stands in them."""

from collections.abc import Callable

import pytest

from tests.files.workbook.conftest import Opened
from tests.support.factories import (
    add_stage,
    event,
)

pytestmark = pytest.mark.django_db

Open = Callable[..., Opened]


def test_a_planned_final_without_its_target_has_no_standings_yet(opened: Open) -> None:
    made = add_stage(event("tite-2022", 4), "final", start=False)
    assert opened(made).titles == ["Tournament", "Players"]
