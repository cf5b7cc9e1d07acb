"""Facts after one row was taken back."""

import pytest

from tests.support.factories import (
    event,
)
from tests.support.undoing import agrees, undo
from tournament import actions
from tournament.models import (
    Entry,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both]


def test_another_fact_of_the_same_player_does_not_stand_in_the_way() -> None:
    made = event(players=3)
    row = made.act(actions.check_in, entries=made.uids).sequence
    made.act(actions.edit_entry, entry=made.uids[0], public_name="Ainö", start_number=77)
    undo(made, row)
    entry = Entry.objects.get(uid=made.uids[0])
    assert (entry.state, entry.public_name, entry.start_number) == ("registered", "Ainö", 77)
    assert agrees(made)
