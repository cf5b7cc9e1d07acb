"""Reading a row as people write it."""

from datetime import date
from typing import Any

import pytest

from tests.extras.imports.files.opened import TODAY
from tournament.extras.imports.files.rows import LONGEST_VALUES, read_row
from tournament.models import Entry, Player


@pytest.mark.parametrize(
    ("text", "born"),
    [
        ("2001-02-03", date(2001, 2, 3)),
        ("20010203", date(2001, 2, 3)),
        ("2001/2/3", date(2001, 2, 3)),
        ("3.2.2001", date(2001, 2, 3)),
        ("03.02.2001.", date(2001, 2, 3)),
        (" 3. 2. 2001", date(2001, 2, 3)),
        ("13/2/2001", date(2001, 2, 13)),
        ("2/2/2001", date(2001, 2, 2)),
        ("3/2/2001", "date_ambiguous"),
        ("3.2.01", date(2001, 2, 3)),
        ("5.2.83", date(1983, 2, 5)),
        ("5.2.26", date(2026, 2, 5)),
        ("5.2.27", date(1927, 2, 5)),
        ("83-02-05", date(1983, 2, 5)),
        ("5/2/83", "date_ambiguous"),
        ("05-02-03", "date_ambiguous"),
        ("12 May 1983", date(1983, 5, 12)),
        ("02-MAY-1983", date(1983, 5, 2)),
        ("2-May-83", date(1983, 5, 2)),
        ("May 12th, 1983", date(1983, 5, 12)),
        ("12th May 1983", date(1983, 5, 12)),
        ("12. toukokuuta 1983", date(1983, 5, 12)),
        ("1. marraskuuta 1983", date(1983, 11, 1)),
        ("3 maaliskuu 2001", date(2001, 3, 3)),
        ("12 maj 1983", date(1983, 5, 12)),
        ("3 mars 2001", date(2001, 3, 3)),
        ("12 okt. 1983", date(1983, 10, 12)),
        ("12 Soon 1983", "bad_date"),
        ("May 1983", "bad_date"),
        ("2/5/1983 0:00", "date_ambiguous"),
        ("13/2/1983 0:00", date(1983, 2, 13)),
        ("12.5.1983 0.00", date(1983, 5, 12)),
        ("1983-05-12 00:00:00", date(1983, 5, 12)),
        ("1983-05-12T00:00:00.000Z", date(1983, 5, 12)),
        ("5/22/1983 12:00:00 AM", date(1983, 5, 22)),
        ("13. 2.53", date(1953, 2, 13)),
        ("30438", date(1983, 5, 2)),
        ("36925", date(2001, 2, 3)),
        ("99999", "date_out_of_range"),
        ("31.2.2001", "bad_date"),
        ("soon", "bad_date"),
        ("٣.٢.٢٠٠١", "bad_date"),
        ("10.5.2026", "date_out_of_range"),
        ("1.1.1899", "date_out_of_range"),
    ],
)
def test_birth_date_as_people_write_it(text: str, born: Any) -> None:
    row = read_row(2, {"name": "Aino", "birth_date": text}, {}, TODAY)
    assert (row.birth_date or row.problems[0].code) == born
    assert row.is_sound is isinstance(born, date)


@pytest.mark.parametrize("text", ["2012", "1983", "2026"])
def test_a_year_alone_leaves_the_birth_date_out_and_says_so(text: str) -> None:
    row = read_row(2, {"name": "Aino", "birth_date": text}, {}, TODAY)
    assert (row.birth_date, row.is_sound, row.asks) == (None, True, False)
    assert [(problem.code, problem.parameters) for problem in row.problems] == [("only_year", {"text": text})]


@pytest.mark.parametrize(
    ("text", "number"), [("7", 7), ("007", 7), ("#7", 7), ("7.0", 7), ("7,", 7), ("100000", 100_000)]
)
def test_start_number_as_people_write_it(text: str, number: int) -> None:
    assert read_row(2, {"name": "A", "start_number": text}, {}, TODAY).start_number == number


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "x", "100001", "9" * 30, "٧"])
def test_no_start_number_is_said(text: str) -> None:
    row = read_row(2, {"name": "A", "start_number": text}, {}, TODAY)
    assert [(problem.row, problem.column, problem.code) for problem in row.problems] == [
        (2, "start_number", "bad_number")
    ]


@pytest.mark.parametrize(
    ("text", "agrees"),
    [
        ("x", True),
        ("Kyllä", True),
        ("JA", True),
        ("yes", True),
        ("no", False),
        ("ei", False),
        ("-", False),
        ("", None),
    ],
)
def test_consent_as_people_write_it(text: str, agrees: bool | None) -> None:
    row = read_row(2, {"name": "A", "guardian": text}, {}, TODAY)
    assert (row.guardian, row.problems) == (agrees, ())


def test_name_of_a_guardian_is_no_consent() -> None:
    assert not read_row(2, {"name": "A", "guardian": "Outi Mäkelä"}, {}, TODAY).is_sound


def test_letters_that_nobody_sees_are_left_out_of_public_texts() -> None:
    row = read_row(2, {"name": "\u202eAi\u200bno   A", "club": "\ufeffNoppa"}, {}, TODAY)
    assert (row.name, row.club, row.problems) == ("Aino A", "Noppa", ())
    assert [problem.code for problem in read_row(2, {"name": "\u200b"}, {}, TODAY).problems] == ["no_name"]


def test_lengths_are_those_of_the_database() -> None:
    fields = {
        "name": Player._meta.get_field("name"),
        "nickname": Entry._meta.get_field("public_name"),
        "club": Entry._meta.get_field("club"),
        "contact": Player._meta.get_field("contact"),
        "division": Entry._meta.get_field("division"),
    }
    assert {column: field.max_length for column, field in fields.items()} == LONGEST_VALUES


def test_a_row_that_only_asks_is_sound() -> None:
    for texts, marks in (
        ({"name": "1234"}, {}),
        ({"name": "MÃ¤kelÃ¤"}, {}),
        ({"name": "A"}, {"": "hidden_row"}),
    ):
        row = read_row(2, texts, marks, TODAY)
        assert (row.is_sound, row.asks) == (True, True)


@pytest.mark.parametrize(
    ("text", "paid", "asks"),
    [
        ("x", True, False),
        ("kyllä", True, False),
        ("ja", True, False),
        ("", None, False),
        ("ei", False, False),
        ("10 €", None, True),
    ],
)
def test_a_fee_is_paid_where_the_list_says_yes(text: str, paid: Any, asks: bool) -> None:
    row = read_row(2, {"name": "Aino", "paid": text}, {}, TODAY)
    assert (row.paid, row.asks, row.is_sound) == (paid, asks, True)
