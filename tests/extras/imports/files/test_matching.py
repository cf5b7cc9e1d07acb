"""People on a list who are entered already, or may be somebody known: nobody is merged, and a list entered once finds
all of itself."""

from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import UUID, uuid5

import pytest
from hypothesis import given, strategies as st

from tests.support.people import known
from tournament.extras.imports.files.matching import Entered, Kind, Planned, plan
from tournament.extras.imports.files.rows import ListRow, read_row
from tournament.words.text import as_read

TODAY = date(2026, 5, 9)
SPACE = UUID(int=1)


def row(number: int, **texts: str) -> ListRow:
    return read_row(number, {column: text for column, text in texts.items() if text}, {}, TODAY)


def entered(found: ListRow, number: int = 1, **more: Any) -> Entered:
    """The entry that a row becomes."""
    values: dict[str, Any] = {
        "uid": uuid5(SPACE, str(found.number)),
        "public_name": found.public_name,
        "real_name": found.name,
        "club": found.club,
        "division": found.division,
        "start_number": found.start_number or number,
        "birth_date": found.birth_date,
        "contact": found.contact,
        "guardian": bool(found.guardian),
        "paid": bool(found.paid),
        "state": "registered",
    }
    return Entered(**values | more)


def kinds(planned: Sequence[Planned]) -> list[str]:
    return [each.kind.value for each in planned]


AINO = entered(row(1, name="Aino Mäkelä", nickname="Nelonen", club="Noppa", birth_date="2001-02-03"))


@pytest.mark.parametrize(
    ("texts", "kind", "differences"),
    [
        ({"name": "Aino Mäkelä", "nickname": "Nelonen"}, Kind.ENTERED, ()),
        ({"name": "aino  mäkelä", "nickname": "NELONEN", "club": "noppa"}, Kind.ENTERED, ()),
        ({"name": "Nelonen"}, Kind.ENTERED, ()),
        ({"name": "Nelonen", "start_number": "1"}, Kind.ENTERED, ()),
        ({"name": "Nelonen", "guardian": "no"}, Kind.ENTERED, ()),
        ({"name": "Nelonen", "club": "Arpa", "start_number": "9"}, Kind.DIFFERS, ("club", "start_number")),
        ({"name": "Nelonen", "contact": "a@b.fi", "guardian": "x"}, Kind.DIFFERS, ("contact", "guardian")),
        ({"name": "Aino Mäkelä"}, Kind.DIFFERS, ("name",)),
        ({"name": "Mäkelä Aino"}, Kind.DIFFERS, ("name",)),
        ({"name": "Mäkelä, Aino"}, Kind.DIFFERS, ("name",)),
        ({"name": "Mäkelä Ainola"}, Kind.NEW, ()),
        ({"name": "Aino Mäkelä", "nickname": "Vitonen"}, Kind.DIFFERS, ("nickname",)),
        ({"name": "Nelonen", "birth_date": "2001-02-04"}, Kind.NAMESAKE, ("birth_date",)),
        ({"name": "Aino Virtanen", "nickname": "Nelonen"}, Kind.NAMESAKE, ("name",)),
        ({"name": "Eetu"}, Kind.NEW, ()),
        ({"club": "Noppa"}, Kind.WRONG, ()),
    ],
)
def test_row_beside_an_entry(texts: dict[str, str], kind: Kind, differences: tuple[str, ...]) -> None:
    (each,) = plan([row(2, **texts)], [AINO], [])
    assert (each.kind, each.differences) == (kind, differences)
    assert (each.entry == AINO) is (kind not in {Kind.NEW, Kind.WRONG})


def test_name_that_was_typed_without_the_real_one_may_be_the_same_person() -> None:
    masa = entered(row(1, name="Masa"))
    (each,) = plan([row(2, name="Matti Virtanen", nickname="Masa")], [masa], [])
    assert (each.kind, each.differences) == (Kind.DIFFERS, ("name",))


def test_names_that_stand_twice_in_the_file_are_asked_about() -> None:
    planned = plan([row(2, name="Aino"), row(3, name="Eetu"), row(4, name=" AINO")], [], [])
    assert [(each.kind.value, each.twin) for each in planned] == [("new", 0), ("new", 0), ("twice", 2)]


