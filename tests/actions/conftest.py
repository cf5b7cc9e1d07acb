"""Whatever an action's test does: what the process knows of a stage is what its rows say."""

import pytest
from django.db import connection

from tests.known import same
from tournament import contests
from tournament.bridge import contests_of
from tournament.contests import Known
from tournament.models import Stage


@pytest.fixture(autouse=True)
def _known_is_what_the_rows_say(monkeypatch: pytest.MonkeyPatch) -> None:
    known_now = contests._known

    def checked(stage: Stage) -> Known:
        known = known_now(stage)
        if not connection.force_debug_cursor:  # a test that counts queries
            assert same(known.contests, contests_of(stage))
        return known

    monkeypatch.setattr(contests, "_known", checked)
