"""Old lists as results: what is understood of their cells, which rows are players, clubs in several spellings."""

from typing import Any

import pytest

from tests.extras.imports.files.opened import codes
from tests.support.list_files import workbook
from tournament.extras.imports.files.lists import read_list, read_pasted
from tournament.extras.imports.files.past import RESULT_COLUMNS, as_results, result_of, spellings
from tournament.extras.imports.forms.players import known_of

EMPTY = {"place": None, "points": "", "average": "", "games": None, "wins": None, "note": ""}
KNOWN = known_of(RESULT_COLUMNS)


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ({"place": "3"}, {"place": 3}),
        ({"place": "3."}, {"place": 3}),
        ({"place": "2nd"}, {"place": 2}),
        ({"place": "1:a"}, {"place": 1}),
        ({"place": "3.-4."}, {"place": 3, "note": "3.-4."}),
        ({"place": "3–4"}, {"place": 3, "note": "3–4"}),
        ({"place": "=5"}, {"place": 5, "note": "=5"}),
        ({"place": "hyl."}, {"note": "hyl."}),
        ({"place": "DNF", "points": "-"}, {"note": "DNF"}),
        ({"place": "2026-04-03"}, {"note": "2026-04-03"}),  # 3-4, as a spreadsheet program took it
        ({"place": "0"}, {"note": "0"}),
        ({"points": "12,50", "average": "17.285714"}, {"points": "12.5", "average": "17.2857"}),
        ({"points": "1 240 p."}, {"points": "1240"}),
        ({"points": "-20"}, {"points": "-20"}),
        ({"points": "DSQ", "note": "DSQ"}, {"note": "DSQ"}),
        ({"points": "9" * 200}, {"note": "9" * 200}),
        ({"games": "7", "wins": "0"}, {"games": 7, "wins": 0}),
        ({"games": "seven", "heat": "2", "note": "=1+1"}, {"note": "seven, Heat 2, =1+1"}),
        ({"heat": "Finaali", "place": "—"}, {"note": "Finaali"}),
    ],
)
def test_cells_are_numbers_or_words_of_the_note(said: dict[str, str], found: dict[str, Any]) -> None:
    assert result_of(said) == EMPTY | found


def test_a_messy_workbook_is_read_without_its_title_and_totals() -> None:
    file = workbook(
        [
            ["UNO 2025, tulokset"],
            [],
            ["Sija", "Pelaaja", "Seura", "Keskiarvo", "Pelit", "Huom"],
            ["1.", "Virtanen Ville", "Fyysikkokilta", 12.5, 7, ""],
            ["2.-3.", "Korhonen Sanna", "Fyysikko-kilta", 14, 7, ""],
            ["2.-3.", "Nieminen Aki", "FYYSIKKOKILTA", 14, 7, "arvottu"],
            ["", "Heikkinen Pia", "fyysikkokilta", "", "", ""],
            ["hyl.", "Mäkelä Aino", "Fyysikkokilta", "", 2, ""],
            ["", "Yhteensä", "", "", 23, ""],
            ["Yhteensä 5", "", "", 13.5, "", ""],
        ]
    )
    read = as_results(read_list(file, "tulokset.xlsx", known=KNOWN))
    assert [column.choice for column in read.columns if not column.known] == ["surname_first"]
    assert [(row.number, row.name, row.club) for row in read.rows] == [
        (4, "Ville Virtanen", "Fyysikkokilta"),
        (5, "Sanna Korhonen", "Fyysikkokilta"),
        (6, "Aki Nieminen", "Fyysikkokilta"),
        (7, "Pia Heikkinen", "Fyysikkokilta"),
        (8, "Aino Mäkelä", "Fyysikkokilta"),
    ]
    assert codes(read) == ["rows_above", "totals_left_out"]
    assert [row.number for row in read.rows if row.asks] == [7]
    assert [result_of(row.answers)["place"] for row in read.rows] == [1, 2, 2, None, None]


def test_clubs_are_written_alike_where_somebody_wants_it() -> None:
    read = read_pasted("Nimi\tKilta\nA\tNoppa\nB\tNOPPA\nC\tnoppa.\nD\tNOPPA\nE\tArpa", known=KNOWN)
    assert spellings(read.rows) == {"Noppa": "NOPPA", "noppa.": "NOPPA"}
    assert [row.club for row in as_results(read, alike=False).rows] == [
        "Noppa",
        "NOPPA",
        "noppa.",
        "NOPPA",
        "Arpa",
    ]


def test_a_number_before_a_pasted_name_is_a_place() -> None:
    read = as_results(read_pasted("Sija\tNimi\n1.\tAino\n2.\tEetu", known=KNOWN))
    assert [(row.name, result_of(row.answers)["place"]) for row in read.rows] == [("Aino", 1), ("Eetu", 2)]


def test_a_list_of_totals_alone_has_no_players() -> None:
    read = as_results(read_pasted("Nimi\tPisteet\nYhteensä\t240", known=KNOWN))
    assert (read.rows, read.refusal and read.refusal.code) == ((), "no_rows")
