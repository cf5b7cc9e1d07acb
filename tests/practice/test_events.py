"""The events that a newcomer practises in: one for each way to play, in the middle of play."""

from uuid import UUID, uuid4

import pytest
from django.utils.translation import override

from tests.support.factories import StaffFactory
from tournament.models import Entry, Play, Tournament
from tournament.practice.events import PRACTICE_NAMES, make, player_in

pytestmark = pytest.mark.django_db


def test_each_event_is_made_when_it_is_asked_for() -> None:
    visit, host = uuid4(), StaffFactory()
    events = make(visit, host)
    assert not Tournament.objects.exists()
    with override("fi"):
        first = Tournament.objects.get(uid=next(events))
    assert Tournament.objects.count() == 1
    assert (first.ruleset, first.language, first.rehearsal, first.listed) == ("mattel-112", "fi", True, False)
    assert first.slug == f"practice-{first.uid.hex[:12]}"
    with override("en"):
        others = [Tournament.objects.get(uid=uid) for uid in events]
        assert [row.name for row in others] == [str(name) for name in [*PRACTICE_NAMES.values()][1:]]
    assert [row.ruleset for row in others] == ["kpgut-2016", "tite-2022"]
    for row in (first, *others):
        assert Play.objects.filter(table__stage__tournament=row).exists()
        assert row.stages.order_by("number")[0].state == "running"
        assert {each.actor for each in row.ledger.all()} == {host}


def test_newcomer_is_a_player_of_the_first_and_of_their_own_visit_alone() -> None:
    visits, host = [uuid4(), uuid4()], StaffFactory()
    firsts: list[UUID] = [next(make(visit, host)) for visit in visits]
    assert len({*firsts}) == 2
    for visit, first in zip(visits, firsts, strict=True):
        player = Entry.objects.get(uid=player_in(visit))
        assert (player.tournament.uid, player.start_number) == (first, 1)
