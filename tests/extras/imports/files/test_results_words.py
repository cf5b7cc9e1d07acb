"""Words for what is wrong with a workbook of results."""

from io import BytesIO

import pytest
from openpyxl import load_workbook

from tests.extras.imports.files.test_problems import RESULTS, codes
from tests.words.test_card_names import SAID, each_sheet, played
from tournament.extras.imports.files.problems import IMPORT_PROBLEMS, REFUSALS, Problem
from tournament.extras.imports.files.results import CellProblem, card_words
from tournament.extras.imports.files.results_template import (
    CELL_PROBLEMS,
    COLUMN_NAMES,
    RESULT_REFUSALS,
    cell_text,
    refusal_text,
    results_template,
)
from tournament.server.clock import now


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


def test_every_problem_of_results_has_a_text() -> None:
    said = RESULT_REFUSALS.keys() | CELL_PROBLEMS.keys()
    assert codes([*RESULTS]) <= said | IMPORT_PROBLEMS.keys()


@each_sheet
@pytest.mark.django_db
def test_the_file_to_fill_in_names_each_card(ruleset: str, language: str) -> None:
    made = played(ruleset)
    made.tournament.language = language
    made.tournament.save()
    content = results_template(made.tournament, 1, now(), made.tournament.language)
    cells = [
        {each for row in sheet.iter_rows(values_only=True) for each in row}
        for sheet in load_workbook(BytesIO(content))
    ]
    headings = [names for names in cells if "7" in names]
    assert headings
    assert [set(SAID[ruleset, language].values()) - names for names in headings] == [set()] * len(headings)


@each_sheet
def test_a_file_is_read_with_the_sheets_names(ruleset: str, language: str) -> None:
    names = SAID[ruleset, language]
    assert {card: card_words().get(name.casefold()) for card, name in names.items()} == {c: c for c in names}
