"""Each operator on a snippet, and what no operator touches."""

import ast

import pytest

from scoring.sheets import Result
from tests.mutants.sites import mutants_of


def texts(*lines: str, names: dict[str, object] | None = None) -> list[str]:
    """Every change to a function of these lines."""
    source = "\n".join(["def f(a, b, c):", *("    " + line for line in lines)])
    return [mutant.text for mutant in mutants_of(source, "f.py", names or {})]


CASES: dict[str, tuple[str, list[str]]] = {
    "comparison": ("a < b", ["a < b → pass", "a < b → a <= b"]),
    "chain": (
        "g = a == b in c",
        ["g = a == b in c → g = a != b in c", "g = a == b in c → g = a == b not in c"],
    ),
    "is": ("g = a is not b", ["g = a is not b → g = a is b"]),
    "boolean": ("g = a and b", ["g = a and b → g = a or b"]),
    "not": ("g = not a", ["g = not a → g = a"]),
    "arithmetic": ("g = a % b", ["g = a % b → g = a * b"]),
    "sign": ("g = -a", ["g = -a → g = a"]),
    "augmented": ("a += b", ["a += b → a -= b", "a += b → pass"]),
    "integer": ("g = 59", ["g = 59 → g = 60"]),
    "text": ("g = 'last'", ["g = 'last' → g = 'last?'"]),
    "prose": ("g = 'the last one'", []),
    "written": ("g = f'{a} of 3'", []),
    "translated": ("g = _('Last')", []),
    "docstring": ("'''Last'''", []),
    "assertion": ("assert a == 1", []),
    "strict": ("g = zip(a, b, strict=True)", []),
    "cast": ("g = cast('int', a)", []),
    "annotation": ("g: Literal['a'] = b", []),
    "truth": ("g = True", ["g = True → g = False"]),
    "return": ("return a", ["return a → return None"]),
    "nothing": ("return None", []),
    "false": ("return False", ["return False → return True"]),
    "item": ("a[b] = c", ["a[b] = c → pass"]),
    "name": ("g = a", []),
    "raise": ("raise a", ["raise a → pass"]),
    "never": ("raise AssertionError('unreachable')", []),
    "minimum": ("g = min(a)", ["g = min(a) → g = max(a)"]),
    "any": ("g = any(a)", ["g = any(a) → g = all(a)"]),
    "sorted": ("g = sorted(a)", ["g = sorted(a) → g = sorted(a, reverse=True)"]),
    "ternary": ("g = a if b else c", ["g = a if b else c → g = a if not b else c"]),
    "equal": ("g = a if b == c else c", ["g = a if b == c else c → g = a if b != c else c"]),
    "comprehension": ("g = [a for a in b if a]", ["g = [a for a in b if a] → g = [a for a in b if not a]"]),
}


@pytest.mark.parametrize(("line", "expected"), CASES.values(), ids=CASES)
def test_what_is_made_of_a_statement(line: str, expected: list[str]) -> None:
    assert sorted(texts(line)) == sorted(expected)


def test_of_a_compound_statement_the_head_is_shown_and_the_body_is_changed() -> None:
    assert texts("while a:", "    if b:", "        continue", "    break") == [
        "while a: → while not a:",
        "if b: → if not b:",
        "continue → pass",
        "break → pass",
    ]


def test_argument_is_dropped_where_it_may_be() -> None:
    line = "return Result(player=a, outcome=b)"

    assert "return Result(player=a, outcome=b) → return Result(player=a)" in texts(line)
    assert texts(line, names={"Result": Result}) == ["return Result(player=a, outcome=b) → return None"]
    assert "g = int(a, base=b) → g = int(a)" in texts("g = int(a, base=b)", names={"int": int})


def test_what_runs_at_import_stays() -> None:
    source = "LIMIT = 3\nclass Row:\n    most = 4\n    @limited(5)\n    def f(self, a=6):\n        return 7\n"

    assert [(mutant.function, mutant.line, mutant.text) for mutant in mutants_of(source, "f.py", {})] == [
        ("Row.f", 6, "return 7 → return None"),
        ("Row.f", 6, "return 7 → return 8"),
    ]


def test_long_statement_is_cut_down_to_the_change() -> None:
    around = ", ".join(30 * "a")
    (text,) = texts(f"g = [{around}, b == c, {around}]")

    assert "a, b == c, a" in text
    assert "a, b != c, a" in text
    assert len(text) < 150


def test_code_is_as_before_once_all_changes_are_known() -> None:
    source = "def f(a):\n    return [a for a in b if a > 1 and c]"
    mutants = mutants_of(source, "f.py", {})

    assert len(mutants) == 5
    assert {ast.unparse(mutant.tree) for mutant in mutants} == {source}
