"""A list from a file as forms: rows on their way back from the preview, and their ticks."""

import json
from dataclasses import replace
from datetime import date
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.http import QueryDict
from hypothesis import given, strategies as st

from tests.support.people import known
from tournament.extras.imports.files.lists import ListRead
from tournament.extras.imports.files.matching import Kind, Planned
from tournament.extras.imports.files.problems import Problem
from tournament.extras.imports.files.rows import ListRow, read_row
from tournament.extras.imports.forms.players import Ticks, carried, players_of, read_carried

TODAY = date(2026, 5, 9)


@given(text=st.text(max_size=200) | st.just("[" * 100_000) | st.just('{"file":"x","rows":' + "[" * 5000))
def test_anything_may_come_back_from_the_form(text: str) -> None:
    assert read_carried(text, TODAY).refusal is not None


def row(number: int, name: str = "Aino", **more: str) -> ListRow:
    return read_row(number, {"name": name, **more}, {}, TODAY)


@pytest.mark.parametrize(
    "changed",
    [
        {"rows": []},
        {"rows": [[2, {"name": "A"}, {}], [2, {"name": "B"}, {}]]},
        {"rows": [["2", {"name": "A"}, {}]]},
        {"rows": [[2, {"name": 7}, {}]]},
        {"rows": [[2, {"name": "x" * 10_000}, {}]]},
        {"rows": [[2, {"name": "A"}, {"name": "no such mark"}]]},
        {"file": None, "rows": None},
    ],
    ids=["none", "twice", "no number", "no text", "too long", "no mark", "nothing"],
)
def test_rows_that_were_not_carried_are_refused(changed: dict[str, Any]) -> None:
    text = json.dumps({"file": "list.csv", **changed})
    assert read_carried(text, TODAY).refusal == Problem("lost_on_the_way")


def test_rows_are_carried_whole() -> None:
    rows = (row(2), row(5, "Eetu", club="Noppa", start_number="7"))
    assert read_carried(carried("list.csv", rows), TODAY) == ListRead("list.csv", rows)


def test_ticks_are_read_by_row() -> None:
    one, two = uuid4(), uuid4()
    posted = QueryDict(f"enter-2=on&another-3=on&same-2={one}&same-3={one}&same-3={two}&same-4=x&enter-9=on")
    ticks = Ticks.of(posted, [row(number) for number in (2, 3, 4)])
    assert [{*ticks.enter}, {*ticks.another}, {*ticks.several}] == [{2}, {3}, {3}]
    assert ticks.same == {2: one, 3: two}


def test_rows_with_a_start_number_are_entered_first() -> None:
    rows = [row(2), row(3, "Eetu", start_number="7"), row(4, ""), row(5, "Venla")]
    chosen = Ticks(enter=frozenset({2, 3, 4})).chosen(rows)
    assert [each.number for each in chosen] == [3, 2]
    sent = players_of(UUID(int=1), chosen, Ticks(), ())
    assert [(each["name"], each["start_number"]) for each in sent] == [("Eetu", 7), ("Aino", None)]


def test_new_rows_are_proposed_and_what_changed_meanwhile_is_a_problem() -> None:
    uid, other = uuid4(), uuid4()
    aino = known("Aino", uid=uid)
    new, entered = Planned(row(2), Kind.NEW, (), known=(aino,)), Planned(row(3), Kind.ENTERED, ())
    again, stranger = Planned(row(4), Kind.NEW, (), known=(aino,)), Planned(row(5), Kind.NEW, ())
    assert Ticks.proposed([new, entered]) == Ticks(enter=frozenset({2}))
    ticks = Ticks(enter=frozenset({2, 3, 4, 5}), same={2: uid, 4: uid, 5: other})
    found = ticks.problems([new, entered, again, stranger])
    assert [(each.code, each.row) for each in found] == [
        ("changed_meanwhile", 3),
        ("same_person_twice", 4),
        ("unknown_person", 5),
    ]


def test_known_people_are_linked_at_once_or_all_of_them_by_one_tap() -> None:
    aino, eetu, other = known("Aino Mäkelä"), known("Eetu"), known("Eetu", club="Arpa")
    linked = Planned(row(2), Kind.NEW, (), known=(aino,), same=aino)
    asked = Planned(row(3, "Eetu"), Kind.NEW, (), known=(eetu,))
    two = Planned(row(4, "Eetu"), Kind.NEW, (), known=(eetu, other))
    ticks = Ticks.proposed([linked, asked])
    assert ticks == Ticks(enter=frozenset({2, 3}), same={2: aino.uid})
    assert ticks.all_same([linked, asked]).same == {2: aino.uid, 3: eetu.uid}
    planned = [linked, asked, two]
    assert Ticks.proposed(planned).all_same(planned).same == {2: aino.uid, 3: eetu.uid}
    unlinked = Ticks(enter=frozenset({2, 4}))  # and row 3 is not to be added
    assert unlinked.all_same(planned) == unlinked
    unticked = Ticks(enter=frozenset({3, 4}), same={2: aino.uid})
    assert unticked.all_same(planned) == Ticks(frozenset({3, 4}), same={2: aino.uid, 3: eetu.uid})


def test_ticks_changed_by_hand_are_kept_in_the_next_preview() -> None:
    aino, eetu = known("Aino Mäkelä"), known("Eetu")
    linked = Planned(row(2, "Aino Mäkelä"), Kind.NEW, (), known=(aino,), same=aino)
    asked, plain = Planned(row(3, "Eetu"), Kind.NEW, (), known=(eetu,)), Planned(row(4, "Iida"), Kind.NEW, ())
    wrong, twin = Planned(row(5, "Otso"), Kind.WRONG, ()), Planned(row(6, "Iida"), Kind.TWICE, ())
    before = [linked, asked, plain, wrong, twin]
    moved = [replace(each, row=replace(each.row, number=each.row.number + 1)) for each in before]
    now = [Planned(row(2, "Venla"), Kind.NEW, ()), *moved]
    now[4] = replace(now[4], kind=Kind.NEW)
    assert Ticks.proposed(before).kept(before, now) == Ticks.proposed(now)
    changed = Ticks(enter=frozenset({2, 3}), another=frozenset({6}), same={3: eetu.uid})
    assert changed.kept(before, now) == Ticks(
        enter=frozenset({2, 3, 4, 6}), another=frozenset({7}), same={4: eetu.uid}
    )


def test_known_people_keep_the_nickname_and_club_that_the_list_lacks() -> None:
    ansku = known("Aino Mäkelä", "Ansku", public_name="Ansku", club="Noppa")
    rows = [
        row(2, "Aino Mäkelä"),
        row(3, "Aino Mäkelä", nickname="Nelonen", club="Arpa"),
        row(4, "Aino Mäkelä"),
    ]
    planned = [Planned(each, Kind.NEW, (), known=(ansku,)) for each in rows]
    ticks = Ticks(same={2: ansku.uid, 3: ansku.uid})
    sent = players_of(UUID(int=1), rows, ticks, (), planned)
    assert [(each["name"], each["club"], each["player"]) for each in sent] == [
        ("Ansku", "Noppa", ansku.uid),
        ("Nelonen", "Arpa", ansku.uid),
        ("Aino Mäkelä", "", None),
    ]
