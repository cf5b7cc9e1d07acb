"""Cells as texts."""

import pytest

from tournament.extras.imports.files.grid import Line, text_of
from tournament.extras.imports.files.problems import LONGEST_KEPT


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("  Aino ", "Aino"),
        ("Aino\r\n\tMäkelä", "Aino Mäkelä"),
        ("\u00a0Aino\u2003Mäkelä", "Aino Mäkelä"),
        ("A\x00in\x07o", "Aino"),
        ("a\ud800b", "ab"),
        ("x" * (LONGEST_KEPT + 1), "x" * LONGEST_KEPT),
    ],
)
def test_a_text_is_one_line_without_what_cannot_be_shown(raw: str, text: str) -> None:
    assert text_of(raw) == text


def test_a_line_is_there_once_something_stands_in_it_or_was_lost() -> None:
    assert not Line(1, hidden=True)
    assert Line(1, cells={1: "Aino"})
    assert Line(1, lost={1: "formula_error"})
