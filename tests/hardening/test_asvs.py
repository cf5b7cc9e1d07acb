"""docs/asvs.md: every item of level 2 is answered once, and what a "pass" names is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROW = re.compile(r"^\| (\d+\.\d+\.\d+) \| ([12]) \| ([a-z ]+) \| (.*) \|$", re.MULTILINE)
ROWS = ROW.findall((ROOT / "docs" / "asvs.md").read_text())
NAMED = re.compile(r"`([\w./-]+\.\w+|[\w./-]+/[\w.-]+)(?:::(\w+))?`")
ANSWERS = {"pass", "fail", "operator", "not applicable"}


def test_every_item_of_levels_1_and_2_is_answered_once() -> None:
    items = [item for item, *_ in ROWS]
    assert len(items) == len(set(items)) == 253
    assert [level for _, level, *_ in ROWS].count("1") == 70
    assert {item.partition(".")[0] for item in items} == {str(chapter) for chapter in range(1, 18)}
    assert {answer for *_, answer, _ in ROWS} == ANSWERS


@pytest.mark.parametrize("answer", sorted(ANSWERS - {"pass", "not applicable"}))
def test_what_is_no_pass_says_why(answer: str) -> None:
    assert not [item for item, _, said, why in ROWS if said == answer and not why.strip()]


def test_every_pass_names_a_test_or_a_file_that_is_there() -> None:
    missing = []
    for item, _, answer, why in ROWS:
        named = NAMED.findall(why)
        if answer == "pass" and not named:
            missing.append(f"{item}: names nothing")
        for path, test in named:
            file = ROOT / path
            if not file.exists():
                missing.append(f"{item}: {path}")
            elif test and f"def {test}(" not in file.read_text():
                missing.append(f"{item}: {path}::{test}")
    assert missing == []
