"""Facts from the ledger back into rows."""

from datetime import UTC, datetime, time
from typing import Any
from uuid import uuid4

import pytest

from tests.ledger.test_purge import whole
from tests.support.factories import (
    event,
)
from tournament.actions.event import undo as put_back
from tournament.ledger.undoing import Change
from tournament.models import (
    Announcement,
    Decision,
    Different,
    Draw,
    Entry,
    HallClock,
    Invite,
    Membership,
    Screen,
    Seat,
    Stage,
    Table,
    Tournament,
)
from tournament.models.base import PublicModel
from tournament.results.facts import facts_of

pytestmark = [pytest.mark.django_db, pytest.mark.both]

NOON = datetime(2026, 5, 9, 12, 0, tzinfo=UTC)


def everything_set() -> dict[type[PublicModel], dict[str, Any]]:
    """Give optional values for a row of each kind."""
    return {
        Tournament: {"rehearsal": True, "put_away": True, "decks": 4, "listed": False}
        | {"doors_at": time(17, 30), "starts_at": time(18), "logo": "ab" * 32},
        Entry: {"guardian": True, "accepted_at": NOON, "link_number": 3, "paid": True},
        Membership: {"invite": Invite.objects.get(), "table": Table.objects.order_by("pk")[0]},
        Stage: {"plan": {"minutes": 30}, "first_plan": {"minutes": 20}, "second_look": True},
        Table: dict(zip(Table.ROLES, Entry.objects.order_by("-pk"), strict=False))
        | {"stopped": True, "link_number": 2},
        Seat: {"out_as": Seat.OutAs.WITHDRAWN, "out_from": 7},
        Decision: {"rank": 2},
        Draw: {"record": {"seed": "7"}},
        Different: {"players": sorted(str(uuid4()) for _time in range(2))},
        HallClock: {"stage": Stage.objects.order_by("pk")[0], "ends_at": NOON, "goes_on_at": NOON}
        | {"last_hand": 5, "extra": {"1": 10}},
        Invite: {"tables": [str(uuid4())], "most": 3, "revoked_at": NOON},
        Announcement: {"until": NOON, "down_at": NOON},
        Screen: {"stage": Stage.objects.order_by("-pk")[0], "seconds": 99},
    }


@pytest.mark.beside
@pytest.mark.parametrize("everything", [False, True], ids=["what it must", "everything"])
def test_a_row_of_facts_holds_what_it_held(everything: bool) -> None:
    whole()
    Draw.objects.create(stage=Stage.objects.order_by("pk")[0], number=1, record={})
    more = everything_set() if everything else {}
    models: set[type[PublicModel]] = {*put_back.LIGHT, *put_back.STAY, Announcement, Screen}
    for model in models:
        row = model._default_manager.order_by("pk")[0]
        for name, value in more.get(model, {}).items():
            setattr(row, name, value)
        values = put_back._values(model, facts_of(row), put_back.Find([]))
        assert values == {name: getattr(row, name) for name in values}


@pytest.mark.parametrize("state", Stage.State.values)
def test_only_a_finished_stage_stays_revealed(state: str) -> None:
    facts = {"number": 1, "kind": "heats", "settings": {}, "state": state}
    values = put_back._values(Stage, facts, put_back.Find([]))
    assert values.get("revealed", 7) == (7 if state == "finished" else None)


def test_rows_that_changes_name_are_read_in_one_query_a_model(django_assert_num_queries: Any) -> None:
    made = event(players=3)
    first, second, third = made.entries
    change = Change(None, {"entries": [str(first.uid), "no uid"], "by": {"whom": str(second.uid)}})
    find = put_back.Find([change])
    assert find(Entry, None) is None
    with django_assert_num_queries(1):
        assert [find(Entry, each.uid) for each in (first, second)] == [first, second]
    with django_assert_num_queries(1):
        assert [find(Entry, third.uid) for _time in range(2)] == [third, third]
