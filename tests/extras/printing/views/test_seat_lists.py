"""Seat lists by name and by table."""

from uuid import uuid4

from tests.extras.printing.views.printed import page
from tests.support.factories import (
    add_stage,
    event,
)
from tournament import actions
from tournament.models import Entry


def test_seat_lists_follow_the_alphabet_or_the_tables(db: None) -> None:
    made = event("tite-2022", language="fi")
    names = ["Öde", "Åke", "Eeva", "édith"]
    made.act(actions.enter_players, players=[{"entry": uuid4(), "name": name} for name in names])
    made.entries = list(Entry.objects.filter(tournament=made.tournament).order_by("start_number"))
    add_stage(made, "heats", tables=2)
    by_name = page(made, "organise-seat-list").context["places"]
    assert [(place.entry.public_name, place.table, place.seat) for place in by_name] == [
        ("édith", 2, 2),
        ("Eeva", 1, 2),
        ("Åke", 2, 1),
        ("Öde", 1, 1),
    ]
    by_table = page(made, "organise-seat-list", "?by=table").context["tables"]
    assert [
        (table["number"], [place.entry.public_name for place in table["places"]]) for table in by_table
    ] == [
        (1, ["Öde", "Eeva"]),
        (2, ["Åke", "édith"]),
    ]
