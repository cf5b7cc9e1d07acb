"""When a server's clock goes on as before, although the system's clock was set."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.support.factories import running_session
from tournament import actions
from tournament.models import Play, Stage
from tournament.queries.live import LONGEST_GAME, games_need_time

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


def test_games_need_the_time_by_which_they_are_played(monkeypatch: pytest.MonkeyPatch) -> None:
    made = running_session(players=3)
    now = timezone.now()
    assert not games_need_time(now)

    made.act(actions.start_game, table=made.tables[0].uid, play=made.stage.uid, number=1)
    assert games_need_time(now)
    assert not games_need_time(now + LONGEST_GAME + MINUTE), "no game lasts so long"

    Play.objects.update(state=Play.State.ENTERED)
    assert not games_need_time(now)
    monkeypatch.setattr(timezone, "now", lambda: now - MINUTE)
    assert games_need_time(now), "the next game would begin before the last one"
    assert not games_need_time(now + LONGEST_GAME + MINUTE), "nothing has been entered for hours"
    Stage.objects.update(state=Stage.State.FINISHED)
    assert not games_need_time(now)
