"""Words: every problem has a text that says what to do, and every text is somebody's."""

import ast
from pathlib import Path

import pytest

from tournament.extras.imports.files import problems
from tournament.extras.imports.files.columns import COLUMNS, headings_in
from tournament.extras.imports.files.problems import ASKS, NOTES, Problem
from tournament.extras.imports.files.rows import MARKS

FOLDER = Path(__file__).parents[4] / "tournament" / "extras" / "imports"
RESULTS = {path for path in FOLDER.rglob("*.py") if path.name.startswith(("pages", "results"))}
SOURCES = [*{*FOLDER.rglob("*.py")} - RESULTS]
# Places in the source where a code is a plain text: an argument, a value of a table, the answer of a function.
GIVES = {"Problem", "Refusal", "add"}


def codes(sources: list[Path]) -> set[str]:
    found: set[str] = set()
    for path in sources:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call):
                name = (
                    node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                )
                if name == "refuse":
                    checks = [each.elts[-1] for each in node.args if isinstance(each, ast.Tuple)]
                    found |= {str(each.value) for each in checks if isinstance(each, ast.Constant)}
                if name in GIVES and node.args:
                    found |= {
                        each.value
                        for each in ast.walk(node.args[0])
                        if isinstance(each, ast.Constant) and isinstance(each.value, str) and each.value
                    }
    return found


def test_every_problem_has_a_text() -> None:
    assert (codes(SOURCES) | MARKS) - {"utf-16-le"} <= problems.IMPORT_PROBLEMS.keys()


def test_every_text_belongs_to_a_problem() -> None:
    source = "".join(path.read_text() for path in SOURCES if path.name != "problems.py")
    assert [code for code in problems.IMPORT_PROBLEMS if f'"{code}"' not in source] == []


@pytest.mark.parametrize("code", sorted(problems.IMPORT_PROBLEMS))
def test_every_text_can_be_worded_without_parameters(code: str) -> None:
    said = problems.problem_text(Problem(code, 3, "name"))
    assert said.startswith("Name: ")
    assert "%" not in said


def test_no_code_has_two_texts() -> None:
    tables = (problems.REFUSALS, problems.FILE_NOTES, problems.ROW_PROBLEMS)
    assert len(problems.IMPORT_PROBLEMS) == sum(map(len, tables))
    assert problems.ROW_PROBLEMS.keys() >= MARKS | ASKS | NOTES
    assert problems.COLUMN_NAMES.keys() == set(COLUMNS)


def test_unknown_code_still_says_that_something_is_wrong() -> None:
    assert problems.problem_text(Problem("never heard of")) == problems.REFUSALS["damaged"]


@pytest.mark.parametrize("language", ["en", "fi", "sv", "xx"])
def test_headings_to_fill_in_are_one_for_each_column(language: str) -> None:
    assert len(set(headings_in(language))) == len(COLUMNS)
