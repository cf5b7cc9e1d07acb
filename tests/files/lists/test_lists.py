"""Lists as people have them: headings in three languages and any order, what spreadsheet programs save, and the
problems of each row."""

from typing import Any

import pytest

from tests.files.lists.opened import codes, read
from tests.support.list_files import package, sheet_xml, text_cell


@pytest.mark.parametrize(
    ("text", "rows", "said"),
    [
        ("Aino\nEetu\n", [(1, "Aino", ""), (2, "Eetu", "")], ["no_headings_club"]),
        ("Aino, Noppa\nEetu\n", [(1, "Aino", "Noppa"), (2, "Eetu", "")], ["no_headings_club"]),
        ("Aino;1;Noppa\nEetu;2;Arpa", [(1, "Aino", ""), (2, "Eetu", "")], ["no_headings", "ignored_columns"]),
        ("Pelaajat 2026\n\nNimi\nAino", [(4, "Aino", "")], ["rows_above"]),
        ("Nick\nAino", [(1, "Nick", ""), (2, "Aino", "")], ["no_headings_club"]),
    ],
)
def test_headings_are_found_or_done_without(text: str, rows: list[Any], said: list[str]) -> None:
    found = read(text)
    assert [(row.number, row.name, row.club) for row in found.rows] == rows
    assert codes(found) == said


@pytest.mark.parametrize(
    "text", ["=cmd|' /C calc'!A0", "+358 40", "-x", "@SUM(A1)", "<b>x</b>", "%s {{ x }}"]
)
def test_what_looks_like_a_formula_or_markup_is_text(text: str) -> None:
    for data, name in (
        (f"Name;Club\n{text};{text}\n".encode(), "list.csv"),
        (
            package(
                sheet_xml(f"<row>{text_cell('Name')}</row><row>{text_cell(text.replace('<', '&lt;'))}</row>")
            ),
            "l.xlsx",
        ),
    ):
        assert read(data, name).rows[0].name == text
