"""The end of practice: when its time is up, or because the newcomer says so."""

from collections.abc import Iterable
from datetime import datetime

from tournament.actions.upkeep.practice import delete_practice, sessions_over
from tournament.files.workbook.cache import take_away_all
from tournament.models import Tournament
from tournament.models.practice import LASTS


def end_what_is_over(now: datetime) -> None:
    """Delete every practice event whose time is up, with its newcomer, and the sessions whose time is up."""
    end(Tournament.objects.practice(made_by=now - LASTS))
    sessions_over(now)


def end(events: Iterable[Tournament]) -> None:
    """Delete these practice events with everything of theirs, for good."""
    for uid in delete_practice(events):
        take_away_all(uid)
