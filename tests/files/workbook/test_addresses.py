"""How formulas name cells."""

import pytest

from tournament.files.workbook.addresses import Rows, Sheet, quoted

SHEET = Sheet("Final: Aino's", {"place": "Place", "place_f": "Place by formula", "check": "Check"})


def test_columns_are_found_by_their_keys() -> None:
    assert SHEET.headings == ["Place", "Place by formula", "Check"]
    assert SHEET.index("place_f") == 1
    assert SHEET.letters == {"place": "A", "place_f": "B", "check": "C"}
    assert SHEET.cells(7) == {"place": "A7", "place_f": "B7", "check": "C7"}


def test_cells_of_another_sheet_are_named_with_its_quoted_title() -> None:
    assert SHEET.rows("place_f", Rows(2, 9)) == "$B$2:$B$9"
    assert SHEET.rows_from_elsewhere("place_f", Rows(2, 9)) == "'Final: Aino''s'!$B$2:$B$9"
    assert SHEET.cell_from_elsewhere("check", 4) == "'Final: Aino''s'!$C$4"
    assert SHEET.across("place", "check", 2) == "'Final: Aino''s'!$A$2:$C$2"


@pytest.mark.parametrize(("text", "there"), [("yes", '"yes"'), ('a "b"', '"a ""b"""'), ("", '""')])
def test_a_text_in_a_formula_doubles_its_quotation_marks(text: str, there: str) -> None:
    assert quoted(text) == there