def test_each_entry_is_found_by_one_row() -> None:
    first, second = row(2, name="Aino", club="Noppa"), row(3, name="Aino", club="Arpa")
    entries = [entered(first), entered(second, 2)]
    assert kinds(plan([second, first], entries, [])) == ["entered", "entered"]
    again = row(4, name="Aino", club="Noppa")
    assert kinds(plan([first, second, again], entries[:1], [])) == ["entered", "namesake", "namesake"]
    # The one that fits wholly comes second in the file: the first is not taken for it.
    assert kinds(
        plan([row(2, name="Aino", club="X"), row(3, name="Aino", club="Noppa")], entries[:1], [])
    ) == [
        "namesake",
        "entered",
    ]


def test_start_numbers_belong_to_one_player() -> None:
    rows = [
        row(2, name="Eetu", start_number="1"),
        row(3, name="Iida", start_number="7"),
        row(4, name="Otso", start_number="7"),
        row(5, name="Nelonen", start_number="1"),
        row(6, name="Pihla", start_number="8"),
    ]
    planned = plan(rows, [AINO], [])
    assert kinds(planned) == ["wrong", "wrong", "wrong", "entered", "new"]
    assert [
        (each.row.number, problem.code, dict(problem.parameters))
        for each in planned
        for problem in each.problems
    ] == [
        (2, "number_taken", {"number": 1, "player": "Nelonen"}),
        (3, "number_twice", {"number": 7, "other": 4}),
        (4, "number_twice", {"number": 7, "other": 3}),
    ]


def test_players_of_earlier_events_are_offered_not_merged() -> None:
    players = [known("Aino"), known("Aino", born=date(2001, 2, 3)), known("Eetu", "Masa")]
    rows = [
        row(2, name="AINO"),
        row(3, name="Iida"),
        row(4, name="Matti", nickname="Masa"),
        row(5, name="Aino", birth_date="1990-01-01"),
        row(6, name="Nelonen"),
    ]
    planned = plan(rows, [AINO], players)
    assert kinds(planned) == ["new", "new", "new", "twice", "entered"]
    assert [[one.public_name for one in each.known] for each in planned] == [
        ["Aino", "Aino"],
        [],
        ["Eetu"],
        ["Aino"],
        [],
    ]


def test_each_row_is_linked_to_the_person_whom_it_fits_exactly_and_each_person_to_one_row() -> None:
    people = [known("Aino Mäkelä", "Ansku", club="Noppa"), known("Eetu", club="Arpa")]
    rows = [
        row(2, name="Mäkelä Aino"),
        row(3, name="Ansku", club="Noppa"),
        row(4, name="Eetu"),
        row(5, name="Aino Mäkelä"),
    ]
    planned = plan(rows, [], people)
    assert [each.same and each.same.public_name for each in planned] == ["Aino Mäkelä", None, None, None]
    assert [len(each.known) for each in planned] == [1, 1, 1, 1]


NAMES = st.sampled_from(["Aino", "aino", "Eetu", "Iida Mäkelä", "Masa"])
TEXTS = st.fixed_dictionaries(
    {"name": NAMES},
    optional={
        "nickname": NAMES,
        "club": st.sampled_from(["Noppa", "Arpa"]),
        "birth_date": st.sampled_from(["2001-02-03", "1990-01-01"]),
        "contact": st.sampled_from(["a@b.fi", "040"]),
        "guardian": st.sampled_from(["yes", "no"]),
    },
)


@given(texts=st.lists(TEXTS, min_size=1, max_size=8))
def test_list_that_was_entered_finds_all_of_itself(texts: list[dict[str, str]]) -> None:
    """With everybody ticked, namesakes too: a row that was entered is entered, and the same list changes nothing."""
    rows = [row(number, **each) for number, each in enumerate(texts, 2)]
    entries = [entered(each, each.number) for each in rows]
    assert set(kinds(plan(rows, entries, []))) == {"entered"}
    assert set(kinds(plan(rows, entries[::-1], []))) == {"entered"}


@given(texts=st.lists(TEXTS, min_size=1, max_size=8), there=st.lists(TEXTS, max_size=5))
def test_no_new_row_has_the_name_of_an_entry_or_of_a_row_above(
    texts: list[dict[str, str]], there: list[dict[str, str]]
) -> None:
    rows = [row(number, **each) for number, each in enumerate(texts, 2)]
    entries = [entered(row(100 + number, **each), number) for number, each in enumerate(there, 1)]
    names = {as_read(entry.public_name) for entry in entries}
    claimed: list[UUID] = []
    for each in plan(rows, entries, []):
        key = as_read(each.row.public_name)
        assert (each.kind is Kind.NEW) <= (key not in names)
        names.add(key)
        if each.kind in {Kind.ENTERED, Kind.DIFFERS}:
            assert each.entry
            claimed.append(each.entry.uid)
    assert len(claimed) == len(set(claimed))
