"""Words for what is wrong with a workbook of results."""

import pytest

from tournament.files.lists.problems import IMPORT_PROBLEMS, REFUSALS, Problem
from tournament.files.lists.results import CellProblem
from tournament.files.lists.results_template import (
    CELL_PROBLEMS,
    COLUMN_NAMES,
    RESULT_REFUSALS,
    cell_text,
    refusal_text,
)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("too_large", RESULT_REFUSALS["too_large"]),  # another text than for a list
        ("not_a_workbook", RESULT_REFUSALS["not_a_workbook"]),
        ("pdf", REFUSALS["pdf"]),
        ("new_code", REFUSALS["damaged"]),
    ],
)
def test_a_refusal_has_words_of_its_own_or_those_for_lists(code: str, words: object) -> None:
    assert refusal_text(Problem(code, parameters={"most": 8})) == str(words).replace("%(most)s", "8")


def test_a_missing_column_is_called_as_in_the_file_whatever_the_reader_reads() -> None:
    text = refusal_text(Problem("no_column", parameters={"sheet": "Pelit", "column": "outcome"}))
    assert "“Lopputulos”" in text
    assert text.startswith("The column")


@pytest.mark.parametrize("key", [*COLUMN_NAMES, "unheard_of"])
def test_a_missing_column_is_called_by_its_heading(key: str) -> None:
    text = refusal_text(Problem("no_column", parameters={"sheet": "Games", "column": key}))
    assert text == str(RESULT_REFUSALS["no_column"]) % {
        "sheet": "Games",
        "column": COLUMN_NAMES.get(key, key),
    }


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("unknown_word", CELL_PROBLEMS["unknown_word"]),
        ("formula_error", IMPORT_PROBLEMS["formula_error"]),
        ("new_code", REFUSALS["damaged"]),
    ],
)
def test_a_cell_has_words_of_its_own_or_those_for_lists(code: str, words: object) -> None:
    problem = CellProblem(code, "Games!H2", {"text": "gone"})
    assert cell_text(problem) == str(words).replace("%(text)s", "gone")
