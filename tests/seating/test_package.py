"""The package is pure: what it gives depends on what it is given and on nothing else."""

import ast
from pathlib import Path

import pytest

from tests.test_architecture import imports

PACKAGE = Path(__file__).resolve().parents[2] / "tournament" / "seating"
PURE = sorted(path for path in PACKAGE.glob("*.py") if path.stem != "__main__")  # which reads and writes
STANDARD = {
    "bisect",
    "collections",
    "collections.abc",
    "dataclasses",
    "fractions",
    "hashlib",
    "itertools",
    "math",
    "struct",
    "typing",
}


@pytest.mark.parametrize("path", PURE, ids=lambda path: path.stem)
def test_seating_needs_no_django_no_clock_and_no_chance_of_its_own(path: Path) -> None:
    modules = {module for module, _ in imports(ast.parse(path.read_text()))}
    ours = {module for module in modules if module.startswith("tournament.seating")}
    assert modules - ours - STANDARD == set()


@pytest.mark.parametrize("path", PURE, ids=lambda path: path.stem)
def test_seating_counts_in_whole_numbers(path: Path) -> None:
    """Floats may be rounded differently elsewhere, and then the draw would be another one."""
    tree = ast.parse(path.read_text())
    assert not [
        node.lineno
        for node in ast.walk(tree)
        if (isinstance(node, ast.Constant) and isinstance(node.value, float))
        or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div))
    ]
