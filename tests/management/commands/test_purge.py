"""`manage.py purge`: what it says, and what it spares."""

import pytest
from django.core.management import CommandError

from tests.ledger.test_purge import command, everything, put_away
from tests.support.factories import event
from tournament.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def test_dry_run_says_and_deletes_nothing() -> None:
    put_away(event(players=2, name="Rehearsed", rehearsal=True))
    before = everything()
    assert "would delete Rehearsed (Club): 2 players, 3 ledger rows" in command("--dry-run")
    assert everything() == before


def test_older_than_spares_what_was_put_away_of_late() -> None:
    put_away(event(rehearsal=True))
    assert command("--older-than", "1") == "There are no rehearsals to delete.\n"
    assert Tournament.objects.count() == 1
    assert command("--older-than", "0").startswith("deleted")
    with pytest.raises(CommandError):
        command("--older-than", "-1")
