"""The columns of lists with foreign headings are remembered for all events of the organiser."""

import pytest

from tests.support.factories import event
from tournament import actions
from tournament.actions.people.players import MOST_HEADINGS_KEPT
from tournament.models import LedgerRow, Organiser

pytestmark = pytest.mark.django_db


def kept() -> list[dict[str, object]]:
    found: list[dict[str, object]] = Organiser.objects.get().list_columns["sets"]
    return found


def test_the_last_choice_for_a_set_of_headings_is_kept_and_the_oldest_sets_go() -> None:
    made = event()
    for number in range(MOST_HEADINGS_KEPT + 1):
        made.act(actions.remember_columns, headings=f"h{number}", columns={"a": "name"})
    receipt = made.act(actions.remember_columns, headings="h5", columns={"a": "club"})
    assert [each["headings"] for each in kept()] == [
        f"h{n}" for n in range(1, MOST_HEADINGS_KEPT + 1) if n != 5
    ] + ["h5"]
    assert kept()[-1]["columns"] == {"a": "club"}
    assert LedgerRow.objects.get(sequence=receipt.sequence).payload == {}
